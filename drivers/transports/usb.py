"""Boards that are USB HID devices, by pyusb and libusb: ``usb:1-1.4``.

libusb's calls block, so each open device has a thread that reads and one that writes.
"""

import asyncio
import contextlib
import errno
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import Full, Queue

import usb.core

from drivers.codec import HidSettings
from drivers.errors import LinkLostError
from drivers.transports.hid_device import HidDevice
from drivers.transports.line import Clock, Line
from drivers.transports.usb_devices import Wanted, take

READ_MS = 500
"""A thread that reads notices after this time at the latest that it shall end."""

OUTBOX_REPORTS = 256
"""Reports kept for a device that takes none; boards are sent a few in a minute."""

OPENING = ThreadPoolExecutor(max_workers=16, thread_name_prefix="open-usb")
"""A device that does not answer holds up its own opening for seconds, and nobody else."""


class UsbLine(Line):
    """A USB HID device, held exclusively. One chunk is one packet of a report."""

    def __init__(self, address: str, wanted: Wanted, settings: HidSettings, now: Clock) -> None:
        super().__init__(address)
        self._wanted = wanted
        self._settings = settings
        self._now = now
        self._session: _Session | None = None

    async def open(self) -> None:
        """Open the line, as :class:`Line` says."""
        loop = asyncio.get_running_loop()
        opening = loop.run_in_executor(OPENING, take, self.address, self._wanted, self._settings)
        try:
            device = await asyncio.shield(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(_release_unwanted)
            raise
        self._inbox.begin()
        self._session = _Session(device, self._settings.pace, self._now)
        self._session.begin(self._arrived, self._ended)

    async def read(self, timeout: float | None) -> tuple[float, bytes] | None:  # noqa: ASYNC109 - see Line.read
        """Return the next bytes and when they came, as :class:`Line` says."""
        chunk = await super().read(timeout)
        if self._session is not None and not self._inbox.full:
            self._session.room.set()
        return chunk

    def write(self, data: bytes) -> None:
        """Send or keep *data*, which is one report, as :class:`Line` says."""
        if self._session is not None and data:
            try:
                self._session.outbox.put_nowait(data.ljust(self._settings.report_length, b"\0"))
            except Full:
                self._lose("takes nothing of what it is sent")
        if self._inbox.ended is not None:
            raise LinkLostError(f"{self.address}: {self._inbox.ended}")

    def close(self) -> None:
        """Close the line, as :class:`Line` says; its threads end within half a second."""
        self._lose("closed")

    def _arrived(self, session: "_Session", at: float, data: bytes) -> None:
        if session is self._session:
            self._inbox.put(at, data)
            if self._inbox.full:
                session.room.clear()

    def _ended(self, session: "_Session", why: str) -> None:
        if session is self._session:
            self._lose(why)

    def _lose(self, why: str) -> None:
        if self._session is not None:
            self._session.stop()
            self._session = None
            self._inbox.end(why)


class _Session:
    """A device that is open, with its threads, which release it in the end.

    ``room`` is set while the device may be read, ``outbox`` holds the reports to be sent, ``None``
    after the last.
    """

    def __init__(self, device: HidDevice, pace: float, now: Clock) -> None:
        self.room = threading.Event()
        self.room.set()
        self.outbox: Queue[bytes | None] = Queue(OUTBOX_REPORTS)
        self._device = device
        self._pace = pace
        self._now = now
        self._stopped = threading.Event()
        self._reader = threading.Thread(target=self._listen, name="usb-reader")
        self._writer = threading.Thread(target=self._speak, name="usb-writer")

    def begin(
        self,
        arrived: Callable[["_Session", float, bytes], None],
        ended: Callable[["_Session", str], None],
    ) -> None:
        """Start the threads; the running loop is told what arrives, and why nothing more will."""
        self._loop = asyncio.get_running_loop()
        self._arrived = arrived
        self._ended = ended
        self._writer.start()
        self._reader.start()

    def stop(self) -> None:
        """Let the threads end, without waiting for them."""
        self._stopped.set()
        self.room.set()
        with contextlib.suppress(Full):
            self.outbox.put_nowait(None)

    def _listen(self) -> None:
        try:
            self._read()
        except usb.core.USBError as error:
            self._lose(error)
        finally:
            self.stop()
            self._writer.join()
            self._device.release()

    def _read(self) -> None:
        stalled = False
        while not self._stopped.is_set():
            self.room.wait()
            try:
                data = self._device.read(READ_MS)
            except usb.core.USBError as error:
                if error.errno != errno.EPIPE or stalled:
                    raise
                stalled = True
                self._device.clear_stall()
                continue
            if data:
                stalled = False
                self._tell(self._arrived, self._now(), data)

    def _speak(self) -> None:
        try:
            while (report := self.outbox.get()) is not None and not self._stopped.is_set():
                self._device.write(report)
                self._stopped.wait(self._pace)
        except usb.core.USBError as error:
            self._lose(error)

    def _lose(self, error: usb.core.USBError) -> None:
        self._tell(self._ended, error.strerror)

    def _tell(self, what: Callable[..., None], *about: object) -> None:
        # The loop may have ended before the device was given back.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what, self, *about)


def _release_unwanted(opening: "asyncio.Future[HidDevice]") -> None:
    """Nobody waits for this device any more."""
    if not opening.cancelled() and opening.exception() is None:
        OPENING.submit(opening.result().release)
