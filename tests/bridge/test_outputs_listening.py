"""Connections that ask for nothing cannot take what boards need."""

import asyncio
import contextlib
import errno
import os
import socket
from collections.abc import Callable, Coroutine

import pytest
from aiohttp import web

from bridge.outputs import admission, listening, shedding
from bridge.outputs.listening import Listener
from tests.livechess import PATIENCE, free_port

MUCH = 20_000_000

Open = Callable[[], Coroutine[None, None, tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


def served(
    act: Callable[[Open], Coroutine[None, None, None]], *, most: int, host: str = "127.0.0.1"
) -> None:
    async def hello(_: web.Request) -> web.Response:
        return web.Response(text="hello")

    async def much(_: web.Request) -> web.Response:
        return web.Response(body=b"x" * MUCH)

    async def main() -> None:
        app, port = web.Application(), free_port()
        app.router.add_get("/", hello)
        app.router.add_get("/much", much)

        async def connect() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            return await asyncio.open_connection(host, port)

        async with Listener("test", app, [host], port, most=most):
            async with asyncio.timeout(PATIENCE):
                await act(connect)

    asyncio.run(main())


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Ask for the page; return the first line, or nothing where the connection is closed."""
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return await reader.readline()
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def asks_for_ever(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.02)


def test_one_too_many_is_let_go_at_once_and_the_others_stay() -> None:
    async def act(connect: Open) -> None:
        first, second = await connect(), await connect()
        await asyncio.sleep(0.05)
        third = await connect()
        assert await answer(*third) == b""
        assert b" 200 " in await answer(*first)
        assert b" 200 " in await answer(*second)
        while b" 200 " not in await answer(*await connect()):  # noqa: ASYNC110 - the server sees it
            await asyncio.sleep(0.01)

    served(act, most=2)


def own_address() -> str:
    """Return an address of this machine that others see."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
        except OSError:
            pytest.skip("this machine has no network")
        address: str = probe.getsockname()[0]
        return address


def test_one_client_cannot_take_the_connections_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "MOST_OF_A_CLIENT", 2)

    async def act(connect: Open) -> None:
        first, second, third = [await connect() for _ in range(3)]
        assert await answer(*third) == b""
        for one in (first, second):
            assert b" 200 " in await answer(*one)
        while b" 200 " not in await answer(*await connect()):  # noqa: ASYNC110 - the server sees it
            await asyncio.sleep(0.01)

    served(act, most=10, host=own_address())


def test_who_asks_too_often_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "REQUESTS_AT_ONCE", 3.0)
    monkeypatch.setattr(admission, "REQUESTS_A_SECOND", 0.001)
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

    async def act(connect: Open) -> None:
        reader, writer = await connect()
        writer.write(5 * request)
        said = await reader.read()
        assert (said.count(b" 200 "), said.count(b" 429 ")) == (3, 1)
        assert b"Retry-After: 10" in said
        writer.close()
        assert await answer(*await connect()) == b""

    served(act, most=10, host=own_address())


def test_a_port_that_becomes_free_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "RETRY", 0.02)

    async def main() -> None:
        port = free_port()
        first, second = (
            Listener(name, web.Application(), ["127.0.0.1"], port, most=10)
            for name in ("first", "second")
        )
        async with contextlib.AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
            async with first:
                await stack.enter_async_context(second)
            while True:
                with contextlib.suppress(ConnectionRefusedError):
                    assert b" 404 " in await answer(
                        *await asyncio.open_connection("127.0.0.1", port)
                    )
                    return
                await asyncio.sleep(0.02)

    asyncio.run(main())


def test_who_does_not_take_what_is_sent_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(shedding, "STUCK_AFTER", 3.0)

    async def act(connect: Open) -> None:
        (_, deaf), hears = await connect(), await connect()
        for asks in (deaf, hears[1]):
            asks.write(b"GET /much HTTP/1.1\r\nHost: localhost\r\n\r\n")
        body = 0
        while body < MUCH:
            body += len(await hears[0].read(MUCH // 20))
        with pytest.raises(ConnectionError):
            await asks_for_ever(deaf)
        hears[1].close()

    served(act, most=10)


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_who_does_not_finish_asking_is_not_waited_for(
    begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "IDLE", 0.1)

    async def act(connect: Open) -> None:
        reader, writer = await connect()
        writer.write(begun)
        assert await reader.read() == b""
        writer.close()

    served(act, most=10)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EADDRNOTAVAIL, "this machine has no such address; write another 'host'"),
        (errno.EACCES, "this user may not; write another 'port', from 1024 on"),
        (errno.EMFILE, "[Errno 24] Too many open files"),
    ],
)
def test_why_an_address_cannot_be_listened_at_is_said(number: int, said: str) -> None:
    assert listening._why(OSError(number, os.strerror(number))) == said
