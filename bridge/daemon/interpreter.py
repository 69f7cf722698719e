"""Settings of the interpreter for a hall: one busy loop beside one thread that writes.

The C library keeps memory that is free for later, in an arena for each thread: after hours six
threads that write files now and then had 50 MiB, of which 20 were in use. So all share one, and
what is free is given back. Facts: ``mallopt(3)``, ``malloc_trim(3)`` of glibc; others have none.
"""

import asyncio
import contextlib
import ctypes
import gc
import sys
from collections.abc import Iterator

SWITCH_SECONDS = 0.001
"""How long the loop may keep the writing thread waiting for the interpreter. A commit needs it a
few times; with Python's own 5 ms a busy loop made readings wait 0.2 s to become durable."""

NEW_OBJECTS = 20_000
"""How many new objects call the garbage collector. With Python's own 700 it took a sixth of the
time of a hall of 300 boards, looking through what is nearly all still needed."""


M_ARENA_MAX = -8
"""The option of ``mallopt`` for how many arenas there are (malloc.h)."""

GIVE_BACK_EVERY = 60.0

_c_library = ctypes.CDLL(None)


def suit_interpreter() -> None:
    """Set what holds for the whole process; nothing else depends on it."""
    if _is_glibc():
        _c_library.mallopt(M_ARENA_MAX, 1)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])


@contextlib.contextmanager
def sparing_what_is_there() -> Iterator[None]:
    """Until left, look for garbage only in what comes from now on.

    To be entered when a hall is ready, or all that a stream takes: what is there by then is needed
    to the end. With 500 tables the collector looked through 130 000 objects for 80 ms, each time to
    find nothing.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def give_memory_back() -> None:
    """Return what is free to the system every now and then; never returns."""
    while True:
        await asyncio.sleep(GIVE_BACK_EVERY)
        if _is_glibc():
            await asyncio.to_thread(_c_library.malloc_trim, 0)


def _is_glibc() -> bool:
    return hasattr(_c_library, "mallopt") and hasattr(_c_library, "malloc_trim")
