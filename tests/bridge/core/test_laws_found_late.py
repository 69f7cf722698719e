"""Wrong arrays, turned boards, reversed colours and wrong settings that are found in the game."""

import msgspec
import pytest

from bridge.config.rulesets import rule_set
from bridge.core.laws.clocks.checks import Setting
from bridge.core.laws.clocks.correction import corrected_setting
from bridge.core.laws.clocks.modes import Mode
from bridge.core.laws.clocks.times import Times
from bridge.core.laws.found_late import (
    Moves,
    colours_reversed,
    rotated_board,
    share_of_period,
    wrong_array,
)
from bridge.core.laws.rulesets import RuleSet

STANDARD, A5, CLASSIC = (rule_set(name) for name in ("fide_std", "rapid_a5", "classic"))
NO_MOVE = Moves(0, 0)


@pytest.mark.parametrize(
    ("moves", "rules", "array", "board"),
    [
        (Moves(40, 40), STANDARD, "new_game", "transfer"),
        (Moves(0, 0), STANDARD, "new_game", "transfer"),
        (Moves(40, 40), CLASSIC, "new_game", "transfer"),
        (Moves(10, 9), A5, "new_game", "transfer"),
        (Moves(10, 10), A5, "goes_on", "goes_on"),
    ],
)
def test_a_wrong_array_begins_anew_and_a_turned_board_does_not(
    moves: Moves, rules: RuleSet, array: str, board: str
) -> None:
    found = wrong_array(moves, rules, started=True)
    assert (found.decision, found.castling_lost) == (array, array == "goes_on")
    turned = rotated_board(moves, rules, started=True)
    assert (turned.decision, turned.castling_lost) == (board, False)


def test_before_the_start_everything_is_put_right() -> None:
    assert wrong_array(NO_MOVE, A5, started=False).decision == "correct"
    assert rotated_board(NO_MOVE, A5, started=False).decision == "correct"
    assert colours_reversed(NO_MOVE, A5).decision == "correct"
    assert colours_reversed(NO_MOVE, CLASSIC, share_used=0.0).decision == "correct"


@pytest.mark.parametrize(
    ("moves", "decision"),
    [
        (Moves(1, 0), "new_game"),
        (Moves(9, 9), "new_game"),
        (Moves(10, 9), "new_game"),
        (Moves(10, 10), "goes_on"),
    ],
)
def test_reversed_colours_stand_after_ten_moves_by_both(moves: Moves, decision: str) -> None:
    for rules in (STANDARD, A5):
        assert colours_reversed(moves, rules).decision == decision


@pytest.mark.parametrize(
    ("share", "decision", "says"),
    [
        (0.24, "arbiter", "24 % of the time to the control have passed: the arbiter may order"),
        (0.25, "goes_on", "25 % of the time to the control have passed: the game goes on"),
        (None, "arbiter", "the arbiter judges whether 25 %"),
    ],
)
def test_the_classic_code_asks_for_a_quarter_of_the_time(
    share: float | None, decision: str, says: str
) -> None:
    found = colours_reversed(Moves(30, 30), CLASSIC, share_used=share)
    assert (found.decision, found.text[: len(says)]) == (decision, says)


def test_without_a_limit_the_game_goes_on() -> None:
    free = msgspec.structs.replace(
        STANDARD, colours_reversed_moves=None, colours_reversed_percent=None
    )
    assert colours_reversed(Moves(3, 3), free).decision == "goes_on"


def test_the_share_is_of_both_clocks() -> None:
    assert share_of_period(1800, 900, 5400) == 0.25


# --- the clock ----------------------------------------------------------------------------------

EVENT = Setting(900, 900, "increment", 10)


@pytest.mark.parametrize(
    ("clock", "times"),
    [
        (Setting(900, 900, "increment", 5), Times(545, 490)),
        (Setting(600, 600, "increment", 10), Times(800, 750)),
        (Setting(900, 900, "plain", 0), Times(590, 530)),
        (Setting(900, 960, "increment", 10), Times(500, 390)),
    ],
)
def test_the_times_are_those_of_a_clock_set_right(clock: Setting, times: Times) -> None:
    found = corrected_setting(Times(500, 450), clock, EVENT, (9, 8), stands_after=10)
    assert found is not None
    assert (found.allowed, found.times) == (True, times)


def test_a_clock_set_right_is_left_alone() -> None:
    assert corrected_setting(Times(1, 1), EVENT, EVENT, (3, 3), stands_after=10) is None


@pytest.mark.parametrize(
    ("rules", "moves", "schedule_suffers", "allowed"),
    [
        (A5, (10, 9), False, True),
        (A5, (10, 10), False, False),
        (A5, (30, 30), True, True),
        (STANDARD, (30, 30), False, True),
        (CLASSIC, (30, 30), False, True),
    ],
)
def test_after_ten_moves_a_setting_stands_without_supervision(
    rules: RuleSet, moves: tuple[int, int], schedule_suffers: bool, allowed: bool
) -> None:
    found = corrected_setting(
        Times(500, 500),
        Setting(900, 900, "increment", 5),
        EVENT,
        moves,
        stands_after=rules.clock_setting_moves,
        schedule_suffers=schedule_suffers,
    )
    assert found is not None
    assert (found.allowed, found.times is not None) == (allowed, allowed)


@pytest.mark.parametrize("mode", ["delay", "bronstein"])
def test_what_a_delay_gave_cannot_be_told_from_the_readings(mode: Mode) -> None:
    event = EVENT._replace(mode=mode)
    found = corrected_setting(Times(500, 500), EVENT, event, (3, 3), stands_after=None)
    assert found is not None
    assert (found.allowed, found.times) == (True, None)
    assert "depends on the time of every move" in found.text
