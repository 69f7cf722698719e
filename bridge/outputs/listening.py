"""Listening for clients, also where another program has the port at first."""

import asyncio
import errno
import logging
import ssl
from collections.abc import Callable, Collection, Iterable
from typing import Self

from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage
from aiohttp.typedefs import Handler

from bridge.outputs.admission import MOST_OF_A_CLIENT, SENT_AWAY, Admission
from bridge.outputs.shedding import Shedder

logger = logging.getLogger(__name__)

IPV6 = "::1"
LOOPBACK = ("127.0.0.1", IPV6)
"""What ``localhost`` is; programs use either."""
GOODBYE = 1.0
"""How long clients may take to let go at the end (s)."""
RETRY = 10.0
"""Seconds between attempts to listen where another program does."""
LOOK_EVERY = 0.5
"""Seconds between looks for clients that do not take what they are sent."""
IDLE = 75.0
"""Seconds a connection may have nothing to ask, or take for what it asks."""


def _is_our_concern(record: logging.LogRecord) -> bool:
    """Whether something went wrong here: what is no HTTP, or who has gone, is no bug of ours."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, BadHttpMessage | ConnectionError)


_requests = logging.getLogger(f"{__name__}.requests")
_requests.addFilter(_is_our_concern)


def _is_text(request: web.Request) -> bool:
    """Whether all that came before the body can be told again, and keys are what they may be."""
    try:
        "".join((request.path_qs, *request.headers.values())).encode()
    except UnicodeEncodeError:
        return False
    return request.headers.get("Sec-WebSocket-Key", "").isascii()


class _Door(asyncio.Protocol):
    """A connection until it is known whose it is: it gets a handler, or has to go at once."""

    def __init__(self, handler: Callable[[str], asyncio.Protocol | None]) -> None:
        self._handler = handler

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Hand it on; one too many is not answered: boards need files too."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what servers of asyncio make
        handler = self._handler(address_of(transport))
        if handler is None:
            transport.abort()
            return
        transport.set_protocol(handler)
        handler.connection_made(transport)


class Listener:
    """Serves an application at all its addresses, from entering to leaving.

    Where another program has the port, it says so once, under *name*, and tries again. There are
    never more than *most* connections, of one client no more than :mod:`admission` allows, and none
    to a client that does not take what it is sent. *proxies* speak for many clients.
    """

    def __init__(
        self,
        name: str,
        app: web.Application,
        hosts: Iterable[str],
        port: int,
        *,
        most: int,
        proxies: Collection[str] = (),
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._name = name
        self._port = port
        self._most = most
        self._admission = Admission(MOST_OF_A_CLIENT, proxies)
        self._tls = tls
        self._to_bind = list(hosts)
        app.middlewares.insert(0, self._turnstile)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=_requests,
            keepalive_timeout=IDLE,
            shutdown_timeout=GOODBYE,
        )
        self._servers: list[asyncio.Server] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        self._tasks = [asyncio.create_task(self._shed())]
        if not await self._listen(logging.WARNING):
            self._tasks.append(asyncio.create_task(self._try_again()))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for server in self._servers:
            server.close()
        await self._runner.cleanup()

    async def _listen(self, level: int) -> bool:
        """Listen at every address that is free; return whether none is left to try."""
        loop = asyncio.get_running_loop()
        for host in tuple(self._to_bind):
            try:
                server = await loop.create_server(
                    lambda: _Door(self._handler),
                    host,
                    self._port,
                    ssl=self._tls,
                    reuse_address=True,
                )
            except OSError as error:
                if host == IPV6 and error.errno != errno.EADDRINUSE:
                    self._to_bind.remove(host)  # this machine has none
                else:
                    where = self._address(host)
                    logger.log(level, "%s: cannot listen at %s: %s", self._name, where, _why(error))
            else:
                logger.info("%s: listens at %s", self._name, self._address(host))
                self._servers.append(server)
                self._to_bind.remove(host)
        return not self._to_bind

    async def _shed(self) -> None:
        shedder, loop = Shedder(), asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK_EVERY)
            server = self._runner.server
            handlers = [] if server is None else server.connections
            open_ = [handler.transport for handler in handlers if handler.transport is not None]
            for transport in shedder.look(open_, loop.time()):
                logger.info("%s: a client does not take what it is sent", self._name)
                transport.abort()
            self._admission.recount(map(address_of, open_), loop.time())

    @web.middleware
    async def _turnstile(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let nobody ask so often that boards would have to wait."""
        now = asyncio.get_running_loop().time()
        if not self._admission.may_ask(request.remote or "", now):
            refusal = web.Response(status=429, text="too many requests\n")
            refusal.headers["Retry-After"] = f"{SENT_AWAY:.0f}"
            refusal.force_close()
            return refusal
        if not _is_text(request):
            return web.Response(status=400, text="headers are text\n")
        return await handler(request)

    def _address(self, host: str) -> str:
        shown = f"[{host}]" if ":" in host else host
        return f"{'https' if self._tls else 'http'}://{shown}:{self._port}"

    def _handler(self, address: str) -> asyncio.Protocol | None:
        server = self._runner.server
        if server is None or len(server.connections) >= self._most:
            return None
        if not self._admission.admits(address, asyncio.get_running_loop().time()):
            return None
        handler: asyncio.Protocol = server()
        return handler

    async def _try_again(self) -> None:
        while True:
            await asyncio.sleep(RETRY)
            if await self._listen(logging.DEBUG):
                return


def _why(error: OSError) -> str:
    """Say why an address cannot be listened at, and what to do about it."""
    match error.errno:
        case errno.EADDRINUSE:
            return f"another program has the port; end it, it is tried again every {RETRY:.0f} s"
        case errno.EADDRNOTAVAIL:
            return "this machine has no such address; write another 'host'"
        case errno.EACCES:
            return "this user may not; write another 'port', from 1024 on"
        case _:
            return str(error)


def address_of(transport: asyncio.BaseTransport) -> str:
    """Return the address of the client, empty where it has gone."""
    peer = transport.get_extra_info("peername")
    return peer[0] if peer else ""


def addresses(host: str) -> tuple[str, ...]:
    """Return where to listen for *host*: ``localhost`` is two addresses."""
    return LOOPBACK if host == "localhost" else (host,)
