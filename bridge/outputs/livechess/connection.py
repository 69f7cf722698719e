"""One client: its calls and its feeds."""

import asyncio

import msgspec
from aiohttp import WSMsgType
from aiohttp.web import WebSocketResponse

from bridge.outputs.line import Line, framed
from bridge.outputs.livechess.hub import Feed, Hub, now_ms
from bridge.outputs.livechess.protocol import (
    FEED,
    Method,
    MethodParam,
    Request,
    RequestError,
    Subscribe,
    Unsubscribe,
    answer,
    decode,
    is_id,
    params,
    refusal,
)
from bridge.outputs.livechess.view import Start

MOST_FEEDS = 1000


class Connection:
    """Answers one client, and sends what its feeds tell.

    No board waits for a client. One that does not take its frames is cut off: it finds everything
    in the first frame when it comes again.
    """

    def __init__(self, socket: WebSocketResponse, hub: Hub, line: Line) -> None:
        """Take calls from *socket*, answer over *line*."""
        self._socket = socket
        self._hub = hub
        self._line = line
        self._feeds: dict[bytes, Feed] = {}

    async def serve(self) -> None:
        """Serve until the client goes."""
        try:
            async for message in self._socket:
                if message.type is WSMsgType.TEXT:
                    self.take(message.data)
                await self._line.room()
                await asyncio.sleep(0)  # who says much lets others have their turn
        finally:
            for feed in self._feeds.values():
                self._hub.close(feed)
            self._feeds.clear()
            self._line.end()

    def take(self, frame: str) -> None:
        """Answer the call in a frame; one that names no call to answer is passed over."""
        request = decode(frame)
        if request is None:
            return
        try:
            self._answer(request)
        except RequestError as error:
            self._line.put(framed(refusal(request.id, str(error), now=now_ms())))

    def _answer(self, request: Request) -> None:
        match request.call:
            case "eboards":
                self._confirm(request, self._hub.boards())
            case "subscribe":
                self._subscribe(request)
            case "call":
                self._call(request, params(request.param, Method))
            case "unsubscribe":
                self._unsubscribe(request, params(request.param, Unsubscribe).id)
            case call:
                raise RequestError(f"there is no call {call[:40]}")

    def _confirm(self, request: Request, result: object = None) -> None:
        self._line.put(framed(answer(request.id, result, now=now_ms())))

    def _subscribe(self, request: Request) -> None:
        """Open a feed; one of the same name is replaced. The confirmation comes first."""
        wanted = params(request.param, Subscribe)
        if wanted.feed != FEED:
            raise RequestError(f"there is no feed {wanted.feed[:40]}")
        if not is_id(wanted.id):
            raise RequestError("the id of a feed is a number")
        name = bytes(wanted.id)
        if name not in self._feeds and len(self._feeds) >= MOST_FEEDS:
            raise RequestError(f"no more than {MOST_FEEDS} feeds a connection")
        feed = self._hub.open(name, self._line.put, wanted.param.serialnr)
        if name in self._feeds:
            self._hub.close(self._feeds[name])
        self._feeds[name] = feed
        self._confirm(request)
        self._hub.begin(feed)

    def _call(self, request: Request, wanted: Method) -> None:
        feed, param = self._feed(wanted.id), wanted.param or MethodParam()
        match wanted.method:
            case "setup" if param.fen is not None:
                start = _start(param.fen)
                self._confirm(request)
                self._hub.set_up(feed, start)
            case "setup" | "flip" if param.flip is not None:
                self._confirm(request)
                self._hub.turn(feed, param.flip)
            case "unsubscribe":
                self._unsubscribe(request, wanted.id)
            case "setup" | "flip" as method:
                missing = "fen" if method == "setup" else "flip"
                raise RequestError(f"'{missing}' is missing")
            case method:
                raise RequestError(f"there is no method {method[:40]}")

    def _unsubscribe(self, request: Request, name: msgspec.Raw) -> None:
        self._hub.close(self._feed(name))
        del self._feeds[bytes(name)]
        self._confirm(request)

    def _feed(self, name: msgspec.Raw) -> Feed:
        feed = self._feeds.get(bytes(name))
        if feed is None:
            raise RequestError("there is no such feed on this connection")
        return feed


def _start(fen: str) -> Start:
    try:
        return Start.parse(fen)
    except ValueError as error:
        raise RequestError(str(error)) from error
