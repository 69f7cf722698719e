"""The event and its games, for everybody."""

from collections.abc import Callable

import msgspec
from aiohttp import web

from bridge.config import Config
from bridge.web.games import Game, brief
from bridge.web.showing import Showing

SMALLEST_COMPRESSED = 4096
"""Bytes from which on an answer is compressed."""


class Api:
    """Answers about the event and its games.

    Args:
        config: the configuration as it is now.
        showing: what who asks is shown.
    """

    def __init__(
        self, config: Callable[[], Config], showing: Callable[[web.Request], Showing]
    ) -> None:
        self._config = config
        self._showing = showing

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [
            web.get("/api/v1/event", self._event),
            web.get("/api/v1/games", self._games),
            web.get("/api/v1/games/{table:[^/]+}", self._game),
            web.get("/api/v1/games/{table:[^/]+}/{game:[0-9]{1,6}}", self._game),
        ]

    async def _event(self, request: web.Request) -> web.Response:
        config, tables = self._config(), self._showing(request).tables()
        return answer(
            {
                "name": config.event.name,
                "site": config.event.site,
                "round": config.event.round,
                "tables": tables,
                "rule_set": config.rules(config.tables[0]).name,
            }
        )

    async def _games(self, request: web.Request) -> web.Response:
        showing = self._showing(request)
        games = showing.games()
        shown = list(map(brief, games)) if request.query.get("plies") == "no" else games
        return answer({"seq": showing.channel.seq, "games": shown})

    async def _game(self, request: web.Request) -> web.Response:
        return answer(self._found(request))

    def _found(self, request: web.Request) -> Game:
        number = request.match_info.get("game")
        game = self._showing(request).game(
            request.match_info["table"], None if number is None else int(number)
        )
        if game is None:
            raise web.HTTPNotFound(text="there is no such game")
        return game


def answer(value: object, *, status: int = 200) -> web.Response:
    """Return *value* as JSON."""
    body = msgspec.json.encode(value)
    response = web.Response(status=status, body=body, content_type="application/json")
    if len(body) >= SMALLEST_COMPRESSED:
        response.enable_compression()
    return response
