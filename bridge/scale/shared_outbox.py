"""The outbox of a hub, of which the brokers keep a copy for the hub that may lead next.

Each entry and each note is a key of a JetStream bucket. What is queued is in the copy before it
may be sent, entries before the notes that say how far they reach; what was delivered is taken from
it before anything else is sent. So a hub that takes over knows what waits and what was sent, but
for what was on its way in the very moment: that it sends again, under the same key.

What a hub wrote that leads no longer may reach the brokers late, when a line comes back. So each
key is changed only by who names its last revision, and each call returns only while this hub leads
for certain: who was deposed meanwhile writes over nothing, and sends nothing more.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec
import nats.js.errors
from nats.js import JetStreamContext
from nats.js.api import KeyValueConfig, StorageType
from nats.js.kv import KeyValue

from bridge.scale.connection import FAILURES, RETRY, Connection, Grumbler, in_words, insist
from bridge.scale.streams import KEPT_SECONDS
from bridge.scale.watching import Kept, Watching
from bridge.store.errors import OutboxError
from bridge.store.outbox import Entry, Outbox, Row, digest_of

LOOK = 0.05


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
        self.held = held
        self._loop = asyncio.get_running_loop()
        self._bucket_values: KeyValue | None = None
        self._closed = False
        self._watching = Watching(stream, bucket)
        self._revisions = self._watching.revisions
        self._grumbler = Grumbler("hub")
        self._parked = Grumbler("hub")

    @property
    def trouble(self) -> str:
        """Why something cannot be sent, in words."""
        return self._grumbler.trouble or self._parked.trouble

    async def follow(self, connection: Connection) -> None:
        """Read what other hubs write there until cancelled."""
        await connection.until_tried()
        await insist(self._values, self._grumbler)
        await self._watching.run(connection)

    async def all(self) -> list[Kept]:
        """Return all that is kept and can be read; what cannot stays there, and is told.

        It must be followed meanwhile.

        Raises:
            BehindError: not all of it was told; the next time it may be.
            nats.errors.Error, TimeoutError: the brokers do not tell now.
        """
        await self._values()
        found = await self._watching.all()
        parked = found.count(None)
        said = f"{parked} entries of what is sent cannot be read, and stay where they are"
        self._parked.note(said if parked else "")
        return [kept for kept in found if kept is not None]

    def close(self) -> None:
        """Let nobody wait any longer."""
        self._closed = True

    def keep(self, what: Iterable[Kept]) -> None:
        """Return when the brokers have it and this hub leads for certain.

        May be called from any thread but that of the loop.

        Raises:
            OutboxError: it was closed before that.
        """
        asyncio.run_coroutine_threadsafe(self._keep(list(what)), self._loop).result()

    def wait(self) -> None:
        """Return when this hub leads for certain; raises as :meth:`keep` does."""
        while not self.held():
            self._check()
            time.sleep(LOOK)

    def _check(self) -> None:
        if self._closed:
            raise OutboxError("this hub leads no longer")

    async def _keep(self, what: list[Kept]) -> None:
        await asyncio.gather(*map(self._keep_one, what))

    async def _keep_one(self, kept: Kept) -> None:
        while True:
            await self._until_held()
            try:
                await self._write(kept)
            except nats.js.errors.KeyWrongLastSequenceError:
                continue  # by now it is known what is there
            except FAILURES as error:
                self._grumbler.note(f"what is sent waits: {in_words(error)}")
                await asyncio.sleep(RETRY)
            else:
                self._grumbler.note("")
                await self._until_held()
                return

    async def _until_held(self) -> None:
        while not self.held():
            self._check()
            await asyncio.sleep(LOOK)
        self._check()

    async def _write(self, kept: Kept) -> None:
        """Write it over what this hub knows to be there, or else learn what is there."""
        values, key = await self._values(), _key(kept)
        try:
            revision = await values.update(
                key, msgspec.json.encode(kept), last=self._revisions.get(key, 0)
            )
        except nats.js.errors.KeyWrongLastSequenceError:
            # An answer was lost, or a hub that led before has written late.
            self._revisions[key] = await self._revision(values, key)
            raise
        self._revisions[key] = revision

    async def _revision(self, values: KeyValue, key: str) -> int:
        try:
            return (await values.get(key)).revision or 0
        except nats.js.errors.KeyNotFoundError as error:
            return (error.entry and error.entry.revision) or 0

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
                    ttl=KEPT_SECONDS,  # what has been sent leaves a mark, which nobody takes out
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

    notes_each = True

    def __init__(self, path: Path, copies: Copies) -> None:
        super().__init__(path)
        self._copies = copies

    def may_send(self) -> bool:
        """Whether this hub still leads: it may have stood still since it read what waits."""
        return self._copies.held()

    def put(
        self, output: str, contents: Mapping[str, bytes], *, notes: Mapping[str, str] | None = None
    ) -> None:
        """Queue as an outbox does, in the copy first: nothing is sent that is not there."""
        known = {key: delivered for key, _, delivered in self.entries(output, contents)}
        self._copies.keep(
            Kept(output=output, key=key, content=content, delivered=known.get(key))
            for key, content in contents.items()
            if known.get(key) != digest_of(content)
        )
        self._copies.keep(_notes(output, notes))
        super().put(output, contents, notes=notes)

    def waiting(self, output: str, limit: int = 100) -> list[Entry]:
        """Return what waits, as soon as this hub leads for certain."""
        self._copies.wait()
        return super().waiting(output, limit)

    def delivered(
        self, output: str, entries: Iterable[Entry], *, notes: Mapping[str, str] | None = None
    ) -> None:
        """Note as an outbox does, there and in the copy."""
        entries = list(entries)
        super().delivered(output, entries, notes=notes)
        found = self.entries(output, [entry.key for entry in entries])
        self._copies.keep(
            Kept(output=output, key=key, content=content, delivered=delivered)
            for key, content, delivered in found
        )
        self._copies.keep(_notes(output, notes))

    def forget(self, output: str, keys: Iterable[str]) -> None:
        """Forget as an outbox does, there and in the copy."""
        keys = list(keys)
        super().forget(output, keys)
        self._copies.keep(Kept(output=output, key=key, gone=True) for key in keys)

    def trim(self, output: str, most: int) -> list[str]:
        """Forget the oldest as an outbox does, there and in the copy."""
        keys = super().trim(output, most)
        self._copies.keep(Kept(output=output, key=key, gone=True) for key in keys)
        return keys


def _notes(output: str, notes: Mapping[str, str] | None) -> list[Kept]:
    return [Kept(output=output, key=name, note=text) for name, text in (notes or {}).items()]
