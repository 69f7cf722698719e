"""A process that journals and queues, and says what is durable, for tests of power cuts.

``python -m tests.bridge.disk_writer FOLDER COMMITS``: opens journal and outbox twice. Prints
``journal N``, ``put N`` and ``sent N`` when that is durable, and before the last ``sending N``, as
a server would see it.
"""

import sys
import threading
from functools import partial
from pathlib import Path

from bridge.store.journal import Journal
from bridge.store.outbox import Outbox
from tests.bridge.outbox_sender import queue, say
from tests.bridge.readings import reading

JOURNAL, OUTBOX = Path("data") / "journal.sqlite3", Path("data") / "outbox.sqlite3"
READINGS = 3
SESSIONS = 2


def write(folder: Path, commits: int) -> None:
    with Journal.open(folder / JOURNAL, window=0.0) as journal, Outbox(folder / OUTBOX) as outbox:
        seq = journal.last_seq("dgt-1")
        put = int(outbox.notes("test").get("put", "0"))
        for _ in range(commits):
            durable = threading.Event()
            batch = [reading(seq + n, text="x" * 700) for n in range(1, READINGS + 1)]
            seq += READINGS
            journal.submit(batch, partial(said, f"journal {seq}", durable))
            durable.wait()
            put += 1
            queue(outbox, put, bytes(500))


def said(text: str, durable: threading.Event) -> None:
    say(text)
    durable.set()


if __name__ == "__main__":
    for _ in range(SESSIONS):
        write(Path(sys.argv[1]), int(sys.argv[2]))
