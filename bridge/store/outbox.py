"""The outbox: what must reach a server waits here until the server has it, whatever happens.

A small SQLite file beside the journal. It is kept by the one process that holds the journal, whose
lock keeps others out; a command may let it forget something meanwhile. Every call returns when what
it did is durable, so a ``kill -9`` between two calls loses nothing and repeats at most what was
sent and not yet noted as delivered: *at least once*. The receiver has to know repetitions, by the
key.

How an output uses it::

    outbox.put("lichess", {"game 7": text})         # replaces what waits under the same key
    for entry in outbox.waiting("lichess"):         # oldest first
        ...                                         # send entry.content
    outbox.delivered("lichess", entries)            # or outbox.failed("lichess", retry_at=...)

After a restart the same facts are told again, and an output puts the same content again. What was
delivered under a key is remembered, so content that was delivered last is not queued once more. An
output whose keys never come again (a webhook: one key a fact) would remember forever; it keeps a
*note* of how far it came, written in the same transaction, and calls :meth:`Outbox.forget`.

Calls wait for the disk: on an event loop use ``asyncio.to_thread``, any thread may call. What is
stored is readable by who may read the folder: never put a secret into it.
"""

import hashlib
import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, Self

from bridge.store.errors import UNREADABLE, OutboxError
from bridge.store.files import make_folder
from bridge.store.schema import set_aside

logger = logging.getLogger(__name__)

VERSION = 1
"""What ``PRAGMA user_version`` says of a file in this form."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    position INTEGER PRIMARY KEY,
    output TEXT NOT NULL,
    key TEXT NOT NULL,
    content BLOB,
    delivered BLOB,
    UNIQUE (output, key)
);
CREATE INDEX IF NOT EXISTS entries_waiting ON entries (output, position)
    WHERE content IS NOT NULL;
CREATE TABLE IF NOT EXISTS pauses (
    output TEXT PRIMARY KEY,
    failures INTEGER NOT NULL,
    retry_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
    output TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (output, name)
) WITHOUT ROWID;
"""
# ``content`` is what waits, NULL once it is delivered; ``delivered`` is the digest of what was.
_FIND = "SELECT position, content, delivered FROM entries WHERE output = ? AND key = ?"
_QUEUE = "INSERT OR REPLACE INTO entries (output, key, content, delivered) VALUES (?, ?, ?, ?)"
_SUPERSEDE = "UPDATE entries SET content = ? WHERE position = ?"
_WAITING = (
    "SELECT key, content FROM entries"
    " WHERE output = ? AND content IS NOT NULL ORDER BY position LIMIT ?"
)
_COUNT = "SELECT count(*) FROM entries WHERE output = ? AND content IS NOT NULL"
_TRIM = (
    "DELETE FROM entries WHERE output = ?1 AND content IS NOT NULL AND position <= ("
    "SELECT position FROM entries WHERE output = ?1 AND content IS NOT NULL"
    " ORDER BY position DESC LIMIT 1 OFFSET ?2) RETURNING key"
)
_DELIVERED = (
    "UPDATE entries SET delivered = ?, content = CASE content WHEN ? THEN NULL ELSE content END"
    " WHERE output = ? AND key = ?"
)
_FAILED = (
    "INSERT INTO pauses (output, failures, retry_at) VALUES (?, 1, ?)"
    " ON CONFLICT (output) DO UPDATE SET failures = failures + 1, retry_at = excluded.retry_at"
)
_NOTE = "INSERT OR REPLACE INTO notes (output, name, value) VALUES (?, ?, ?)"
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


class Entry(NamedTuple):
    """What waits to be sent."""

    key: str
    content: bytes


Row = tuple[str, bytes | None, bytes | None]
"""Key, what waits under it, and the digest of what was delivered under it."""


class Pause(NamedTuple):
    """How often sending has failed since it last worked, and when to try again (Unix time)."""

    failures: int
    retry_at: float


