"""A capture file played as if its board were connected: ``replay:FILE?speed=1``."""

import asyncio
import math
from pathlib import Path

from drivers.capture import Capture, Record, parse
from drivers.errors import CaptureError, LinkLostError, PortMissingError
from drivers.transports.line import Clock, Line

END = "end of the capture"


def load_capture(path: Path, *, lenient: bool = False) -> Capture:
    """Read a capture file.

    Raises:
        CaptureError: it cannot be read, or a line does not fit and *lenient* is false.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CaptureError(f"{path}: {error.strerror}") from None
    return parse(content, name=str(path), lenient=lenient)


class ReplayLine(Line):
    """Gives what the board sent, at the capture's own times counted from the first opening.

    ``speed`` is a factor, ``inf`` for no waiting at all; arrival times are the capture's in any
    case, so that what depends on time comes out as it did then. Where the capture was lost the
    line is lost, and opening it again waits for the moment the capture was opened again.
    """

    def __init__(self, address: str, path: Path, speed: float, now: Clock) -> None:
        super().__init__(address)
        self._path = path
        self._speed = speed
        self._now = now
        self._records: tuple[Record, ...] | None = None
        self._next = 0
        self._began = 0.0
        self._lost: str | None = "is not open"

    async def open(self) -> None:
        """Start, or go on behind the place where the capture was lost.

        Raises:
            CaptureError: the file is no capture.
            PortMissingError: the capture is at its end.
        """
        if self._records is None:
            capture = await asyncio.to_thread(load_capture, self._path)
            self._records = tuple(r for r in capture.records if r.direction != ">")
            self._began = self._now()
        record = self._peek()
        if record is None:
            raise PortMissingError(f"{self.address}: {END}")
        if self._next:
            await self._until(record.t, None)
        self._lost = None

    async def read(self, timeout: float | None) -> tuple[float, bytes] | None:  # noqa: ASYNC109 - see Line.read
        """Return the next read of the capture when its time has come, as :class:`Line` says."""
        deadline = math.inf if timeout is None else self._now() + timeout
        while self._lost is None:
            record = self._peek()
            if record is None:
                self._lost = END
            elif not await self._until(record.t, deadline):
                return None
            else:
                self._next += 1
                if record.direction == "<":
                    return self._began + record.t, record.data
                if record.text == "lost":
                    self._lost = "lost, as the capture was"
        raise LinkLostError(f"{self.address}: {self._lost}")

    def write(self, data: bytes) -> None:
        """Send nothing: what the board answered then stands in the capture.

        Raises:
            LinkLostError: the capture is lost or at its end.
        """
        del data
        if self._lost is not None:
            raise LinkLostError(f"{self.address}: {self._lost}")

    def close(self) -> None:
        """Stop; opening again goes on from here."""
        self._lost = self._lost or "closed"

    def _peek(self) -> Record | None:
        records = self._records or ()
        return records[self._next] if self._next < len(records) else None

    async def _until(self, t: float, deadline: float | None) -> bool:
        """Wait for a time of the capture; return false where *deadline* comes first."""
        due = self._began + t / self._speed
        if deadline is not None and due > deadline:
            await asyncio.sleep(max(0.0, deadline - self._now()))
            return False
        # Also with nothing to wait for: a long capture must let others have their turn.
        await asyncio.sleep(max(0.0, due - self._now()))
        return True
