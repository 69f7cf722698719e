"""The audit list: who ordered what and when, what came of it, and what was undone."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from bridge.core.model import Fact, Ruling, RulingMade, RulingRefused, RulingUndone, Undo

State = Literal["made", "refused", "undone"]


class Entry(NamedTuple):
    """One ruling. ``wall`` is Unix time; ``text`` what it means, or why it was refused.

    ``undone_by``: the ruling because of which it holds no longer.
    """

    table: str
    game: int
    number: int
    at: float
    wall: float
    ruling: Ruling
    state: State
    text: str
    undone_by: int | None = None

    @property
    def order(self) -> str:
        """The kind of order."""
        return type(self.ruling.order).__name__


def audit(facts: Iterable[Fact]) -> tuple[Entry, ...]:
    """Return the rulings that *facts* tell of, table by table in the order they came.

    A ruling that was undone and made again stands as made.
    """
    entries: dict[tuple[str, int], Entry] = {}
    for fact in facts:
        match fact:
            case RulingMade():
                entries[fact.table, fact.number] = _entry(fact, "made", fact.text)
            case RulingRefused():
                entries[fact.table, fact.number] = _entry(fact, "refused", fact.reason)
            case RulingUndone():
                _undo(entries, fact)
            case _:
                pass
    return tuple(entries[key] for key in sorted(entries))


def _undo(entries: dict[tuple[str, int], Entry], fact: RulingUndone) -> None:
    """Mark a ruling as undone; what it had undone itself holds again."""
    undone = entries[fact.table, fact.number]
    entries[fact.table, fact.number] = undone._replace(state="undone", undone_by=fact.undone_by)
    if isinstance(undone.ruling.order, Undo):
        key = fact.table, undone.ruling.order.ruling
        entries[key] = entries[key]._replace(state="made", undone_by=None)


def _entry(fact: RulingMade | RulingRefused, state: State, text: str) -> Entry:
    return Entry(fact.table, fact.game, fact.number, fact.at, fact.wall, fact.ruling, state, text)
