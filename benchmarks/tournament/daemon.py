"""The process of the daemon: the service as it is, with somebody who writes down how it does."""

import asyncio
import contextlib
import gc
import os
import struct
import time
from collections import Counter
from collections.abc import Iterable
from io import BufferedWriter
from pathlib import Path
from typing import get_args

import msgspec

from benchmarks.report import Use, use
from benchmarks.tournament.faster import real_time
from benchmarks.tournament.hall import CONFIG, FOLLOWING, PID
from bridge.config import load
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    Fact,
    GameEnded,
    GameStarted,
    LinkChanged,
    MovesCorrected,
    MoveSettled,
    PositionAdopted,
)
from bridge.daemon.hall import Stage
from bridge.daemon.metrics import Metrics
from bridge.daemon.service import Service
from bridge.outputs.overview import Overview, TableView

MEASURED, TOLD = "measured.json", "told.jsonl"
SAMPLE_EVERY = 1.0
LOOK_EVERY = 0.02
"""Real seconds between two looks at the event loop."""

LONG = 0.1
"""The loop may not stand still for longer (real seconds)."""

_KEPT = (
    *(AlertCleared, AlertRaised, GameEnded, GameStarted),
    *(LinkChanged, MovesCorrected, MoveSettled, PositionAdopted),
)
_SECONDS = struct.Struct("f")
_encoder = msgspec.json.Encoder()


class Told(msgspec.Struct):
    """A fact and when it was published (hastened monotonic seconds)."""

    now: float
    fact: Fact


class Sample(msgspec.Struct):
    """What the daemon uses; times are real."""

    use: Use
    descriptors: int
    readings: int


class Block(msgspec.Struct):
    """The loop stood still: since when and for how long, and how long of that it had no core."""

    at: float
    seconds: float
    without_core: float


class Measured(msgspec.Struct):
    """How the daemon did, in real seconds.

    ``longest``: for how long the loop stood still by itself; ``longest_collection``: for how long
    it did because garbage was collected. ``stood_still``: hastened seconds for which time did, as a
    process had not done what was due.
    """

    samples: list[Sample]
    stages: dict[str, list[float]]
    blocks: list[Block]
    longest: float = 0.0
    longest_collection: float = 0.0
    stood_still: float = 0.0


class _Noting(Overview):
    """Writes facts down as they are published, and when all tables are followed.

    What an earlier daemon has told is told again first.
    """

    def __init__(self, tables: Iterable[TableView], file: BufferedWriter, following: Path) -> None:
        super().__init__(tables)
        self._file = file
        self._following = following
        self._began = time.time()
        self._missing = {*self.tables}

    def apply(self, fact: Fact) -> None:
        if isinstance(fact, _KEPT):
            self._file.write(_encoder.encode(Told(time.monotonic(), fact)) + b"\n")
            self._file.flush()
        if isinstance(fact, LinkChanged) and fact.state == "live" and fact.wall >= self._began:
            self._missing.discard(fact.table)
            if not self._missing:
                self._following.touch()
        super().apply(fact)


class _Exact(Metrics):
    """Keeps how long each stage took, in files of *folder*: in memory that would count as used."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.count = Counter[Stage]()
        self._files = {
            stage: (folder / f"{stage}.seconds").open("w+b") for stage in get_args(Stage)
        }

    def measured(self, stage: Stage, seconds: float) -> None:
        self.count[stage] += 1
        self._files[stage].write(_SECONDS.pack(seconds))

    def stages(self, rate: float) -> dict[str, list[float]]:
        """Return what each stage took, in real seconds."""
        found: dict[str, list[float]] = {}
        for stage, file in self._files.items():
            file.seek(0)
            found[stage] = [seconds / rate for (seconds,) in _SECONDS.iter_unpack(file.read())]
            file.close()
        return found


async def follow(folder: Path, rate: float, stopped: asyncio.Event) -> Measured:
    """Follow the boards of the folder's configuration until *stopped*."""
    service = Service(load(folder / CONFIG))
    metrics = service.metrics = _Exact(folder)
    measured = Measured(samples=[], stages={}, blocks=[])
    gc.callbacks.append(_Collections(measured))
    (folder / PID).write_text(f"{os.getpid()}", "ascii")
    with (folder / TOLD).open("ab") as file:
        tables = service.overview.tables.values()
        service.overview = _Noting(tables, file, folder / FOLLOWING)
        tasks = [
            asyncio.create_task(_sample(measured, metrics, rate)),
            asyncio.create_task(_look(measured, rate)),
        ]
        await service.run(stopped)
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
    measured.stages = metrics.stages(rate)
    return measured


class _Collections:
    """Is told when garbage is collected, and notes the longest time of that."""

    def __init__(self, measured: Measured) -> None:
        self._measured = measured
        self._since = 0.0

    def __call__(self, phase: str, _info: dict[str, int]) -> None:
        if phase == "start":
            self._since = real_time()
        else:
            took = real_time() - self._since
            self._measured.longest_collection = max(self._measured.longest_collection, took)


async def _sample(measured: Measured, metrics: _Exact, rate: float) -> None:
    while True:
        descriptors = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names alone, often
        readings = metrics.count["fold"]
        measured.samples.append(Sample(_really(use()), descriptors, readings))
        await asyncio.sleep(SAMPLE_EVERY * rate)


def _really(used: Use) -> Use:
    return Use(real_time(), used.cpu_seconds, used.waited_seconds, used.resident)


async def _look(measured: Measured, rate: float) -> None:
    """See for how long the loop stands still; that threads had no core is not its fault."""
    while True:
        before, waited = real_time(), _without_core()
        await asyncio.sleep(LOOK_EVERY * rate)
        late = real_time() - before - LOOK_EVERY
        without_core = sum(
            seconds - waited.get(thread, seconds) for thread, seconds in _without_core().items()
        )
        own = late - without_core
        measured.longest = max(measured.longest, own)
        if own > LONG:
            measured.blocks.append(Block(before, late, without_core))


def _without_core() -> dict[str, float]:
    """Return for how many seconds each thread of this process was ready and had no core.

    One that has none may hold what the loop waits for.
    """
    waited = {}
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended meanwhile
            nanoseconds = int((thread / "schedstat").read_text("ascii").split()[1])
            waited[thread.name] = nanoseconds / 1e9
    return waited
