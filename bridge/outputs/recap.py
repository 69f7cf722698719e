"""What has to be told to somebody who comes late: the games that are on, from facts alone."""

from collections.abc import Hashable, Iterator
from itertools import count

from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    BoardChanged,
    ClockUpdated,
    Fact,
    GameStarted,
    LinkChanged,
    MoveProvisional,
    SquaresMarked,
    StateExplained,
)

_LATEST = BoardChanged, ClockUpdated, LinkChanged, MoveProvisional, SquaresMarked, StateExplained
"""Of these only the last one matters; board and link outlast a game."""
_OF_A_GAME = ClockUpdated, MoveProvisional, StateExplained


class Recap:
    """The facts of each table's current game, without what later ones made idle."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[Hashable, Fact]] = {}
        self._number = count()

    def apply(self, fact: Fact) -> None:
        """Take a fact of any table, in order."""
        kept = self._tables.setdefault(fact.table, {})
        match fact:
            case GameStarted():
                for key in [key for key in kept if isinstance(key, int) or key in _OF_A_GAME]:
                    del kept[key]
                kept[next(self._number)] = fact
            case AlertRaised():
                _put_last(kept, fact.code, fact)
            case AlertCleared():
                kept.pop(fact.code, None)
            case _ if isinstance(fact, _LATEST):
                _put_last(kept, type(fact), fact)
            case _:
                kept[next(self._number)] = fact

    def facts(self) -> Iterator[Fact]:
        """Yield table after table what was told and still matters, in order."""
        for kept in self._tables.values():
            yield from kept.values()


def _put_last(kept: dict[Hashable, Fact], key: Hashable, fact: Fact) -> None:
    kept.pop(key, None)
    kept[key] = fact
