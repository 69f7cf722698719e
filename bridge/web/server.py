"""The web server of a daemon."""

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Literal, Self

from aiohttp import web

from bridge.config import NO_DELAY, Config, WebSettings
from bridge.config.web import MOST_CLIENTS
from bridge.core.model import Fact, Ruling, TableSetup
from bridge.outputs.cloud.files import folder_of
from bridge.outputs.controls import Controls
from bridge.outputs.feed import Feed
from bridge.outputs.health import Watch
from bridge.outputs.lasting import lasting
from bridge.outputs.listening import LOOPBACK, Listener, addresses
from bridge.outputs.tally import Tally
from bridge.web.accounts import Accounts, Role
from bridge.web.api import Api
from bridge.web.archive import Archive
from bridge.web.cloud import CloudPages
from bridge.web.correcting import Correcting
from bridge.web.desk import Desk
from bridge.web.entrance import Entrance
from bridge.web.gate import add_headers, errors_in_json, gate
from bridge.web.monitoring import Monitoring
from bridge.web.operating import Operating
from bridge.web.orders import Orders
from bridge.web.pages import BUILT, Pages
from bridge.web.pgn import PgnPages
from bridge.web.refusals import noting_refusals
from bridge.web.scoresheets import Scoresheets
from bridge.web.showing import Showing
from bridge.web.staff import StaffShowing
from bridge.web.streams import Streams

logger = logging.getLogger(__name__)

LARGEST_BODY = 65536
STAFF: tuple[Literal["arbiter", "operator"], ...] = ("arbiter", "operator")
DESCRIPTION = Path(__file__).with_name("openapi.yaml")


