"""The edge: a simulated board on a real pseudo terminal, so that real serial code opens it."""

import asyncio
import contextlib
import math
import os
import tty
from pathlib import Path

from drivers.transports.simulated import Device

READ_SIZE = 4096


class PtyPort:
    """Carries *device* on a pty that is found at *path*, a link like those of udev.

    The device goes on by itself, whether the port is plugged in or not and whether a host
    listens or not. What does not fit into the terminal's buffer while nobody reads is lost, as
    on a line without flow control. Time is that of the running event loop.
    """

    def __init__(self, path: Path, device: Device) -> None:
        self.path = path
        self.lost_bytes = 0
        self._device = device
        self._loop = asyncio.get_running_loop()
        self._ends: tuple[int, int] | None = None
        self._node = ""
        self._timer: asyncio.TimerHandle | None = None
        self.wake()

    @property
    def plugged(self) -> bool:
        """Whether the port exists now."""
        return self._ends is not None

    def plug(self) -> None:
        """Make the port appear; after an unplugging it is another node behind the same link."""
        if self._ends is not None:
            return
        # The host's end stays open here, so that hosts may open and close it as they like.
        board_end, host_end = _open_other_than(self._node)
        self._node = os.ttyname(host_end)
        tty.setraw(host_end)
        os.set_blocking(board_end, False)
        self._ends = board_end, host_end
        self.path.parent.mkdir(parents=True, exist_ok=True)
        link = self.path.with_name(f".{self.path.name}.new")
        link.unlink(missing_ok=True)
        link.symlink_to(self._node)
        link.replace(self.path)
        self._loop.add_reader(board_end, self._receive, board_end)

    def unplug(self) -> None:
        """Make the port vanish under the host's hands, with what it has not read."""
        if self._ends is None:
            return
        self._loop.remove_reader(self._ends[0])
        self.path.unlink(missing_ok=True)
        for end in self._ends:
            os.close(end)
        self._ends = None

    def close(self) -> None:
        """Unplug for good and let the device rest."""
        self.unplug()
        if self._timer is not None:
            self._timer.cancel()

    def wake(self) -> None:
        """Let the device go on at once; needed when somebody changed something about it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        data, wake_at = self._device.poll(at=self._loop.time())
        if data:
            self._send(data)
        if wake_at < math.inf:
            self._timer = self._loop.call_at(wake_at, self.wake)

    def _receive(self, board_end: int) -> None:
        self._device.receive(os.read(board_end, READ_SIZE), at=self._loop.time())
        self.wake()

    def _send(self, data: bytes) -> None:
        written = 0
        if self._ends is not None:
            with contextlib.suppress(BlockingIOError):
                written = os.write(self._ends[0], data)
        self.lost_bytes += len(data) - written


def _open_other_than(node: str) -> tuple[int, int]:
    """Open a pty whose host's end is not *node*: the kernel gives the lowest free number."""
    ends = os.openpty()
    if os.ttyname(ends[1]) != node:
        return ends
    others = os.openpty()
    for end in ends:
        os.close(end)
    return others
