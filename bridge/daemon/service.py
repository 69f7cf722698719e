"""The daemon: everything of one configuration, from its links to its files."""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.config import Config
from bridge.config.livechess import MOST_CLIENTS as MOST_PROGRAMS
from bridge.config.web import MOST_CLIENTS as MOST_PAGES
from bridge.core.audience import Audience
from bridge.core.model import Fact, SquaresMarked
from bridge.daemon.announcing import set_up, was_away
from bridge.daemon.changes import left, taken
from bridge.daemon.clock import WallClock
from bridge.daemon.configured import ConfiguredFile
from bridge.daemon.controls import controls
from bridge.daemon.hall import Hall
from bridge.daemon.hindrances import Hindrances
from bridge.daemon.interpreter import (
    give_memory_back,
    look_through_all_in_quiet,
    sparing_what_is_there,
    suit_interpreter,
)
from bridge.daemon.limits import raise_file_limit
from bridge.daemon.log_lines import log
from bridge.daemon.metrics import Metrics
from bridge.daemon.outputs import Outputs
from bridge.daemon.parts import Parts, Telling
from bridge.daemon.recent import RecentLog
from bridge.daemon.resuming import Resuming
from bridge.daemon.source import OwnBoards, Source
from bridge.daemon.status import StatusSocket
from bridge.daemon.supervision import Supervision
from bridge.daemon.tasks import aside, begin, end
from bridge.daemon.waiting import saying_why
from bridge.outputs.controls import Controls
from bridge.outputs.health import Watch
from bridge.outputs.overview import Overview, TableView
from bridge.outputs.pgn_files import set_aside
from bridge.store.journal import Journal

if TYPE_CHECKING:
    from bridge.web.server import Web

LAST_WRITE_SECONDS = 5.0
"""How long the end waits for the journal; a full disk must not keep anybody from stopping us."""

SOON = 1.0
"""A daemon that does not serve after so many seconds stands by."""

logger = logging.getLogger(__name__)


