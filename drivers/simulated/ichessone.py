"""An iChessOne board: the board's side of the wire.

Numbers of the protocol in :mod:`drivers.boards.ichessone`. How often the real board looks at its
squares is not published: ``SCAN`` is our guess. What it was told is forgotten with its power.
"""

import re

import chess

from drivers.boards.ichessone import (
    BATTERY,
    HARDWARE,
    LAMPS,
    POSITION,
    body_of,
)
from drivers.simulated.line import Faults
from drivers.simulated.model import BoardModel

SCAN = 0.1
"""Seconds between two looks at the squares."""

HARDWARE_TEXT = b"simulated"
_COMMAND = re.compile(rb"CPIRQ|RP|RB|RH|EL(?s:.{14})")


class IChessOneBoard(BoardModel):
    """One board, which says nothing before it is asked; ``lit`` are squares with light."""

    def __init__(
        self,
        *,
        rotated: bool = False,
        percent: int = 88,
        charging: bool = False,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(baud=115200, rotated=rotated, faults=faults, seed=seed)
        self.percent = percent
        self.charging = charging
        self.lit: set[chess.Square] = set()
        self._reports = False

    def lose_power(self) -> None:
        """Forget what a host asked for."""
        self._reports = False
        self.lit.clear()

    def _hear(self, data: bytes, at: float) -> None:
        for command in _COMMAND.findall(data):
            match command:
                case b"CPIRQ":
                    self._reports = True
                case b"RP":
                    self._send(POSITION + body_of(self.cells), at)
                case b"RB":
                    self._send(BATTERY + bytes((self.charging, self.percent)), at)
                case lamps if lamps.startswith(LAMPS):
                    self._light(lamps[len(LAMPS) :])
                case _:
                    self._send(HARDWARE + HARDWARE_TEXT, at)

    def _light(self, lamps: bytes) -> None:
        """Light what two bytes of brightness and colours, ten rows and two bytes more say."""
        if lamps[12] & 1:
            self.lit.clear()
        ranks = lamps[10:2:-1]
        self.lit |= {
            chess.square(file, rank)
            for rank in range(8)
            for file in range(8)
            if ranks[rank] >> file & 1
        }

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        del square, before  # a report tells the whole board
        self._due_at = min(self._due_at, (at // SCAN + 1) * SCAN)

    def _falls_due(self, at: float) -> None:
        if self._reports:
            self._send(POSITION + body_of(self.cells), at)
