"""Which hub leads: one key that the brokers change only for who names its last revision.

The hub that leads renews the key every half second. Another hub that sees no renewal for
``TAKE_AFTER`` writes its own name there; the brokers let only one do so. The revision it gets is
its *epoch*: everything that it orders bears it, and what bears an earlier one counts no more. A
leader that could not renew for ``FENCE`` sends nothing until it could: nobody else can have taken
the lease before that. No clock of one machine is compared with that of another.
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

from bridge.scale.connection import FAILURES, Grumbler, in_words

KEY = "leader"
RENEW = 0.5
FENCE = 3.0
TAKE_AFTER = 3.7
LOOK = 0.2
ANSWER = 1.0

logger = logging.getLogger(__name__)


class LostError(Exception):
    """Another hub leads."""


class Holder(msgspec.Struct, frozen=True):
    """Who leads; nobody where ``session`` is empty."""

    hub: str
    session: str


class Lease:
    """The lease of a hub called *hub*; ``epoch`` is 0 until it has led."""

    def __init__(self, hub: str, bucket: str, *, replicas: int) -> None:
        self.epoch = 0
        self.holder = ""
        self._holder = Holder(hub, uuid.uuid4().hex)
        self._grumbler = Grumbler(f"hub {hub}")
        self._bucket = bucket
        self._replicas = replicas
        self._revision = 0
        self._until = 0.0

    @property
    def is_held(self) -> bool:
        """Whether this hub leads now for certain; any thread may ask."""
        return time.monotonic() < self._until

    async def acquire(self, stream: JetStreamContext) -> None:
        """Return when this hub leads."""
        seen, since = -1, time.monotonic()
        while True:
            began = time.monotonic()
            with contextlib.suppress(*FAILURES):
                values = await self._values(stream)
                revision, holder = await _read(values)
                self.holder = holder.hub
                if revision != seen:
                    seen, since = revision, time.monotonic()
                is_free = holder.session in ("", self._holder.session)
                if is_free or time.monotonic() - since > TAKE_AFTER:
                    await self._take(values, revision, began)
                    return
            await asyncio.sleep(LOOK)

    async def _take(self, values: KeyValue, revision: int, began: float) -> None:
        with contextlib.suppress(nats.js.errors.KeyWrongLastSequenceError):
            self._revision = await _write(values, self._holder, revision)
            self.epoch = self._revision
            self._until = began + FENCE
            self.holder = self._holder.hub
            logger.info("hub %s: leads, epoch %d", self.holder, self.epoch)
            return
        raise TimeoutError  # another one was faster

    async def keep(self, stream: JetStreamContext, *, lost: Callable[[], None]) -> None:
        """Renew until cancelled; *lost* is called when another hub leads."""
        values: KeyValue | None = None
        while True:
            began = time.monotonic()
            try:
                values = values or await self._values(stream)
                await self._renew(values)
                self._until = began + FENCE
                self._grumbler.note("")
            except LostError:
                self._until = 0.0
                lost()
                return
            except FAILURES as error:
                self._grumbler.note(f"the lease is not renewed: {in_words(error)}")
            await asyncio.sleep(max(0.0, began + RENEW - time.monotonic()))

    async def _renew(self, values: KeyValue) -> None:
        try:
            self._revision = await _write(values, self._holder, self._revision)
        except nats.js.errors.KeyWrongLastSequenceError:
            revision, holder = await _read(values)
            if holder != self._holder:
                raise LostError from None
            self._revision = revision  # a renewal had worked, and its answer was lost

    async def release(self, stream: JetStreamContext) -> None:
        """Let another hub lead at once."""
        self._until = 0.0
        with contextlib.suppress(*FAILURES):
            values = await self._values(stream)
            await _write(values, Holder(self._holder.hub, ""), self._revision)

    async def _values(self, stream: JetStreamContext) -> KeyValue:
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


async def _read(values: KeyValue) -> tuple[int, Holder]:
    try:
        async with asyncio.timeout(ANSWER):
            entry = await values.get(KEY)
    except nats.js.errors.KeyNotFoundError:
        return 0, Holder("", "")
    return entry.revision or 0, msgspec.json.decode(entry.value or b"", type=Holder)


async def _write(values: KeyValue, holder: Holder, last: int) -> int:
    async with asyncio.timeout(ANSWER):
        return await values.update(KEY, msgspec.json.encode(holder), last=last)
