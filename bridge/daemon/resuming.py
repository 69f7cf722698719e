"""Where a start goes on: what follows from old readings is told, and not worked out again.

A checkpoint of a table is its state behind one of its readings, and all facts up to there. It is
written now and then, as far as that costs little beside the fold itself.
"""

import asyncio
import contextlib
import logging
import sqlite3
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from bridge.core.json_errors import NOT_JSON
from bridge.core.model import Fact, Reading
from bridge.core.table import Table
from bridge.daemon.frozen import FrozenError, code_of, freeze, thaw
from bridge.daemon.tasks import aside
from bridge.store.checkpoints import (
    Checkpoints,
    Piece,
    Place,
    beside,
    position_of,
    remove,
)

SHARE = 30.0
"""How many times as long the fold of a table takes from one checkpoint of it to the next."""
FIRST_COST = 0.001
"""Seconds that a checkpoint of a table is taken to cost before the first one."""
LOOK = 1.0
MOST_FACTS = 100
"""Facts of a table that wait in memory for its next checkpoint; more wait on the disk."""

logger = logging.getLogger(__name__)

_SPOILT = (zlib.error, FrozenError, *NOT_JSON)
_UNUSABLE = (sqlite3.Error, UnicodeError, OSError)
_decode = msgspec.json.Decoder(list[Fact]).decode


class Beginning(NamedTuple):
    """A table as it was behind a position of the journal, and all that was told of it by then."""

    table: Table
    position: int
    facts: Sequence[Fact]


@dataclass
class _Since:
    """What was folded of a table since its last checkpoint, and of ``readings`` in all."""

    table: Table
    readings: int
    last: Reading | None = None
    facts: list[Fact] = field(default_factory=list)
    seconds: float = 0.0
    cost: float = FIRST_COST

    @property
    def is_due(self) -> bool:
        return self.last is not None and self.seconds >= SHARE * self.cost

    @property
    def place(self) -> Place | None:
        if (last := self.last) is None:
            return None
        return Place(self.readings, last.link, last.seq, last.wall)


class Resuming:
    """The checkpoints of a *journal*; where there are none, or none of use, all is folded."""

    def __init__(self, journal: Path | None = None) -> None:
        self._journal = journal
        self._since: dict[str, _Since] = {}
        self._file: Checkpoints | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._open)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stopping.set()
        if self._keeping is not None:
            await self._keeping
        if self._file is not None:
            await aside(self._file.close)

    def _open(self) -> None:
        code = code_of()
        if self._journal is None or not code:
            return
        try:
            self._file = Checkpoints(beside(self._journal), code)
        except _UNUSABLE as error:
            self._give_up(error)

    def start(self) -> None:
        """Write checkpoints from now on, as they fall due."""
        self._keeping = asyncio.create_task(self._keep())

    def begin(self, name: str) -> Beginning:
        """Return where to go on with a table."""
        count, beginning = 0, Beginning(Table(name), 0, ())
        if self._file is not None and self._journal is not None:
            try:
                found = _found(self._file, self._journal, name)
                if found is None:
                    self._file.forget(name)
                self._file.go_on(name)
                count, beginning = found or (count, beginning)
            except _UNUSABLE as error:
                self._give_up(error)
            else:
                self._since[name] = _Since(beginning.table, count)
        return beginning

    def took(self, reading: Reading, facts: Sequence[Fact], seconds: float) -> None:
        """Take note of a reading that was folded in so many *seconds*, and of what followed."""
        since = self._since.get(reading.table)
        if since is not None:
            since.readings += 1
            since.last = reading
            since.facts += facts
            since.seconds += seconds

    def waited(self, name: str, facts: Sequence[Fact]) -> None:
        """Take note of what followed from nothing having happened."""
        since = self._since.get(name)
        if since is not None:
            since.facts += facts

    def note(self, name: str) -> None:
        """Write what is due of a table. Blocks."""
        since = self._since.get(name)
        piece = since and self._piece(name, since)
        if piece:
            self._write(piece)

    async def _keep(self) -> None:
        while not self._stopping.is_set():
            for name, since in list(self._since.items()):
                piece = self._piece(name, since)
                if piece is not None and not self._stopping.is_set():
                    await asyncio.to_thread(self._write, piece)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), LOOK)

    def _piece(self, name: str, since: _Since) -> Piece | None:
        """Return what is due; without a checkpoint where the table's state cannot be told."""
        state = place = None
        if since.is_due:
            began = time.perf_counter()
            state = freeze(since.table)
            since.cost, since.seconds = time.perf_counter() - began, 0.0
            if state is None:
                self._since.pop(name, None)
                return None
            place, since.last = since.place, None
        elif len(since.facts) < MOST_FACTS:
            return None
        facts, since.facts = msgspec.json.encode(since.facts), []
        return Piece(name, facts, place, state or b"")

    def _write(self, piece: Piece) -> None:
        if self._file is None:
            return
        try:
            self._file.write(piece)
        except _UNUSABLE as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        """Go without, and leave what room there is on the disk to the journal."""
        logger.warning("checkpoints cannot be used, the next start takes longer: %s", error)
        if self._file is not None:
            self._file.close()
        self._file = None
        self._since.clear()
        if self._journal is not None:
            with contextlib.suppress(OSError):
                remove(beside(self._journal))


def _found(file: Checkpoints, journal: Path, name: str) -> tuple[int, Beginning] | None:
    """Return the checkpoint of a table and how many readings it is of; none that is of no use."""
    place = file.place(name)
    position = None if place is None else position_of(journal, name, place)
    if place is None or position is None:  # it was of another journal
        return None
    try:
        facts = [fact for some in file.facts(name) for fact in _decode(some)]
        return place.readings, Beginning(thaw(file.state(name)), position, facts)
    except _SPOILT as error:
        logger.warning("table %s: its checkpoint is of no use: %s", name, error)
        return None
