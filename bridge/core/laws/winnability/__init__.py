"""Whether a side can still mate by any series of legal moves, however unskilled (FIDE 6.9).

The answer is a line that ends in mate, a proof in words that there is none, or undetermined.
"""

from typing import Literal, NamedTuple

import chess

from bridge.core.laws.winnability.budget import Budget
from bridge.core.laws.winnability.exhaustion import is_exhausted
from bridge.core.laws.winnability.helpmate import helpmate
from bridge.core.laws.winnability.material import cannot_by_material
from bridge.core.laws.winnability.walls import is_walled_off

CROWD = 16
WORK = 640
WORK_IN_A_CROWD = 520
"""Positions in a search for a helpmate, by whether more than ``CROWD`` men stand on the board.

Measured so that 99 of 100 answers come within 50 ms (`docs/benchmarks.md`).
"""


CanMate = Literal["can", "cannot", "undetermined"]
"""Whether a side can mate by any series of legal moves; never a guess."""


class Winnability(NamedTuple):
    """Whether a side can mate by some series of legal moves.

    With ``can`` the ``line`` ends in its mate, which says nothing of who stands better.
    ``undetermined``: the search gave up, the arbiter judges.
    """

    verdict: CanMate
    reason: str
    line: tuple[chess.Move, ...] = ()


def winnability(board: chess.Board, side: chess.Color) -> Winnability:
    """Return whether *side* can still mate (FIDE Laws 5.1.2, 5.2.2, 6.9, 7.5.5).

    It is a proof either way, never a guess. The counts of moves and repetitions do not matter.
    """
    if _lacks_king(board):
        return Winnability("undetermined", "a king is missing")
    reason = _why_not(board, side)
    if reason is not None:
        return Winnability("cannot", reason)
    if board.is_checkmate():
        return Winnability("can", "it is mate")
    line = helpmate(board, side, Budget(_work(board)))
    if line is not None:
        return Winnability("can", f"a mate is possible: {board.variation_san(line)}", line)
    return Winnability("undetermined", "no mate was found, but none is ruled out either")


def is_proved_dead(board: chess.Board) -> bool:
    """Return whether it is proved that neither side can mate (5.2.2); false proves nothing.

    It is cheap enough for every move: no helpmate is searched for.
    """
    if _lacks_king(board):
        return False
    return all(_why_not(board, side) is not None for side in chess.COLORS)


def is_dead(board: chess.Board) -> bool | None:
    """Return whether the position is dead (5.2.2), ``None`` where that is undetermined."""
    if _lacks_king(board):
        return None
    sides = [side for side in chess.COLORS if _why_not(board, side) is None]
    if not sides:
        return True
    if board.is_checkmate():
        return False
    work = _work(board) // len(sides)
    found = any(helpmate(board, side, Budget(work)) is not None for side in sides)
    return False if found else None


def _lacks_king(board: chess.Board) -> bool:
    """Whether a king was taken, after a move that left it in check."""
    return any(board.king(colour) is None for colour in chess.COLORS)


def _work(board: chess.Board) -> int:
    return WORK_IN_A_CROWD if chess.popcount(board.occupied) > CROWD else WORK


def _why_not(board: chess.Board, side: chess.Color) -> str | None:
    """Return in words the proof that *side* cannot mate, or ``None``."""
    if not any(board.legal_moves):
        if not board.is_check():
            return "the game has ended in stalemate"
        return "the side is mated itself" if board.turn == side else None
    reason = cannot_by_material(board, side)
    if reason is not None:
        return reason
    if is_walled_off(board, side):
        return "men that can never move or be taken shut the mating side out"
    if is_exhausted(board, side):
        return "every line of play has been looked at and none ends in mate"
    return None
