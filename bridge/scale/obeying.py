"""A node does as a hub says, and says when it is done."""

import asyncio
from collections.abc import Collection
from pathlib import Path

from bridge.links.probing import Found, NotABoard
from bridge.outputs.controls import NotPossibleError
from bridge.scale.messages import Answer, Assign, Discover, Light, ListCaptures, Order, ReadCapture
from bridge.scale.uplink import Uplink
from bridge.scale.wiring import Wiring

PIECE = 256_000
"""Bytes of a capture that are told at once: a broker takes messages of up to a megabyte."""
TOLD_SECONDS = 10.0
"""How long to wait until what tables have said that leave this node is in the stream."""


class Obeying:
    """Does orders at a node.

    Args:
        node: the name of this one.
        wiring: the links, which light squares and can be made anew.
        lamps: which squares are to be lit, by table.
        uplink: knows what is in the stream.
    """

    def __init__(
        self, node: str, wiring: Wiring, lamps: dict[str, Collection[int]], uplink: Uplink
    ) -> None:
        self._node = node
        self._wiring = wiring
        self._lamps = lamps
        self._uplink = uplink

    async def done(self, what: Order) -> Answer:
        """Do it, and return what came of it.

        Raises:
            NotPossibleError: it cannot be done, for the reason that is said.
        """
        match what:
            case Light():
                self._lamps[what.table] = what.squares
                self._wiring.lines.light(what.table)
            case Assign():
                await self._wiring.assign(what.boards, what.nodes)
                await self._until_told(
                    [table for table, node in what.nodes.items() if node != self._node]
                )
            case Discover():
                seen = await self._wiring.lines.discover()
                return Answer(
                    found=[each for each in seen if isinstance(each, Found)],
                    silent=[each for each in seen if isinstance(each, NotABoard)],
                )
            case ListCaptures():
                found = await asyncio.to_thread(self._wiring.captures, what.table)
                return Answer(files=[path.name for path in found])
            case ReadCapture():
                return Answer(data=await asyncio.to_thread(self._piece, what))
        return Answer()

    async def _until_told(self, tables: Collection[str]) -> None:
        """Wait until the stream has what *tables* have said, before another node speaks of them."""
        try:
            async with asyncio.timeout(TOLD_SECONDS):
                while not all(map(self._uplink.is_told, tables)):  # noqa: ASYNC110 - brokers take it
                    await asyncio.sleep(0.05)
        except TimeoutError as error:
            raise NotPossibleError("the brokers do not take what its tables have said") from error

    def _piece(self, what: ReadCapture) -> bytes:
        path = next((p for p in self._wiring.captures(what.table) if p.name == what.file), None)
        if path is None:
            raise NotPossibleError(f"has no capture {what.file} of table {what.table}")
        return _read(path, what.offset)


def _read(path: Path, offset: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(PIECE)
    except OSError as error:
        raise NotPossibleError(f"{path.name} cannot be read: {error.strerror or error}") from error
