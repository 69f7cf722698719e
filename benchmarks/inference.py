"""How right, how early and how cheap the moves are that the engine finds in board streams.

``python -m benchmarks.inference`` plays sessions at simulated tables and judges what the engine
makes of them; with ``--folder DIR`` it judges the streams ``NAME.jsonl`` of a folder by the
``NAME.truth.json`` beside them. How truth and output are compared: :mod:`benchmarks.judge`.
"""

import argparse
import json
import sys
import time
import traceback
from array import array
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Protocol, TypeVar

import chess.pgn
import msgspec
from rich.console import Console
from rich.progress import track

from benchmarks.inference_tables import Group, failures, figures, overview, phenomena
from benchmarks.judge import Failure, Tally, Told, Truth, judge, read_told, read_truth
from benchmarks.report import Report
from bridge.cli.frame import complain, say
from bridge.core.model import Fact, MoveSettled
from bridge.core.stream import (
    AFTERTIME,
    OutputWriter,
    Setups,
    StreamError,
    StreamReader,
    infer,
)
from bridge.core.table import Table
from bridge.daemon.interpreter import sparing_what_is_there
from drivers.simulated.streams import PROFILES, play_session
from drivers.simulated.streams.__main__ import choose, own_games, read_games
from drivers.simulated.streams.sensor import BoardKind

TRUTH = ".truth.json"
BOARDS: Sequence[BoardKind] = ("identity", "occupancy")
COUNT = 40
"""Sessions of each profile on each board, if nobody says how many."""
SLOW_US = 20_000.0
"""No single reading should take longer; those that do are listed among the failures."""

Tallies = dict[Group, Tally]
Judged = TypeVar("Judged")


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


@dataclass(frozen=True)
class Played:
    """A session at a simulated table; ``games`` is a PGN file, or ``None`` for the project's."""

    profile: str
    board: BoardKind
    seed: int
    games: Path | None = None

    def load(self) -> tuple[Sequence[str | bytes], Truth]:
        """Play it: the same session gives the same lines."""
        profile = PROFILES[self.profile]
        games = choose(_pool(self.games), profile, self.seed)
        lines, truth = play_session(games, profile, board=self.board, seed=self.seed)
        return lines, msgspec.convert(truth, Truth)


@cache
def _pool(games: Path | None) -> list[chess.pgn.Game]:
    return own_games() if games is None else read_games(games)


def simulated(
    count: int,
    *,
    seed: int = 1,
    profiles: Iterable[str] = PROFILES,
    boards: Iterable[BoardKind] = BOARDS,
    games: Path | None = None,
) -> list[Played]:
    """Return *count* sessions of each profile on each board, from *seed* on."""
    return [
        Played(profile, board, number, games)
        for profile, board in product(profiles, boards)
        for number in range(seed, seed + count)
    ]


def in_folder(folder: Path) -> list[Beside]:
    """Return the streams of *folder*, and of the folders in it, that have a truth beside them."""
    return [Beside(truth) for truth in sorted(folder.rglob(f"*{TRUTH}"))]


# --- one stream ----------------------------------------------------------------------------------


def examine(source: Source) -> tuple[Group, Tally]:
    """Judge one stream and time it; what cannot be followed counts as a failed stream."""
    lines, truth = source.load()
    with sparing_what_is_there():  # the games that were read are no burden of the table's
        return Group(truth.profile, truth.board), _examined(lines, truth)


def _examined(lines: Sequence[str | bytes], truth: Truth) -> Tally:
    told, line_us, why = _follow(lines, truth.stream)
    tally = judge(truth, told)
    if why:
        tally.failed = 1
        tally.failures = [Failure(truth.stream, 0, "stream", 0, 0.0, "-", why, "")]
    else:
        tally.line_us = line_us
        costs = fold_times(lines, truth.stream)
        tally.settling_us, tally.other_us = costs.settling_us, costs.other_us
        tally.failures += costs.slow
    return tally


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


@dataclass
class Costs:
    """Processor time of the table alone (us): readings that settled a move, and all others."""

    settling_us: "array[float]" = field(default_factory=lambda: array("d"))
    other_us: "array[float]" = field(default_factory=lambda: array("d"))
    slow: list[Failure] = field(default_factory=list)


