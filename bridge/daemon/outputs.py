"""What the configuration asks to be written and served, each with its delay."""

import asyncio
import contextlib
import importlib
import logging
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.config import (
    NO_DELAY,
    Config,
    Delay,
    LichessSettings,
    LiveChessSettings,
    TableSettings,
)
from bridge.core.audience import Audience
from bridge.core.model import Fact, TableSetup
from bridge.core.table import Table
from bridge.daemon.tasks import aside
from bridge.outputs.cloud.files import CloudFiles, Seat, folder_of
from bridge.outputs.feed import Feed
from bridge.outputs.game_files import GameFiles
from bridge.outputs.json_lines import JsonLines
from bridge.outputs.pgn_files import PgnFiles
from bridge.outputs.recap import Recap
from bridge.outputs.tally import Report, mistakes, report
from bridge.store.errors import OutboxError
from bridge.store.outbox import Outbox

if TYPE_CHECKING:
    from bridge.daemon.webhooks import Webhooks
    from bridge.outputs.lichess.broadcast import Broadcast
    from bridge.outputs.livechess.server import LiveChess
    from bridge.outputs.sftp.upload import Upload

logger = logging.getLogger(__name__)


class Outputs:
    """Takes all facts, keeps the files and serves programs.

    Files with the same delay share a feed; programs are told what an operator may see.
    """

    def __init__(
        self,
        config: Config,
        now: Callable[[], float],
        *,
        today: str,
        json_for: Audience | None = None,
        open_outbox: Callable[[Path], Outbox] = Outbox,
        more: Sequence[Feed] = (),
    ) -> None:
        """Delay by journal time, which *now* tells; *today* is the date of games without one.

        *json_for*: who is told facts on standard output. Players and public are told them as late
        as PGN files show the games, others at once. *open_outbox* opens what must arrive.
        *more*: what else is told facts. To be made beside the loop: it waits for the disk.
        """
        _load(config)
        self._open_outbox = open_outbox
        self._more = more
        self._config = config
        self._now = now
        self.today = today
        self._feeds: dict[Delay, Feed] = {}
        self._pgn = self._feed(config.pgn.delay)
        self._live: Feed | None = None
        if config.livechess is not None:
            tables = [table.table for table in config.tables]
            self._live = Feed(config.livechess.delay, now, audience="operator", tables=tables)
        self._lines: tuple[Feed, Recap, Audience] | None = None
        if json_for is not None:
            delay = config.pgn.delay if json_for in ("players", "public") else NO_DELAY
            recap = Recap()
            self._lines = Feed(delay, now, audience=json_for, hears=[recap.apply]), recap, json_for
        self._broadcast: Broadcast | None = None
        self._no_outbox: list[str] = []
        if config.lichess is not None:
            self._feed(config.lichess.delay)
        self._programs: LiveChess | None = None
        self._printed: JsonLines | None = None
        self._webhooks = _webhooks(config, now, open_outbox) if config.webhooks else None
        self._files: PgnFiles | None = None
        self._copied: list[Upload] = []
        self._clouds: dict[str, CloudFiles] = {}
        if config.cloud is not None:
            feed, root = self._feed(config.cloud.delay), config.cloud.folder
            self._clouds = {
                section: CloudFiles(
                    folder_of(root, section),
                    seats,
                    feed.bus,
                    feed.book.records,
                )
                for section, seats in self._seats().items()
            }

    def _feed(self, delay: Delay) -> Feed:
        return self._feeds.setdefault(delay, Feed(delay, self._now))

    def tell(self, fact: Fact) -> None:
        """Take the next fact, of the hall or of the journal."""
        for feed in self._all_feeds():
            feed.tell(fact)

    def _all_feeds(self) -> list[Feed]:
        return [
            *self._feeds.values(),
            *([self._live] if self._live else []),
            *([self._lines[0]] if self._lines else []),
            *(self._webhooks.feeds if self._webhooks else []),
            *self._more,
        ]

    def take(self, config: Config) -> None:
        """Take the players and the round of a changed configuration."""
        self._config = config
        for section, seats in self._seats().items():
            if section in self._clouds:
                self._clouds[section].seat(seats)
        if self._broadcast is not None and config.lichess is not None:
            self._broadcast.seat(self._setups(), config.lichess)

    async def take_up(self) -> None:
        """Let what the outbox has since this was made not be queued again.

        Raises:
            OutboxError: it cannot be read.
        """
        if self._webhooks is not None:
            await self._webhooks.take_up()

    def troubles(self) -> list[str]:
        """Return in words what cannot be sent now."""
        pushed = self._broadcast.troubles() if self._broadcast is not None else self._no_outbox
        return pushed + (self._webhooks.troubles() if self._webhooks else [])

    async def reports(self) -> list[Report]:
        """Return how each output does that writes or sends."""
        found = [
            *(
                report(name, files.tally, waiting=files.waiting)
                for name, files in self._written().items()
            ),
            *(
                report(f"upload {number}", each.tally, waiting=0)
                for number, each in enumerate(self._copied, start=1)
            ),
            *(Report("lichess", 0, 0, 0, trouble) for trouble in self._no_outbox),
            *(mistakes("livechess", self._programs.tally) if self._programs else ()),
            *(mistakes("json", self._printed.tally) if self._printed else ()),
        ]
        try:
            if self._broadcast is not None:
                found.append(await self._broadcast.report())
            if self._webhooks is not None:
                found += await self._webhooks.reports()
        except OutboxError as error:
            found.append(Report("outbox", 0, 0, 0, str(error)))
        return found

    def _written(self) -> dict[str, GameFiles]:
        clouds = {f"cloud {name}".rstrip(): files for name, files in self._clouds.items()}
        return {**({"pgn": self._files} if self._files else {}), **clouds}

    @contextlib.asynccontextmanager
    async def running(self, table: Callable[[str], Table]) -> AsyncIterator[None]:
        """Keep all up to date until left, beginning with what was told before.

        *table* returns the state of a table.
        """
        async with contextlib.AsyncExitStack() as stack:
            for feed in self._all_feeds():
                await stack.enter_async_context(feed)
            self._copied = _uploads(self._config)
            for upload in self._copied:
                await stack.enter_async_context(upload)
            pgn = self._config.pgn
            self._files = PgnFiles(pgn.folder, self._pgn.bus, self._pgn.book.records)
            await stack.enter_async_context(self._files)
            for cloud in self._clouds.values():
                await stack.enter_async_context(cloud)
            if self._live is not None and self._config.livechess is not None:
                self._programs = _livechess(self._config, self._config.livechess, self._live, table)
                await stack.enter_async_context(self._programs)
            if self._config.lichess is not None:
                await self._broadcast_in(stack, self._config.lichess)
            if self._webhooks is not None:
                await stack.enter_async_context(self._webhooks)
            if self._lines is not None:
                feed, recap, audience = self._lines
                fd = sys.stdout.fileno()
                self._printed = JsonLines(fd, feed.bus, recap.facts, audience=audience)
                await stack.enter_async_context(self._printed)
            yield

    async def _broadcast_in(
        self, stack: contextlib.AsyncExitStack, settings: LichessSettings
    ) -> None:
        """Push games to Lichess as long as *stack* lasts; without an outbox all else goes on."""
        try:
            outbox = await asyncio.to_thread(self._open_outbox, self._config.data.outbox)
        except OutboxError as error:
            self._no_outbox = [f"lichess: nothing is pushed: {error}"]
            logger.error("%s", self._no_outbox[0])  # noqa: TRY400 - it says all
            return
        stack.push_async_callback(aside, outbox.close)
        from bridge.outputs.lichess.broadcast import Broadcast  # who sends nothing needs no web

        feed = self._feed(settings.delay)
        self._broadcast = Broadcast(settings, outbox, feed.bus, feed.book.records)
        self._broadcast.seat(self._setups(), settings)
        await stack.enter_async_context(self._broadcast)

    def _seats(self) -> dict[str, list[Seat]]:
        """Return the tables of each section; every one has a tournament of its own."""
        serials = {table.table: _serial(table) for table in self._config.tables}
        seats: dict[str, list[Seat]] = {}
        for table, setup in self._setups():
            seats.setdefault(setup.section, []).append(Seat(table, setup, serials[table]))
        return seats

    def _setups(self) -> list[tuple[str, TableSetup]]:
        return [
            (table.table, self._config.setup(table, today=self.today))
            for table in self._config.tables
        ]


