"""Which hub leads: one key that the brokers change only for who names its last revision.

The hub that leads renews the key every half second. Another hub that sees no renewal for
``TAKE_AFTER`` writes its own name there; the brokers let only one do so. The revision it gets is
its *epoch*: everything that it orders bears it, and what bears an earlier one counts no more. A
leader that could not renew for ``FENCE`` sends nothing until it could: nobody else can have taken
the lease before that. No clock of one machine is compared with that of another.

Brokers that lost the one of them who keeps the key choose another, in 4 to 9 seconds, and answer
nobody meanwhile. The leader has done nothing wrong then: who stands by lets it be the first to ask
them again.
"""

import asyncio
import contextlib
import logging
import time
import uuid
from collections.abc import Callable

import msgspec
import nats.js.errors
from nats.js import JetStreamContext
from nats.js.api import KeyValueConfig, StorageType
from nats.js.kv import KeyValue

from bridge.core.json_errors import NOT_JSON
from bridge.scale.connection import FAILURES, Grumbler, in_words

KEY = "leader"
RENEW = 0.5
AGAIN = 0.1
"""How soon what failed is tried again: of each election it costs that much more."""
FENCE = 3.6
TAKE_AFTER = 3.9
"""The later, the more elections are over by then; the sooner, the less a dead leader is missed."""
FIRST_CHANCE = 1.5
"""For how long brokers answer before the lease is taken of who could not renew it."""
LOOK = 0.1
ANSWER = 1.0

logger = logging.getLogger(__name__)


class LostError(Exception):
    """Another hub leads."""


class Holder(msgspec.Struct, frozen=True):
    """Who leads; nobody where ``session`` is empty. ``home`` is the data folder it works in."""

    hub: str
    session: str
    home: str = ""


NOBODY = Holder("", "")
UNKNOWN = Holder("?", "?")
"""Who stands where the lease was deleted, or cannot be read: he may lead for as long as anybody."""


class Lease:
    """The lease of a hub called *hub*; ``epoch`` is 0 until it has led.

    *home* names the data folder, which only one process can use at a time: a lease that was taken
    from there is that of a process that is no more, and is taken again at once.
    """

    def __init__(self, hub: str, bucket: str, *, replicas: int, home: str = "") -> None:
        self.epoch = 0
        self._holder = Holder(hub, uuid.uuid4().hex, home)
        self._grumbler = Grumbler(f"hub {hub}")
        self._bucket = bucket
        self._replicas = replicas
        self._values: KeyValue | None = None
        self._revision = 0
        self._until = 0.0

    @property
    def trouble(self) -> str:
        """What is wrong with the lease, in words."""
        return self._grumbler.trouble

    @property
    def is_held(self) -> bool:
        """Whether this hub leads now for certain; any thread may ask."""
        return time.monotonic() < self._until

    async def acquire(
        self, stream: JetStreamContext, can_lead: asyncio.Event | None = None
    ) -> None:
        """Return when this hub leads, which it does not before *can_lead* is set, if given.

        It watches who leads before that, too: when it can, it may have waited for long enough.
        """
        seen, since, unanswered = -1, time.monotonic(), 0.0
        while True:
            began = time.monotonic()
            try:
                revision, holder = await self._read(stream)
                if revision != seen:
                    seen, since = revision, time.monotonic()
                is_over = began > max(since + TAKE_AFTER, unanswered + FIRST_CHANCE)
                may = is_over or self._is_free(holder)
                can = can_lead is None or can_lead.is_set()
                if may and can and await self._take(stream, revision):
                    return
            except FAILURES:
                unanswered = time.monotonic()
            await asyncio.sleep(LOOK)

    def _is_free(self, holder: Holder) -> bool:
        return not holder.session or (holder.home != "" and holder.home == self._holder.home)

    async def _take(self, stream: JetStreamContext, revision: int) -> bool:
        """Take the lease of who had that revision; return whether nobody was faster."""
        began = time.monotonic()
        try:
            self._revision = await self._write(stream, self._holder, revision)
        except nats.js.errors.KeyWrongLastSequenceError:
            return False
        self.epoch = self._revision
        self._until = began + FENCE
        self._grumbler.note("")
        logger.info("hub %s: leads, epoch %d", self._holder.hub, self.epoch)
        return True

    async def keep(self, stream: JetStreamContext, *, lost: Callable[[], None]) -> None:
        """Renew until cancelled; *lost* is called when another hub leads."""
        while True:
            began = time.monotonic()
            try:
                await self._renew(stream)
            except LostError:
                self._until = 0.0
                lost()
                return
            except FAILURES as error:
                self._grumbler.note(f"the lease is not renewed: {in_words(error)}")
                await asyncio.sleep(AGAIN)
            else:
                self._until = began + FENCE
                self._grumbler.note("")
                await asyncio.sleep(max(0.0, began + RENEW - time.monotonic()))

    async def _renew(self, stream: JetStreamContext) -> None:
        try:
            self._revision = await self._write(stream, self._holder, self._revision)
        except nats.js.errors.KeyWrongLastSequenceError:
            revision, holder = await self._read(stream)
            if holder != self._holder:
                raise LostError from None
            # A renewal had worked, and its answer was lost.
            self._revision = await self._write(stream, self._holder, revision)

    async def release(self, stream: JetStreamContext) -> None:
        """Let another hub lead at once."""
        self._until = 0.0
        with contextlib.suppress(*FAILURES):
            nobody = msgspec.structs.replace(self._holder, session="")
            await self._write(stream, nobody, self._revision)

    async def holder(self, stream: JetStreamContext) -> Holder:
        """Return who leads, as the brokers have it; :data:`NOBODY` where there is no lease.

        Raises:
            nats.errors.Error, TimeoutError: the brokers do not tell now.
        """
        return (await self._read(stream))[1]

    # --- what the brokers keep ------------------------------------------------------------------

    async def _read(self, stream: JetStreamContext) -> tuple[int, Holder]:
        values = await self._bucket_values(stream)
        try:
            async with asyncio.timeout(ANSWER):
                entry = await values.get(KEY)
        except nats.js.errors.KeyNotFoundError as error:
            self._values = None  # the bucket itself may have been deleted
            deleted = error.entry
            return (deleted.revision, UNKNOWN) if deleted is not None else (0, NOBODY)
        try:
            return entry.revision or 0, msgspec.json.decode(entry.value or b"", type=Holder)
        except NOT_JSON:
            self._grumbler.note("who leads cannot be read, and counts as gone if it is not renewed")
            return entry.revision or 0, UNKNOWN

    async def _write(self, stream: JetStreamContext, holder: Holder, last: int) -> int:
        values = await self._bucket_values(stream)
        async with asyncio.timeout(ANSWER):
            return await values.update(KEY, msgspec.json.encode(holder), last=last)

    async def _bucket_values(self, stream: JetStreamContext) -> KeyValue:
        if self._values is None:
            async with asyncio.timeout(ANSWER):
                self._values = await self._opened(stream)
        return self._values

    async def _opened(self, stream: JetStreamContext) -> KeyValue:
        try:
            return await stream.key_value(self._bucket)
        except nats.js.errors.BucketNotFoundError:
            return await stream.create_key_value(
                KeyValueConfig(
                    bucket=self._bucket,
                    history=1,
                    storage=StorageType.FILE,
                    replicas=self._replicas,
                    direct=False,  # a copy that lags must not answer
                )
            )
