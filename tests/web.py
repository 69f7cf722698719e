"""The web server with facts that are told to it, and its clients."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import aiohttp

from bridge.config import Config, parse
from bridge.core.model import Fact, Ruling
from bridge.outputs.controls import Candidate, Changed, Controls, LogLine, NotPossibleError
from bridge.outputs.health import Health, Watch
from bridge.web.pages import BUILT
from bridge.web.server import Web
from tests.livechess import free_port

PATIENCE = 60.0

Message = dict[str, Any]


def config_of(folder: Path, web: str = "", *, tables: tuple[str, ...] = ("1",)) -> Config:
    """A configuration that serves pages at a free port, with more keys of *web*."""
    text = "event: {name: Test Open, site: Delft, round: 1}\n"
    text += f"web: {{port: {free_port()}{', ' if web else ''}{web}}}\ntables:\n"
    for number, name in enumerate(tables, start=1):
        quoted = json.dumps(name)
        text += f"  - {{table: {quoted}, number: {number}, board: {{port: /dev/x{number}}}}}\n"
    return parse(text, folder / "hall.yaml")


def controls(config: Config) -> Controls:
    """What can be done with a hall that holds still: its round and its boards stay."""

    async def discover() -> list[Candidate]:
        return [Candidate("serial:/dev/x", "dgt", "31234", (), "", {"driver": "dgt"})]

    async def refuse(*_: object) -> Changed:
        raise NotPossibleError("nothing is changed here")

    async def no_file(_: object) -> bytes:
        raise NotPossibleError("there is no such file")

    @contextlib.asynccontextmanager
    async def captures(_: str) -> AsyncIterator[AsyncIterator[bytes]]:
        async def pieces() -> AsyncIterator[bytes]:
            yield b"PK"

        yield pieces()

    return Controls(
        log=lambda _: [LogLine(1.0, "info", "rumour of a link")],
        discover=discover,
        rounds=lambda: {"": config.event.round},
        pairing_files=lambda: ["round-2.pgn"],
        set_round=refuse,
        boards=lambda: {table.table: {"driver": "dgt"} for table in config.tables},
        set_boards=refuse,
        captures=captures,
        change=refuse,
        pairings=no_file,
    )


class Stage:
    """The server with facts that are published here, as the daemon would; ``now`` is its time."""

    def __init__(self, config: Config, pages: Path | None = None) -> None:
        assert config.web is not None
        self.now = 0.0
        self.config = config
        self.url = config.web.address.rstrip("/")
        self.health = Health("ok")
        self.figures = b"eboard_here 1\n"
        self.equipment: dict[str, object] = {"troubles": [], "links": [], "outputs": []}
        self.web = Web(
            config,
            config.web,
            lambda: self.now,
            self.deliver,
            today="2026.11.22",
            watch=Watch(self.metrics, self.how_it_is, self.how_links_do),
            controls=controls(config),
            pages=BUILT if pages is None else pages,
        )

    async def metrics(self) -> tuple[bytes, str]:
        return self.figures, "text/plain; version=0.0.4; charset=utf-8"

    async def how_links_do(self) -> dict[str, object]:
        return self.equipment

    async def how_it_is(self) -> Health:
        return self.health

    def deliver(self, table: str, link: str, ruling: Ruling) -> None:
        """Take an order, as the hall would."""
        raise AssertionError(f"nobody gives orders here: {table}, {link}, {ruling}")

    def tell(self, *facts: Fact) -> None:
        for fact in facts:
            self.now = max(self.now, fact.at)
            self.web.tell(fact)


class Visitor:
    """Asks the server; cookies are kept as a browser keeps them."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session

    async def get(self, path: str, status: int = 200, **headers: str) -> aiohttp.ClientResponse:
        """Get *path* and read the answer, which has *status*."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        response = await self.session.get(path, headers=named)
        await response.read()
        assert response.status == status, (path, response.status, await response.text())
        return response

    async def json(self, path: str, status: int = 200, **headers: str) -> Any:
        response = await self.get(path, status, **headers)
        assert response.content_type == "application/json"
        return await response.json()

    @contextlib.asynccontextmanager
    async def stream(self, query: str = "", **headers: str) -> AsyncIterator["Stream"]:
        async with self.session.ws_connect(f"/api/v1/stream{query}", headers=headers) as socket:
            yield Stream(socket)


class Stream:
    """One WebSocket that is told of games."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def next(self) -> Message:
        async with asyncio.timeout(PATIENCE):
            message: Message = json.loads(await self.socket.receive_str())
        return message

    async def until(self, true: Callable[[Message], object]) -> list[Message]:
        """Return all messages up to the first for which *true* holds."""
        messages = [await self.next()]
        while not true(messages[-1]):
            messages.append(await self.next())
        return messages


Act = Callable[[Stage, Visitor], Coroutine[None, None, None]]


def staged(act: Act, stage: Stage) -> None:
    """Run the server, and *act* beside it as somebody who looks on."""

    async def run() -> None:
        async with stage.web, visiting(stage.url) as visitor, asyncio.timeout(PATIENCE):
            await act(stage, visitor)

    asyncio.run(run())


@contextlib.asynccontextmanager
async def visiting(url: str) -> AsyncIterator[Visitor]:
    jar = aiohttp.CookieJar(unsafe=True)  # cookies of plain addresses too
    async with aiohttp.ClientSession(url, cookie_jar=jar) as session:
        yield Visitor(session)
