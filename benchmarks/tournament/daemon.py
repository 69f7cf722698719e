"""The process of the daemon: the service as it is, with somebody who writes down how it does."""

import asyncio
import contextlib
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
from benchmarks.standstill import LoopWatch, Stillness
from benchmarks.tournament.faster import real_time
from benchmarks.tournament.hall import FOLLOWING, PID
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


class Measured(msgspec.Struct):
    """How the daemon did.

    ``stages``: how many real seconds each took; ``starting`` and ``ready``: how the loop stood
    still until it served, and from then on; ``stood_still``: hastened seconds for which time did,
    as a process had not done what was due.
    """

    samples: list[Sample]
    stages: dict[str, list[float]]
    starting: Stillness
    ready: Stillness
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


async def follow(service: Service, folder: Path, rate: float, stopped: asyncio.Event) -> Measured:
    """Follow the boards of the folder's configuration until *stopped*."""
    metrics = service.metrics = _Exact(folder)
    samples: list[Sample] = []
    watch = LoopWatch(lambda: service.is_ready)
    (folder / PID).write_text(f"{os.getpid()}", "ascii")
    with (folder / TOLD).open("ab") as file:
        tables = service.overview.tables.values()
        service.overview = _Noting(tables, file, folder / FOLLOWING)
        sampling = asyncio.create_task(_sample(samples, metrics, rate))
        with watch.running():
            await service.run(stopped)
        sampling.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sampling
    return Measured(samples, metrics.stages(rate), watch.starting, watch.ready)


async def _sample(samples: list[Sample], metrics: _Exact, rate: float) -> None:
    while True:
        descriptors = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names alone, often
        readings = metrics.count["fold"]
        samples.append(Sample(_really(use()), descriptors, readings))
        await asyncio.sleep(SAMPLE_EVERY * rate)


def _really(used: Use) -> Use:
    return Use(real_time(), used.cpu_seconds, used.waited_seconds, used.resident)
