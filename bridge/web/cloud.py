"""The cloud files over HTTP, at the addresses at which LiveChess Cloud has them.

A viewer asks ``/meta/ID`` where a tournament is, and then for its files below ``/get/ID``. Whatever
it writes behind an address (``?poll``, ``?noCache=…``) changes nothing.
"""

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from aiohttp import web

from bridge.web.messages import answer
from bridge.web.texts import Text, sent, unchanged

FORMAT = "1"
"""The only one there is; importers refuse any other."""
_TYPE = "application/json"
_ROUND = "/get/{id}/round-{round:[1-9][0-9]{0,2}}"


class CloudPages:
    """Serves the files in ``folders``, by the number of the tournament.

    *admit* refuses who may not see them. They are as late as they were written.
    """

    def __init__(self, folders: Mapping[str, Path], admit: Callable[[web.Request], None]) -> None:
        self.folders = folders
        self._admit = admit

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [
            web.get("/meta/{id}", self._where),
            web.get("/get/{id}/tournament.json", self._tournament),
            web.get(f"{_ROUND}/index.json", self._index),
            web.get(f"{_ROUND}/game-{{game:[1-9][0-9]{{0,3}}}}.json", self._game),
        ]

    async def _where(self, request: web.Request) -> web.Response:
        self._folder(request)
        return answer({"host": request.host, "format": FORMAT})

    async def _tournament(self, request: web.Request) -> web.Response:
        return await self._file(request, "tournament.json")

    async def _index(self, request: web.Request) -> web.Response:
        return await self._file(request, f"round-{request.match_info['round']}/index.json")

    async def _game(self, request: web.Request) -> web.Response:
        info = request.match_info
        return await self._file(request, f"round-{info['round']}/game-{info['game']}.json")

    def _folder(self, request: web.Request) -> Path:
        self._admit(request)
        folder = self.folders.get(request.match_info["id"])
        if folder is None:
            raise web.HTTPNotFound(text="there is no such tournament")
        return folder

    async def _file(self, request: web.Request, name: str) -> web.Response:
        path = self._folder(request) / name
        try:
            text = await asyncio.to_thread(_read, path)
        except FileNotFoundError:
            raise web.HTTPNotFound(text="there is no such file yet") from None
        if text.is_known(request):
            return unchanged(text, _TYPE)
        return sent(request, text, _TYPE)


def _read(path: Path) -> Text:
    with path.open("rb") as file:
        return Text.of(file.read(), os.fstat(file.fileno()).st_mtime)
