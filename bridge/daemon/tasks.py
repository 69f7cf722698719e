"""Tasks that run as long as a daemon does."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence


async def begin(runs: Iterable[Coroutine[None, None, None]]) -> list[asyncio.Task[None]]:
    """Begin one after another: opening hundreds of ports in one go takes seconds."""
    tasks = []
    for run in runs:
        tasks.append(asyncio.create_task(run))
        await asyncio.sleep(0)
    return tasks


async def end(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel *tasks*, and return when they are over."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def aside(work: Callable[[], None]) -> None:
    """Do what waits for the disk while the loop goes on; return when it is over, also if cancelled.

    For what is closed at the end: what comes after it must find it closed.
    """
    working = asyncio.create_task(asyncio.to_thread(work))
    try:
        await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait([working])
        raise
