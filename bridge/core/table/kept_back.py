"""Settled moves that may still turn out to be others: they are told when play has decided.

Pure: times come with the facts. A move that is read otherwise while it is kept back was never told,
so nothing is withdrawn for it. All that the record says after it waits with it, in its order; what
is told of board, clock and link does not, and nobody waits for a call to the arbiter or the end of
the game: they bring the moves before them.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from bridge.core.model import (
    CALLS,
    AlertCleared,
    AlertRaised,
    BoardChanged,
    ClockUpdated,
    Fact,
    LinkChanged,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    SquaresMarked,
    StartFound,
    StateExplained,
)

MOST_FOLLOWING = 6
"""A move that so many have followed is told: play does not decide any more ..."""
KEPT_AT_MOST = 45.0
"""... and so is one that has been kept back for so long (s), ..."""
KEPT_UNPRESSED = 300.0
"""... or, however many follow, for so long while nobody presses: the game may be over (s)."""

_AROUND = BoardChanged, ClockUpdated, LinkChanged, SquaresMarked, StateExplained


class Moment(NamedTuple):
    """When facts are told: journal time, Unix time, and the reading they rest on at last."""

    at: float
    wall: float
    seq: int


class KeptBack:
    """The facts of a table in the order in which they are told.

    What is kept back begins with a move.
    """

    def __init__(self) -> None:
        self._told: list[Fact] = []
        self._kept: list[Fact] = []
        self._unpressed = False

    def take(self) -> list[Fact]:
        """Return the facts that are told since the last time."""
        told, self._told = self._told, []
        return told

    @property
    def first(self) -> MoveSettled | None:
        """The first move that is kept back."""
        return next(self._moves(), None) if self._kept else None

    @property
    def wake_at(self) -> float:
        """When it is told at the latest."""
        first = self.first
        if first is None:
            return math.inf
        return first.at + (KEPT_UNPRESSED if self._unpressed else KEPT_AT_MOST)

    def _moves(self) -> Iterator[MoveSettled]:
        return (fact for fact in self._kept if isinstance(fact, MoveSettled))

    def has_told(self, ply: int) -> bool:
        """Whether *ply*, which was settled, is told."""
        first = self.first
        return first is None or ply < first.ply

    def put(self, fact: Fact) -> None:
        """Take the next fact; a move is kept back until :meth:`release` is called."""
        if isinstance(fact, MoveSettled):
            self._kept.append(fact)
        elif not self._kept or _is_around(fact):
            self._told.append(fact)
        elif isinstance(fact, MovesCorrected):
            self._withdraw(fact)
        elif self._waits(fact):
            self._kept.append(fact)
        else:
            if not isinstance(fact, AlertCleared):
                self.release_all(Moment(fact.at, fact.wall, fact.evidence[1]))
            self._told.append(fact)

    def _waits(self, fact: Fact) -> bool:
        """Whether *fact* is not told before the moves that are kept back."""
        if isinstance(fact, MoveTimed | MoveProvisional | StartFound):
            return True
        if isinstance(fact, AlertCleared):
            return any(isinstance(e, AlertRaised) and e.code == fact.code for e in self._kept)
        return isinstance(fact, AlertRaised) and fact.severity not in CALLS

    def _withdraw(self, fact: MovesCorrected) -> None:
        """Forget the moves that *fact* withdraws, and withdraw those of them that were told."""
        unsaid = sum(move.ply >= fact.ply for move in self._moves())
        self._kept = [each for each in self._kept if not _is_from(each, fact.ply)]
        if fact.count > unsaid:
            self._told.append(msgspec.structs.replace(fact, count=fact.count - unsaid))
        if self.first is None:
            self._told += self._kept
            self._kept = []

    def release(
        self, is_open: Callable[[int, float], bool], now: Moment, *, unpressed: bool = False
    ) -> None:
        """Tell the moves that are not open any more, which is asked by their plies.

        *unpressed*: nobody presses for them, by players who did.
        """
        self._unpressed = unpressed
        while (first := self.first) is not None and not self._is_to_wait(first, is_open, now.at):
            self._tell_first(now)

    def _is_to_wait(
        self, move: MoveSettled, is_open: Callable[[int, float], bool], at: float
    ) -> bool:
        following = sum(1 for _ in self._moves()) - 1
        if at >= self.wake_at or (following >= MOST_FOLLOWING and not self._unpressed):
            return False
        return is_open(move.ply, at)

    def release_all(self, now: Moment) -> None:
        """Tell all that is kept back."""
        while self._kept:
            self._tell_first(now)

    def _tell_first(self, now: Moment) -> None:
        """Tell the first move that is kept back, and what waits for it alone."""
        while True:
            fact = self._kept.pop(0)
            seen = fact.evidence[0], max(now.seq, fact.evidence[1])
            self._told.append(
                msgspec.structs.replace(fact, at=now.at, wall=now.wall, evidence=seen)
            )
            if not self._kept or isinstance(self._kept[0], MoveSettled):
                return


def _is_around(fact: Fact) -> bool:
    """Whether *fact* says nothing of the record: the board, its clock or link, a low battery."""
    tech = isinstance(fact, AlertRaised) and fact.severity == "tech"
    return tech or isinstance(fact, _AROUND)


def _is_from(fact: Fact, ply: int) -> bool:
    """Whether *fact* tells of *ply* or a later one."""
    return isinstance(fact, MoveSettled | MoveTimed | MoveProvisional) and fact.ply >= ply
