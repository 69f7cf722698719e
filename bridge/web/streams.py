"""Games as they go on: a WebSocket for pages, server-sent events for simple programs."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

import msgspec
from aiohttp import web

from bridge.config.web import MOST_CLIENTS
from bridge.outputs.line import Line
from bridge.outputs.listening import GOODBYE
from bridge.web.channel import Follower, Message
from bridge.web.showing import Showing

logger = logging.getLogger(__name__)

PING_EVERY = 15.0
"""Seconds without a message after which a client is told that there is none."""
PATIENCE = 30.0
"""Seconds a client may take for what it is sent, before it is cut off."""
REVIEW_EVERY = 5.0
"""Seconds between looks whether clients may still be shown what they follow."""
LONGEST_FRAME = 1024
"""What a client says is passed over; no more of it is read than this."""

_LARGEST = 2**53

Send = Callable[[list[Message]], Awaitable[None]]


class _Wish(NamedTuple):
    """What a client asks for: to go on after *since*, one table, moves in what it begins with."""

    since: int | None
    table: str | None
    plies: bool


class Streams:
    """The clients that follow games; *showing* tells what a client is shown, or refuses it."""

    def __init__(self, showing: Callable[[web.Request], Showing]) -> None:
        self._showing = showing
        self._open: dict[asyncio.Task[None], tuple[web.Request, Showing]] = {}

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [
            web.get("/api/v1/stream", self._socket, allow_head=False),
            web.get("/api/v1/events", self._events, allow_head=False),
        ]

    def end(self) -> None:
        """End all streams."""
        for stream in self._open:
            stream.cancel()

    def review(self) -> None:
        """End the streams of those who are shown something else now, or nothing."""
        for task, (request, showing) in self._open.items():
            if self._now_shown(request) is not showing:
                task.cancel()

    async def review_always(self) -> None:
        """Review the streams every now and then until it is cancelled."""
        while True:
            await asyncio.sleep(REVIEW_EVERY)
            self.review()

    def _now_shown(self, request: web.Request) -> Showing | None:
        try:
            return self._showing(request)
        except web.HTTPException:
            return None

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        showing = self._admitted(request)
        wish = _wish(request, request.query.get("since"))
        socket = web.WebSocketResponse(
            timeout=GOODBYE, max_msg_size=LONGEST_FRAME, compress=False, heartbeat=2 * PING_EVERY
        )
        await socket.prepare(request)

        if request.transport is None:  # the client has gone already
            return socket
        line = Line(socket, request.transport, "web")

        async def send(messages: list[Message]) -> None:
            line.put(b"".join(message.frame for message in messages))
            await line.room()

        async with self._sending(request, showing, wish, send) as sending:
            sending.add_done_callback(lambda _: _wake(socket))
            async for _ in socket:
                await asyncio.sleep(0)  # who says much lets others have their turn
        return socket

    async def _events(self, request: web.Request) -> web.StreamResponse:
        showing = self._admitted(request)
        wish = _wish(request, request.headers.get("Last-Event-ID") or request.query.get("since"))
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
        )
        await response.prepare(request)

        async def send(messages: list[Message]) -> None:
            await response.write(
                b"".join(b"id: %d\ndata: %s\n\n" % (each.seq, each.body) for each in messages)
            )

        async with self._sending(request, showing, wish, send) as sending:
            await asyncio.wait([sending])
        return response

    def _admitted(self, request: web.Request) -> Showing:
        if len(self._open) >= MOST_CLIENTS:
            raise web.HTTPServiceUnavailable(text="too many clients", headers={"Retry-After": "30"})
        return self._showing(request)

    @contextlib.asynccontextmanager
    async def _sending(
        self, request: web.Request, showing: Showing, wish: _Wish, send: Send
    ) -> AsyncIterator["asyncio.Task[None]"]:
        """Send what happens until left; the task ends where nothing more can be sent."""
        task = asyncio.create_task(_send_all(request, showing, wish, send))
        self._open[task] = request, showing
        try:
            yield task
        finally:
            del self._open[task]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _wake(socket: web.WebSocketResponse) -> None:
    """Let who reads from a socket see that it is over."""
    if not socket.closed:
        closing = asyncio.ensure_future(socket.close())
        closing.add_done_callback(lambda done: done.cancelled() or done.exception())


async def _send_all(request: web.Request, showing: Showing, wish: _Wish, send: Send) -> None:
    follower = Follower(wish.table)
    try:
        async for messages in _told(showing, follower, wish):
            async with asyncio.timeout(PATIENCE):
                await send(messages)
    except TimeoutError:
        logger.info("web: a client does not take what it is sent and is cut off")
        if request.transport is not None:
            request.transport.abort()
    except ConnectionError:
        return
    except Exception:
        logger.exception("web: nothing more is sent to a client")
    finally:
        showing.channel.leave(follower)


async def _told(showing: Showing, follower: Follower, wish: _Wish) -> AsyncIterator[list[Message]]:
    """Yield what a client is told, beginning with what it missed."""
    channel = showing.channel

    def hello() -> list[Message]:
        body = showing.hello(plies=wish.plies, table=wish.table)
        return [Message.of(channel.seq, "", body)]

    missed = None if wish.since is None else showing.since(wish.since)
    first = hello() if missed is None else [m for m in missed if wish.table in (None, m.table)]
    channel.join(follower)
    if first:
        yield first
    while True:
        try:
            async with asyncio.timeout(PING_EVERY):
                messages = await follower.take()
        except TimeoutError:
            ping = msgspec.json.encode({"type": "ping", "seq": channel.seq})
            messages = [Message.of(channel.seq, "", ping)]
        yield hello() if messages is None else messages


def _wish(request: web.Request, since: str | None) -> _Wish:
    number = int(since) if since and since.isascii() and since.isdigit() else None
    return _Wish(
        since=number if number is None or number < _LARGEST else None,
        table=request.query.get("table"),
        plies=request.query.get("plies") != "no",
    )
