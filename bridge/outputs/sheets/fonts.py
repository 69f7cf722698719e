"""The fonts that come with the program, so that a sheet prints alike on every machine.

They are subsets of Noto fonts under the SIL Open Font License (``fonts/OFL.txt``).
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent / "fonts"

SPACES = "\t\n\u200b\u200c\u200d\u200e\u200f"
"""What needs no letter in any font."""


class Family(NamedTuple):
    """A font in two weights; scripts that need none have the same file for both."""

    name: str
    regular: Path
    bold: Path

    def letters(self) -> frozenset[int]:
        """Return the code points it has."""
        return _letters(self.regular)


def _family(name: str, regular: str, bold: str | None = None) -> Family:
    return Family(name, FOLDER / regular, FOLDER / (bold or regular))


FAMILIES = (
    _family("sans", "NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    _family("devanagari", "NotoSansDevanagari-Regular.ttf"),
    _family("malayalam", "NotoSansMalayalam-Regular.ttf"),
    _family("arabic", "NotoNaskhArabic-Regular.ttf"),
    _family("symbols", "NotoSansSymbols2-Regular.ttf"),
)
LEFTWARD = "fa"
"""The language whose font every line from right to left is set in, wherever it stands."""
_FIRST = {"hi": "devanagari", "ml": "malayalam", LEFTWARD: "arabic"}


def families_for(language: str) -> tuple[Family, ...]:
    """Return all families, first the one that a text in this language is set in.

    Signs that several fonts have, such as spaces, then stay with the letters around them.
    """
    first = _FIRST.get(language, "sans")
    return tuple(sorted(FAMILIES, key=lambda family: family.name != first))


def unprintable(texts: Iterable[str]) -> str:
    """Return the letters that no font here has, each once."""
    known = frozenset(map(ord, SPACES)).union(*(family.letters() for family in FAMILIES))
    return "".join(
        sorted({letter for text in texts for letter in text if ord(letter) not in known})
    )


@cache
def _letters(file: Path) -> frozenset[int]:
    with TTFont(file, lazy=True) as font:
        return frozenset(font.getBestCmap())
