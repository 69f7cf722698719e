"""What a board shows, whatever it is that it says: the events of a table made into cells.

Boards tell whole positions, single squares, lifted and placed men, or numbers of tags. The
engine compares positions, so all of it becomes cells here, and cells tell no more than the
board knows: an occupancy board behind a module that guesses letters shows ``?``.

Facts about tags: the vendor's software and other drivers vote over three scans and calibrate on
the start position, with spare queens on d3 and d6.
"""

from collections import deque
from collections.abc import Mapping

import chess

from bridge.core.model import Sensing
from drivers.events import (
    EMPTY,
    PIECES,
    UNKNOWN_CELLS,
    UNNAMED,
    UNNAMED_BLACK,
    UNNAMED_WHITE,
    Event,
    Lift,
    Place,
    RawTags,
    Snapshot,
    SquareChange,
)

SCANS = 3
"""So many scans vote on what stands on a square; two that read the same tag win."""
LEARN_AFTER = 7
"""So many scans the men must have stood still before their tags are learned."""
MEN = 32
"""Only an array of all men teaches tags: fewer men may stand like that by chance."""
MOST_TAGS = 512
"""So many tags are remembered, fifteen sets; beyond it those learned longest ago are forgotten."""

_SPARE = {chess.D3: "Q", chess.D6: "q"}
_TOLD: dict[Sensing, dict[int, int]] = {
    "identity": {},
    "colour": str.maketrans(PIECES, 6 * UNNAMED_WHITE + 6 * UNNAMED_BLACK),
    "occupancy": str.maketrans(
        f"{PIECES}{UNNAMED_WHITE}{UNNAMED_BLACK}", (len(PIECES) + 2) * UNNAMED
    ),
}


class Senses:
    """What one board shows; a function of the events it was given, nothing else.

    Its memory is bounded: one position, ``SCANS`` scans and ``MOST_TAGS`` tags.

    Args:
        sensing: what the board knows of a man; letters that tell more are not believed.
    """

    def __init__(self, sensing: Sensing) -> None:
        self._told = _TOLD[sensing]
        self._cells = UNKNOWN_CELLS
        self._tags = _Tags()

    @property
    def knows_nothing(self) -> bool:
        """Whether the board has not said what stands on any square."""
        return self._cells == UNKNOWN_CELLS

    @property
    def knows_no_man(self) -> bool:
        """Whether no letter of the tags in sight is known."""
        return not self._tags.knows_any

    @property
    def learned(self) -> bool:
        """Whether the letters that are shown were learned from an array that stood."""
        return self._tags.has_learned

    @property
    def standing(self) -> tuple[str | None, ...]:
        """The tags that have stood still long enough to be learned, a1 first; else nothing."""
        return self._tags.standing

    @property
    def shown(self) -> str:
        """The 64 cells that the board shows."""
        return self._cells.translate(self._told) if self._told else self._cells

    def begin(self, cells: str) -> None:
        """Assume that *cells* stand: boards that tell only changes never say what they change."""
        self._cells = cells

    def take(self, event: Event) -> str | None:
        """Return the 64 cells that the board shows after *event*.

        None: the event shows nothing, or the scans are too few to vote. Squares of which the
        board has said nothing are ``*``.
        """
        match event:
            case Snapshot(cells=cells) | SquareChange(cells=cells):
                self._cells = cells
            case Lift(square=square):
                self._put(square, EMPTY)
            case Place(square=square, piece=piece):
                self._put(square, piece)
            case RawTags(tags=tags):
                if not self._tags.take(tags):
                    return None
                self._cells = self._tags.cells
            case _:
                return None
        return self.shown

    def learn(self, array: str) -> str | None:
        """Learn which man carries which tag if *array* stands; return the cells shown then.

        Which letters stand on the squares of the array is believed, so ask only before a game
        and with the position from which it starts, in the board's own numbering. Spare queens
        may stand on White's d3 and d6. Tags that are known keep their letters; where one stands
        on a wrong square, or on two, or a stranger stands elsewhere, the array does not stand.

        None: nothing new was learned, as always from an array of fewer than ``MEN`` men.
        """
        if not self._tags.learn(array):
            return None
        self._cells = self._tags.cells
        return self.shown

    def if_it_were(self, array: str) -> str:
        """Return the cells that would be shown had *array* stood when tags were last learned."""
        return self._tags.named_as(array).translate(self._told)

    def learn_anew(self, array: str) -> None:
        """Believe that *array* stood when tags were last learned."""
        self._tags.learn_anew(array)
        self._cells = self._tags.cells

    def know(self, letters: Mapping[str, str]) -> None:
        """Believe that tags carry these men; what was learned before goes on to be believed."""
        if self._tags.know(letters):
            self._cells = self._tags.cells

    def name(self, square: chess.Square, letter: str) -> str:
        """Believe that the unknown man on *square* is *letter*; return the cells shown then."""
        self._tags.name(square, letter)
        self._cells = self._tags.cells
        return self.shown

    def _put(self, square: int, letter: str) -> None:
        self._cells = f"{self._cells[:square]}{letter}{self._cells[square + 1 :]}"


