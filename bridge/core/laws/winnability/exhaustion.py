"""Proof that a side cannot mate because every line there is has been looked at."""

import chess

from bridge.core.laws.repetition import identity
from bridge.core.laws.winnability.material import cannot_by_material
from bridge.core.laws.winnability.walls import is_walled_off

POSITIONS = 100
"""Up to how many different positions all lines together may lead."""


def is_exhausted(board: chess.Board, side: chess.Color) -> bool:
    """Return whether it is proved that no line leads to a mate by *side*; false proves nothing.

    A line is not followed beyond a position in which material or walls rule a mate out.
    """
    seen = {identity(board)}
    waiting = [board.copy(stack=False)]
    while waiting:
        position = waiting.pop()
        moves = list(position.legal_moves)
        for move in moves:
            after = position.copy(stack=False)
            after.push(move)
            key = identity(after)
            if key in seen:
                continue
            if (after.is_checkmate() and after.turn != side) or len(seen) == POSITIONS:
                return False
            seen.add(key)
            if not _is_ruled_out(after, side, forced=len(moves) == 1):
                waiting.append(after)
    return True


def _is_ruled_out(board: chess.Board, side: chess.Color, *, forced: bool) -> bool:
    """Return whether no line from here need be followed; walls, dear to find, only if *forced*."""
    if cannot_by_material(board, side) is not None:
        return True
    return forced and not board.halfmove_clock and is_walled_off(board, side)
