"""Which squares are marked for players at home, and that nobody else sees any."""

import chess
import msgspec
import pytest

from bridge.config.rulesets import names, rule_set
from bridge.core.audience import Audience, for_audience
from bridge.core.model import SquaresMarked, TableSetup
from bridge.core.table.beginnings import EXPLAIN_AFTER
from tests.bridge.core.dialogue import TableTalk

RESTED = EXPLAIN_AFTER + 0.1


def wish(**changes: object) -> TableSetup:
    at_home = TableSetup(feedback=True, rules=msgspec.to_builtins(rule_set("home")))
    return msgspec.structs.replace(at_home, **changes)


def begun(given: TableSetup | None = None, *moves: str) -> TableTalk:
    table = TableTalk.ready(given or wish())
    table.plays(4.0, *(moves or ("e4",)))
    return table


def marks(table: TableTalk) -> list[str]:
    return [" ".join(fact.squares) for fact in table.facts if isinstance(fact, SquaresMarked)]


def test_what_differs_is_marked_when_it_has_rested_and_goes_at_once() -> None:
    table = begun().sees(10.0, without="d1", white_queen="d3")
    table.ticks(10.0 + EXPLAIN_AFTER - 0.1)
    assert marks(table) == []
    table.ticks(10.0 + RESTED)
    assert marks(table) == ["d1 d3"]
    assert table.table.marked == ("d1", "d3")
    table.sees(20.0, without="d3")
    assert marks(table) == ["d1 d3", "d1"]
    table.sees(20.5, white_queen="d1")
    assert marks(table) == ["d1 d3", "d1", ""]
    table.ticks(60.0)
    assert len(marks(table)) == 3


def test_the_move_that_stands_unsettled_is_not_marked() -> None:
    table = begun()
    table.sees(10.0, without="e7", black_pawn="e5").sees(10.5, without="a1", white_rook="a5")
    table.ticks(10.5 + RESTED)
    assert marks(table) == ["a1 a5"]


def test_what_a_move_left_undone_is_marked() -> None:
    table = begun(wish(), "e4", "a6", "e5", "d5")
    table.sees(30.0, without="e5", white_pawn="d6").ticks(30.0 + RESTED)
    assert marks(table) == ["d5"]


def test_a_man_in_the_hand_is_not_wrong() -> None:
    table = begun().sees(10.0, without="e7").ticks(60.0)
    assert marks(table) == []


def test_kings_that_show_the_result_are_not_wrong() -> None:
    table = begun().sees(10.0, without="e1 e8 e4", white_king="e4", black_king="d5").ticks(14.0)
    assert marks(table) == []


def test_who_clears_the_board_is_not_lit_for() -> None:
    table = begun().shows(10.0, "8/8/8/8/8/8/8/8").ticks(60.0)
    assert marks(table) == []


def test_a_lost_board_goes_on_as_it_did() -> None:
    table = begun().sees(10.0, without="d1", white_queen="d3").ticks(10.0 + RESTED)
    table.link(15.0, "lost").ticks(30.0)
    table.link(31.0, "live").shows(31.5)
    assert marks(table) == ["d1 d3"]
    table.sees(40.0, white_queen="d1", without="d3")
    assert marks(table)[-1] == ""


def test_the_last_squares_of_a_set_up_are_marked() -> None:
    table = TableTalk(wish()).shows(0.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR")
    table.ticks(RESTED)
    assert marks(table) == ["d1 e1"]
    table.shows(10.0, chess.STARTING_BOARD_FEN)
    assert marks(table) == ["d1 e1", ""]


def test_a_set_up_in_the_other_seat_is_marked_as_white_would_see_it_then() -> None:
    table = TableTalk(wish())
    table.rotated = True
    table.shows(0.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR").ticks(RESTED)
    assert marks(table) == ["d8 e8"]  # nobody knows yet where White sits


@pytest.mark.parametrize("placement", ["8/8/8/8/8/8/8/8", "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR"])
def test_half_a_set_up_is_not(placement: str) -> None:
    table = TableTalk(wish()).shows(0.0, placement).ticks(60.0)
    assert marks(table) == []


def test_none_of_the_960_positions_is_missed() -> None:
    table = TableTalk(wish(chess960=True)).shows(0.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1QBNR")
    table.ticks(60.0)
    assert marks(table) == []


@pytest.mark.parametrize("name", [name for name in names() if not rule_set(name).home])
def test_nothing_is_marked_in_a_tournament_whatever_is_wished(name: str) -> None:
    table = begun(wish(rules=msgspec.to_builtins(rule_set(name))))
    table.sees(10.0, without="d1", white_queen="d3").ticks(60.0)
    assert marks(table) == []


def test_nothing_is_marked_where_nobody_wished_it() -> None:
    table = begun(wish(feedback=False)).sees(10.0, without="d1", white_queen="d3").ticks(60.0)
    assert marks(table) == []


def test_marks_go_when_the_game_becomes_one_of_a_tournament() -> None:
    table = begun().sees(10.0, without="d1", white_queen="d3").ticks(20.0)
    table.setup(21.0, wish(rules={}))
    assert marks(table) == ["d1 d3", ""]


def test_a_game_of_a_tournament_stays_one_when_its_table_is_taken_home() -> None:
    table = begun(wish(rules={}))
    table.setup(9.0, wish())
    table.sees(10.0, without="d1", white_queen="d3").ticks(60.0)
    assert marks(table) == []


@pytest.mark.parametrize(
    ("audience", "seen"),
    [("arbiter", True), ("operator", True), ("players", False), ("public", False)],
)
def test_who_may_be_told_of_marks(audience: Audience, seen: bool) -> None:
    fact = SquaresMarked(table="1", game=1, at=0.0, wall=0.0, evidence=(1, 1), squares=("e4",))
    assert (for_audience(fact, audience) is not None) == seen
