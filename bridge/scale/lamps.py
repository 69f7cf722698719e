"""Which squares boards are to light, told to their nodes until they say that they do."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterable

from bridge.scale.connection import FAILURES, Connection
from bridge.scale.messages import Answer, Light, MessageError, decode, encode
from bridge.scale.names import Names

AGAIN_SECONDS = 1.0

logger = logging.getLogger(__name__)


class Lamps:
    """Orders to nodes.

    Args:
        names: those of the event.
        node_of: the node of a table.
        lit: which squares a table's board is to light now.
    """

    def __init__(
        self,
        names: Names,
        node_of: Callable[[str], str | None],
        lit: Callable[[str], Collection[int]],
    ) -> None:
        self._names = names
        self._node_of = node_of
        self._lit = lit
        self._waiting: set[str] = set()
        self._wanted = asyncio.Event()

    def want(self, tables: Iterable[str]) -> None:
        """Tell the nodes of *tables* as soon as may be."""
        self._waiting.update(tables)
        self._wanted.set()

    async def run(self, connection: Connection) -> None:
        """Tell until cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            for table in sorted(self._waiting):
                self._waiting.discard(table)
                if not await self._tell(connection, table):
                    self._waiting.add(table)
            if self._waiting:
                await asyncio.sleep(AGAIN_SECONDS)
                self._wanted.set()

    async def _tell(self, connection: Connection, table: str) -> bool:
        """Return whether nothing is left to be told."""
        node = self._node_of(table)
        if node is None:
            return True
        order = encode(Light(table=table, squares=list(self._lit(table))))
        with contextlib.suppress(*FAILURES, MessageError):
            told = await connection.client.request(self._names.orders(node), order, timeout=1.0)
            answer = decode(told.data, Answer)
            if answer.refused:
                logger.warning("node %s: table %s: %s", node, table, answer.refused)
            return True
        return False
