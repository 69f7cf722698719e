"""The words of the ChessLink protocol, both sides of the wire.

A message is a letter, printable data and two hexadecimal digits: the exclusive or of all 7-bit
codes before them. Bit 7 of each character is its odd parity. There is neither a start byte nor
a length. Facts: the vendor's protocol note of 2017, two independent hosts, and one recorded
exchange with an Exclusive over Bluetooth.
"""

from collections.abc import Collection
from functools import reduce
from operator import xor

PIECES = b"KQRNBPkqrnbp."
HEX = b"0123456789ABCDEFabcdef"
SQUARES = 64
CHECK_DIGITS = 2

REPLIES: dict[int, tuple[int, bytes]] = {
    ord("s"): (SQUARES, PIECES),
    ord("v"): (4, HEX),
    ord("r"): (4, HEX),
    ord("w"): (4, HEX),
    ord("l"): (0, b""),
    ord("x"): (0, b""),
}
"""Letter of a board's message to the length of its data and the characters these may be."""

IDENTIFICATION = b"i00"
"""Begins the board's name, which ends with a line feed and has no check. [one host]"""

LONGEST_IDENTIFICATION = 40
"""Bytes after which no line feed is expected any more; the names seen have eight."""

LONGEST = 1 + SQUARES + CHECK_DIGITS

READ_CHECKING, READ_SCAN, READ_REPORTS = "R00", "R01", "R02"
STATUS, VERSION, IDENTIFY = "S", "V", "I00"

LAMPS_OFF = "X"
LAMPS = 81
"""Lamps at the corners of squares, nine to a line that goes along a file. (vendor's note)"""

_LAMP_LINE = 9
_SLOT = "22"
"""Time of one of the eight slots of a pattern, as hosts set it; with one that is steady any will
do."""

_STEADY, _DARK = "FF", "00"

SCAN_UNIT = 0.002048
"""Seconds of one unit of register 01, the time of a scan."""

SUITABLE = {"00": "00", "01": "14", "02": "03"}
"""Registers that suit a host that writes games down: check bytes wanted, 24 scans a second,
and a report on any change instead of every scan. All are the board's own but the last."""

_PARITY = bytes(code | 0x80 * (code.bit_count() % 2 == 0) for code in range(128))


def check_of(text: bytes) -> bytes:
    """Return the two check digits of *text*, which is the letter and the data in 7 bits.

    >>> check_of(b"S"), check_of(b"W0203")
    (b'53', b'56')
    """
    return b"%02X" % reduce(xor, text)


def message(text: str, *, parity: bool = True) -> bytes:
    """Return *text* with check digits, as it goes over the wire.

    >>> message("V").hex(" ")
    'd6 b5 b6'
    """
    plain = text.encode("ascii")
    plain += check_of(plain)
    return plain.translate(_PARITY + bytes(128)) if parity else plain


def corners_of(square: int) -> tuple[int, ...]:
    """Return the lamps at the corners of a square, counted from the corner of h1.

    >>> corners_of(12)
    (28, 29, 37, 38)
    """
    first = (7 - square % 8) * _LAMP_LINE + square // 8
    return first, first + 1, first + _LAMP_LINE, first + _LAMP_LINE + 1


def lamps_of(squares: Collection[int]) -> str:
    """Return the command that lights the corners of *squares*; neighbours have some in common."""
    if not squares:
        return LAMPS_OFF
    lit = {lamp for square in squares for lamp in corners_of(square)}
    return f"L{_SLOT}" + "".join(_STEADY if lamp in lit else _DARK for lamp in range(LAMPS))


def cells_of(letters: str) -> str:
    """Return the cells (a1 first) of a status's 64 letters, and the letters of cells.

    The first letter is h1, where the cable is on White's right as it usually is. A board with
    the cable on the left tells the same turned by half a turn, which is not for the driver.
    """
    return "".join([letters[row : row + 8][::-1] for row in range(0, SQUARES, 8)])
