"""Tasks that run as long as a daemon does."""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence


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
