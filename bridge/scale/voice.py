"""What a hub that leads has to say: set-ups and orders, told through the stream as readings are.

So every hub takes them in the same order among what the nodes say, and a hub that takes over has
them all. What a hub could not yet tell when it ended was answered to nobody.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from itertools import count

import nats.js.api

from bridge.core.model import Payload, Reading
from bridge.scale.clock import EventClock
from bridge.scale.connection import FAILURES, RETRY, Connection, Grumbler, in_words
from bridge.scale.ledger import Ledger, link_of
from bridge.scale.messages import Began, Change, Sent, encode
from bridge.scale.names import HUB, Names

_MESSAGE_ID = str(nats.js.api.Header.MSG_ID.value)


class Voice:
    """Says what is given to it under a lease.

    ``position`` is the place in the stream of what was taken last.

    Args:
        names: those of the event.
        clock: its time.
        ledger: expects what is said.
        epoch: that of the lease.
        after: the time from which on what is said counts.
    """

    def __init__(
        self,
        names: Names,
        clock: EventClock,
        ledger: Ledger,
        *,
        epoch: int,
        after: Callable[[], float],
    ) -> None:
        self.position = 0
        self._grumbler = Grumbler("hub")
        self._names = names
        self._clock = clock
        self._ledger = ledger
        self._epoch = epoch
        self._after = after
        self._seqs: defaultdict[str, count[int]] = defaultdict(lambda: count(1))
        self._queue: deque[Reading] = deque()
        self._said = asyncio.Event()

    async def begin(self, connection: Connection, hub: str) -> None:
        """Tell everybody that this hub leads; return when the stream has it."""
        began = encode(Began(epoch=self._epoch, hub=hub))
        await self._publish(connection, self._names.reading(HUB, HUB), began, f"{self._epoch}")

    async def change(self, connection: Connection, change: Change) -> None:
        """Tell all hubs of a change; return when the stream has it."""
        name = f"{self._epoch}.change.{next(self._seqs[''])}"
        await self._publish(connection, self._names.changes, encode(change), name)

    def say(self, table: str, link: str, payload: Payload) -> None:
        """Take what is to be said; never waits."""
        at = max(self._clock.now(), self._after())
        reading = Reading(
            table=table,
            link=link,
            seq=next(self._seqs[link]),
            at=at,
            wall=self._clock.wall(at),
            payload=payload,
        )
        self._ledger.expect(reading, link_of(link, HUB, self._sent(reading)))
        self._queue.append(reading)
        self._said.set()

    def mark(self) -> float:
        """Return the time before which all that was said is in the stream."""
        return self._queue[0].at if self._queue else max(self._clock.now(), self._after())

    @property
    def trouble(self) -> str:
        """Why nothing is taken now, in words."""
        return self._grumbler.trouble

    @property
    def waiting(self) -> int:
        """How much is not in the stream yet."""
        return len(self._queue)

    async def run(self, connection: Connection) -> None:
        """Tell what is said until cancelled."""
        while True:
            await self._said.wait()
            self._said.clear()
            while self._queue:
                reading = self._queue[0]
                name = f"{self._epoch}.{reading.link}.{reading.seq}"
                subject = self._names.reading(HUB, reading.table)
                await self._publish(connection, subject, encode(self._sent(reading)), name)
                self._queue.popleft()

    def _sent(self, reading: Reading) -> Sent:
        return Sent(log="", epoch=self._epoch, reading=reading)

    async def _publish(self, connection: Connection, subject: str, data: bytes, name: str) -> None:
        headers = {_MESSAGE_ID: f"{HUB}.{name}"}
        while True:
            try:
                answer = await connection.stream.publish(subject, data, headers=headers)
            except FAILURES as error:
                self._grumbler.note(in_words(error))
                await asyncio.sleep(RETRY)
            else:
                self._grumbler.note("")
                self.position = answer.seq
                return
