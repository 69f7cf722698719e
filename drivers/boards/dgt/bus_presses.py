"""Presses of the clock that a board of a row has written down before it read a square."""

from collections import deque

from drivers.boards.dgt.log import SquareTag
from drivers.boards.dgt.protocol import PIECE_CODES, square_of_index
from drivers.events import EMPTY, UNNAMED, UNREADABLE, ClockReading, Event

SCAN = 0.25
"""Seconds after which every square has been read: a scan takes about 0.2 s, and a change that comes
less than this after the one before is marked as quick (vendor header)."""

HELD = 1.0
"""Seconds for which a press waits at most to be told: the visit that would tell of squares that
were read late may not come."""


MOST_IN_AIR = 8
"""More men than a move lifts; who clears the board makes none."""


class LatePress:
    """The last press of one board, and which of the changes behind it were made before it.

    Those are changes that come before any other, of men of the player who has moved: one that was
    in the air is put down, the man that was moved slides on, or what the board marks as quick.
    What the opponent does is of the other colour. Where the press is the last that a board tells
    of, it is held back until squares that were read late have been told.
    """

    def __init__(self) -> None:
        self._event: Event | None = None
        self._at = 0.0
        self._open = self._held = False
        self._in_air: deque[str] = deque(maxlen=MOST_IN_AIR)
        self._put: dict[int, str] = {}
        """Men that were put down since the last press, by square, the latest last."""

    def pressed(self, events: list[Event], at: float) -> None:
        """Note a press that came at time *at*, told of by *events*, if it is told of at all."""
        presses = [event for event in events if isinstance(event, ClockReading)]
        self._event = presses[-1] if presses else None
        self._at = at
        self._open = self._held = bool(presses)

    def visited(self, at: float) -> None:
        """Note that the board is about to tell what was changed until time *at*."""
        if at - self._at >= SCAN:
            self._held = False

    def is_held(self, event: Event) -> bool:
        """Whether *event* is the press, and the visit that it waits for has not been made."""
        return self._held and event is self._event

    def holds(self, event: Event, at: float) -> bool:
        """Whether *event* is the press, and has to wait at time *at*."""
        return self.is_held(event) and at - self._at < HELD

    def is_press(self, event: Event) -> bool:
        """Whether *event* is the press."""
        return event is self._event

    def is_before(
        self, tag: SquareTag, before: str, after: str, following: SquareTag | None
    ) -> bool:
        """Take the next change, from the cells *before* to those *after*.

        *following* is the change directly behind it, where one came with it. Returns whether it
        was made before the press although it stands behind it.
        """
        square = square_of_index(tag.square_index & 0x3F)
        gone, come = before[square], after[square]
        late = self._open and self._is_late(square, gone, come, tag.quick, following)
        if self._open and not late:
            self._open = False
            self._in_air.clear()
            self._put.clear()
        self._note(square, gone, come)
        return late

    def _is_late(
        self, square: int, gone: str, come: str, quick: bool, following: SquareTag | None
    ) -> bool:
        last = [*self._put.items()][-1:]
        if come == EMPTY and last == [(square, gone)]:
            # Either he slides on, or his opponent takes him.
            return following is not None and following.quick and _letter(following) == gone
        if come == EMPTY:
            return quick and self._is_movers(gone)
        if come in self._in_air:
            return quick or self._is_movers(come)
        return (quick and self._is_movers(come)) or come in dict(last).values()

    def _is_movers(self, man: str) -> bool:
        """Whether *man* is of who has moved: he put one down last, or has the only ones in hand."""
        white = {letter.isupper() for letter in [*self._put.values()][-1:] or self._in_air}
        return white == {man.isupper()} and man.isalpha()

    def _note(self, square: int, gone: str, come: str) -> None:
        """Keep who is in the air, and who was put down."""
        if gone not in (EMPTY, UNREADABLE):
            self._in_air.append(gone)
        self._put.pop(square, None)
        if come == EMPTY:
            return
        self._put[square] = come
        if come in self._in_air:
            self._in_air.remove(come)


def _letter(tag: SquareTag) -> str:
    return PIECE_CODES.get(tag.code & 0x0F, UNNAMED)
