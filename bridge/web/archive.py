"""What was raised and ruled at each table, for the arbiter's console: all of it from facts."""

from collections import defaultdict, deque
from collections.abc import Iterator

import msgspec

from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    Fact,
    OffencesCounted,
    RulingMade,
    RulingRefused,
    RulingUndone,
)
from bridge.core.table.rulings.audit import Entry, audit

KEPT = 1000
"""Alerts of a table that are kept."""


class Alert(msgspec.Struct, kw_only=True):
    """An alert from its raising to its end.

    ``ruling`` is the one that ended it; ``replaced`` says that it was raised anew for another
    cause. ``number`` counts the alerts of a table.
    """

    number: int
    raised: AlertRaised
    cleared: AlertCleared | None = None
    ruling: RulingMade | None = None
    replaced: bool = False

    @property
    def id(self) -> str:
        """What names the alert in addresses; the same after a restart."""
        return f"{self.raised.table}:{self.number}"

    @property
    def open(self) -> bool:
        """Whether it stands."""
        return self.cleared is None and not self.replaced


class Archive:
    """The alerts, rulings and offences of all tables."""

    def __init__(self) -> None:
        self._alerts: defaultdict[str, deque[Alert]] = defaultdict(lambda: deque(maxlen=KEPT))
        self._rulings: list[Fact] = []
        self._offences: dict[tuple[str, int], dict[str, int]] = {}
        self._latest: dict[str, RulingMade] = {}

    def tell(self, fact: Fact) -> None:
        """Take the next fact of a table."""
        match fact:
            case AlertRaised():
                self._raise(fact)
            case AlertCleared():
                self._clear(fact)
            case OffencesCounted():
                counts = self._offences.setdefault((fact.table, fact.game), {})
                counts[fact.colour] = fact.count
            case RulingMade() | RulingRefused() | RulingUndone():
                self._rulings.append(fact)
                if isinstance(fact, RulingMade):
                    self._latest[fact.table] = fact
            case _:
                pass

    def _raise(self, fact: AlertRaised) -> None:
        for alert in self._standing(fact.table, fact.code):
            alert.replaced = True
        alerts = self._alerts[fact.table]
        number = alerts[-1].number + 1 if alerts else 1
        alerts.append(Alert(number=number, raised=fact))

    def _clear(self, fact: AlertCleared) -> None:
        ruling = self._latest.get(fact.table)
        if ruling is not None and ruling.at != fact.at:
            ruling = None
        for alert in self._standing(fact.table, fact.code):
            alert.cleared, alert.ruling = fact, ruling

    def _standing(self, table: str, code: str) -> Iterator[Alert]:
        return (each for each in self._alerts[table] if each.open and each.raised.code == code)

    # -- what there is ---------------------------------------------------------------------------

    def alerts(self, table: str | None = None) -> list[Alert]:
        """Return all alerts, or those of a table, as they were raised."""
        tables = list(self._alerts) if table is None else [table]
        found = [alert for name in tables for alert in self._alerts.get(name, ())]
        return sorted(found, key=lambda alert: alert.raised.at)

    def alert(self, name: str) -> Alert | None:
        """Return the alert of an id."""
        table, _, number = name.rpartition(":")
        return next((a for a in self._alerts.get(table, ()) if str(a.number) == number), None)

    def of_fact(self, fact: AlertRaised | AlertCleared) -> Alert | None:
        """Return the alert that a fact told of."""
        alerts = reversed(self._alerts.get(fact.table, ()))
        return next((each for each in alerts if fact in (each.raised, each.cleared)), None)

    def offences(self, table: str, game: int) -> dict[str, int]:
        """Return how many illegal moves of each side are confirmed in a game."""
        return {"white": 0, "black": 0} | self._offences.get((table, game), {})

    def audit(self) -> list[Entry]:
        """Return all rulings and what became of them, the latest first."""
        return sorted(audit(self._rulings), key=lambda entry: entry.at, reverse=True)
