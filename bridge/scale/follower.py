"""Reads a stream in its order, from a position that this machine keeps, whatever brokers do.

The broker keeps nothing of who has read what: a reader that comes back says where it goes on. It
numbers what it delivers, so that a gap is seen at once, and everything behind it is read again.

What is delivered comes from any of the brokers. One that was cut off may lack messages that the
others have, and count those behind them differently, without knowing. So nothing is believed of
positions that readings do not confirm: where some are missing, or where the brokers say that there
is more, the stream is read again, by another broker perhaps.
"""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Callable

import nats.js.errors
from nats.aio.msg import Msg
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, Header

from bridge.scale.connection import FAILURES, RETRY, Connection, Grumbler, in_words
from bridge.scale.ledger import GapError, Message

HEARTBEAT = 1.0
"""How often the broker says that it is there while there is nothing to read."""
SILENCE = 3.0
"""Seconds without anything after which reading begins anew."""
LOOK_SECONDS = 0.2
IDLE = 3.0
"""Seconds without a message after which the brokers are asked whether there are more."""
BACK = 1000
"""How many messages are read again where some are missing."""

logger = logging.getLogger(__name__)


class Follower:
    """Reads a stream from behind ``position`` and hands each message to *take*, once.

    *anew* is called where it is read from its beginning, which may be not for the first time. With
    *whole*, that is whenever reading was interrupted: meanwhile messages may have been taken out.
    """

    def __init__(
        self,
        stream: str,
        position: int,
        take: Callable[[Message], None],
        *,
        anew: Callable[[], None] = lambda: None,
        whole: bool = False,
    ) -> None:
        self.position = position
        self._grumbler = Grumbler("hub")
        self._stream = stream
        self._take = take
        self._anew = anew
        self._whole = whole
        self._expected = 1
        self._heard = 0.0
        self._came = 0.0
        self._broken = False
        self._read = asyncio.Event()

    @property
    def trouble(self) -> str:
        """Why nothing can be read now, in words."""
        return self._grumbler.trouble

    async def until(self, position: int) -> None:
        """Return when everything up to *position* was read."""
        while self.position < position:
            self._read.clear()
            await self._read.wait()

    def begin_anew(self) -> None:
        """Read all of it once more."""
        self.position, self._broken = 0, True

    async def run(self, connection: Connection) -> None:
        """Read until cancelled."""
        while True:
            try:
                await self._follow(connection)
            except nats.js.errors.NotFoundError:
                self._grumbler.note(f"there is no stream {self._stream} yet")
            except FAILURES as error:
                self._grumbler.note(in_words(error))
            await asyncio.sleep(RETRY)

    async def _follow(self, connection: Connection) -> None:
        """Read until something is wrong."""
        returns = connection.returns
        if self._whole:
            self.position = 0
        last = await self._last(connection)
        if last < self.position:
            was_begun_anew = last < self.position - BACK
            self.position = 0 if was_begun_anew else max(0, last - BACK)
            logger.warning("%s has %d messages: read from %d", self._stream, last, self.position)
        if self.position == 0:
            self._anew()
        inbox = f"{connection.client.new_inbox()}.{uuid.uuid4().hex}"
        self._expected, self._broken = 1, False
        self._heard = self._came = _now()
        subscription = await connection.client.subscribe(inbox, cb=self._hear)
        try:
            await connection.stream.add_consumer(
                self._stream,
                ConsumerConfig(
                    deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                    opt_start_seq=self.position + 1,
                    ack_policy=AckPolicy.NONE,
                    deliver_subject=inbox,
                    idle_heartbeat=HEARTBEAT,
                    flow_control=True,
                    mem_storage=True,
                    num_replicas=1,
                    inactive_threshold=SILENCE * 2,
                ),
            )
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                if self._broken:
                    self._grumbler.note(f"reads again from behind message {self.position}")
                if self._broken or connection.returns != returns or self._is_silent:
                    return
                self._grumbler.note("")
                if _now() > self._came + IDLE:
                    self._came = _now()
                    if await self._last(connection) > self.position:
                        return
        finally:
            # Also while no broker is reached: else it comes back with the connection, and brings
            # what another consumer delivers.
            with contextlib.suppress(*FAILURES):
                await subscription.unsubscribe()

    async def _last(self, connection: Connection) -> int:
        """Return the position of the last message, as the broker that leads the stream has it."""
        info = await connection.stream.stream_info(self._stream)
        return info.state.last_seq

    @property
    def _is_silent(self) -> bool:
        return _now() > self._heard + SILENCE

    async def _hear(self, message: Msg) -> None:
        self._heard = _now()
        if message.headers and message.headers.get(Header.STATUS.value):
            if message.reply:  # the broker asks whether all that it has sent was read
                await message.respond(b"")
            return
        if self._broken:
            return
        metadata = message.metadata
        if metadata.sequence.consumer != self._expected:
            self._broken = True
            return
        self._expected += 1
        position, kept_at = metadata.sequence.stream, metadata.timestamp.timestamp()
        self._broken, self._came = True, self._heard  # what fails to be taken is read again
        try:
            self._take(Message(message.subject, message.data, position, kept_at))
        except GapError as gap:
            self.position = max(0, position - BACK)
            logger.warning("%s; the stream is read again from behind %d", gap, self.position)
            return
        self._broken = False
        self.position = position
        self._read.set()


def _now() -> float:
    return asyncio.get_running_loop().time()
