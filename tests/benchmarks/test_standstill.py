"""Who watches an event loop sees for how long it stands still, and where it was."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable

from benchmarks.standstill import LONG, LoopWatch


def stand_still() -> None:
    time.sleep(10 * LONG)  # long enough for a thread that has to wait for a core


def watched(work: Callable[[], Awaitable[object]], *, ready: bool = True) -> LoopWatch:
    async def run() -> LoopWatch:
        watch = LoopWatch(lambda: ready)
        with watch.running():
            await asyncio.sleep(LONG)
            await work()
            await asyncio.sleep(LONG)
        return watch

    return asyncio.run(run())


async def block() -> None:
    stand_still()


def test_a_loop_that_stands_still_is_seen_where_it_does() -> None:
    watch = watched(block)
    longest = watch.ready.longest[0]
    assert "stand_still" in longest.where
    assert longest.worked < longest.seconds
    assert watch.ready.times >= 1
    assert watch.starting.longest == []


def test_what_happens_before_it_serves_is_told_apart() -> None:
    watch = watched(block, ready=False)
    assert "stand_still" in watch.starting.longest[0].where
    assert (watch.ready.times, watch.ready.longest) == (0, [])


def test_a_loop_that_waits_does_not_stand_still() -> None:
    watch = watched(lambda: asyncio.to_thread(stand_still))
    assert not any("stand_still" in each.where for each in watch.ready.longest)


def test_garbage_is_told_of() -> None:
    async def collect() -> None:
        gc.collect()

    assert watched(collect).ready.collection > 0
