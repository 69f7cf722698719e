"""The lines of one configuration: each has a keeper, capture files and the tables it serves."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from functools import partial
from typing import Literal, Protocol

from bridge.config import ANY_PORT, ClockSettings, Config, TableSettings
from bridge.core.model import Hindrance, LinkChange, Payload
from bridge.daemon.clock import JournalClock
from bridge.links.apart import OfBoard, OfClock
from bridge.links.capture_files import MEBIBYTE, CaptureFiles
from bridge.links.claims import Claims
from bridge.links.discovery import Finder
from bridge.links.keeper import Deliver, Keeper
from bridge.links.news import News
from bridge.links.probing import Found, NotABoard
from bridge.links.pulse import LinkHealth, Pulse
from bridge.links.recorder import Recorder, Scribe
from bridge.links.row import Row
from drivers.catalogue import all_drivers, driver
from drivers.codec import Codec
from drivers.errors import PortBusyError
from drivers.events import Event, Notice

PROGRAM = "program"
"""The link on which the program tells of itself, in the journal."""

logger = logging.getLogger(__name__)


def link_name(table: TableSettings) -> str:
    """Return the name of the link of a table, in the journal and in the log."""
    return f"table {table.table}"


def clock_link_name(table: TableSettings) -> str:
    """Return the name of the link of a clock that does not hang on the table's board."""
    return f"{link_name(table)} clock"


def row_name(port: str) -> str:
    """Return the name of the link of a line that many boards share."""
    return f"row {port.removeprefix('serial:')}"


def options_by_driver(config: Config) -> dict[str, Mapping[str, str]]:
    """Return the options with which boards are looked for: those of the first table with any."""
    devices = [
        device
        for table in config.tables
        for device in (table.board, table.own_clock)
        if device is not None and device.options
    ]
    return {device.driver: device.options for device in reversed(devices)}


class Desk(Protocol):
    """Where it goes what boards say, and what knows which squares they should light."""

    def deliver(self, table: str, link: str, payload: Payload) -> None:
        """Take what came from *link* for *table*. Never blocks."""

    def lit(self, name: str) -> Collection[int]:
        """Return the squares that the board of a table should light, in its own numbering."""


