"""How tasks are ended that talk to brokers."""

import asyncio
import logging
import os
from collections.abc import Coroutine, Iterable

AGAIN = 3.0
"""Seconds after which a task that goes on is cancelled once more."""
FAILED = 70
"""The exit code of a hub in which a mistake of ours was found."""

logger = logging.getLogger(__name__)


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


async def unless(stop: asyncio.Event, work: Coroutine[None, None, None]) -> None:
    """Do *work*, but end it when *stop* is set."""
    doing, stopping = asyncio.create_task(work), asyncio.create_task(until_set(stop))
    try:
        await asyncio.wait([doing, stopping], return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            doing.result()
    finally:
        await end((doing, stopping))


async def until_set(event: asyncio.Event) -> None:
    """Return when *event* is set, as a task of its own can be made of it."""
    await event.wait()


async def or_exit(work: Coroutine[None, None, None]) -> None:
    """Do *work*; a hub of which a part has failed must not go on leading."""
    try:
        await work
    except Exception:
        logger.exception("hub: ended by a mistake of ours")
        logging.shutdown()
        os._exit(FAILED)