class Outbox:
    """An open outbox of any number of outputs, each with a name of its own.

    ``notes_each``: what has arrived is to be noted before more of a kind is sent, as another
    machine may go on from the notes at any moment. All methods raise :class:`OutboxError` where the
    disk refuses; nothing was changed then.
    """

    notes_each = False

    def __init__(self, path: Path) -> None:
        """Open the file, or begin it; a damaged one is set aside and logged.

        Raises:
            OutboxError: file or folder cannot be used, or a later version has written it.
        """
        self.path = path
        self._lock = threading.Lock()
        self._connection = _open(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; nothing is lost by not doing it."""
        with self._lock:
            self._connection.close()

    def may_send(self) -> bool:
        """Whether what waits may be sent at this moment; any thread may ask, and waits for nothing.

        To be asked last before each message: what waits may have been read long before that.
        """
        return True

    # --- what waits -----------------------------------------------------------------------------

    def put(
        self, output: str, contents: Mapping[str, bytes], *, notes: Mapping[str, str] | None = None
    ) -> None:
        """Queue contents by key, in this order, and write *notes*, all or nothing.

        What waits under a key is replaced, and keeps its place in the queue. What was delivered
        last under its key is not queued again, unless something else waits there.
        """
        with self._transaction() as run:
            for key, content in contents.items():
                _put(run, output, key, content)
            _note(run, output, notes)

    def waiting(self, output: str, limit: int = 100) -> list[Entry]:
        """Return what waits, in order, at most *limit* entries."""
        with self._transaction() as run:
            return [Entry(*row) for row in run.execute(_WAITING, (output, limit))]

    def count(self, output: str) -> int:
        """Return how many entries wait."""
        with self._transaction() as run:
            (number,) = run.execute(_COUNT, (output,)).fetchone()
        return int(number)

    def delivered(
        self, output: str, entries: Iterable[Entry], *, notes: Mapping[str, str] | None = None
    ) -> None:
        """Note that the receiver has *entries*, write *notes*, and end the pause.

        An entry that was replaced since it was read stays queued in its new form.
        """
        with self._transaction() as run:
            for entry in entries:
                digest = digest_of(entry.content)
                run.execute(_DELIVERED, (digest, entry.content, output, entry.key))
            run.execute("DELETE FROM pauses WHERE output = ?", (output,))
            _note(run, output, notes)

    def forget(self, output: str, keys: Iterable[str]) -> None:
        """Forget what waits and what was delivered under *keys*."""
        with self._transaction() as run:
            run.executemany(
                "DELETE FROM entries WHERE output = ? AND key = ?", ((output, key) for key in keys)
            )

    def take_back(self, output: str, keys: Iterable[str]) -> None:
        """Take from the queue what was never sent and is put again; a copy elsewhere keeps it."""
        Outbox.forget(self, output, keys)

    def trim(self, output: str, most: int) -> list[str]:
        """Forget the oldest of what waits beyond *most* entries; return their keys."""
        with self._transaction() as run:
            return [key for (key,) in run.execute(_TRIM, (output, most)).fetchall()]

    def entries(self, output: str, keys: Iterable[str]) -> list[Row]:
        """Return what is kept under *keys*."""
        with self._transaction() as run:
            found = [(key, run.execute(_FIND, (output, key)).fetchone()) for key in keys]
        return [(key, row[1], row[2]) for key, row in found if row is not None]

    def adopt(self, output: str, rows: Iterable[Row], notes: Mapping[str, str]) -> None:
        """Keep of an output exactly *rows*, in this order, and *notes*."""
        with self._transaction() as run:
            for table in ("entries", "notes"):
                run.execute(f"DELETE FROM {table} WHERE output = ?", (output,))  # noqa: S608 - our own names
            for key, content, delivered in rows:
                run.execute(_QUEUE, (output, key, content, delivered))
            _note(run, output, notes)

    def outputs(self) -> list[str]:
        """Return the names of all outputs of which anything is kept, sorted."""
        with self._transaction() as run:
            rows = run.execute("SELECT output FROM entries UNION SELECT output FROM notes")
            return sorted(output for (output,) in rows)

    def forget_output(self, output: str) -> None:
        """Forget all there is of an output, what waits and its notes included."""
        with self._transaction() as run:
            for table in ("entries", "notes", "pauses"):
                run.execute(f"DELETE FROM {table} WHERE output = ?", (output,))  # noqa: S608 - our own names

    # --- pauses and notes -----------------------------------------------------------------------

    def failed(self, output: str, *, retry_at: float) -> None:
        """Note that sending has failed once more, and when to try again (Unix time)."""
        with self._transaction() as run:
            run.execute(_FAILED, (output, retry_at))

    def pause(self, output: str) -> Pause:
        """Return the state of the pause; no failures and the beginning of time where all is well.

        A clock that was set may have put ``retry_at`` far away: wait no longer than the longest
        pause the output makes.
        """
        with self._transaction() as run:
            row = run.execute(
                "SELECT failures, retry_at FROM pauses WHERE output = ?", (output,)
            ).fetchone()
        return Pause(0, 0.0) if row is None else Pause(*row)

    def notes(self, output: str) -> dict[str, str]:
        """Return what the output has noted, by name."""
        with self._transaction() as run:
            rows = run.execute("SELECT name, value FROM notes WHERE output = ?", (output,))
            return dict(rows.fetchall())

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                with self._connection:
                    self._connection.execute("BEGIN IMMEDIATE")
                    yield self._connection
            except UNREADABLE as error:
                raise OutboxError(f"outbox {self.path} cannot be used: {error}") from error


def read_notes(path: Path, output: str) -> dict[str, str]:
    """Return what an output has noted, also while another process uses the outbox.

    Raises:
        OutboxError: there is no such file, or it is no outbox.
    """
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        ) as connection:
            rows = connection.execute("SELECT name, value FROM notes WHERE output = ?", (output,))
            return dict(rows.fetchall())
    except UNREADABLE as error:
        raise OutboxError(f"outbox {path} cannot be read: {error}") from error


def _put(run: sqlite3.Connection, output: str, key: str, content: bytes) -> None:
    found = run.execute(_FIND, (output, key)).fetchone()
    position, waits, delivered = found or (None, None, None)
    if waits is not None:
        run.execute(_SUPERSEDE, (content, position))
    elif delivered != digest_of(content):
        run.execute(_QUEUE, (output, key, content, delivered))


def _note(run: sqlite3.Connection, output: str, notes: Mapping[str, str] | None) -> None:
    run.executemany(_NOTE, ((output, name, value) for name, value in (notes or {}).items()))


def digest_of(content: bytes) -> bytes:
    """Return what is remembered of what was delivered."""
    return hashlib.sha256(content).digest()


# --- the file -----------------------------------------------------------------------------------


def _open(path: Path) -> sqlite3.Connection:
    try:
        make_folder(path.parent)
        try:
            return _connect(path)
        except (sqlite3.DatabaseError, UnicodeError) as error:
            if not _is_damage(error):
                raise
            kept = set_aside(path)
            logger.warning(
                "outbox %s could not be used: %s. It is kept as %s and a new one is begun: "
                "what was sent may be sent again",
                path,
                error,
                kept,
            )
            return _connect(path)
    except (OSError, *UNREADABLE) as error:
        raise OutboxError(f"outbox {path} cannot be opened: {error}") from error


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return isinstance(error, UnicodeError) or code & 0xFF in _DAMAGE


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise OutboxError(
            f"outbox {path} has version {version}, this eboard-bridge knows version {VERSION}:"
            " install the later eboard-bridge again"
        )
    connection.executescript(f"{_SCHEMA} PRAGMA user_version = {VERSION};")
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        damage = sqlite3.DatabaseError(found)
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage
