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

_SEVEN_BITS = bytes(range(128)) * 2
_LINE_FEED = 0x0A
_TEXT = bytes(range(0x20, 0x7F)) + b"\r\n"


def measure(buffer: bytes) -> tuple[int, str]:
    """Say what stands at the beginning of *buffer*.

    Parity is not looked at: over Bluetooth some boards send none.
    """
    length = _length(buffer.translate(_SEVEN_BITS))
    return (1, "no message with its check") if length < 0 else (length, "")


def content(message: bytes) -> str:
    """Return the letter and the data of a whole *message*, without the check digits."""
    text = message.translate(_SEVEN_BITS).decode("ascii")
    return text if text.startswith("i") else text[:-CHECK_DIGITS]


def _length(plain: bytes) -> int:
    """Return the length of the message that begins *plain*; 0: not complete; -1: there is none."""
    letter = plain[0]
    if letter == IDENTIFICATION[0]:
        return _length_of_identification(plain[:LONGEST_IDENTIFICATION])
    if letter not in REPLIES:
        return -1
    size, allowed = REPLIES[letter]
    end = 1 + size
    check = plain[end : end + CHECK_DIGITS]
    if plain[1:end].translate(None, allowed) or check.translate(None, HEX):
        return -1
    if len(plain) < end + CHECK_DIGITS:
        return 0
    return end + CHECK_DIGITS if check.upper() == check_of(plain[:end]) else -1


def _length_of_identification(plain: bytes) -> int:
    """Return the same for a board's name, which runs into what follows if its end was lost."""
    end = plain.find(_LINE_FEED) + 1
    known = plain[:end] if end else plain
    begins = known[: len(IDENTIFICATION)] == IDENTIFICATION[: len(known)]
    too_long = not end and len(known) == LONGEST_IDENTIFICATION
    if not begins or too_long or known.translate(None, _TEXT) or known.find(IDENTIFICATION, 1) > 0:
        return -1
    inside = range(len(IDENTIFICATION), len(known))
    if any(known[place] in REPLIES and _length(known[place:]) > 0 for place in inside):
        return -1
    return end
