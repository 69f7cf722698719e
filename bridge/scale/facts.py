"""Facts for other programs: what the public may see of games, in a stream of its own.

Each fact bears its number among those of its table. A hub that takes over asks the stream for the
last one and goes on behind it: both hubs conclude the same, so they number alike. What follows is
taken only behind that very message, so what another hub told late stands there once, too.
"""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import nats.js.errors
from nats.js.api import Header

from bridge.config.delays import Delay
from bridge.core.model import ClockUpdated, Fact
from bridge.outputs.feed import Feed
from bridge.scale.connection import FAILURES, RETRY, Connection, Grumbler, in_words
from bridge.scale.messages import VERSION
from bridge.scale.names import Names

KEPT = 200
"""Facts of a table that are kept by a hub that stands by: those that another hub may not have
published yet when it ended."""

_MESSAGE_ID = str(Header.MSG_ID.value)
_BEHIND = str(Header.EXPECTED_LAST_SUBJECT_SEQUENCE.value)
_NUMBER = "Eboard-Number"


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A fact as other programs get it; ``number`` counts those of its table from 1."""

    v: int = VERSION
    number: int
    fact: Fact


class _Last(NamedTuple):
    """The number of the last fact of a table, and its place in the stream."""

    number: int
    position: int


class PublicFacts:
    """Publishes what ``feed`` lets through; clocks are told with the moves alone.

    Args:
        names: those of the event.
        delay: how much later than the hall the public sees games.
        now: journal time.
    """

    def __init__(self, names: Names, delay: Delay, now: Callable[[], float]) -> None:
        self.feed = Feed(delay, now, hears=[self._take])
        self._names = names
        self._numbers = Counter[str]()
        self._waiting: defaultdict[str, deque[Told]] = defaultdict(deque)
        self._leads = False
        self._came = asyncio.Event()
        self._grumbler = Grumbler("hub")

    def _take(self, fact: Fact) -> None:
        if isinstance(fact, ClockUpdated):
            return
        self._numbers[fact.table] += 1
        waiting = self._waiting[fact.table]
        waiting.append(Told(number=self._numbers[fact.table], fact=fact))
        if not self._leads and len(waiting) > KEPT:
            waiting.popleft()
        self._came.set()

    @property
    def trouble(self) -> str:
        """Why nothing is published now, in words."""
        return f"facts: {self._grumbler.trouble}" if self._grumbler.trouble else ""

    async def run(self, connection: Connection) -> None:
        """Publish until cancelled, behind what the stream has."""
        self._leads = True
        last: dict[str, _Last] = {}
        while True:
            await self._came.wait()
            self._came.clear()
            try:
                await self._publish_all(connection, last)
            except FAILURES as error:
                self._grumbler.note(in_words(error))
                last.clear()  # what was not answered may have been kept all the same
                await asyncio.sleep(RETRY)
                self._came.set()
            else:
                self._grumbler.note("")

    async def _publish_all(self, connection: Connection, last: dict[str, _Last]) -> None:
        for table, waiting in list(self._waiting.items()):
            subject = self._names.facts(table)
            if table not in last:
                last[table] = await self._last(connection, subject)
            while waiting:
                told = waiting[0]
                if told.number > last[table].number:
                    headers = {
                        _MESSAGE_ID: f"{table}.{told.number}",
                        _NUMBER: f"{told.number}",
                        _BEHIND: f"{last[table].position}",
                    }
                    data = msgspec.json.encode(told)
                    kept = await connection.stream.publish(subject, data, headers=headers)
                    last[table] = _Last(told.number, kept.seq)
                waiting.popleft()

    async def _last(self, connection: Connection, subject: str) -> _Last:
        """Return the last fact that the stream has of a table."""
        try:
            message = await connection.stream.get_last_msg(self._names.facts_stream, subject)
        except nats.js.errors.NotFoundError:
            return _Last(0, 0)
        return _Last(int((message.headers or {}).get(_NUMBER, "0")), message.seq or 0)
