"""The boards of an event as a hub has them: at their nodes, which are asked and told."""

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence

from bridge.links.probing import Found, NotABoard
from bridge.links.pulse import LinkHealth
from bridge.outputs.controls import NotPossibleError
from bridge.scale.connection import Connection
from bridge.scale.lamps import Lamps
from bridge.scale.messages import LinkState
from bridge.scale.names import Names
from bridge.scale.nodes import Nodes


class NodesBoards:
    """The boards of all nodes.

    Args:
        names: those of the event.
        tables: the node of each table, None where only the hub speaks of it.
        nodes: what is heard of them.
        feedback: the tables whose boards light squares.
        lit: which squares a table's board is to light now.
    """

    def __init__(
        self,
        names: Names,
        tables: Mapping[str, str | None],
        nodes: Nodes,
        feedback: Sequence[str],
        lit: Callable[[str], Collection[int]],
    ) -> None:
        self._tables = tables
        self._nodes = nodes
        self._feedback = feedback
        self._lamps = Lamps(names, tables.get, lit)
        self._leads = False

    async def run(self, connection: Connection) -> None:
        """Lead: tell nodes what their boards are to do, until cancelled."""
        self._leads = True
        self._lamps.want(self._feedback)
        await self._lamps.run(connection)

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

    async def discover(self) -> list[Found | NotABoard]:
        """Refuse: the ports are those of the nodes.

        Raises:
            NotPossibleError: always.
        """
        raise NotPossibleError("boards are at other machines: run 'eboard-bridge discover' there")

    def light(self, table: str) -> None:
        """Let the node of *table* light the squares that are marked there now."""
        if self._leads:
            self._lamps.want([table])
