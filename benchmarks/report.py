"""What all benchmarks share: spreads of samples, the yardstick, and tables."""

import json
import math
import resource
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bridge.cli.frame import say, say_table

YARD_OBJECT = (
    '{"table": "7", "ply": 31, "uci": "e4e5", "san": "e5", "clk_ms": 1234000, '
    '"white": "Anderssen Adolf"}'
)
"""100 characters of JSON; decoding them is what other times are compared with."""

YARD_REPEATS = 20_000
YARD_ROUNDS = 9


@dataclass(frozen=True)
class Spread:
    """Median, 99th percentile and worst of ``count`` samples, in the unit of the samples."""

    count: int
    median: float
    p99: float
    worst: float


@dataclass(frozen=True)
class Report:
    """One table, what stands above it, and what a reader has to know of it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def show(self) -> None:
        """Print it: ruled on a terminal, plain elsewhere."""
        say(self.title)
        say_table(self.columns, self.rows)
        for note in self.notes:
            say(note)
        say()


def spread(samples: Iterable[float]) -> Spread:
    """Return the spread of *samples*; the p99 is a sample, not between two.

    Raises:
        ValueError: there are none.
    """
    ordered = sorted(samples)
    if not ordered:
        raise ValueError("a benchmark measured nothing")
    p99 = ordered[math.ceil(0.99 * len(ordered)) - 1]
    return Spread(len(ordered), median(ordered), p99, ordered[-1])


def yardstick(*, rounds: int = YARD_ROUNDS, repeats: int = YARD_REPEATS) -> float:
    """Return the seconds that ``json.loads`` takes for :data:`YARD_OBJECT`, here and now."""
    return median(_timed(repeats) for _ in range(rounds)) / repeats


def _timed(repeats: int) -> float:
    loads, text = json.loads, YARD_OBJECT
    start = time.perf_counter()
    for _ in range(repeats):
        loads(text)
    return time.perf_counter() - start


def median_seconds(work: Callable[[], object], *, rounds: int) -> float:
    """Return the median time of *rounds* runs of *work*."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return median(seconds)


@dataclass(frozen=True)
class Use:
    """What this process has used: processor seconds since its start, resident bytes now.

    ``waited_seconds``: how long its main thread was ready to run and had no core. ``at`` is
    monotonic.
    """

    at: float
    cpu_seconds: float
    waited_seconds: float
    resident: int


def use() -> Use:
    """Return what this process has used so far."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    waited_ns = int(Path("/proc/self/schedstat").read_text("ascii").split()[1])
    return Use(
        at=time.monotonic(),
        cpu_seconds=cpu_seconds(),
        waited_seconds=waited_ns / 1e9,
        resident=pages * resource.getpagesize(),
    )


def cpu_seconds() -> float:
    """Return the processor time of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def times(value: float, yard: float) -> str:
    """Write *value* as a multiple of *yard*."""
    return f"{value / yard:.3g}"
