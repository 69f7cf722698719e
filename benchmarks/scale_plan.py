"""What thousands of boards and viewers would take: ``python -m benchmarks.scale_plan``.

Unit costs are measured with few boards and few viewers. The model multiplies them. That it may is
shown with several times as many: what they cost is foretold from the few, and measured.
"""

import argparse
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.live import Outcome, Situation, outcome_of
from benchmarks.report import Report
from benchmarks.scale import Cost, catch_up

READINGS = 1.2
"""What a board with a clock says in a second of play, as docs/scale-out.md has it."""
READING_BYTES = 420
HOURS = 8
MOVE_SECONDS = 30.0
"""Between two moves of a game that a viewer looks at."""
CORE = 0.5
"""The part of a core that a hub or an edge may use: the rest is for a restart and for bursts."""
EDGE_VIEWERS = 2000
"""Viewers of one edge server, as many as docs/benchmarks.md has tried."""
TABLES = 20
VIEWERS = 250
TIMES = 4
SECONDS = 12.0
PLY_EVERY = 2.0


@dataclass(frozen=True)
class Units:
    """Processor microseconds a reading of each part, and of a frame; KiB of a viewer."""

    node: float
    broker: float
    hub: float
    frame: float
    viewer: float


@dataclass(frozen=True)
class Needs:
    """What it takes: cores, hubs that lead, MB a second and GB a day of a broker, edges."""

    readings: float
    node_cores: float
    broker_cores: float
    hub_cores: float
    hubs: int
    megabytes: float
    gigabytes: float
    edges: int
    edge_cores: float
    edge_gigabytes: float


def needs(boards: int, viewers: int, units: Units) -> Needs:
    """Multiply.

    Each broker of three keeps all readings. Hubs fold on one core each, of which they may use a
    part; with more boards than that, each takes the tables of an event of its own.
    """
    readings = boards * READINGS
    hub_cores = readings * units.hub / 1e6
    return Needs(
        readings=readings,
        node_cores=readings * units.node / 1e6,
        broker_cores=readings * units.broker / 1e6,
        hub_cores=hub_cores,
        hubs=max(1, math.ceil(hub_cores / CORE)),
        megabytes=readings * READING_BYTES / 1e6,
        gigabytes=readings * READING_BYTES * 3600 * HOURS / 1e9,
        edges=math.ceil(viewers / EDGE_VIEWERS),
        edge_cores=viewers / MOVE_SECONDS * units.frame / 1e6,
        edge_gigabytes=viewers * units.viewer / 2**20,
    )


def plan(boards: int, viewers: int, units: Units) -> Report:
    """Return what it takes, as a table."""
    found = needs(boards, viewers, units)
    return Report(
        f"{boards} boards, {viewers} viewers: {found.readings:.0f} readings a second",
        ("part", "how many", "cores", "beside that"),
        [
            ("nodes", "one a hall", f"{found.node_cores:.2f}", "in all"),
            (
                "brokers",
                "3",
                f"{found.broker_cores:.2f}",
                f"each; {found.megabytes:.1f} MB/s, {found.gigabytes:.0f} GB in {HOURS} hours",
            ),
            ("hubs that lead", f"{found.hubs}", f"{found.hub_cores:.2f}", "in all, as many again"),
            (
                "edge servers",
                f"{found.edges}",
                f"{found.edge_cores:.2f}",
                f"in all, {found.edge_gigabytes:.1f} GB",
            ),
        ],
    )


def compared(few: Sequence[float], many: Sequence[float], names: Sequence[str]) -> list[list[str]]:
    """Return for each name what was foretold of *few* times :data:`TIMES`, and what was seen."""
    rows = []
    for name, unit, seen in zip(names, few, many, strict=True):
        foretold = unit * TIMES
        rows.append(
            [name, f"{unit:.3g}", f"{foretold:.3g}", f"{seen:.3g}", f"{seen / foretold:.2f}"]
        )
    return rows


def _boards(folder: Path, tables: int) -> tuple[int, Cost]:
    folder.mkdir()
    return catch_up(folder, tables)


def _watched(viewers: int, port: int) -> Outcome:
    situation = Situation("all at one board", 1, viewers, 1)
    return outcome_of("web", situation, seconds=SECONDS, ply_every=PLY_EVERY, port=port)


def _cost_of(outcome: Outcome) -> tuple[float, float]:
    """Return processor milliseconds of all frames of a move, and MiB of all viewers."""
    used = outcome.ended.cpu_seconds - outcome.begun.cpu_seconds
    memory = outcome.ended.resident - outcome.idle.resident
    return 1e3 * used / max(1, len(outcome.delays)), memory / 2**20


def measure(folder: Path, port: int) -> tuple[Units, Report]:
    """Measure few and many of both; return unit costs of the few, and whether they multiply."""
    (few_readings, few), (many_readings, many) = (
        _boards(folder / f"{tables}", tables) for tables in (TABLES, TABLES * TIMES)
    )
    scale = TIMES * few_readings / many_readings  # games are not all of one length
    seen = [_cost_of(_watched(viewers, port)) for viewers in (VIEWERS, VIEWERS * TIMES)]
    small = [cost * few_readings / 1e6 for cost in (few.node, few.broker, few.hub)]
    large = [cost * many_readings * scale / 1e6 for cost in (many.node, many.broker, many.hub)]
    rows = compared(small, large, ("node, s", "broker, s", "hub, s"))
    rows += compared(seen[0], seen[1], ("frames of a move, ms", "memory of viewers, MiB"))
    units = Units(
        few.node,
        few.broker,
        few.hub,
        frame=1e3 * seen[0][0] / VIEWERS,
        viewer=1024 * seen[0][1] / VIEWERS,
    )
    report = Report(
        f"{TABLES} boards and {VIEWERS} viewers, and {TIMES} times as many",
        ("processor time, or memory", "few", "foretold", "seen", "seen / foretold"),
        rows,
    )
    return units, report


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and plan."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale_plan", description=__doc__)
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--viewers", type=int, default=100_000)
    parser.add_argument("--port", type=int, default=21983, help="to serve at, on loopback")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix=".scale-", dir=Path()) as folder:
        units, report = measure(Path(folder), options.port)
    report.show()
    plan(options.boards, options.viewers, units).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
