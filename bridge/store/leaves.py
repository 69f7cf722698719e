"""Rows of the journal's table as they stand on the pages of its file, whatever leads to them.

Facts: SQLite's documentation of its file format, "Database File Format". Pages of kind 13 hold the
rows of tables; the journal has one table of this kind, as its links are kept like an index. The
log beside the file holds later pages; those behind its last commit do not count.
"""

import os
import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

Value = int | float | bytes | None
Stored = tuple[int, bytes, bytes, int, float, float, bytes]

COLUMNS = 7
ROWS_OF_A_TABLE = 13
HEADER = 100
"""Bytes of the first page that tell of the file."""

PAGE_HEADER = 8
USUAL_PAGE = 4096
PAGE_SIZES = tuple(1 << power for power in range(9, 16))
LOG_HEADER, FRAME_HEADER = 32, 24
LONGEST_VARINT = 9
LARGEST_ROW = 1 << 20
"""Readings are far smaller; a damaged length must not take the memory."""

_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of an integer by its serial type."""

_REAL, _ZERO, _ONE, _FIRST_TEXT = 7, 8, 9, 13

_NO_ROW = (IndexError, ValueError, OverflowError, struct.error)
"""What comes of reading a row where there is none."""


def rows_on_pages(path: Path) -> Iterator[Stored]:
    """Yield all rows of a journal that stand on pages of it, texts as bytes, by position.

    Of pages that tell of the same positions one counts. Nothing is checked but that a row is one.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        log = path.with_name(f"{path.name}-wal")
        if not log.exists():
            yield from _rows(_Pages(file))
            return
        with log.open("rb") as newer:
            yield from _rows(_Pages(file, newer))


def _rows(pages: "_Pages") -> Iterator[Stored]:
    found = sorted(_middles(pages))
    last = 0
    for place, (_, number) in enumerate(found):
        end = found[place + 1][0] if place + 1 < len(found) else None
        rows = _increasing([row for row in _rows_of(pages, number) if row[0] > last])
        for row in rows:
            if end is None or row[0] < end:
                last = row[0]
                yield row


