"""Frames as RFC 6455 has them; what a line does for slow clients is tested with the servers."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from bridge.outputs.line import Line, framed
from tests.halls import eventually


@contextlib.asynccontextmanager
async def lines() -> AsyncIterator[tuple[list[Line], aiohttp.ClientWebSocketResponse]]:
    """A client of a server, and its line."""
    made: list[Line] = []

    async def connect(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        assert request.transport is not None
        made.append(Line(socket, request.transport, "test"))
        async for _ in socket:
            pass
        return socket

    app = web.Application()
    app.router.add_get("/", connect)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    url = f"http://{host}:{port}/"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        await eventually(lambda: made, "a line")
        yield made, socket
    await runner.cleanup()


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_a_frame_of_any_length_is_read(size: int) -> None:
    async def main() -> None:
        async with lines() as ([line], socket):
            line.put(framed(b"a" * size))
            line.put(framed("é".encode()))
            assert await socket.receive_str() == "a" * size
            assert await socket.receive_str() == "é"

    asyncio.run(main())


def test_what_is_for_a_client_that_has_gone_is_dropped() -> None:
    async def main() -> None:
        async with lines() as ([line], socket):
            await socket.close()
            await eventually(lambda: line._socket.closed, "the end")
            line.put(framed(b"late"))
            await line.room()

    asyncio.run(main())
