"""Simulated Chessnut boards on the virtual USB, in our time or in one that runs faster."""

import asyncio
import math
import time

import chess

from drivers.simulated.chessnut import ChessnutBoard
from testbed.virtual_usb import VirtualDevice, VirtualUsb

SPEED = 10.0
REPORT = 65


def now() -> float:
    """Seconds that pass ten times as fast, for a board and whoever listens to it."""
    return SPEED * time.monotonic()


class UsbBoard:
    """A board that goes on whether it is plugged in or not, as it has a battery."""

    def __init__(
        self,
        bus: VirtualUsb,
        *ports: int,
        model: ChessnutBoard | None = None,
        seed: int = 0,
        speed: float = SPEED,
    ) -> None:
        self.model = model or ChessnutBoard(wire="usb", seed=seed)
        self._speed = speed
        self.model.set_up(chess.Board().piece_map(), at=self.now())
        self._bus = bus
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self.device = VirtualDevice(ports=ports, heard=self._heard)

    def now(self) -> float:
        return self._speed * time.monotonic()

    def plug(self) -> None:
        self.device = self.device.replugged()
        self.device.heard = self._heard
        self._bus.plug(self.device)
        self.wake()

    def unplug(self) -> None:
        self._bus.unplug(self.device)
        self.model.disconnect(at=self.now())

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.device.plugged:
            self.unplug()

    def _heard(self, report: bytes) -> None:
        """Take a report in the thread of the host."""
        self._loop.call_soon_threadsafe(self._receive, report)

    def _receive(self, report: bytes) -> None:
        self.model.receive(report, at=self.now())
        self.wake()

    def wake(self) -> None:
        """Let the board go on at once; needed when somebody changed something about it."""
        if self._timer is not None:
            self._timer.cancel()
        data, wake_at = self.model.poll(at=self.now())
        if self.device.plugged:
            for start in range(0, len(data), REPORT):
                self.device.report(data[start : start + REPORT])
        if wake_at < math.inf:
            self._timer = self._loop.call_later((wake_at - self.now()) / self._speed, self.wake)