def fold_times(lines: Iterable[str | bytes], name: str, *, slow_us: float = SLOW_US) -> Costs:
    """Return what each reading of a stream costs, and each deadline, one at a time as in a hall."""
    costs = Costs()
    reader, table, at = StreamReader(name), Table(name), 0.0
    setups = Setups(reader, table)

    def timed(what: Callable[[], list[Fact]]) -> list[Fact]:
        start = time.thread_time_ns()
        facts = what()
        took = (time.thread_time_ns() - start) / 1000
        settles = any(isinstance(fact, MoveSettled) for fact in facts)
        (costs.settling_us if settles else costs.other_us).append(took)
        if took > slow_us:
            limit, found = f"{slow_us:.0f} us", f"{took:.0f} us"
            costs.slow.append(Failure(name, table.game, "slow", 0, at, limit, found, ""))
        return facts

    for reading in (reading for line in lines for reading in reader.read(line)):
        at = reading.at
        while table.wake_at <= at:
            timed(partial(table.tick, table.wake_at))
        facts = timed(partial(table.apply, reading))
        setups.follow(reading, facts)
    table.tick(at + AFTERTIME)
    return costs


# --- many streams --------------------------------------------------------------------------------


def examine_all(sources: Sequence[Source], *, jobs: int) -> Tallies:
    """Judge all streams in *jobs* processes."""
    tallies: Tallies = {}
    for group, tally in in_processes(examine, sources, jobs=jobs):
        tallies.setdefault(group, Tally()).add(tally)
    return dict(sorted(tallies.items(), key=lambda item: item[0].order))


def in_processes(
    judge: Callable[[Source], Judged], sources: Sequence[Source], *, jobs: int
) -> list[Judged]:
    """Return what *judge* says of each source, in their order, from *jobs* processes."""
    found: dict[int, Judged] = {}
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        futures = {pool.submit(judge, source): at for at, source in enumerate(sources)}
        console = Console(stderr=True)
        for future in track(
            as_completed(futures),
            "judging",
            total=len(futures),
            console=console,
            disable=not console.is_terminal,
        ):
            found[futures[future]] = future.result()
    return [found[at] for at in range(len(sources))]


def measure(*, jobs: int, count: int) -> list[Report]:
    """Play and judge *count* sessions of each profile on each board."""
    tallies = examine_all(simulated(count), jobs=jobs)
    return [overview(tallies), phenomena(tallies)]


def main(arguments: list[str] | None = None) -> int:
    """Judge the streams that were asked for and print the tables."""
    parser = parser_of("benchmarks.inference", str(__doc__), count=COUNT)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures and failures")
    options = parser.parse_args(arguments)
    tallies = examine_all(sources_of(options, parser), jobs=options.jobs)
    say_asked("benchmarks.inference", arguments)
    overview(tallies).show()
    phenomena(tallies).show()
    if options.worst:
        failures(tallies, most=options.worst).show()
    if options.json is not None:
        _write(options.json, tallies)
    return 0


def parser_of(module: str, about: str, *, count: int) -> argparse.ArgumentParser:
    """Return a parser of what is to be judged: :func:`sources_of` makes it of the options."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list N failures")
    given = parser.add_argument_group("given streams")
    given.add_argument(
        "--folder", type=Path, help="NAME.jsonl with NAME.truth.json beside them, also deeper"
    )
    played = parser.add_argument_group("simulated sessions, where no folder is given")
    played.add_argument("--profiles", nargs="+", choices=list(PROFILES), default=list(PROFILES))
    played.add_argument("--boards", nargs="+", choices=BOARDS, default=list(BOARDS))
    played.add_argument("--count", type=int, default=count, help=f"of each (default: {count})")
    played.add_argument("--seed", type=int, default=1, help="of the first; the next add one")
    played.add_argument("--games", type=Path, metavar="PGN", help="what is played (default: ours)")
    return parser


def sources_of(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Sequence[Source]:
    """Return what the options ask for; *parser* ends the program where there is nothing."""
    if options.folder is None:
        return simulated(
            options.count,
            seed=options.seed,
            profiles=options.profiles,
            boards=options.boards,
            games=options.games,
        )
    found = in_folder(options.folder)
    if not found:
        parser.error(f"no NAME{TRUTH} in {options.folder}")
    return found


def say_asked(module: str, arguments: Sequence[str] | None) -> None:
    """Print the day and the command, for whoever keeps the figures."""
    asked = sys.argv[1:] if arguments is None else arguments
    say(f"{datetime.now(UTC):%Y-%m-%d}, {' '.join((f'python -m {module}', *asked))}")
    say()


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
