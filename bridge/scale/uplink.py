"""From the journal of a node into the stream: in order, again and again until it is there.

The journal is the outbox: what is published is read from it, so a node that is cut off for hours
keeps no more in memory than one that is not. Of a table one reading is on its way at a time, as
only so no later one can overtake it; tables do not wait for each other. A broker that did not
answer may have kept a reading all the same: it is told again under the same id, and whoever reads
the stream knows what he has by its link and number.
"""

import asyncio
import contextlib
import dataclasses
import hashlib
import logging
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec
import nats.js.api

from bridge.core.model import Reading, Said
from bridge.scale.clock import EventClock
from bridge.scale.connection import FAILURES, RETRY, Connection, Grumbler, in_words
from bridge.scale.messages import Sent, encode
from bridge.scale.names import Names
from bridge.store.errors import OutboxError
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox

OUTPUT = "uplink"
"""The name under which the position is noted."""
AT_ONCE = 1000
"""Readings that are read from the journal together."""
NOTE_SECONDS = 1.0
"""How often it is noted how far the stream has it all; from there on it is told again."""

_MESSAGE_ID = str(nats.js.api.Header.MSG_ID.value)

logger = logging.getLogger(__name__)

Placed = tuple[int, Reading]


class Uplink:
    """Publishes what *journal* has behind the position that is in *notes*.

    ``position`` is the place in the stream of the last reading that was taken.
    """

    def __init__(
        self, node: str, names: Names, journal: Journal, notes: Outbox, clock: EventClock
    ) -> None:
        self.position = 0
        self._grumbler = Grumbler(f"node {node}")
        self._node = node
        self._names = names
        self._journal = journal
        self._notes = notes
        self._clock = clock
        self._log = ""
        self._read = int(notes.notes(OUTPUT).get("position", "0"))
        self._taken = set[int]()
        self._durable = asyncio.Event()
        self._durable.set()
        self._in_step = False
        self._open: dict[str, _Open] = {}
        self._told: dict[str, float] = {}
        self._floor = 0.0

    # --- how far it is --------------------------------------------------------------------------

    def came(self, reading: Reading) -> None:
        """Know of a reading that was handed to the journal."""
        table = self._open.setdefault(reading.table, _Open())
        if not table.count:
            table.since = reading.at
        table.count += 1

    def durable(self) -> None:
        """Know that something became durable."""
        self._durable.set()

    @property
    def trouble(self) -> str:
        """Why nothing is taken now, in words."""
        return self._grumbler.trouble

    @property
    def waiting(self) -> int:
        """How many readings are not in the stream yet."""
        return max(0, self._journal.last_position() - self._read - len(self._taken))

    def is_told(self, table: str) -> bool:
        """Whether the stream has all that came of a table."""
        found = self._open.get(table)
        return found is None or not found.count

    def mark(self, now: float) -> float:
        """Return the event's time before which all that came is in the stream.

        *now* is own journal time. No reading that is published later has an earlier time.
        """
        if self._in_step and self._clock.synchronised:
            since = min((table.since for table in self._open.values() if table.count), default=now)
            self._floor = max(self._floor, self._clock.of(since))
        return self._floor

    # --- publishing -----------------------------------------------------------------------------

    async def run(self, connection: Connection) -> None:
        """Publish whatever becomes durable, until cancelled."""
        noting = asyncio.create_task(self._note())
        try:
            while True:
                await self._durable.wait()
                self._durable.clear()
                while batch := await asyncio.to_thread(self._next):
                    await self._publish(connection, batch)
                self._in_step = True
        finally:
            noting.cancel()
            await asyncio.gather(noting, return_exceptions=True)
            await self._note_position()

    def _next(self) -> Sequence[Placed]:
        found: list[Placed] = []
        with contextlib.closing(self._journal.read(after=self._read)) as readings:
            for each in readings:
                found.append(each)
                if len(found) == AT_ONCE:
                    break
        if found and not self._log:
            self._log = log_of(self._journal)
        return found

    async def _publish(self, connection: Connection, batch: Sequence[Placed]) -> None:
        tables = groupby(sorted(batch, key=_table), key=_table)
        async with asyncio.TaskGroup() as group:
            for _, readings in tables:
                group.create_task(self._publish_table(connection, list(readings)))
        self._read = batch[-1][0]
        self._taken.clear()

    async def _publish_table(self, connection: Connection, readings: Iterable[Placed]) -> None:
        for position, reading in readings:
            if position in self._taken:
                continue
            await self._publish_one(connection, reading)
            self._taken.add(position)
            table = self._open.get(reading.table)
            if table is not None and table.count and reading.at >= table.since:
                table.since = reading.at  # those that are left came later
                table.count -= 1

    async def _publish_one(self, connection: Connection, reading: Reading) -> None:
        sent = encode(Sent(log=self._log, reading=self._in_event_time(reading)))
        subject = self._names.reading(self._node, reading.table)
        headers = {_MESSAGE_ID: f"{self._node}.{self._log}.{reading.link}.{reading.seq}"}
        while True:
            try:
                answer = await connection.stream.publish(subject, sent, headers=headers)
            except FAILURES as error:
                self._grumbler.note(in_words(error))
                await asyncio.sleep(RETRY)
            else:
                self._grumbler.note("")
                self.position = max(self.position, answer.seq)
                return

    def _in_event_time(self, reading: Reading) -> Reading:
        """Return a reading with the event's time; that of a table never goes back."""
        least = max(self._floor, self._told.get(reading.table, self._floor))
        at = self._told[reading.table] = max(least, self._clock.of(reading.at))
        payload = reading.payload
        if not isinstance(payload, Said):
            payload = msgspec.structs.replace(payload, at=self._clock.of(payload.at))
        return msgspec.structs.replace(reading, at=at, wall=self._clock.wall(at), payload=payload)

    async def _note(self) -> None:
        while True:
            await asyncio.sleep(NOTE_SECONDS)
            await self._note_position()

    async def _note_position(self) -> None:
        notes = {"position": str(self._read)}
        try:
            await asyncio.to_thread(self._notes.put, OUTPUT, {}, notes=notes)
        except OutboxError as error:  # then more is told again after a restart
            logger.debug("node %s: %s", self._node, error)


@dataclasses.dataclass
class _Open:
    """What of a table is not in the stream: how many readings, none older than ``since``."""

    count: int = 0
    since: float = 0.0


def _table(placed: Placed) -> str:
    return placed[1].table


def log_of(journal: Journal) -> str:
    """Return what tells a journal from every other one: it is made of its first reading."""
    with contextlib.closing(journal.read()) as readings:
        _, first = next(readings)
    return hashlib.sha256(msgspec.json.encode(first)).hexdigest()[:8]
