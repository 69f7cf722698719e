"""What a program asked of the disk, in order, as ``strace`` saw it.

The program is what it always is, with its own SQLite and the kernel's files. A write counts from
when it was begun, a sync from when it had returned.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

STDOUT = 1
_LAST_WORDS = 60
LONGEST = 1 << 20
_WRITES = ("write", "pwrite64")
_CALLS = (
    *_WRITES,
    *("openat", "lseek", "ftruncate", "fsync", "fdatasync", "rename", "unlink", "mkdir"),
)
_UNKNOWN = (
    *("writev", "pwritev", "pwritev2", "truncate", "fallocate", "sendfile", "copy_file_range"),
    *("renameat", "renameat2", "unlinkat", "mkdirat", "linkat", "creat", "rmdir"),
)
"""Calls that this module does not understand, and that the program makes nowhere below."""

_LINE = re.compile(
    r"(?P<thread>\d+) +(?:<\.\.\. (?P<resumed>\w+) resumed>|(?P<call>\w+)\()(?P<arguments>.*?)"
    r"(?:(?P<unfinished> <unfinished \.\.\.>)|\) += (?P<result>-?\d+)(?:<(?P<opened>[^>]*)>)?.*)"
)
_FILE = re.compile(r"(\d+)<([^>]*)>")
_TEXT = re.compile(r'"([^"]*)"(\.\.\.)?')


class Create(NamedTuple):
    """A file is there, empty if it was not there before, or is to be ``emptied``."""

    path: Path
    emptied: bool


class MakeFolder(NamedTuple):
    """A folder is there."""

    path: Path


class Write(NamedTuple):
    """Bytes stand in a file."""

    path: Path
    offset: int
    data: bytes


class Truncate(NamedTuple):
    """A file has another size."""

    path: Path
    size: int


class Rename(NamedTuple):
    """A file has another name, and takes the place of what had that."""

    path: Path
    new: Path


class Remove(NamedTuple):
    """A name is gone."""

    path: Path


class Sync(NamedTuple):
    """What was written to a file, or the names in a folder, are on the disk."""

    path: Path


class Said(NamedTuple):
    """The program wrote to standard output."""

    data: bytes


Step = Create | MakeFolder | Write | Truncate | Rename | Remove | Sync | Said


def can_trace() -> bool:
    """Say whether programs can be traced here."""
    command = ["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true"]
    return shutil.which("strace") is not None and (
        subprocess.run(command, check=False, capture_output=True).returncode == 0
    )


def traced(command: Sequence[str], output: Path) -> list[str]:
    """Return *command* as one that leaves its trace in *output*, and gets signals itself.

    The trace is whole when :func:`is_whole` says so, which is after *command* has ended.
    """
    calls = ",".join((*_CALLS, *_UNKNOWN))
    options = ["-D", "-f", "--seccomp-bpf", "-q", "-y", "-xx", "-s", f"{LONGEST}"]
    return ["strace", *options, "-e", f"trace={calls}", "-o", str(output), *command]


def is_whole(trace: Path) -> bool:
    """Say whether the end of a traced program stands in its trace."""
    with trace.open("rb") as file:
        program = file.readline().split(b" ")[0]
        file.seek(max(0, trace.stat().st_size - _LAST_WORDS))
        last = file.read().rpartition(b"\n" + program)[2]
        return last.lstrip().startswith(b"+++ exited with ")


def run_traced(command: Sequence[str], trace: Path, *, cwd: Path) -> None:
    """Run *command* to its end, and wait for its whole trace.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    subprocess.run(traced(command, trace), cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    while not is_whole(trace):
        time.sleep(0.01)


def steps(trace: Path, folder: Path) -> list[Step]:
    """Return what a traced program did to the files below *folder*, and what it said.

    The shared memory of SQLite (``-shm``) is left out: it is not on the disk.

    Raises:
        ValueError: the trace has something that is not understood.
    """
    reader = _Reader(folder)
    with trace.open(encoding="ascii") as lines:
        return [step for line in lines for step in reader.read(line.rstrip("\n"))]


class _Reader:
    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._begun: dict[str, str] = {}
        self._positions: dict[int, int] = {}

    def read(self, line: str) -> Iterator[Step]:
        found = _LINE.fullmatch(line)
        if found is None:
            if " +++ " in line or " --- " in line:
                return
            raise ValueError(f"not understood: {line[:200]}")
        thread, arguments = found["thread"], found["arguments"]
        call = found["call"] or found["resumed"]
        if found["unfinished"]:
            if call in _WRITES:
                yield from self._call(call, arguments, 0, "")
            else:
                self._begun[thread] = arguments
            return
        if found["resumed"]:
            if call in _WRITES:
                return
            arguments = self._begun.pop(thread) + arguments
        if int(found["result"]) >= 0:
            yield from self._call(call, arguments, int(found["result"]), found["opened"] or "")

    def _call(self, call: str, arguments: str, result: int, opened: str) -> Iterator[Step]:
        match call:
            case "openat":
                yield from self._open(arguments, result, Path(_text(opened)))
            case "lseek":
                self._positions[_file(arguments)[0]] = result
            case "write" | "pwrite64":
                yield from self._write(call, arguments)
            case "ftruncate":
                path = _file(arguments)[1]
                if self._is_ours(path):
                    yield Truncate(path, int(arguments.rsplit(", ", 1)[1]))
            case "fsync" | "fdatasync":
                path = _file(arguments)[1]
                if self._is_ours(path):
                    yield Sync(path)
            case _:
                yield from self._name(call, [Path(text) for text in _texts(arguments)])

    def _open(self, arguments: str, descriptor: int, path: Path) -> Iterator[Step]:
        self._positions[descriptor] = 0
        if self._is_ours(path) and "O_CREAT" in arguments:
            if "O_APPEND" in arguments:
                raise ValueError(f"{path} is opened to be appended to")
            yield Create(path, emptied="O_TRUNC" in arguments)

    def _write(self, call: str, arguments: str) -> Iterator[Step]:
        descriptor, path = _file(arguments)
        found = _TEXT.search(arguments)
        if found is None or found[2]:
            raise ValueError(f"a write to {path} is not whole")
        data = _bytes(found[1])
        if call == "pwrite64":
            offset = int(arguments.rsplit(", ", 1)[1])
        else:
            offset = self._positions.get(descriptor, 0)
            self._positions[descriptor] = offset + len(data)
        if self._is_ours(path):
            yield Write(path, offset, data)
        elif descriptor == STDOUT:
            yield Said(data)

    def _name(self, call: str, paths: list[Path]) -> Iterator[Step]:
        if not any(self._is_ours(path) for path in paths):
            return
        match call:
            case "rename":
                yield Rename(*paths)
            case "unlink":
                yield Remove(*paths)
            case "mkdir":
                yield MakeFolder(*paths)
            case _:
                raise ValueError(f"{call} of {paths} is not understood")

    def _is_ours(self, path: Path) -> bool:
        return path.is_relative_to(self._folder) and not path.name.endswith("-shm")


def _file(arguments: str) -> tuple[int, Path]:
    found = _FILE.match(arguments)
    if found is None:
        raise ValueError(f"no file: {arguments[:200]}")
    return int(found[1]), Path(_text(found[2]))


def _texts(arguments: str) -> list[str]:
    return [_text(found[1]) for found in _TEXT.finditer(arguments)]


def _text(escaped: str) -> str:
    return _bytes(escaped).decode()


def _bytes(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))
