"""Numbered messages for clients that come and go: who was away takes up where he left."""

import asyncio
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from bridge.outputs.line import framed

KEPT = 2000
"""Messages that are kept for who comes back."""
QUEUE_SIZE = 1000
"""Messages that may wait for a slow client."""


class Message(NamedTuple):
    """``body`` is JSON and ``frame`` the same for a WebSocket, made once for all clients."""

    seq: int
    table: str
    body: bytes
    frame: bytes

    @classmethod
    def of(cls, seq: int, table: str, body: bytes) -> "Message":
        """Return the message with its frame."""
        return cls(seq, table, body, framed(body))


class Channel:
    """What one audience is told, in order. It belongs to one event loop.

    ``seq`` is the number of the last message. *numbers* increase, and no other channel, not even
    one of an earlier run, hands out the same: so a number tells whose it is.
    """

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers
        self._kept: deque[Message] = deque()
        self._followers: set[Follower] = set()
        self.seq = next(numbers)
        self._before = self.seq

    def next_seq(self) -> int:
        """Return the number of the next message, which :meth:`tell` has to follow with."""
        self.seq = next(self._numbers)
        return self.seq

    def tell(self, message: Message) -> None:
        """Hand out a message; never waits, never fails."""
        self._kept.append(message)
        if len(self._kept) > KEPT:
            self._before = self._kept.popleft().seq
        for follower in self._followers:
            follower.put(message)

    def begin_anew(self) -> None:
        """Forget what was told: everybody has to take the state as it is now."""
        self._kept.clear()
        self._before = self.seq = next(self._numbers)
        for follower in self._followers:
            follower.lose()

    def since(self, seq: int) -> list[Message] | None:
        """Return the messages after *seq*, ``None`` where nobody knows any more."""
        numbers = [self._before, *(message.seq for message in self._kept)]
        place = bisect_left(numbers, seq)
        if place == len(numbers) or numbers[place] != seq:
            return None
        return list(self._kept)[place:]

    def join(self, follower: "Follower") -> None:
        """Tell a follower from now on."""
        self._followers.add(follower)

    def leave(self, follower: "Follower") -> None:
        """Tell a follower nothing more; one that has left may leave again."""
        self._followers.discard(follower)


class Follower:
    """The messages that wait for one client; *table*: only those of one table.

    One that is too slow loses them, and is given ``None`` once in their place: it has to take the
    state as it is then.
    """

    def __init__(self, table: str | None = None) -> None:
        self._table = table
        self._waiting: deque[Message] = deque()
        self._lost = False
        self._ready = asyncio.Event()

    def put(self, message: Message) -> None:
        """Queue a message."""
        if self._lost or self._table not in (None, message.table):
            return
        if len(self._waiting) >= QUEUE_SIZE:
            self.lose()
        else:
            self._waiting.append(message)
            self._ready.set()

    def lose(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
        self._lost = True
        self._ready.set()

    async def take(self) -> list[Message] | None:
        """Wait for messages and return them, ``None`` where some were lost."""
        await self._ready.wait()
        self._ready.clear()
        if self._lost:
            self._lost = False
            return None
        messages = list(self._waiting)
        self._waiting.clear()
        return messages
