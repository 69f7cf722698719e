"""Watching for a clock that is dead: it told every second, and now tells nothing (6.10.1)."""

import math

from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import ClockReading

TICKS_WITHIN = 2.0
TICKS = 10
"""So many readings within :data:`TICKS_WITHIN` of one turn, and it is a clock that tells every
second; others tell only who pressed."""

SILENT = 15.0
UNKNOWN_DELAY = 60.0
"""Seconds for which a display may stand at the beginning of a turn, if that is not known."""


class Silence(Watcher):
    """Tells that a clock which runs says nothing any more, while its board is heard."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._last: ClockReading | None = None
        self._heard = -math.inf
        self._ticks = 0

    def clock(self, reading: ClockReading) -> None:
        """Learn whether it tells every second, and wait for the next time."""
        at, last = self.desk.told.at, self._last
        if at - self._heard >= SILENT:
            self.desk.alerts.clear("CLOCK_FAULT", "the clock tells its times again")
        same = last is not None and last.running and last.turn == reading.turn
        if same and reading.running and at - self._heard <= TICKS_WITHIN:
            self._ticks += 1
        self._last, self._heard = reading, at
        if self._ticks >= TICKS and reading.running:
            self.desk.due(at + self._patience())

    def _patience(self) -> float:
        desk = self.desk
        if desk.control is None:
            return SILENT + UNKNOWN_DELAY
        return SILENT + desk.increment(desk.board.turn)

    def look(self) -> None:
        """Tell it when it has lasted."""
        desk, last = self.desk, self._last
        if last is None or not last.running or self._ticks < TICKS or desk.clock.reading is None:
            return
        if not desk.engine.in_sight or self._heard < desk.seen_from:
            self._last = None  # it is, or was, the board that is not heard
        elif desk.due(self._heard + self._patience()):
            self._last = None  # it is told
            desk.alerts.raise_(
                "CLOCK_FAULT",
                "warning",
                f"the clock ran, and has told nothing for {desk.told.at - self._heard:.0f} s",
                remedy="look at the clock and its cable; moves are followed without it, and "
                "their times are estimated",
            )
