"""The boards of an event as a hub has them: at their nodes, which are asked and told."""

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bridge.links.probing import Found, NotABoard
from bridge.links.pulse import LinkHealth
from bridge.outputs.controls import BoardKeys, NotPossibleError
from bridge.scale.connection import Connection
from bridge.scale.lamps import Lamps
from bridge.scale.messages import LinkState
from bridge.scale.names import Names
from bridge.scale.nodes import Nodes
from bridge.scale.orders import Orders

Moved = Mapping[str, tuple[str | None, str]]
"""Tables that come to another node: from which, to which."""


class NodesBoards:
    """The boards of all nodes.

    Args:
        names: those of the event.
        tables: the node of each table, None where only the hub speaks of it.
        nodes: what is heard of them.
        feedback: the tables whose boards light squares.
        lit: which squares a table's board is to light now.
        connection: over which nodes are told.
    """

    def __init__(
        self,
        names: Names,
        tables: Mapping[str, str | None],
        nodes: Nodes,
        feedback: Sequence[str],
        lit: Callable[[str], Collection[int]],
        connection: Connection,
    ) -> None:
        self.found: list[tuple[str, Found | NotABoard]] = []
        self._connection = connection
        self._orders = Orders(names, connection)
        self._tables = tables
        self._nodes = nodes
        self._feedback = feedback
        self._lamps = Lamps(names, tables.get, lit)
        self._leads = False

    async def run(self) -> None:
        """Lead: tell nodes what their boards are to do, until cancelled."""
        self._leads = True
        self._lamps.want(self._feedback)
        await self._lamps.run(self._connection)

    def came(self, node: str) -> None:
        """Know of a node that is there for the first time, or again."""
        if self._leads:
            self._lamps.want(table for table in self._feedback if self._tables[table] == node)

    @property
    def links(self) -> Sequence[LinkState]:
        """The links of all nodes."""
        return self._nodes.links()

    def runs(self) -> list[Coroutine[None, None, None]]:
        """Return nothing: nodes run by themselves."""
        return []

    def health(self) -> list[LinkHealth]:
        """Return how each link of a table does."""
        return self._nodes.health()

    def node_of(self, table: str) -> str | None:
        """Return at which node the board of a table is; only hubs speak of tables without one."""
        return self._tables.get(table)

    async def discover(self) -> list[Found | NotABoard]:
        """Let all nodes ask at their ports which boards are there; ``found`` remembers it."""
        answers = await self._orders.discover(self._nodes.names)
        self.found = [
            (node, _at(node, answer)) for node, found in answers.items() for answer in found
        ]
        return [answer for _, answer in self.found]

    async def leave(self, boards: Mapping[str, BoardKeys], moved: Moved) -> None:
        """Have nodes give up tables that come to another one.

        Raises:
            NotPossibleError: a node refuses, or does not answer; those before it have done it.
        """
        for node in sorted({before for before, _ in moved.values() if before is not None}):
            # What comes there itself has to wait: nobody would take from there what it says.
            is_to_come = {table for table, (_, after) in moved.items() if after == node}
            places = {
                table: moved[table][table not in is_to_come] if table in moved else now
                for table, now in self._places(boards).items()
            }
            nodes = {table: place for table, place in places.items() if place is not None}
            await self._orders.assign(node, {table: boards[table] for table in nodes}, nodes)

    async def assign(self, boards: Mapping[str, BoardKeys]) -> None:
        """Give tables these boards of their nodes, one node after the other.

        Raises:
            NotPossibleError: a node refuses, or does not answer; those before it have done it.
        """
        nodes = {table: node for table, node in self._places(boards).items() if node is not None}
        done: list[str] = []
        for node in dict.fromkeys(nodes.values()):
            try:
                await self._orders.assign(node, {table: boards[table] for table in nodes}, nodes)
            except NotPossibleError as error:
                others = f"; done at {', '.join(done)}" if done else ""
                raise NotPossibleError(f"{error}{others}") from error
            done.append(node)

    def _places(self, tables: Iterable[str]) -> dict[str, str | None]:
        return {table: self._tables.get(table) for table in tables}

    async def captures(self, table: str, folder: Path) -> list[Path]:
        """Return copies of the captures of a table that is at a node, in *folder*.

        Raises:
            NotPossibleError: the node refuses, or does not answer.
            OSError: they cannot be written.
        """
        node = self._tables.get(table)
        return [] if node is None else await self._orders.captures(node, table, folder)

    def light(self, table: str) -> None:
        """Let the node of *table* light the squares that are marked there now."""
        if self._leads:
            self._lamps.want([table])


def _at(node: str, answer: Found | NotABoard) -> Found | NotABoard:
    """Return an answer that says at which node it was given."""
    if isinstance(answer, Found):
        remark = "; ".join(filter(None, (f"at node {node}", answer.remark)))
        return replace(answer, remark=remark)
    return replace(answer, reason=f"node {node}: {answer.reason}")
