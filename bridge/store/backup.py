"""Copies of what a hall has recorded, made while it runs, and put back in its place.

A backup is a folder: the databases as of one moment each, other files as they are, and a list of
them with their checksums. It has its name only when all of it is on the disk.
"""

import contextlib
import hashlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bridge.core.json_errors import NOT_JSON
from bridge.store.checkpoints import beside, remove
from bridge.store.errors import UNREADABLE, BackupError
from bridge.store.files import begin, make_folder, replace_file, sync_folder
from bridge.store.journal import locked
from bridge.store.schema import connect_to_read, examine

LIST = "backup.json"
VERSION = 1

_SIDE_FILES = ("-wal", "-shm")


@dataclass(frozen=True, kw_only=True)
class Listed:
    """The list in a backup: when it was made, and the SHA-256 of each file by its name."""

    version: int
    made: str
    files: dict[str, str]


def back_up(databases: Sequence[Path], files: Sequence[Path], target: Path) -> Path:
    """Copy what there is of *databases* and *files* into a new folder below *target*.

    Whoever writes a database goes on meanwhile. The folder is for its owner alone.

    Returns:
        The folder.

    Raises:
        BackupError: a database cannot be copied.
        OSError: something cannot be read or written.
    """
    stamp = time.strftime("%Y%m%d-%H%M%S")
    make_folder(target)
    with _draft(target / f"eboard-bridge-{stamp}") as (draft, folder):
        for path in databases:
            if path.exists():
                _copy_database(path, draft / path.name)
        for path in files:
            if path.exists():
                shutil.copyfile(path, draft / path.name)
        sums = {path.name: _checksum(path) for path in sorted(draft.iterdir())}
        listed = Listed(version=VERSION, made=time.strftime("%Y-%m-%dT%H:%M:%S%z"), files=sums)
        replace_file(draft / LIST, msgspec.json.format(msgspec.json.encode(listed)))
    return folder


def check(backup: Path) -> tuple[Listed, list[str]]:
    """Examine every file of a backup; return its list, and what is wrong with it.

    Raises:
        BackupError: there is no list, or not one that this version knows.
    """
    listed = _read_list(backup)
    problems = []
    for name, checksum in listed.files.items():
        path = backup / name
        if not path.is_file():
            problems.append(f"{name} is missing")
        elif _checksum(path) != checksum:
            problems.append(f"{name} is not what was written")
    journal = backup / "journal.sqlite3"
    if not problems and (reason := examine(journal) if journal.exists() else "there is none"):
        problems.append(f"the journal is of no use: {reason}")
    return listed, problems


def restore(backup: Path, places: Mapping[str, Path]) -> list[Path]:
    """Put the files of a backup in their *places*, by name; what stands there is kept.

    The journal's place must be among them: nobody may write there.

    Returns:
        Where what stood there is kept now.

    Raises:
        JournalBusyError: eboard-bridge runs there.
        OSError: something cannot be read or written.
    """
    stamp, kept = time.strftime("%Y%m%d-%H%M%S"), []
    with locked(places["journal.sqlite3"]):
        remove(beside(places["journal.sqlite3"]))
        for name in _read_list(backup).files:
            place = places.get(name)
            if place is None:
                continue
            for side in ("", *_SIDE_FILES):
                old = place.with_name(place.name + side)
                if old.exists():
                    kept.append(old.rename(old.with_name(f"{old.name}.before-{stamp}")))
            _put(backup / name, place)
    return kept


@contextlib.contextmanager
def _draft(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Have a folder that gets the name *folder* in the end, or vanishes."""
    draft = folder.with_name(f".{folder.name}.new")
    draft.mkdir(mode=0o700)
    try:
        yield draft, folder
        for path in draft.iterdir():
            _sync(path)
        sync_folder(draft)
        draft.rename(folder)
        sync_folder(folder.parent)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _put(path: Path, place: Path) -> None:
    """Put a copy of a file in its place; who opens it sees all of it or nothing."""
    draft = place.with_name(f".{place.name}.tmp")
    with path.open("rb") as source, os.fdopen(begin(draft, 0o600), "wb") as target:
        shutil.copyfileobj(source, target)
        target.flush()
        os.fsync(target.fileno())
    draft.replace(place)
    sync_folder(place.parent)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _copy_database(path: Path, copy: Path) -> None:
    """Copy a database as of now, whoever writes to it meanwhile, into one file."""
    try:
        with closing(connect_to_read(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
    except UNREADABLE as error:
        raise BackupError(f"{path} cannot be copied: {error}") from error


def _read_list(backup: Path) -> Listed:
    path = backup / LIST
    try:
        listed = msgspec.json.decode(path.read_bytes(), type=Listed)
    except (FileNotFoundError, NotADirectoryError):
        raise BackupError(f"{backup} is no backup: there is no {LIST} in it") from None
    except NOT_JSON as error:
        raise BackupError(f"{path} cannot be read: {error}") from None
    if listed.version != VERSION:
        raise BackupError(f"{backup} is of another version of eboard-bridge; restore it with that")
    return listed


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
