"""A simulated board on the radio: it hears what is written, and notifies what it says."""

import asyncio
import math
from collections.abc import Callable
from typing import Protocol

from drivers.transports.simulated import Device

ATT_HEADER = 3


class Wireless(Protocol):
    """A device on the radio, as it is seen from its own side.

    ``mtu`` bounds what is notified at once. ``on_write`` and ``on_drop`` are called when a host
    writes, and when a link is lost. While it is not ``advertising`` nobody finds it. ``battery`` is
    what the standard service for that tells, which it has not where that is ``None``.
    """

    mtu: int
    battery: int | None
    advertising: bool
    on_write: Callable[[bytes], None]
    on_drop: Callable[[], None]
    on_subscribe: Callable[[], None]

    @property
    def connected(self) -> bool:
        """Whether a link is up."""

    def notify(self, data: bytes) -> None:
        """Notify by the first characteristic that can."""

    def drop(self) -> None:
        """Lose the link."""

    def leave(self) -> None:
        """Go out of reach."""


class Peripheral:
    """Lets a simulated board live in a device: it hears writes and notifies what it says.

    What it says at once is cut where the link carries no more.
    """

    def __init__(self, device: Wireless, board: Device) -> None:
        self.device = device
        self._board = board
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        device.on_write = self._hear

    def wake(self) -> None:
        """Let the board go on at once; needed when somebody changed something about it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        wake_at = -math.inf
        while wake_at <= self._loop.time():
            data, wake_at = self._board.poll(at=self._loop.time())
            size = self.device.mtu - ATT_HEADER
            for begin in range(0, len(data), size):
                self.device.notify(data[begin : begin + size])
        if wake_at < math.inf:
            self._timer = self._loop.call_at(wake_at, self.wake)

    def _hear(self, data: bytes) -> None:
        self._board.receive(data, at=self._loop.time())
        self.wake()
