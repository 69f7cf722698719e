"""What the process has used, and how much of it the boards."""

import resource
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """Monotonic seconds, processor seconds of the process and of this thread, resident bytes."""

    at: float
    process: float
    thread: float
    resident: int


def usage() -> Usage:
    """Return what was used until now; call it in the thread that has the boards."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return Usage(
        at=time.monotonic(),
        process=time.process_time(),
        thread=time.thread_time(),
        resident=pages * resource.getpagesize(),
    )
