"""What a command changes of that which hubs share, while one of them leads."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from bridge.config import Config, ScaleSettings
from bridge.scale.connection import FAILURES, Connection, ScaleError, in_words
from bridge.scale.lease import Lease
from bridge.scale.names import Names
from bridge.scale.shared_outbox import Copies, SharedOutbox
from bridge.store.outbox import Outbox

PATIENCE = 10.0

_T = TypeVar("_T")


def with_outbox(config: Config, scale: ScaleSettings, name: str, do: Callable[[Outbox], _T]) -> _T:
    """Let *do* change the outbox of the hub *name*, and the copy of it that the brokers keep.

    Raises:
        ScaleError: another hub leads, and works with an outbox of its own; or the brokers cannot
            be asked.
        OutboxError: the outbox cannot be used.
    """
    return asyncio.run(_with_outbox(config, scale, name, do))


async def _with_outbox(
    config: Config, scale: ScaleSettings, name: str, do: Callable[[Outbox], _T]
) -> _T:
    names = Names(scale.event)
    async with Connection(scale, name) as connection:
        try:
            async with asyncio.timeout(PATIENCE):
                await connection.until_tried()
                lease = Lease(name, names.lease, replicas=scale.replicas)
                holder = await lease.holder(connection.stream)
        except FAILURES as error:
            raise ScaleError(connection.trouble or in_words(error)) from error
        if holder.session and holder.hub != name:
            raise ScaleError(f"hub {holder.hub} leads, and {name} does not: do it there")
        copies = Copies(connection.stream, names.sent, replicas=scale.replicas, held=lambda: True)
        with SharedOutbox(config.data.outbox, copies) as outbox:
            return await asyncio.to_thread(do, outbox)
