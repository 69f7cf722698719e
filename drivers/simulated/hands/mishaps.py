"""What hands do besides moving: fidgets, second thoughts and accidents.

Each function works on a pair of hands and leaves the board as it found it, unless it says
otherwise.
"""

from random import Random

import chess

from drivers.simulated.hands.handling import Handling
from drivers.simulated.hands.style import Span

ADJUSTING: Span = (0.15, 0.9)
TOUCHING: Span = (0.3, 2.5)
SLIPPING: Span = (0.3, 1.5)
REGRETTING: Span = (0.6, 3.0)
WOBBLING: Span = (0.05, 0.5)
FALLING: Span = (0.0, 0.08)
SEARCHING: Span = (0.4, 2.0)
LONGEST_FALL = 3


def lift_and_return(hands: Handling, square: chess.Square, span: Span) -> None:
    """Take the piece on *square* off for a while: adjusted, or touched and thought better of."""
    piece = hands.lift(square)
    hands.wait(span)
    hands.put(square, piece)


def rest_on(hands: Handling, origin: chess.Square, resting: chess.Square, span: Span) -> None:
    """Set the piece of *origin* down on the empty square *resting*, where it stays."""
    hands.bring(origin, resting)
    hands.wait(span)


def make_and_take_back(hands: Handling, board: chess.Board, move: chess.Move) -> None:
    """Make *move*, see what is wrong with it and take it back."""
    before = dict(hands.standing)
    hands.move(board, move)
    hands.wait(REGRETTING)
    hands.restore(before, pace=ADJUSTING)


def wobble(hands: Handling, square: chess.Square, rng: Random) -> None:
    """Let the piece on *square* be sensed on a neighbour square too, or there instead."""
    beside = hands.empty_beside(square)
    if not beside:
        return
    neighbour = rng.choice(beside)
    piece = hands.standing[square]
    leaves = rng.random() < 0.4
    hands.put(neighbour, piece)
    if leaves:
        hands.lift(square)
    hands.wait(WOBBLING)
    if leaves:
        hands.put(square, piece)
    hands.lift(neighbour)
    hands.rested = hands.at


def knock_over(hands: Handling, around: chess.Square, rng: Random) -> None:
    """Knock pieces beside *around* over; put them back, at times first where they do not belong."""
    near = chess.SquareSet(chess.BB_KING_ATTACKS[around])
    victims = [square for square in near if square in hands.standing]
    fallen = rng.sample(victims, min(len(victims), rng.randint(1, LONGEST_FALL)))
    pieces = []
    for square in fallen:
        pieces.append(hands.lift(square))
        hands.wait(FALLING)
    for square, piece in zip(fallen, pieces, strict=True):
        hands.wait(SEARCHING)
        wrong = hands.empty_beside(square)
        if wrong and rng.random() < 0.25:
            elsewhere = rng.choice(wrong)
            hands.put(elsewhere, piece)
            hands.wait(SEARCHING)
            hands.lift(elsewhere)
            hands.wait(ADJUSTING)
        hands.put(square, piece)
