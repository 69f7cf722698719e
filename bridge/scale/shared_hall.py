"""The hall of a hub: folded from the stream, its deadlines answered when all is known before them.

A deadline says what follows from nothing having happened. A hub knows that nothing has only when
the node of the table has said so, for the moment may be on its way. So deadlines wait for the marks
of the node and of the hub that leads, and every hub concludes the same from the same stream, as a
replay of the journal does.
"""

from collections.abc import Callable, Iterable
from functools import partial

from bridge.core.model import Fact, Payload
from bridge.core.table import Table
from bridge.daemon.hall import Hall, Stage
from bridge.store.journal import Journal

Say = Callable[[str, str, Payload], None]


class SharedHall(Hall):
    """A hall that *say*s what is delivered to it, and takes readings from the stream.

    Args:
        journal: where readings are made durable.
        now: journal time.
        publish: takes each fact, in order.
        measured: is told how many seconds a stage of a reading took.
        known: until when all that came of a table is here.
        say: tells the stream what was ordered here.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        now: Callable[[], float],
        publish: Callable[[Fact], None],
        measured: Callable[[Stage, float], None],
        known: Callable[[str], float],
        say: Say,
    ) -> None:
        super().__init__(journal, now=now, publish=publish, measured=measured)
        self._known_of = known
        self._say = say

    def deliver(self, table: str, link: str, payload: Payload) -> None:
        """Say it through the stream, from where it comes back. Never blocks."""
        self._say(table, link, payload)

    def advance(self, tables: Iterable[str]) -> None:
        """Answer deadlines of *tables* before which all is known by now."""
        for name in tables:
            table = self._tables.get(name)
            if table is not None and table.wake_at < self._known_of(name):
                self._intake.after_write((), partial(self._tick, table))

    def _known(self, table: str) -> float:
        return self._known_of(table)

    def _set_timer(self, table: Table) -> None:
        """Wait for a mark instead."""
