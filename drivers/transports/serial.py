"""Serial ports, USB boards that are one (CDC-ACM), and ``/dev/rfcomm``: ``serial:/dev/ttyACM0``.

pyserial opens and configures the port and has no part in reading: its ``read`` selects, which
fails above descriptor 1023, and each of its ports keeps four more descriptors.
"""

import asyncio
import contextlib
import errno
import fcntl
import os
import termios
from concurrent.futures import ThreadPoolExecutor

import serial

from drivers.codec import LineSettings
from drivers.errors import (
    DriverError,
    LinkLostError,
    PortBusyError,
    PortDeniedError,
    PortMissingError,
)
from drivers.transports.descriptor import DescriptorLine
from drivers.transports.line import Clock

OPENING = ThreadPoolExecutor(max_workers=32, thread_name_prefix="open-port")
"""Opening a Bluetooth port takes seconds, and a wedged USB adapter as long as it likes: neither
may hold up the boards that are well, nor the loop's own executor."""

OPEN_SECONDS = 30.0
"""Seconds for opening a port; one of Bluetooth takes twenty where the board is out of reach."""

_UNDER_WAY: set[str] = set()
"""Ports that are being opened. One that is stuck keeps its thread, and shall not take another."""

_MISSING = {errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR}
_UNHEARD = {errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ETIMEDOUT}
"""What opening ``/dev/rfcomm`` says, after seconds, of a board that is off or out of range."""
_BUSY = {errno.EBUSY, errno.EAGAIN}
_STUCK = "if that goes on, unplug it and plug it in again"
_DENIED = {errno.EACCES, errno.EPERM}


class SerialLine(DescriptorLine):
    """A serial port, held exclusively."""

    def __init__(self, address: str, path: str, settings: LineSettings, now: Clock) -> None:
        super().__init__(address, now)
        self._path = path
        self._settings = settings

    async def _open(self) -> int:
        if self._path in _UNDER_WAY:
            raise PortBusyError(f"{self._path}: is still being opened; {_STUCK}")
        _UNDER_WAY.add(self._path)
        opening = asyncio.get_running_loop().run_in_executor(OPENING, self._open_blocking)
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                return await asyncio.shield(opening)
        except TimeoutError:
            opening.add_done_callback(_close_unwanted)
            text = f"{self._path}: does not open within {OPEN_SECONDS:g} s; {_STUCK}"
            raise LinkLostError(text) from None
        except asyncio.CancelledError:
            opening.add_done_callback(_close_unwanted)
            raise
        finally:
            del opening  # it holds an error that holds this frame: each try would be garbage

    def _open_blocking(self) -> int:
        try:
            return _open_port(self._path, self._settings)
        finally:
            _UNDER_WAY.discard(self._path)

    def _close(self, fd: int) -> None:
        _close_port(fd)


def _close_unwanted(opening: asyncio.Future[int]) -> None:
    """Nobody waits for this port any more."""
    if not opening.cancelled() and opening.exception() is None:
        _close_port(opening.result())


def _open_port(path: str, settings: LineSettings) -> int:
    """Open and configure a port; return a descriptor of it that is ours to close."""
    port = serial.Serial(
        None,
        baudrate=settings.baud,
        bytesize=settings.data_bits,
        parity=settings.parity,
        stopbits=settings.stop_bits,
        timeout=0,
        exclusive=True,
    )
    port.port = path
    # A pty and some adapters have no such wires; pyserial passes over that while opening.
    port.dtr = settings.dtr
    port.rts = settings.rts
    try:
        port.open()
    except termios.error as error:  # e.g. a parity this adapter cannot do
        raise LinkLostError(f"{path}: cannot be set up: {error.args[-1]}") from None
    except (OSError, ValueError) as error:
        raise _explain(path, error) from None
    with contextlib.closing(port):
        with contextlib.suppress(OSError, ValueError, NotImplementedError):
            port.set_low_latency_mode(True)  # FTDI chips sit on short answers for 16 ms
        # flock, which pyserial takes, stops only those who ask for it; this stops everyone else.
        with contextlib.suppress(OSError):
            fcntl.ioctl(port, termios.TIOCEXCL)
        return os.dup(port.fileno())


def _close_port(fd: int) -> None:
    # Unsent bytes would make the kernel wait for a device that may never take them.
    with contextlib.suppress(termios.error):
        termios.tcflush(fd, termios.TCOFLUSH)
    # Exclusiveness outlives us where somebody opened the port before us.
    with contextlib.suppress(OSError):
        fcntl.ioctl(fd, termios.TIOCNXCL)
    os.close(fd)


def _explain(path: str, error: OSError | ValueError) -> DriverError:
    """Return the error by what a person should do about it."""
    number = error.errno if isinstance(error, OSError) else None
    if number in _MISSING:
        return PortMissingError(
            f"{path}: there is no such port; plug the board in and switch it on"
        )
    if number in _UNHEARD:
        return PortMissingError(
            f"{path}: the board does not answer by Bluetooth; switch it on and bring it nearer"
        )
    if number == errno.ECONNREFUSED:
        return PortBusyError(
            f"{path}: the board takes no Bluetooth connection; end the one it has (a phone, a "
            "second computer), or release and bind the port anew"
        )
    if number in _BUSY:
        return PortBusyError(
            f"{path}: another program holds this port; end it (LiveChess, ModemManager, a second "
            "eboard-bridge)"
        )
    if number in _DENIED:
        return PortDeniedError(
            f"{path}: this user may not open the port; add the user to the group that owns it "
            "(Debian: sudo usermod -aG dialout USER, then log in again) or install the udev rules"
        )
    return LinkLostError(f"{path}: cannot be opened: {error}")
