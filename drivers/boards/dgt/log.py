"""The board's own log: what it wrote to its EEPROM.

It comes as a whole with EE_MOVES, and piece by piece as the change stream of bus mode.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import chess

from drivers.boards.dgt.protocol import PIECE_CODES, RESULT_PIECES, Tag, square_of_index
from drivers.events import Side

_WORDS: dict[int, str] = {
    Tag.POWERUP: "power-up",
    Tag.FOURROWS: "pieces on the four outer rows",
    Tag.EMPTYBOARD: "empty board",
    Tag.DOWNLOADED: "log read",
    Tag.BEGINPOS: "start position",
    Tag.BEGINPOS_ROT: "start position, board turned",
    Tag.START_TAG: "start of game",
    Tag.WATCHDOG_ACTION: "board restarted itself",
}
_STANDS = {0: "empty"} | {code: PIECE_CODES[code] for code in range(1, 13)} | RESULT_PIECES
_TAG = re.compile(
    rb"(?P<change>[\x40-\x5f][\x00-\x3f])"
    rb"|(?P<time>[\x60-\x69\x70-\x79](?:[\x00-\x09\x10-\x19\x20-\x29\x30-\x39\x40-\x49\x50-\x59]){2})"
    rb"|(?P<eof>\x6b)"
    rb"|(?P<word>[\x6a\x6c-\x6f\x7a-\x7c])"
    rb"|(?P<nothing>[\x00\x7d-\x7f])"
    rb"|(?P<unreadable>.)",
    re.DOTALL,
)


class SquareTag(NamedTuple):
    """The square with this index (a8 = 0) reads this piece code now.

    ``quick``: less than about 250 ms after the change before it.
    """

    square_index: int
    code: int
    quick: bool


class TimeTag(NamedTuple):
    """The lever was pressed: this side's time stopped, and this is what it shows (ms)."""

    side: Side
    left_ms: int


def read_changes(payload: bytes) -> Iterator[SquareTag | TimeTag | Tag]:
    """Yield what the tags of a change stream say, fill bytes and what is no tag left out.

    The end mark is yielded like any other word; some boards write it, others do not.
    """
    for tag in _TAG.finditer(payload):
        match tag.lastgroup, tag[0]:
            case "change", change:
                yield SquareTag(change[1], change[0] & 0x0F, bool(change[0] & 0x10))
            case "time", time:
                minutes = (time[0] & 0x0F) * 60 + _decimal(time[1])
                yield TimeTag(_side(time[0]), (minutes * 60 + _decimal(time[2])) * 1000)
            case "word" | "eof", word:
                yield Tag(word[0])


def read_log(payload: bytes) -> tuple[tuple[str, ...], bool]:
    """Return the log's entries, oldest first, and whether its end was there.

    An entry is one tag in words, for example ``e2 empty``, ``e4 P (within 250 ms)`` or
    ``left clock 1:29:55``; squares are in the board's own numbering. Fill bytes are left out,
    and so are leading bytes that begin no tag: the ring may start in the middle of one.
    """
    entries: list[str] = []
    for tag in _TAG.finditer(payload):
        match tag.lastgroup, tag[0]:
            case "eof", _:
                return tuple(entries), True
            case "change", change:
                entries.append(_change(*change))
            case "time", time:
                entries.append(_time(*time))
            case "word", word:
                entries.append(_WORDS[word[0]])
            case "unreadable", byte if entries:
                entries.append(f"unreadable {byte[0]:#04x}")
    return tuple(entries), False


def _change(first: int, index: int) -> str:
    where = chess.square_name(square_of_index(index))
    soon = " (within 250 ms)" if first & 0x10 else ""
    return f"{where} {_STANDS[first & 0x0F]}{soon}"


def _time(first: int, minutes: int, seconds: int) -> str:
    return f"{_side(first)} clock {first & 0x0F}:{minutes:02x}:{seconds:02x}"


def _side(first: int) -> Side:
    return "left" if first & 0x10 else "right"


def _decimal(bcd: int) -> int:
    return (bcd >> 4) * 10 + (bcd & 0x0F)
