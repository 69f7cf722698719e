"""The capture files of one link, which is the raw evidence, whatever is made of it."""

import contextlib
import glob
import logging
import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from drivers.capture import Record, format_header, format_record

MEBIBYTE = 1 << 20
DAY_SECONDS = 86400

logger = logging.getLogger(__name__)


class Taken(NamedTuple):
    """A record, and the Unix time when it was taken."""

    record: Record
    wall: float


class CaptureFiles:
    """Writes the capture files of one link: ``LINK@20261120T093000Z.capture`` in *folder*.

    A new file begins when one has its size and when the day (UTC) changes. A disk that is full
    or cannot be written suspends the recording, never the link: the gap is said in the next
    file's notes. ``trouble`` says why nothing can be written, and is empty while all is well.
    Every call waits for the disk; any thread may call, one at a time.
    """

    def __init__(
        self,
        folder: Path,
        link: str,
        header: Mapping[str, str],
        *,
        file_bytes: int = 16 * MEBIBYTE,
        total_bytes: int = 256 * MEBIBYTE,
        days: int = 30,
        retry_seconds: float = 30.0,
    ) -> None:
        """Describe what is recorded; nothing is written before the first record.

        Args:
            folder: made if it is missing; several links may share it.
            link: name of the link.
            header: at least ``Driver``; ``Date`` and ``Began`` are added to every file.
            file_bytes: size at which a file is ended.
            total_bytes: size of all files of this link above which the oldest are deleted.
            days: age in days above which a file of this link is deleted.
            retry_seconds: wait after a failed write.
        """
        self.trouble = ""
        self._retry_at = 0.0
        self._folder = folder
        self._link = link
        self._header = dict(header)
        self._file_bytes = file_bytes
        self._total_bytes = total_bytes
        self._days = days
        self._retry_seconds = retry_seconds
        self._lines: list[str] = []
        self._lines_size = 0
        self._fd = -1
        self._path = Path()
        self._size = 0
        self._day = -1.0
        self._began = 0.0
        self._latest = 0.0
        self._first: Taken | None = None
        self._gap = ""

    def write(self, records: Iterable[Taken]) -> None:
        """Hand records to the operating system; their times never decrease."""
        for taken in records:
            self._take(taken)
        self._flush()

    def miss(self, why: str) -> None:
        """End the file, as records will be missing that come next; the next one says so."""
        logger.warning("%s: records are missing (%s: %s)", self._link, self._folder, why)
        self._gap = self._gap or f"records are missing before this: {why}"
        self._end_file()

    def close(self) -> None:
        """End the file."""
        self._end_file()

    def _take(self, taken: Taken) -> None:
        at = self._latest = taken.record.t
        if self.trouble and at < self._retry_at:
            return
        is_full = self._size + self._lines_size >= self._file_bytes
        if self._fd < 0 or is_full or taken.wall // DAY_SECONDS != self._day:
            self._flush()
            self._begin_file(taken)
            if self.trouble:
                return
        line = format_record(taken.record._replace(t=at - self._began))
        self._lines.append(line)
        self._lines_size += len(line)

    def _flush(self) -> None:
        text, self._lines, self._lines_size = "".join(self._lines), [], 0
        if not text:
            return
        try:
            self._write(text.encode())
        except OSError as error:
            self._suspend(error)

    def _begin_file(self, taken: Taken) -> None:
        before, moment = self._path.name, datetime.fromtimestamp(taken.wall, UTC)
        self._end_file()
        self._began = taken.record.t
        self._day = taken.wall // DAY_SECONDS
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
        if self.trouble:
            logger.info("%s: recording again", self._link)
        self.trouble = ""
        self._gap = ""
        self._prune(taken)

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
        if not self.trouble:
            self._gap = self._gap or f"records are missing before this: {why}"
            logger.warning(
                "%s: recording suspended (%s: %s), tried again every %g s; the game goes on",
                self._link,
                self._folder,
                why,
                self._retry_seconds,
            )
        self._end_file()
        self.trouble = f"captures cannot be written ({self._folder}: {why})"
        self._retry_at = self._latest + self._retry_seconds

    def _prune(self, taken: Taken) -> None:
        """Delete the oldest files of this link; names sort by age.

        A clock that is set far ahead makes no file old: as much time must have passed here.
        """
        first = self._first = self._first or taken
        passed = taken.record.t - first.record.t
        moment = datetime.fromtimestamp(min(taken.wall, first.wall + passed), UTC)
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
