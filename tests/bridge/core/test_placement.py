"""Placements as 64 letters."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.inference.ahead import next_stage
from bridge.core.inference.hypotheses import Node, Stage
from bridge.core.inference.placement import (
    BIT,
    cells_from_placement,
    changes_of,
    difference,
    placement_of,
    turned,
    with_changes,
)
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from drivers.cells import cells_of

CELLS = st.text("PNBRQKpnbrqk.?", min_size=64, max_size=64)
POSITIONS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/8/8/8/1Pp5/8/8/4K2k b - b3 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
]


@given(CELLS, CELLS)
def test_the_difference_is_the_mask_of_unlike_squares(cells: str, other: str) -> None:
    squares = [s for s in range(64) if cells[s] != other[s]]
    assert difference(cells, other) == sum(1 << square for square in squares)


@given(CELLS)
def test_a_placement_is_read_as_it_was_written(cells: str) -> None:
    assert cells_from_placement(placement_of(cells)) == cells
    assert turned(turned(cells)) == cells


@pytest.mark.parametrize("fen", POSITIONS)
def test_what_a_move_changes(fen: str) -> None:
    board = chess.Board(fen)
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        before, cells = Position(board), cells_of(after)
        assert with_changes(before.cells, changes_of(board, move)) == cells
        assert before.change(move) == difference(before.cells, cells)
        assert before.moves_shown(cells, before.change(move)) == [move]
        assert before.after(move).cells == cells


@pytest.mark.parametrize("text", ["", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/7", "8/8/8/8/8/8/8/8P"])
def test_what_is_no_placement(text: str) -> None:
    with pytest.raises(ValueError, match=r"placement|rank"):
        cells_from_placement(text)


def test_a_board_without_men_is_cleared_once_that_has_lasted() -> None:
    shown = cells_of(chess.Board())
    sight = Sight(shown)
    sight.take("." * 64, 5.0)
    sight.take(shown, 9.0)
    assert sight.is_cleared_since(4.0, long=4.0)
    assert not sight.is_cleared_since(4.0, long=4.5)
    assert not sight.is_cleared_since(5.0, long=4.0), "that was before"


def test_who_was_promoted_is_seen_though_the_square_is_not_believed() -> None:
    """The new man was put there before the pawn was taken up."""
    position = Position(chess.Board("5rk1/6P1/8/8/8/8/8/4K3 w - - 0 1"))
    sight = Sight(position.shown)
    sight.take(with_changes(position.shown, [(chess.F8, "N")]), 1.0)
    sight.excuse(BIT[chess.F8])
    sight.take(with_changes(sight.shown, [(chess.G7, ".")]), 2.0)
    stage = next_stage(Stage([Node(None, None, position)], 0, 0.0), sight)
    assert stage is not None
    assert [node.move for node in stage.nodes] == [chess.Move.from_uci("g7f8n")]
