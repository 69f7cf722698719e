"""The memory inside a DGT board: what changed on the squares and on the clock, as tags.

Facts: vendor header "dgtbrd13", section on EE_MOVES. The ring keeps 7936 bytes, the oldest
first, and ends with EOF, so it may begin in the middle of an entry once it is full.
"""

import math
from collections.abc import Sequence

import chess

from drivers.boards.dgt.protocol import (
    CODE_OF_PIECE,
    HEADER,
    LOG_LENGTH,
    Tag,
    index_of_square,
)
from drivers.events import Side

RING = LOG_LENGTH - HEADER
QUICK = 0.25
"""A change is marked quick when it follows the one before within this time (s)."""

LEFT_FOR_GOOD = 2
"""More pieces than this must have left a tagged position before it is tagged again."""


def codes(pieces: dict[chess.Square, chess.Piece]) -> list[int]:
    """Return the 64 piece codes by square index of a board in the normal seat."""
    squares = [0] * 64
    for square, piece in pieces.items():
        squares[index_of_square(square)] = CODE_OF_PIECE[piece.symbol()]
    return squares


START = codes(chess.Board().piece_map())
OUTER_ROWS = (*range(16), *range(48, 64))


class BoardLog:
    """Tags in the order they were written; :meth:`payload` is what EE_MOVES carries."""

    def __init__(self) -> None:
        self._ring = bytearray()
        self._unread = bytearray()
        self._changed_at = -math.inf
        self._tagged: list[int] | None = None

    def power_up(self) -> None:
        """Write what every start of the board writes."""
        self._write(Tag.NOP, Tag.NOP, Tag.NOP, Tag.POWERUP)

    def change(self, index: int, code: int, *, at: float) -> None:
        """Write that the square *index* reads *code* now."""
        quick = 0x10 if at - self._changed_at < QUICK else 0
        self._changed_at = at
        self._write(0x40 | quick | code, index)

    def clock(self, side: Side, seconds: int) -> None:
        """Write the time at which *side* stopped when the lever was pressed."""
        hours, minutes, seconds = hours_minutes_seconds(seconds)
        self._write((0x70 if side == "left" else 0x60) | hours, bcd(minutes), bcd(seconds))

    def position(self, squares: Sequence[int]) -> None:
        """Write a tag if *squares* are one of the positions that the board knows."""
        if self._tagged is not None:
            if _pieces_moved(self._tagged, squares) <= LEFT_FOR_GOOD:
                return
            self._tagged = None
        tag = _position_tag(list(squares))
        if tag is not None:
            self._tagged = list(squares)
            self._write(tag)

    def downloaded(self) -> None:
        """Write that a host has read the log."""
        self._write(Tag.DOWNLOADED)

    def start_game(self, squares: Sequence[int]) -> None:
        """Write the tag of a game's start, and every piece."""
        self._write(Tag.START_TAG)
        self.pieces(squares)

    def pieces(self, squares: Sequence[int]) -> None:
        """Write every piece of *squares*, as a board does that has just started."""
        for index, code in enumerate(squares):
            if code:
                self._write(0x40 | code, index)

    def unread(self) -> bytes:
        """Return, once, what was written since this was asked last."""
        unread, self._unread = bytes(self._unread), bytearray()
        return unread

    def payload(self) -> bytes:
        """Return the whole ring, filled up in front where little has happened yet."""
        return bytes(self._ring).rjust(RING - 1, bytes((Tag.NOP,))) + bytes((Tag.EOF,))

    def _write(self, *entry: int) -> None:
        self._ring += bytes(entry)
        self._unread += bytes(entry)
        for kept in (self._ring, self._unread):
            del kept[: max(0, len(kept) - (RING - 1))]


def _pieces_moved(before: Sequence[int], now: Sequence[int]) -> int:
    changed = [(old, new) for old, new in zip(before, now, strict=True) if old != new]
    return max(sum(old != 0 for old, _ in changed), sum(new != 0 for _, new in changed))


def _position_tag(squares: list[int]) -> Tag | None:
    if squares == START:
        return Tag.BEGINPOS
    if squares == START[::-1]:
        return Tag.BEGINPOS_ROT
    if not any(squares):
        return Tag.EMPTYBOARD
    if all(squares[index] for index in OUTER_ROWS) and not any(squares[16:48]):
        return Tag.FOURROWS
    return None


def hours_minutes_seconds(seconds: int) -> tuple[int, int, int]:
    """Split *seconds* as the protocol can carry them: at most 9:59:59."""
    seconds = min(seconds, 9 * 3600 + 59 * 60 + 59)
    return seconds // 3600, seconds // 60 % 60, seconds % 60


def bcd(number: int) -> int:
    """Return 0..99 as two decimal digits in one byte."""
    return number // 10 << 4 | number % 10
