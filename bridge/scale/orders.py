"""What a hub asks of nodes: each order goes to one, which answers when it is done."""

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path

from bridge.links.probing import Found, NotABoard
from bridge.outputs.controls import BoardKeys, NotPossibleError
from bridge.scale.connection import FAILURES, Connection
from bridge.scale.messages import (
    Answer,
    Assign,
    Discover,
    ListCaptures,
    MessageError,
    Order,
    ReadCapture,
    decode,
    encode,
)
from bridge.scale.names import Names

ASSIGN_SECONDS = 20.0
PIECE_SECONDS = 10.0
DISCOVER_SECONDS = 90.0
"""Bluetooth takes its time."""


class Orders:
    """Orders to the nodes of an event, over *connection*."""

    def __init__(self, names: Names, connection: Connection) -> None:
        self._names = names
        self._connection = connection

    async def assign(
        self, node: str, boards: Mapping[str, BoardKeys], nodes: Mapping[str, str]
    ) -> None:
        """Give tables these boards at these *nodes*; one that was at *node* may leave it so.

        Raises:
            NotPossibleError: the node refuses, or does not answer.
        """
        await self._ask(node, Assign(boards=boards, nodes=nodes), ASSIGN_SECONDS)

    async def captures(self, node: str, table: str, folder: Path) -> list[Path]:
        """Return copies of the capture files of a table, in *folder*.

        Raises:
            NotPossibleError: the node refuses, or does not answer.
            OSError: they cannot be written.
        """
        names = (await self._ask(node, ListCaptures(table=table), PIECE_SECONDS)).files
        paths = [folder / Path(name).name for name in names]
        for path in paths:
            await self._copy(node, table, path)
        return paths

    async def _copy(self, node: str, table: str, path: Path) -> None:
        offset = 0
        with path.open("wb") as file:
            while True:
                asked = ReadCapture(table=table, file=path.name, offset=offset)
                piece = (await self._ask(node, asked, PIECE_SECONDS)).data
                if not piece:
                    return
                await asyncio.to_thread(file.write, piece)
                offset += len(piece)

    async def discover(self, nodes: Iterable[str]) -> dict[str, list[Found | NotABoard]]:
        """Return by node which boards are there; of nodes that do not answer, why."""
        asked = sorted(nodes)
        answers = await asyncio.gather(*map(self._discover, asked))
        return dict(zip(asked, answers, strict=True))

    async def _discover(self, node: str) -> list[Found | NotABoard]:
        try:
            answer = await self._ask(node, Discover(), DISCOVER_SECONDS)
        except NotPossibleError as error:
            return [NotABoard(address=node, reason=str(error))]
        return [*answer.found, *answer.silent]

    async def _ask(self, node: str, order: Order, patience: float) -> Answer:
        subject = self._names.orders(node)
        try:
            told = await self._connection.client.request(subject, encode(order), timeout=patience)
            answer = decode(told.data, Answer)
        except (*FAILURES, MessageError) as error:
            raise NotPossibleError(f"node {node} does not answer") from error
        if answer.refused:
            raise NotPossibleError(f"node {node}: {answer.refused}")
        return answer
