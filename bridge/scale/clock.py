"""The time of the event: the hub that leads has it, all other machines ask for it.

A machine's own clock may be wrong by hours and is never set. What it says goes by its own journal
time; only what it tells others is put into the time of the event, by a difference that is measured
again and again (as NTP does: of several answers the one that took the shortest way counts).
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

KEPT = 8
"""Answers of which the best one counts."""


class _Sample(NamedTuple):
    trip: float
    shift: float
    wall: float


class EventClock:
    """Journal time of the event, told from the journal time of this machine.

    ``synchronised``: whether anybody has told it yet.
    """

    def __init__(self, own: Callable[[], float], *, wall: float | None = None) -> None:
        """Start from the *own* journal time; with *wall*, that itself is the event's."""
        self._own = own
        self._samples = deque[_Sample](maxlen=KEPT)
        self._shift = 0.0
        self._to_wall = 0.0
        self.synchronised = wall is not None
        if wall is not None:
            self._to_wall = wall - own()

    def now(self) -> float:
        """Return the journal time of the event."""
        return self._own() + self._shift

    def of(self, own: float) -> float:
        """Return the event's time of a moment in own journal time."""
        return own + self._shift

    def wall(self, at: float) -> float:
        """Return the wall time of a moment of the event."""
        return at + self._to_wall

    def take(self, asked: float, answered: float, now: float, wall: float) -> None:
        """Take an answer: *now* and *wall* were the event's between two own times."""
        middle = (asked + answered) / 2
        self._samples.append(_Sample(answered - asked, now - middle, wall - now))
        best = min(self._samples)
        self._shift, self._to_wall = best.shift, best.wall
        self.synchronised = True
