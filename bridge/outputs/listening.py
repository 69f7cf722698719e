"""Listening for clients, also where another program has the port at first."""

import asyncio
import errno
import logging
import ssl
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage

logger = logging.getLogger(__name__)

IPV6 = "::1"
LOOPBACK = ("127.0.0.1", IPV6)
"""What ``localhost`` is; programs use either."""
GOODBYE = 1.0
"""How long clients may take to let go at the end (s)."""
RETRY = 10.0
"""Seconds between attempts to listen where another program does."""


def _is_our_concern(record: logging.LogRecord) -> bool:
    """Whether something went wrong here: what is no HTTP at all is the client's, and not a bug."""
    return not (record.exc_info and isinstance(record.exc_info[1], BadHttpMessage))


_requests = logging.getLogger(f"{__name__}.requests")
_requests.addFilter(_is_our_concern)


class Listener:
    """Serves an application at all its addresses, from entering to leaving.

    Where another program has the port, it says so once, under *name*, and tries again.
    """

    def __init__(
        self,
        name: str,
        app: web.Application,
        hosts: Iterable[str],
        port: int,
        *,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._name = name
        self._port = port
        self._tls = tls
        self._to_bind = list(hosts)
        self._runner = web.AppRunner(
            app, access_log=None, logger=_requests, shutdown_timeout=GOODBYE
        )
        self._trying: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        if not await self._listen(logging.WARNING):
            self._trying = asyncio.create_task(self._try_again())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._trying is not None:
            self._trying.cancel()
            await asyncio.gather(self._trying, return_exceptions=True)
        await self._runner.cleanup()

    async def _listen(self, level: int) -> bool:
        """Listen at every address that is free; return whether none is left to try."""
        for host in tuple(self._to_bind):
            site = web.TCPSite(self._runner, host, self._port, ssl_context=self._tls)
            try:
                await site.start()
            except OSError as error:
                await site.stop()
                if host == IPV6 and error.errno != errno.EADDRINUSE:
                    self._to_bind.remove(host)  # this machine has none
                else:
                    logger.log(level, "%s: cannot listen at %s: %s", self._name, site.name, error)
            else:
                logger.info("%s: listens at %s", self._name, site.name)
                self._to_bind.remove(host)
        return not self._to_bind

    async def _try_again(self) -> None:
        while True:
            await asyncio.sleep(RETRY)
            if await self._listen(logging.DEBUG):
                return


def addresses(host: str) -> tuple[str, ...]:
    """Return where to listen for *host*: ``localhost`` is two addresses."""
    return LOOPBACK if host == "localhost" else (host,)
