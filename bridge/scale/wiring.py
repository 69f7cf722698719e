"""The links of a node, made anew when its boards are given to other tables."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from bridge.config import Config
from bridge.config.editing import with_boards, with_nodes
from bridge.core.model import LinkChange
from bridge.daemon.clock import JournalClock
from bridge.daemon.configured import ConfiguredFile
from bridge.daemon.lines import Desk, Lines, clock_link_name, link_name
from bridge.daemon.tasks import begin, end
from bridge.outputs.controls import NotPossibleError
from bridge.store.captures import captures_of


class Wiring:
    """Keeps the links of *config*, the part of *file* that is this node's.

    Args:
        config: the tables of this node.
        file: the configuration of this machine, ``None`` where it is not to be changed.
        own: returns that part of a configuration.
        desk: where it goes what the boards say.
        clock: journal time.
    """

    def __init__(
        self,
        config: Config,
        file: Path | None,
        own: Callable[[Config], Config],
        desk: Desk,
        clock: JournalClock,
    ) -> None:
        self._config = config
        self._own = own
        self._desk = desk
        self._clock = clock
        self._file = ConfiguredFile(file, lambda: self._config, self._take)
        self._tasks: list[asyncio.Task[None]] = []
        self.lines = Lines(config, desk, clock)

    def _take(self, config: Config) -> None:
        self._config = self._own(config)

    async def start(self) -> None:
        """Open the links, one after another."""
        self._tasks = await begin(self.lines.runs())

    async def stop(self) -> None:
        """Close them."""
        await end(self._tasks)

    async def assign(
        self, boards: Mapping[str, Mapping[str, str]], nodes: Mapping[str, str]
    ) -> None:
        """Give tables these boards, in the file and at once; all links are made anew for that.

        *nodes* says at which node each of them is: they come to this one so, or leave it.

        Raises:
            NotPossibleError: nothing was changed, for the reason that is said.
        """
        before = {table.table: table for table in self._config.tables}
        strange = boards.keys() - before.keys() - nodes.keys()
        if strange:
            raise NotPossibleError(f"has no table {', '.join(sorted(strange))}")
        await self._file.change(partial(_given, boards, nodes))
        await self.stop()
        now = {table.table: table for table in self._config.tables}
        for name, table in (before | now).items():
            here = name in now
            detail = "boards were given to other tables" if here else f"it is at {nodes[name]} now"
            gone = LinkChange(state="lost", detail=detail)
            self._desk.deliver(name, link_name(table), gone)
            if table.own_clock is not None:
                self._desk.deliver(name, clock_link_name(table), gone)
        self.lines = Lines(self._config, self._desk, self._clock)
        await self.start()

    def captures(self, table: str) -> list[Path]:
        """Return the capture files of a table."""
        return list(captures_of(self._config, table))


def _given(
    boards: Mapping[str, Mapping[str, str]], nodes: Mapping[str, str], text: str, file: Path
) -> str:
    return with_nodes(with_boards(text, boards, file), nodes, file)
