"""The result as players show it: both kings on two of the four centre squares.

Any two of these squares touch, so this can never be a position of play and needs no legality
test (alert catalogue, RESULT_BY_KINGS). Both on light squares: White won; both on dark: Black
won; one on each: drawn.
"""

import chess

from bridge.core.model import Result

CENTRE = (chess.D5, chess.E4, chess.D4, chess.E5)


def shown_result(cells: str) -> Result | None:
    """Return the result that the kings show in *cells*, if they do.

    >>> shown_result("." * 28 + "K" + "." * 6 + "k" + "." * 28)
    '1-0'
    """
    d4, e4, d5, e5 = cells[chess.D4], cells[chess.E4], cells[chess.D5], cells[chess.E5]
    centre = d4 + e4 + d5 + e5
    if "K" not in centre or "k" not in centre:  # asked at every change: the usual answer first
        return None
    if {"K", "k"} == {d5, e4}:
        return "1-0"
    if {"K", "k"} == {d4, e5}:
        return "0-1"
    return "1/2-1/2"
