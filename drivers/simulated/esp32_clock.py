"""A ChessClock on an ESP32: the clock's side of the wire.

It looks at its times whenever it is polled, and tells them where the lever has moved, or where it
was exchanged for a clock that was set anew.
"""

import json
from random import Random

from drivers.codec import Outgoing
from drivers.events import Side
from drivers.simulated.clock import Clock
from drivers.simulated.line import Faults, Line

BAUD = 100_000
"""A radio carries about as much."""

_PRESSED: dict[Side, int] = {"right": 1, "left": 2}
"""Who has pressed where this side is to move."""


class PressClock:
    """A clock that speaks when *clock* is pressed; time is that of the caller."""

    def __init__(self, clock: Clock, *, faults: Faults | None = None, seed: int = 0) -> None:
        self.clock = clock
        self.faults = faults or Faults()
        self._line = Line(self.faults, Random(seed), baud=BAUD)
        self._known, self._turn = clock, clock.turn

    def press(self, side: Side, *, at: float) -> None:
        """Press the lever on *side*."""
        self.clock.press(side, at=at)
        self._look(at)

    def receive(self, data: bytes, *, at: float) -> None:
        """Take nothing: nobody has to write to it."""

    def poll(self, *, at: float) -> Outgoing:
        """Return what was sent until time *at*; what is pressed calls for another poll."""
        self._look(at)
        return self._line.poll(at=at)

    def _look(self, at: float) -> None:
        turn = self.clock.turn
        if self.clock is not self._known:
            self._say(0, at)
        elif turn != self._turn:
            self._say(_PRESSED[turn], at)
        self._known, self._turn = self.clock, turn

    def _say(self, player: int, at: float) -> None:
        face = self.clock.reading(at=at)
        told = {"player_moved": player, "p1_time_sec": face.left_s, "p2_time_sec": face.right_s}
        self._line.send(json.dumps(told, separators=(",", ":")).encode(), at=at)
