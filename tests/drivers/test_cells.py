"""Positions as 64 cells."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cells import START_CELLS, can_show, cells_of, from_eighth_rank, moved, promotes


def test_the_start_is_that_of_the_rules() -> None:
    assert cells_of(chess.Board()) == START_CELLS


@given(st.text("PNBRQKpnbrqk.?*", min_size=64, max_size=64))
def test_the_order_from_the_eighth_rank_is_its_own_inverse(cells: str) -> None:
    assert from_eighth_rank(cells)[:8] == cells[56:]
    assert from_eighth_rank(from_eighth_rank(cells)) == cells


@given(st.lists(st.integers(min_value=0), min_size=1, max_size=60))
def test_legal_moves_lead_where_the_rules_say(choices: list[int]) -> None:
    board = chess.Board()
    for choice in choices:
        legal = list(board.legal_moves)
        if not legal:
            return
        move, before = legal[choice % len(legal)], cells_of(board)
        assert promotes(before, move.from_square, move.to_square) is bool(move.promotion)
        man = chess.Piece(move.promotion, board.turn).symbol() if move.promotion else None
        board.push(move)
        assert moved(before, move.from_square, move.to_square, becomes=man) == cells_of(board)


@pytest.mark.parametrize(
    ("cell", "man", "can"),
    [
        ("P", "P", True),
        ("?", "P", True),
        ("W", "P", True),
        ("w", "P", False),
        ("w", "p", True),
        ("P", "N", False),
        (".", ".", True),
        ("?", ".", False),
        (".", "P", False),
        ("?", "W", True),
        ("W", "?", False),
    ],
)
def test_what_a_board_that_knows_little_can_show(cell: str, man: str, can: bool) -> None:
    assert can_show(cell, man) is can
