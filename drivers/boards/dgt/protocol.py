"""The numbers of the DGT board protocol: commands, message ids, piece codes, log tags.

Both sides of the wire are described here, so that a simulated board and the codec can disagree
only about behaviour. Facts: the vendor header "dgtbrd13" in its editions of 1998, 2012 and 2015,
checked against byte streams of real boards wherever one shows the fact.
"""

from enum import IntEnum
from typing import Literal


class Command(IntEnum):
    """What a computer sends to a board in single-board mode: one byte each.

    ``CLOCK_MESSAGE``, ``SET_LEDS`` and ``DEVELOPER_KEY`` are followed by a length and data. The
    key and the two questions about it are understood by a Pegasus alone.
    """

    SEND_RESET = 0x40
    SEND_CLK = 0x41
    SEND_BRD = 0x42
    SEND_UPDATE = 0x43
    SEND_UPDATE_BRD = 0x44
    RETURN_SERIALNR = 0x45
    RETURN_BUSADRES = 0x46
    SEND_TRADEMARK = 0x47
    SEND_HARDWARE_VERSION = 0x48
    SEND_EE_MOVES = 0x49
    TO_BUSMODE = 0x4A
    SEND_UPDATE_NICE = 0x4B
    SEND_BATTERY_STATUS = 0x4C
    SEND_VERSION = 0x4D
    STARTBOOTLOADER = 0x4E
    SEND_BRD_50B = 0x50
    SCAN_50B = 0x51
    SEND_BRD_50W = 0x52
    SCAN_50W = 0x53
    SCAN_100 = 0x54
    RETURN_LONG_SERIALNR = 0x55
    SEND_LOCK_STATE = 0x59
    SEND_KEY_STATE = 0x5A
    SET_LEDS = 0x60
    DEVELOPER_KEY = 0x63
    CLOCK_MESSAGE = 0x2B


class Message(IntEnum):
    """The first byte of what a board sends in single-board mode, bit 7 included."""

    BOARD_DUMP = 0x86
    BWTIME = 0x8D
    FIELD_UPDATE = 0x8E
    EE_MOVES = 0x8F
    BUSADRES = 0x90
    SERIALNR = 0x91
    TRADEMARK = 0x92
    VERSION = 0x93
    BOARD_DUMP_50B = 0x94
    BOARD_DUMP_50W = 0x95
    HARDWARE_VERSION = 0x96
    BATTERY_STATUS = 0xA0
    LONG_SERIALNR = 0xA2
    PEGASUS_UNKNOWN = 0xA3
    PEGASUS_LOCK_STATE = 0xA4
    PEGASUS_KEY_STATE = 0xA5


class BusCommand(IntEnum):
    """What a computer sends to a row of boards: four bytes with address and checksum."""

    SEND_CLK = 0x81
    SEND_BRD = 0x82
    SEND_CHANGES = 0x83
    REPEAT_CHANGES = 0x84
    SET_START_GAME = 0x85
    SEND_FROM_START = 0x86
    PING = 0x87
    END_BUSMODE = 0x88
    RESET = 0x89
    IGNORE_NEXT_BUS_PING = 0x8A
    SEND_VERSION = 0x8B
    SEND_BRD_50B = 0x8C
    SEND_ALL_D = 0x8D
    RANDOMIZE_PING = 0x92


class BusMessage(IntEnum):
    """The first byte of what a board sends in bus mode; some numbers mean another thing there."""

    BRD_DUMP = 0x83
    BWTIME = 0x84
    UPDATE = 0x85
    FROM_START = 0x86
    PING = 0x87
    START_GAME_WRITTEN = 0x88
    VERSION = 0x89
    BRD_DUMP_50B = 0x8A


HEADER = 3
"""Every message begins with id, length / 128 and length % 128; the length counts these three."""

DUMP_LENGTH = 67
DRAUGHTS_DUMP_LENGTH = 103
LOG_LENGTH = 7939
"""Length of EE_MOVES as a real board sends it: the whole ring of 7936 bytes behind the header."""

PIECE_CODES: dict[int, str] = dict(enumerate(".PRNBKQprnbkq"))
"""Piece code to letter. Codes 13 to 15 are no chess pieces, see :data:`RESULT_PIECES`."""

CODE_OF_PIECE: dict[str, int] = {letter: code for code, letter in PIECE_CODES.items()}


class Tag(IntEnum):
    """One-byte tags of the board's log (EE_MOVES) and of the change stream in bus mode.

    Square changes are two bytes, ``010r nnnn`` and ``00ii iiii``: r set when less than about
    250 ms passed since the previous one, n the new piece code, i the square index. Clock times
    are three: ``0110 hhhh`` (right) or ``0111 hhhh`` (left), minutes and seconds in BCD.
    """

    NOP2 = 0x00
    POWERUP = 0x6A
    EOF = 0x6B
    FOURROWS = 0x6C
    EMPTYBOARD = 0x6D
    DOWNLOADED = 0x6E
    BEGINPOS = 0x6F
    BEGINPOS_ROT = 0x7A
    START_TAG = 0x7B
    WATCHDOG_ACTION = 0x7C
    NOP = 0x7F


class ClockCommand(IntEnum):
    """Fourth byte of a CLOCK_MESSAGE, and what its acknowledgement names."""

    DISPLAY = 0x01
    ICONS = 0x02
    END = 0x03
    BUTTON = 0x08
    VERSION = 0x09
    SETNRUN = 0x0A
    BEEP = 0x0B
    ASCII = 0x0C


class ClockReport(IntEnum):
    """What a clock says unasked in the place of an acknowledged command."""

    READY = 0x81
    BUTTON = 0x88
    HOST_MODE = 0x8A
    NOT_IN_HOST_MODE = 0x90


CLOCK_OK = 0x10
"""First byte of an acknowledgement that reports success; anything else is a failure."""

BUTTON_CODES: dict[int, str] = {0x31: "back", 0x34: "minus", 0x33: "run", 0x32: "plus", 0x35: "ok"}
"""Fourth byte of a button report to the button's name."""

BUTTON_MASK: dict[int, str] = {0x04: "back", 0x20: "minus", 0x10: "run", 0x08: "plus", 0x40: "ok"}
"""Bits of the third byte of a button report; two are set when two buttons were held."""

RESULT_PIECES: dict[int, Literal["1-0", "0-1", "1/2-1/2"]] = {
    0x0D: "1/2-1/2",
    0x0E: "1-0",
    0x0F: "0-1",
}
"""Codes of the result pieces of newer sets."""


def square_of_index(index: int) -> int:
    """Return the python-chess square (a1 = 0) of a board's square index (a8 = 0), 0..63.

    This is the board's own numbering, White in the normal seat.

    >>> square_of_index(0), square_of_index(52)
    (56, 12)
    """
    return index ^ 56


def index_of_square(square: int) -> int:
    """Return the board's square index (a8 = 0) of a python-chess square (a1 = 0), 0..63.

    >>> index_of_square(12)
    52
    """
    return square ^ 56
