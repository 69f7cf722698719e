"""Cut a ChessLink byte stream into checked messages.

Nothing marks where a message begins, and the letters of a position are letters of messages too.
So a message is believed to begin wherever a known letter is followed by what may follow it, up
to the check digits; what does not fit is dropped a byte at a time.
"""

from drivers.boards.millennium.protocol import (
    CHECK_DIGITS,
    HEX,
    IDENTIFICATION,
    LONGEST_IDENTIFICATION,
    REPLIES,
    check_of,
)
from drivers.events import Noise

_SEVEN_BITS = bytes(range(128)) * 2
_LINE_FEED = 0x0A
_TEXT = bytes(range(0x20, 0x7F)) + b"\r\n"


class Framer:
    """Holds the bytes of the one message that is not complete yet, never more."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def __len__(self) -> int:
        return len(self._buffer)

    def feed(self, data: bytes, at: float) -> list[bytes | Noise]:
        """Return the messages that *data*, come at time *at*, completes, and what was dropped.

        Parity is not looked at: over Bluetooth some boards send none. A message is its letter
        and its data in 7 bits, without the check digits. Dropped bytes that follow each other
        make one :class:`Noise`, with all eight bits.
        """
        pieces: list[bytes | Noise] = []
        self._buffer += data
        plain = bytes(self._buffer.translate(_SEVEN_BITS))
        start = kept = 0
        while start < len(plain):
            length = _length(plain, start)
            if length == 0:
                break
            if length < 0:
                start += 1
                continue
            if kept < start:
                pieces.append(self._noise(kept, start, at))
            pieces.append(_content(plain[start : start + length]))
            start = kept = start + length
        if kept < start:
            pieces.append(self._noise(kept, start, at))
        del self._buffer[:start]
        return pieces

    def _noise(self, start: int, end: int, at: float) -> Noise:
        return Noise(at=at, data=self._buffer[start:end].hex(" "), why="no message with its check")


def _content(message: bytes) -> bytes:
    return message if message.startswith(b"i") else message[:-CHECK_DIGITS]


def _length(plain: bytes, start: int) -> int:
    """Return the length of the message at *start*; 0: it is not complete; -1: there is none."""
    letter = plain[start]
    if letter == IDENTIFICATION[0]:
        return _length_of_identification(plain[start : start + LONGEST_IDENTIFICATION])
    if letter not in REPLIES:
        return -1
    size, allowed = REPLIES[letter]
    end = start + 1 + size
    check = plain[end : end + CHECK_DIGITS]
    if plain[start + 1 : end].translate(None, allowed) or check.translate(None, HEX):
        return -1
    if len(plain) < end + CHECK_DIGITS:
        return 0
    return 1 + size + CHECK_DIGITS if check.upper() == check_of(plain[start:end]) else -1


def _length_of_identification(plain: bytes) -> int:
    """Return the same for a board's name, which runs into what follows if its end was lost."""
    end = plain.find(_LINE_FEED) + 1
    known = plain[:end] if end else plain
    begins = known[: len(IDENTIFICATION)] == IDENTIFICATION[: len(known)]
    too_long = not end and len(known) == LONGEST_IDENTIFICATION
    if not begins or too_long or known.translate(None, _TEXT) or known.find(IDENTIFICATION, 1) > 0:
        return -1
    inside = range(len(IDENTIFICATION), len(known))
    if any(known[place] in REPLIES and _length(known, place) > 0 for place in inside):
        return -1
    return end
