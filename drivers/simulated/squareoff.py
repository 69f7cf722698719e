"""Square Off Pro and Neo: the board's side of the wire.

Texts in :mod:`drivers.boards.squareoff`. No times are published but those of a handshake; ours
are guesses.
"""

import re

import chess

from drivers.boards.squareoff.text import NEW_GAME, digits_of
from drivers.events import EMPTY
from drivers.simulated.line import Faults
from drivers.simulated.model import BoardModel

BAUD = 100_000
"""A radio carries about as much."""

REPEATED_AFTER = 1.0
LAG = 0.3
"""Seconds after which the Neo tells its occupancy once more, and by which that is late."""

_LAMPS = re.compile(rb"25#((?:[a-h][1-8])*)\*")

ADDRESS = "C0:FF:EE:00:00:01"


class SquareOffProBoard(BoardModel):
    """A board that tells lifts and places by itself, and the rest when asked.

    ``ready`` counts the games that a host has begun. ``lit`` are squares with light.
    """

    def __init__(self, *, volts: str = "3.52", faults: Faults | None = None, seed: int = 0) -> None:
        super().__init__(baud=BAUD, faults=faults, seed=seed)
        self.volts = volts
        self.lit: set[chess.Square] = set()
        self.ready = 0

    def _hear(self, data: bytes, at: float) -> None:
        match data:
            case b"14#1*":
                self.ready += 1
                self._send(b"14#GO*", at)
            case b"30#R*":
                self._send(f"30#{digits_of(self.cells)}*".encode(), at)
            case b"4#*":
                self._send(f"22#{self.volts}*".encode(), at)
            case _ if lamps := _LAMPS.fullmatch(data):
                names = lamps[1].decode()
                self.lit = {chess.parse_square(names[n : n + 2]) for n in range(0, len(names), 2)}
            case _:
                pass

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        for what in _hands(self._cells[square], before):
            self._send(f"0#{chess.square_name(square)}{what}*".encode(), at)

    def _falls_due(self, at: float) -> None:
        """Nothing does."""


class SquareOffNeoBoard(BoardModel):
    """A board that tells its occupancy again and again, and wrong on the squares ``blind``.

    A motor is not there: its moves are made by hands that nobody feels (:meth:`motor`).
    """

    def __init__(self, *, faults: Faults | None = None, seed: int = 0) -> None:
        super().__init__(baud=BAUD, faults=faults, seed=seed)
        self.blind: set[chess.Square] = set()
        self.ready = 0
        self._felt = True
        self._due_at = 0.0

    def motor(self, origin: chess.Square, target: chess.Square, *, at: float) -> None:
        """Move a man without hands; squares beside his way may be ``blind`` from now on."""
        self._felt = False
        man = chess.Piece.from_symbol(self._cells[origin])
        self.lift(origin, at=at)
        self.put(target, man, at=at)
        self._felt = True
        self._send(b"OK", at)

    def report_battery(self, millivolts: str, *, at: float) -> None:
        """Tell the battery's voltage, as the board does now and then."""
        self._send(f"4#{millivolts}*".encode(), at)

    def _hear(self, data: bytes, at: float) -> None:
        if data == NEW_GAME:
            self.ready += 1
        elif data == b"1#*":
            self._send(f"1#{ADDRESS}*".encode(), at)

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        if self._felt:
            for what in _hands(self._cells[square], before):
                self._send(f"{chess.square_name(square)}{what}".encode(), at)
        self._due_at = min(self._due_at, at + LAG)

    def _falls_due(self, at: float) -> None:
        seen = "".join(
            EMPTY if square in self.blind else letter for square, letter in enumerate(self._cells)
        )
        self._send(digits_of(seen).encode(), at)
        self._due_at = at + REPEATED_AFTER


def _hands(letter: str, before: str) -> str:
    """Return what a square tells: ``d`` for a man who came, ``u`` for one who left."""
    left = "" if before == EMPTY else "u"
    return left if letter == EMPTY else f"{left}d"
