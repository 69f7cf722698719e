"""Settings of the interpreter for a hall: one busy loop beside one thread that writes."""

import gc
import sys

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
