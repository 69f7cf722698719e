"""Men that lie across an edge: the board shows them on two squares at once."""

import chess
import pytest

from bridge.core.inference.ahead import next_stage
from bridge.core.inference.hypotheses import Node, Stage
from bridge.core.inference.placement import with_changes
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.model import Sensing
from tests.bridge.core.test_retracing import Trace, line
from tests.bridge.core.watching import Watched


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_a_man_may_be_shown_where_he_came_from_as_well(sensing: Sensing) -> None:
    trace = Trace("6k1/8/8/8/8/8/7P/6K1 w - - 0 1", sensing=sensing)
    trace.shows("g1", 0.3).shows("g1K h1K")
    trace.shows("g8", 0.3).shows("h8k").shows("h2", 0.3).shows("h4P")
    assert trace.best() == "g1h1 g8h8 h2h4"


def test_a_man_that_was_not_lifted_did_not_go_where_another_like_him_came() -> None:
    trace = Trace("6k1/8/8/8/8/6PP/8/6K1 w - - 0 1")
    trace.shows("h3", 0.4).shows("g4P", 0.4).hears(chess.WHITE)
    trace.shows("g8", 0.2).shows("h8k", 3.0).hears(chess.BLACK)
    assert not any(line(reading).startswith("g3g4") for reading in trace.readings())


def test_a_man_that_long_was_on_both_squares_does_not_go_when_one_is_read_no_more() -> None:
    position = Position(chess.Board("1r4k1/8/8/8/8/3R4/8/6K1 b - - 0 1"))
    sight, shown = Sight(position.shown), position.shown
    for at, changes in (
        (1.0, [(chess.D3, "R"), (chess.C3, "R")]),
        (5.0, [(chess.B8, "."), (chess.B6, "r")]),
        (5.5, [(chess.D3, ".")]),
    ):
        shown = with_changes(shown, changes)
        sight.take(shown, at)
    answered = Node(None, None, position).then(chess.Move.from_uci("b8b6"))
    assert next_stage(Stage([answered], 0, 5.0), sight) is None
    assert next_stage(Stage([answered], 0, 1.5), sight) is not None, "they went at nearly one time"


def test_a_man_shown_on_two_squares_went_to_the_one_that_goes_on_showing_him() -> None:
    board = Watched("4k3/7p/8/8/8/3B4/8/4K3 w - - 0 1")
    board.waits(3.0).shows("d3").waits(0.4).shows("f5B").waits(0.2).shows("e4B").waits(1.0)
    board.presses(chess.WHITE).waits(0.5).shows("h7").waits(0.3).shows("h6p").waits(0.8)
    board.shows("f5").waits(3.0).presses(chess.BLACK).waits(1.0)
    assert board.moves == "d3e4 h7h6"


@pytest.mark.parametrize("rook_first", [True, False])
def test_a_king_who_castles_may_be_shown_where_he_came_from_as_well(*, rook_first: bool) -> None:
    """His rook shows what he did: it is no step of the rook, nor is it read as a king."""
    board = Watched("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1")
    if rook_first:
        board.waits(3.0).shows("h1").waits(0.3).shows("f1R").waits(0.5).shows("g1K")
    else:
        board.waits(3.0).shows("g1K").waits(0.5).shows("h1").waits(0.3).shows("f1R")
    board.waits(0.5).presses(chess.WHITE).waits(3.0).shows("a7").waits(0.3).shows("a6p").waits(0.8)
    board.presses(chess.BLACK).waits(1.0)
    assert board.moves == "e1g1 a7a6"
