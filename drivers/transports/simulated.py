"""A simulated board as a line, in this process: ``simulated:dgt`` or ``simulated:dgt/2``.

Which simulated boards there are is said by entry points of the group ``eboard_bridge.simulated``,
each named like its driver: a function that makes the device model with a number. Transports know
nothing of the models themselves.
"""

import asyncio
import math
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Protocol

from drivers.codec import Outgoing
from drivers.errors import AddressError, LinkLostError
from drivers.transports.line import Clock, Line

GROUP = "eboard_bridge.simulated"


class Device(Protocol):
    """A pure model of a device: bytes and time in, bytes and the next time out."""

    def receive(self, data: bytes, *, at: float) -> None:
        """Take what a host sent at time *at*."""

    def poll(self, *, at: float) -> Outgoing:
        """Go on to time *at*; return what to send now and when to poll again."""


def make_board(name: str, number: int) -> Device:
    """Return the simulated board *number* of the driver called *name*.

    Raises:
        AddressError: there is none for this driver.
    """
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        raise AddressError(
            f"there is no simulated board {name!r}; there are: {', '.join(sorted(found))}"
        )
    make: Callable[[int], Device] = found[name].load()
    return make(number)


class SimulatedLine(Line):
    """Carries a device model, whose time begins when the line is opened first.

    It goes on while nobody listens; what it says then is lost.
    """

    def __init__(self, address: str, device: Device, now: Clock) -> None:
        super().__init__(address)
        self._device = device
        self._now = now
        self._timer: asyncio.TimerHandle | None = None
        self._began = math.nan

    async def open(self) -> None:
        """Listen to the device from now on; never fails."""
        if math.isnan(self._began):
            self._began = self._now()
        self._device.poll(at=self._now() - self._began)
        self._inbox.begin()
        self._advance()

    def write(self, data: bytes) -> None:
        """Give *data* to the device at once.

        Raises:
            LinkLostError: the line is not open.
        """
        if self._inbox.ended is not None:
            raise LinkLostError(f"{self.address}: {self._inbox.ended}")
        self._device.receive(data, at=self._now() - self._began)
        self._advance()

    def close(self) -> None:
        """Listen no more."""
        self._stop_timer()
        self._inbox.end("closed")

    def _advance(self) -> None:
        """Let the device go on; a reader that takes nothing misses what does not fit."""
        self._stop_timer()
        now = self._now()
        at = now - self._began
        data, wake_at = self._device.poll(at=at)
        if data and not self._inbox.full:
            self._inbox.put(now, data)
        if wake_at < math.inf:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, wake_at - at), self._advance)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
