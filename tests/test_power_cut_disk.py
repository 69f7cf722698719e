"""The disk without power: it loses what was not synced, and nothing else."""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from testbed.power_cut.disk import SECTOR, Disk
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
    can_trace,
    run_traced,
    steps,
)

ROOT = Path("/disk")
FILE, OTHER = ROOT / "file", ROOT / "other"
TIMES = 200

Cut = Callable[..., set[str]]


@pytest.fixture
def cut(tmp_path: Path) -> Cut:
    """Return what may be left after these steps, as text of all files by name."""

    def left(*taken: Step) -> set[str]:
        disk, found = Disk(), set()
        for step in taken:
            disk.apply(step)
        for seed in range(TIMES):
            target = tmp_path / f"{seed}-{len(list(tmp_path.iterdir()))}"
            disk.cut(ROOT, target, Random(seed))
            files = sorted(path for path in target.rglob("*") if path.is_file())
            found.add(" ".join(f"{path.name}={path.read_bytes().decode()}" for path in files))
        return found

    return left


BEGUN = Create(FILE, emptied=False), Sync(ROOT)


def test_what_is_synced_stays(cut: Cut) -> None:
    assert cut(*BEGUN, Write(FILE, 0, b"a"), Sync(FILE)) == {"file=a"}


def test_what_is_not_synced_is_there_or_not(cut: Cut) -> None:
    assert cut(*BEGUN, Write(FILE, 0, b"a")) == {"file=", "file=a"}


def test_a_name_is_nothing_without_its_folder(cut: Cut) -> None:
    assert cut(Create(FILE, emptied=False), Write(FILE, 0, b"a"), Sync(FILE)) == {"", "file=a"}


def test_a_folder_without_a_name_takes_all_with_it(cut: Cut) -> None:
    inner = ROOT / "folder"
    taken = MakeFolder(inner), Create(inner / "x", emptied=False), Sync(inner)
    assert cut(*taken) == {"", "x="}
    assert cut(*taken, Sync(ROOT)) == {"x="}


def test_later_writes_may_be_there_without_earlier_ones(cut: Cut) -> None:
    found = cut(*BEGUN, Write(FILE, 0, b"a" * SECTOR), Write(FILE, SECTOR, b"b"))
    assert "file=" + "\0" * SECTOR + "b" in found
    assert "file=" + "a" * SECTOR in found


def test_a_file_that_takes_the_place_of_another_is_the_old_or_the_new(cut: Cut) -> None:
    old = (*BEGUN, Write(FILE, 0, b"old"), Sync(FILE))
    new = Create(OTHER, emptied=False), Write(OTHER, 0, b"new"), Sync(OTHER), Rename(OTHER, FILE)
    assert cut(*old, *new) == {"file=old", "file=old other=new", "file=new"}
    assert cut(*old, *new, Sync(ROOT)) == {"file=new"}


def test_what_is_removed_may_be_back_and_what_is_emptied_too(cut: Cut) -> None:
    old = (*BEGUN, Write(FILE, 0, b"old"), Sync(FILE))
    assert cut(*old, Remove(FILE)) == {"", "file=old"}
    assert cut(*old, Create(FILE, emptied=True)) == {"file=", "file=old"}
    assert cut(*old, Truncate(FILE, 5), Sync(FILE)) == {"file=old\0\0"}


PROGRAM = """
import os, sys
from pathlib import Path
folder = Path(sys.argv[1]) / "new"
folder.mkdir()
with open(folder / "draft", "wb") as file:
    file.write(b"one")
    file.flush()
    os.fsync(file.fileno())
    file.seek(1)
    file.write(b"x")
    file.truncate(2)
(folder / "draft").rename(folder / "file")
os.write(1, b"said")
(folder / "file").unlink()
"""


def test_a_program_is_seen_as_it_is(tmp_path: Path) -> None:
    if not can_trace():
        pytest.skip("strace is missing, or not allowed to trace")
    folder, trace = tmp_path / "disk", tmp_path / "trace"
    folder.mkdir()
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    run_traced(command, trace, cwd=tmp_path)
    draft, file = folder / "new" / "draft", folder / "new" / "file"
    assert steps(trace, folder) == [
        MakeFolder(folder / "new"),
        Create(draft, emptied=True),
        Write(draft, 0, b"one"),
        Sync(draft),
        Write(draft, 1, b"x"),
        Truncate(draft, 2),
        Rename(draft, file),
        Said(b"said"),
        Remove(file),
    ]


def test_what_is_not_understood_is_said(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    trace.write_text("what is this\n")
    with pytest.raises(ValueError, match="not understood: what is this"):
        steps(trace, tmp_path)
