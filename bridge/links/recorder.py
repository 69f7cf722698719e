"""Keeps what goes over a line as capture files: the raw evidence, whatever is made of it."""

import asyncio
import contextlib
import glob
import logging
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from urllib.parse import quote

from drivers.capture import Record, format_header, format_record

MEBIBYTE = 1 << 20
FLUSH_SECONDS = 1.0
"""Records reach the operating system at least this often: a crash of ours costs no more."""

DAY_SECONDS = 86400
HELD_BYTES = 65536
"""Text kept in memory at most, where a line says much."""

logger = logging.getLogger(__name__)


class Recorder:
    """Writes the capture files of one link: ``LINK@20261120T093000Z.capture`` in *folder*.

    A new file begins when one has its size and when the day (UTC) changes. A disk that is full
    or cannot be written suspends the recording, never the link: the gap is said in the next
    file's notes. Call from the event loop; records are held for up to a second.
    """

    def __init__(
        self,
        folder: Path,
        link: str,
        header: Mapping[str, str],
        *,
        wall: Callable[[], float],
        file_bytes: int = 16 * MEBIBYTE,
        total_bytes: int = 256 * MEBIBYTE,
        days: int = 30,
        retry_seconds: float = 30.0,
        suspends: Callable[[str], None] = lambda _why: None,
    ) -> None:
        """Describe what is recorded; nothing is written before the first record.

        Args:
            folder: made if it is missing; several links may share it.
            link: name of the link.
            header: at least ``Driver``; ``Date`` and ``Began`` are added to every file.
            wall: Unix time.
            file_bytes: size at which a file is ended.
            total_bytes: size of all files of this link above which the oldest are deleted.
            days: age in days above which a file of this link is deleted.
            retry_seconds: wait after a failed write.
            suspends: is told why nothing can be recorded, and an empty text when it can again.
        """
        self.suspended = False
        self._retry_at = 0.0
        self._folder = folder
        self._link = link
        self._header = dict(header)
        self._wall = wall
        self._file_bytes = file_bytes
        self._total_bytes = total_bytes
        self._days = days
        self._retry_seconds = retry_seconds
        self._suspends = suspends
        self._held: list[str] = []
        self._held_bytes = 0
        self._timer: asyncio.TimerHandle | None = None
        self._fd = -1
        self._path = Path()
        self._size = 0
        self._day = -1.0
        self._began = 0.0
        self._latest = 0.0
        self._first: tuple[float, float] | None = None
        self._gap = ""

    def read(self, at: float, data: bytes) -> None:
        """Record what the board sent; *at* is the time of arrival."""
        self._take(Record("<", at, data))

    def wrote(self, at: float, data: bytes) -> None:
        """Record what the board was sent."""
        self._take(Record(">", at, data))

    def note(self, at: float, text: str) -> None:
        """Record that the line was ``opened`` or ``lost``."""
        self._take(Record("!", at, text=text))

    def flush(self) -> None:
        """Hand what is held to the operating system."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        text, self._held, self._held_bytes = "".join(self._held), [], 0
        if not text:
            return
        try:
            self._write(text.encode())
        except OSError as error:
            self._suspend(error)

    def close(self) -> None:
        """Write what is held and end the file."""
        self.flush()
        self._end_file()

    def _take(self, record: Record) -> None:
        # What was read late came before what was written meanwhile: records stand as they were
        # handled, and times in a capture never decrease.
        self._latest = max(self._latest, record.t)
        if self.suspended and self._latest < self._retry_at:
            return
        if self._fd < 0 or self._size + self._held_bytes >= self._file_bytes or self._new_day():
            self.flush()
            self._begin_file()
            if self.suspended:
                return
        line = format_record(record._replace(t=self._latest - self._began))
        self._held.append(line)
        self._held_bytes += len(line)
        if self._held_bytes >= HELD_BYTES:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self.flush)

    def _new_day(self) -> bool:
        return self._wall() // DAY_SECONDS != self._day

    def _moment(self) -> datetime:
        return datetime.fromtimestamp(self._wall(), UTC)

    def _begin_file(self) -> None:
        before, moment = self._path.name, self._moment()
        self._end_file()
        self._began = self._latest
        self._day = self._wall() // DAY_SECONDS
        notes = self._gap or (f"continues {before}" if before else "")
        header = self._header | {
            "Date": f"{moment:%Y-%m-%d}",
            "Began": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        }
        if notes:
            header["Notes"] = "\n".join(filter(None, [self._header.get("Notes"), notes]))
        try:
            self._create(moment)
            self._write(format_header(header).encode())
        except OSError as error:
            self._suspend(error)
            return
        if self.suspended:
            logger.info("%s: recording again", self._link)
            self._suspends("")
        self.suspended = False
        self._gap = ""
        self._prune()

    def _create(self, moment: datetime) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        stem = f"{quote(self._link, safe='')}@{moment:%Y%m%dT%H%M%SZ}"
        for number in count():
            self._path = self._folder / f"{stem}{f'_{number:03}' if number else ''}.capture"
            with contextlib.suppress(FileExistsError):
                self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
                self._size = 0
                return

    def _write(self, data: bytes) -> None:
        """Write all or nothing: a record cut in half would spoil the whole file."""
        start = self._size
        try:
            while data:
                written = os.write(self._fd, data)
                data = data[written:]
                self._size += written
        except OSError:
            os.ftruncate(self._fd, start)
            raise

    def _end_file(self) -> None:
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            with contextlib.suppress(OSError):  # e.g. a network disk that is full
                os.close(fd)

    def _suspend(self, error: OSError) -> None:
        why = error.strerror or str(error)
        if not self._gap:
            self._gap = f"records are missing before this: {why}"
            logger.warning(
                "%s: recording suspended (%s: %s), tried again every %g s; the game goes on",
                self._link,
                self._folder,
                why,
                self._retry_seconds,
            )
            self._suspends(f"captures cannot be written ({self._folder}: {why})")
        self._end_file()
        self.suspended = True
        self._retry_at = self._latest + self._retry_seconds

    def _prune(self) -> None:
        """Delete the oldest files of this link; names sort by age.

        A clock that is set far ahead makes no file old: as much time must have passed here.
        """
        at, wall = self._first = self._first or (self._latest, self._wall())
        moment = datetime.fromtimestamp(min(self._wall(), wall + self._latest - at), UTC)
        own = f"{glob.escape(quote(self._link, safe=''))}@*.capture"
        files = sorted(self._folder.glob(own), reverse=True)
        oldest = f"@{moment - timedelta(days=self._days):%Y%m%dT%H%M%SZ}"
        total = 0
        for path in files:
            if path == self._path:
                continue
            with contextlib.suppress(OSError):
                total += path.stat().st_size
                too_old = path.name[path.name.rindex("@") :] < oldest
                if too_old or total + self._file_bytes > self._total_bytes:
                    path.unlink()
