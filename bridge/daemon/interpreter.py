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
from collections.abc import Callable, Iterator

SWITCH_SECONDS = 0.001
"""How long the loop may keep the writing thread waiting for the interpreter. A commit needs it a
few times; with Python's own 5 ms a busy loop made readings wait 0.2 s to become durable."""

NEW_OBJECTS = 10_000
"""How many new objects call the garbage collector. With Python's own 700 it took a sixth of the
time of a hall of 300 boards, looking through what is nearly all still needed."""

OFTENER = 1, 0
"""How often it looks through the young and through all, compared with the new: every other time and
whenever the young were. With Python's own 10 and 10 it had up to 200 000 objects at once."""

M_ARENA_MAX = -8
"""The option of ``mallopt`` for how many arenas there are (malloc.h)."""

GIVE_BACK_EVERY = 60.0

QUIET = 60.0
"""Seconds without a reading: clocks that run tell of themselves, so no game is played."""

_YOUNG = 1
"""The generation of the collector that outlived one look through the newest."""

_c_library = ctypes.CDLL(None)


def suit_interpreter() -> None:
    """Set what holds for the whole process; nothing else depends on it."""
    if _is_glibc():
        _c_library.mallopt(M_ARENA_MAX, 1)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(NEW_OBJECTS, *OFTENER)


@contextlib.contextmanager
def sparing_what_is_there() -> Iterator[Callable[[], None]]:
    """Until left, look for garbage only in what comes from now on, and twice in each of that.

    To be entered when a hall is restored, or all that a stream takes. With 500 tables the collector
    looked through 130 000 objects for 80 ms, each time to find nothing, and through as many more as
    games went on. It looks through all once now, so boards are to be opened after that; what is
    called then spares what has come meanwhile as well, garbage and all, and takes no time. Until
    left it is called as seldom as in a hall, whoever enters this.

    What is spared is gone as soon as nobody needs it, as ever. Only where things hold each other
    they stay: :func:`look_through_all_in_quiet`.
    """
    gc.collect()
    gc.freeze()
    gc.callbacks.append(_spare_what_is_needed)
    before = gc.get_threshold()
    gc.set_threshold(NEW_OBJECTS, *OFTENER)
    try:
        yield gc.freeze
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(_spare_what_is_needed)
        gc.unfreeze()


def _spare_what_is_needed(phase: str, info: dict[str, int]) -> None:
    """Look no more through what has just been found to be needed, if it was not quite new.

    Had only a full collection spared it, that took 10 to 20 ms at one reading, for what had come
    since the last one; this takes 5.
    """
    if phase == "stop" and info["generation"] >= _YOUNG:
        gc.freeze()


async def look_through_all_in_quiet(readings: Callable[[], int]) -> None:
    """Look for garbage in what was spared, once whenever nothing is read for a while.

    The loop stands still for it, and nobody waits then. Never returns.
    """
    before, looked_at = readings(), -1
    while True:
        await asyncio.sleep(QUIET)
        now = readings()
        if now == before and now != looked_at:
            gc.unfreeze()
            gc.collect()  # what is needed is spared again
            looked_at = now
        before = now


async def give_memory_back() -> None:
    """Return what is free to the system every now and then; never returns."""
    while True:
        await asyncio.sleep(GIVE_BACK_EVERY)
        if _is_glibc():
            await asyncio.to_thread(_c_library.malloc_trim, 0)


def _is_glibc() -> bool:
    return hasattr(_c_library, "mallopt") and hasattr(_c_library, "malloc_trim")
