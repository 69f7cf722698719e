"""Frames of the row bus: commands of four bytes, replies with address and checksum.

Facts: vendor header "dgtbrd13" (2015), its checksum rule verified on real frames of a DGT
Centaur, which speaks the same way inside.
"""

import re
from collections.abc import Container
from typing import NamedTuple

from drivers.boards.dgt.protocol import LOG_LENGTH, BusCommand, BusMessage, Message
from drivers.events import Noise
from drivers.framing import MORE, Framer

EVERYBODY = 0
"""The address that means all boards."""
HIGHEST_ADDRESS = 0x3FFF

HEADER = 5
"""A reply begins with id, length / 128, length % 128 and the address in two such halves."""
FRAME = HEADER + 1
"""Bytes of a reply that carries no data: header and checksum."""
LONGEST_REPLY = FRAME + LOG_LENGTH - 3
"""A change stream is no longer than the ring it is written to, 7936 bytes."""

PAUSE = 0.5
"""Seconds without a byte after which the rest of a reply is not expected any more."""

LENGTHS: dict[int, Container[int]] = {
    BusMessage.BRD_DUMP: (FRAME + 64,),
    BusMessage.BWTIME: (FRAME + 7,),
    BusMessage.UPDATE: range(FRAME, LONGEST_REPLY + 1),
    BusMessage.FROM_START: range(FRAME, LONGEST_REPLY + 1),
    BusMessage.PING: (FRAME,),
    BusMessage.START_GAME_WRITTEN: (FRAME,),
    BusMessage.VERSION: (FRAME, FRAME + 2),  # boards up to version 1.2 send no data
    BusMessage.BRD_DUMP_50B: (FRAME + 50,),
}
"""The whole lengths each reply may have."""

STRAYS: dict[int, int] = {Message.FIELD_UPDATE: 5, Message.BWTIME: 10}
"""Whole lengths of what a board says unasked when it has left bus mode, without a checksum.

A position in single-board mode cannot be told from a reply by its first byte.
"""

_FIRST_BYTE = re.compile(rb"[\x80-\xff]")


class Reply(NamedTuple):
    """A reply whose checksum is right."""

    kind: BusMessage
    address: int
    data: bytes


class Stray(NamedTuple):
    """A message of a board that is not in bus mode."""

    data: bytes


def bus_command(command: BusCommand, address: int) -> bytes:
    """Return the four bytes of a command to the board with this address, or to everybody.

    >>> bus_command(BusCommand.SEND_CLK, 0x806).hex(" ")
    '81 10 06 17'
    """
    return sealed(bytes([command, address >> 7, address & 0x7F]))


def sealed(frame: bytes) -> bytes:
    """Return *frame* with its checksum: the sum of all bytes, of which seven bits are kept."""
    return frame + bytes([sum(frame) & 0x7F])


class BusFramer:
    """Holds the bytes of the one reply that is not complete yet, never more."""

    def __init__(self) -> None:
        self._framer = Framer(measure, longest=LONGEST_REPLY, pause=PAUSE)

    def __len__(self) -> int:
        return len(self._framer)

    def feed(self, data: bytes, at: float) -> list[Reply | Stray | Noise]:
        """Return the replies that *data*, come at time *at*, completes, and what was dropped.

        Dropped bytes that follow each other make one :class:`Noise` with the first reason.
        """
        pieces = self._framer.feed(data, at)
        return [piece if isinstance(piece, Noise) else _understood(piece) for piece in pieces]


def measure(buffer: bytes) -> tuple[int, str]:
    """Say what stands at the beginning of *buffer*.

    Only the first byte of a reply has bit 7 set; where another one has it, a new reply begins,
    whatever a damaged length says.
    """
    first = buffer[0]
    found = _FIRST_BYTE.search(buffer, 1)
    restart = found.start() if found else len(buffer)
    lengths = (STRAYS[first],) if first in STRAYS else LENGTHS.get(first)
    if lengths is None:
        return restart, f"no reply of a row begins with {first:#04x}"
    if restart >= 3:
        length = buffer[1] << 7 | buffer[2]
        if length not in lengths:
            return restart, f"reply {first:#04x} is never {length} bytes long"
        if restart >= length:
            whole = first in STRAYS or sealed(buffer[: length - 1]) == buffer[:length]
            return (length, "") if whole else (restart, "wrong checksum")
    return (restart, "cut short by the next reply") if found else MORE


def _understood(frame: bytes) -> Reply | Stray:
    if frame[0] in STRAYS:
        return Stray(frame)
    return Reply(BusMessage(frame[0]), frame[3] << 7 | frame[4], frame[HEADER:-1])
