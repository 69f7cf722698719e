"""What Certabo and Tabutronic boards say: lines of decimal numbers.

``:`` begins a line, numbers from 0 to 255 without leading zeros follow, carriage return and line
feed end it. 320 numbers are the 64 squares a8 … h8, …, a1 … h1 with five bytes of a tag each;
eight are the ranks from the eighth to the first, bit 7 the a-file. Facts: the vendor's own
software of 2020, several hosts, and frames recorded from two boards.
"""

from collections.abc import Collection

SQUARES = 64
TAG_BYTES = 5
TAG_NUMBERS = SQUARES * TAG_BYTES
RANK_NUMBERS = 8

NUMBERS = {str(number).encode("ascii"): number for number in range(256)}

LONGEST_LINE = len(":") + TAG_NUMBERS * len("255 ") + len("\r\n")

ONE_COLOUR, THREE_COLOURS = b"L", b"D"
LAMP_LINES = (ONE_COLOUR, THREE_COLOURS)
"""What a board with lamps of one colour, or of three, says between its lines, probably in answer
to a command for them. [two hosts]"""

COLOURED_BEGIN, _LAMPS_END = b"\xff\x55", b"\r\n"
CORNERS = 81
BLUE, _DARK = bytes((0, 0, 0x40)), bytes(3)
COLOURED_LENGTH = len(COLOURED_BEGIN) + CORNERS * len(BLUE) + len(_LAMPS_END)

FILLER = b"\x00\xff"
"""Bytes that may stand anywhere over Bluetooth LE and mean nothing. [one host]"""

MOST_ZEROS = 2
"""A tag has no more zero bytes than that; what reads more is no tag. [vendor's software]"""


def lamps_of(squares: Collection[int]) -> bytes:
    """Return the command for lamps of one colour: a byte for each rank, bit 0 the a-file.

    >>> lamps_of({12, 28}).hex(" ")
    '00 00 00 00 10 00 10 00'
    """
    ranks = [sum(1 << file for file in range(8) if 8 * r + file in squares) for r in range(8)]
    return bytes(reversed(ranks))


def corners_of(square: int) -> tuple[int, ...]:
    """Return the coloured lamps at the corners of a square: h1's is 0, a1's 8, a8's 80.

    >>> corners_of(12)
    (12, 13, 21, 22)
    """
    first = square // 8 * 9 + 7 - square % 8
    return first, first + 1, first + 9, first + 10


def coloured_lamps_of(squares: Collection[int]) -> bytes:
    """Return the command for lamps of three colours, which stand at the corners of squares.

    [three hosts]
    """
    lit = {lamp for square in squares for lamp in corners_of(square)}
    colours = b"".join(BLUE if lamp in lit else _DARK for lamp in range(CORNERS))
    return COLOURED_BEGIN + colours + _LAMPS_END
