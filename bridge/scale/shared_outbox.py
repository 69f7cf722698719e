"""The outbox of a hub, of which the brokers keep a copy for the hub that may lead next.

Each entry and each note is a key of a JetStream bucket. What is queued is in the copy before it
may be sent, entries before the notes that say how far they reach; what was delivered is taken from
it before anything else is sent. So a hub that takes over knows what waits and what was sent, but
for what was on its way in the very moment: that it sends again, under the same key.
"""

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec
import nats.js.errors
from nats.js import JetStreamContext
from nats.js.api import KeyValueConfig, StorageType
from nats.js.kv import KeyValue

from bridge.scale.connection import FAILURES, RETRY, Grumbler, in_words
from bridge.store.errors import OutboxError
from bridge.store.outbox import Entry, Outbox, Row

LOOK = 0.05
ALL_SECONDS = 5.0


class Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of an outbox, or a note; ``gone`` where it was forgotten."""

    v: int = 1
    output: str
    key: str
    note: str | None = None
    content: bytes | None = None
    delivered: bytes | None = None
    gone: bool = False


class Copies:
    """The copy that the brokers keep; used from any thread while *loop* runs.

    *held* says whether this hub leads: while it does not, whoever wants to send waits.
    """

    def __init__(
        self,
        stream: JetStreamContext,
        bucket: str,
        *,
        replicas: int,
        held: Callable[[], bool],
    ) -> None:
        self._stream = stream
        self._bucket = bucket
        self._replicas = replicas
        self._held = held
        self._loop = asyncio.get_running_loop()
        self._bucket_values: KeyValue | None = None
        self._closed = False
        self._grumbler = Grumbler("hub")

    async def all(self) -> list[Kept]:
        """Return all that is kept.

        Raises:
            nats.errors.Error, TimeoutError: the brokers do not tell now.
        """
        values = await self._values()
        watcher = await values.watchall()
        found: list[Kept] = []
        try:
            while True:
                entry = await watcher.updates(timeout=ALL_SECONDS)  # type: ignore[no-untyped-call]
                if entry is None:
                    return found
                if entry.value:
                    found.append(msgspec.json.decode(entry.value, type=Kept))
        finally:
            await watcher.stop()  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Let nobody wait any longer."""
        self._closed = True

    def keep(self, what: Iterable[Kept]) -> None:
        """Return when the brokers have it; may be called from any thread but that of the loop.

        Raises:
            OutboxError: it was closed before that.
        """
        asyncio.run_coroutine_threadsafe(self._keep(list(what)), self._loop).result()

    def wait(self) -> None:
        """Return when this hub leads for certain; raises as :meth:`keep` does."""
        while not self._held():
            self._check()
            time.sleep(LOOK)

    def _check(self) -> None:
        if self._closed:
            raise OutboxError("this hub leads no longer")

    async def _keep(self, what: list[Kept]) -> None:
        for each in what:
            while True:
                self._check()
                try:
                    await self._keep_one(each)
                    self._grumbler.note("")
                    break
                except FAILURES as error:
                    self._grumbler.note(f"what is sent waits: {in_words(error)}")
                    await asyncio.sleep(RETRY)

    async def _keep_one(self, kept: Kept) -> None:
        values = await self._values()
        if kept.gone:  # without a mark that it was there, which would stay for ever
            await self._stream.purge_stream(
                f"KV_{self._bucket}", subject=f"$KV.{self._bucket}.{_key(kept)}"
            )
        else:
            await values.put(_key(kept), msgspec.json.encode(kept))

    async def _values(self) -> KeyValue:
        if self._bucket_values is None:
            self._bucket_values = await self._open()
        return self._bucket_values

    async def _open(self) -> KeyValue:
        try:
            return await self._stream.key_value(self._bucket)
        except nats.js.errors.BucketNotFoundError:
            return await self._stream.create_key_value(
                KeyValueConfig(
                    bucket=self._bucket,
                    history=1,
                    storage=StorageType.FILE,
                    replicas=self._replicas,
                )
            )


def adopt(outbox: Outbox, everything: Iterable[Kept]) -> None:
    """Make *outbox* as the copy is, for each output of which there is any."""
    outputs: dict[str, tuple[list[Row], dict[str, str]]] = {}
    for kept in everything:
        rows, notes = outputs.setdefault(kept.output, ([], {}))
        if kept.note is None:
            rows.append((kept.key, kept.content, kept.delivered))
        else:
            notes[kept.key] = kept.note
    for output, (rows, notes) in outputs.items():
        outbox.adopt(output, rows, notes)


def _key(kept: Kept) -> str:
    kind = "e" if kept.note is None else "n"
    digest = hashlib.sha256(f"{kept.output}\n{kept.key}".encode()).hexdigest()[:32]
    return f"{kind}.{digest}"


class SharedOutbox(Outbox):
    """An outbox with a copy."""

    def __init__(self, path: Path, copies: Copies) -> None:
        super().__init__(path)
        self._copies = copies
        self._in_order = threading.Lock()  # what is done here is done in the copy before the next

    def put(
        self, output: str, contents: Mapping[str, bytes], *, notes: Mapping[str, str] | None = None
    ) -> None:
        """Queue as an outbox does, there and in the copy."""
        with self._in_order:
            super().put(output, contents, notes=notes)
            self._copy(output, contents, notes)

    def waiting(self, output: str, limit: int = 100) -> list[Entry]:
        """Return what waits, as soon as this hub leads for certain."""
        self._copies.wait()
        with self._in_order:
            return super().waiting(output, limit)

    def delivered(
        self, output: str, entries: Iterable[Entry], *, notes: Mapping[str, str] | None = None
    ) -> None:
        """Note as an outbox does, there and in the copy."""
        entries = list(entries)
        with self._in_order:
            super().delivered(output, entries, notes=notes)
            self._copy(output, [entry.key for entry in entries], notes)

    def forget(self, output: str, keys: Iterable[str]) -> None:
        """Forget as an outbox does, there and in the copy."""
        keys = list(keys)
        with self._in_order:
            super().forget(output, keys)
            self._copies.keep(Kept(output=output, key=key, gone=True) for key in keys)

    def _copy(self, output: str, keys: Iterable[str], notes: Mapping[str, str] | None) -> None:
        kept = [
            Kept(output=output, key=key, content=content, delivered=delivered)
            for key, content, delivered in self.entries(output, keys)
        ]
        kept += [Kept(output=output, key=name, note=text) for name, text in (notes or {}).items()]
        self._copies.keep(kept)
