"""What came of an evening: games, returns of links, and what the daemon took."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from benchmarks.boards.hall import Evening, moves_in
from benchmarks.boards.seats import Seat
from benchmarks.report import Report

KIBIBYTE = 1024
ASPIRED = {"serial": 3.0, "row": 3.0, "usb": 3.0, "radio": 8.0}
"""Seconds within which 95 of 100 returns shall be told live."""


@dataclass(frozen=True)
class Record:
    """How the file of a table differs from what was played."""

    seat: Seat
    wrong: int
    missing: int

    @property
    def exact(self) -> bool:
        """Whether the file has the game as it was played."""
        return not self.wrong and not self.missing


def records(folder: Path, evening: Evening) -> list[Record]:
    """Compare every game with what was played, move by move.

    A ply that is written and was played otherwise, or not at all, is wrong; one that is not
    written is missing.
    """
    found = []
    for seat in evening.seats:
        pairs = list(zip_longest(seat.moves, moves_in(folder, seat)))
        missing = sum(written is None for _, written in pairs)
        wrong = sum(played != written for played, written in pairs) - missing
        found.append(Record(seat, wrong, missing))
    return found


def returns(evening: Evening) -> Iterator[tuple[str, float]]:
    """Yield how a board is connected, and the seconds from its return until it was told live.

    They are infinite where it never was.
    """
    for wire in evening.wires:
        for seat in wire.seats:
            lives = evening.lives[seat.table]
            for back in wire.returns:
                place = bisect_left(lives, back)
                yield seat.family.wiring, lives[place] - back if place < len(lives) else math.inf


def reports(evening: Evening, judged: Sequence[Record]) -> list[Report]:
    """Return the tables: games of each driver, returns of each kind of link, and the cost."""
    return [_games(evening, judged), _returns(evening), _cost(evening)]


def _games(evening: Evening, judged: Sequence[Record]) -> Report:
    losses = {seat.table: len(wire.returns) for wire in evening.wires for seat in wire.seats}
    rows = []
    for family in dict.fromkeys(record.seat.family for record in judged):
        own = [record for record in judged if record.seat.family is family]
        rows.append(_row(family.driver, family.wiring, own, losses))
    rows.append(_row("all", "", judged, losses))
    columns = ("driver", "by", "games", "exact", "plies", "wrong", "missing", "losses of links")
    seconds = evening.ended.at - evening.begun.at
    return Report(f"{len(judged)} boards, {seconds:.0f} s", columns, rows)


def _row(name: str, wiring: str, own: Sequence[Record], losses: dict[str, int]) -> Sequence[str]:
    numbers = (
        len(own),
        sum(record.exact for record in own),
        sum(len(record.seat.moves) for record in own),
        sum(record.wrong for record in own),
        sum(record.missing for record in own),
        sum(losses[record.seat.table] for record in own),
    )
    return (name, wiring, *map(str, numbers))


def _returns(evening: Evening) -> Report:
    told = list(returns(evening))
    rows = []
    for wiring, aspired in ASPIRED.items():
        own = sorted(seconds for kind, seconds in told if kind == wiring)
        if own:
            marks = (percentile(own, 50), percentile(own, 95), own[-1], aspired)
            rows.append((wiring, f"{len(own)}", *(f"{mark:.2f}" for mark in marks)))
    columns = ("by", "returns", "p50", "p95", "longest", "p95 aspired to")
    return Report("From the return of a link to live (s)", columns, rows)


def percentile(ordered: Sequence[float], part: int) -> float:
    """Return the value that *part* of 100 do not exceed."""
    return ordered[math.ceil(len(ordered) * part / 100) - 1]


def _cost(evening: Evening) -> Report:
    idle, begun, ended = evening.idle, evening.begun, evening.ended
    seconds = ended.at - begun.at
    boards = (ended.thread - begun.thread) / seconds
    daemon = (ended.process - begun.process) / seconds - boards
    memory = (ended.resident - idle.resident) / len(evening.seats) / KIBIBYTE
    rows = [
        ("daemon's share of one core", f"{100 * daemon:.0f} %"),
        ("share of the simulated boards, in a thread of their own", f"{100 * boards:.0f} %"),
        ("resident memory at the end", f"{ended.resident / KIBIBYTE**2:.0f} MiB"),
        ("memory a table, boards' own growth included", f"{memory:.0f} KiB"),
    ]
    return Report("Cost", ("what", "measured"), rows)
