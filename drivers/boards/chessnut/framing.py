"""Cut a Chessnut byte stream into messages.

A message has no check. What guards it is its length, which of them an operation may have, and
what may stand in it. A message that lost a byte takes the first bytes of the next one for its
own: so when nothing begins where the next should, its end is looked at again.
"""

from collections.abc import Mapping

from drivers.boards.chessnut.protocol import HEADER, LONGEST, Shape
from drivers.events import Noise

WHOLE, OPEN, NONE = "whole", "open", "none"


class Framer:
    """Holds the bytes of the one message that is not complete yet.

    ``_before`` is the message right before them, and what filled up its report; the first
    ``_borrowed`` of them are of its end.
    """

    def __init__(self, shapes: Mapping[int, Shape]) -> None:
        self._shapes = shapes
        self._buffer = bytearray()
        self._before = b""
        self._borrowed = 0
        self._padded = False

    def __len__(self) -> int:
        return len(self._buffer)

    def feed(self, data: bytes, at: float) -> list[bytes | Noise]:
        """Return the messages that *data*, come at time *at*, completes, and what was dropped.

        Zeros behind a message fill its report up and are no noise. Dropped bytes that follow
        each other make one :class:`Noise`.
        """
        self._buffer += data
        pieces: list[bytes | Noise] = []
        dropped = bytearray()
        while self._buffer:
            state = self._state(bytes(self._buffer[:LONGEST]))
            if state is OPEN:
                break
            if state is WHOLE:
                self._tell(dropped, pieces, at)
                pieces.append(self._take())
            elif not self._skip() and not self._borrow():
                self._padded = False
                dropped += self._buffer[:1]
                del self._buffer[:1]
        self._tell(dropped, pieces, at)
        return pieces

    def _state(self, data: bytes) -> str:
        """Say whether *data* begins with a message, may become one, or is none."""
        shape = self._shapes.get(data[0])
        if shape is None:
            return NONE
        if len(data) < HEADER:
            return OPEN
        end = HEADER + data[1]
        if data[1] not in shape.lengths or not shape.fits(data[HEADER:end]):
            return NONE
        return OPEN if len(data) < end else WHOLE

    def _take(self) -> bytes:
        end = HEADER + self._buffer[1]
        message = bytes(self._buffer[:end])
        del self._buffer[:end]
        self._before, self._borrowed, self._padded = message, 0, True
        return message

    def _skip(self) -> bool:
        """Pass over a zero that fills up the report of the message before."""
        if not self._padded or self._buffer[0]:
            return False
        del self._buffer[:1]
        self._before = (self._before + b"\0")[-2 * LONGEST :]
        return True

    def _borrow(self) -> bool:
        """Take back more of the message before, to where a message may begin in it."""
        own = bytes(self._buffer[self._borrowed :])
        for borrowed in range(self._borrowed + 1, len(self._before)):
            candidate = self._before[-borrowed:] + own[:LONGEST]
            # One that was there in whole is a chance of the squares, and not the next message.
            if self._state(candidate) is not NONE and HEADER + sum(candidate[1:2]) > borrowed:
                self._buffer = bytearray(self._before[-borrowed:] + own)
                self._borrowed = borrowed
                return True
        self._buffer, self._borrowed, self._before = bytearray(own), 0, b""
        return False

    def _tell(self, dropped: bytearray, pieces: list[bytes | Noise], at: float) -> None:
        if dropped:
            pieces.append(Noise(at=at, data=dropped.hex(" "), why="no message begins here"))
            dropped.clear()
