"""A sign that a person gives on a board: in the start position, the white king is lifted.

Pure. All kinds of boards are understood: those that name their men, and those that only tell
that something stands or was lifted. A board may stand either way round.
"""

import math
from typing import Literal

from drivers.cells import START_CELLS, can_show
from drivers.events import (
    EMPTY,
    UNNAMED,
    Event,
    Lift,
    Place,
    RawTags,
    Snapshot,
    SquareChange,
)

HELD = 0.6
"""Seconds for which the king must be up: a square that flickers is no sign."""

Sight = Literal["unknown", "set up", "king up", "other"]


class Sign:
    """What one board shows.

    ``sight`` is ``unknown`` until it has told its squares. A board that tells only lifts and
    places is taken to be set up when the first thing is lifted from it.
    """

    def __init__(self, *, tells_squares: bool) -> None:
        self.sight: Sight = "unknown" if tells_squares else "set up"
        self._since = math.inf
        self._lifted: set[int] = set()

    def take(self, event: Event) -> None:
        """Take what the board says."""
        match event:
            case Snapshot(cells=cells) | SquareChange(cells=cells):
                self._see(sight_of(cells), event.at)
            case RawTags(tags=tags):
                # Antennas of empty squares read what is not there.
                cells = "".join(
                    UNNAMED if tag is not None and piece != EMPTY else EMPTY
                    for tag, piece in zip(tags, START_CELLS, strict=True)
                )
                self._see(sight_of(cells), event.at)
            case Lift(square=square):
                self._lifted.add(square)
                self._see(self._by_lifts(), event.at)
            case Place(square=square):
                self._lifted.discard(square)
                self._see(self._by_lifts(), event.at)
            case _:
                pass

    def lose(self) -> None:
        """The link was lost: what stands on the board is not known any more."""
        self.sight, self._since = "unknown", math.inf
        self._lifted.clear()

    def given(self, now: float) -> bool:
        """Whether the king has been up for long enough."""
        return self.sight == "king up" and now - self._since >= HELD

    def _by_lifts(self) -> Sight:
        if not self._lifted:
            return "set up"
        return "king up" if self._lifted in ({_KING}, {63 - _KING}) else "other"

    def _see(self, sight: Sight, at: float) -> None:
        if sight != self.sight:
            self.sight, self._since = sight, at


_KING = START_CELLS.index("K")
_WITHOUT_KING = START_CELLS.replace("K", EMPTY)


def sight_of(cells: str) -> Sight:
    """Return what 64 *cells* show, in either orientation of the board."""
    for one_way in (cells, cells[::-1]):
        if can_show(one_way, START_CELLS):
            return "set up"
        if can_show(one_way, _WITHOUT_KING):
            return "king up"
    return "other"
