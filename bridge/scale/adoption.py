"""What a hub takes over of what another one has queued and sent."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from bridge.daemon.source import TakeUp
from bridge.scale.connection import FAILURES
from bridge.scale.shared_outbox import Copies, adopt
from bridge.scale.watching import Kept
from bridge.store.errors import OutboxError
from bridge.store.outbox import Outbox

logger = logging.getLogger(__name__)

TAKE_UP_SECONDS = 10.0
"""How often a hub that stands by forgets what the other one has sent."""


class Adoption:
    """Makes the outbox at *path* as *copies* is."""

    def __init__(self, path: Path, copies: Copies) -> None:
        self._path = path
        self._copies = copies
        self._one_at_a_time = asyncio.Lock()

    async def now(self) -> None:
        """Do it; what was begun before is done before, so that the last one is the latest.

        Raises:
            nats.errors.Error, TimeoutError: the brokers do not tell now.
        """
        async with self._one_at_a_time:
            await self._do()

    async def _do(self) -> None:
        everything = await self._copies.all()
        await asyncio.to_thread(self._adopt, everything)

    def _adopt(self, everything: Sequence[Kept]) -> None:
        with Outbox(self._path) as outbox:
            adopt(outbox, everything)

    async def until(self, leads: Callable[[], bool], take_up: TakeUp) -> None:
        """Do it again and again, with *take_up* after it, until this hub *leads*.

        A disk that takes nothing is told of once while it lasts; it is tried again.
        """
        told = ""
        while True:
            await asyncio.sleep(TAKE_UP_SECONDS)
            async with self._one_at_a_time:  # who leads takes up himself, and not meanwhile
                if leads():
                    return
                try:
                    with contextlib.suppress(*FAILURES):
                        await self._do()
                        await take_up()
                    told = ""
                except OutboxError as error:
                    if str(error) != told:
                        logger.warning("what another hub has sent cannot be kept here: %s", error)
                    told = str(error)
