"""Illegal moves that the opponent has answered before the board could be judged."""

from collections.abc import Sequence
from typing import NamedTuple

import chess

from bridge.core.laws.illegal import judge, legal_move
from bridge.core.laws.verdict import EMPTY, Verdict, differing
from drivers.cells import cells_of


class Answered(NamedTuple):
    """A verdict on a move, and the ``cells`` that it left before it was answered."""

    verdict: Verdict
    cells: str


def judge_answered(
    board: chess.Board, cells: str, history: Sequence[chess.Move] = ()
) -> Answered | None:
    """Return why the move before the last one was illegal, where *cells* show both.

    One man of the side to move must have gone where he may not, and one legal move of the other
    side must explain all the rest; anything less proves nothing. Where a man of the other side
    stands instead of one of the mover's, that one may have left, or have been taken.
    """
    ways = (_done_by_mover(board, cells, taken=taken) for taken in (False, True))
    answered = (_judge_way(board, mine, cells, history) for mine in ways)
    return next(filter(None, answered), None)


def _judge_way(
    board: chess.Board, mine: str, cells: str, history: Sequence[chess.Move]
) -> Answered | None:
    if mine == cells:
        return None
    verdict = judge(board, mine, history)
    if verdict is None or verdict.attempt is None or verdict.reason == "EXTRA_CHANGE":
        return None
    if legal_move(_after(board, mine), cells) is None:
        return None
    return Answered(verdict, mine)


def _done_by_mover(board: chess.Board, cells: str, *, taken: bool) -> str:
    """Return what stands if of all that differs only the mover's men have changed.

    *taken*: his men in whose place others stand were taken only then.
    """
    done = list(cells_of(board))
    for square in differing(board, cells):
        shown = cells[square]
        if shown.isalpha() and shown.isupper() == board.turn:
            done[square] = shown
        elif board.color_at(square) == board.turn and not (taken and shown.isalpha()):
            done[square] = EMPTY
    return "".join(done)


def _after(board: chess.Board, cells: str) -> chess.Board:
    """Return the position in which *cells* stand and the other side is to move."""
    after = board.copy(stack=False)
    for square in differing(board, cells):
        man = None if cells[square] == EMPTY else chess.Piece.from_symbol(cells[square])
        after.set_piece_at(square, man)
    after.turn, after.ep_square = not board.turn, None
    after.castling_rights = after.clean_castling_rights()
    return after
