"""How far a receiver was told: after a restart the same facts are told again, from the journal."""

from collections.abc import Mapping

import msgspec

from bridge.core.model import Fact

ROUNDING = 1.0
"""Seconds by which the wall time of a deadline may come out otherwise when it is worked out again;
another journal is begun later than that."""


class Place(msgspec.Struct, frozen=True, array_like=True):
    """The place of a fact among those of its table: ``number`` of those with the same ``at``."""

    at: float
    number: int
    wall: float


class Progress:
    """Tells facts that are new from those that were queued before.

    A fact is old if neither its journal time nor its wall time is later than the last one's. The
    wall clock may be set back, and another journal begins its time anew, but not both at once.
    """

    def __init__(self, notes: Mapping[str, str]) -> None:
        """Begin from *notes*: the last place of each table, as :meth:`note` writes them."""
        self._noted = {
            table: msgspec.json.decode(text, type=Place) for table, text in notes.items()
        }
        self._places: dict[str, Place] = {}

    def take(self, fact: Fact) -> Place | None:
        """Take the next fact of a table; return its place, None if it is old."""
        last = self._places.get(fact.table)
        at, number = fact.at, 0
        if last is not None and fact.at <= last.at:
            at, number = last.at, last.number + 1
        place = self._places[fact.table] = Place(at, number, fact.wall)
        return place if self.is_new(fact.table, place) else None

    def is_new(self, table: str, place: Place) -> bool:
        """Whether a fact of *table* at *place* was not queued before."""
        noted = self._noted.get(table)
        if noted is None or (place.at, place.number) > (noted.at, noted.number):
            return True
        return place.wall > noted.wall + ROUNDING

    def notes(self) -> dict[str, str]:
        """Return how far all tables have come."""
        return {table: note_of(place) for table, place in self._places.items()}


def note_of(place: Place) -> str:
    """Return *place* as it is noted."""
    return msgspec.json.encode(place).decode()
