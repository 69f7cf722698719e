"""A process that journals and says what is durable, for tests that kill it or fill its disk.

``python -m tests.bridge.journal_writer kill JOURNAL``: writes for ever, prints each ``seq`` when
it is durable. ``... limit JOURNAL``: may write only little, until a line comes on its input.
"""

import os
import resource
import signal
import sys
import threading
from functools import partial
from pathlib import Path

from bridge.store.journal import Journal
from tests.bridge.readings import run

SMALL = 300_000
READINGS_PAST_THE_LIMIT = 5000


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def write_until_killed(path: Path) -> None:
    """Three submissions wait to become durable at any time, each of three readings."""
    journal = Journal.open(path, window=0.001)
    free = threading.Semaphore(3)

    def durable(seq: int) -> None:
        say(str(seq))
        free.release()

    seq = journal.last_seq("dgt-1")
    while True:
        free.acquire()
        journal.submit(run(range(seq + 1, seq + 4)), partial(durable, seq + 3))
        seq += 3


def write_past_a_limit(path: Path) -> None:
    """The system refuses larger files, as a full or failing disk would, until input comes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    troubles = []

    def on_trouble(text: str | None) -> None:
        troubles.append(text)
        say(f"trouble: {text}")

    with Journal.open(path, on_trouble=on_trouble, retry=0.02, batch=50) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, unlimited[1]))
        for seq in range(1, READINGS_PAST_THE_LIMIT + 1):
            journal.submit(run([seq]), partial(say, str(seq)))
        sys.stdin.readline()
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)


if __name__ == "__main__":
    {"kill": write_until_killed, "limit": write_past_a_limit}[sys.argv[1]](Path(sys.argv[2]))
