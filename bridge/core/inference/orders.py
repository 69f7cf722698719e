"""In which order people are likely to play moves that were made unseen.

Of 3 to 5 plies out of 319 recorded games, the same position comes about by other legal lines as
well in two cases of three, most often by the same moves in another order. Nothing that a board
shows afterwards tells them apart; what the players leave hanging meanwhile does, more often than
not.
"""

from collections.abc import Sequence

import chess

from bridge.core.inference.exchange import VALUE, taken_by_force, victim_of
from bridge.core.inference.lines import Line, place_of
from bridge.core.inference.placement import BIT
from bridge.core.inference.plausible import LEFT_HANGING, MOST_HANGING

ATTACKED = 1.4
"""What speaks for the move of a man whom the opponent's last one attacks, unless it takes that."""
MOST_ORDERS = 12
"""Of more lines than this none is called likelier."""


def unlikely(board: chess.Board, lines: Sequence[Line]) -> list[float]:
    """Return how unlikely people are to play each of *lines* from *board*, which is left as it is.

    Each pawn that a move gives away, or does not take, when both sides then take whatever pays
    anywhere, costs as much as where captures are compared. All 0, if there are too many lines.
    """
    if not 1 < len(lines) <= MOST_ORDERS:
        return [0.0] * len(lines)
    comparing = _Comparing(board)
    return [comparing.cost(line) for line in lines]


class _Comparing:
    """Weighs lines from one position; where several of them meet is looked at once."""

    def __init__(self, board: chess.Board) -> None:
        self._start = board
        self._won: dict[tuple[int, ...], float] = {}

    def cost(self, line: Line) -> float:
        board, cost = self._start.copy(stack=False), 0.0
        might_win = self._wins(board)
        for ply, move in enumerate(line):
            cost -= ATTACKED * (ply > 0 and _flees(board, line[ply - 1].to_square, move))
            wins = _won_at_once(board, move)
            board.push(move)
            theirs = self._wins(board)
            cost += LEFT_HANGING * min(MOST_HANGING, max(0.0, might_win - wins + theirs))
            might_win = theirs
        return cost

    def _wins(self, board: chess.Board) -> float:
        """Return what the side to move on *board* wins by force."""
        place = (*place_of(board), board.turn)
        if place not in self._won:
            self._won[place] = taken_by_force(board)
        return self._won[place]


def _flees(board: chess.Board, attacker: chess.Square, move: chess.Move) -> bool:
    """Whether *move* takes a man away from the one on *attacker*."""
    attacked = board.attacks_mask(attacker) & BIT[move.from_square]
    return bool(attacked) and move.to_square != attacker


def _won_at_once(board: chess.Board, move: chess.Move) -> float:
    """Return by how many pawns *move* makes its side richer."""
    promoted = VALUE[move.promotion] - VALUE[chess.PAWN] if move.promotion else 0.0
    return promoted + (victim_of(board, move) if board.is_capture(move) else 0.0)
