"""``python -m benchmarks``: measure and print tables."""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from benchmarks import codec, core, hall, inference, journal
from benchmarks.report import Report, yardstick
from bridge.cli.frame import complain, say

Benchmark = Callable[[Path, float], Iterable[Report]]
NAMES = ("codec", "core", "journal", "hall", "inference")


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks that were asked for and print their tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="What the bridge costs and how fast it is. Ratios are against yardsticks "
        "measured in the same run, so that they can be compared between machines.",
    )
    parser.add_argument(
        "benchmarks", nargs="*", metavar="BENCHMARK", help=f"{', '.join(NAMES)}; all, if none"
    )
    parser.add_argument("--boards", type=int, default=300, help="boards of the hall")
    parser.add_argument("--seconds", type=float, default=30.0, help="seconds of play in the hall")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(),
        help="on the disk that is to be measured; everything is deleted afterwards (default: .)",
    )
    options = parser.parse_args(arguments)
    wanted = options.benchmarks or NAMES
    if unknown := set(wanted) - set(NAMES):
        parser.error(f"no benchmark {min(unknown)!r}; there are {', '.join(NAMES)}")
    yard = yardstick()
    _introduce(yard)
    known: dict[str, Benchmark] = {
        "codec": lambda _, yard: [codec.measure(yard=yard)],
        "core": lambda _, yard: [core.measure(yard=yard)],
        "journal": lambda folder, yard: journal.measure(folder, yard=yard),
        "hall": partial(_hall, boards=options.boards, seconds=options.seconds),
        "inference": _inference,
    }
    for name in wanted:
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=options.folder) as folder:
            for report in known[name](Path(folder), yard):
                report.show()
    return 0


def _hall(folder: Path, yard: float, *, boards: int, seconds: float) -> Iterable[Report]:
    complain(f"hall: {boards} boards play for {seconds:g} s, this takes a minute ...")
    yield hall.measure(folder, yard=yard, boards=boards, seconds=seconds)


def _inference(_folder: Path, _yard: float) -> Iterable[Report]:
    complain("inference: some hundred games are played, this takes a minute ...")
    return inference.measure(jobs=os.cpu_count() or 1, count=inference.COUNT)


def _introduce(yard: float) -> None:
    say(
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}, "
        f"json.loads of 100 bytes: {1e6 * yard:.2f} us"
    )
    say()


if __name__ == "__main__":
    sys.exit(main())
