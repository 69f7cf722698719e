"""Journal and outbox on a disk that loses its power at random moments."""

import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from bridge.store.journal import Journal
from bridge.store.outbox import Outbox
from testbed.power_cut.disk import Disk
from testbed.power_cut.trace import Said, Step, can_trace, run_traced, steps
from tests.bridge.disk_writer import JOURNAL, OUTBOX
from tests.bridge.readings import run

ROOT = Path(__file__).resolve().parents[2]
MORE = 3


def trace_writer(folder: Path, commits: int) -> list[Step]:
    """Return what the process of ``disk_writer`` did to an empty folder."""
    if not can_trace():
        pytest.skip("strace is missing, or not allowed to trace")
    folder.mkdir()
    command = [sys.executable, "-m", "tests.bridge.disk_writer", str(folder), str(commits)]
    trace = folder.with_suffix(".trace")
    run_traced(command, trace, cwd=ROOT)
    return steps(trace, folder)


def cuts(
    taken: Sequence[Step], source: Path, target: Path, *, points: int, seed: int
) -> Iterator[list[str]]:
    """Cut the power at so many random points; yield what was said before each.

    Meanwhile *target* is what may be left of *source*.
    """
    rng = Random(seed)
    disk, words, done = Disk(), list[str](), 0
    for point in sorted(rng.randint(0, len(taken)) for _ in range(points)):
        for step in taken[done:point]:
            disk.apply(step)
            if isinstance(step, Said):
                words += step.data.decode().splitlines()
        done = point
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        disk.cut(source, target, rng)
        yield words


def see_nothing_lost(words: Sequence[str], folder: Path) -> tuple[int, int]:
    """See that journal and outbox have what was said to be durable, and go on.

    Return how many readings there are more than were acknowledged, and how many entries of the
    outbox will be sent once more.
    """
    numbers = defaultdict[str, list[int]](list)
    for line in words:
        what, number = line.split()
        numbers[what].append(int(number))
    acknowledged = max(numbers["journal"], default=0)
    return _journal(folder / JOURNAL, acknowledged) - acknowledged, _outbox(folder, numbers)


def _journal(path: Path, acknowledged: int) -> int:
    notes: list[str] = []
    with Journal.open(path, note=notes.append, window=0.0) as journal:
        assert notes == []
        stored = [reading.seq for _, reading in journal.read()]
        last = len(stored)
        assert stored == list(range(1, last + 1))
        assert journal.last_seq("dgt-1") == last >= acknowledged
        journal.submit(run(range(last + 1, last + 1 + MORE)), lambda: None)
    with Journal.open(path, note=notes.append) as journal:
        assert notes == []
        assert [reading.seq for _, reading in journal.read()] == list(range(1, last + 1 + MORE))
    return last


def _outbox(folder: Path, numbers: dict[str, list[int]]) -> int:
    with Outbox(folder / OUTBOX) as outbox:
        put = int(outbox.notes("test").get("put", "0"))
        assert put >= max(numbers["put"], default=0)
        waiting = {int(entry.key) for entry in outbox.waiting("test", put + 1)}
        assert waiting.isdisjoint(numbers["sent"])
        assert set(range(1, put + 1)) - waiting <= set(numbers["sending"]), "never sent, and gone"
        assert list(folder.rglob("*damaged*")) == []
    return len(waiting.intersection(numbers["sending"]))
