"""Which clients do not take what they are sent, and have to go before they fill the memory.

Pure: time is an argument (s). What is sent waits in a buffer of each connection for a client that
does not read; nothing else bounds it.
"""

from collections.abc import Iterable
from typing import Protocol

STUCK_AFTER = 30.0
"""Seconds in which a client has to take at least something of what waits for it."""
MOST_WAITING = 128 << 20
"""Bytes that may wait for all clients together; those with most go first."""


class Connection(Protocol):
    """What a connection tells of itself, and how it ends."""

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait to be taken."""

    def abort(self) -> None:
        """End it at once."""


class Shedder:
    """Looks at connections every now and then."""

    def __init__(self) -> None:
        self._waiting: dict[Connection, tuple[int, float]] = {}

    def look(self, connections: Iterable[Connection], now: float) -> list[Connection]:
        """Return those that have to be cut off."""
        before, self._waiting = self._waiting, {}
        for connection in connections:
            size = connection.get_write_buffer_size()
            if size:
                last, since = before.get(connection, (size + 1, now))
                self._waiting[connection] = size, since if size >= last else now
        cut = [each for each, (_, since) in self._waiting.items() if now - since >= STUCK_AFTER]
        return cut + self._too_much(cut)

    def _too_much(self, cut: list[Connection]) -> list[Connection]:
        """Return which to cut off besides *cut*, so that what waits for the others is bearable."""
        left = {each: size for each, (size, _) in self._waiting.items() if each not in cut}
        total, more = sum(left.values()), []
        for each in sorted(left, key=lambda connection: left[connection], reverse=True):
            if total <= MOST_WAITING:
                break
            total -= left[each]
            more.append(each)
        return more
