"""Time that passes faster, for all of a process, and no faster than two processes keep up with.

``time.monotonic`` is what tells time to event loops, boards and daemon alike, so that is what goes
faster, and loops wait shorter. A machine that does this is slower by the same factor: a write that
takes 10 ms takes 0.2 s at twenty times the speed. The clock on the wall goes along.

Where one of the processes has no core, time stands still for both: each notes what time it is
whenever its loop has done all that was due, and nobody's time goes further than :data:`AHEAD` of
what the other noted last. What a starved machine could not play in time is played later, and
nothing of it is seen late.
"""

import asyncio
import math
import mmap
import selectors
import time
from array import array
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

real_time = time.monotonic
"""Monotonic seconds as they pass outside."""

AHEAD = 0.25
"""Seconds by which one process may be ahead of what the other has done."""

_T = TypeVar("_T")


class SharedTime:
    """Hastened time that two processes share in a file: what each has done, and what was lost.

    ``lost`` are hastened seconds for which time stood still. Two processes that lose the same
    moment at once may both count it; time then stands still for a little longer.
    """

    PLACES = 2

    def __init__(self, path: Path, place: int, *, rate: float, since: float) -> None:
        """*place* is 0 for one process and 1 for the other; *since*: real seconds of its begin."""
        self.rate = rate
        self._since = since
        self._place = place
        with path.open("r+b") as file:
            # Numbers are written in one go: the other process never sees half of one.
            self._shared = memoryview(mmap.mmap(file.fileno(), 0)).cast("d")
        self._last = -math.inf

    @classmethod
    def begin(cls, path: Path) -> None:
        """Write the file of a time for which nobody waits yet."""
        path.write_bytes(array("d", [*[math.inf] * cls.PLACES, 0.0]).tobytes())

    @property
    def lost(self) -> float:
        """Hastened seconds for which time has stood still."""
        return self._shared[self.PLACES]

    def now(self) -> float:
        """Return what time it is; it never goes back."""
        now = self._hastened()
        late = now - AHEAD - min(self._shared[: self.PLACES])
        if late > 0:
            self._shared[self.PLACES] += late
            now -= late
        self._last = max(self._last, now)
        return self._last

    def wall(self) -> float:
        """Return what the clock on the wall shows."""
        return self._wall_at_begin + self.now() - self._since

    def done(self) -> None:
        """Note that all that was due by now is done."""
        self._shared[self._place] = self.now()

    def enter(self) -> None:
        """Let the other process wait for this one from now on."""
        self._wall_at_begin = time.time() - real_time() + self._since
        self._shared[self._place] = self.now()

    def leave(self) -> None:
        """Let the other process go on alone."""
        self._shared[self._place] = math.inf

    def allow(self, seconds: float) -> None:
        """Let the other process go on alone for so long, and then wait for this one."""
        self._shared[self._place] = self.now() + seconds

    def _hastened(self) -> float:
        return self._since + (real_time() - self._since) * self.rate - self.lost


def run(work: Coroutine[Any, Any, _T], shared: SharedTime) -> _T:
    """Run *work* in shared time, which is that of this process from now on and for ever."""
    shared.enter()
    time.monotonic, time.time = shared.now, shared.wall
    time.clock_gettime = lambda _clock: shared.now()
    try:
        with asyncio.Runner(
            loop_factory=lambda: asyncio.SelectorEventLoop(_Shared(shared))
        ) as all_:
            return all_.run(work)
    finally:
        shared.leave()


class _Shared(selectors.EpollSelector):
    """Waits in shared time, and notes that all is done before it does."""

    def __init__(self, shared: SharedTime) -> None:
        super().__init__()
        self._time = shared

    def select(self, timeout: float | None = None) -> Any:
        self._time.done()
        longest = AHEAD / 4
        wait = longest if timeout is None else min(timeout, longest)
        return super().select(wait / self._time.rate if wait > 0 else wait)
