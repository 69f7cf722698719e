"""How tasks are ended that talk to brokers."""

import asyncio
from collections.abc import Iterable

AGAIN = 3.0
"""Seconds after which a task that goes on is cancelled once more."""


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel *tasks* until they are over.

    ``asyncio.wait_for``, by which nats-py waits for answers, forgets in Python 3.11 that it was
    cancelled if the answer comes in the same moment.
    """
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        done, waiting = await asyncio.wait(waiting, timeout=AGAIN)
        await asyncio.gather(*done, return_exceptions=True)
