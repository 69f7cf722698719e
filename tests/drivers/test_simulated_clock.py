"""The simulated clock counts, shows and blocks as recorded clocks did."""

import math

import pytest

from drivers.simulated.clock import Clock, TimeControl, other

BLITZ = TimeControl(base=180, increment=2)


def test_before_the_start_the_increment_is_already_shown() -> None:
    face = Clock(BLITZ).reading(at=5.0)
    assert (face.left_s, face.right_s, face.running, face.turn) == (182, 182, False, "left")
    assert face.bonus


def test_seconds_are_shown_rounded_up() -> None:
    clock = Clock(BLITZ)
    clock.start(at=10.0)
    assert clock.reading(at=10.0).left_s == 182
    assert clock.reading(at=10.001).left_s == 182
    assert clock.reading(at=11.0).left_s == 181
    assert clock.reading(at=11.5).left_s == 181
    assert clock.reading(at=11.5).right_s == 182


def test_the_next_change_is_when_the_shown_second_changes() -> None:
    clock = Clock(BLITZ)
    assert clock.next_change(at=0.0) == math.inf
    clock.start(at=10.0)
    assert clock.next_change(at=10.0) == pytest.approx(11.0)
    assert clock.next_change(at=10.25) == pytest.approx(11.0)
    clock.press("left", at=10.25)
    assert clock.next_change(at=10.25) == pytest.approx(11.25)


def test_a_press_adds_the_increment_and_turns_the_clock_over() -> None:
    clock = Clock(BLITZ)
    clock.start(at=0.0)
    assert clock.press("left", at=2.5)
    face = clock.reading(at=2.5)
    assert (face.left_s, face.turn, face.running) == (182, "right", True)
    assert clock.reading(at=4.0).right_s == 181
    assert clock.reading(at=4.0).left_s == 182


def test_a_press_without_effect() -> None:
    clock = Clock(BLITZ)
    assert not clock.press("left", at=0.0)
    clock.start(at=0.0)
    assert not clock.press("right", at=1.0)
    assert clock.reading(at=1.0).turn == "left"


def test_a_stopped_clock_keeps_its_times_and_goes_on_from_them() -> None:
    clock = Clock(BLITZ)
    clock.start(at=0.0)
    clock.stop(at=10.0)
    clock.stop(at=20.0)
    assert clock.reading(at=99.0).left_s == 172
    assert not clock.reading(at=99.0).running
    clock.start(at=100.0)
    clock.start(at=101.0)
    assert clock.reading(at=102.0).left_s == 170


def test_the_flag_falls_in_the_same_moment_as_zero_is_shown_and_blocks_the_clock() -> None:
    clock = Clock(TimeControl(base=3), turn="right")
    clock.start(at=0.0)
    assert clock.reading(at=2.999).right_s == 1
    assert not clock.reading(at=2.999).right_flag
    for at in (3.0, 50.0):
        face = clock.reading(at=at)
        assert (face.right_s, face.right_flag, face.left_flag) == (0, True, False)
        assert (face.running, face.turn) == (False, "right")
    assert clock.next_change(at=3.0) == math.inf
    assert not clock.press("right", at=3.5)
    clock.stop(at=4.0)
    clock.start(at=5.0)
    assert not clock.reading(at=6.0).running


def test_a_further_period_begins_by_itself_with_its_mark() -> None:
    clock = Clock(TimeControl(base=3600, further=(3600, 900)))
    clock.start(at=0.0)
    face = clock.reading(at=3601.0)
    assert (face.left_s, face.left_mark, face.left_flag, face.running) == (3599, True, False, True)
    assert not face.right_mark
    assert clock.reading(at=7200.0).left_s == 900
    assert clock.reading(at=8100.0).left_flag


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (TimeControl(base=300, increment=3), "300+3"),
        (TimeControl(base=5400, increment=30, further=(1800,)), "5400:1800+30"),
        (TimeControl(base=60), "60"),
    ],
)
def test_time_controls_read_as_people_write_them(control: TimeControl, text: str) -> None:
    assert str(control) == text


def test_the_other_side_of_the_other_side() -> None:
    assert other("left") == "right"
    assert other("right") == "left"
