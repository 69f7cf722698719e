"""What a hub has to have of the brokers before it can begin."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bridge.config import ScaleSettings
from bridge.scale.adoption import Adoption
from bridge.scale.changes import changes_of
from bridge.scale.connection import Connection, Grumbler, ScaleError, insist
from bridge.scale.messages import Change
from bridge.scale.names import Names
from bridge.scale.streams import make_streams

_Had = TypeVar("_Had")


async def until_begun(
    connection: Connection, scale: ScaleSettings, adoption: Adoption, grumbler: Grumbler
) -> list[tuple[Change, int]]:
    """Return all changes that the stream has when there is all else, too.

    Until then *grumbler* has what keeps it from being there.

    Raises:
        ScaleError: the brokers will not have this hub.
    """

    async def had(work: Callable[[], Awaitable[_Had]]) -> _Had:
        return await insist(work, grumbler)

    await connection.until_tried()
    if connection.gone.is_set():
        raise ScaleError(connection.trouble)
    await had(lambda: make_streams(connection.stream, scale))
    history = await had(lambda: changes_of(connection.stream, Names(scale.event)))
    await had(adoption.now)
    return history
