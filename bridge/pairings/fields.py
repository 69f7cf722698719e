"""The fields that all formats have: names, titles, ratings, numbers, positions."""

import re

from bridge.core.timecontrol import TimeControlError, parse_time_control
from bridge.pairings.model import Findings
from bridge.pairings.texts import shown, tidy

LONGEST_NAME = 100
LARGEST_RATING = 4000
LARGEST_FIDE_ID = 999_999_999
LARGEST_BOARD = 9999
CHESS960_POSITIONS = 960

_NOBODY = {"", "?", "-", "bye", "spielfrei", "freilos", "unknown", "n.n.", "nn", "not paired"}
_NO_NUMBER = {"", "0", "?", "-"}
_TITLES = {
    **{title.lower(): title for title in ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")},
    **{title.lower(): title for title in ("AGM", "AIM", "AFM", "ACM", "NM", "WNM", "LM", "BOT")},
    # TRF of before 2016 has one or two small letters.
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "wg": "WGM",
    "wm": "WIM",
    "wf": "WFM",
    "wc": "WCM",
}
_VARIANTS = {"chess960", "chess 960", "fischerandom", "fischerrandom", "freestyle"}
_USUAL = {"", "?", "standard", "normal", "chess", "from position"}


class Cell:
    """One field of a file: its text, where it stands and what it is called in messages."""

    def __init__(
        self, text: str, *, line: int, column: int, label: str, findings: Findings
    ) -> None:
        self.text = tidy(text)
        self._raw, self._line, self._column = text, line, column
        self._label, self._findings = label, findings

    def name(self) -> str:
        """Return the name of a player or a team, empty for nobody."""
        if self.text.lower() in _NOBODY:
            return ""
        if len(self.text) > LONGEST_NAME:
            self.refuse(
                f"{self._label} has {len(self.text)} characters",
                f"write a name of at most {LONGEST_NAME}",
            )
            return ""
        if not self._raw.strip().isprintable():
            self.note("line breaks or invisible characters are left out", "write it in one line")
        return self.text

    def title(self) -> str:
        """Return the title in FIDE's letters, empty if there is none."""
        text = self.text.rstrip(".")
        if text in ("", "-", "?"):
            return ""
        found = _TITLES.get(text.lower(), "")
        if not found:
            self.note(f"'{shown(text)}' is left out", "write a title like WIM")
        return found

    def rating(self) -> int | None:
        """Return a rating; 0 is none."""
        return self._number(LARGEST_RATING)

    def fide_id(self) -> int | None:
        """Return a number of FIDE's list; 0 is none."""
        return self._number(LARGEST_FIDE_ID)

    def federation(self) -> str:
        """Return a federation in FIDE's three letters, empty if there is none."""
        if self.text in ("", "-", "?"):
            return ""
        if not re.fullmatch(r"[A-Za-z]{3}", self.text):
            self.note(f"'{shown(self.text)}' is left out", "write three letters like NED")
            return ""
        return self.text.upper()

    def board(self) -> tuple[int | None, int | None]:
        """Return match and board from ``12`` or ``3.12``, ``None`` for what is not told."""
        if self.text in _NO_NUMBER:
            return None, None
        found = re.fullmatch(r"(?:([1-9][0-9]{0,3})[./-])?([1-9][0-9]{0,3})\.?", self.text)
        if found is None:
            self._no_number(LARGEST_BOARD)
            return None, None
        return (None if found[1] is None else int(found[1])), int(found[2])

    def time_control(self) -> str:
        """Return a time control as in PGN, empty if it is none that is understood."""
        if self.text in ("", "?"):
            return ""
        try:
            parse_time_control(self.text)
        except TimeControlError:
            self.note(
                f"time control '{shown(self.text)}' is not understood and is left out",
                "set 'event: time_control'",
            )
            return ""
        return self.text

    def chess960(self) -> bool:
        """Return whether a variant is Chess960; any other is refused."""
        variant = self.text.lower()
        if variant not in _VARIANTS | _USUAL:
            self.refuse(f"{self._label} is '{shown(self.text)}'", "write Chess960 or nothing")
        return variant in _VARIANTS

    def start(self, *, chess960: bool) -> tuple[str | None, bool]:
        """Return the FEN of a start position and whether it is one of Chess960.

        It is written as FEN, or as the number of a position of Chess960.
        """
        if self.text in ("", "-", "?"):
            return None, chess960
        import chess  # slow to import, seldom needed

        if self.text.isascii() and self.text.isdigit():
            if len(self.text) > len(str(CHESS960_POSITIONS)) or int(self.text) >= 960:
                self._no_number(CHESS960_POSITIONS - 1)
                return None, True
            return chess.Board.from_chess960_pos(int(self.text)).fen(), True
        try:
            board = chess.Board(self.text, chess960=chess960)
        except ValueError:
            board = None
        if board is None or board.status():
            self.refuse(
                f"{self._label} is no legal position",
                "write FEN, with the variant Chess960 where it is one, or a number from 0 to 959",
            )
            return None, chess960
        return self.text, chess960

    def refuse(self, what: str, remedy: str) -> None:
        """Refuse the file for this field."""
        self._findings.refuse(self._line, self._column, what, remedy)

    def note(self, what: str, remedy: str) -> None:
        """Say what was put right in this field."""
        self._findings.note(self._line, self._column, f"{self._label}: {what}", remedy)

    def _number(self, most: int) -> int | None:
        if self.text in _NO_NUMBER:
            return None
        if not re.fullmatch(r"[0-9]{1,10}", self.text) or int(self.text) > most:
            self._no_number(most)
            return None
        return int(self.text) or None

    def _no_number(self, most: int) -> None:
        self.refuse(f"{self._label} is '{shown(self.text)}'", f"write a whole number up to {most}")
