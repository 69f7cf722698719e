"""The files that are to be on the server, and which of them it has."""

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import NamedTuple

_LISTS = {"boards.json", "games.pgn", "index.json", "tournament.json"}


class State(NamedTuple):
    """Size and time of change (ns since 1970) of a file."""

    size: int
    changed_ns: int

    @property
    def changed(self) -> int:
        """The time of change as SFTP knows it, in whole seconds."""
        return self.changed_ns // 10**9


def files_in(folder: Path, suffixes: Collection[str]) -> dict[PurePosixPath, State]:
    """Return the files with any of *suffixes* in *folder* and the folders in it, drafts left out.

    Raises:
        OSError: the folder cannot be read; one that is not there is empty.
    """
    return dict(_walk(folder, PurePosixPath(), suffixes))


def in_turns(places: Iterable[PurePosixPath]) -> list[list[PurePosixPath]]:
    """Return which files to copy together, so that what lists games comes behind the games."""
    ordered = sorted(places, key=lambda place: (*_turn(place), place))
    return [[*turn] for _, turn in groupby(ordered, key=_turn)]


def _turn(place: PurePosixPath) -> tuple[int, bool]:
    return -len(place.parts), place.name in _LISTS


def _walk(
    folder: Path, place: PurePosixPath, suffixes: Collection[str]
) -> Iterator[tuple[PurePosixPath, State]]:
    try:
        entries = [*folder.iterdir()]
    except FileNotFoundError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _walk(entry, place / entry.name, suffixes)
        elif entry.suffix in suffixes:
            status = entry.stat()
            yield place / entry.name, State(status.st_size, status.st_mtime_ns)
