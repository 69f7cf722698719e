"""The lines that a Novag Citrine writes, each ended by CR LF.

Facts: the maker's description of the protocol and lines that users have printed. How a capture
en passant is marked was never printed: ``ep`` may follow a move.
"""

import re

from drivers.framing import MORE

LONGEST = 80
"""The longest line that was printed has 30 characters."""

CAPTION = "Position Board"

_MOVE = re.compile(
    r"([MT])\s+\d+(,?)\s+(?:([a-h][1-8])[-x]([a-h][1-8])(?:/([QRBN]))?|(O-O(?:-O)?))"
    r"(?:\s*ep)?\s*[+#]*\s*\|?"
)
_IDENTITY = re.compile(r"ID\.\s*(\S.*)")
_TIME = re.compile(r"(\d\d):([0-5]\d):([0-5]\d)")
_RANK = re.compile(r"\.([1-8]) (.{23})(?: [1-8]\+?)?\s*")
_HEADER = re.compile(r"\.\s+aa bb cc dd ee ff gg hh\s*")
_CASTLING = {("O-O", False): "e1g1", ("O-O", True): "e8g8"} | {
    ("O-O-O", False): "e1c1",
    ("O-O-O", True): "e8c8",
}


def measure(buffer: bytes) -> tuple[int, str]:
    """Say what stands at the beginning of *buffer*: a line, if it is text."""
    end = buffer.find(b"\n") + 1
    for n, byte in enumerate(buffer[: end or None]):
        if not (32 <= byte < 127 or byte in b"\r\n"):
            return n + 1, "a byte that is no text"
    return (end, "") if end else MORE


def move_of(line: str) -> tuple[bool, str] | None:
    """Return whether a line takes a move back, and the move; ``None`` if it tells no move."""
    found = _MOVE.fullmatch(line)
    if found is None:
        return None
    what, comma, origin, target, promotion, castling = found.groups()
    if castling:
        return what == "T", _CASTLING[castling, bool(comma)]
    return what == "T", f"{origin}{target}{(promotion or '').lower()}"


def identity_of(line: str) -> str | None:
    """Return what the unit calls itself, if *line* says so."""
    found = _IDENTITY.fullmatch(line)
    return found[1].strip() if found else None


def seconds_of(line: str) -> list[int]:
    """Return the times in a line, in seconds."""
    return [int(h) * 3600 + int(m) * 60 + int(s) for h, m, s in _TIME.findall(line)]


class PositionReader:
    """Puts the lines of a printed position together."""

    def __init__(self) -> None:
        self._ranks: list[str] | None = None

    def takes(self, line: str) -> bool:
        """Take *line* if it belongs to a position; one that is out of order ends it."""
        if line.strip() == CAPTION:
            self._ranks = []
            return True
        if self._ranks is None:
            return False
        if _HEADER.fullmatch(line):
            return True
        found = _RANK.fullmatch(line)
        if found is None:
            return False
        letters = _letters(found[2], rank=int(found[1]) - 1)
        if letters is None or int(found[1]) != 8 - len(self._ranks):
            self._ranks = None
            return False
        self._ranks.append(letters)
        return True

    def whole(self) -> str | None:
        """Return the 64 cells once all ranks have come; then it begins anew."""
        if self._ranks is None or len(self._ranks) < 8:
            return None
        cells, self._ranks = "".join(reversed(self._ranks)), None
        return cells


def _letters(text: str, *, rank: int) -> str | None:
    """Return the letters of a rank of eight cells, two characters wide and three apart.

    Only dark squares that are empty are dotted, which shows whether the columns are whole.
    """
    letters = [
        _letter(text[3 * file : 3 * file + 2], dark=(file + rank) % 2 == 0) for file in range(8)
    ]
    return None if "" in letters else "".join(letters)


def _letter(cell: str, *, dark: bool) -> str:
    """Return what a cell shows, nothing where it shows what cannot be."""
    if cell == ("::" if dark else "  "):
        return "."
    colour, man = cell[0], cell[1]
    if colour == "W":
        return man if man in "PNBRQK" else ""
    return man if colour == "b" and man in "pnbrqk" else ""
