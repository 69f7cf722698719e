"""Watching whether a time that was ruled comes to be on the clock (7.5.5, 9.5.3).

What a display changes by that no running clock, increment or rounding explains was set by hand. An
arbiter may set the clock first and enter his ruling then.
"""

from collections import deque
from typing import NamedTuple

import chess

from bridge.core.laws.clocks.times import shown
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import ClockReading

PATIENCE = 60.0
"""Within this time a clock can be set, as the standard for clocks has it (s)."""
BEFORE = 180.0
"""A clock that was set so long before the ruling was set for it (s)."""
BY_HAND = 5.0
"""A change of a display that nothing else explains was made by hand if it is larger (s)."""
ENOUGH = 0.75
"""With this share of it on the clock a time counts as given: play has gone on meanwhile."""
MOST_KEPT = 64


class _Due(NamedTuple):
    """Seconds that ruling ``number`` gives, or takes from, a player, at ``at``."""

    number: int
    colour: chess.Color
    seconds: float
    at: float


class _Set(NamedTuple):
    """A display that was changed by hand."""

    at: float
    colour: chess.Color
    seconds: float


class Penalties(Watcher):
    """Tells of times that were ruled and do not come to be on the clock."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._due: list[_Due] = []
        self._told: list[_Due] = []
        self._set: deque[_Set] = deque(maxlen=MOST_KEPT)
        self._left: dict[chess.Color, float] = {}
        self._last: ClockReading | None = None

    def gives(self, number: int, colour: chess.Color, seconds: float) -> None:
        """Wait for what a ruling gives a player, or takes from him."""
        self._due.append(_Due(number, colour, seconds, self.desk.told.at))

    def takes_back(self, number: int) -> None:
        """Wait no more for what a ruling gave."""
        self._due = [each for each in self._due if each.number != number]
        self._told = [each for each in self._told if each.number != number]
        self._clear("the ruling is undone")

    def clock(self, reading: ClockReading) -> None:
        """Note what was set by hand, and compare."""
        last, self._last = self._last, reading
        for colour in chess.COLORS:
            left = self.desk.left(colour)
            before, self._left[colour] = self._left.get(colour, left), left
            if last is not None and abs(left - before) + (reading.at - last.at) > BY_HAND:
                self._changes(colour, left - before, last, reading)
        if self._due or self._told:
            self._compare()

    def _changes(
        self, colour: chess.Color, change: float, last: ClockReading, now: ClockReading
    ) -> None:
        turns = [self.desk.clock.colour_of(each.turn) for each in (last, now) if each.running]
        if colour in turns:
            change += now.at - last.at
        by_hand = abs(change) > BY_HAND + (self.desk.increment(colour) if change > 0 else 0)
        if by_hand or (abs(change) > BY_HAND and not last.running):
            self._set.append(_Set(self.desk.told.at, colour, change))

    def _compare(self) -> None:
        at = self.desk.told.at
        for due in [*self._due]:
            if at >= due.at + PATIENCE:
                self._due.remove(due)
                if not self._is_given(due, due.colour):
                    self._told.append(due)
                    self._tell(due)
        self._told = [due for due in self._told if not self._is_given(due, due.colour)]
        self._clear("the clock shows it")

    def _is_given(self, due: _Due, colour: chess.Color) -> bool:
        since = due.at - BEFORE
        given = sum(s.seconds for s in self._set if s.at >= since and s.colour == colour)
        return given / due.seconds >= ENOUGH

    def _clear(self, text: str) -> None:
        if not self._told:
            self.desk.alerts.clear("PENALTY_NOT_APPLIED", text)

    def _tell(self, due: _Due) -> None:
        by, other = name_of(due.colour), name_of(not due.colour)
        what = f"{'+' if due.seconds > 0 else ''}{shown(due.seconds)} for {by}"
        text = f"{what} by ruling {due.number} is not on the clock after a minute"
        if self._is_given(due, not due.colour):
            text += f": {other} was given it"
        times = {colour: self._left[colour] for colour in chess.COLORS}
        times[due.colour] += due.seconds
        self.desk.alerts.raise_again(
            "PENALTY_NOT_APPLIED",
            None,
            text,
            remedy=f"set white {shown(times[True])}, black {shown(times[False])}",
            by=by,
            confidence="medium",
        )