class _Tags:
    """The last scans, which tags they agree on, and which men are known to carry them."""

    def __init__(self) -> None:
        self.cells = UNKNOWN_CELLS
        self._scans: deque[tuple[str | None, ...]] = deque(maxlen=SCANS)
        self._believed: list[str | None] = []
        self._stood = 0
        self._letters: dict[str, str] = {}
        self._lesson: dict[str, chess.Square] = {}

    @property
    def has_learned(self) -> bool:
        """Whether an array taught tags."""
        return bool(self._lesson)

    @property
    def standing(self) -> tuple[str | None, ...]:
        """The tags that have stood still long enough to be learned; else nothing."""
        return tuple(self._believed) if self._stood >= LEARN_AFTER else ()

    @property
    def knows_any(self) -> bool:
        """Whether a letter of a tag that is in sight is known."""
        return any(tag in self._letters for tag in self._believed)

    def take(self, tags: tuple[str | None, ...]) -> bool:
        """Take one scan; False while there are too few.

        What empty squares read differs from scan to scan and never wins the vote.
        """
        self._scans.append(tags)
        if len(self._scans) < SCANS:
            return False
        believed = [
            first if first in (second, third) else second if second == third else None
            for first, second, third in zip(*self._scans, strict=True)
        ]
        if believed == self._believed:
            self._stood += 1
        else:
            self._believed, self._stood = believed, 1
            self._name()
        return True

    def learn(self, array: str) -> bool:
        """Learn the tags of *array* if it stands; False where nothing new was learned."""
        if self._stood < LEARN_AFTER or len(array) - array.count(EMPTY) < MEN:
            return False
        taught = self._taught(array)
        if taught is None or taught.keys() <= self._letters.keys():
            return False
        for tag, letter in taught.items():
            self._letters.pop(tag, None)  # the set in use is the last to be forgotten
            self._letters[tag] = letter
        for tag in list(self._letters)[:-MOST_TAGS]:
            del self._letters[tag]
        self._lesson = {tag: s for s, tag in enumerate(self._believed) if tag in taught}
        self._name()
        return True

    def know(self, letters: Mapping[str, str]) -> bool:
        """Take the letters of tags that were calibrated; return whether any tag is in sight."""
        self._letters |= letters
        if self._believed:
            self._name()
        return bool(self._believed)

    def name(self, square: chess.Square, letter: str) -> None:
        """Give the tag that stands on *square* a letter."""
        tag = self._believed[square]
        if tag is not None:
            self._letters[tag] = letter
            self._name()

    def learn_anew(self, array: str) -> None:
        """Give the tags of the last lesson the letters that *array* has on their squares."""
        self._letters |= self._letters_of(array)
        self._name()

    def named_as(self, array: str) -> str:
        """Return the cells with the letters that :meth:`learn_anew` would give."""
        return self._named(self._letters | self._letters_of(array))

    def _letters_of(self, array: str) -> dict[str, str]:
        wanted = with_spare_queens(array)
        return {tag: wanted[square] for tag, square in self._lesson.items()}

    def _taught(self, array: str) -> dict[str, str] | None:
        """Return the letters of all tags that stand, if they stand like *array*."""
        wanted = with_spare_queens(array)
        taught: dict[str, str] = {}
        for tag, man, letter in zip(self._believed, array, wanted, strict=True):
            if tag is None:
                if man != EMPTY:
                    return None
            elif letter == EMPTY or tag in taught or self._letters.get(tag, letter) != letter:
                return None
            else:
                taught[tag] = letter
        return taught

    def _name(self) -> None:
        self.cells = self._named(self._letters)

    def _named(self, letters: dict[str, str]) -> str:
        return "".join(
            [EMPTY if tag is None else letters.get(tag, UNNAMED) for tag in self._believed]
        )


def with_spare_queens(array: str) -> str:
    """Return the cells of *array* with the queens that may stand beside it."""
    turned = array.find("K") >= len(array) // 2
    cells = list(array)
    for square, queen in _SPARE.items():
        where = 63 - square if turned else square
        if cells[where] == EMPTY:
            cells[where] = queen
    return "".join(cells)
