"""Letters of the pieces and signs of the moves, by language.

Sources: FIDE Laws, Appendix C (each player may use the letters of his country, C.3); the PGN
specification of 1994, section 17, for the European languages in Latin letters; the older Russian
code for Russian. In Hindi, Malayalam, Persian and Swahili no form is settled: the letters are the
beginnings of the pieces' names, long enough to tell them apart.
"""

from types import MappingProxyType
from typing import NamedTuple


class Signs(NamedTuple):
    """What is written for a capture, before a promotion's letter, for mate and in castling."""

    capture: str = "x"
    promotion: str = ""
    mate: str = "#"
    castling: str = "O"


PGN_SIGNS = Signs(promotion="=")
FIDE_SIGNS = Signs(castling="0")
"""C.9, C.11 and C.13."""
BOOK_SIGNS = Signs()
"""The older international form."""
RUSSIAN_SIGNS = Signs(capture=":", mate="х", castling="0")
"""Mate is a Cyrillic letter here, and captures are a colon."""


class Language(NamedTuple):
    """A language by its ISO 639-1 code.

    ``letters`` stand for king, queen, rook, bishop and knight; a letter may be several characters.
    ``signs`` are those of its own books. ``rightward``: it is read from left to right.
    """

    code: str
    name: str
    letters: MappingProxyType[str, str]
    signs: Signs = BOOK_SIGNS
    rightward: bool = True


def letters(written: str) -> MappingProxyType[str, str]:
    """Return what stands for K, Q, R, B and N, from five words in this order."""
    return MappingProxyType(dict(zip("KQRBN", written.split(), strict=True)))


FIGURINES = letters("♔ ♕ ♖ ♗ ♘")
"""The same for both sides, as print has it."""

LANGUAGES = MappingProxyType(
    {
        language.code: language
        for language in (
            Language("en", "English", letters("K Q R B N")),
            Language("de", "Deutsch", letters("K D T L S")),
            Language("fr", "français", letters("R D T F C")),
            Language("es", "español", letters("R D T A C")),
            Language("it", "italiano", letters("R D T A C")),
            Language("nl", "Nederlands", letters("K D T L P")),
            Language("ru", "русский", letters("Кр Ф Л С К"), RUSSIAN_SIGNS),
            Language("pl", "polski", letters("K H W G S")),
            Language("cs", "čeština", letters("K D V S J")),
            Language("hu", "magyar", letters("K V B F H")),
            Language("tr", "Türkçe", letters("Ş V K F A")),
            Language("hi", "हिन्दी", letters("रा व हा ऊँ घो")),
            Language("ml", "മലയാളം", letters("രാ മ തേ ആ കു")),
            Language("fa", "فارسی", letters("ش و ر ف ا"), rightward=False),
            Language("sw", "Kiswahili", letters("Mf Ma N A F")),
        )
    }
)
