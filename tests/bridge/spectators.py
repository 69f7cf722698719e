"""Who looks at a hall over the web as the public may: all that such a one is ever sent."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp

from tests.web import PATIENCE

_PAGES = (
    *("/api/v1/event", "/api/v1/games", "/api/v1/games?plies=no"),
    *("/healthz", "/metrics", "/api/v1/equipment", "/api/v1/alerts"),
    *("/pgn/games.pgn", "/pgn/round-1.pgn", "/pgn/round-%3F.pgn"),
    *(f"/api/v1/games/{table}{game}" for table in "12" for game in ("", "/1", "/2")),
    *(f"/pgn/{table}{end}.pgn" for table in "12" for end in ("", "/1", "/2")),
)
TOURNAMENT = "0d2f4c6a-8b1e-4f3a-9c5d-7e6f8a9b0c1d"
"""The number of the cloud files."""
_CLOUD = ("tournament", "round-1/index", *(f"round-1/game-{place}" for place in (1, 2, 3, 4)))


class Spectator:
    """Follows both streams from the beginning; ``shown`` is what came, by where it came from.

    Numbers of messages are told from the first one on: it is a time.
    """

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session
        self._first = 0
        self.shown: dict[str, bytes] = {}

    async def ask(self) -> None:
        """Read what there is now, on every page and in both streams."""
        for page in _PAGES:
            await self._open(page)
        async with self._session.get("/api/v1/games") as response:
            last = (await response.json())["seq"]
        async with asyncio.timeout(PATIENCE):
            self.shown["stream"] = self._numbered(await self._said_on_socket(last))
            self.shown["events"] = self._numbered(await self._said_in_events(last))
            async with self._session.ws_connect("/api/v1/stream") as late:
                self.shown["late"] = self._numbered(json.loads(await late.receive_str()))

    async def ask_for_files(self) -> None:
        """Read the cloud files, which are whole when nobody writes them any more."""
        for name in _CLOUD:
            await self._open(f"/get/{TOURNAMENT}/{name}.json")

    async def _open(self, page: str) -> None:
        async with self._session.get(page) as response:
            body = await response.read()
            etag = response.headers.get("ETag", "")
        if response.content_type == "application/json":
            body = self._numbered(json.loads(body))
        self.shown[page] = b"%d %s %s" % (response.status, etag.encode(), body)

    @contextlib.asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        """Have both streams open."""
        async with (
            self._session.ws_connect("/api/v1/stream") as self._socket,
            self._session.get("/api/v1/events") as self._events,
        ):
            self._hello = json.loads(await self._socket.receive_str())
            self._first = self._hello["seq"]
            yield

    async def _said_on_socket(self, last: int) -> list[Any]:
        said = [self._hello]
        while said[-1]["seq"] != last:
            said.append(json.loads(await self._socket.receive_str()))
        return said

    async def _said_in_events(self, last: int) -> list[Any]:
        said: list[Any] = []
        while not said or said[-1]["seq"] != last:
            line = await self._events.content.readline()
            if line.startswith(b"data: "):
                said.append(json.loads(line.removeprefix(b"data: ")))
        return said

    def _numbered(self, answer: Any) -> bytes:
        for message in answer if isinstance(answer, list) else [answer]:
            if "seq" in message:
                message["seq"] -= self._first
        return json.dumps(answer).encode()
