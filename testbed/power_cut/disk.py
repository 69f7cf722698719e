"""A disk whose power may go at any moment.

What was synced is kept. Of what was written since, each sector of 512 bytes is there or not, in any
order, and now and then half of one; the size of a file may have changed without its content. New,
changed and removed names are there up to any of them as long as their folder was not synced, and a
folder that has no name takes with it what was synced in it. File systems promise more; nobody has
to rely on that. A disk that says it has written what it has not is beyond this.
"""

from itertools import pairwise
from pathlib import Path
from random import Random

from testbed.power_cut.trace import (
    Create,
    MakeFolder,
    Remove,
    Rename,
    Said,
    Step,
    Sync,
    Truncate,
    Write,
)

_Naming = Create | MakeFolder | Rename | Remove

SECTOR = 512
_HALF_A_SECTOR = 0.02
_FOLDER = -1


class Disk:
    """The files below a folder, as they are for programs and as they would be without power."""

    def __init__(self) -> None:
        self._now: dict[Path, int] = {}
        self._kept: dict[Path, int] = {}
        self._names: list[tuple[Path, _Naming, int]] = []
        self._files: list[_File] = []

    def apply(self, step: Step) -> None:
        """Take what a program does next."""
        match step:
            case Write(path) | Truncate(path):
                self._change(path, step)
            case Sync(path):
                self._sync(path)
            case Said():
                pass
            case _:
                self._name(step)

    def cut(self, source: Path, target: Path, rng: Random) -> None:
        """Write to *target* what may be left of *source* when the power goes now."""
        names = dict(self._kept)
        for _, step, file in self._names[: rng.randint(0, len(self._names))]:
            _rename(names, step, file)
        for path, file in names.items():
            if file == _FOLDER or not _is_reached(path, source, names):
                continue
            left = target / path.relative_to(source)
            left.parent.mkdir(parents=True, exist_ok=True)
            left.write_bytes(self._files[file].left(rng))

    def _name(self, step: _Naming) -> None:
        match step:
            case Create(path, emptied) if path in self._now:
                if emptied:
                    self._change(path, Truncate(path, 0))
                return
            case Create(path):
                self._files.append(_File())
                file = len(self._files) - 1
            case MakeFolder(path):
                file = _FOLDER
            case Rename(old, path):
                file = self._now[old]
            case Remove(path):
                file = self._now.get(path, _FOLDER)
        self._names.append((path.parent, step, file))
        _rename(self._now, step, file)

    def _change(self, path: Path, step: Write | Truncate) -> None:
        if path in self._now:  # else it was removed and is still open
            self._files[self._now[path]].changed.append(step)

    def _sync(self, path: Path) -> None:
        file = self._now.get(path, _FOLDER)
        if file != _FOLDER:
            self._files[file].sync()
            return
        for folder, step, number in self._names:
            if folder == path:
                _rename(self._kept, step, number)
        self._names = [each for each in self._names if each[0] != path]


class _File:
    """What a file holds on the disk, and what was ``changed`` since."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self.changed: list[Write | Truncate] = []

    def sync(self) -> None:
        for change in self.changed:
            _change(self._kept, change)
        self.changed.clear()

    def left(self, rng: Random) -> bytes:
        """Return what may be left of it."""
        content = bytearray(self._kept)
        chance = rng.choice([0.0, 1.0, rng.random(), rng.random()])
        for change in self.changed:
            for part in _parts(change):
                if rng.random() < chance:
                    _change(content, _torn(part, rng))
        return bytes(content)


def _rename(names: dict[Path, int], step: _Naming, file: int) -> None:
    match step:
        case Create(path) | MakeFolder(path):
            names[path] = file
        case Rename(path, new):
            names.pop(path, None)
            names[new] = file
        case Remove(path):
            names.pop(path, None)


def _is_reached(path: Path, root: Path, names: dict[Path, int]) -> bool:
    return all(
        folder in names for folder in path.parents if folder != root and folder.is_relative_to(root)
    )


def _parts(change: Write | Truncate) -> list[Write | Truncate]:
    if isinstance(change, Truncate):
        return [change]
    path, begin, data = change
    end = begin + len(data)
    cuts = [begin, *range(begin - begin % SECTOR + SECTOR, end, SECTOR), end]
    return [Write(path, a, data[a - begin : b - begin]) for a, b in pairwise(cuts)]


def _torn(part: Write | Truncate, rng: Random) -> Write | Truncate:
    if isinstance(part, Write) and rng.random() < _HALF_A_SECTOR:
        return part._replace(data=part.data[: rng.randrange(len(part.data) + 1)])
    return part


def _change(content: bytearray, change: Write | Truncate) -> None:
    if isinstance(change, Truncate):
        del content[change.size :]
        content.extend(bytes(change.size - len(content)))
        return
    content.extend(bytes(max(0, change.offset - len(content))))
    content[change.offset : change.offset + len(change.data)] = change.data
