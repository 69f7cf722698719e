"""The arbiter's calculator: modes, periods, flags, penalties, redistribution, checks."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.laws.clocks.attendance import Late, late, lost_by_absence
from bridge.core.laws.clocks.checks import (
    Addition,
    AdditionWatch,
    Setting,
    addition,
    counter_mismatch,
    drift,
    setting_mismatch,
)
from bridge.core.laws.clocks.flags import both_flags, completed_moves, flag_means
from bridge.core.laws.clocks.modes import Course, Mode, added_by_press, play
from bridge.core.laws.clocks.penalties import after_illegal_move, illegal_move, wrong_claim
from bridge.core.laws.clocks.periods import (
    Control,
    carried_over,
    control_after,
    control_at,
    is_last,
)
from bridge.core.laws.clocks.quickplay import quickplay_bar
from bridge.core.laws.clocks.recording import recording_duty, update_due
from bridge.core.laws.clocks.redistribution import (
    Floor,
    redistributed,
    replaced,
    share_of_used,
)
from bridge.core.laws.clocks.stopped import Signs, stopped_by_player
from bridge.core.laws.clocks.times import Times, other, shown
from bridge.core.model import Colour
from bridge.core.timecontrol import Period, parse_time_control

MINUTE = 60


def periods(text: str) -> tuple[Period, ...]:
    control = parse_time_control(text)
    assert control is not None
    return control.periods


# --- modes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "extra", "used", "course"),
    [
        ("plain", 0, [20, 39], Course(1, None)),
        ("plain", 0, [20, 40], Course(0, 2)),
        ("increment", 2, [1, 1, 5], Course(59, None)),
        ("increment", 2, [62], Course(0, 1)),  # the addition comes with the press, too late
        ("increment", 2, [59, 2], Course(3, None)),
        ("bronstein", 10, [4, 10, 30], Course(40, None)),
        ("bronstein", 10, [60], Course(0, 1)),
        ("delay", 10, [4, 10, 30], Course(40, None)),
        ("delay", 10, [60], Course(10, None)),  # here the delay comes first
        ("delay", 10, [70, 1], Course(0, 1)),
    ],
)
def test_a_players_time_over_his_moves(
    mode: Mode, extra: float, used: list[float], course: Course
) -> None:
    assert play(60, used, mode, extra) == course


@given(st.lists(st.integers(0, 100), max_size=40), st.integers(0, 60))
def test_bronstein_and_delay_never_gain_and_differ_only_by_the_flag(
    used: list[int], extra: int
) -> None:
    bronstein = play(600, used, "bronstein", extra)
    delay = play(600, used, "delay", extra)
    assert bronstein.remaining <= 600
    assert delay.remaining <= 600
    if bronstein.flag_at is None:
        assert delay == bronstein


def test_what_the_display_must_rise_by() -> None:
    modes: tuple[Mode, ...] = ("plain", "increment", "bronstein", "delay")
    assert [added_by_press(mode, 10, 4) for mode in modes] == [0, 10, 4, 0]


# --- periods ------------------------------------------------------------------------------------


def test_controls_of_two_periods() -> None:
    two = periods("40/5400+30:1800+30")
    assert control_after(two, 0) == control_after(two, 39) == Control(0, 40)
    assert control_after(two, 40) == control_after(two, 99) == Control(1, None)
    assert control_at(two, 7) == Control(1, None)
    assert not is_last(two, control_after(two, 39))
    assert is_last(two, control_after(two, 40))


def test_a_last_period_with_moves_repeats_and_is_never_the_last() -> None:
    repeating = periods("40/7200:20/3600")
    assert control_after(repeating, 60) == Control(2, 80)
    assert not is_last(repeating, control_after(repeating, 200))


def test_a_control_is_met_by_completed_moves() -> None:
    control = Control(0, 40)
    assert (control.met(39), control.met(40)) == (False, True)
    assert not Control(1, None).met(1000)


def test_saved_time_is_carried_over() -> None:
    assert carried_over(15 * MINUTE, Period(60 * MINUTE)) == 75 * MINUTE


# --- flags --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("over", "completed", "control", "meaning"),
    [
        (True, 3, 40, "game_over"),
        (True, 40, 40, "game_over"),
        (False, 40, 40, "period_met"),
        (False, 41, 40, "period_met"),
        (False, 39, 40, "overstepped"),
        (False, 60, None, "overstepped"),
    ],
)
def test_what_a_fallen_flag_means(
    over: bool, completed: int, control: int | None, meaning: str
) -> None:
    assert flag_means(game_over=over, completed=completed, control_move=control) == meaning


@pytest.mark.parametrize(
    ("made", "pressed", "ended", "completed"),
    [(40, True, False, 40), (40, False, False, 39), (40, False, True, 40), (0, False, False, 0)],
)
def test_the_last_move_is_completed_by_the_press_or_by_ending_the_game(
    made: int, pressed: bool, ended: bool, completed: int
) -> None:
    assert completed_moves(made, pressed=pressed, ended_game=ended) == completed


def test_both_flags() -> None:
    rule: Literal["draw_in_last_period"] = "draw_in_last_period"
    assert both_flags(first="black", last_period=True, rule=rule) == "first_flag_decides"
    assert both_flags(first=None, last_period=True, rule=rule) == "draw"
    assert both_flags(first=None, last_period=False, rule=rule) == "continue"
    assert both_flags(first=None, last_period=True, rule="continue") == "continue"


# --- penalties ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "claimant_left", "loses"),
    [(240, -60, "black"), (300, 0, "black"), (301, 1, None)],
)
def test_the_classic_code_takes_a_wrong_claim_from_the_claimant(
    left: float, claimant_left: float, loses: Colour | None
) -> None:
    result = wrong_claim(Times(600, left), "black", minutes=5, clock="claimant")
    assert (result.times, result.loses) == (Times(600, claimant_left), loses)


def test_a_wrong_claim_is_paid_to_the_opponent() -> None:
    result = wrong_claim(Times(240, 600), "white", minutes=1, clock="opponent")
    assert (result.times, result.loses) == (Times(240, 660), None)
    assert result.text == "game continues, +1 minute to the opponent"


@pytest.mark.parametrize(
    ("arguments", "leads_to", "minutes", "text"),
    [
        (
            {"nth": 1, "minutes": 2, "loses_at": 2},
            "time",
            2,
            "+2 minutes to the opponent; restore, touch-move; number 2 loses",
        ),
        (
            {"nth": 7, "minutes": 1, "loses_at": None},
            "time",
            1,
            "+1 minute to the opponent; restore, touch-move",
        ),
        ({"nth": 9, "minutes": 0, "loses_at": None}, "none", 0, "restore, touch-move"),
        ({"nth": 2, "minutes": 2, "loses_at": 2, "opponent": "can"}, "loss", 0, "loss"),
        (
            {"nth": 3, "minutes": 2, "loses_at": 2, "opponent": "cannot"},
            "draw",
            0,
            "draw: the opponent cannot mate",
        ),
        (
            {"nth": 2, "minutes": 2, "loses_at": 2},
            "loss_or_draw",
            0,
            "loss (draw if the opponent cannot mate)",
        ),
        (
            {
                "nth": 2,
                "minutes": 2,
                "loses_at": 2,
                "opponent": "cannot",
                "unwinnable": "loss",
            },
            "loss",
            0,
            "loss",
        ),
    ],
)
def test_what_an_illegal_move_leads_to(
    arguments: dict[str, Any], leads_to: str, minutes: int, text: str
) -> None:
    result = illegal_move(**arguments)
    assert (result.leads_to, result.minutes, result.text) == (leads_to, minutes, text)


def test_readings_after_an_illegal_move() -> None:
    before = Times(white=500, black=95)
    taken = after_illegal_move(before, "black", minutes=2, increment=30, rule="taken_back")
    assert taken == Times(white=620, black=65)
    kept = after_illegal_move(before, "white", minutes=1, increment=30, rule="kept")
    assert kept == Times(white=500, black=155)


# --- redistribution -----------------------------------------------------------------------------


def test_the_worked_example_of_the_classic_code() -> None:
    assert share_of_used(90, error_at_move=20, found_after_move=30) == 60
    assert share_of_used(60, error_at_move=20, found_after_move=30) == 40


@pytest.mark.parametrize(("error", "found"), [(31, 30), (-1, 30), (0, 0)])
def test_an_irregularity_is_found_after_it_happened(error: int, found: int) -> None:
    with pytest.raises(ValueError, match=f"found after move {found}, but happened at {error}"):
        share_of_used(90, error_at_move=error, found_after_move=found)


@pytest.mark.parametrize(
    ("floor", "readings", "suggested", "reasons"),
    [
        (
            Floor(5, 1, 6),
            (5, 6),
            6,
            ("one minute for each of the six moves", "a flat five minutes"),
        ),
        (
            Floor(5, 1, 1),
            (5, 1),
            5,
            ("a flat five minutes", "one minute for each of the one move"),
        ),
        (Floor(5, 1, None), (5,), 5, ("a flat five minutes",)),
        (Floor(None, 2, 15), (30,), 30, ("two minutes for each of the 15 moves",)),
        (Floor(None, None, 8), (), 0, ("no least time is prescribed",)),
    ],
)
def test_both_readings_of_the_floor(
    floor: Floor, readings: tuple[int, ...], suggested: int, reasons: tuple[str, ...]
) -> None:
    assert (floor.readings, floor.suggested) == (readings, suggested)
    said = floor.reason.replace(" to the control", "").split("; the other reading is ")
    assert tuple(said) == reasons


def test_the_floor_lifts_what_proportion_leaves() -> None:
    floor = Floor(5, 1, 6)
    share = redistributed(119 * MINUTE, 120 * MINUTE, floor, error_at_move=34, found_after_move=34)
    assert share == (119 * MINUTE, 1 * MINUTE, 6 * MINUTE)


@pytest.mark.parametrize(
    ("error", "wrong", "times"),
    [
        (120, "white", Times(420, 400)),
        (120, None, Times(360, 460)),
        (-120, "black", Times(300, 300)),
        (-200, None, Times(300, 300)),
        (-20, None, Times(300, 390)),
    ],
)
def test_the_times_for_a_new_clock(error: float, wrong: Colour | None, times: Times) -> None:
    assert replaced(Times(300, 400), error, wrong, Floor(5, None, None)) == times


def test_the_floor_gives_no_time_to_somebody_who_had_less() -> None:
    assert replaced(Times(90, 400), -60, "white", Floor(5, None, None)) == Times(90, 400)


# --- checks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "expected", "found"),
    [
        (61, 30, "not_added"),
        (60.5, 30, "not_added"),
        (91, 30, "right"),
        (90, 30, "right"),
        (121, 30, "added_twice"),
        (75, 30, "other"),
        (61, 0, "right"),
        (61, 1, "right"),  # too small to be told from nothing
    ],
)
def test_a_display_must_rise_by_what_is_added(
    after: float, expected: float, found: Addition
) -> None:
    assert addition(61, after, expected, tolerance=1) == found


def test_one_press_is_no_alert_two_in_a_row_are() -> None:
    watch, alert = AdditionWatch().press(61, 61, "increment", 30, used=5, tolerance=1)
    assert alert is None
    assert watch.press(50, 50, "increment", 30, 5, 1)[1] == "not_added"
    between, alert = watch.press(50, 110, "increment", 30, 5, 1)
    assert alert is None
    assert between.press(50, 110, "increment", 30, 5, 1)[1] == "added_twice"
    assert between.press(50, 80, "increment", 30, 5, 1) == (AdditionWatch("right"), None)
    odd, alert = watch.press(50, 60, "increment", 30, 5, 1)
    assert alert is None
    assert odd.press(50, 60, "increment", 30, 5, 1)[1] is None


def test_a_missing_period_of_five_minutes_is_an_alert_at_once() -> None:
    watch = AdditionWatch()
    assert watch.period(20, 20, 1800, 1)[1] == "not_added"
    assert watch.period(20, 20, 299, 1)[1] is None
    assert watch.period(20, 1820, 1800, 1) == (watch, None)


@pytest.mark.parametrize(
    ("completed", "counter", "control", "severity", "added"),
    [
        (39, 40, 40, "warning", True),
        (34, 35, 40, "warning", False),
        (33, 34, 40, "notice", False),
        (50, 48, None, "notice", False),
    ],
)
def test_a_move_counter_that_disagrees(
    completed: int, counter: int, control: int | None, severity: str, added: bool
) -> None:
    mismatch = counter_mismatch(completed, counter, control)
    assert mismatch is not None
    assert (mismatch.severity, mismatch.added_period) == (severity, added)
    assert mismatch.text == f"clock counts {counter} moves, completed are {completed}"


def test_a_move_counter_that_agrees() -> None:
    assert counter_mismatch(40, 40, 40) is None


def test_a_clock_set_wrongly() -> None:
    event = Setting(5400, 5400, "increment", 30)
    assert setting_mismatch(Setting(5400.5, 5400, "increment", 30), event) == []
    assert setting_mismatch(Setting(3600, 5400, "delay", 5), event) == [
        "White starts with 1:00:00, should be 1:30:00",
        "mode is delay, should be increment",
        "5 s a move, should be 30 s",
    ]


def test_a_clock_against_our_own_stopwatch() -> None:
    assert drift(60, 59, tolerance=2) is None
    assert drift(63, 60, tolerance=2) == 3
    assert drift(57, 60, tolerance=2) == -3


# --- attendance, recording, quickplay, stopped clocks -------------------------------------------


@pytest.mark.parametrize(
    ("white", "black", "pressed", "lost"),
    [
        (700, 500, None, Times(700, 0)),
        (500, 700, None, Times(500, 0)),
        (0, 700, 60, Times(0, 640)),
        (0, 50, 60, Times(0, 0)),
        (-5, -5, None, Times(0, 0)),
    ],
)
def test_whose_clock_runs_for_absence(
    white: float, black: float, pressed: float | None, lost: Times
) -> None:
    assert lost_by_absence(white, black, white_pressed=pressed) == lost


@pytest.mark.parametrize(
    ("after", "white", "black", "default", "expected"),
    [
        (-1, False, False, 0, None),
        (600, True, True, 0, None),
        (600, False, False, 60, Late("both", "notice", 3000, None)),
        (600, True, False, 60, Late("black", "notice", 3000, None)),
        (3600, True, False, 60, Late("black", "warning", 0, "1-0")),
        (3601, False, True, 60, Late("white", "warning", 0, "0-1")),
        (0, False, False, 0, Late("both", "warning", 0, "0-0")),
    ],
)
def test_late_arrival_is_asked_about_at_default_time(
    after: float, white: bool, black: bool, default: int, expected: Late | None
) -> None:
    found = late(after, white_present=white, black_present=black, default_minutes=default)
    assert found == expected


FIDE: dict[str, Any] = {
    "players_record": "must",
    "below": 300,
    "increment_below": 30,
    "lasts": "rest_of_period",
}
CLASSIC: dict[str, Any] = FIDE | {"increment_below": None, "lasts": "moment"}


@pytest.mark.parametrize(
    ("rule", "remaining", "increment", "was_exempt", "duty"),
    [
        (FIDE, 299, 30, False, "must_record"),
        (FIDE, 299, 10, False, "exempt_for_period"),
        (FIDE, 300, 10, False, "must_record"),
        (FIDE, 320, 10, True, "exempt_for_period"),
        (CLASSIC, 299, 30, False, "may_stop"),
        (CLASSIC, 320, 30, True, "must_record"),
        (FIDE | {"players_record": "need_not"}, 3000, 30, False, "need_not"),
        (FIDE | {"below": None}, 10, 0, True, "must_record"),
    ],
)
def test_who_must_record(
    rule: dict[str, Any], remaining: float, increment: float, was_exempt: bool, duty: str
) -> None:
    assert recording_duty(remaining, increment, **rule, was_exempt=was_exempt) == duty


def test_whose_scoresheet_is_to_be_completed() -> None:
    assert update_due(white_exempt=False, black_exempt=False) is None
    assert update_due(white_exempt=True, black_exempt=False) == "white"
    assert update_due(white_exempt=False, black_exempt=True) == "black"
    assert update_due(white_exempt=True, black_exempt=True) == "both"


@pytest.mark.parametrize(
    ("change", "bar"),
    [
        ({}, None),
        ({"announced": False}, "the guidelines were not announced"),
        ({"increment": 2}, "there is an increment"),
        ({"rate": "blitz"}, "it is blitz"),
        ({"on_move": False}, "the claimant is not on the move"),
        ({"flag_up": False}, "the flag has fallen"),
        ({"remaining": 120}, "two minutes or more are left"),
    ],
)
def test_a_quickplay_claim(change: dict[str, Any], bar: str | None) -> None:
    arguments = {"remaining": 119, "increment": 0, "announced": True} | change
    assert quickplay_bar(**arguments) == bar


def test_a_stopped_clock_is_a_call_and_never_a_resignation() -> None:
    signs = Signs(pawn_on_last_rank=True, flag_down=True)
    fide = stopped_by_player(signs, "arbiter_only")
    assert fide.severity == "warning"
    assert fide.reasons == ("needs a piece for the promotion", "claims a win on time")
    for nothing in (Signs(), Signs(seems_over=True)):
        assert stopped_by_player(nothing, "arbiter_only").severity == "notice"
    classic = stopped_by_player(Signs(), "resignation")
    assert (classic.severity, classic.reasons) == ("critical", ())
    for text in (fide.text, classic.text):
        assert text.startswith("someone is calling")
        assert "resigned" not in text


# --- times --------------------------------------------------------------------------------------


def test_times_of_the_colours() -> None:
    times = Times(10, 20)
    assert (times.of("white"), times.of("black")) == (10, 20)
    assert (times.plus("white", 5), times.plus("black", -5)) == (Times(15, 20), Times(10, 15))
    assert (other("white"), other("black")) == ("black", "white")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (95.7, "1:35"), (3725, "1:02:05"), (-60, "-1:00")]
)
def test_times_as_clocks_show_them(seconds: float, text: str) -> None:
    assert shown(seconds) == text
