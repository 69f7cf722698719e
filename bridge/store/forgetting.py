"""A person's name taken out of what is kept, and nothing else of it.

Positions, moves, times and results stay: a game is also that of the opponent, and the evidence of
an arbiter. So do the names of arbiters under their orders. Whoever forgets holds the journal
alone; the bytes of before are overwritten, in the files as far as programs see them.
"""

import os
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from bridge.core.model import Payload, TableSetup
from bridge.store.checkpoints import beside, files_of, remove
from bridge.store.errors import UNREADABLE, JournalError, OutboxError
from bridge.store.journal import locked
from bridge.store.rows import read_journal
from bridge.store.schema import examine

NOBODY = "?"
"""What PGN says of a player who is not known."""

_SIDES = {"white": "White", "black": "Black"}
_KEPT = {"by", "kind"}
_UPDATE_READING = "UPDATE readings SET payload = ? WHERE position = ?"
_UPDATE_ENTRY = "UPDATE entries SET content = ? WHERE position = ?"


class Name:
    """A name as it may be written: ``Kramer, Anna`` is Anna Kramer too."""

    def __init__(self, name: str) -> None:
        last, comma, first = (part.strip() for part in name.partition(","))
        forms = [f"{last}, {first}", f"{first} {last}"] if comma else [name.strip()]
        if not comma and " " in forms[0]:
            first, _, last = forms[0].rpartition(" ")
            forms.append(f"{last}, {first}")
        spaced = (r",?\s*".join(map(re.escape, re.findall(r"[^\s,]+", form))) for form in forms)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)", re.IGNORECASE)

    def is_in(self, text: str) -> bool:
        """Say whether *text* has the name."""
        return self._pattern.search(text) is not None

    def taken_out(self, text: str) -> str:
        """Return *text* with nobody's name instead."""
        return self._pattern.sub(NOBODY, text)


def without(name: Name, payload: Payload) -> Payload:
    """Return *payload* without the name, and without title, rating and club of its bearer."""
    bare: dict[str, Any] = msgspec.to_builtins(payload)
    if isinstance(payload, TableSetup):
        sides = {tag for key, tag in _SIDES.items() if name.is_in(getattr(payload, key))}
        tags = {
            tag: value
            for tag, value in payload.tags.items()
            if not any(tag.startswith(side) for side in sides)
        }
        bare["tags"] = tags
    return msgspec.convert(_bare(name, bare), type(payload))


def _bare(name: Name, value: Any) -> Any:
    match value:
        case str():
            return name.taken_out(value)
        case Mapping():
            return {key: each if key in _KEPT else _bare(name, each) for key, each in value.items()}
        case list() | tuple():
            return [_bare(name, each) for each in value]
        case _:
            return value


def forget_in_journal(path: Path, name: Name) -> int:
    """Take a name out of a journal; return in how many readings it was.

    Raises:
        JournalBusyError: somebody uses it.
        JournalError: it cannot be read or written; nothing was changed.
    """
    if not path.exists():
        return 0
    with locked(path):
        reason = examine(path)
        if reason is not None:
            raise JournalError(f"journal {path} cannot be used: {reason}")
        changes = [
            (msgspec.json.encode(changed).decode(), position)
            for position, reading in read_journal(path)
            if (changed := without(name, reading.payload)) != reading.payload
        ]
        try:
            _remove(beside(path))  # the facts that are kept there have the name
            _write(path, _UPDATE_READING, changes)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"journal {path} cannot be changed: {error}") from error
    return len(changes)


def _remove(checkpoints: Path) -> None:
    for file in files_of(checkpoints):
        with file.open("r+b") as opened:
            opened.write(bytes(file.stat().st_size))
            opened.flush()
            os.fsync(opened.fileno())
    remove(checkpoints)


def forget_in_outbox(path: Path, name: Name) -> int:
    """Take a name out of what waits to be sent; return in how many entries it was.

    Raises:
        OutboxError: it cannot be read or written; nothing was changed.
    """
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute("SELECT position, content FROM entries").fetchall()
        texts = [(at, bytes(content).decode(errors="replace")) for at, content in rows if content]
        changes = [(name.taken_out(text).encode(), at) for at, text in texts if name.is_in(text)]
        _write(path, _UPDATE_ENTRY, changes)
    except UNREADABLE as error:
        raise OutboxError(f"outbox {path} cannot be changed: {error}") from error
    return len(changes)


def _write(path: Path, statement: str, changes: list[tuple[Any, int]]) -> None:
    """Change rows, all or none, and leave nothing of what they were."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(statement, changes)
        connection.execute("COMMIT")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
