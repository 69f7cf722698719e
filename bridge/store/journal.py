"""The journal: what happened at the tables, durable before anybody draws conclusions from it.

SQLite with a write-ahead log and ``synchronous=FULL``; one thread writes, many readings to a
commit. What cannot be written now waits in memory, about half a kilobyte a reading: a hundred
boards with five readings a second each make 15 MB a minute of it.
"""

import asyncio
import contextlib
import fcntl
import logging
import math
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Self

from bridge.core.model import Reading
from bridge.store.errors import (
    UNREADABLE,
    JournalBusyError,
    JournalClosedError,
    JournalError,
    JournalRowError,
)
from bridge.store.files import make_folder
from bridge.store.preparing import prepare
from bridge.store.rows import INSERT, Row, read_journal, row_of, table_names

logger = logging.getLogger(__name__)

Note = Callable[[str], None]
OnTrouble = Callable[[str | None], None]

_UPDATE_LINKS = (
    "INSERT INTO links (link, seq, at, wall) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (link) DO UPDATE SET seq = excluded.seq, at = excluded.at, wall = excluded.wall"
)
_LOG_SIZE_LIMIT = 64 * 1024 * 1024
_TROUBLES = {
    sqlite3.SQLITE_FULL: "the disk is full: free some space",
    sqlite3.SQLITE_IOERR: "the disk refuses to write: check the disk and its space",
    sqlite3.SQLITE_BUSY: "another program holds the file: close it",
    sqlite3.SQLITE_READONLY: "the file cannot be written: check its rights and the disk",
}


class _Submission(NamedTuple):
    rows: list[Row]
    done: Callable[[], None]


class _Ends(NamedTuple):
    """The last ``seq`` of each link, the latest ``at`` with its ``wall``, the last position."""

    seqs: dict[str, int]
    at: tuple[float, float] | None
    position: int


