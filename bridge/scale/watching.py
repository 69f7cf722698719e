"""What the brokers have of the outbox of a hub, followed all the time by those that may lead next.

So a hub that takes over has read it by then, and has to make sure of nothing but that it is all.
"""

import asyncio
import contextlib

import msgspec
import nats.js.errors
from nats.js import JetStreamContext

from bridge.core.json_errors import NOT_JSON
from bridge.scale.connection import BehindError, Connection
from bridge.scale.follower import Follower
from bridge.scale.ledger import Message
from bridge.scale.messages import VERSION

BEHIND_SECONDS = 1.0
"""Without anything new for so long, what is missing will not come from where it is read."""

LOOKED_AT = 500
"""So many entries that seem to wait are asked for once more; what waits behind a long outage of a
receiver is not worth the time."""


class Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of an outbox, or a note; ``gone`` where it was forgotten."""

    v: int = VERSION
    output: str
    key: str
    note: str | None = None
    content: bytes | None = None
    delivered: bytes | None = None
    gone: bool = False


class Watching:
    """Knows what *bucket* has; ``revisions`` are those of its keys, of what is there."""

    def __init__(self, stream: JetStreamContext, bucket: str) -> None:
        self.revisions: dict[str, int] = {}
        self._stream = stream
        self._name = f"KV_{bucket}"
        self._prefix = f"$KV.{bucket}."
        self._kept: dict[str, Kept | None] = {}
        self._follower = Follower(self._name, 0, self._take, anew=self._forget, whole=True)

    async def run(self, connection: Connection) -> None:
        """Follow it until cancelled; the bucket must be there."""
        await self._follower.run(connection)

    async def all(self) -> list[Kept | None]:
        """Return all there is at this moment, ``None`` for what cannot be read.

        Raises:
            BehindError: not all of it was told; it is read anew.
            nats.errors.Error, TimeoutError: the brokers do not tell now.
        """
        last = (await self._stream.stream_info(self._name)).state.last_seq
        while (before := self._follower.position) < last:
            try:
                async with asyncio.timeout(BEHIND_SECONDS):
                    await self._follower.until(last)
            except TimeoutError:
                if self._follower.position > before:
                    continue
                if before >= await self._last_there():
                    break
                self._begin_anew()
                raise BehindError("not all of what was sent was told") from None
        await asyncio.gather(*map(self._look_at, [*self._kept][-LOOKED_AT:]))
        return list(self._kept.values())

    async def _look_at(self, key: str) -> None:
        """Take the last word on what seems to wait: brokers skip some to who reads along."""
        subject = f"{self._prefix}{key}"
        with contextlib.suppress(nats.js.errors.NotFoundError):
            message = await self._stream.get_last_msg(self._name, subject)
            if message.seq and message.seq > self.revisions.get(key, 0):
                self._take(Message(subject, message.data or b"", message.seq, 0.0))

    async def _last_there(self) -> int:
        """Return the revision of the last entry that was not taken out.

        A broker may say too low a number: it is asked only where nothing more comes.
        """
        try:
            message = await self._stream.get_last_msg(self._name, f"{self._prefix}>")
        except nats.js.errors.NotFoundError:
            return 0
        return message.seq or 0

    def _begin_anew(self) -> None:
        """Believe nothing of what was read, and read it all again, from another broker perhaps."""
        self._forget()
        self._follower.begin_anew()

    def _forget(self) -> None:
        self._kept.clear()
        self.revisions.clear()

    def _take(self, message: Message) -> None:
        key = message.subject.removeprefix(self._prefix)
        kept = _read(message.data) if message.data else None
        known = self.revisions.pop(key, 0)
        self._kept.pop(key, None)  # what came last stands last
        if message.data and (kept is None or not kept.gone):
            self._kept[key] = kept
            known = max(known, message.position)
        if known >= message.position:
            self.revisions[key] = known


def _read(value: bytes) -> Kept | None:
    """Return an entry; none where a later version, or nobody of ours, has written it."""
    try:
        kept = msgspec.json.decode(value, type=Kept)
    except NOT_JSON:
        return None
    return kept if kept.v <= VERSION else None
