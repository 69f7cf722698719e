"""The parts of a daemon, and what they tell whoever watches it."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bridge import __version__
from bridge.daemon.hall import Hall
from bridge.daemon.health import health
from bridge.daemon.limits import open_files
from bridge.daemon.metrics import Metrics
from bridge.daemon.outputs import Outputs
from bridge.daemon.source import Boards, Source
from bridge.daemon.status import Status
from bridge.outputs.health import Health, Watch
from bridge.outputs.tally import Report, mistakes
from bridge.store.journal import Journal

if TYPE_CHECKING:
    from bridge.web.server import Web


@dataclass(slots=True, kw_only=True)
class Parts:
    """What there is of a daemon by now; ``note`` is what must be known of its journal."""

    journal: Journal | None = None
    note: str | None = None
    source: Source | None = None
    outputs: Outputs | None = None
    web: "Web | None" = None

    def troubles(self) -> list[str]:
        """Return in words why nothing can be recorded now, or sent; nothing while all is well."""
        journal = self.journal.trouble if self.journal else None
        others = self.other_troubles()
        return [journal, *others] if journal else others

    def other_troubles(self) -> list[str]:
        """Return what is not as it should be, and yet all that comes is recorded.

        What was lost with a damaged journal is told until the next start: somebody has to look.
        """
        found = [self.note] if self.note else []
        found += self.source.troubles() if self.source else []
        return found + (self.outputs.troubles() if self.outputs else [])

    async def reports(self) -> list[Report]:
        """Return how each output does; of who only shows games, after a mistake of ours."""
        found = await self.outputs.reports() if self.outputs else []
        return found + (mistakes("web", self.web.tally) if self.web else [])


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What a daemon that serves tells of itself."""

    parts: Parts
    journal: Journal
    source: Source
    hall: Hall
    boards: Boards
    metrics: Metrics
    since: float
    """When the daemon began (Unix time)."""

    def watch(self) -> Watch:
        """Return what the pages and those who watch them are told."""
        return Watch(self._figures, self._health, self._equipment)

    async def status(self) -> Status:
        """Return what is told on this machine."""
        files, most_files = open_files()
        return Status(
            version=__version__,
            pid=os.getpid(),
            since=self.since,
            unwritten=self.journal.waiting,
            troubles=self.parts.troubles(),
            links=self.boards.health(),
            outputs=await self.parts.reports(),
            lag=self.metrics.worst_lag,
            files=files,
            most_files=most_files,
        )

    async def _figures(self) -> tuple[bytes, str]:
        return await self.metrics.text(
            now=self.source.now(),
            links=self.boards.links,
            readings=self.hall.readings,
            unwritten=self.journal.waiting,
            reports=await self.parts.reports(),
        )

    async def _health(self) -> Health:
        reports = await self.parts.reports()
        others = self.parts.other_troubles()
        return health(self.journal.trouble, self.boards.links, reports, others)

    async def _equipment(self) -> dict[str, object]:
        reports = [report._asdict() for report in await self.parts.reports()]
        troubles = self.parts.troubles()
        return {"troubles": troubles, "links": self.boards.health(), "outputs": reports}
