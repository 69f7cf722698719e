"""The result as players show it: both kings on two of the four centre squares.

Any two of these squares touch, so this can never be a position of play and needs no legality
test (alert catalogue, RESULT_BY_KINGS). Both on light squares: White won; both on dark: Black
won; one on each: drawn.
"""

import chess

from bridge.core.model import Result

_LIGHT = (chess.D5, chess.E4)
_DARK = (chess.D4, chess.E5)
CENTRE = (*_LIGHT, *_DARK)


def shown_result(cells: str) -> Result | None:
    """Return the result that the kings show in *cells*, if they do.

    >>> shown_result("." * 28 + "K" + "." * 6 + "k" + "." * 28)
    '1-0'
    """
    light = [cells[square] for square in _LIGHT]
    dark = [cells[square] for square in _DARK]
    kings = {"K", "k"}
    if kings <= set(light):
        return "1-0"
    if kings <= set(dark):
        return "0-1"
    if kings <= {*light, *dark}:
        return "1/2-1/2"
    return None