class Journal:
    """An open journal. All methods may be called from any thread.

    ``trouble`` says in words why nothing can be written now, and is ``None`` otherwise.
    """

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        note: Note | None = None,
        on_trouble: OnTrouble | None = None,
        window: float = 0.02,
        batch: int = 500,
        retry: float = 1.0,
    ) -> Self:
        """Open a journal for writing, or begin one.

        A damaged or foreign file is set aside under another name, never written over; ``note``
        is called with what a person has to know of it.

        Args:
            path: The file; beside it lie ``-wal``, ``-shm`` and ``.lock``.
            note: Called with a message, which is logged in any case.
            on_trouble: Called from the writing thread with the text of a trouble when it
                begins, and with ``None`` when it is over.
            window: Longest time in seconds a reading waits for others to share its commit.
            batch: Number of readings that are enough for a commit before the window is over.
            retry: Seconds between attempts to write what could not be written.

        Raises:
            JournalBusyError: another process has it open.
            JournalTooNewError: a later version of eboard-bridge wrote it.
            JournalError: file or folder cannot be used.
        """
        lock = _lock(path)
        try:
            message = prepare(path)
            connection = _connect(path)
            ends = _ends(connection, path)
        except BaseException:
            os.close(lock)
            raise
        if message is not None:
            logger.warning(message)
            if note is not None:
                note(message)
        return cls(path, connection, lock, ends, on_trouble, window, batch, retry)

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        lock: int,
        ends: _Ends,
        on_trouble: OnTrouble | None,
        window: float,
        batch: int,
        retry: float,
    ) -> None:
        self.path = path
        self.trouble: str | None = None
        self._connection = connection
        self._lock = lock
        self._on_trouble = on_trouble
        self._window = window
        self._batch = batch
        self._retry = retry
        self._changed = threading.Condition()
        self._queue: deque[_Submission] = deque()
        self._queued = 0
        self._queued_since = 0.0
        self._unwritten = 0
        self._stop_by: float | None = None
        self._last_seq, self._last_at, self._last_position = ends
        self._writer = threading.Thread(target=self._run, name="journal", daemon=True)
        self._writer.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing ------------------------------------------------------------------------------

    def submit(self, readings: Sequence[Reading], done: Callable[[], None]) -> None:
        """Queue readings without waiting; ``done`` is called once they are durable.

        ``done`` is called from the writing thread, in the order of submission. Without readings
        it tells that everything submitted before is durable.

        Raises:
            ValueError: a ``seq`` does not increase, or a time is not finite; nothing is queued.
            JournalClosedError: the journal no longer writes.
        """
        submission = _Submission([row_of(reading) for reading in readings], done)
        with self._changed:
            if self._stop_by is not None or not self._writer.is_alive():
                raise JournalClosedError(f"journal {self.path} no longer writes")
            self._note_last(readings)
            if not self._queue:
                self._queued_since = time.monotonic()
            self._queue.append(submission)
            self._queued += len(readings)
            self._last_position += len(readings)
            self._unwritten += len(readings)
            # Waking the writer costs more than queueing: once to begin, once when it is enough.
            if len(self._queue) == 1 or self._queued >= self._batch:
                self._changed.notify_all()

    async def append(self, readings: Sequence[Reading]) -> None:
        """Return when the readings are durable; raises as :meth:`submit` does."""
        loop = asyncio.get_running_loop()
        durable = loop.create_future()

        def resolve() -> None:
            if not durable.done():
                durable.set_result(None)

        self.submit(readings, lambda: _call_in(loop, resolve))
        await durable

    def close(self, *, patience: float = 10.0) -> None:
        """Write what was submitted, then close; a second call does nothing.

        Args:
            patience: How many seconds to go on trying while the disk refuses to write.

        Raises:
            JournalError: readings could not be written; the message says how many and why.
        """
        with self._changed:
            if self._stop_by is not None:
                return
            self._stop_by = time.monotonic() + patience
            self._changed.notify_all()
        self._writer.join()
        self._connection.close()
        os.close(self._lock)
        if self._unwritten:
            raise JournalError(
                f"{self._unwritten} readings were never written: {self.trouble or 'see the log'}"
            )

    # --- reading ------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """Number of readings submitted and not yet durable."""
        return self._unwritten

    def read(
        self,
        table: str | None = None,
        after: int = 0,
        damaged: Callable[[JournalRowError], None] | None = None,
    ) -> Generator[tuple[int, Reading], None, None]:
        """Yield position and reading of what is durable, see :func:`rows.read_journal`."""
        return read_journal(self.path, table, after, damaged)

    def tables(self) -> list[str]:
        """Return the names of the tables that durable readings tell of."""
        return table_names(self.path)

    def last_seq(self, link: str) -> int:
        """Return the last ``seq`` stored or submitted for a link, 0 for a new link."""
        return self._last_seq.get(link, 0)

    def last_position(self) -> int:
        """Return the position that the last reading submitted has or will have, 0 when empty."""
        return self._last_position

    def last_at(self) -> tuple[float, float] | None:
        """Return the latest ``at`` stored or submitted with its ``wall``; ``None`` when empty."""
        return self._last_at

    # --- the writing thread -------------------------------------------------------------------

    def _note_last(self, readings: Sequence[Reading]) -> None:
        seqs: dict[str, int] = {}
        last_at = self._last_at
        for reading in readings:
            before = seqs.get(reading.link, self._last_seq.get(reading.link, 0))
            if reading.seq <= before:
                raise ValueError(f"link {reading.link}: seq {reading.seq} after {before}")
            if not (math.isfinite(reading.at) and math.isfinite(reading.wall)):
                raise ValueError(f"link {reading.link}: seq {reading.seq} without a time")
            seqs[reading.link] = reading.seq
            if last_at is None or reading.at >= last_at[0]:
                last_at = reading.at, reading.wall
        self._last_seq |= seqs
        self._last_at = last_at

    def _run(self) -> None:
        try:
            while group := self._next_group():
                if not self._write(group):
                    return
        except Exception:
            logger.exception("journal %s: the writer stopped", self.path)
            self._set_trouble("the writer stopped for a mistake in eboard-bridge, see the log")

    def _next_group(self) -> list[_Submission]:
        """Wait for submissions to commit together; none when the journal is closed."""
        with self._changed:
            while not self._queue and self._stop_by is None:
                self._changed.wait()
            until = self._queued_since + self._window
            while self._queued < self._batch and self._stop_by is None:
                rest = until - time.monotonic()
                if rest <= 0:
                    break
                self._changed.wait(rest)
            group: list[_Submission] = []
            taken = 0
            while self._queue and taken < self._batch:
                group.append(self._queue.popleft())
                taken += len(group[-1].rows)
            self._queued -= taken
            return group

    def _write(self, group: list[_Submission]) -> bool:
        """Commit, as often as it takes, and tell; ``False`` when closing ended the patience."""
        rows = [row for submission in group for row in submission.rows]
        while rows:
            try:
                self._commit(rows)
                break
            except sqlite3.Error as error:
                self._set_trouble(_in_words(error))
            if not self._wait_to_retry():
                return False
        if rows:
            self._set_trouble(None)
            with self._changed:
                self._unwritten -= len(rows)
        for submission in group:
            _tell(submission.done)
        return True

    def _commit(self, rows: list[Row]) -> None:
        last = {row[1]: row[1:5] for row in rows}
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(INSERT, rows)
            self._connection.executemany(_UPDATE_LINKS, last.values())
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            # The error that counts is the first; where SQLite has rolled back, this one is silent.
            with contextlib.suppress(sqlite3.Error):
                self._connection.rollback()
            raise

    def _wait_to_retry(self) -> bool:
        with self._changed:
            if self._stop_by is None:
                self._changed.wait(self._retry)
                return True
            rest = self._stop_by - time.monotonic()
        time.sleep(max(0.0, min(rest, self._retry)))
        return rest > 0

    def _set_trouble(self, what: str | None) -> None:
        text = what and f"journal {self.path}: {what}; readings wait in memory until it works again"
        if text == self.trouble:
            return
        self.trouble = text
        if text is None:
            logger.info("journal %s: everything is written again", self.path)
        else:
            logger.warning(text)
        if self._on_trouble is not None:
            _tell(partial(self._on_trouble, text))


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep everybody from using the journal at *path* meanwhile.

    Raises:
        JournalBusyError: somebody uses it.
        JournalError: its folder cannot be used.
    """
    lock = _lock(path)
    try:
        yield
    finally:
        os.close(lock)


def _lock(path: Path) -> int:
    """Take the journal for this process; closing the descriptor gives it back."""
    try:
        make_folder(path.parent)
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        why = f"{error.filename}: {error.strerror}; check the path and its rights"
        raise JournalError(f"journal {path} cannot be used: {why}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.read(lock, 20).decode("ascii", "replace").strip()
        os.close(lock)
        raise JournalBusyError(
            f"journal {path} is in use by another eboard-bridge (process {holder or 'unknown'}):"
            " stop that one, or give this one another journal"
        ) from error
    # The number only helps a message; a full disk must not keep us from reading the journal.
    with contextlib.suppress(OSError):
        os.truncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
    return lock


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_SIZE_LIMIT}")
    except UNREADABLE as error:
        raise JournalError(f"journal {path} cannot be opened: {error}") from error
    return connection


def _ends(connection: sqlite3.Connection, path: Path) -> _Ends:
    try:
        rows = connection.execute("SELECT link, seq, at, wall FROM links").fetchall()
        (position,) = connection.execute("SELECT max(position) FROM readings").fetchone()
    except UNREADABLE as error:
        raise JournalError(f"journal {path} cannot be read: {error}") from error
    if not all(isinstance(link, str) and isinstance(seq, int) for link, seq, _, _ in rows):
        raise JournalError(f"journal {path} cannot be read: its list of links is damaged")
    latest = max(((at, wall) for _, _, at, wall in rows), default=None)
    return _Ends({link: seq for link, seq, _, _ in rows}, latest, position or 0)


def _in_words(error: sqlite3.Error) -> str:
    # Errors of the sqlite3 module itself, not of the database, carry no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    words = _TROUBLES.get(code)
    return f"{words} ({error})" if words else str(error)


def _tell(callback: Callable[[], None]) -> None:
    # A mistake of one caller must not stop the recorder of all tables.
    try:
        callback()
    except Exception:
        logger.exception("journal: a callback failed")


def _call_in(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
    # A loop that is gone waits for nothing any more.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback)
