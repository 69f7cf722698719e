"""What simulated boards have in common: men on squares, and a line with faults."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from random import Random

import chess

from drivers.codec import Outgoing
from drivers.events import EMPTY
from drivers.simulated.line import LONGEST_PIECE, Faults, Line

LONGEST_PAUSE = 60.0
"""Seconds for which a scanning board goes on without being asked."""


class BoardModel(ABC):
    """The board's side of the wire, with nothing on it at first. Calls must not go back in time.

    Squares are true chess squares (a1 = 0); ``rotated`` turns them to the board's numbering, as
    when White sits in the other seat. ``baud`` stands for the speed of a radio as well; what is
    said arrives in pieces of up to ``piece`` bytes.
    """

    def __init__(
        self,
        *,
        baud: int,
        piece: int = LONGEST_PIECE,
        rotated: bool = False,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        self.rotated = rotated
        self.faults = faults or Faults()
        self._rng = Random(seed)
        self._line = Line(self.faults, self._rng, baud=baud, piece=piece)
        self._cells = [EMPTY] * 64
        self._due_at = math.inf
        """When something happens by itself."""

    @property
    def cells(self) -> str:
        """What stands on the board, in its own numbering."""
        return "".join(self._cells)

    # --- the players' side ----------------------------------------------------------------------

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        """Put *pieces* on the board and take away everything else."""
        for square in chess.SQUARES:
            piece = pieces.get(square)
            self._stand(square, piece.symbol() if piece else EMPTY, at)

    def lift(self, square: chess.Square, *, at: float) -> None:
        """Take what stands on *square* away."""
        self._stand(square, EMPTY, at)

    def put(self, square: chess.Square, piece: chess.Piece, *, at: float) -> None:
        """Put *piece* on *square*, whatever stood there."""
        self._stand(square, piece.symbol(), at)

    # --- the host's side ------------------------------------------------------------------------

    def receive(self, data: bytes, *, at: float) -> None:
        """Take the bytes a host sent."""
        self.advance(at=at)
        if not self.faults.disconnected:
            self._hear(data, at)

    def poll(self, *, at: float) -> Outgoing:
        """Go on to time *at*; return what was sent until then and when to poll again."""
        self.advance(at=at)
        data, line_at = self._line.poll(at=at)
        return Outgoing(data, min(line_at, self._due_at))

    def advance(self, *, at: float) -> None:
        """Let everything happen that falls due by itself until time *at*."""
        while self._due_at <= at:
            due, self._due_at = self._due_at, math.inf
            self._falls_due(due)

    # --- what a family does ---------------------------------------------------------------------

    @abstractmethod
    def _hear(self, data: bytes, at: float) -> None:
        """Take bytes that reached the board."""

    @abstractmethod
    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        """Act on a square, in the board's numbering, that shows something else than *before*."""

    @abstractmethod
    def _falls_due(self, at: float) -> None:
        """Do what was due at ``_due_at``, and set when to do something next."""

    def _stand(self, square: chess.Square, letter: str, at: float) -> None:
        self.advance(at=at)
        own = 63 - square if self.rotated else square
        before, self._cells[own] = self._cells[own], letter
        if letter != before:
            self._changed(own, before, at)

    def _send(self, message: bytes, at: float) -> None:
        self._line.send(message, at=at)


class ScanningBoard(BoardModel):
    """A board that looks at all its squares again and again.

    It is switched on when it is asked first, and anew after a long pause: nobody wants to hear
    what it would have said in the hours between.
    """

    def __init__(
        self, *, baud: int, piece: int, rotated: bool, faults: Faults | None, seed: int
    ) -> None:
        super().__init__(baud=baud, piece=piece, rotated=rotated, faults=faults, seed=seed)
        self._due_at = -math.inf

    def advance(self, *, at: float) -> None:
        """Scan until time *at*; what is to be said waits to be polled."""
        if at - self._due_at > LONGEST_PAUSE:
            self._due_at = at
        super().advance(at=at)

    @abstractmethod
    def _scan(self, at: float) -> float:
        """Look at the squares and say what is to be said; return the time until the next look."""

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        """Wait for the next scan."""

    def _falls_due(self, at: float) -> None:
        self._due_at = at + self._scan(at)
