"""What is said while the board does not show the record, and when nothing is."""

import chess
import pytest

from bridge.core.inference.placement import shown_by
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.model import Sensing, StateExplained
from bridge.core.table.beginnings import EXPLAIN_AFTER
from bridge.core.table.differences import differences
from tests.bridge.core.dialogue import TableTalk

STRANGER = "shows a man that the board does not know instead of"
OF_ANOTHER_SET = "men are of another set, the board does not know them"
SIX_EMPTY = "; ".join(f"{file}7 is empty" for file in "abcdef")


def begun() -> TableTalk:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    return table


def said(table: TableTalk) -> list[str]:
    """Return what was said since the game began."""
    return [f.text for f in table.facts if isinstance(f, StateExplained)]


def test_squares_that_differ_are_named_once_when_they_have_rested() -> None:
    table = begun()
    table.sees(10.0, without="e4 d7", white_queen="e4").ticks(10.0 + EXPLAIN_AFTER - 0.1)
    assert said(table) == []
    table.ticks(10.0 + EXPLAIN_AFTER)
    differs = "e4 shows a white queen instead of a white pawn; d7 is empty"
    assert said(table) == [f"the board differs from the record: {differs}"]
    table.shows(20.0).clock(21.0, 290, 270, "right").ticks(60.0)
    assert sum(text.startswith("the board differs") for text in said(table)) == 1


def test_another_placement_is_another_thing_to_say() -> None:
    table = begun()
    table.sees(10.0, without="a1 a8 d7").ticks(20.0).sees(21.0, without="h8").ticks(30.0)
    assert [text.count("is empty") for text in said(table)] == [3, 4]


def test_nothing_more_is_said_when_the_board_agrees_again() -> None:
    table = begun()
    table.sees(10.0, without="a1 a8").ticks(20.0)
    table.sees(21.0, white_rook="a1", black_rook="a8").ticks(40.0)
    table.plays(41.0, "e5")
    assert len(said(table)) == 1
    assert table.moves == "e4 e5"
    table.sees(50.0, without="a1 a8").ticks(60.0)
    assert len(said(table)) == 2  # it is worth saying again


@pytest.mark.parametrize("square", ["e7", "g8", "e8"])
def test_a_man_in_the_hand_of_the_player_to_move_is_thinking(square: str) -> None:
    table = begun()
    table.sees(10.0, without=square).ticks(60.0)
    assert said(table) == []


def test_a_man_of_the_other_side_is_not() -> None:
    table = begun()
    table.sees(10.0, without="g1").ticks(60.0)
    assert said(table) == ["the board differs from the record: g1 is empty"]


def test_a_man_in_the_hand_before_the_press_was_seen() -> None:
    """White's clock is still running: his move stands without being settled."""
    table = begun()
    table.sees(10.0, without="e7", black_pawn="e5").ticks(11.0)
    table.sees(12.0, without="g1").ticks(30.0)
    assert said(table) == []


@pytest.mark.parametrize("squares", ["e4 d5", "d4 e4"])
def test_kings_that_are_shown_are_no_riddle(squares: str) -> None:
    white, black = squares.split()
    table = begun()
    table.sees(10.0, without="e1 e8 e4", white_king=white).sees(10.1, black_king=black).ticks(14.9)
    assert said(table) == []


def test_what_an_alert_says_is_not_said_twice() -> None:
    table = begun()
    table.sees(10.0, without="e8", black_king="e5").clock(11.0, 290, 290, "left").ticks(40.0)
    assert any("alert" in line for line in table.script)
    assert said(table) == []


def test_a_link_that_is_lost_is_no_difference() -> None:
    table = begun()
    table.sees(10.0, without="a1 a8").link(11.0, "lost").ticks(60.0)
    assert said(table) == []
    table.link(61.0, "live").shows(61.5).ticks(70.0)
    assert said(table) == ["the board differs from the record: a1 is empty; a8 is empty"]


# -- in words --------------------------------------------------------------------------------------


def words(placement: str, sensing: Sensing = "identity") -> str:
    """Say how *placement* differs from the start position; ``x`` is a man without a name."""
    position = Position(chess.Board(), sensing)
    sight = Sight(position.shown)
    squares = "".join("." * int(c) if c.isdigit() else c for c in placement if c != "/")
    rows = [squares[rank : rank + 8] for rank in range(56, -1, -8)]
    sight.take(shown_by("".join(rows), sensing).replace("x", "?"), at=1.0)
    return differences(position, sight).removeprefix("the board differs from the record: ")


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR", "White's king is missing; e1 is empty"),
        (
            "rnbqkbnr/pppppppp/8/4k3/4k3/8/PPPPPPPP/RNBQKBNR",
            "Black has 3 kings; e4 shows a black king; e5 shows a black king",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBxKBNR",
            f"d1 {STRANGER} a white queen",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNxxKBNR",
            f"2 {OF_ANOTHER_SET}; c1 {STRANGER} a white bishop; d1 {STRANGER} a white queen",
        ),
        (
            "rnbqkbnr/8/8/8/8/8/PPPPPPPP/RNBQKBNR",
            f"{SIX_EMPTY}; and 2 more squares",
        ),
        (
            "rnbqkbnr/7p/8/8/8/8/PPPPPPPP/RNBQKBNR",
            f"{SIX_EMPTY}; and 1 more square",
        ),
        ("8/8/8/8/8/8/8/8", "it is empty"),
    ],
)
def test_what_is_wrong_in_words(placement: str, expected: str) -> None:
    assert words(placement) == expected


@pytest.mark.parametrize(("sensing", "man"), [("occupancy", "a man"), ("colour", "a white man")])
def test_no_more_is_said_than_the_board_knows(sensing: Sensing, man: str) -> None:
    placement = "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQ1BNR"
    assert words(placement, sensing) == f"e1 is empty; e3 shows {man}"