class Service:
    """Runs a configuration until it is told to stop.

    ``overview`` always shows the latest of every table, ``metrics`` counts. *json_for*: who is told
    facts on standard output. *file* is the configuration's, which people may change from the pages.
    """

    def __init__(
        self,
        config: Config,
        *,
        json_for: Audience | None = None,
        source: Callable[[Config, Journal], Source] = OwnBoards,
        file: Path | None = None,
    ) -> None:
        self.config = self._written = config
        self._file = ConfiguredFile(file, lambda: self.config, self.take)
        self._log = RecentLog()
        self._make_source = source
        self._json_for = json_for
        self.overview = Overview(
            TableView(table.table, white=table.white.name, black=table.black.name)
            for table in config.tables
        )
        self._parts = Parts()
        self._supervision = Supervision(os.environ)
        self._since = time.time()
        self._wall = WallClock()
        self._today = self._wall.day()
        self._hall: Hall | None = None
        self.metrics = Metrics()

    def take(self, config: Config) -> None:
        """Take names, rounds, rules and times of a changed configuration, also in mid-game.

        A game that is on keeps what it was begun with; its names are corrected. What was opened at
        the start stays until the next one, and that is logged.
        """
        self._written = config
        for what in left(self.config, config):
            logger.warning("%s: that needs a restart", what)
        self.config = taken(self.config, config)
        count = self._set_up()
        if self._hall is not None:
            logger.info("the configuration is taken: %d tables change", count)

    def _begin_on(self, day: str) -> None:
        """Date games by *day* that have not begun, where nobody wrote another."""
        self._today = day
        if self.config.event.date is None:
            self._set_up()

    def _set_up(self) -> int:
        """Tell all parts what is configured today; return how many tables change."""
        for part in (self._parts.outputs, self._parts.web):
            if part is not None:
                part.today = self._today
                part.take(self.config)
        if self._hall is None:
            return 0
        return set_up(self.config, self._hall, self.overview, today=self._today)

    @property
    def is_ready(self) -> bool:
        """Whether it serves, or stands by; before that nothing can be taken anew."""
        return self._supervision.is_ready

    @contextlib.contextmanager
    def reloading(self) -> Iterator[None]:
        """While the configuration is read again, the service manager knows."""
        self._supervision.reloading()
        try:
            yield
        finally:
            self._supervision.ready(self._status())

    def _status(self) -> str:
        return f"follows {len(self.config.tables)} tables"

    @property
    def journal_note(self) -> str | None:
        """What must be known of the journal since the start, in words."""
        return self._parts.note

    def troubles(self) -> list[str]:
        """Return in words why nothing can be recorded now, or sent; nothing while all is well."""
        return self._parts.troubles()

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until *stop* is set; what was recorded is durable and written when it returns.

        Raises:
            JournalError: the journal cannot be opened, or not everything could be written.
        """
        clients = bool(self.config.web) * MOST_PAGES + bool(self.config.livechess) * MOST_PROGRAMS
        raise_file_limit(len(self.config.tables), clients=2 * clients)
        suit_interpreter()
        opening = partial(Journal.open, self.config.data.journal, note=self._note)
        journal = self._parts.journal = await asyncio.to_thread(opening)
        logging.getLogger().addHandler(self._log)
        try:
            await self._serve(journal, stop)
        finally:
            logging.getLogger().removeHandler(self._log)
            await aside(journal.close)

    def _note(self, text: str) -> None:
        """Keep what must be known of the journal, and the games it told of from being replaced."""
        folders, stamp = [self.config.pgn.folder], time.strftime("%Y%m%d-%H%M%S")
        if self.config.cloud is not None:
            folders.append(self.config.cloud.folder)
        kept = " and ".join(str(path) for each in folders if (path := set_aside(each, stamp)))
        self._parts.note = f"{text}. The games written so far are kept in {kept}" if kept else text

    async def _serve(self, journal: Journal, stop: asyncio.Event) -> None:
        making = partial(self._make_source, self.config, journal)
        source = self._parts.source = await asyncio.to_thread(making)
        watching = [
            asyncio.create_task(self._supervision.watch()),
            asyncio.create_task(self.metrics.watch_lag()),
            asyncio.create_task(self._wall.watch(self._today, self._begin_on)),
            asyncio.create_task(give_memory_back()),
        ]
        resuming = Resuming(journal.path)
        try:
            async with source.running(), resuming:
                await self._prepare(source, stop)
                if not stop.is_set():
                    await self._serve_from(source, journal, resuming, stop)
        finally:
            await end(watching)

    async def _prepare(self, source: Source, stop: asyncio.Event) -> None:
        """Return when *source* has a hall, or *stop* is set; until then the pages say why not."""
        preparing = asyncio.create_task(source.prepared(stop))
        await asyncio.wait([preparing], timeout=SOON)
        if not preparing.done():
            self._supervision.ready("waits")
            pages = await asyncio.to_thread(
                saying_why,
                *(self.config, source.now, self.troubles, self.metrics),
                today=self._today,
            )
            async with pages:
                await asyncio.wait([preparing])
        await preparing

    async def _serve_from(
        self, source: Source, journal: Journal, resuming: Resuming, stop: asyncio.Event
    ) -> None:
        outputs = self._parts.outputs = await asyncio.to_thread(self._make_outputs, source)

        def remember(fact: Fact) -> None:
            self.overview.apply(fact)
            outputs.tell(fact)
            if web is not None:
                web.tell(fact)

        def publish(fact: Fact) -> None:
            remember(fact)
            log(fact)
            self.metrics.tell(fact)
            if isinstance(fact, SquaresMarked):
                boards.light(fact.table)

        hall, boards = source.hall(publish, self.metrics.measured)

        telling = Telling(
            parts=self._parts,
            journal=journal,
            source=source,
            hall=hall,
            boards=boards,
            metrics=self.metrics,
            since=self._since,
        )
        asked = StatusSocket(self.config.data.folder, telling.status)
        own = controls(lambda: self._written, self._file, boards.discover, self._log)
        controlled = source.controls(own)
        pages = partial(self._pages, source.now, hall, telling.watch(), controlled)
        web = self._parts.web = await asyncio.to_thread(pages)
        # Games of tables that are configured no longer stay in the files of their round.
        # The loop goes on meanwhile: brokers drop a machine that answers nothing for seconds.
        names = dict.fromkeys([*self.overview.tables, *await asyncio.to_thread(journal.tables)])
        await asyncio.to_thread(hall.restore, names, remember, resuming)
        resuming.start()
        if not await self._is_to_serve(source, stop, outputs):
            return
        with sparing_what_is_there() as spare_more:
            async with outputs.running(hall.table), web or contextlib.nullcontext(), asked:
                set_up(self.config, hall, self.overview, today=self._today)
                if source.leaves_gaps:
                    was_away(self.config, hall, self.overview)
                self._hall = hall
                hall.start()
                hindrances = Hindrances(
                    lambda: self.config,
                    hall,
                    self.overview.tables,
                    trouble=lambda: journal.trouble,
                    reports=self._parts.reports,
                    now=source.now,
                )
                quiet = look_through_all_in_quiet(hall.readings.total)
                tasks = await begin([*boards.runs(), hindrances.run(), quiet])
                spare_more()
                self._supervision.ready(self._status())
                await stop.wait()
                self._supervision.stopping()
                await end(tasks)
                with contextlib.suppress(TimeoutError):  # the disk may be full
                    # What was taken is applied before the outputs end.
                    await asyncio.wait_for(journal.append(()), LAST_WRITE_SECONDS)
                hall.stop()

    def _make_outputs(self, source: Source) -> Outputs:
        """Return what is written and served. Waits for the disk."""
        return Outputs(
            self.config,
            source.now,
            today=self._today,
            json_for=self._json_for,
            open_outbox=source.open_outbox,
            more=source.feeds,
        )

    async def _is_to_serve(self, source: Source, stop: asyncio.Event, outputs: Outputs) -> bool:
        """Return whether to serve, as soon as that is known."""
        waiting = asyncio.create_task(source.ready(stop, outputs.take_up))
        await asyncio.wait([waiting], timeout=SOON)
        if not waiting.done():
            self._supervision.ready("stands by")
        return await waiting

    def _pages(
        self, now: Callable[[], float], hall: Hall, watch: Watch, controlled: Controls
    ) -> "Web | None":
        """Return the web server if the configuration wants one. Waits for the disk."""
        if self.config.web is None:
            return None
        from bridge.web.server import Web  # who serves no pages waits for none

        return Web(
            self.config,
            self.config.web,
            now,
            hall.deliver,
            today=self._today,
            watch=watch,
            controls=controlled,
        )
