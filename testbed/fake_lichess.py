"""A server that behaves like the part of Lichess that broadcasters use, with trouble on demand."""

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web

from testbed.lichess_rounds import BroadcastRound, Chapter

Trouble = Literal["busy", "broken", "before", "after", "slow", "echo"]
"""What happens to a call: 429, 500, the line breaks before or after it was done, it takes a second,
or the server is broken and tells all the headers it got."""

TOKEN = "lip_tHisIsTheSecretOfATest"  # noqa: S105 - of a fake


@dataclass
class FakeLichess:
    """Rounds by id, tournaments with the ids of their rounds, and what was called."""

    rounds: dict[str, BroadcastRound] = field(default_factory=dict)
    tournaments: dict[str, list[str]] = field(default_factory=dict)
    forms: list[dict[str, str]] = field(default_factory=list)
    trouble: deque[Trouble | None] = field(default_factory=deque)
    calls: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    contributor: bool = True
    readable: bool = True
    most_at_once: int = 0
    url: str = ""
    _at_once: int = 0

    def add_round(self, round_id: str, name: str = "Round 1") -> BroadcastRound:
        self.rounds[round_id] = BroadcastRound(round_id, name)
        return self.rounds[round_id]

    @contextlib.asynccontextmanager
    async def serving(self, port: int = 0, *, host: str = "127.0.0.1") -> AsyncIterator[str]:
        """Serve on this machine; yields the address."""
        app = web.Application(middlewares=[self._gate], client_max_size=2**24)
        app.router.add_post("/api/broadcast/round/{id}/push", self._push)
        app.router.add_get("/api/broadcast/round/{id:[A-Za-z0-9]+}.pgn", self._games)
        app.router.add_post("/api/broadcast/round/{id}/reset", self._reset)
        app.router.add_get("/api/broadcast/my-rounds", self._my_rounds)
        app.router.add_get("/api/broadcast/{id}", self._tournament)
        app.router.add_post("/broadcast/new", self._new_tournament)
        app.router.add_post("/broadcast/{id}/new", self._new_round)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, host, port)
        await site.start()
        self.url = f"http://{host}:{runner.addresses[0][1]}"
        try:
            yield self.url
        finally:
            await runner.cleanup()

    @web.middleware
    async def _gate(self, request: web.Request, handler: Any) -> web.StreamResponse:
        self.calls.append(f"{request.method} {request.path}")
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return await self._answer(request, handler)
        finally:
            self._at_once -= 1

    async def _answer(self, request: web.Request, handler: Any) -> web.StreamResponse:
        trouble = self.trouble.popleft() if self.trouble else None
        match trouble:
            case "busy":
                return _json({"error": "Too many requests. Try again later."}, 429)
            case "broken":
                return web.Response(text="<html>Bad gateway</html>", status=502)
            case "echo":
                return _json({"error": f"Cannot handle {dict(request.headers)}"}, 500)
            case "before":
                _cut(request)
            case "slow":
                await asyncio.sleep(1.0)
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return _json({"error": "No such token"}, 401)
        response: web.StreamResponse = await handler(request)
        if trouble == "after":
            _cut(request)
        return response

    async def _push(self, request: web.Request) -> web.Response:
        found = self.rounds.get(request.match_info["id"])
        if found is None:
            return _json({"error": "Not found"}, 404)
        if not self.contributor:
            return _json({"error": "You are not a contributor"}, 403)
        assert request.content_type == "text/plain"
        assert request.charset == "utf-8"
        body = (await request.read()).decode()
        self.bodies.append(body)
        return _json({"games": found.push(body)})

    async def _reset(self, request: web.Request) -> web.Response:
        self.rounds[request.match_info["id"]].chapters[:] = [Chapter(initial=True)]
        return _json({"ok": True})

    async def _games(self, request: web.Request) -> web.Response:
        found = self.rounds.get(request.match_info["id"])
        if found is None or not self.readable:
            return _json({"error": "Not found"}, 404)
        text = "\n".join(each.pgn() for each in found.chapters)
        return web.Response(text=text, content_type="application/x-chess-pgn")

    async def _my_rounds(self, _request: web.Request) -> web.Response:
        lines = [
            json.dumps(
                {
                    "round": _named(each),
                    "tour": {"id": tour, "name": "Harbour Open"},
                    "study": {"writeable": self.contributor},
                }
            )
            for tour, ids in self.tournaments.items()
            for each in map(self.rounds.__getitem__, ids)
        ]
        return web.Response(text="\n".join(lines), content_type="application/x-ndjson")

    async def _tournament(self, request: web.Request) -> web.Response:
        tour = request.match_info["id"]
        if tour not in self.tournaments:
            return _json({"error": "Not found"}, 404)
        rounds = [_named(self.rounds[each]) for each in self.tournaments[tour]]
        return _json({"tour": {"id": tour, "name": "Harbour Open"}, "rounds": rounds})

    async def _new_tournament(self, request: web.Request) -> web.Response:
        form = {name: str(value) for name, value in (await request.post()).items()}
        if not 3 <= len(form.get("name", "")) <= 80:
            return _json({"error": "name: from 3 to 80 characters"}, 400)
        self.forms.append(form)
        tour = f"Tour{len(self.tournaments) + 1:04}"
        self.tournaments[tour] = []
        url = f"{self.url}/broadcast/-/{tour}"
        return _json({"tour": {"id": tour, "name": form["name"], "url": url}, "rounds": []})

    async def _new_round(self, request: web.Request) -> web.Response:
        tour = request.match_info["id"]
        if tour not in self.tournaments:
            return _json({"error": "Not found"}, 404)
        name = str((await request.post())["name"])
        if not 3 <= len(name) <= 80:
            return _json({"error": "name: from 3 to 80 characters"}, 400)
        made = self.add_round(f"Made{len(self.rounds) + 1:04}", name)
        self.tournaments[tour].append(made.id)
        return _json({"round": _named(made), "tour": {"id": tour}, "study": {"writeable": True}})


def _named(each: BroadcastRound) -> dict[str, Any]:
    url = f"https://lichess.org/broadcast/-/-/{each.id}"
    return {"id": each.id, "name": each.name, "url": url, "startsAt": 1763866266769}


def _json(value: dict[str, Any], status: int = 200) -> web.Response:
    return web.json_response(value, status=status)


def _cut(request: web.Request) -> None:
    """Break the line without a word."""
    assert request.transport is not None
    request.transport.abort()
    raise ConnectionResetError
