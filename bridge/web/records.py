"""The record of a game that is named in an address."""

from aiohttp import web

from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.feed import Feed

GAME = "/api/v1/games/{table:[^/]+}/{game:[0-9]{1,6}}"
"""The address of a game, as a route says it."""


def record_of(request: web.Request, feed: Feed) -> GameRecord:
    """Return the record of the game that a request to :data:`GAME` is about.

    Raises:
        web.HTTPNotFound: there is none.
    """
    record = feed.book.record(request.match_info["table"], int(request.match_info["game"]))
    if record is None:
        raise web.HTTPNotFound(text="there is no such game")
    return record
