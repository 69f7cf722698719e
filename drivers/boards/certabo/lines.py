"""Cut a byte stream into lines of numbers, whatever was lost on the way."""

import re

from drivers.boards.certabo.protocol import (
    FILLER,
    LAMP_LINES,
    LONGEST_LINE,
    NUMBERS,
    RANK_NUMBERS,
    TAG_NUMBERS,
    THREE_COLOURS,
)
from drivers.events import Noise

_EDGE = re.compile(rb"[:\n]")
_START = ord(":")


class Lines:
    """Holds the bytes of the one line that is not complete yet, never more.

    A colon always begins a line, also where the end of the one before was lost. Over a radio the
    colon itself may be missing: then the line counts if the end of another was seen before it.
    There are no check digits: what a lost digit makes of a number cannot be noticed here.
    """

    def __init__(self) -> None:
        self._buffer = b""
        self._from_its_beginning = False
        self.coloured = False
        """Whether the board has said that its lamps have three colours."""

    def __len__(self) -> int:
        return len(self._buffer)

    def feed(self, data: bytes, at: float) -> list[bytes | Noise]:
        """Return the numbers of each line that *data* completes, and what was dropped."""
        pieces: list[bytes | Noise] = []
        self._buffer += data.translate(None, FILLER)
        while (edge := self._edge()) is not None:
            piece, self._buffer = self._buffer[:edge], self._buffer[edge:]
            numbers = self._numbers(piece)
            if numbers is None:
                pieces.append(Noise(at=at, data=piece.hex(" "), why="no line of a board"))
            elif numbers:
                pieces.append(bytes(numbers))
            self._from_its_beginning = piece.endswith(b"\n")
        return pieces

    def _edge(self) -> int | None:
        """Return where the first piece of the buffer ends, if it does."""
        found = _EDGE.search(self._buffer, pos=self._buffer[:1] == b":", endpos=LONGEST_LINE)
        if found is not None:
            return found.start() if found[0] == b":" else found.end()
        return LONGEST_LINE if len(self._buffer) >= LONGEST_LINE else None

    def _numbers(self, piece: bytes) -> list[int] | None:
        """Return the numbers of a line, none of a line without, ``None`` if it is no line."""
        begun = piece[0] == _START or self._from_its_beginning
        if not begun or not piece.endswith(b"\n"):
            return None
        words = piece.removeprefix(b":").split()
        if not words or (len(words) == 1 and words[0] in LAMP_LINES):
            self.coloured |= words == [THREE_COLOURS]
            return []
        numbers = [NUMBERS[word] for word in words if word in NUMBERS]
        whole = len(numbers) == len(words) in (TAG_NUMBERS, RANK_NUMBERS)
        return numbers if whole else None
