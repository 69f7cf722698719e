"""Journal time: seconds that never go back, also across restarts; and the wall clock beside it.

No conclusion depends on the wall clock. It dates games, and is set while the program runs: a small
machine without a clock of its own starts long ago, until the network tells it the time.
"""

import asyncio
import logging
import time
from collections.abc import Callable

CLOCK_EVERY = 10.0
"""Seconds between looks whether the wall clock was set."""
SET = 2.0
"""Seconds from which on it is said; less is what clocks are kept right by."""

logger = logging.getLogger(__name__)


class JournalClock:
    """Goes on where the journal ended: by the wall clock's word, but never backwards."""

    def __init__(self, last: tuple[float, float] | None = None) -> None:
        """Start *last* (``at``, ``wall``) of the journal's last reading, or from zero."""
        self._monotonic = time.monotonic()
        self._start = 0.0
        if last is not None:
            at, wall = last
            self._start = at + max(0.001, time.time() - wall)

    def now(self) -> float:
        """Return the journal time now."""
        return self._start + time.monotonic() - self._monotonic


class WallClock:
    """The wall clock beside one that nobody sets, which goes on while the machine sleeps."""

    def __init__(self) -> None:
        """Begin now."""
        self._began = time.clock_gettime(time.CLOCK_BOOTTIME)
        self._ahead = self._began_at()

    def day(self) -> str:
        """Return the day it is, in the form of PGN."""
        return time.strftime("%Y.%m.%d", time.localtime(time.time()))

    def was_set(self) -> float:
        """Return by how many seconds the clock was set since this was asked last."""
        before, self._ahead = self._ahead, self._began_at()
        return self._ahead - before

    async def watch(self, day: str, another_day: Callable[[str], None]) -> None:
        """Say when the clock is set, and when *another_day* than *day* has come; never returns."""
        while True:
            await asyncio.sleep(CLOCK_EVERY)
            seconds = self.was_set()
            if abs(seconds) >= SET:
                logger.warning("the clock of this machine was set by %+.0f s", seconds)
            if self.day() != day:
                day = self.day()
                another_day(day)

    def _began_at(self) -> float:
        """Return the Unix time at which this began, as the clock has it now."""
        return time.time() - (time.clock_gettime(time.CLOCK_BOOTTIME) - self._began)
