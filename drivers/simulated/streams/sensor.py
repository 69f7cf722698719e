"""What the electronics of a board make of the pieces on it.

A scanning board reads its squares one after another and reports those that differ from the scan
before. Only a square that was touched, or whose sensor changed its mind, can differ, so only the
next reading of such squares is computed; that alone gives moves reported with the new square
before the old one, captures that never show an empty square, two changes of a square lost in one
scan, and ghosts of sliding pieces. Shapes and numbers: protocol sheet of DGT boards, section 6.1.
"""

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import chess

from drivers.simulated.streams.world import Change

BoardKind = Literal["identity", "occupancy"]
OCCUPIED = "x"

EVENT_DRIVEN_HZ = 50.0
"""A board without scans still debounces: a change of less than 20 ms is not seen."""


@dataclass(frozen=True, kw_only=True)
class Electronics:
    """How a board reads its squares.

    *scan_hz* 0: event-driven. *offset*: when the first scan begins. *batched*: a scan is reported
    when it is over, instead of each square when it was read. *latency*: from reading to line.
    """

    kind: BoardKind
    scan_hz: float
    offset: float
    batched: bool
    latency: float

    def read_at(self, square: chess.Square, at: float) -> float:
        """Return when *square* is read next after time *at*."""
        period = 1 / (self.scan_hz or EVENT_DRIVEN_HZ)
        skew = scanning_order(square) * period / 64 if self.scan_hz else 0.0
        first = self.offset - period + skew
        return first + (math.floor((at - first) / period) + 1) * period

    def told_at(self, square: chess.Square, read: float) -> float:
        """Return when the stream has what was read on *square* at time *read*."""
        if not (self.batched and self.scan_hz):
            return read + self.latency
        period = 1 / self.scan_hz
        scan = round((read - self.offset) / period - scanning_order(square) / 64)
        return self.offset + (scan + 1) * period + self.latency


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something wrong with the sensor of *square*: a standing piece is read as *reads*.

    ``None`` reads as empty. An empty square is read rightly.
    """

    name: str
    square: chess.Square
    begin: float
    end: float
    reads: str | None


@dataclass(frozen=True, kw_only=True)
class Pause:
    """A time in which nothing is scanned, or nothing arrives."""

    begin: float
    end: float

    def contains(self, at: float) -> bool:
        """Say whether *at* lies in it."""
        return self.begin <= at <= self.end


@dataclass(frozen=True, kw_only=True)
class Seen:
    """From *at* on the stream shows *letter* (or nothing) on *square*."""

    at: float
    square: chess.Square
    letter: str | None


def scanning_order(square: chess.Square) -> int:
    """Return the place of *square* in a scan, which goes a8, b8 … h1 (protocol sheet, 4)."""
    return square ^ 56


def sense(
    found: Mapping[chess.Square, chess.Piece],
    changes: Iterable[Change],
    faults: Iterable[Fault],
    missed: Sequence[Pause],
    electronics: Electronics,
) -> tuple[dict[chess.Square, str], list[Seen]]:
    """Return what the board shows at time 0 and each change of it, in the order of the times.

    *found* stands at time 0. During *missed* nothing is scanned.
    """
    standing: dict[int, list[tuple[float, chess.Piece | None]]] = defaultdict(list)
    for square in chess.SQUARES:
        standing[square].append((-math.inf, found.get(square)))
    for change in changes:
        standing[change.square].append((change.at, change.piece))
    wrong: dict[int, list[Fault]] = defaultdict(list)
    for fault in faults:
        wrong[fault.square].append(fault)
    first: dict[chess.Square, str] = {}
    seen: list[tuple[float, int, Seen]] = []
    for square in chess.SQUARES:
        reader = _Square(square, standing[square], wrong[square], electronics)
        letter = reader.letter(0.0)
        if letter is not None:
            first[square] = letter
        seen += reader.reports(missed)
    return first, [what for _, _, what in sorted(seen, key=lambda found: found[:2])]


class _Square:
    """One square: what stood there and when, and what is wrong with it."""

    def __init__(
        self,
        square: chess.Square,
        standing: Sequence[tuple[float, chess.Piece | None]],
        faults: Sequence[Fault],
        electronics: Electronics,
    ) -> None:
        self._square = square
        self._times = [at for at, _ in standing]
        self._pieces = [piece for _, piece in standing]
        self._faults = faults
        self._electronics = electronics

    def letter(self, at: float) -> str | None:
        """Return what is read at time *at*."""
        piece = self._pieces[bisect_right(self._times, at) - 1]
        if piece is None:
            return None
        letter: str | None = piece.symbol()
        for fault in self._faults:
            if fault.begin <= at < fault.end:
                letter = fault.reads
        if letter is None or self._electronics.kind == "identity":
            return letter
        return OCCUPIED

    def reports(self, missed: Sequence[Pause]) -> list[tuple[float, int, Seen]]:
        """Return each change that is read, with its time and the place in the scan."""
        causes = {*self._times[1:]}
        for fault in self._faults:
            causes |= {fault.begin, fault.end} - {math.inf}
        shown = self.letter(0.0)
        order = scanning_order(self._square)
        reports = []
        for read in sorted({self._read_after(at, missed) for at in causes if at > 0}):
            letter = self.letter(read)
            if letter != shown:
                shown = letter
                told = self._electronics.told_at(self._square, read)
                reports.append((told, order, Seen(at=told, square=self._square, letter=letter)))
        return reports

    def _read_after(self, at: float, missed: Sequence[Pause]) -> float:
        read = self._electronics.read_at(self._square, at)
        for pause in missed:
            if pause.contains(read):
                read = self._electronics.read_at(self._square, pause.end)
        return read
