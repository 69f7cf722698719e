"""A simulated board at the far end of something that the kernel carries."""

import asyncio
import contextlib
import math
import os
from collections import deque

from drivers.transports.simulated import Device

KEPT = 64
"""Reports that wait for a host; what the board said before is lost."""

READ_SIZE = 4096


class Carried:
    """Speaks for *device* at a descriptor, while there is one; the device goes on in any case.

    Each of its reports has *report* bytes at most; 0 where it speaks a stream. What stands behind
    the descriptor may end: then it is closed here.
    """

    def __init__(self, device: Device, *, report: int = 0) -> None:
        self._device = device
        self._report = report
        self._loop = asyncio.get_running_loop()
        self._fd = -1
        self._waiting: deque[bytes] = deque(maxlen=KEPT)
        self._timer: asyncio.TimerHandle | None = None
        self.wake()

    @property
    def attached(self) -> bool:
        return self._fd >= 0

    def attach(self, fd: int) -> None:
        """Speak and listen at *fd*, which does not block."""
        self._fd = fd
        self._loop.add_reader(fd, self._hear)
        self.wake()

    def detach(self) -> int:
        """Fall silent; return the descriptor, which is still open."""
        fd, self._fd = self._fd, -1
        self._loop.remove_reader(fd)
        self._loop.remove_writer(fd)
        self._waiting.clear()
        return fd

    def wake(self) -> None:
        """Let the board go on at once; needed when somebody changed something about it."""
        if self._timer is not None:
            self._timer.cancel()
        data, wake_at = self._device.poll(at=self._loop.time())
        size = self._report or max(len(data), 1)
        self.say(*(data[start : start + size] for start in range(0, len(data), size)))
        if wake_at < math.inf:
            self._timer = self._loop.call_at(wake_at, self.wake)

    def say(self, *reports: bytes) -> None:
        """Send *reports*, whoever made them."""
        if self.attached and reports:
            self._waiting.extend(reports)
            self._loop.add_writer(self._fd, self._send)

    def close(self) -> None:
        """Let the board rest."""
        if self._timer is not None:
            self._timer.cancel()

    def _hear(self) -> None:
        try:
            data = os.read(self._fd, READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._device.receive(data, at=self._loop.time())
            self.wake()
        else:
            os.close(self.detach())

    def _send(self) -> None:
        with contextlib.suppress(OSError):  # full for now; an end is heard as well
            while self._waiting:
                written = os.write(self._fd, self._waiting[0])
                rest = self._waiting.popleft()[written:]
                if rest and not self._report:
                    self._waiting.appendleft(rest)
        if not self._waiting:
            self._loop.remove_writer(self._fd)
