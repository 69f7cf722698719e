"""A hub: follows the stream of an event, and serves it all where it leads.

It is a source of readings for the same service that one process runs. Another hub that stands by
folds the same stream all the time, so that taking over is no more than opening the outputs.
"""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from pathlib import Path

from bridge.config import Config, ScaleSettings
from bridge.core.model import Payload
from bridge.daemon.clock import JournalClock
from bridge.daemon.source import Boards, Measured, Publish, TakeUp
from bridge.daemon.tasks import aside
from bridge.outputs.controls import Controls, NotPossibleError
from bridge.outputs.feed import Feed
from bridge.scale.adoption import Adoption
from bridge.scale.beginning import until_begun
from bridge.scale.boards import NodesBoards
from bridge.scale.changes import Changes
from bridge.scale.clock import EventClock
from bridge.scale.connection import Connection, Grumbler, Troubled, insist
from bridge.scale.ending import end, or_exit, unless
from bridge.scale.facts import PublicFacts
from bridge.scale.follower import Follower
from bridge.scale.lease import Lease
from bridge.scale.ledger import Ledger, Message
from bridge.scale.messages import Change, Mark
from bridge.scale.names import HUB, Names
from bridge.scale.nodes import Nodes
from bridge.scale.place import Place
from bridge.scale.remote import over_nodes
from bridge.scale.shared_hall import SharedHall
from bridge.scale.shared_outbox import Copies, SharedOutbox
from bridge.scale.timekeeper import Timekeeper
from bridge.scale.voice import Voice
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox

NOTE_SECONDS = 1.0
LAST_NOTE_SECONDS = 5.0
"""How long the end waits for the last note."""
FOLD_SECONDS = 5.0
"""How long a hub that leads waits until all that it has read is folded."""
DEPOSED = 75
"""The exit code of a hub that leads no longer: started again, it stands by."""

logger = logging.getLogger(__name__)


