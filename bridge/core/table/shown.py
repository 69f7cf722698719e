"""What the board of a table shows at the moment, and from where it is seen."""

import math
from dataclasses import dataclass

from bridge.core.inference.placement import turned


@dataclass
class Shown:
    """What one board shows, as the board numbers its squares.

    ``cells``: what was shown last; nothing before that, nor while the link is lost between games.
    ``since``: when that came to stand; infinity while nothing is seen.
    ``rotated``: in the last game the board lay with White at its far side.
    ``seat_open``: in the game that is on that is only assumed until White has moved.
    ``seat_untold``: the men of the next game are named as if White sat at the near side.
    """

    cells: str = ""
    since: float = math.inf
    rotated: bool = False
    seat_open: bool = False
    seat_untold: bool = False


def from_seat(cells: str, rotated: bool) -> str:
    """Return cells of the board in White's numbering, or those in White's in the board's."""
    return turned(cells) if rotated else cells
