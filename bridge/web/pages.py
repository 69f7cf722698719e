"""The files of the pages, as they were built; without them, a page that says so."""

from pathlib import Path

from aiohttp import web

BUILT = Path(__file__).with_name("static")

_FOREVER = "public, max-age=31536000, immutable"
_ALWAYS_ASK = "no-cache"
_NAME = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"
_PAGES = ("/", "/board/{table:[^/]+}", "/login", "/arbiter", "/arbiter/{rest:.*}", "/operator")
_INSTEAD = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><title>eboard-bridge</title>
<h1>eboard-bridge</h1>
<p>The server runs; its pages were not built into this installation.</p>
<ul>
<li><a href="/api/v1/games">the games</a> (<a href="/api/v1/openapi.yaml">how to ask</a>)
<li><a href="/pgn/games.pgn">the games as PGN</a>
</ul></html>
"""


class Pages:
    """Serves the pages of *folder* to browsers."""

    def __init__(self, folder: Path = BUILT) -> None:
        self._folder = folder

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [
            *(web.get(path, self._page) for path in _PAGES),
            web.get("/overlay/{table:[^/]+}", self._overlay),
            web.get(f"/assets/{{name:{_NAME}}}", self._asset),
            web.get(f"/{{name:{_NAME}}}", self._file),
        ]

    async def _page(self, _request: web.Request) -> web.StreamResponse:
        return self._html("index.html")

    async def _overlay(self, _request: web.Request) -> web.StreamResponse:
        has_own = (self._folder / "overlay.html").is_file()
        return self._html("overlay.html" if has_own else "index.html")

    def _html(self, name: str) -> web.StreamResponse:
        path = self._folder / name
        if not path.is_file():
            return web.Response(text=_INSTEAD, content_type="text/html", charset="utf-8")
        return _sent(path, _ALWAYS_ASK)

    async def _asset(self, request: web.Request) -> web.StreamResponse:
        return self._found(self._folder / "assets" / request.match_info["name"], _FOREVER)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return self._found(self._folder / request.match_info["name"], _ALWAYS_ASK)

    @staticmethod
    def _found(path: Path, caching: str) -> web.StreamResponse:
        if not path.is_file():
            raise web.HTTPNotFound(text="there is no such page")
        return _sent(path, caching)


def _sent(path: Path, caching: str) -> web.FileResponse:
    response = web.FileResponse(path)
    response.headers["Cache-Control"] = caching
    return response
