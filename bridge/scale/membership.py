"""A node among the machines of its event: what it asks, tells and is told, while brokers are up."""

import asyncio
import contextlib
import logging
import socket
import time
import uuid
from collections.abc import Callable, Collection

from nats.aio.msg import Msg

from bridge.config import ScaleSettings
from bridge.links.keeper import Keeper
from bridge.outputs.controls import NotPossibleError
from bridge.scale.clock import EventClock
from bridge.scale.connection import FAILURES, RETRY, Connection
from bridge.scale.ending import end
from bridge.scale.messages import (
    Answer,
    LinkState,
    Mark,
    MessageError,
    TimeAnswer,
    decode,
    encode,
    order,
)
from bridge.scale.names import Names
from bridge.scale.obeying import Obeying
from bridge.scale.uplink import Uplink
from bridge.scale.wiring import Wiring

MARK_SECONDS = 0.1
DETAILS_EVERY = 10
"""Of so many marks one tells of links."""
ASK_SECONDS = 5.0
"""How often the time of the event is asked for once it is known."""
TWIN_SECONDS = 3.0
"""How long another node of the same name is believed to run after it spoke."""
ALONE_AFTER = 1.0
"""How long to listen for another node of the same name before anything is published."""
LOOK_SECONDS = 0.1
FAULT_SECONDS = 5.0

logger = logging.getLogger(__name__)


class Membership:
    """Joins the event again and again until cancelled.

    Args:
        settings: where the brokers are.
        name: the name of the node.
        uplink: publishes readings.
        own: journal time of this machine.
        clock: the time of the event, kept right here.
        wiring: the links, which light squares and can be made anew.
        lamps: which squares are to be lit, by table.
    """

    def __init__(
        self,
        settings: ScaleSettings,
        name: str,
        *,
        uplink: Uplink,
        own: Callable[[], float],
        clock: EventClock,
        wiring: Wiring,
        lamps: dict[str, Collection[int]],
    ) -> None:
        self._settings = settings
        self._name = name
        self._names = Names(settings.event)
        self._uplink = uplink
        self._own = own
        self._clock = clock
        self._wiring = wiring
        self._busy: set[asyncio.Task[None]] = set()
        self._obeying = Obeying(name, wiring, lamps, uplink)
        self._session = uuid.uuid4().hex
        self._started = time.time()
        self._twin_heard = -TWIN_SECONDS
        self._twin_host = ""

    async def run(self) -> None:
        """Take part for as long as it runs; the top of a task."""
        while True:
            try:
                async with Connection(self._settings, self._name) as connection:
                    await self._take_part(connection)
            except Exception:  # the boards must go on, and the network comes back
                logger.exception("node %s: a fault of ours", self._name)
                await asyncio.sleep(FAULT_SECONDS)
            await asyncio.sleep(RETRY)

    async def _take_part(self, connection: Connection) -> None:
        """Take part until the connection is gone for good."""
        await connection.until_tried()
        if not connection.is_up:
            return
        await connection.client.subscribe(self._names.mark(self._name), cb=self._hear_mark)
        await connection.client.subscribe(self._names.orders(self._name), cb=self._take_order)
        await connection.until_gone(
            self._ask_time(connection), self._tell_marks(connection), self._publish(connection)
        )

    # --- time -----------------------------------------------------------------------------------

    async def _ask_time(self, connection: Connection) -> None:
        while True:
            asked = self._own()
            with contextlib.suppress(*FAILURES, MessageError):
                answer = await connection.client.request(self._names.time, b"", timeout=1.0)
                told = decode(answer.data, TimeAnswer)
                self._clock.take(asked, self._own(), told.now, told.wall)
            await asyncio.sleep(ASK_SECONDS if self._clock.synchronised else RETRY)

    # --- readings -------------------------------------------------------------------------------

    async def _publish(self, connection: Connection) -> None:
        """Publish whenever the event's time is known and no other node has this name."""
        await asyncio.sleep(ALONE_AFTER)
        publishing: asyncio.Task[None] | None = None
        try:
            while True:
                may = self._clock.synchronised and not self._has_twin
                if may and publishing is None:
                    publishing = asyncio.create_task(self._uplink.run(connection))
                elif publishing is not None and (publishing.done() or not may):
                    await end([publishing])
                    if not publishing.cancelled():
                        publishing.result()  # raises what was our mistake
                    publishing = None
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            if publishing is not None:
                await end([publishing])

    # --- marks ----------------------------------------------------------------------------------

    async def _tell_marks(self, connection: Connection) -> None:
        number = 0
        while True:
            mark = encode(self._mark(connection, with_details=number % DETAILS_EVERY == 0))
            with contextlib.suppress(*FAILURES):
                await connection.client.publish(self._names.mark(self._name), mark)
            number += 1
            await asyncio.sleep(MARK_SECONDS)

    def _mark(self, connection: Connection, *, with_details: bool) -> Mark:
        now, lines = self._own(), self._wiring.lines
        return Mark(
            session=self._session,
            started=self._started,
            host=socket.gethostname(),
            at=0.0 if self._has_twin else self._uplink.mark(now),
            position=self._uplink.position,
            waiting=self._uplink.waiting,
            wall=time.time(),
            trouble=self._trouble(connection),
            links=list(map(self._state, lines.links)) if with_details else None,
            health=lines.health() if with_details else None,
        )

    def _state(self, keeper: Keeper) -> LinkState:
        heard_at = keeper.heard_at
        return LinkState(
            name=keeper.name,
            state=keeper.state,
            detail=keeper.detail,
            received=keeper.received,
            noise=keeper.noise,
            heard_at=None if heard_at is None else self._clock.of(heard_at),
        )

    def _trouble(self, connection: Connection) -> str:
        if self._has_twin:
            return f"{self._twin_host} calls itself {self._name} too: stop one of the two"
        return connection.trouble or self._uplink.trouble

    @property
    def _has_twin(self) -> bool:
        return asyncio.get_running_loop().time() < self._twin_heard + TWIN_SECONDS

    async def _hear_mark(self, message: Msg) -> None:
        """Hear of another node of the same name: the one that came later says nothing then."""
        with contextlib.suppress(MessageError):
            mark = decode(message.data, Mark)
            mine = self._started, self._session
            if mark.session != self._session and (mark.started, mark.session) < mine:
                if not self._has_twin:
                    logger.error(
                        "node %s: %s calls itself so too; nothing is published from here as long"
                        " as it does: stop one of the two, or give it another name",
                        self._name,
                        mark.host,
                    )
                self._twin_heard = asyncio.get_running_loop().time()
                self._twin_host = mark.host

    # --- orders ---------------------------------------------------------------------------------

    async def _take_order(self, message: Msg) -> None:
        """Do as it is said; what takes its time keeps nothing else waiting."""
        task = asyncio.create_task(self._answer(message))
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)

    async def _answer(self, message: Msg) -> None:
        try:
            answer = await self._obeying.done(order(message.data))
        except (MessageError, NotPossibleError) as error:
            answer = Answer(refused=str(error))
        except Exception:
            logger.exception("node %s: a fault of ours", self._name)
            answer = Answer(refused="a fault of ours, see the log there")
        with contextlib.suppress(*FAILURES):
            await message.respond(encode(answer))
