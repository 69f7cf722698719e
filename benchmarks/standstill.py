"""How long an event loop stands still, and what it does meanwhile.

A thread asks the loop again and again to answer, so what is seen is what a board sees whose bytes
come now. A loop that waits for something is not late, whatever it waits for, and be it a clock that
others have stopped. While no answer comes the thread looks where the loop is.

A loop may also be late because nobody wakes it: asked for what is new on a terminal, the kernel
waits for a worker of its own, which has to have a core like everybody (``n_tty_poll``).
"""

import asyncio
import contextlib
import gc
import os
import resource
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import msgspec

LONG = 0.1
"""The loop may not stand still for longer (real seconds)."""

_ASK_EVERY = 0.02
_SUSPECT = 0.025
"""Without an answer after so many seconds, it is looked where the loop is."""
_GLANCE_EVERY = 0.005
_KEPT = 5
_PLACES = 2
_FRAMES = 4
_ROOT = Path(__file__).resolve().parents[1]

_now = time.monotonic  # as it passes outside, also where this process lets it pass faster


class Standstill(msgspec.Struct):
    """The loop stood still by itself for so many seconds, ``at`` seconds after it was watched.

    ``unwoken``: how long it was seen to wait meanwhile; ``worked``: how long it had a core, and
    ``garbage``: how long of its time garbage took. ``stolen``: for how long the host of a virtual
    machine gave its cores to others, in steps of 10 ms. ``paged``: how often the program waited for
    a page of its own memory or code to be read from the disk. ``where``: in which lines it was
    seen, innermost first. What holds the interpreter is seen when it is over, or never; where
    nothing was seen it says how late the watching thread came to ask, which may be all there was.
    """

    at: float
    seconds: float
    unwoken: float
    worked: float
    garbage: float
    stolen: float
    paged: int
    where: str


class Stillness(msgspec.Struct):
    """How a loop stood still: how often for longer than it may, and the longest, longest first.

    ``unwoken``: for how long nobody woke it at most; ``collection``: for how long garbage was
    collected at most (processor time).
    """

    times: int = 0
    unwoken: float = 0.0
    longest: list[Standstill] = msgspec.field(default_factory=list)
    collection: float = 0.0

    def take(self, one: Standstill) -> None:
        """Note a time for which the loop stood still."""
        self.times += one.seconds > LONG
        self.unwoken = max(self.unwoken, one.unwoken)
        self.longest = sorted([*self.longest, one], key=lambda each: -each.seconds)[:_KEPT]


class LoopWatch:
    """Watches the loop that runs: ``starting`` until it *is_ready*, and ``ready`` from then on."""

    def __init__(self, is_ready: Callable[[], bool]) -> None:
        self.starting, self.ready = Stillness(), Stillness()
        self._is_ready = is_ready
        self._collecting_since = 0.0
        self._collected = 0.0

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Watch until left; to be entered and left on the loop."""
        over = threading.Event()
        asked = (asyncio.get_running_loop(), threading.get_ident(), threading.get_native_id(), over)
        thread = threading.Thread(target=self._watch, args=asked, name="loop watch", daemon=True)
        gc.callbacks.append(self._collecting)
        thread.start()
        try:
            yield
        finally:
            over.set()
            gc.callbacks.remove(self._collecting)

    def _watch(
        self, loop: asyncio.AbstractEventLoop, thread: int, native: int, over: threading.Event
    ) -> None:
        began = _now()
        while not over.is_set():
            due, before, collected = _now() + _ASK_EVERY, _spent(), self._collected
            stolen, paged = _stolen(), _paged()
            stillness = self._stillness
            over.wait(_ASK_EVERY)
            came = _now() - due
            answered, seen = threading.Event(), Counter[str]()
            with contextlib.suppress(RuntimeError):  # it is closed
                loop.call_soon_threadsafe(answered.set)
            patience = _SUSPECT
            while not answered.wait(patience) and not over.is_set():
                seen[_place(thread)] += 1
                patience = _GLANCE_EVERY
            late = _now() - due
            if late > _SUSPECT and answered.is_set():
                worked, without_core = _between(before, _spent(), native)
                unwoken = late * _share_of_waiting(seen)
                stillness.take(
                    Standstill(
                        at=due - began,
                        seconds=late - max(without_core, unwoken),
                        unwoken=unwoken,
                        worked=worked,
                        garbage=self._collected - collected,
                        stolen=_stolen() - stolen,
                        paged=_paged() - paged,
                        where="; ".join(place for place, _ in seen.most_common(_PLACES))
                        or f"seen nowhere, the watch came {1e3 * came:.0f} ms late",
                    )
                )

    @property
    def _stillness(self) -> Stillness:
        return self.ready if self._is_ready() else self.starting

    def _collecting(self, phase: str, _info: dict[str, int]) -> None:
        if phase == "start":
            self._collecting_since = time.thread_time()
        else:
            took = time.thread_time() - self._collecting_since
            self._collected += took
            self._stillness.collection = max(self._stillness.collection, took)


def _place(thread: int) -> str:
    """Return the innermost lines in which a thread is."""
    frame: FrameType | None = sys._current_frames().get(thread)  # noqa: SLF001 - there is no other
    found: list[str] = []
    while frame is not None and len(found) < _FRAMES:
        path = Path(frame.f_code.co_filename)
        name = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path.name
        found.append(f"{name}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    return " < ".join(found)


def _share_of_waiting(seen: Counter[str]) -> float:
    waiting = sum(times for place, times in seen.items() if place.startswith("selectors.py:"))
    return waiting / max(1, seen.total())


_Spent = dict[int, tuple[float, float]]


def _spent() -> _Spent:
    """Return for how many seconds each thread of this process had a core, and waited for one."""
    spent: _Spent = {}
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended meanwhile
            ran, waited, *_ = (thread / "schedstat").read_text("ascii").split()
            spent[int(thread.name)] = int(ran) / 1e9, int(waited) / 1e9
    return spent


def _stolen() -> float:
    """Return for how many seconds each core of this machine was another's, on the average."""
    with Path("/proc/stat").open(encoding="ascii") as file:
        ticks = int(file.readline().split()[8])
    return ticks / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1)


def _paged() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_majflt


def _between(before: _Spent, after: _Spent, thread: int) -> tuple[float, float]:
    """Return how long one thread had a core, and all together waited for one.

    A thread that waits may hold what the loop waits for.
    """
    waited = sum(after[each][1] - before[each][1] for each in after.keys() & before.keys())
    return after[thread][0] - before[thread][0], waited
