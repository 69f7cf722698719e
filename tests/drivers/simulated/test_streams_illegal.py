"""Illegal moves must be illegal, and for the reason that is told."""

from random import Random

import chess
import pytest

from drivers.simulated.streams.illegal import after, mistake, standing_mistake

PINNED = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1"
NO_RIGHT = "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1"
PROMOTES = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
LOCKED = "k7/8/8/8/8/p7/P7/K7 w - - 0 1"


def drawn(fen: str) -> dict[str, set[str]]:
    """Draw many mistakes; return the moves by their reasons."""
    board = chess.Board(fen)
    found: dict[str, set[str]] = {}
    for seed in range(200):
        wrong = mistake(board, Random(seed))
        assert wrong is not None
        assert wrong.move not in board.legal_moves
        found.setdefault(wrong.reason, set()).add(wrong.move.uci())
    return found


def test_a_pinned_piece_leaves_its_king_in_check() -> None:
    found = drawn(PINNED)
    assert {"e2c3", "e2g3", "e2d4"} <= found["KING_LEFT_IN_CHECK"]
    assert found["ILLEGAL_MOVE"]


def test_castling_without_the_right() -> None:
    assert drawn(NO_RIGHT)["CASTLING_ILLEGAL"] == {"e1g1", "e1c1"}


def test_a_pawn_is_left_on_the_last_rank() -> None:
    assert drawn(PROMOTES)["PROMOTION_NOT_REPLACED"] == {"a7a8"}


def test_black_errs_too() -> None:
    assert "CASTLING_ILLEGAL" in drawn("r3k2r/8/8/8/8/8/8/4K3 b - - 0 1")


def test_pawns_are_put_forward_only_and_never_where_they_promote() -> None:
    for uci in drawn(LOCKED)["ILLEGAL_MOVE"]:
        move = chess.Move.from_uci(uci)
        if move.from_square == chess.A2:
            assert 1 < chess.square_rank(move.to_square) < 7


def test_there_may_be_no_mistake_to_make() -> None:
    assert mistake(chess.Board(None), Random(0)) is None
    assert standing_mistake(chess.Board(None), Random(0)) is None


@pytest.mark.parametrize("fen", [PINNED, NO_RIGHT, LOCKED, chess.STARTING_FEN])
def test_after_a_mistake_that_stands_the_game_can_go_on(fen: str) -> None:
    board = chess.Board(fen)
    wrong = standing_mistake(board, Random(1))
    assert wrong is not None
    then = after(board, wrong.move)
    assert then.turn != board.turn
    assert then.is_valid()
    assert any(then.legal_moves)
    assert then.piece_at(wrong.move.to_square) == board.piece_at(wrong.move.from_square)
