"""A process that queues and delivers for ever, for tests that kill it.

``python -m tests.bridge.outbox_sender OUTBOX``: prints ``put N`` and ``sent N`` when that is
durable; between the two it prints ``sending N``, as a server would see it.
"""

import os
import sys
from pathlib import Path

from bridge.store.outbox import Outbox


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def send_until_killed(path: Path) -> None:
    outbox = Outbox(path)
    number = int(outbox.notes("test").get("put", "0"))
    while True:
        number += 1
        queue(outbox, number, b"content")


def queue(outbox: Outbox, number: int, content: bytes) -> None:
    """Queue *content* under a number; deliver what waits every third time."""
    outbox.put("test", {str(number): content}, notes={"put": str(number)})
    say(f"put {number}")
    if number % 3 == 0:
        entries = outbox.waiting("test")
        for entry in entries:
            say(f"sending {entry.key}")
        outbox.delivered("test", entries)
        for entry in entries:
            say(f"sent {entry.key}")


if __name__ == "__main__":
    send_until_killed(Path(sys.argv[1]))
