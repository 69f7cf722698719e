"""The event and its games, for everybody."""

from collections.abc import Callable

from aiohttp import web

from bridge.config import Config
from bridge.web.games import Game, brief
from bridge.web.messages import answer
from bridge.web.records import GAME
from bridge.web.showing import Showing


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
            web.get(GAME, self._game),
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
