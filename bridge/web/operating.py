"""What operators do besides looking: the round, boards and their tables, the log, captures."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypeVar, cast

import msgspec
from aiohttp import web

from bridge.outputs.controls import Candidate, Changed, Controls, NotPossibleError, Role
from bridge.web.accounts import Role as AnyRole
from bridge.web.entrance import Entrance, Visitor
from bridge.web.messages import answer, read_json

_MAY: tuple[AnyRole, ...] = ("arbiter", "operator")

_T = TypeVar("_T")
_Short = Annotated[str, msgspec.Meta(max_length=200)]
_Round = Annotated[str, msgspec.Meta(min_length=1, max_length=30)]


class RoundRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The round of a group, or of the event where it is "", from now on.

    ``pairings`` is a file beside the configuration; without it, that of the round before is read.
    """

    round: _Round
    group: _Short = ""
    pairings: _Short | None = None


class BoardKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which board it is, with the keys of a configuration."""

    driver: _Short
    port: _Short = ""
    serial: _Short = ""
    unit: _Short = ""


class BoardsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which boards these tables have."""

    boards: Annotated[dict[_Short, BoardKeys], msgspec.Meta(min_length=1, max_length=1000)]


class Operating:
    """Answers operators and arbiters.

    Args:
        entrance: knows who asks.
        controls: does it.
    """

    def __init__(self, entrance: Entrance, controls: Controls) -> None:
        self._entrance = entrance
        self._controls = controls

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [
            web.get("/api/v1/log", self._log),
            web.get("/api/v1/round", self._rounds),
            web.post("/api/v1/round", self._set_round),
            web.get("/api/v1/boards", self._boards),
            web.post("/api/v1/boards", self._set_boards),
            web.post("/api/v1/discovery", self._discover),
            web.get("/api/v1/tables/{table:[^/]+}/captures.zip", self._captures),
        ]

    async def _log(self, request: web.Request) -> web.Response:
        role = cast("Role", self._entrance.admitted(request, *_MAY).role)
        return answer({"lines": [line._asdict() for line in self._controls.log(role)]})

    async def _rounds(self, request: web.Request) -> web.Response:
        self._entrance.admitted(request, *_MAY)
        files = await asyncio.to_thread(self._controls.pairing_files)
        return answer({"rounds": self._controls.rounds(), "files": files})

    async def _set_round(self, request: web.Request) -> web.Response:
        self._changer(request)
        asked = await read_json(request, RoundRequest)
        return await _done(
            self._controls.set_round(asked.group, asked.round, asked.pairings), _waits
        )

    async def _boards(self, request: web.Request) -> web.Response:
        self._entrance.admitted(request, *_MAY)
        return answer({"boards": self._controls.boards()})

    async def _set_boards(self, request: web.Request) -> web.Response:
        self._changer(request)
        asked = await read_json(request, BoardsRequest)
        boards: Mapping[str, Mapping[str, str]] = msgspec.to_builtins(asked.boards)
        return await _done(self._controls.set_boards(boards), _waits)

    async def _discover(self, request: web.Request) -> web.Response:
        self._changer(request)
        return await _done(self._controls.discover(), _found)

    async def _captures(self, request: web.Request) -> web.StreamResponse:
        self._entrance.admitted(request, *_MAY)
        table = request.match_info["table"]
        if table not in self._controls.boards():
            raise web.HTTPNotFound(text="there is no such table")
        headers = {"Content-Disposition": 'attachment; filename="captures.zip"'}
        response = web.StreamResponse(headers=headers)
        response.content_type = "application/zip"
        async with contextlib.AsyncExitStack() as stack:
            try:
                pieces = await stack.enter_async_context(self._controls.captures(table))
            except NotPossibleError as error:
                return answer({"error": str(error)}, status=409)
            await response.prepare(request)
            async for piece in pieces:
                await response.write(piece)
        await response.write_eof()
        return response

    def _changer(self, request: web.Request) -> Visitor:
        visitor = self._entrance.admitted(request, *_MAY)
        self._entrance.check_change(request, visitor)
        return visitor


def _found(candidates: list[Candidate]) -> dict[str, Any]:
    return {"found": [each._asdict() for each in candidates]}


def _waits(changed: Changed) -> dict[str, Any]:
    return {"waits": changed.waits}


async def _done(deed: Awaitable[_T], described: Callable[[_T], dict[str, Any]]) -> web.Response:
    """Return what came of a deed; one that is not possible is refused with the reason."""
    try:
        return answer(described(await deed))
    except NotPossibleError as error:
        return answer({"error": str(error)}, status=409)
