"""Cut a DGT byte stream into whole messages, whatever was lost on the way.

Only the first byte of a message has bit 7 set, so that bit always tells where a new message
begins, even where a damaged length says otherwise.
"""

import re
from collections.abc import Container

from drivers.boards.dgt.protocol import (
    DRAUGHTS_DUMP_LENGTH,
    DUMP_LENGTH,
    HEADER,
    LOG_LENGTH,
    Message,
)
from drivers.events import Noise

LENGTHS: dict[int, Container[int]] = {
    Message.BOARD_DUMP: (DUMP_LENGTH, DRAUGHTS_DUMP_LENGTH),
    Message.BWTIME: (10,),
    Message.FIELD_UPDATE: (5,),
    Message.EE_MOVES: range(4, LOG_LENGTH + 1),
    Message.BUSADRES: (5,),
    Message.SERIALNR: (8, 12),
    Message.TRADEMARK: range(4, 1025),
    Message.VERSION: (5,),
    Message.BOARD_DUMP_50B: (53,),
    Message.BOARD_DUMP_50W: (53,),
    Message.HARDWARE_VERSION: (5,),
    Message.BATTERY_STATUS: (7, 12),
    Message.LONG_SERIALNR: (13, 14),
    Message.PEGASUS_UNKNOWN: (4,),
    Message.PEGASUS_LOCK_STATE: (4,),
    Message.PEGASUS_KEY_STATE: (4,),
}
"""The whole lengths each message may have.

Where editions of the vendor header disagree (serial number, battery) both are taken, and the
message's own length decides. A longer trademark than 1024 bytes has not been seen.
"""

PATIENCE = 1.0
"""Seconds in which a message has to be complete; the longest but one takes 0.2 s at 9600 baud."""

LOG_PATIENCE = 15.0
"""The same for EE_MOVES, which takes 8.3 s at 9600 baud and has been seen to take longer."""

_FIRST_BYTE = re.compile(rb"[\x80-\xff]")
_LOG_HEADER = bytes([Message.EE_MOVES, LOG_LENGTH >> 7, LOG_LENGTH & 0x7F])


class Framer:
    """Holds the bytes of the one message that is not complete yet, never more."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._since = 0.0

    def __len__(self) -> int:
        return len(self._buffer)

    @property
    def log_until(self) -> float:
        """Time until which a log may keep the line busy; 0 where none is arriving."""
        if len(self._buffer) > HEADER and self._buffer[0] == Message.EE_MOVES:
            return self._since + LOG_PATIENCE
        return 0.0

    def feed(self, data: bytes, at: float) -> list[bytes | Noise]:
        """Return the messages that *data*, come at time *at*, completes, and what was dropped.

        A message is whole, with one exception: of a full log that was cut off, what has come is
        returned, because nobody can ask for it again without blocking the line anew. Dropped
        bytes that follow each other make one :class:`Noise` with the first reason.
        """
        pieces: list[bytes | Noise] = []
        buffer = self._buffer
        start, kept, why = 0, 0, ""
        fresh = not buffer
        if buffer and at - self._since > self._patience():
            start = len(buffer)
            why = "not completed in time"
            if buffer.startswith(_LOG_HEADER):
                pieces.append(bytes(buffer))
                kept, why = start, ""
        buffer += data
        while start < len(buffer):
            stop, reason = self._piece(start)
            if stop == start:
                break
            if reason:
                why = why or reason
            else:
                if kept < start:
                    pieces.append(Noise(at=at, data=buffer[kept:start].hex(" "), why=why))
                pieces.append(bytes(buffer[start:stop]))
                kept, why = stop, ""
            start = stop
        if kept < start:
            pieces.append(Noise(at=at, data=buffer[kept:start].hex(" "), why=why))
        if start or fresh:
            del buffer[:start]
            self._since = at
        return pieces

    def _patience(self) -> float:
        return LOG_PATIENCE if self._buffer[0] == Message.EE_MOVES else PATIENCE

    def _piece(self, start: int) -> tuple[int, str]:
        """Return where the piece at *start* ends and why it is none (empty: it is a message).

        The end is *start* itself while more bytes are needed to know.
        """
        buffer = self._buffer
        found = _FIRST_BYTE.search(buffer, start + 1)
        restart = found.start() if found else len(buffer)
        first = buffer[start]
        lengths = LENGTHS.get(first)
        if lengths is None:
            why = "no message begins here" if first < 0x80 else f"unknown message id {first:#04x}"
            return restart, why
        if restart - start >= HEADER:
            length = buffer[start + 1] << 7 | buffer[start + 2]
            if length not in lengths:
                return restart, f"message {first:#04x} is never {length} bytes long"
            if restart - start >= length:
                return start + length, ""
        if not found:
            return start, ""
        if buffer.startswith(_LOG_HEADER, start):
            return restart, ""
        return restart, "cut short by the next message"
