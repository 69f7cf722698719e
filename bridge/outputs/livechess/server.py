"""The server on LiveChess's port: WebSocket, list of boards, and a page that says it runs."""

import asyncio
import html
from collections.abc import Callable, Sequence
from typing import Self

import msgspec
from aiohttp import WSCloseCode, web

from bridge.config import LiveChessSettings, TableSettings
from bridge.config.livechess import MOST_CLIENTS
from bridge.core.table import Table
from bridge.outputs.feed import Feed
from bridge.outputs.line import Line
from bridge.outputs.listening import GOODBYE, Listener, addresses
from bridge.outputs.livechess.connection import Connection
from bridge.outputs.livechess.gate import gate
from bridge.outputs.livechess.hub import Hub
from bridge.outputs.livechess.protocol import PATH
from bridge.outputs.tally import Tally

LONGEST_FRAME = 65536
HEARTBEAT = 30.0
"""Seconds between questions whether a client is still there."""

_PAGE = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><title>eboard-bridge</title>
<h1>eboard-bridge</h1>
<p>Answers like DGT LiveChess at <code>/api/v1.0</code>.</p>
<table><tr><th>Board<th>State<th>Position</tr>
{rows}</table></html>
"""


class LiveChess:
    """Serves the boards of a hall from entering to leaving.

    Where another program has the port, it says so once and tries again.
    """

    def __init__(
        self,
        settings: LiveChessSettings,
        tables: Sequence[TableSettings],
        feed: Feed,
        *,
        table: Callable[[str], Table],
    ) -> None:
        """Show *tables* as *feed* tells of them; *table* tells what a board says of itself.

        That would be told at once: where *settings* ask for a delay it is not told.
        """
        self._settings = settings
        of_itself = None if settings.delay.holds_back else table
        self._hub = Hub(tables, feed, of_itself, first=settings.first)
        self._sockets: set[web.WebSocketResponse] = set()

    @property
    def tally(self) -> Tally:
        """How following the boards goes."""
        return self._hub.tally

    async def __aenter__(self) -> Self:
        app = web.Application(middlewares=[gate(self._settings.host, self._settings.origins)])
        app.router.add_get(PATH, self._connect)
        app.router.add_get(f"{PATH}/eboards", self._eboards)
        for path in ("/", "/doc/index.html"):
            app.router.add_get(path, self._page)
        app.on_shutdown.append(self._say_goodbye)
        host, port = self._settings.host, self._settings.port
        self._following = asyncio.create_task(self._hub.follow())
        self._listener = Listener("livechess", app, addresses(host), port, most=2 * MOST_CLIENTS)
        await self._listener.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        self._following.cancel()
        await asyncio.gather(self._following, return_exceptions=True)
        await self._listener.__aexit__(*error)

    # -- answering ---------------------------------------------------------------------------------

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        if len(self._sockets) >= MOST_CLIENTS:
            raise web.HTTPServiceUnavailable(text="too many clients\n")
        socket = web.WebSocketResponse(
            timeout=GOODBYE, max_msg_size=LONGEST_FRAME, compress=False, heartbeat=HEARTBEAT
        )
        await socket.prepare(request)
        transport = request.transport
        if transport is None:  # the client has gone already
            return socket
        self._sockets.add(socket)
        try:
            await Connection(socket, self._hub, Line(socket, transport, "livechess")).serve()
        finally:
            self._sockets.discard(socket)
        return socket

    async def _eboards(self, _request: web.Request) -> web.Response:
        boards = msgspec.json.format(msgspec.json.encode(self._hub.boards()), indent=2)
        return web.Response(body=boards, content_type="application/json", charset="utf-8")

    async def _page(self, _request: web.Request) -> web.Response:
        rows = "".join(
            f"<tr><td>{html.escape(board.serialnr)}<td>{board.state or '-'}"
            f"<td>{html.escape(board.board or '-')}</tr>\n"
            for board in self._hub.boards()
        )
        return web.Response(text=_PAGE.format(rows=rows), content_type="text/html")

    async def _say_goodbye(self, _app: web.Application) -> None:
        closing = (socket.close(code=WSCloseCode.GOING_AWAY) for socket in [*self._sockets])
        try:
            async with asyncio.timeout(GOODBYE):
                await asyncio.gather(*closing)
        except TimeoutError:
            return
