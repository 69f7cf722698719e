"""Scoresheets to be printed."""

import asyncio

from aiohttp import web

from bridge.core.scoresheet.notation.writing import NotationError
from bridge.core.scoresheet.record import GameRecord
from bridge.core.scoresheet.sheet import sheet
from bridge.outputs.feed import Feed
from bridge.web.entrance import Entrance
from bridge.web.records import GAME, record_of


class Scoresheets:
    """Answers arbiters who want one.

    Args:
        entrance: knows who asks.
        feed: has the games.
    """

    def __init__(self, entrance: Entrance, feed: Feed) -> None:
        self._entrance = entrance
        self._feed = feed

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [
            web.get(f"{GAME}/sheet.pdf", self._sheet),
            web.get(f"{GAME}/sheet.html", self._sheet),
        ]

    async def _sheet(self, request: web.Request) -> web.Response:
        self._entrance.admitted(request, "arbiter")
        record = record_of(request, self._feed)
        if not record.plies:
            raise web.HTTPNotFound(text="nothing was played in this game")
        language, form = request.query.get("language", "en"), request.query.get("form", "fide")
        printed = _pdf if request.path.endswith(".pdf") else _html
        try:
            return await asyncio.to_thread(printed, record.copy(), language, form)
        except NotationError as error:
            raise web.HTTPBadRequest(text=str(error)) from None


def _pdf(record: GameRecord, language: str, form: str) -> web.Response:
    from bridge.outputs.sheets.pdf import to_pdf  # loads fonts, and is seldom asked for

    body = to_pdf([sheet(record, language=language, style=form)])
    return web.Response(body=body, content_type="application/pdf")


def _html(record: GameRecord, language: str, form: str) -> web.Response:
    from bridge.outputs.sheets.html import to_html

    text = to_html([sheet(record, language=language, style=form)])
    # Its styles and fonts are in the page itself, and nothing else may be.
    policy = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; frame-ancestors 'none'"
    headers = {"Content-Security-Policy": policy}
    return web.Response(text=text, content_type="text/html", charset="utf-8", headers=headers)
