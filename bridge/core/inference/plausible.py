"""How seldom people make a capture: by what it wins on its square, and what is lost elsewhere.

Where men have no names, nothing else may tell which of several men was taken. Of 1,179 captures by
a man that could have taken several, in 319 games, 91 % were what this calls the likeliest, and 88 %
what is so by what is won on the square alone.
"""

import chess

from bridge.core.inference.exchange import taken_by_force, victim_of, won_by
from bridge.core.inference.placement import BIT

CAPTURES = {5: 0.0, 4: 0.3, 3: 0.3, 2: 0.5, 1: 0.8, 0: 1.2, -1: 3.5, -2: 4.5, -3: 5.3}
"""What it takes to believe in a capture that wins so many pawns, the ends for what is beyond them.

By how often people made one where it was possible: 5,547 of 49,946 captures in 319 games.
"""
_FEWEST, _MOST = min(CAPTURES), max(CAPTURES)
ABOUT_AS_GOOD = 2.0
"""Captures that cost no more than this beyond the best one of their man are compared further."""
LEFT_HANGING = 0.7
"""What each pawn costs by which one of them comes out worse, if both sides take what pays, ..."""
MOST_HANGING = 4.0
"""... up to so many pawns."""


def implausible(board: chess.Board, capture: chess.Move) -> float:
    """Return how unlikely people are to make *capture* on *board*, 0 for what they would not miss.

    Of captures of one man that win about as much, the one after which less is lost elsewhere is
    the likelier one.
    """
    cost = _seldom(board, capture)
    theirs = board.occupied_co[not board.turn] & ~BIT[capture.to_square]
    others = {m.to_square: m for m in board.generate_legal_moves(BIT[capture.from_square], theirs)}
    costs = {other: _seldom(board, other) for other in others.values()}
    least = min([cost, *costs.values()])
    rivals = [other for other, its in costs.items() if its <= least + ABOUT_AS_GOOD]
    if not rivals or cost > least + ABOUT_AS_GOOD:
        return cost
    worth = _worth(board, capture)
    worse = max(_worth(board, other) for other in rivals) - worth
    return cost + LEFT_HANGING * max(0.0, min(MOST_HANGING, worse))


def _seldom(board: chess.Board, capture: chess.Move) -> float:
    return CAPTURES[round(max(_FEWEST, min(_MOST, won_by(board, capture))))]


def _worth(board: chess.Board, capture: chess.Move) -> float:
    """Return what *capture* wins in pawns if then both sides take whatever pays, anywhere."""
    after = board.copy(stack=False)
    after.push(capture)
    return victim_of(board, capture) - taken_by_force(after)
