"""The arbiter's desk: alerts with what they rest on, orders, the audit list."""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from bridge.core.inference.placement import cells_from_placement, fits
from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.model import Colour, Order, Ruling, RulingMade
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.feed import Feed
from bridge.store.errors import JournalError
from bridge.store.rows import read_before
from bridge.web.accounts import Role
from bridge.web.archive import Alert, Archive
from bridge.web.entrance import Entrance
from bridge.web.measures import measures
from bridge.web.messages import answer, read_json
from bridge.web.offences import Offences, elsewhere
from bridge.web.orders import Orders
from bridge.web.staff import StaffShowing

logger = logging.getLogger(__name__)

EVIDENCE_SECONDS = 60.0
"""Of what came before an alert, the last so many seconds are shown."""
LEAST_EVIDENCE = 50
"""Readings that are shown, however old they are."""
MOST_EVIDENCE = 1000
"""Readings that are shown at most: some boards tell many a second."""
LARGEST_NUMBER = 1e11
"""No ply, no time and no date is larger."""
MOST_MOVES = 1000
LONGEST_TEXT = 1000

_SEVERITIES = ("critical", "warning", "notice", "tech", "silent")


class OrderRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is sent to give an order.

    ``game``, ``ply`` and ``fen`` are what its author saw. With ``alert`` it is refused where
    another arbiter has dealt with that alert.
    """

    order: Order
    reason: str = ""
    game: int | None = None
    ply: int | None = None
    fen: str | None = None
    alert: str | None = None


class Desk:
    """Answers arbiters.

    Args:
        entrance: knows who asks.
        shown_to: the hall as operators and arbiters are shown it.
        feed: its games and alerts.
        archive: alerts and rulings so far.
        orders: takes orders to the tables.
        journal: the file of all readings.
    """

    def __init__(
        self,
        entrance: Entrance,
        shown_to: Mapping[Role, StaffShowing],
        feed: Feed,
        archive: Archive,
        orders: Orders,
        journal: Path,
    ) -> None:
        self._entrance = entrance
        self._shown_to = shown_to
        self._staff = shown_to["arbiter"]
        self._feed = feed
        self._archive = archive
        self._orders = orders
        self._journal = journal
        self._in_hand: dict[str, str] = {}
        self._dealt_with: dict[str, RulingMade] = {}

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        return [
            web.get("/api/v1/places", self._places),
            web.get("/api/v1/alerts", self._alerts),
            web.get("/api/v1/alerts/{id:[^/]+}", self._alert),
            web.get("/api/v1/audit", self._audit),
            web.post("/api/v1/tables/{table:[^/]+}/orders", self._order),
        ]

    async def _places(self, request: web.Request) -> web.Response:
        visitor = self._entrance.admitted(request, "arbiter", "operator")
        return answer({"places": self._shown_to[visitor.role].places()})

    # -- alerts ----------------------------------------------------------------------------------

    async def _alerts(self, request: web.Request) -> web.Response:
        self._entrance.admitted(request, "arbiter")
        alerts = self._archive.alerts(request.query.get("table"))
        if request.query.get("history") != "yes":
            known = self._feed.overview.tables
            alerts = [each for each in alerts if each.open and each.raised.table in known]
        alerts.sort(key=lambda each: _SEVERITIES.index(each.raised.severity))
        return answer({"alerts": list(map(_described, alerts))})

    async def _alert(self, request: web.Request) -> web.Response:
        self._entrance.admitted(request, "arbiter")
        alert = self._archive.alert(request.match_info["id"])
        if alert is None:
            raise web.HTTPNotFound(text="there is no such alert")
        raised = alert.raised
        record = self._feed.book.record(raised.table, raised.game)
        offered = measures(raised, record) if alert.open else []
        game = self._staff.game(raised.table, raised.game)
        return answer(
            {
                "alert": _described(alert),
                "game": game,
                "seen": game and {"game": game.game, "ply": game.ply, "fen": game.fen},
                "place": self._place(raised.table),
                "differs": self._differs(raised.table, record),
                "offences": self._archive.offences(raised.table, raised.game),
                "offences_elsewhere": self._elsewhere(record),
                "measures": [each._asdict() for each in offered],
                "history": self._history(alert),
                "evidence": await asyncio.to_thread(self._evidence, alert),
            }
        )

    def _place(self, table: str) -> dict[str, Any] | None:
        return self._staff.place(table) if table in self._feed.overview.tables else None

    def _differs(self, table: str, record: GameRecord | None) -> list[int]:
        """Return the squares on which something else stands than the record has, a1 being 0."""
        view = self._feed.overview.tables.get(table)
        if view is None or not view.cells or record is None:
            return []
        expected = cells_from_placement(record.position(len(record.plies)).split()[0])
        pairs = zip(view.cells, expected, strict=True)
        return [square for square, (shown, man) in enumerate(pairs) if not fits(shown, man)]

    def _elsewhere(self, record: GameRecord | None) -> dict[Colour, list[Offences]]:
        if record is None:
            return {"white": [], "black": []}
        return elsewhere(record, self._feed.book.records(), self._archive)

    def _history(self, alert: Alert) -> dict[str, Any]:
        """Return what else was raised in the same game, and ruled."""
        table, game = alert.raised.table, alert.raised.game
        others = [
            a for a in self._archive.alerts(table) if a.raised.game == game and a is not alert
        ]
        rulings = [r for r in self._archive.audit() if (r.table, r.game) == (table, game)]
        return {
            "alerts": [_described(a) for a in others if a.raised.severity != "silent"],
            "rulings": [entry._asdict() for entry in rulings],
        }

    def _evidence(self, alert: Alert) -> list[Any] | None:
        """Return the readings before an alert; ``None`` where the journal cannot be read."""
        try:
            at = alert.raised.at
            readings = read_before(self._journal, alert.raised.table, at, MOST_EVIDENCE)
        except JournalError:
            logger.exception("web: the evidence of alert %s cannot be shown", alert.id)
            return None
        older = sum(reading.at < at - EVIDENCE_SECONDS for reading in readings)
        return readings[min(older, max(0, len(readings) - LEAST_EVIDENCE)) :]

    # -- orders ----------------------------------------------------------------------------------

    async def _audit(self, request: web.Request) -> web.Response:
        self._entrance.admitted(request, "arbiter")
        return answer({"entries": [entry._asdict() for entry in self._archive.audit()]})

    async def _order(self, request: web.Request) -> web.Response:
        arbiter = self._entrance.admitted(request, "arbiter")
        self._entrance.check_change(request, arbiter)
        asked = await read_json(request, OrderRequest)
        _check_size(asked)
        table = request.match_info["table"]
        if table not in self._feed.overview.tables:
            raise web.HTTPNotFound(text="there is no such table")
        ruling = Ruling(
            by=arbiter.name,
            order=asked.order,
            reason=asked.reason,
            game=asked.game,
            ply=asked.ply,
            fen=asked.fen,
        )
        if asked.alert is None:
            return await self._give(table, ruling)
        return await self._give_about(asked.alert, table, ruling)

    async def _give_about(self, name: str, table: str, ruling: Ruling) -> web.Response:
        """Give an order about an alert, unless another arbiter has dealt with it or does so."""
        alert = self._archive.alert(name)
        if alert is None or alert.raised.table != table:
            raise web.HTTPNotFound(text="there is no such alert at this table")
        made = self._dealt_with.get(name) or alert.ruling
        if made is not None and made.ruling.by != ruling.by:
            said = f"{made.ruling.by} has dealt with it by ruling {made.number}: {made.text}"
            return answer({"error": said, "ruling": made}, status=409)
        other = self._in_hand.setdefault(name, ruling.by)
        if other != ruling.by:
            return answer({"error": f"{other} is dealing with it at this moment"}, status=409)
        try:
            return await self._give(table, ruling, about=name)
        finally:
            self._in_hand.pop(name, None)

    async def _give(self, table: str, ruling: Ruling, *, about: str | None = None) -> web.Response:
        try:
            outcome = await self._orders.give(table, ruling)
        except TimeoutError:
            raise web.HTTPServiceUnavailable(
                text="the order waits: the journal cannot write it yet; do not give it again"
            ) from None
        verdict = outcome.verdict
        if not isinstance(verdict, RulingMade):
            return answer({"error": verdict.reason, "refused": verdict}, status=409)
        if about is not None:
            self._dealt_with[about] = verdict
        return answer({"number": verdict.number, "text": verdict.text, "facts": outcome.facts})


def _described(alert: Alert) -> dict[str, Any]:
    """Return an alert as pages are told of it."""
    kind, ruling = CATALOGUE[alert.raised.code], alert.ruling
    return {
        **msgspec.to_builtins(alert.raised),
        "id": alert.id,
        "open": alert.open,
        "title": kind.title,
        "suggest": kind.suggest,
        "cleared": alert.cleared,
        "ruling": ruling,
    }


def _check_size(asked: OrderRequest) -> None:
    """Refuse what no order needs, so that no table has to cope with it."""
    order = msgspec.to_builtins(asked.order)
    moves = order.pop("moves", ())
    small = all(map(_is_small, (asked.game, asked.ply, asked.fen, *order.values(), *moves)))
    if not small or len(asked.reason) > LONGEST_TEXT or len(moves) > MOST_MOVES:
        raise web.HTTPBadRequest(text="that is more than an order can hold")


def _is_small(value: object) -> bool:
    if isinstance(value, int | float):
        return abs(value) <= LARGEST_NUMBER
    return not isinstance(value, str) or len(value) <= LONGEST_TEXT
