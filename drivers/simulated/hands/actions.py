"""What hands do, at what time.

A put sets what stands on a square, whatever stood there: a piece slid over the border of two
squares is sensed on both for a moment.
"""

from dataclasses import dataclass

import chess


@dataclass(frozen=True, slots=True)
class Lift:
    """A piece leaves a square."""

    at: float
    square: chess.Square


@dataclass(frozen=True, slots=True)
class Put:
    """A piece comes to stand on a square."""

    at: float
    square: chess.Square
    piece: chess.Piece


@dataclass(frozen=True, slots=True)
class Press:
    """A player presses the clock."""

    at: float
    colour: chess.Color


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody stops the clock."""

    at: float


Action = Lift | Put | Press | Stop
