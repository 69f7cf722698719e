"""All tables of the hall: readings are journaled, then folded, then told.

The order is what this module is for. A payload becomes a reading at once, with its sequence
number and the time it came; it is applied to its table only after the journal said that it is
durable; the facts that follow are published only then. A deadline passes through the journal as
well (as a write of nothing), and gives way to readings that wait. Live and replayed runs
therefore conclude the same, also where a busy machine comes to all of it late.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

import chess

from bridge.core.model import Fact, Payload, Reading
from bridge.core.table import Table
from bridge.daemon.intake import Intake
from bridge.daemon.resuming import Resuming
from bridge.store.errors import JournalRowError
from bridge.store.journal import Journal

logger = logging.getLogger(__name__)

Stage = Literal["journal", "fold", "publish"]
"""A reading comes and becomes durable; is understood; and what follows is told."""


class Hall:
    """The tables of one daemon, folded from one journal.

    ``readings`` counts by table what was folded since the start.

    Args:
        journal: where readings are made durable.
        now: journal time.
        publish: takes each fact, in order, on the event loop.
        measured: is told how many seconds a stage of a reading took.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        now: Callable[[], float],
        publish: Callable[[Fact], None],
        measured: Callable[[Stage, float], None] = lambda _stage, _seconds: None,
    ) -> None:
        self._journal = journal
        self._intake = Intake(journal, now)
        self._now = now
        self._publish = publish
        self._measured = measured
        self.readings = Counter[str]()
        self._tables: dict[str, Table] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._waiting = Counter[str]()
        self._resuming = Resuming()

    def restore(
        self,
        names: Iterable[str],
        tell: Callable[[Fact], None],
        resuming: Resuming | None = None,
    ) -> None:
        """Fold what the journal holds of the tables *names*; *tell* hears of it again.

        What *resuming* knows is told without being folded. A reading that is damaged there is
        passed over. Blocks while it reads; call it before links are opened.
        """
        self._resuming = resuming or self._resuming
        for name in names:
            self._restore(name, tell)
            self._resuming.note(name)

    def _restore(self, name: str, tell: Callable[[Fact], None]) -> None:
        table, position, known = self._resuming.begin(name)
        self._tables[name] = table
        for fact in known:
            tell(fact)
        for _, reading in self._journal.read(table=name, after=position, damaged=_pass_over):
            began = self._now()
            facts = _apply(table, reading)
            self._resuming.took(reading, facts, self._now() - began)
            for fact in facts:
                tell(fact)

    def table(self, name: str) -> Table:
        """Return the state of a table, to be read and not changed."""
        return self._tables[name]

    def start(self) -> None:
        """Begin to answer deadlines, those that passed while nobody ran included."""
        for table in self._tables.values():
            self._set_timer(table)

    def stop(self) -> None:
        """Answer no deadline any more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def deliver(self, table: str, link: str, payload: Payload) -> None:
        """Journal what came from *link* for *table*, then act on it. Never blocks."""
        self.take(self._intake.reading(table, link, payload))

    def take(self, reading: Reading) -> None:
        """Journal a reading that has its number and its time, then act on it. Never blocks."""
        self._waiting[reading.table] += 1
        self._intake.after_write((reading,), partial(self._fold, reading))

    def lit(self, name: str) -> list[int]:
        """Return the squares that the board of a table should light, in its own numbering."""
        table = self._tables[name]
        squares = map(chess.parse_square, table.marked)
        return [63 - square if table.rotated else square for square in squares]

    def _fold(self, reading: Reading) -> None:
        self._waiting[reading.table] -= 1
        self.readings[reading.table] += 1
        began = self._now()
        table = self._tables[reading.table]
        facts = _apply(table, reading)
        folded = self._now()
        self._resuming.took(reading, facts, folded - began)
        self._tell(table, facts)
        self._measured("journal", began - reading.at)
        self._measured("fold", folded - began)
        self._measured("publish", self._now() - folded)

    def _tell(self, table: Table, facts: list[Fact]) -> None:
        for fact in facts:
            self._publish(fact)
        self._set_timer(table)

    def _set_timer(self, table: Table) -> None:
        timer = self._timers.pop(table.name, None)
        if timer is not None:
            timer.cancel()
        if table.wake_at < float("inf"):
            delay = max(0.0, table.wake_at - self._now())
            loop = asyncio.get_running_loop()
            self._timers[table.name] = loop.call_later(delay, self._deadline, table)

    def _deadline(self, table: Table) -> None:
        """Let the deadline wait for every reading that was taken before it."""
        if self._now() < table.wake_at:  # a reading of this moment still comes before it
            self._set_timer(table)
        else:
            self._intake.after_write((), partial(self._tick, table))

    def _tick(self, table: Table) -> None:
        """Answer the first deadline, and no other: a reading may come before the next.

        One that waits, with an earlier time perhaps, lets it fall itself where it is due.
        """
        if not self._waiting[table.name]:
            facts = table.tick(min(table.wake_at, self._known(table.name)))
            self._resuming.waited(table.name, facts)
            self._tell(table, facts)

    def _known(self, table: str) -> float:
        """Return up to when all that came of a table was taken."""
        del table
        return self._now()


def _pass_over(error: JournalRowError) -> None:
    """Say which reading is missing; a damaged one must not keep a hall from being followed."""
    logger.error("%s; it is passed over", error)


def _apply(table: Table, reading: Reading) -> list[Fact]:
    """Fold one reading; one that our code cannot digest must not stop a hall, now or at restart."""
    try:
        return table.apply(reading)
    except Exception:
        logger.exception(
            "table %s: reading %d of %s was passed over by a mistake of ours; it is in the journal",
            table.name,
            reading.seq,
            reading.link,
        )
        return []
