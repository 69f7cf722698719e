"""Time that passes faster, for all of a process.

``time.monotonic`` is what tells time to event loops, boards and daemon alike, so that is what goes
faster, and loops wait shorter. A machine that does this is slower by the same factor: a write that
takes 10 ms takes 0.2 s at twenty times the speed. The clock on the wall goes along.
"""

import asyncio
import selectors
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

real_time = time.monotonic
"""Monotonic seconds as they pass outside."""

_T = TypeVar("_T")


def run(work: Coroutine[Any, Any, _T], *, rate: float, since: float) -> _T:
    """Run *work* while time goes at *rate* in this process, from *since* on, and for ever.

    Processes with the same *rate* and *since* (real seconds) agree on what time it is.
    """

    def fast() -> float:
        return since + (real_time() - since) * rate

    wall = time.time() - real_time() + since
    time.monotonic = fast
    time.time = lambda: wall + fast() - since
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(_Hurried(rate))) as runner:
        return runner.run(work)


class _Hurried(selectors.EpollSelector):
    def __init__(self, rate: float) -> None:
        super().__init__()
        self._rate = rate

    def select(self, timeout: float | None = None) -> Any:
        return super().select(timeout / self._rate if timeout else timeout)
