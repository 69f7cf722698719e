"""The result as players show it: both kings on two of the four centre squares.

Any two of these squares touch, so this can never be a position of play and needs no legality
test (alert catalogue, RESULT_BY_KINGS). Both on light squares: White won; both on dark: Black
won; one on each: drawn.
"""

import chess

from bridge.core.inference.placement import BIT, EMPTY
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.model import Result

CENTRE = (chess.D5, chess.E4, chess.D4, chess.E5)
_LIGHT = BIT[chess.D5] | BIT[chess.E4]
_DARK = BIT[chess.D4] | BIT[chess.E5]


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


def supposed_result(position: Position, sight: Sight, since: float) -> Result | None:
    """Return the result that two men shown in the centre tell, if they must be the kings.

    For boards that do not know kings from other men: both kings have left their squares and
    two men came to stand in the centre after *since*, when *position* was complete.
    """
    arrived = 0
    for colour in chess.COLORS:
        king = position.board.king(colour)
        if king is None:
            return None
        if sight.shown[king] == EMPTY:
            continue
        if king not in CENTRE:
            return None
        if sight.changed[king] <= since:
            arrived |= BIT[king]
    standing = 0
    for square in CENTRE:
        if sight.shown[square] != EMPTY:
            standing |= BIT[square]
            if sight.changed[square] > since:
                arrived |= BIT[square]
    return _told_by(arrived, standing)


def _told_by(arrived: int, standing: int) -> Result | None:
    """Return what two men tell; one that was exchanged unseen is told by being the only other."""
    if arrived.bit_count() == 1 and standing.bit_count() == 2:
        arrived = standing
    if arrived.bit_count() != 2:
        return None
    return "1-0" if arrived == _LIGHT else "0-1" if arrived == _DARK else "1/2-1/2"
