"""How right, how early and how cheap the moves are that the engine finds in board streams.

``python -m benchmarks.inference --folder DIR`` judges the streams ``NAME.jsonl`` of a folder by the
``NAME.truth.json`` beside them; how truth and output are compared is in :mod:`benchmarks.judge`.
"""

import argparse
import json
import sys
import time
import traceback
from array import array
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec
from rich.console import Console
from rich.progress import track

from benchmarks.inference_tables import Group, failures, figures, overview, phenomena
from benchmarks.judge import Failure, Tally, Told, Truth, judge, read_told, read_truth
from bridge.cli.frame import complain, say
from bridge.core.model import GameEnded, MoveSettled, Reading
from bridge.core.stream import AFTERTIME, OutputWriter, StreamError, StreamReader, infer
from bridge.core.table import Table

TRUTH = ".truth.json"

Tallies = dict[Group, Tally]


class Source(Protocol):
    """Where a stream and its truth come from; made where they are judged, so it must be small."""

    def load(self) -> tuple[Sequence[str | bytes], Truth]:
        """Return the lines of the stream, and what really happened."""


@dataclass(frozen=True)
class Beside:
    """A stream in a file, and its truth in another beside it."""

    truth: Path

    def load(self) -> tuple[Sequence[str | bytes], Truth]:
        """Read both files.

        Raises:
            OSError: one of them cannot be read.
            ValueError: the truth is none.
        """
        stream = self.truth.with_name(self.truth.name.removesuffix(TRUTH) + ".jsonl")
        try:
            return stream.read_bytes().splitlines(), read_truth(self.truth.read_bytes())
        except msgspec.DecodeError as error:
            raise ValueError(f"{self.truth}: {error}") from error


def in_folder(folder: Path) -> list[Beside]:
    """Return the streams of *folder*, and of the folders in it, that have a truth beside them."""
    return [Beside(truth) for truth in sorted(folder.rglob(f"*{TRUTH}"))]


# --- one stream ----------------------------------------------------------------------------------


def examine(source: Source) -> tuple[Group, Tally]:
    """Judge one stream and time it; what cannot be followed counts as a failed stream."""
    lines, truth = source.load()
    told, line_us, why = _follow(lines, truth.stream)
    tally = judge(truth, told)
    if why:
        tally.failed = 1
        tally.failures = [Failure(truth.stream, 0, "stream", 0, 0.0, "-", why, "")]
    else:
        tally.line_us = line_us
        tally.settling_us, tally.other_us = fold_times(lines, truth.stream)
    return Group(truth.profile, truth.board), tally


def _follow(lines: Iterable[str | bytes], name: str) -> tuple[list[Told], "array[float]", str]:
    """Return what was told, what each line took (us), and why it ended early, if it did."""
    line_us = array("d")

    def timed() -> Iterable[str | bytes]:
        for line in lines:
            start = time.thread_time_ns()
            yield line
            line_us.append((time.thread_time_ns() - start) / 1000)

    told: list[str] = []
    why = ""
    try:
        for line in infer(timed(), name=name, writer=OutputWriter(provisional=True)):
            told.append(line)  # noqa: PERF402 - what was told before an error counts
    except StreamError as error:
        why = str(error)
    except Exception:  # noqa: BLE001 - top of the task: an engine that raises is a result
        why = traceback.format_exc().rstrip().splitlines()[-1]
        complain(f"{name}:\n{traceback.format_exc()}")
    return read_told(told), line_us, why


def fold_times(lines: Iterable[str | bytes], name: str) -> tuple["array[float]", "array[float]"]:
    """Return the processor time of the table alone (us): readings that settled a move, all others.

    Deadlines that passed before a reading are part of it, as they are in a replay.
    """
    settling, other = array("d"), array("d")
    reader, table = StreamReader(name), Table(name)
    at = 0.0
    for reading in (reading for line in lines for reading in reader.read(line)):
        at = reading.at
        start = time.thread_time_ns()
        facts = table.apply(reading)
        took = (time.thread_time_ns() - start) / 1000
        settles = any(isinstance(fact, MoveSettled) for fact in facts)
        (settling if settles else other).append(took)
        if any(isinstance(fact, GameEnded) for fact in facts):
            _next_game(reader, table, reading)
    table.tick(at + AFTERTIME)
    return settling, other


def _next_game(reader: StreamReader, table: Table, last: Reading) -> None:
    setup = reader.setup(table.game + 1)
    if setup is not None:
        table.apply(msgspec.structs.replace(last, payload=setup))


# --- many streams --------------------------------------------------------------------------------


def examine_all(sources: Sequence[Source], *, jobs: int) -> Tallies:
    """Judge all streams in *jobs* processes; what comes out does not depend on their order."""
    found: dict[int, tuple[Group, Tally]] = {}
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        futures = {pool.submit(examine, source): at for at, source in enumerate(sources)}
        console = Console(stderr=True)
        for future in track(
            as_completed(futures),
            "judging",
            total=len(futures),
            console=console,
            disable=not console.is_terminal,
        ):
            found[futures[future]] = future.result()
    tallies: Tallies = {}
    for at in range(len(sources)):
        group, tally = found[at]
        tallies.setdefault(group, Tally()).add(tally)
    return dict(sorted(tallies.items(), key=lambda item: item[0].order))


def main(arguments: list[str] | None = None) -> int:
    """Judge the streams that were asked for and print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.inference", description=str(__doc__).splitlines()[0]
    )
    parser.add_argument(
        "--folder", type=Path, required=True, help="NAME.jsonl with NAME.truth.json beside them"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list N failures")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures and failures")
    options = parser.parse_args(arguments)
    sources = in_folder(options.folder)
    if not sources:
        parser.error(f"no NAME{TRUTH} in {options.folder}")
    tallies = examine_all(sources, jobs=options.jobs)
    say(f"{datetime.now(UTC):%Y-%m-%d}, python -m benchmarks.inference")
    say()
    overview(tallies).show()
    phenomena(tallies).show()
    if options.worst:
        failures(tallies, most=options.worst).show()
    if options.json is not None:
        _write(options.json, tallies)
    return 0


def _write(file: Path, tallies: Tallies) -> None:
    groups = [
        {
            "profile": group.profile,
            "board": group.board,
            "figures": figures(tally),
            "phenomena": {how: asdict(touched) for how, touched in tally.touched.items()},
            "failures": [asdict(failure) for failure in tally.failures],
        }
        for group, tally in tallies.items()
    ]
    file.write_text(json.dumps(groups, indent=1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