class Lines:
    """Makes the links of a configuration, which bring what boards say to the hall.

    ``links`` are those that run.
    """

    def __init__(self, config: Config, hall: Desk, clock: JournalClock) -> None:
        self._limits = config.data.captures
        self._folder = config.data.capture_folder
        self._scribe = Scribe()
        self._hall = hall
        self._now = clock.now
        self._claims = Claims()
        self._keepers: dict[str, Keeper] = {}
        self.links: list[Keeper] = []
        self._pulses: list[Pulse] = []
        self._alone = [table for table in config.tables if not table.board.shares_its_line]
        self._rows: dict[str, list[TableSettings]] = {}
        for table in config.tables:
            if table.board.shares_its_line:
                self._rows.setdefault(table.board.port, []).append(table)
        self._clocks = [(table, table.own_clock) for table in config.tables if table.own_clock]
        self._patterns = config.ports
        self._options = options_by_driver(config)
        self._discovering = asyncio.Lock()
        wanted = {driver(table.board.driver) for table in self._alone}
        wanted |= {driver(clock.driver) for _, clock in self._clocks}
        self._finder = Finder(
            sorted(wanted, key=lambda codec: codec.info.name),
            now=clock.now,
            claims=self._claims,
            patterns=config.ports,
            options=self._options,
        )
        self._claim_named_ports()

    def runs(self) -> list[Coroutine[None, None, None]]:
        """Return what keeps each line for as long as it runs."""
        return [
            *(self._link(table) for table in self._alone),
            *(self._row(port, tables) for port, tables in self._rows.items()),
            *(self._clock(table, clock) for table, clock in self._clocks),
        ]

    def _claim_named_ports(self) -> None:
        """Keep who looks for a board off the ports of others, before their links begin.

        What a stranger asks would disturb a board, and throw a whole row out of step. Of two
        links that name one port in two ways, the second one is told so when it begins.
        """
        named = [
            *((link_name(table), table.board.port) for table in self._alone),
            *((row_name(port), port) for port in self._rows),
            *((clock_link_name(table), clock.port) for table, clock in self._clocks),
        ]
        for holder, port in named:
            if port != ANY_PORT:
                with contextlib.suppress(PortBusyError):
                    self._claims.take_port(holder, port)

    def health(self) -> list[LinkHealth]:
        """Return how each link of a table does."""
        now = self._now()
        return [pulse.health(now) for pulse in self._pulses]

    async def discover(self) -> list[Found | NotABoard]:
        """Ask at all ports which boards are there; those that links hold are only named."""
        async with self._discovering:
            finder = Finder(
                list(all_drivers().values()),
                now=self._now,
                claims=self._claims,
                patterns=self._patterns,
                options=self._options,
            )
            return await finder.discover()

    async def _link(self, table: TableSettings) -> None:
        """Keep the line of one table."""
        board = table.board
        codec = driver(board.driver)
        recorder = self._recorder(
            table.table, {"Driver": board.driver, "Board": f"table {table.table}"}, [table]
        )
        keeper = Keeper(
            link_name(table),
            self._where(board.port, codec, board.serial),
            codec,
            now=self._now,
            deliver=self._desk(table),
            recorder=recorder,
            claims=self._claims,
            serial=board.serial,
            options=board.options,
        )
        self._keepers[table.table] = keeper
        if table.feedback:
            self.light(table.table)
        await self._keep(keeper, recorder)

    def _where(
        self, port: str, codec: type[Codec], serial: str | None = None
    ) -> str | Callable[[], Awaitable[str]]:
        """Return the address, or what finds it before every try."""
        return port if port != ANY_PORT else partial(self._finder.locate, codec, serial)

    def light(self, table: str) -> None:
        """Let the board of *table* light the squares that are marked there now, and no others."""
        keeper = self._keepers.get(table)
        if keeper is not None:
            keeper.light(self._hall.lit(table))

    async def _row(self, port: str, tables: Sequence[TableSettings]) -> None:
        """Keep a line that the boards of several tables share."""
        name = row_name(port)
        board = tables[0].board
        desks = {str(table.board.unit): self._desk(table) for table in tables}
        units = ", ".join(f"table {table.table} is unit {table.board.unit}" for table in tables)
        recorder = self._recorder(name, {"Driver": board.driver, "Board": units}, tables)
        keeper = Keeper(
            name,
            port,
            driver(board.driver),
            now=self._now,
            deliver=Row(name, desks),
            recorder=recorder,
            claims=self._claims,
            options={**board.options, "units": " ".join(desks)},
        )
        await self._keep(keeper, recorder)

    async def _clock(self, table: TableSettings, clock: ClockSettings) -> None:
        """Keep the line of a clock that does not hang on the table's board."""
        name = clock_link_name(table)
        codec = driver(clock.driver)
        recorder = self._recorder(
            f"{table.table} clock",
            {"Driver": clock.driver, "Board": f"clock of {link_name(table)}"},
            [table],
        )
        keeper = Keeper(
            name,
            self._where(clock.port, codec),
            codec,
            now=self._now,
            deliver=self._felt(table, "clock", OfClock(self._news(table, name), now=self._now)),
            recorder=recorder,
            claims=self._claims,
            options=clock.options,
        )
        await self._keep(keeper, recorder)

    def _desk(self, table: TableSettings) -> Deliver:
        """Return what takes the events of one table's board."""
        news = self._news(table, link_name(table))
        return self._felt(table, "board", OfBoard(news) if table.own_clock else news)

    def _felt(
        self, table: TableSettings, device: Literal["board", "clock"], deliver: Deliver
    ) -> Deliver:
        pulse = Pulse(table.table, device, deliver)
        self._pulses.append(pulse)
        return pulse

    def _news(self, table: TableSettings, name: str) -> Deliver:
        """Return what takes the events of one of a table's links: news go to the hall."""
        news = News()

        def deliver(event: Event | LinkChange) -> None:
            nonlocal news
            if isinstance(event, LinkChange):
                news = News()
            elif not news.is_new(event):
                return
            if isinstance(event, Notice):
                logger.warning("%s: %s", name, event.text)
            self._hall.deliver(table.table, name, event)

        return deliver

    def _recorder(
        self, link: str, header: dict[str, str], tables: Sequence[TableSettings]
    ) -> Recorder:
        def suspends(why: str) -> None:
            fault = Hindrance(code="DISK_OR_LOG_FAULT", detail=why)
            for table in tables:
                self._hall.deliver(table.table, PROGRAM, fault)

        lines = len(self._alone) + len(self._rows) + len(self._clocks)
        files = CaptureFiles(
            self._folder,
            link,
            header,
            total_bytes=self._limits.max_mb * MEBIBYTE // lines,
            days=self._limits.max_days,
        )
        return Recorder(files, self._scribe, wall=time.time, suspends=suspends)

    async def _keep(self, keeper: Keeper, recorder: Recorder) -> None:
        """Run a link until it is cancelled; a mistake of ours ends it and no other."""
        self.links.append(keeper)
        try:
            await keeper.run()
        except Exception:
            logger.exception("%s: this link ended by a mistake of ours", keeper.name)
            keeper.state, keeper.detail = "lost", "ended by a mistake of ours, see the log"
        finally:
            await recorder.aclose()
