"""What hubs say and hear of time: that of the event, and up to when all that happened is known."""

import asyncio
import contextlib
import uuid
from collections.abc import Callable

from nats.aio.msg import Msg

from bridge.scale.clock import EventClock
from bridge.scale.connection import FAILURES, Connection
from bridge.scale.lease import Lease
from bridge.scale.messages import Mark, MessageError, TimeAnswer, decode, encode
from bridge.scale.names import HUB, Names
from bridge.scale.voice import Voice

MARK_SECONDS = 0.1
ASK_SECONDS = 5.0


class Timekeeper:
    """Tells the time as soon as this hub leads, and asks for it until then.

    Args:
        names: those of the event.
        hub: what this hub is called.
        clock: the time of the event.
        own: journal time of this machine.
        lease: whether this hub leads for certain.
        hear: takes the marks of nodes and of the hub that leads.
    """

    def __init__(
        self,
        names: Names,
        hub: str,
        clock: EventClock,
        own: Callable[[], float],
        lease: Lease,
        hear: Callable[[str, Mark], None],
    ) -> None:
        self._names = names
        self._hub = hub
        self._clock = clock
        self._own = own
        self._lease = lease
        self._hear = hear
        self._session = uuid.uuid4().hex
        self._leads = False

    async def listen(self, connection: Connection) -> None:
        """Hear marks and answer who asks for the time, for as long as *connection* is open."""
        await connection.client.subscribe(self._names.marks, cb=self._hear_mark)
        await connection.client.subscribe(self._names.time, cb=self._answer)

    async def ask(self, connection: Connection) -> None:
        """Keep the time of the hub that leads, until this one does."""
        while not self._lease.epoch:
            asked = self._own()
            with contextlib.suppress(*FAILURES, MessageError):
                answer = await connection.client.request(self._names.time, b"", timeout=1.0)
                told = decode(answer.data, TimeAnswer)
                if not self._lease.epoch:
                    self._clock.take(asked, self._own(), told.now, told.wall)
            await asyncio.sleep(ASK_SECONDS)

    async def tell(self, connection: Connection, voice: Voice) -> None:
        """Lead: tell the time, and up to when all that *voice* said is in the stream."""
        self._leads = True
        while True:
            mark = Mark(
                session=self._session,
                started=0.0,
                host=self._hub,
                at=voice.mark(),
                position=voice.position,
                waiting=voice.waiting,
                wall=self._clock.wall(self._clock.now()),
                epoch=self._lease.epoch,
            )
            if self._lease.is_held:
                with contextlib.suppress(*FAILURES):
                    await connection.client.publish(self._names.mark(HUB), encode(mark))
            await asyncio.sleep(MARK_SECONDS)

    async def _hear_mark(self, message: Msg) -> None:
        with contextlib.suppress(MessageError):
            self._hear(message.subject.rpartition(".")[2], decode(message.data, Mark))

    async def _answer(self, message: Msg) -> None:
        """Tell the time if this hub serves: who asks may take it that orders are taken, too."""
        if self._leads and self._lease.is_held:
            now = self._clock.now()
            with contextlib.suppress(*FAILURES):
                await message.respond(encode(TimeAnswer(now=now, wall=self._clock.wall(now))))
