"""A line over a file descriptor, driven by the event loop: what serial ports and sockets share.

Nothing here selects or polls on its own: ``loop.add_reader`` serves hundreds of lines in one
process, and descriptor numbers above 1023 are no limit.
"""

import asyncio
import os
from abc import abstractmethod

from drivers.errors import LinkLostError
from drivers.transports.line import Clock, Line

READ_BYTES = 4096
OUTBOX_BYTES = 65536
"""Bytes kept for a device that takes none; boards are sent some bytes at a time."""


class DescriptorLine(Line):
    """Reads in the loop's callback, where the time of arrival is taken; writes without waiting.

    End of file or any error removes the callbacks at once, since such a descriptor stays
    readable for ever, and closes it, so that the kernel can give its name to the next device.
    """

    def __init__(self, address: str, now: Clock) -> None:
        super().__init__(address)
        self._now = now
        self._outbox = bytearray()
        self._fd = -1
        self._reading = False

    @abstractmethod
    async def _open(self) -> int:
        """Return an open, non-blocking descriptor that is now ours."""

    @abstractmethod
    def _close(self, fd: int) -> None:
        """Give the descriptor back without waiting for anything."""

    async def open(self) -> None:
        """Open the line, as :class:`Line` says."""
        self._fd = await self._open()
        self._inbox.begin()
        self._resume()

    async def read(self, timeout: float | None) -> tuple[float, bytes] | None:  # noqa: ASYNC109 - see Line.read
        """Return the next bytes and when they came, as :class:`Line` says."""
        chunk = await super().read(timeout)
        if not self._reading and self._fd >= 0 and not self._inbox.full:
            self._resume()
        return chunk

    def write(self, data: bytes) -> None:
        """Send or keep *data*, as :class:`Line` says."""
        if self._fd >= 0:
            if not self._outbox:
                data = data[self._send(data) :]
            self._keep(data)
        if self._inbox.ended is not None:
            raise LinkLostError(f"{self.address}: {self._inbox.ended}")

    def close(self) -> None:
        """Close the line, as :class:`Line` says."""
        self._lose("closed")

    def _resume(self) -> None:
        self._reading = True
        asyncio.get_running_loop().add_reader(self._fd, self._readable)

    def _readable(self) -> None:
        try:
            data = os.read(self._fd, READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(os.strerror(error.errno or 0))
            return
        if not data:
            self._lose("the other end is gone")
            return
        self._inbox.put(self._now(), data)
        if self._inbox.full:
            self._reading = False
            asyncio.get_running_loop().remove_reader(self._fd)

    def _send(self, data: bytes | bytearray) -> int:
        """Return how many bytes the device took; an error loses the line."""
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            self._lose(os.strerror(error.errno or 0))
            return 0

    def _keep(self, data: bytes) -> None:
        """Keep what the device did not take, and send it when it can."""
        if not data or self._fd < 0:
            return
        if len(self._outbox) + len(data) > OUTBOX_BYTES:
            self._lose("takes nothing of what it is sent")
            return
        if not self._outbox:
            asyncio.get_running_loop().add_writer(self._fd, self._writable)
        self._outbox += data

    def _writable(self) -> None:
        del self._outbox[: self._send(self._outbox)]
        if not self._outbox and self._fd >= 0:
            asyncio.get_running_loop().remove_writer(self._fd)

    def _lose(self, why: str) -> None:
        if self._fd < 0:
            return
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._fd)
        loop.remove_writer(self._fd)
        fd, self._fd = self._fd, -1
        self._reading = False
        self._outbox.clear()
        self._close(fd)
        self._inbox.end(why)
