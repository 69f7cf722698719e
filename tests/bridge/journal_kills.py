"""A process that journals, killed with SIGKILL at random moments."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from bridge.store.journal import Journal
from bridge.store.rows import read_journal

ROOT = Path(__file__).resolve().parents[2]


def writer(mode: str, path: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.bridge.journal_writer", mode, str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def seqs(path: Path) -> list[int]:
    return [reading.seq for _, reading in read_journal(path)]


def killed_again_and_again(path: Path, *, kills: int) -> int:
    """See that nothing called durable is lost; return how many readings are stored."""
    rng = random.Random()
    for _ in range(kills):
        with writer("kill", path) as child:
            assert child.stdout is not None
            first = child.stdout.readline()
            time.sleep(rng.random() * 0.1)
            child.send_signal(signal.SIGKILL)
            said = [int(line) for line in [first, *child.stdout] if line.endswith("\n")]
        stored = seqs(path)
        assert stored[: said[-1]] == list(range(1, said[-1] + 1))
        assert stored == list(range(1, len(stored) + 1))
    assert [file.name for file in path.parent.iterdir() if "damaged" in file.name] == []
    with Journal.open(path) as journal:
        assert journal.last_seq("dgt-1") == len(stored)
    return len(stored)
