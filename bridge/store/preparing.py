"""The journal before it is used: begun, or examined, and what is damaged is put right.

A damaged file is never written over: it is kept under another name. What can still be read of it
goes into a new journal at its place, and the games go on from there.
"""

import sqlite3
from pathlib import Path

from bridge.store.errors import JournalError
from bridge.store.salvage import Salvage
from bridge.store.schema import SIDE_FILES, create, examine, set_aside


def prepare(path: Path) -> str | None:
    """Make sure that a whole journal of this version stands at ``path``.

    Returns:
        What a person has to know: a file that could not be used, where it is kept now, and what
        of it is lost.

    Raises:
        JournalTooNewError: the file has a later version; it is left as it is.
        JournalError: the file or its folder cannot be used at all.
    """
    reason = None
    if path.exists():
        reason = examine(path)
    elif any(path.with_name(path.name + side).exists() for side in SIDE_FILES):
        reason = "the file itself is gone, only its -wal is left"
    if reason is not None:
        return _replaced(path, reason)
    if not path.exists():
        _begin(path)
    return None


def _replaced(path: Path, reason: str) -> str:
    try:
        kept = set_aside(path)
    except OSError as error:
        raise JournalError(
            f"journal {path} cannot be used ({reason}) nor set aside ({error})"
        ) from error
    salvage = Salvage(kept)
    _begin(path, salvage)
    found = f"journal {path} could not be used: {reason}. It is kept as {kept} (with -wal and -shm"
    found += " where there were any)"
    if not salvage.saved:
        return (
            f"{found} and a new journal is begun: each table is followed from its next"
            f' game on. To get the games in progress back: sqlite3 "{kept}" .recover, or replay the'
            " captures"
        )
    return f"{found}. {salvage.in_words()}"


def _begin(path: Path, salvage: Salvage | None = None) -> None:
    try:
        create(path, None if salvage is None else salvage.into)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"journal {path} cannot be begun: {error}") from error
