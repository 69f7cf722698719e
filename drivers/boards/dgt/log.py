"""The board's own log: what it wrote to its EEPROM, as it sends it with EE_MOVES."""

import re

import chess

from drivers.boards.dgt.protocol import PIECE_CODES, RESULT_PIECES, Tag, square_of_index

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
    side = "left" if first & 0x10 else "right"
    return f"{side} clock {first & 0x0F}:{minutes:02x}:{seconds:02x}"
