"""Capture files: what went over a line, as text that a person can read and a diff can show.

Header lines ``# Key: value`` come first, then one record a line: ``<`` board to host, ``>`` host
to board, ``!`` something about the line; seconds since the start; bytes in hexadecimal. Reads
and writes stand as they happened, so a message may be split or joined in any way.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from drivers.errors import CaptureError

Direction = Literal["<", ">", "!"]

BYTES_A_LINE = 256
"""A longer read or write is written as several records of the same time."""

_HEADER = re.compile(r"#\s*([A-Za-z][\w-]*):(?:\s+(.*))?")
_RECORD = re.compile(r"([<>!])\s+([0-9]{1,9}(?:\.[0-9]+)?)\s+(.+)")
_LINE_NOTE = re.compile(r"lost|opened|unit \S.*")
_SAID_ONCE = frozenset({"Driver", "Line", "Start", "Clock"})


class Record(NamedTuple):
    """One read (``<``), one write (``>``) or one note about the line (``!``).

    ``t`` is seconds since the start of the capture. Reads and writes carry ``data``, a note
    carries ``text``: ``lost``, ``opened`` or ``unit NAME``.
    """

    direction: Direction
    t: float
    data: bytes = b""
    text: str = ""


@dataclass(frozen=True)
class Capture:
    """A capture that was read; ``skipped`` names the lines a lenient reading left out.

    A header key that stands several times has its values in order, one a line.
    """

    name: str
    header: Mapping[str, str]
    records: tuple[Record, ...]
    skipped: tuple[str, ...] = ()

    @property
    def driver(self) -> str:
        """Name of the driver that understands these bytes."""
        return self.header["Driver"]

    @property
    def played(self) -> tuple[str, ...]:
        """The moves that were played, in SAN; empty where the header does not say."""
        return tuple(self.header.get("Played", "").split())

    @property
    def played_uci(self) -> tuple[str, ...]:
        """The moves that were played, in UCI; empty where the header does not say."""
        return tuple(self.header.get("Played-UCI", "").split())

    @property
    def start(self) -> str | None:
        """FEN of the position the game began from, if the header gives one."""
        return self.header.get("Start")

    @property
    def has_clock(self) -> bool:
        """False where the header says that no clock was connected."""
        return self.header.get("Clock") != "none"


def parse(source: str | bytes, *, name: str, lenient: bool = False) -> Capture:
    """Read a capture file's content.

    Args:
        source: the content; bytes are taken as UTF-8.
        name: what errors call the file.
        lenient: leave out lines that do not fit, and list them in ``skipped``.

    Raises:
        CaptureError: ``file:line: what`` for the first line that does not fit; also when
            lenient, where the header names no driver.
    """
    if isinstance(source, bytes):
        source = source.decode("utf-8", "surrogateescape")
    reader = _Reader()
    skipped: list[str] = []
    for number, line in enumerate(source.removeprefix("\ufeff").split("\n"), start=1):
        try:
            reader.take(line.strip())
        except ValueError as error:
            complaint = f"{name}:{number}: {error}"
            if not lenient:
                raise CaptureError(complaint) from None
            skipped.append(complaint)
    if not reader.header.get("Driver"):
        raise CaptureError(f"{name}:1: the header names no driver (# Driver: NAME)")
    return Capture(name, reader.header, tuple(reader.records), tuple(skipped))


class _Reader:
    """Takes a file line by line; what does not fit is a ``ValueError`` and changes nothing."""

    def __init__(self) -> None:
        self.header: dict[str, str] = {}
        self.records: list[Record] = []

    def take(self, line: str) -> None:
        if not line:
            return
        if any("\udc80" <= letter <= "\udcff" for letter in line):
            raise ValueError("not UTF-8")
        if line.startswith("#"):
            self._take_header(line)
        else:
            self._take_record(line)

    def _take_header(self, line: str) -> None:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise ValueError(f"not a header line (# Key: value): {line!r}")
        if self.records:
            raise ValueError("a header line after the first record")
        key, value = found[1], found[2] or ""
        if key not in self.header:
            self.header[key] = value
        elif key in _SAID_ONCE:
            raise ValueError(f"{key} is given twice")
        else:
            self.header[key] += "\n" + value

    def _take_record(self, line: str) -> None:
        found = _RECORD.fullmatch(line)
        if found is None:
            raise ValueError(f"not a record (< > or !, seconds, bytes): {line!r}")
        t, rest = float(found[2]), found[3]
        if self.records and t < self.records[-1].t:
            raise ValueError(f"time goes back: {t:g} s after {self.records[-1].t:g} s")
        match found[1]:
            case "!":
                if _LINE_NOTE.fullmatch(rest) is None:
                    raise ValueError(f"not 'lost', 'opened' or 'unit NAME': {rest!r}")
                record = Record("!", t, text=rest)
            case "<":
                record = Record("<", t, _bytes(rest))
            case _:
                record = Record(">", t, _bytes(rest))
        self.records.append(record)


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise ValueError(f"not bytes in hexadecimal: {text!r}") from None


def format_record(record: Record) -> str:
    """Return the line, or lines, of one record with their line ends."""
    head = f"{record.direction} {record.t:.3f} "
    if record.direction == "!":
        return f"{head}{record.text}\n"
    return "".join(f"{head}{part.hex(' ')}\n" for part in _parts(record.data))


def _parts(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), BYTES_A_LINE):
        yield data[start : start + BYTES_A_LINE]


def format_header(header: Mapping[str, str]) -> str:
    """Return the header's lines with their line ends; a value of several lines repeats its key.

    Raises:
        CaptureError: a key that is no word, or no driver.
    """
    if not header.get("Driver"):
        raise CaptureError("a capture's header must name its driver")
    return "".join(_header_lines(header.items()))


def _header_lines(items: Iterable[tuple[str, str]]) -> Iterator[str]:
    for key, value in items:
        for line in value.split("\n"):
            text = f"# {key}: {' '.join(line.split())}".rstrip()
            if _HEADER.fullmatch(text) is None:
                raise CaptureError(f"not a header key: {key!r}")
            yield f"{text}\n"
