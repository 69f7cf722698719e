"""What every transport is: a :class:`Line` that carries bytes and says when they came."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable

from drivers.errors import LinkLostError

Clock = Callable[[], float]
"""Seconds that never go back; arrival times are taken from it."""

INBOX_BYTES = 65536
"""Bytes a line keeps for a slow reader; a tournament board sends some 10 bytes a second."""


class Line(ABC):
    """One way to one device.

    Bytes stay in order. A line has one reader, and may be opened again after it was lost or
    closed. ``address`` is what it was made from; ``battery`` is the percentage that the device
    tells beside its bytes, where the transport knows of such a way.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.battery: int | None = None
        self._inbox = Inbox()

    @abstractmethod
    async def open(self) -> None:
        """Open the line.

        Raises:
            PortMissingError: there is nothing at this address now.
            PortBusyError: another program holds it.
            PortDeniedError: we may not open it.
            LinkLostError: it is there and cannot be opened.
        """

    async def read(self, timeout: float | None) -> tuple[float, bytes] | None:  # noqa: ASYNC109 - one timer a read is a quarter of the cost of asyncio.timeout
        """Return the next bytes and when they came, or ``None`` after *timeout* seconds.

        By radio and from USB HID devices that is one message as it was sent.

        Raises:
            LinkLostError: the line is gone, or not open; bytes that came before are given first.
        """
        try:
            return await self._inbox.get(timeout)
        except LinkLostError as error:
            raise LinkLostError(f"{self.address}: {error}") from None

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Send *data*, or keep it until the device takes it; never blocks.

        Raises:
            LinkLostError: the line is gone, or not open.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the line; nothing happens where it is closed already."""

    def wake(self) -> None:
        """Let a reader that waits have ``None`` at once."""
        self._inbox.wake()


class Inbox:
    """Chunks that arrived and were not read yet, and why no more will come."""

    def __init__(self) -> None:
        self._chunks: deque[tuple[float, bytes]] = deque()
        self._size = 0
        self._ended: str | None = "is not open"
        self._waiter: asyncio.Future[None] | None = None

    @property
    def ended(self) -> str | None:
        """Why no more bytes will come; ``None`` while the line is up."""
        return self._ended

    @property
    def full(self) -> bool:
        """Whether no more should be taken from the device for now."""
        return self._size >= INBOX_BYTES

    def begin(self) -> None:
        """Forget what an earlier opening left behind and take bytes from now on."""
        self._chunks.clear()
        self._size = 0
        self._ended = None

    def put(self, at: float, data: bytes) -> None:
        """Keep *data* that came at time *at*."""
        self._chunks.append((at, data))
        self._size += len(data)
        self.wake()

    def end(self, why: str) -> None:
        """No more bytes will come; the first reason stands."""
        if self._ended is None:
            self._ended = why
            self.wake()

    async def get(self, timeout: float | None) -> tuple[float, bytes] | None:  # noqa: ASYNC109 - see Line.read
        """Return as :meth:`Line.read` does, but a reason to end raises without an address."""
        if not self._chunks and self._ended is None:
            await self._arrival(timeout)
        if self._chunks:
            chunk = self._chunks.popleft()
            self._size -= len(chunk[1])
            return chunk
        if self._ended is not None:
            raise LinkLostError(self._ended)
        return None

    async def _arrival(self, timeout: float | None) -> None:  # noqa: ASYNC109 - see Line.read
        loop = asyncio.get_running_loop()
        self._waiter = loop.create_future()
        timer = None if timeout is None else loop.call_later(timeout, self.wake)
        try:
            await self._waiter
        finally:
            self._waiter = None
            if timer is not None:
                timer.cancel()

    def wake(self) -> None:
        """Let whoever waits for bytes look again."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
