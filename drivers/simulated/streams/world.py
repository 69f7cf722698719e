"""What physically happened at a table: pieces on squares, hands on the clock, games played.

Squares are in the board's own numbering, so a sensor needs no more than :class:`Change`; the
games are in White's coordinates.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Literal

import chess

from drivers.events import Side
from drivers.simulated.clock import TimeControl
from drivers.simulated.hands import Handling, Lift, Put, Style

Variant = Literal["standard", "chess960", "from_position"]
By = Literal["kings", "checkmate", "stalemate"]


@dataclass(frozen=True, kw_only=True)
class Change:
    """From *at* on, *piece* (or nothing) stands on *square* of the board."""

    at: float
    square: chess.Square
    piece: chess.Piece | None


@dataclass(frozen=True, kw_only=True)
class ClockSet:
    """The clock is set for a new game, with *turn* to start."""

    at: float
    control: TimeControl
    turn: Side


@dataclass(frozen=True, kw_only=True)
class ClockStarted:
    """The clock is started, with the lever set so that the time of *side* runs."""

    at: float
    side: Side


@dataclass(frozen=True, kw_only=True)
class ClockPressed:
    """A player presses the lever on *side*."""

    at: float
    side: Side


@dataclass(frozen=True, kw_only=True)
class ClockStopped:
    """Somebody stops the clock."""

    at: float


ClockAct = ClockSet | ClockStarted | ClockPressed | ClockStopped


@dataclass(kw_only=True)
class Played:
    """One ply as it happened.

    ``begun``: the first piece of the move left its square; ``rest``: the last one came to rest.
    ``press``: ``None`` when it was forgotten. ``before`` and ``after`` are the positions.
    """

    uci: str
    before: chess.Board
    after: chess.Board
    thinking_since: float
    begun: float
    rest: float
    press: float | None
    how: list[str]

    @property
    def origins(self) -> list[chess.Square]:
        """Squares that the mover's own pieces left."""
        colour = self.before.turn
        gone = self.before.occupied_co[colour] & ~self.after.occupied_co[colour]
        return list(chess.SquareSet(gone))

    @property
    def changed(self) -> set[chess.Square]:
        """Squares on which something else stands afterwards."""
        return {
            square
            for square in chess.SQUARES
            if self.before.piece_at(square) != self.after.piece_at(square)
        }


@dataclass(frozen=True, kw_only=True)
class Illegal:
    """A completed illegal move, tried as number *ply* (from 1)."""

    ply: int
    by: chess.Color
    press: float
    uci: str
    reason: str
    stands: bool


@dataclass(kw_only=True)
class PlayedGame:
    """One game as it happened."""

    variant: Variant
    start: chess.Board
    rotated: bool
    control: TimeControl | None = None
    started: float = 0.0
    ended: float = 0.0
    plies: list[Played] = field(default_factory=list)
    illegal: list[Illegal] = field(default_factory=list)
    result: str = "*"
    by: By | None = None
    shown_at: float | None = None

    def on_board(self, square: chess.Square) -> chess.Square:
        """Return the number that the board gives to *square*."""
        return 63 - square if self.rotated else square


class World:
    """One board, its clock and all that is done to them; ``now`` only grows.

    Hands work in White's coordinates of the present game; ``standing`` follows when the board is
    turned round by :meth:`seat_white`.
    """

    def __init__(self, style: Style, rng: Random) -> None:
        self.now = 0.0
        self.standing: dict[chess.Square, chess.Piece] = {}
        self.acts: list[ClockAct] = []
        self.games: list[PlayedGame] = []
        self.found: Mapping[chess.Square, chess.Piece] = {}
        self._changes: list[Change] = []
        self._rotated = False
        self._style = style
        self._rng = rng

    @property
    def changes(self) -> list[Change]:
        """All changes in the order of their times."""
        return sorted(self._changes, key=lambda change: change.at)

    def seat_white(self, *, rotated: bool) -> None:
        """Let White sit in the other seat, or in the usual one, from now on."""
        if rotated != self._rotated:
            self.standing = {63 - square: piece for square, piece in self.standing.items()}
        self._rotated = rotated

    def find_standing(self, pieces: Mapping[chess.Square, chess.Piece]) -> None:
        """Have *pieces* stand on the board when the stream begins."""
        self.standing = dict(pieces)
        self.found = {self._on_board(square): piece for square, piece in pieces.items()}

    def hands(self, *, at: float) -> Handling:
        """Return hands over the board from *at* on; :meth:`record` what they did."""
        return Handling(self.standing, self._style, self._rng, at=at)

    def record(self, hands: Handling) -> None:
        """Keep what *hands* did."""
        for action in hands.actions:
            square = self._on_board(action.square)
            match action:
                case Lift(at=at):
                    self._changes.append(Change(at=at, square=square, piece=None))
                case Put(at=at, piece=piece):
                    self._changes.append(Change(at=at, square=square, piece=piece))
        self.now = max(self.now, hands.at)

    def _on_board(self, square: chess.Square) -> chess.Square:
        return 63 - square if self._rotated else square
