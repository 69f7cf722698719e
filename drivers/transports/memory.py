"""Two lines joined in memory: what one writes, the other reads. For tests and embedding."""

from drivers.errors import LinkLostError
from drivers.transports.line import Clock, Inbox, Line


class MemoryLine(Line):
    """One of two joined ends; made by :func:`memory_pair`."""

    def __init__(self, address: str, now: Clock, inbox: Inbox, others: Inbox) -> None:
        super().__init__(address)
        self._now = now
        self._inbox = inbox
        self._others = others

    async def open(self) -> None:
        """Open this end; what the other end wrote before is not kept."""
        self._inbox.begin()

    def write(self, data: bytes) -> None:
        """Give *data* to the other end; an end that is not open misses it, as on a cable.

        Raises:
            LinkLostError: this end is not open, or the other end reads nothing of it.
        """
        if self._inbox.ended is not None:
            raise LinkLostError(f"{self.address}: {self._inbox.ended}")
        if self._others.full:
            raise LinkLostError(f"{self.address}: the other end takes nothing of what it is sent")
        if data and self._others.ended is None:
            self._others.put(self._now(), data)

    def close(self) -> None:
        """Close this end; the other one loses its line, as when a cable is pulled."""
        self._inbox.end("closed")
        self._others.end("the other end is gone")


def memory_pair(name: str, now: Clock) -> tuple[MemoryLine, MemoryLine]:
    """Return two joined lines, neither of them open."""
    address, here, there = f"memory:{name}", Inbox(), Inbox()
    return MemoryLine(address, now, here, there), MemoryLine(address, now, there, here)
