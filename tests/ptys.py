"""A board's side of a serial cable on a real pty, with a name like those of /dev/serial/by-id."""

import asyncio
import contextlib
import fcntl
import math
import os
import struct
import subprocess
import tty
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from drivers.simulated.dgt import DgtBoard

_TCGETS2 = 0x802C542A  # struct termios2 holds the speed as a number


class Pty:
    """A port named *link* that can be plugged in, unplugged, and come back on another node."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.node = ""
        self._master = -1
        self._slave = -1
        self._spares: list[int] = []

    @property
    def address(self) -> str:
        return f"serial:{self.link}"

    @property
    def baud(self) -> int:
        """The speed the host has set."""
        raw = fcntl.ioctl(self._master, _TCGETS2, bytes(44))
        speed = struct.unpack("4I20s2I", raw)[6]
        assert isinstance(speed, int)
        return speed

    def plug(self) -> None:
        self._master, self._slave = os.openpty()
        if os.ttyname(self._slave) == self.node:  # hold it: the board comes back on another one
            self._spares += self._master, self._slave
            self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.node = os.ttyname(self._slave)
        fresh = self.link.with_name(self.link.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(self.node)
        fresh.replace(self.link)

    def unplug(self) -> None:
        if self._master >= 0:
            self.deaf()
            self.link.unlink()
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1

    def send(self, data: bytes) -> None:
        assert os.write(self._master, data) == len(data)

    def received(self) -> bytes:
        """What the host has written since the last call."""
        try:
            return os.read(self._master, 65536)
        except BlockingIOError:
            return b""

    def answer(self, board: Callable[[bytes], bytes]) -> None:
        """From now on send what *board* returns for what the host writes."""

        def readable() -> None:
            said = board(self.received())
            if said:
                self.send(said)

        asyncio.get_running_loop().add_reader(self._master, readable)

    def deaf(self) -> None:
        """Answer no more."""
        with contextlib.suppress(RuntimeError):
            asyncio.get_running_loop().remove_reader(self._master)

    def close(self) -> None:
        self.unplug()
        for fd in self._spares:
            os.close(fd)
        self._spares.clear()


@contextlib.contextmanager
def plugged(link: Path) -> Iterator[Pty]:
    """A pty that is plugged in, and closed at the end."""
    pty = Pty(link)
    pty.plug()
    try:
        yield pty
    finally:
        pty.close()


def power(pty: Pty, board: DgtBoard, now: Callable[[], float]) -> None:
    """Let a simulated board speak at *pty* until it is unplugged."""
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None
    node = pty.node

    def speak() -> None:
        nonlocal timer
        if timer is not None:
            timer.cancel()
            timer = None
        if pty.node != node or not pty.link.is_symlink():
            return
        data, wake_at = board.poll(at=now())
        if data:
            pty.send(data)
        if wake_at < math.inf:
            timer = loop.call_later(max(0.001, wake_at - now()), speak)

    def hear(data: bytes) -> bytes:
        board.receive(data, at=now())
        speak()
        return b""

    pty.answer(hear)


def on_terminal(
    command: Sequence[str | Path], *, stream: Literal["stdout", "stderr"] = "stdout", **more: str
) -> tuple[int, bytes]:
    """Run a command; return its exit code and what it writes to a terminal as its *stream*."""
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", **more}
    shown = b""
    out, err = (theirs, None) if stream == "stdout" else (subprocess.DEVNULL, theirs)
    with subprocess.Popen(command, stdout=out, stderr=err, env=environment) as process:
        os.close(theirs)
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:  # a pty whose other end was closed says so with EIO
            pass
        finally:
            os.close(ours)
    return process.returncode, shown
