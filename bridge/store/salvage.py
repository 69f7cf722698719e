"""What can still be read of a damaged journal.

A damaged page takes the rows on it, a few dozen; all others are read page by page, also where
SQLite finds them no more. The numbers of a link that are missing tell whose readings are lost.
There the link is said to have been lost, so that nobody takes the game before and behind for
unbroken.
"""

import sqlite3
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from bridge.core.model import LinkChange, LinkState, Reading
from bridge.store.errors import UNREADABLE, JournalError, JournalRowError
from bridge.store.leaves import rows_on_pages
from bridge.store.rows import reading_of, row_of
from bridge.store.schema import connect_to_read

MOST_ON_A_PAGE = 100
"""Rows, and positions that were lost before."""

MOST_NAMED = 10
"""Links of which it is said how much is lost; a hall may have hundreds."""

UNTOLD = 1_000_000
"""What is added to the numbers of links where the last ones cannot be read: none comes twice."""

_INSERT = (
    "INSERT INTO readings (position, board_table, link, seq, at, wall, payload)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_LAST_ROW = "SELECT max(position) FROM readings NOT INDEXED"
_LAST_IN_INDEX = "SELECT max(position) FROM readings INDEXED BY readings_by_table"
_INSERT_LINK = "INSERT INTO links (link, seq, at, wall) VALUES (?, ?, ?, ?)"
_DETAIL = "what the board said was lost with a damaged journal"

_End = tuple[int, float, float]


@dataclass
class _Link:
    """The last reading of a link that was saved, its position, and the tables of all of them."""

    last: Reading
    position: int
    tables: set[str] = field(default_factory=set)


class Salvage:
    """Saves the readings of the damaged journal at *path* into another one.

    ``saved`` counts them; ``lost`` counts by link those that are missing; ``tables`` are those that
    lost some, as far as that is known.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._links: dict[str, _Link] = {}
        self._free: list[int] = []
        self._ends: dict[str, _End] = {}
        self._end_is_unknown = False
        self.saved = 0
        self.lost = Counter[str]()
        self.tables: set[str] = set()

    def into(self, target: sqlite3.Connection) -> None:
        """Write what can be read into a new journal, each reading at its position.

        Raises:
            sqlite3.Error: that journal cannot be written.
        """
        try:
            source = connect_to_read(self._path)
        except JournalError:
            return  # only the log of a file that is gone
        with closing(source):
            source.text_factory = bytes
            self._ends = _ends(source)
            before = 0
            for position, reading in self._readings():
                self._free += range(before + 1, position)
                self._save(target, position, reading)
                before = position
            if self.saved:
                self._free += range(before + 1, _last_position(source) + 1)
        self._save_ends(target)

    def in_words(self) -> str:
        """Say what was saved and what was not."""
        saved = f"{self.saved} readings of it could be read and are gone on with"
        if not self.lost and self._end_is_unknown:
            return f"{saved}; what came behind the last of them nobody knows: look at all games"
        if not self.lost:
            return f"{saved}; as far as can be known none is lost"
        named = [f"{link} ({count})" for link, count in self.lost.most_common(MOST_NAMED)]
        if len(named) < len(self.lost):
            named.append(f"{len(self.lost) - len(named)} more")
        links = ", ".join(named)
        tables = ", ".join(sorted(self.tables, key=lambda name: (len(name), name)))
        where = f"; look at the games of table {tables}" if tables else ""
        return f"{saved}, {self.lost.total()} are lost, of {links}{where}"

    def _readings(self) -> Iterator[tuple[int, Reading]]:
        for row in rows_on_pages(self._path):
            try:
                reading = reading_of(row, self._path)
            except JournalRowError:
                continue
            if self._follows(reading):
                yield row[0], reading

    def _follows(self, reading: Reading) -> bool:
        """Whether the number of a reading can be right: those of a link increase up to its end."""
        link, end = self._links.get(reading.link), self._ends.get(reading.link)
        return (link is None or reading.seq > link.last.seq) and (
            end is None or reading.seq <= end[0]
        )

    def _save(self, target: sqlite3.Connection, position: int, reading: Reading) -> None:
        link = self._links.setdefault(reading.link, _Link(reading, 0))
        before = 0 if link.position == 0 else link.last.seq
        link.tables.add(reading.table)
        self._miss(target, link, reading.seq - before - 1, reading, position)
        target.execute(_INSERT, (position, *row_of(reading)))
        link.last, link.position = reading, position
        self.saved += 1

    def _miss(
        self,
        target: sqlite3.Connection,
        link: _Link,
        missing: int,
        until: Reading,
        position: int,
    ) -> None:
        """Count *missing* readings of a link before the one *until*, and tell the table."""
        first = bisect_right(self._free, link.position)
        free = bisect_right(self._free, position) - first
        missing = min(missing, free)
        if missing <= 0:
            return
        self.lost[until.link] += missing
        if len(link.tables) > 1:
            return  # arbiters' orders; nobody knows which table they were for
        self.tables |= link.tables
        known = link.last if link.position else until
        seq = until.seq - missing
        self._say(target, first, msgspec.structs.replace(known, seq=seq), "lost")
        if missing > 1:
            last = first + free - 2  # the free positions are one less now
            self._say(target, last, msgspec.structs.replace(until, seq=seq + 1), "live")

    def _say(self, target: sqlite3.Connection, place: int, like: Reading, state: LinkState) -> None:
        """Write into a free position that the link of a reading was *state* at its time."""
        change = LinkChange(state=state, detail=_DETAIL if state == "lost" else "")
        told = msgspec.structs.replace(like, payload=change)
        target.execute(_INSERT, (self._free.pop(place), *row_of(told)))

    def _save_ends(self, target: sqlite3.Connection) -> None:
        for name, link in self._links.items():
            known = self._ends.get(name)
            if known is None:
                self._end_is_unknown = True
                self._ends[name] = link.last.seq + UNTOLD, link.last.at, link.last.wall
            elif known[0] > link.last.seq:
                end = msgspec.structs.replace(
                    link.last, seq=known[0] + 1, at=known[1], wall=known[2]
                )
                last = self._free[-1] + 1 if self._free else 0
                self._miss(target, link, known[0] - link.last.seq, end, last)
        for name in self._ends.keys() - self._links.keys():
            self.lost[name] += self._ends[name][0]
        target.executemany(_INSERT_LINK, ((name, *end) for name, end in self._ends.items()))


def _last_position(source: sqlite3.Connection) -> int:
    """Return the last position: of the rows, else of the index, else the last there can be."""
    try:
        (pages,) = source.execute("PRAGMA page_count").fetchone()
    except UNREADABLE:
        return 0
    for query in (_LAST_ROW, _LAST_IN_INDEX):
        try:
            (last,) = source.execute(query).fetchone()
        except UNREADABLE:
            continue
        if isinstance(last, int):
            return min(last, int(pages) * MOST_ON_A_PAGE)
    return int(pages * MOST_ON_A_PAGE)


def _ends(source: sqlite3.Connection) -> dict[str, _End]:
    """Return the last number of each link with its times, as far as that can be read."""
    found = {}
    try:
        for link, seq, at, wall in source.execute("SELECT link, seq, at, wall FROM links"):
            if tuple(map(type, (link, seq, at, wall))) == (bytes, int, float, float):
                found[link.decode()] = seq, at, wall
    except UNREADABLE:
        pass
    return found
