"""What keeps the program from its work for a table, looked for now and then and told the table.

A table is told in a reading, as of everything else: so what was wrong, and when, stays known. What
a journal that cannot be written is told waits in it, and is known when it can be again.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import get_args

from bridge.config import Config
from bridge.core.model import Hindered, Hindrance
from bridge.core.table.alerts import ILLEGAL_CODES
from bridge.daemon.hall import Hall
from bridge.daemon.lines import PROGRAM
from bridge.outputs.overview import TableView
from bridge.outputs.tally import Report

LOOK_EVERY = 2.0
"""Seconds between looks."""
STALLED = 60.0
"""So long after it was due a broadcast is late (s)."""
_BROADCASTS = ("lichess", "upload", "cloud")
"""The first words of the names of outputs that others follow; files here are for ourselves."""

Code = tuple[str, Hindered]
"""A table, and the code of a hindrance."""


class Late:
    """Tells which outputs have been in trouble, or have let things wait, for a minute."""

    def __init__(self) -> None:
        self._well: dict[str, tuple[float, int]] = {}

    def look(self, reports: Iterable[Report], now: float) -> list[str]:
        """Return in words what is late at *now* (s); what waits was due when it came there."""
        return [
            f"{report.name}: {report.trouble or f'{report.waiting} wait'}"
            for report in reports
            if report.name.startswith(_BROADCASTS) and now - self._since(report, now) >= STALLED
        ]

    def _since(self, report: Report, now: float) -> float:
        """Return since when an output has delivered nothing of what it should."""
        is_well = not (report.trouble or report.waiting)
        since, delivered = self._well.get(report.name, (now, report.delivered))
        if is_well or delivered != report.delivered:
            since = now
        self._well[report.name] = since, report.delivered
        return since


class Hindrances:
    """Looks what is hindered, until cancelled.

    Args:
        config: returns what is followed now.
        hall: is told.
        views: the latest of each table.
        trouble: returns why the journal cannot be written, if so.
        reports: returns how outputs do.
        now: journal time.
    """

    def __init__(
        self,
        config: Callable[[], Config],
        hall: Hall,
        views: Mapping[str, TableView],
        *,
        trouble: Callable[[], str | None],
        reports: Callable[[], Awaitable[Sequence[Report]]],
        now: Callable[[], float],
    ) -> None:
        self._config = config
        self._hall = hall
        self._views = views
        self._trouble = trouble
        self._reports = reports
        self._now = now
        self._late = Late()
        self._told: set[Code] = {
            (table, code)
            for table, view in views.items()
            for code in get_args(Hindered)
            if code in view.alerts
        }

    async def run(self) -> None:
        """Look every now and then; never returns."""
        while True:
            self._tell(dict(self._found(self._late.look(await self._reports(), self._now()))))
            await asyncio.sleep(LOOK_EVERY)

    def _tell(self, found: Mapping[Code, str]) -> None:
        """Tell the tables what is new and what is over."""
        for place in sorted(self._told ^ found.keys()):
            table, code = place
            hindrance = Hindrance(code=code, detail=found.get(place, ""))
            self._hall.deliver(table, PROGRAM, hindrance)
        self._told = set(found)

    def _found(self, late: Sequence[str]) -> Iterator[tuple[Code, str]]:
        trouble, shown_after = self._trouble(), _shown_after(self._config())
        for table, view in self._views.items():
            if trouble is not None:
                yield (table, "DISK_OR_LOG_FAULT"), trouble
            if late and view.game:
                yield (table, "BROADCAST_STALLED"), f"moves leave late: {'; '.join(late)}"
            if self._is_held(view, shown_after):
                text = "the move in dispute is not broadcast, nor is what follows it"
                yield (table, "BROADCAST_HELD"), text

    def _is_held(self, view: TableView, shown_after: float) -> bool:
        """Whether a move would be public by now if it were not in dispute."""
        if not self._hall.table(view.table).in_dispute:
            return False
        raised = [alert.at for code, alert in view.alerts.items() if code in ILLEGAL_CODES]
        return self._now() >= min(raised, default=math.inf) + shown_after


def _shown_after(config: Config) -> float:
    """Return how long after a move the quickest broadcast shows it (s), ``inf`` without one."""
    broadcasts = (config.lichess, config.cloud, config.livechess)
    return min((each.delay.seconds for each in broadcasts if each is not None), default=math.inf)
