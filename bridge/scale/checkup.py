"""What a machine finds when it asks each broker of its event, for ``doctor``."""

import asyncio
import contextlib
import time
from typing import Any, NamedTuple

import nats.errors
import nats.js.errors
from nats.aio.client import Client

from bridge.config import ScaleSettings
from bridge.scale.connection import FAILURES, client_of, in_words, options_of
from bridge.scale.messages import MessageError, TimeAnswer, decode
from bridge.scale.names import Names

PATIENCE = 3.0


class Checkup(NamedTuple):
    """What one broker said.

    ``trouble`` is why it is of no use, empty where it is. ``ahead``: by how many seconds the clock
    of this machine is ahead of that of the hub that leads, ``None`` if no hub leads.
    """

    server: str
    trouble: str
    ahead: float | None = None


async def check_up(settings: ScaleSettings, name: str) -> list[Checkup]:
    """Ask all brokers at once, as the machine *name*.

    Raises:
        ScaleError: passwords or certificates cannot be read.
    """
    options, names = options_of(settings, name), Names(settings.event)
    return await asyncio.gather(
        *(
            _ask(client_of(settings), names, server, options | {"servers": [server]})
            for server in settings.servers
        )
    )


async def _ask(client: Client, names: Names, server: str, options: dict[str, Any]) -> Checkup:
    told: list[Exception] = []

    async def failed(error: Exception) -> None:
        told.append(error)

    try:
        async with asyncio.timeout(PATIENCE):
            await client.connect(**options, allow_reconnect=False, error_cb=failed)
            return Checkup(server, await _trouble(client, names), await _ahead(client, names))
    except FAILURES as error:
        return Checkup(server, in_words(told[0] if told else error))
    finally:
        with contextlib.suppress(*FAILURES):
            await client.close()


async def _trouble(client: Client, names: Names) -> str:
    try:
        await client.jetstream(timeout=1.0).stream_info(names.readings_stream)
    except nats.js.errors.NotFoundError:
        return "keeps no readings of this event yet: start a hub"
    except TimeoutError:
        return ""  # an account without the right to ask is not answered
    except nats.errors.Error as error:
        return in_words(error)
    return ""


async def _ahead(client: Client, names: Names) -> float | None:
    with contextlib.suppress(*FAILURES, MessageError):
        answer = await client.request(names.time, b"", timeout=1.0)
        return time.time() - decode(answer.data, TimeAnswer).wall
    return None
