"""What operators and arbiters are shown besides the games: boards, links, alerts and rulings."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from bridge.core.audience import for_audience
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    BoardChanged,
    ClaimChecked,
    DrawOffered,
    Fact,
    LinkChanged,
    MoveProvisional,
    OffencesCounted,
    RulingMade,
    RulingRefused,
    RulingUndone,
    StateExplained,
    TableSetup,
)
from bridge.outputs.feed import Feed
from bridge.outputs.overview import TableView
from bridge.web.archive import Archive
from bridge.web.games import Game
from bridge.web.showing import Showing

_TYPES: dict[type[Fact], str] = {
    AlertCleared: "alert_cleared",
    AlertRaised: "alert",
    BoardChanged: "board",
    ClaimChecked: "claim",
    DrawOffered: "draw_offer",
    LinkChanged: "link",
    MoveProvisional: "provisional",
    OffencesCounted: "offences",
    RulingMade: "ruling",
    RulingRefused: "ruling_refused",
    RulingUndone: "ruling_undone",
    StateExplained: "state",
}


class StaffShowing(Showing):
    """The games of a hall, at once, and what happens at its tables as far as *audience* may see.

    *archive* knows the alerts; only an arbiter is told their ids.
    """

    def __init__(
        self,
        audience: Literal["operator", "arbiter"],
        feed: Feed,
        tables: Sequence[str],
        setup: Callable[[str], TableSetup],
        numbers: Iterator[int],
        archive: Archive,
    ) -> None:
        super().__init__(audience, feed, tables, setup, numbers)
        self._archive = archive

    def places(self) -> list[dict[str, Any]]:
        """Return what is known of every table besides its game, in the order of the boards."""
        return list(map(self._place, self.tables()))

    def place(self, table: str) -> dict[str, Any]:
        """Return what is known of a table besides its game."""
        return self._place(table)

    def _greeting(self, games: list[Game], shown: list[Any]) -> dict[str, Any]:
        places = [self._place(game.table) for game in games]
        return {**super()._greeting(games, shown), "places": places}

    def _place(self, table: str) -> dict[str, Any]:
        view: TableView = self._feed.overview.tables[table]
        link = view.link
        return {
            "table": table,
            "link": link and {"state": link.state, "detail": link.detail},
            "cells": view.cells,
            "standing": view.standing,
            "waits_for": view.waits_for,
            "alerts": list(self._alerts(view)),
        }

    def _alerts(self, view: TableView) -> Iterator[dict[str, Any]]:
        told: set[str] = set()
        for alert in view.alerts.values():
            shown = for_audience(alert, self._audience)
            if isinstance(shown, AlertRaised) and shown.code not in told:
                told.add(shown.code)
                yield self._described(shown)

    def _take(self, fact: Fact) -> None:
        kind = _TYPES.get(type(fact))
        if kind is not None:
            self.tell(fact.table, {"type": kind, **self._described(fact)})
        super()._take(fact)

    def _described(self, fact: Fact) -> dict[str, Any]:
        described: dict[str, Any] = msgspec.to_builtins(fact)
        if self._audience == "arbiter" and isinstance(fact, AlertRaised | AlertCleared):
            alert = self._archive.of_fact(fact)
            if alert is not None:
                described["id"] = alert.id
        return described