class Hub:
    """The boards of all nodes of an event; *name* is this hub's own.

    Raises:
        ScaleError: the configuration cannot be used.
    """

    leaves_gaps = False

    def __init__(self, config: Config, journal: Journal, scale: ScaleSettings, name: str) -> None:
        self._config = config
        self._journal = journal
        self._scale = scale
        self._name = name
        self._names = Names(scale.event)
        wall = time.time()
        own = JournalClock(journal.last_at() or (wall, wall))
        self._clock = EventClock(own.now, wall=wall)
        self.now = self._clock.now
        self._tables = {table.table: table.node for table in config.tables}
        self._nodes = Nodes(
            self._tables, wall=lambda: self._clock.wall(self.now()), came=self._came
        )
        self._place = Place(Outbox(config.data.outbox), journal)
        self._lease = Lease(
            name, self._names.lease, replicas=scale.replicas, home=self._place.home()
        )
        self._timekeeper = Timekeeper(
            self._names, name, self._clock, own.now, self._lease, self._hear
        )
        self._grumbler = Grumbler(f"hub {name}")
        self._parts: list[Troubled] = [self._grumbler, self._lease]
        self._facts: PublicFacts | None = None
        if scale.public_facts:
            self._facts = PublicFacts(self._names, config.pgn.delay, self.now)
            self._parts.append(self._facts)
        self._position, self._epoch, self._latest = 0, 0, dict[str, float]()
        self._said_wrong: Mapping[str, str] = {}
        self._history: list[tuple[Change, int]] = []
        self._changes: Changes | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._can_lead = asyncio.Event()
        self._voice: Voice | None = None

    # --- being there ----------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look for the brokers, and be there until left."""
        async with Connection(self._scale, self._name) as connection:
            self._connection = connection
            self._parts.append(connection)
            self._copies = Copies(
                connection.stream,
                self._names.sent,
                replicas=self._scale.replicas,
                held=lambda: self._lease.is_held,
            )
            self._parts.append(self._copies)
            self._adoption = Adoption(self._config.data.outbox, self._copies)
            self._following = asyncio.create_task(or_exit(self._copies.follow(connection)))
            try:
                yield
            finally:
                self._copies.close()
                await self._end()

    async def prepared(self, stop: asyncio.Event) -> None:
        """Return when the brokers have told all that is to be known at first, or *stop* is set.

        Raises:
            ScaleError: they will not have this hub.
        """
        await unless(stop, self._prepare())

    async def _prepare(self) -> None:
        self._history = await until_begun(
            self._connection, self._scale, self._adoption, self._grumbler
        )
        self._position, self._epoch = await asyncio.to_thread(self._place.read)
        self._latest = await asyncio.to_thread(self._place.latest)

    async def _end(self) -> None:
        if self._tasks:
            with contextlib.suppress(TimeoutError):  # the disk may be full
                await asyncio.wait_for(self._note(), LAST_NOTE_SECONDS)
        await end([self._following, *self._tasks])
        if self._lease.epoch:
            await self._lease.release(self._connection.stream)
        await aside(self._place.close)

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(or_exit(work))
        self._tasks.append(task)
        return task

    def open_outbox(self, path: Path) -> Outbox:
        """Open the outbox of which the brokers have a copy."""
        return SharedOutbox(path, self._copies)

    @property
    def feeds(self) -> Sequence[Feed]:
        """What is told facts beside the outputs of the configuration."""
        return [self._facts.feed] if self._facts is not None else []

    # --- what is folded -------------------------------------------------------------------------

    def hall(self, publish: Publish, measured: Measured) -> tuple[SharedHall, Boards]:
        """Return the hall that is folded from the stream."""
        self._ledger = Ledger(
            self._journal.last_seq,
            self._latest,
            self._tables,
            changed=self._take_change,
            epoch=self._epoch,
        )
        self._said_wrong = self._ledger.troubles
        for change, place in self._history:
            self._ledger.recall(change, place)
        self._follower = Follower(self._names.readings_stream, self._position, self._take)
        self._parts.append(self._follower)
        self._hall = SharedHall(
            self._journal,
            now=self.now,
            publish=publish,
            measured=measured,
            known=self._nodes.known,
            say=self._say,
        )
        self._boards = NodesBoards(
            self._names,
            self._tables,
            self._nodes,
            [table.table for table in self._config.tables if table.feedback],
            self._hall.lit,
            self._connection,
        )
        self._leading = self._start(self._lease.acquire(self._connection.stream, self._can_lead))
        return self._hall, self._boards

    def _hear(self, name: str, mark: Mark) -> None:
        self._nodes.hear(name, mark)
        self._hall.advance(table for table, node in self._tables.items() if name in (HUB, node))

    def _take(self, message: Message) -> None:
        reading = self._ledger.take(message)
        if reading is not None:
            self._hall.take(reading)
        self._nodes.read_to(message.position)

    def _say(self, table: str, link: str, payload: Payload) -> None:
        if self._voice is None:
            logger.error("table %s: nothing can be ordered at a hub that stands by", table)
            return
        self._voice.say(table, link, payload)

    async def _note_places(self) -> None:
        while True:
            await asyncio.sleep(NOTE_SECONDS)
            await self._note()

    async def _note(self) -> None:
        await self._place.note(
            self._follower.position, self._ledger.epoch, self._ledger.first_parked
        )

    def _came(self, node: str) -> None:
        self._boards.came(node)

    def controls(self, own: Controls) -> Controls:
        """Return what people may do, of which *own* is done at this hub alone."""
        # A hub that has read nothing yet was given its file as it is to be now.
        after = self._follower.position or (self._history[-1][1] if self._history else 0)
        self._changes = Changes(own, after, lambda epoch: epoch == self._lease.epoch)
        self._parts.append(self._changes)
        self._start(self._changes.run())
        return over_nodes(own, self._boards, epoch=lambda: self._lease.epoch, tell=self._tell)

    def _take_change(self, change: Change, position: int) -> None:
        if self._changes is not None:
            self._changes.take(change, position)

    async def _tell(self, change: Change) -> None:
        """Have all hubs take a change; return when this one has read it.

        Raises:
            NotPossibleError: this hub does not lead.
        """
        if self._voice is None:
            raise NotPossibleError("this hub stands by: ask the one that leads")
        await self._voice.change(self._connection, change)
        await self._follower.until(self._voice.position)

    # --- leading --------------------------------------------------------------------------------

    async def ready(self, stop: asyncio.Event, take_up: TakeUp) -> bool:
        """Follow the stream from now on; return when this hub leads, or *stop* is set."""
        await self._timekeeper.listen(self._connection)
        for work in (
            self._follower.run(self._connection),
            self._note_places(),
            self._timekeeper.ask(self._connection),
        ):
            self._start(work)
        if self._config.webhooks:
            self._start(self._adoption.until(lambda: self._lease.epoch > 0, take_up))
        logger.info("hub %s: stands by", self._name)
        await unless(stop, self._lead(take_up))
        return not stop.is_set()

    async def _lead(self, take_up: TakeUp) -> None:
        """Lead, and know all that happened before."""
        connection = self._connection
        self._can_lead.set()
        await self._leading
        self._start(self._lease.keep(connection.stream, lost=self._deposed))
        voice = Voice(
            self._names,
            self._clock,
            self._ledger,
            epoch=self._lease.epoch,
            after=lambda: self._nodes.hub_known,
        )
        await asyncio.gather(self._know_all(voice), insist(self._adoption.now, self._grumbler))
        # From here on it expects to find its own words alone: so who was deposed writes nothing.
        await end([self._following])
        await take_up()
        self._voice = voice
        self._parts.append(voice)
        self._start(voice.run(connection))
        self._start(self._boards.run())
        self._start(self._timekeeper.tell(connection, voice))
        if self._facts is not None:
            self._start(self._facts.run(connection))

    async def _know_all(self, voice: Voice) -> None:
        """Return when all is folded that was said before *voice* began."""
        await voice.begin(self._connection, self._name)
        await self._follower.until(voice.position)
        with contextlib.suppress(TimeoutError):  # the disk may be full
            await asyncio.wait_for(self._journal.append(()), FOLD_SECONDS)

    def _deposed(self) -> None:
        """End at once: what is on its way must not be followed by anything."""
        logger.error(
            "hub %s: another hub leads; this one ends, to stand by when it is started", self._name
        )
        logging.shutdown()
        os._exit(DEPOSED)

    def troubles(self) -> list[str]:
        """Return what is wrong with brokers, nodes and what they say."""
        own = (part.trouble for part in self._parts)
        said = (f"node {name}: {text}" for name, text in self._said_wrong.items())
        return list(dict.fromkeys((*filter(None, own), *self._nodes.troubles(), *said)))