class Web:
    """Serves the games of a hall from entering to leaving.

    Args:
        config: the configuration, which must have a section ``web``.
        settings: that section.
        now: tells journal time.
        deliver: takes a table, a link and an order into the journal.
        today: the date of games without one.
        watch: what is known of the program itself.
        controls: what people may ask it to do; ``None`` where that is nothing.
        pages: the folder of the built pages.
    """

    def __init__(
        self,
        config: Config,
        settings: WebSettings,
        now: Callable[[], float],
        deliver: Callable[[str, str, Ruling], None],
        *,
        today: str,
        watch: Watch,
        controls: Controls | None = None,
        pages: Path = BUILT,
    ) -> None:
        self._config = config
        self._settings = settings
        self.today = today
        first = round(time.time() * 1000)
        tables = [table.table for table in config.tables]
        self._public = Feed(settings.delay, now)
        self._staff = Feed(NO_DELAY, now, audience="arbiter", tables=tables)
        self._archive = Archive()
        self._orders = Orders(deliver)
        self._shown = Showing("public", self._public, tables, self._setup, _numbers(first, 0))
        self._shown_to: dict[Role, StaffShowing] = {
            role: StaffShowing(
                role, self._staff, tables, self._setup, _numbers(first, place), self._archive
            )
            for place, role in enumerate(STAFF, start=1)
        }
        self._pgn = PgnPages(self._public, self._admit)
        self._cloud = CloudPages(self._cloud_folders(), self._admit)
        self._streams = Streams(self._showing)
        self._entrance = Entrance(
            Accounts(config.accounts), secure=settings.secure, left=self._streams.review
        )
        self._pages = Pages(pages)
        self._controls = controls
        self._monitoring = Monitoring(self._entrance, watch, public=settings.public_metrics)
        self.tally = Tally()
        self._stack = contextlib.AsyncExitStack()

    def tell(self, fact: Fact) -> None:
        """Take the next fact, of the hall or of the journal."""
        self._archive.tell(fact)
        self._orders.tell(fact)
        self._public.tell(fact)
        self._staff.tell(fact)

    def take(self, config: Config) -> None:
        """Take the players and the round of a changed configuration."""
        self._config = config
        for showing in self._showings():
            for table in config.tables:
                showing.change(table.table)

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as stack:
            for feed in (self._public, self._staff):
                await stack.enter_async_context(feed)
            follow = [showing.follow for showing in self._showings()]
            for work in (*follow, self._pgn.follow, self._streams.review_always):
                await stack.enter_async_context(_running(lasting("web", work, self.tally)))
            self._warn()
            self._tell_cloud()
            await stack.enter_async_context(self._listener())
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    # -- what it is made of ------------------------------------------------------------------------

    def _listener(self) -> Listener:
        settings = self._settings
        return Listener(
            "web",
            self.app(),
            addresses(settings.host),
            settings.port,
            most=2 * MOST_CLIENTS,
            proxies=settings.proxies,
            tls=settings.tls(),
        )

    def app(self) -> web.Application:
        """Return the application, which has not been started."""
        names = {self._settings.host.lower(), *self._settings.names}
        app = web.Application(
            middlewares=[
                errors_in_json,
                noting_refusals(),
                gate(names, self._settings.origins),
            ],
            client_max_size=LARGEST_BODY,
        )
        app.on_response_prepare.append(add_headers)
        app.on_shutdown.append(self._end_streams)
        app.add_routes(self.routes())
        return app

    def routes(self) -> list[web.RouteDef]:
        """Return everything that is answered."""
        api = Api(lambda: self._config, self._showing)
        desk = Desk(
            self._entrance,
            self._shown_to,
            self._staff,
            self._archive,
            self._orders,
            self._config.data.journal,
        )
        parts = (
            self._entrance,
            desk,
            Correcting(self._entrance, self._staff),
            Scoresheets(self._entrance, self._staff),
            api,
            self._streams,
            self._pgn,
            self._cloud,
            self._monitoring,
            self._pages,
        )
        described = web.get("/api/v1/openapi.yaml", _description)
        routes = [described, *(route for part in parts for route in part.routes())]
        if self._controls is not None:
            routes += Operating(self._entrance, self._controls).routes()
        return routes

    async def _end_streams(self, _app: web.Application) -> None:
        self._streams.end()

    def _cloud_folders(self) -> dict[str, Path]:
        """Return the folders of cloud files by what they are served as.

        None are that would tell spectators something sooner than the pages do.
        """
        cloud = self._config.cloud
        if cloud is None or not cloud.delay.is_no_sooner_than(self._settings.delay):
            return {}
        sections = dict.fromkeys(self._setup(table.table).section for table in self._config.tables)
        event = self._config.event.name
        return {cloud.served_as(event, each): folder_of(cloud.folder, each) for each in sections}

    def _tell_cloud(self) -> None:
        for number, folder in self._cloud.folders.items():
            logger.info("web: %s is served as /get/%s/tournament.json", folder, number)
        if self._config.cloud is not None and not self._cloud.folders:
            logger.warning(
                "web: cloud files are not served: their 'delay' is shorter than that of 'web'"
            )

    def _warn(self) -> None:
        settings = self._settings
        if not settings.secure and settings.host not in ("localhost", *LOOPBACK):
            logger.warning(
                "web: passwords cross the network unprotected at %s: name a 'certificate'",
                settings.host,
            )

    # -- who is shown what -------------------------------------------------------------------------

    def _showings(self) -> list[Showing]:
        return [self._shown, *self._shown_to.values()]

    def _showing(self, request: web.Request) -> Showing:
        visitor = self._entrance.visitor(request)
        if visitor is None or visitor.role not in self._shown_to:
            self._admit(request)
            return self._shown
        return self._shown_to[visitor.role]

    def _admit(self, request: web.Request) -> None:
        """Make sure that who asks may be shown what the public sees."""
        if not self._settings.public:
            self._entrance.admitted(request, "arbiter", "operator", "viewer")

    def _setup(self, table: str) -> TableSetup:
        settings = next(each for each in self._config.tables if each.table == table)
        return self._config.setup(settings, today=self.today)


def _numbers(first: int, place: int) -> Iterator[int]:
    """Return numbers for the messages of a channel that no other one hands out.

    *first* is a time in ms, so those of another run are other ones too. They do not depend on what
    other channels are told: spectators cannot count what they may not know yet.
    """
    channels = 1 + len(STAFF)
    return itertools.count(first * channels + place, channels)


async def _description(_request: web.Request) -> web.FileResponse:
    return web.FileResponse(DESCRIPTION, headers={"Content-Type": "application/yaml"})


@contextlib.asynccontextmanager
async def _running(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
