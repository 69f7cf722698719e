"""What Certabo and Tabutronic boards say: lines of decimal numbers.

``:`` begins a line, numbers from 0 to 255 without leading zeros follow, carriage return and line
feed end it. 320 numbers are the 64 squares a8 … h8, …, a1 … h1 with five bytes of a tag each;
eight are the ranks from the eighth to the first, bit 7 the a-file. Facts: the vendor's own
software of 2020, several hosts, and frames recorded from two boards.
"""

SQUARES = 64
TAG_BYTES = 5
TAG_NUMBERS = SQUARES * TAG_BYTES
RANK_NUMBERS = 8

NUMBERS = {str(number).encode("ascii"): number for number in range(256)}

LONGEST_LINE = len(":") + TAG_NUMBERS * len("255 ") + len("\r\n")

LAMP_LINES = (b"L", b"D")
"""What a board with lamps of one colour, or of three, says between its lines, probably in answer
to a command for them. [two hosts]"""

FILLER = b"\x00\xff"
"""Bytes that may stand anywhere over Bluetooth LE and mean nothing. [one host]"""

MOST_ZEROS = 2
"""A tag has no more zero bytes than that; what reads more is no tag. [vendor's software]"""
