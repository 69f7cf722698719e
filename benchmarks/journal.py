"""What durability costs: readings through the real journal, to a real disk."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from benchmarks.report import Report, Spread, spread, times
from bridge.core.model import Reading
from bridge.store.journal import Journal
from drivers.events import UNKNOWN_CELLS, SquareChange

TABLES = 300
PAGE = bytes(4096)


def measure(
    folder: Path, *, yard: float, many: int = 30_000, paced: int = 6_000, lone: int = 150
) -> list[Report]:
    """Write readings into journals in *folder*: *many* at once, *paced* at 1500/s, *lone* ones."""
    disk = fsync_seconds(folder / "plain", rounds=lone)
    with Journal.open(folder / "many.sqlite3") as journal:
        flood_seconds, flood = _flood(journal, many)
    with Journal.open(folder / "single.sqlite3", window=0.0, batch=1) as journal:
        single_seconds, _ = _flood(journal, lone)
    with Journal.open(folder / "paced.sqlite3") as journal:
        caller, durable = _paced(journal, paced, every=1 / 1500)
    with Journal.open(folder / "lone.sqlite3") as journal:
        _, alone = _paced(journal, lone, every=0.1)
    rates = [
        ("as fast as taken", many, flood_seconds),
        ("each alone, as a yardstick", lone, single_seconds),
    ]
    return [
        Report(
            "Journal: durable readings (SQLite, WAL, synchronous=FULL)",
            ("how", "readings", "readings/s", "microseconds each", "rate / each alone"),
            [
                (
                    how,
                    f"{readings}",
                    f"{readings / seconds:.0f}",
                    f"{1e6 * seconds / readings:.1f}",
                    times(readings / seconds, lone / single_seconds),
                )
                for how, readings, seconds in rates
            ],
        ),
        Report(
            "Journal: what the caller of submit() spends, microseconds",
            ("how", "count", "median", "p99", "worst", "median / json.loads of 100 bytes"),
            [
                _row("as fast as taken", flood, 1e6, yard),
                _row("at 1500 readings/s", caller, 1e6, yard),
            ],
        ),
        Report(
            "Journal: from submit() until durable, milliseconds",
            ("how", "count", "median", "p99", "worst", "median / fsync"),
            [
                _row("a plain fsync of 4096 bytes, as a yardstick", disk, 1e3, disk.median),
                _row("at 1500 readings/s", durable, 1e3, disk.median),
                _row("a lone reading", alone, 1e3, disk.median),
            ],
            ("A reading waits up to 20 ms for others to share its commit.",),
        ),
    ]


def _row(how: str, took: Spread, unit: float, yard: float) -> tuple[str, ...]:
    numbers = (f"{unit * value:.2f}" for value in (took.median, took.p99, took.worst))
    return (how, f"{took.count}", *numbers, times(took.median, yard))


def readings() -> Iterator[Reading]:
    """Yield field updates of a hall of tables, in turn, without end."""
    for number in count():
        table, seq = number % TABLES, number // TABLES + 1
        at = number / 1500
        change = SquareChange(at=at, square=seq % 64, piece="P", cells=UNKNOWN_CELLS)
        yield Reading(
            table=f"{table}", link=f"table {table}", seq=seq, at=at, wall=at, payload=change
        )


def fsync_seconds(path: Path, *, rounds: int) -> Spread:
    """Return what appending a page to a file and making it durable takes."""
    took = []
    with path.open("wb", buffering=0) as file:
        for _ in range(rounds):
            start = time.perf_counter()
            file.write(PAGE)
            os.fsync(file.fileno())
            took.append(time.perf_counter() - start)
    return spread(took)


def _flood(journal: Journal, number: int) -> tuple[float, Spread]:
    """Submit *number* readings one by one without a pause; return how long until all are durable.

    The second is what each call took.
    """
    done = threading.Event()
    prepared = [reading for reading, _ in zip(readings(), range(number), strict=False)]
    took = []
    start = time.perf_counter()
    for reading in prepared:
        before = time.perf_counter()
        journal.submit((reading,), _nothing)
        took.append(time.perf_counter() - before)
    journal.submit((), done.set)
    done.wait()
    return time.perf_counter() - start, spread(took)


def _paced(journal: Journal, number: int, *, every: float) -> tuple[Spread, Spread]:
    """Submit a reading *every* so many seconds; return what calls and durability took."""
    caller: list[float] = []
    durable: list[float] = []
    done = threading.Event()

    def noting(since: float) -> Callable[[], None]:
        return lambda: durable.append(time.perf_counter() - since)

    due = time.perf_counter()
    for reading, _ in zip(readings(), range(number), strict=False):
        due += every
        time.sleep(max(0.0, due - time.perf_counter()))
        before = time.perf_counter()
        journal.submit((reading,), noting(before))
        caller.append(time.perf_counter() - before)
    journal.submit((), done.set)
    done.wait()
    return spread(caller), spread(durable)


def _nothing() -> None:
    """Nobody waits for this reading."""
