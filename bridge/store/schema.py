"""The journal's file: begun whole, examined before use, never written over when damaged.

Version 1: ``readings``, one row a reading, its ``position`` counting from 1; ``links``, the last
``seq`` and time of each link, kept in the same transaction so that opening a long journal need
not read it.
"""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bridge.store.errors import JournalError, JournalTooNewError
from bridge.store.files import sync_folder

VERSION = 1
"""What ``PRAGMA user_version`` says of a file in this form."""

APPLICATION_ID = 0x45425247
"""What ``PRAGMA application_id`` says of a journal: ``EBRG``."""

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE readings (
    position INTEGER PRIMARY KEY,
    board_table TEXT NOT NULL,
    link TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at REAL NOT NULL,
    wall REAL NOT NULL,
    payload TEXT NOT NULL
);
CREATE INDEX readings_by_table ON readings (board_table);
CREATE TABLE links (
    link TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    at REAL NOT NULL,
    wall REAL NOT NULL
) WITHOUT ROWID;
"""

SIDE_FILES = ("-wal", "-shm")
"""What lies beside a database and belongs to it."""

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


def examine(path: Path) -> str | None:
    """Return why the file is not a whole journal, ``None`` if it is; no byte of it is changed.

    Raises:
        JournalTooNewError: the file has a later version.
        JournalError: the file cannot be opened.
    """
    try:
        with closing(connect_to_read(path)) as connection:
            return _examine(connection, path)
    except UnicodeError as error:  # SQLite names what is damaged in the bytes that stand there
        return f"its schema is damaged: {error}"
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in _DAMAGE:
            return str(error)
        raise JournalError(f"journal {path} cannot be opened: {error}") from error


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open the file so that nothing can be changed by it.

    Raises:
        JournalError: there is no such file, or it may not be read.
    """
    # Not even a checkpoint on closing may touch a file that is still to be examined.
    how = "mode=ro&immutable=1" if _is_at_rest(path) else "mode=ro"
    try:
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?{how}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
    except sqlite3.Error as error:
        raise JournalError(f"journal {path} cannot be opened: {error}") from error


def _is_at_rest(path: Path) -> bool:
    """Whether nobody can write the file, as on a stick that is write-protected.

    Even to read, SQLite would write beside it, unless it is told so.

    Raises:
        JournalError: it is not whole without its log, which nobody can put into it there.
    """
    if os.access(path.parent, os.W_OK):
        return False
    log, shared = (path.with_name(path.name + end) for end in SIDE_FILES)
    if shared.exists():
        return False
    if log.exists() and log.stat().st_size:
        raise JournalError(
            f"journal {path} cannot be read where nobody may write, as it was not closed:"
            f" copy it with {log.name} to another disk"
        )
    return True


def _examine(connection: sqlite3.Connection, path: Path) -> str | None:
    if _pragma(connection, "application_id") != APPLICATION_ID:
        return "it is no journal of eboard-bridge"
    version = _pragma(connection, "user_version")
    if isinstance(version, int) and version > VERSION:
        raise JournalTooNewError(
            f"journal {path} has version {version}, this eboard-bridge knows version {VERSION}:"
            " install the later eboard-bridge again, or begin another journal"
        )
    found = _pragma(connection, "quick_check(1)")
    if found != "ok":
        return str(found)
    connection.execute(
        "SELECT position, board_table, readings.link, readings.seq, payload, links.wall"
        " FROM readings, links LIMIT 0"
    )
    return None


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return value


def create(path: Path, fill: Callable[[sqlite3.Connection], None] | None = None) -> None:
    """Begin a journal with what *fill* writes into it; it is at *path* when all of it is on disk.

    Raises:
        OSError: the file cannot be written.
        sqlite3.Error: the same.
    """
    # Under another name until it is whole: a crash never leaves half a schema at `path`.
    draft = _beside(path, ".new")
    for leftover in (draft, *(_beside(draft, side) for side in SIDE_FILES)):
        leftover.unlink(missing_ok=True)
    with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")  # it is synced as a whole
        connection.executescript(_SCHEMA)
        if fill is not None:
            connection.execute("BEGIN")
            fill(connection)
            connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.rename(path)
    sync_folder(path.parent)


def set_aside(path: Path) -> Path:
    """Rename a database that cannot be used, with what belongs to it; return its new name.

    Raises:
        OSError: it cannot be renamed.
    """
    kept = _free_name(path)
    for side in ("", *SIDE_FILES):
        if _beside(path, side).exists():
            _beside(path, side).rename(_beside(kept, side))
    sync_folder(path.parent)
    return kept


def _free_name(path: Path) -> Path:
    first = _beside(path, f".damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    name, number = first, 1
    while any(_beside(name, side).exists() for side in ("", *SIDE_FILES)):
        number += 1
        name = _beside(first, f"-{number}")
    return name


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