def _load(config: Config) -> None:
    """Load the programs for what is configured; later, on the loop, they are there at once."""
    if config.livechess is not None:
        importlib.import_module("bridge.outputs.livechess.server")
    if config.lichess is not None:
        importlib.import_module("bridge.outputs.lichess.broadcast")
    if config.uploads:
        with contextlib.suppress(ModuleNotFoundError):  # that is told where it is used
            importlib.import_module("bridge.outputs.sftp.upload")


def _serial(table: TableSettings) -> str:
    """Return what names a table's board to the public: its own number where it is configured."""
    return table.board.serial or table.board.unit or table.table


def _webhooks(
    config: Config, now: Callable[[], float], open_outbox: Callable[[Path], Outbox]
) -> "Webhooks":
    from bridge.daemon.webhooks import Webhooks  # who sends nothing waits for no web

    return Webhooks(config, now, open_outbox)


def _uploads(config: Config) -> "list[Upload]":
    if not config.uploads:
        return []
    try:
        from bridge.outputs.sftp.upload import Upload
    except ModuleNotFoundError:
        logger.error("uploads need asyncssh: pip install 'eboard-bridge[sftp]'")  # noqa: TRY400 - it says all
        return []
    folders = {"pgn": config.pgn.folder, "cloud": config.cloud and config.cloud.folder}
    return [
        Upload(upload, folder) for upload in config.uploads if (folder := folders[upload.files])
    ]


def _livechess(
    config: Config, settings: LiveChessSettings, feed: Feed, table: Callable[[str], Table]
) -> "LiveChess":
    from bridge.outputs.livechess.server import LiveChess  # who serves no programs waits for no web

    return LiveChess(settings, config.tables, feed, table=table)
