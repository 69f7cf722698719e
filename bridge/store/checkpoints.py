"""What was understood of the journal so far, table by table, so that a start need not do it again.

A SQLite file beside the journal, of which nothing is ever needed: where it is damaged, of another
version, or the disk refuses, all is understood anew. What is written comes after what it rests on
was durable in the journal, and in one transaction, so no end of the process leaves half of it.
"""

import logging
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from bridge.store.errors import UNREADABLE
from bridge.store.files import make_folder
from bridge.store.schema import SIDE_FILES, connect_to_read

logger = logging.getLogger(__name__)

_SCHEMA = """
CREATE TABLE code (name TEXT NOT NULL);
CREATE TABLE tables (
    board_table TEXT PRIMARY KEY,
    readings INTEGER NOT NULL,
    link TEXT NOT NULL,
    seq INTEGER NOT NULL,
    wall REAL NOT NULL,
    state BLOB NOT NULL,
    last INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE facts (
    number INTEGER PRIMARY KEY,
    board_table TEXT NOT NULL,
    facts BLOB NOT NULL
);
CREATE INDEX facts_by_table ON facts (board_table);
"""
# ``last`` is the number of the last facts that the state has told.
_KEEP = "INSERT INTO facts (board_table, facts) VALUES (?, ?)"
_PUT = "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)"
_LEVEL = 1
"""How hard facts are compressed: harder takes longer than the disk."""


class Place(NamedTuple):
    """Behind so many ``readings`` of a table; all else is of the last of them."""

    readings: int
    link: str
    seq: int
    wall: float


class Piece(NamedTuple):
    """Further facts of a table, and where there is one, its checkpoint behind them."""

    table: str
    facts: bytes
    place: Place | None = None
    state: bytes = b""


class Checkpoints:
    """The checkpoints of a journal, as *code* has written them, in the form of this module."""

    def __init__(self, path: Path, code: str) -> None:
        """Open the file, or begin it.

        Raises:
            OSError, sqlite3.Error: it cannot be used.
        """
        self._lock = threading.Lock()
        code = f"{code} {_SCHEMA}"
        try:
            self._connection = _open(path, code)
        except (sqlite3.DatabaseError, UnicodeError) as error:
            logger.info("what was understood of the journal is not used: %s", error)
            remove(path)
            self._connection = _open(path, code)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def place(self, table: str) -> Place | None:
        """Return where the last checkpoint of a table is."""
        query = "SELECT readings, link, seq, wall FROM tables WHERE board_table = ?"
        row = self._connection.execute(query, (table,)).fetchone()
        return None if row is None else Place(*row)

    def state(self, table: str) -> bytes:
        """Return the state that a table has there."""
        query = "SELECT state FROM tables WHERE board_table = ?"
        (state,) = self._connection.execute(query, (table,)).fetchone()
        return zlib.decompress(state)

    def facts(self, table: str) -> Iterator[bytes]:
        """Yield what follows from a table's readings up to there, in order."""
        query = (
            "SELECT facts FROM facts WHERE board_table = ?1 AND number <="
            " (SELECT last FROM tables WHERE board_table = ?1) ORDER BY number"
        )
        for (facts,) in self._connection.execute(query, (table,)):
            yield zlib.decompress(facts)

    def write(self, piece: Piece) -> None:
        """Keep facts, and put a checkpoint in the place of the one before."""
        table, facts, place, state = piece
        with self._transaction() as run:
            number = run.execute(_KEEP, (table, zlib.compress(facts, _LEVEL))).lastrowid
            if place is not None:
                run.execute(_PUT, (table, *place, zlib.compress(state, _LEVEL), number))

    def go_on(self, table: str) -> None:
        """Forget what was told of a table behind its checkpoint: it will be told again."""
        with self._transaction() as run:
            run.execute(
                "DELETE FROM facts WHERE board_table = ?1 AND number >"
                " coalesce((SELECT last FROM tables WHERE board_table = ?1), 0)",
                (table,),
            )

    def forget(self, table: str) -> None:
        """Forget a table."""
        with self._transaction() as run:
            for name in ("tables", "facts"):
                run.execute(f"DELETE FROM {name} WHERE board_table = ?", (table,))  # noqa: S608 - our own names

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection


def position_of(journal: Path, table: str, place: Place) -> int | None:
    """Return the position of a place, ``None`` if the journal is another one, or was changed."""
    query = (
        "SELECT position, link, seq, wall FROM readings"
        " WHERE board_table = ? ORDER BY position LIMIT 1 OFFSET ?"
    )
    try:
        with closing(connect_to_read(journal)) as connection:
            row = connection.execute(query, (table, place.readings - 1)).fetchone()
    except UNREADABLE:
        return None
    return row[0] if row is not None and row[1:] == place[1:] else None


def beside(journal: Path) -> Path:
    """Return where the checkpoints of a journal are."""
    return journal.with_name("checkpoints.sqlite3")


def remove(path: Path) -> None:
    """Remove the file and what belongs to it; who holds the journal may do so.

    Raises:
        OSError: it cannot be removed.
    """
    for file in files_of(path):
        file.unlink(missing_ok=True)


def files_of(path: Path) -> list[Path]:
    """Return the file and what belongs to it, as far as it is there."""
    files = (path.with_name(path.name + side) for side in ("", *SIDE_FILES))
    return [file for file in files if file.exists()]


def _open(path: Path, code: str) -> sqlite3.Connection:
    make_folder(path.parent)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # what is lost is understood again
        if connection.execute("PRAGMA schema_version").fetchone() == (0,):
            _begin(connection, code)
        written_by = connection.execute("SELECT name FROM code").fetchall()
    except BaseException:
        connection.close()
        raise
    if written_by != [(code,)]:
        connection.close()
        raise sqlite3.DatabaseError("another version has written it")
    return connection


def _begin(connection: sqlite3.Connection, code: str) -> None:
    connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA}")
    connection.execute("INSERT INTO code VALUES (?)", (code,))
    connection.execute("COMMIT")
