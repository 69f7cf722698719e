"""Settings of the interpreter for a hall: one busy loop beside one thread that writes."""

import contextlib
import gc
import sys
from collections.abc import Iterator

SWITCH_SECONDS = 0.001
"""How long the loop may keep the writing thread waiting for the interpreter. A commit needs it a
few times; with Python's own 5 ms a busy loop made readings wait 0.2 s to become durable."""

NEW_OBJECTS = 20_000
"""How many new objects call the garbage collector. With Python's own 700 it took a sixth of the
time of a hall of 300 boards, looking through what is nearly all still needed."""


def suit_interpreter() -> None:
    """Set what holds for the whole process; nothing else depends on it."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])


@contextlib.contextmanager
def sparing_what_is_there() -> Iterator[None]:
    """Until left, look for garbage only in what comes from now on.

    To be entered when a hall is ready: what it has made by then it needs to its end. With 500
    tables the collector looked through 130 000 objects for 80 ms, each time to find nothing.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
