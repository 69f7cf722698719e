"""What a link does by itself, beside what it says: when it spoke last, and how much of it is noise.

Nothing of it is news for the journal; whoever looks after the equipment wants to see it.
"""

from collections import deque
from typing import Literal, Protocol

import msgspec

from bridge.core.model import LinkChange, LinkState
from bridge.links.keeper import Deliver
from drivers.events import Battery, Event, Noise

WINDOW = 60
"""Seconds for which noise is counted."""


class Link(Protocol):
    """A link as it is counted, see :class:`bridge.links.keeper.Keeper`."""

    @property
    def name(self) -> str:
        """The link in logs."""

    @property
    def state(self) -> LinkState:
        """How it is."""

    @property
    def detail(self) -> str:
        """Why, in words."""

    @property
    def received(self) -> int:
        """Bytes that came."""

    @property
    def noise(self) -> int:
        """Bytes that made no message."""

    @property
    def heard_at(self) -> float | None:
        """When the last of them came."""


class LinkHealth(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a table as it is now.

    ``silent`` is how long it has said nothing valid (s), ``None`` if it never did; ``noise`` are
    the bytes of the last minute that made no message.
    """

    table: str
    device: Literal["board", "clock"]
    state: LinkState | None
    detail: str
    silent: float | None
    noise: int
    battery: Battery | None


class Pulse:
    """Passes on what a link delivers to *deliver*, and remembers how the link does."""

    def __init__(self, table: str, device: Literal["board", "clock"], deliver: Deliver) -> None:
        self._table = table
        self._device = device
        self._deliver = deliver
        self._link: LinkChange | None = None
        self._heard: float | None = None
        self._battery: Battery | None = None
        self._noise: deque[tuple[int, int]] = deque(maxlen=WINDOW + 1)

    def __call__(self, thing: Event | LinkChange) -> None:
        """Take the next event, or a change of the link."""
        match thing:
            case LinkChange():
                self._link = thing
            case Noise():
                self._count(int(thing.at), thing.size)
            case _:
                self._heard = thing.at
                if isinstance(thing, Battery):
                    self._battery = thing
        self._deliver(thing)

    def _count(self, second: int, length: int) -> None:
        if self._noise and self._noise[-1][0] == second:
            length += self._noise.pop()[1]
        self._noise.append((second, length))

    def health(self, now: float) -> LinkHealth:
        """Return how the link does at *now*, a time as those of its events."""
        return LinkHealth(
            table=self._table,
            device=self._device,
            state=self._link.state if self._link else None,
            detail=self._link.detail if self._link else "",
            silent=None if self._heard is None else max(0.0, now - self._heard),
            noise=sum(length for second, length in self._noise if second > now - WINDOW),
            battery=self._battery,
        )