def _middles(pages: "_Pages") -> Iterator[tuple[int, int]]:
    """Yield the position in the middle of each page with rows, and its number.

    That one tells best where a page belongs of which some bytes are damaged.
    """
    for number in pages.numbers():
        page = pages[number]
        try:
            cells = _cells(page)
            if cells:
                _, start = _varint(page, cells[len(cells) // 2])
                yield _varint(page, start)[0], number
        except _NO_ROW:
            continue


def _rows_of(pages: "_Pages", number: int) -> Iterator[Stored]:
    page = pages[number]
    for cell in _cells(page):
        try:
            yield _row(pages, page, cell)
        except _NO_ROW:
            continue


def _cells(page: bytes) -> Sequence[int]:
    """Return where the rows of a page begin, none if it has no rows of a table."""
    if len(page) < PAGE_HEADER or page[0] != ROWS_OF_A_TABLE:
        return ()
    count = int.from_bytes(page[3:5], "big")
    if PAGE_HEADER + 2 * count > len(page):
        return ()
    return struct.unpack_from(f">{count}H", page, PAGE_HEADER)


def _row(pages: "_Pages", page: bytes, cell: int) -> Stored:
    size, start = _varint(page, cell)
    position, start = _varint(page, start)
    if size > LARGEST_ROW or position < 1:
        raise ValueError("no row")
    record = _record(pages, page, start, size)
    values = _values(record)
    _, table, link, seq, at, wall, payload = values
    if not (
        isinstance(table, bytes)
        and isinstance(link, bytes)
        and isinstance(seq, int)
        and isinstance(at, int | float)  # a whole number is kept as such
        and isinstance(wall, int | float)
        and isinstance(payload, bytes)
    ):
        raise ValueError("values of another type")  # noqa: TRY004 - it is a file that is wrong
    return position, table, link, seq, float(at), float(wall), payload


def _record(pages: "_Pages", page: bytes, start: int, size: int) -> bytes:
    """Return the bytes of a row, of which long ones go on on pages of their own."""
    usable = pages.size
    here = size
    if size > usable - 35:
        least = (usable - 12) * 32 // 255 - 23
        here = least + (size - least) % (usable - 4)
        here = here if here <= usable - 35 else least
    record = page[start : start + here]
    further = page[start + here : start + here + 4]
    while len(record) < size:
        number = int.from_bytes(further, "big")
        more = pages[number]
        if len(further) < 4 or len(more) <= 4:
            raise ValueError("the row ends early")
        further, record = more[:4], record + more[4 : 4 + size - len(record)]
    return record


def _values(record: bytes) -> list[Value]:
    start, place = _varint(record, 0)
    kinds = []
    while place < start:
        kind, place = _varint(record, place)
        kinds.append(kind)
    if len(kinds) != COLUMNS:
        raise ValueError("another number of columns")
    values: list[Value] = []
    for kind in kinds:
        value, start = _value(record, kind, start)
        values.append(value)
    return values


def _value(record: bytes, kind: int, start: int) -> tuple[Value, int]:
    """Return what stands at *start* by its serial type, and where it ends."""
    if kind == 0:
        return None, start
    if kind in (_ZERO, _ONE):
        return kind - _ZERO, start
    if kind == _REAL:
        (real,) = struct.unpack_from(">d", record, start)
        return float(real), start + 8
    length = _INTEGERS.get(kind) or (kind - _FIRST_TEXT) // 2
    end = start + length
    if (kind not in _INTEGERS and (kind < _FIRST_TEXT or kind % 2 == 0)) or end > len(record):
        raise ValueError("no such value")
    data = record[start:end]
    return (int.from_bytes(data, "big", signed=True) if kind in _INTEGERS else data), end


def _varint(data: bytes, start: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where it ends."""
    value = 0
    for place in range(start, start + LONGEST_VARINT - 1):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    value = value << 8 | data[start + LONGEST_VARINT - 1]
    return (value - (1 << 64) if value >> 63 else value), start + LONGEST_VARINT


def _increasing(rows: Sequence[Stored]) -> list[Stored]:
    """Return as many of *rows* as have increasing positions; those of others are damaged."""
    ends: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for number, row in enumerate(rows):
        place = bisect_left(ends, row[0])
        before.append(places[place - 1] if place else -1)
        ends[place:], places[place:] = [row[0], *ends[place + 1 :]], [number, *places[place + 1 :]]
    found = []
    number = places[-1] if places else -1
    while number >= 0:
        found.append(rows[number])
        number = before[number]
    return found[::-1]


class _Pages:
    """Pages by their numbers, from 1; those that are not there or cannot be read are empty."""

    def __init__(self, file: BinaryIO, log: BinaryIO | None = None) -> None:
        self._file = file
        self._log = log
        said = int.from_bytes(file.read(HEADER)[16:18], "big")
        self.size = said if said in PAGE_SIZES else USUAL_PAGE
        self._newer: dict[int, int] = {} if log is None else _committed(log, self.size)
        self._last = file.seek(0, os.SEEK_END) // self.size

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of all pages but the first, which has no readings."""
        yield from range(2, self._last + 1)
        yield from sorted(number for number in self._newer if number > max(1, self._last))

    def __getitem__(self, number: int) -> bytes:
        if number < 1:
            return b""
        if self._log is not None and number in self._newer:
            return _read(self._log, self._newer[number], self.size)
        return _read(self._file, (number - 1) * self.size, self.size)


def _read(file: BinaryIO, place: int, size: int) -> bytes:
    try:
        file.seek(place)
        return file.read(size)
    except OSError:  # the disk cannot read it
        return b""


def _committed(log: BinaryIO, size: int) -> dict[int, int]:
    """Return where the latest of each page stands in a log, up to its last commit."""
    salts = log.read(LOG_HEADER)[16:24]
    pages: dict[int, int] = {}
    fresh: dict[int, int] = {}
    while len(header := log.read(FRAME_HEADER)) == FRAME_HEADER and header[8:16] == salts:
        number, commit = struct.unpack_from(">II", header)
        fresh[number] = log.tell()
        if len(log.read(size)) < size:
            break
        if commit:
            pages |= fresh
            fresh = {}
    return pages
