"""Moves that the board itself made out: evidence of what stands, and in which order it came."""

import math
from collections import deque
from collections.abc import Sequence

import chess

from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from drivers.events import BoardMove

MOST_KEPT = 16
"""Moves kept that were told and are not settled, as while men are not seen after a lost link."""


class Verdicts:
    """The moves that the board called legal since the last one that was settled.

    ``lasts``: so long the last of them stands for a press of the clock (s).
    """

    def __init__(self, lasts: float) -> None:
        self._lasts = lasts
        self._told: deque[str] = deque(maxlen=MOST_KEPT)
        self._told_at = -math.inf

    def __bool__(self) -> bool:
        return bool(self._told)

    @property
    def told(self) -> tuple[str, ...]:
        """The moves in UCI, the first one first."""
        return tuple(self._told)

    def take(self, move: BoardMove, at: float) -> None:
        """Take what the board told; a promotion may come once more, with its letter."""
        again = self._told and move.uci.startswith(self._told[-1])
        if self._told and (again or move.verdict == "undone"):
            self._told.pop()
        self._told_at = -math.inf
        if move.verdict == "legal":
            self._told.append(move.uci)
            self._told_at = at

    def settled(self, move: chess.Move) -> None:
        """Forget what was told of a move that is settled, and before it."""
        uci = move.uci()
        for number, told in enumerate(self._told):
            if uci.startswith(told):
                for _ in range(number + 1):
                    self._told.popleft()
                return

    def forget(self) -> None:
        """Forget all that was told."""
        self._told.clear()

    def line(self, position: Position, sight: Sight, at: float) -> list[chess.Move]:
        """Return the moves told last that lead from *position* to what is in *sight*, if any do.

        A single one must have been told just now.
        """
        fresh = at <= self._told_at + self._lasts
        told = self.told
        for first in range(len(told) if fresh else len(told) - 1):
            line = _line(position, told[first:], sight)
            if line:
                return line
        return []


def _line(position: Position, told: Sequence[str], sight: Sight) -> list[chess.Move]:
    """Return the legal moves that were *told*, if they lead to what is in *sight*."""
    line: list[chess.Move] = []
    for number, uci in enumerate(told, start=1):
        # A promotion may come without its letter; the queen is the first.
        moves = [m for m in position.board.generate_legal_moves() if m.uci().startswith(uci)]
        if number == len(told):
            moves = [m for m in moves if not sight.differs(position.after(m).shown)]
        if not moves:
            return []
        line.append(moves[0])
        position = position.after(moves[0])
    return line
