"""What goes over the wire: an operation, a length, and as many bytes.

Sources, nothing of it seen on a board of ours:

* SDK: the maker's library EasyLinkSDK, for boards on USB.
* API: the maker's pages Chessnut_eBoards (Bluetooth LE) and chess_move_api (Move).
* PIC, BB: the hosts picochess and BearChess. UC: an emulator whose author listened to an Air.
"""

from collections.abc import Callable, Collection, Container, Sequence
from enum import IntEnum
from typing import NamedTuple

HEADER = 2
SQUARE_BYTES = 32

LETTERS = ".qkbpnRPrBNQK"
"""Code of a piece to its letter (API, SDK); with 13 to 15 in it a position is ignored (PIC)."""

REPORT_LENGTH = 65
"""A report of a position on USB (SDK): number 1, 61 as the length of what follows, two more."""

LONGEST = REPORT_LENGTH

POSITION_LENGTHS = (34, 35, 36, 61)
"""What follows the length of a position: 32 bytes of squares, and something. 34 (API), 36 (UC: a
real Air), "36 to 38 bytes" in all (hosts), 61 (SDK). Others would make more of a damaged stream
look like a position."""

REAL_TIME = bytes((0x21, 1, 0))
"""Starts the reports (API, SDK). The board forgets it when the connection ends (PIC, SDK)."""

UPLOAD = bytes((0x21, 1, 1))
"""Stops the reports; stored games can be asked for (SDK)."""

BATTERY = bytes((0x29, 1, 0))
MCU_VERSION = bytes((0x27, 1, 1))
RADIO_VERSION = bytes((0x27, 1, 0))
STORED_GAMES = bytes((0x31, 1, 0))
GET_GAME = (bytes((0x33, 1, 0)), bytes((0x34, 1, 1)))
MOVE_BATTERY = bytes((0x41, 1, 0x0C))
"""Move answers ``29`` with an empty battery, and this with the true one (API)."""

LAMPS = bytes((0x0A, 8))
"""Begins a message about lamps: the eight ranks from the eighth on follow, bit 7 the a-file (API,
SDK). It is about all 64."""

MOVE_LAMPS = bytes((0x43, 0x20))
"""The same of a Move: a colour for each square, as many bits as a man (chess_move_api)."""

RED = 1
PACE = 0.2
"""Seconds between two writes, which the maker's library keeps (SDK)."""

REPORT_EVERY = 0.2
"""Seconds between two reports, whether or not something changed (an independent document)."""


class Reply(IntEnum):
    """What a board sends.

    ``VERSION`` is inferred: the SDK takes any answer, and other answers have the number of the
    question and one more.
    """

    POSITION = 0x01
    CONFIRMED = 0x23
    VERSION = 0x28
    BATTERY = 0x2A
    STORED_GAMES = 0x32
    TRANSFER = 0x37
    MOVE = 0x41


class Transfer(IntEnum):
    """What ``TRANSFER`` says: a stored game begins, or it has ended (SDK)."""

    BEGIN = 0xBE
    END = 0xED


class Shape(NamedTuple):
    """What follows an operation: which lengths there are, and whether bytes so far may be it."""

    lengths: Container[int]
    fits: Callable[[bytes], bool] = lambda payload: True  # noqa: ARG005 - any bytes fit


_PIECES = bytes(high << 4 | low for high in range(len(LETTERS)) for low in range(len(LETTERS)))
_TEXT = bytes((0, *range(0x20, 0x7F)))

CLASSIC: dict[int, Shape] = {
    Reply.POSITION: Shape(
        POSITION_LENGTHS,
        lambda payload: not payload[:SQUARE_BYTES].translate(None, _PIECES),
    ),
    Reply.CONFIRMED: Shape((1,)),
    Reply.VERSION: Shape(
        range(2, REPORT_LENGTH - HEADER), lambda payload: not payload[1:].translate(None, _TEXT)
    ),
    Reply.BATTERY: Shape((2,)),
    Reply.STORED_GAMES: Shape((1,)),
    Reply.TRANSFER: Shape((1,), lambda payload: not payload.translate(None, bytes(Transfer))),
}
"""What Air, Air+, Pro and Go send."""

MOVE = CLASSIC | {Reply.MOVE: Shape((3,), lambda payload: payload[:1] in {b"", MOVE_BATTERY[2:]})}
"""What Move sends, as far as it is asked for it."""


def cells_of(squares: bytes) -> str:
    """Return the 64 cells of 32 bytes: the lower half of the first is h8, the upper one g8."""
    letters = [LETTERS[code] for byte in squares for code in (byte & 0x0F, byte >> 4)]
    return "".join(reversed(letters))


def squares_of(cells: str) -> bytes:
    """Return the 32 bytes that tell *cells*."""
    return _halves([LETTERS.index(letter) for letter in reversed(cells)])


def lamps_of(squares: Collection[int]) -> bytes:
    """Return the message that lights *squares* of a board with lamps of one colour.

    >>> lamps_of({12, 28}).hex(" ")
    '0a 08 00 00 00 00 08 00 08 00'
    """
    ranks = [sum(0x80 >> file for file in range(8) if 8 * r + file in squares) for r in range(8)]
    return LAMPS + bytes(reversed(ranks))


def move_lamps_of(squares: Collection[int]) -> bytes:
    """Return the message that lights *squares* of a Move in red."""
    return MOVE_LAMPS + _halves([RED * (square in squares) for square in reversed(range(64))])


def _halves(codes: Sequence[int]) -> bytes:
    """Return 64 codes, h8 g8 ... a1, two in a byte: the lower half comes first."""
    return bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True))
