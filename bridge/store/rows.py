"""Readings as rows of the journal, and how they are read back."""

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import msgspec

from bridge.core.json_errors import NOT_JSON
from bridge.core.model import Payload, Reading
from bridge.store.errors import UNREADABLE, JournalError, JournalRowError
from bridge.store.leaves import Stored
from bridge.store.schema import connect_to_read

Row = tuple[str, str, int, float, float, str]
INSERT = (
    "INSERT INTO readings (board_table, link, seq, at, wall, payload) VALUES (?, ?, ?, ?, ?, ?)"
)
SELECT = "SELECT position, board_table, link, seq, at, wall, payload FROM readings"
_FIRST_TABLE = "SELECT min(board_table) FROM readings"
_NEXT_TABLE = f"{_FIRST_TABLE} WHERE board_table > ?"
_TYPES = (int, bytes, bytes, int, float, float, bytes)
_AT_ONCE = 1000

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder[Payload](Payload).decode


def row_of(reading: Reading) -> Row:
    """Return what :data:`INSERT` takes."""
    return (
        reading.table,
        reading.link,
        reading.seq,
        reading.at,
        reading.wall,
        _encode(reading.payload).decode(),
    )


def read_journal(
    path: Path,
    table: str | None = None,
    after: int = 0,
    damaged: Callable[[JournalRowError], None] | None = None,
) -> Generator[tuple[int, Reading], None, None]:
    """Yield position and reading of what is durable behind ``after``, of one table or of all.

    Goes on to what became durable while it was read. Another process may be writing. Rows that
    cannot be understood are passed over where *damaged* wants to be told of them.

    Raises:
        JournalRowError: a row cannot be read or understood; the message names its position.
        JournalError: the journal cannot be opened.
    """
    where, chosen = ("", ()) if table is None else (" AND board_table = ?", (table,))
    query = f"{SELECT} WHERE position > ?{where} ORDER BY position LIMIT {_AT_ONCE}"
    with closing(connect_to_read(path)) as connection:
        connection.text_factory = bytes
        while True:
            try:
                # All at once: a query left open keeps the log from being checkpointed.
                rows = connection.execute(query, (after, *chosen)).fetchall()
            except UNREADABLE as error:
                raise JournalRowError(
                    f"journal {path} cannot be read behind position {after}: {error}"
                ) from error
            for row in rows:
                if row[0] <= after:  # else it would be read for ever
                    raise JournalRowError(
                        f"journal {path} cannot be read behind position {after}: {row[0]} is next"
                    )
                after = row[0]
                try:
                    reading = reading_of(row, path)
                except JournalRowError as error:
                    if damaged is None:
                        raise
                    damaged(error)
                else:
                    yield after, reading
            if len(rows) < _AT_ONCE:
                return


def read_before(path: Path, table: str, at: float, most: int) -> list[Reading]:
    """Return the last readings of a table up to a time, at most so many, oldest first.

    Raises:
        JournalError: the journal cannot be read.
    """
    query = f"{SELECT} WHERE board_table = ? AND at <= ? ORDER BY position DESC LIMIT ?"
    try:
        with closing(connect_to_read(path)) as connection:
            connection.text_factory = bytes
            rows = connection.execute(query, (table, at, most)).fetchall()
    except UNREADABLE as error:
        raise JournalError(f"journal {path} cannot be read: {error}") from error
    return [reading_of(row, path) for row in reversed(rows)]


def table_names(path: Path) -> list[str]:
    """Return the tables that readings tell of, in order of their names.

    Raises:
        JournalError: the journal cannot be read.
    """
    names: list[str] = []
    try:
        with closing(connect_to_read(path)) as connection:
            # A step in the index for each table, however many readings there are.
            (name,) = connection.execute(_FIRST_TABLE).fetchone()
            while name is not None:
                if not isinstance(name, str) or (names and name <= names[-1]):
                    raise JournalError(f"journal {path} cannot be read: its index is damaged")
                names.append(name)
                (name,) = connection.execute(_NEXT_TABLE, (name,)).fetchone()
    except UNREADABLE as error:
        raise JournalError(f"journal {path} cannot be read: {error}") from error
    return names


def reading_of(row: Stored, path: Path) -> Reading:
    """Return the reading of a row of :data:`SELECT`, texts being bytes.

    Raises:
        JournalRowError: it cannot be understood.
    """
    _, table, link, seq, at, wall, payload = row
    if tuple(map(type, row)) != _TYPES:
        raise _damaged(row, path, "values of another type")
    try:
        return Reading(
            table=table.decode(),
            link=link.decode(),
            seq=seq,
            at=at,
            wall=wall,
            payload=_decode(payload),
        )
    except NOT_JSON as error:
        raise _damaged(row, path, error) from error


def _damaged(row: Stored, path: Path, why: object) -> JournalRowError:
    position, _, link, seq, *_ = row
    return JournalRowError(f"journal {path}, position {position} (link {link!r}, seq {seq}): {why}")
