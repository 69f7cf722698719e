"""The clock as the stream shows it: read once a second, and what was pressed in between."""

from drivers.simulated.clock import TimeControl
from drivers.simulated.streams.clocks import Reader, Told, clock_lines
from drivers.simulated.streams.clockwork import time_control
from drivers.simulated.streams.profile import BLITZ
from drivers.simulated.streams.sensor import Pause
from drivers.simulated.streams.world import (
    ClockAct,
    ClockPressed,
    ClockSet,
    ClockStarted,
    ClockStopped,
)

POLLED = Reader(period=1.0, offset=0.5, latency=0.1, at_once=False)
SET = ClockSet(at=0.0, control=TimeControl(base=60, increment=2), turn="left")
GAME: list[ClockAct] = [SET, ClockStarted(at=2.0, side="left")]


def words(told: list[Told]) -> list[tuple[float, int, int, str, bool, float | None]]:
    return [
        (round(t.at, 3), t.face.left_s, t.face.right_s, t.face.turn, t.face.running, t.shows_press)
        for t in told
    ]


def test_a_press_is_shown_by_the_next_reading() -> None:
    acts = [*GAME, ClockPressed(at=3.7, side="left"), ClockStopped(at=5.9)]
    assert words(clock_lines(acts, (), POLLED, until=8.0)) == [
        (0.6, 62, 62, "left", False, None),
        (2.6, 62, 62, "left", True, None),
        (3.6, 61, 62, "left", True, None),
        (4.6, 63, 62, "right", True, 3.7),
        (5.6, 63, 61, "right", True, None),
        (6.6, 63, 60, "right", False, None),
    ]


def test_a_board_that_reports_at_once_shows_the_press_itself() -> None:
    reader = Reader(period=1.0, offset=0.5, latency=0.0, at_once=True)
    told = clock_lines([*GAME, ClockPressed(at=3.7, side="left")], (), reader, until=4.0)
    assert (told[-1].at, told[-1].shows_press) == (3.7, 3.7)


def test_two_presses_between_readings_are_never_shown() -> None:
    acts = [*GAME, ClockPressed(at=3.6, side="left"), ClockPressed(at=3.9, side="right")]
    told = clock_lines(acts, (), POLLED, until=6.0)
    assert [t.shows_press for t in told if t.shows_press] == []


def test_a_press_of_the_wrong_side_changes_nothing() -> None:
    acts = [*GAME, ClockPressed(at=3.6, side="right")]
    assert {t.face.turn for t in clock_lines(acts, (), POLLED, until=6.0)} == {"left"}


def test_after_a_lost_link_the_first_reading_is_told_and_shows_the_press() -> None:
    acts = [*GAME, ClockPressed(at=3.7, side="left"), ClockStopped(at=4.0)]
    told = clock_lines(acts, (Pause(begin=3.0, end=9.0),), POLLED, until=12.0)
    assert [round(t.at, 3) for t in told] == [0.6, 2.6, 9.6]
    assert told[-1].shows_press == 3.7


def test_a_link_lost_in_silence_repeats_what_the_clock_shows() -> None:
    told = clock_lines([SET], (Pause(begin=3.0, end=4.0),), POLLED, until=8.0)
    assert [round(t.at, 3) for t in told] == [0.6, 4.6]


def test_no_flag_falls_in_a_simulated_game() -> None:
    long_thought: list[ClockAct] = [
        ClockStarted(at=0.0, side="left"),
        ClockPressed(at=500.0, side="left"),
    ]
    assert time_control(BLITZ, long_thought, "left").base == 540
    assert time_control(BLITZ, [], "left") == TimeControl(base=180, increment=2)
