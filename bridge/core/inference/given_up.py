"""Illegal moves that are answered and given up, where nobody presses.

The opponent takes up a man to answer, sees what was done, and all is put back. That he did so while
the man stood amiss tells that his player had finished.
"""

from typing import NamedTuple

import chess

from bridge.core.inference.completion import MOST_IN_A_MOVE
from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.placement import BIT, occupied


class Amiss(NamedTuple):
    """Where men stood amiss, and ``after`` which move that was: the settled one, or one shown."""

    after: Stage
    squares: int


def answered_amiss(course: Course, at: float) -> Amiss | None:
    """Return what stood amiss for a while as the other player took up a man, if anything did.

    One man did, or where men have names two as in castling, or one beside a move that stands.
    """
    chain = course.chain
    if course.clock.state != "none" or chain.missed or len(chain.shown) > 1:
        return None
    mover = chain.head.best.position.board.turn
    if not chain.shown:
        held = _held_for_answer(course, chain.head, mover, at)
        return Amiss(chain.head, chain.differs & ~held) if held else None
    (stage,) = chain.shown
    if not chain.stands(stage):
        return None
    if held := _held_for_answer(course, stage, not mover, at):
        return Amiss(stage, course.sight.differs(stage.shown) & ~held)
    held = _held_for_answer(course, stage, mover, at) if course.named else 0
    return Amiss(chain.head, chain.differs & ~held) if held else None


def settle_given_up(course: Course, at: float) -> bool:
    """Settle the move that stands alone again after an illegal answer to it, which is told then.

    Nobody would have answered it, had it not been made.
    """
    untold, chain = course.dispute.untold, course.chain
    if untold is None or untold.after is None or chain.match != 1:
        return False
    if chain.shown[0].move != untold.after.move:
        return False
    return course.settle("reply", "it was answered, though by no legal move", at)


def is_answered_no_more(course: Course) -> bool:
    """Whether the move is not shown any more to which what is not told yet was an answer."""
    untold = course.dispute.untold
    if untold is None or untold.after is None:
        return False
    return all(stage.move != untold.after.move for stage in course.chain.shown)


def is_given_up(course: Course) -> bool:
    """Whether one of two men who went elsewhere is taken up again, and the answer is put back."""
    untold = course.dispute.untold
    if untold is None or course.clock.state != "none" or not course.dispute.is_of_two:
        return False
    taken_up = untold.came & ~occupied(course.sight.shown)
    return bool(taken_up) and not course.chain.theirs


def _held_for_answer(course: Course, stage: Stage, mover: chess.Color, at: float) -> int:
    """Return the square of the man whom the other player took up after the *mover* went amiss.

    He did so after *stage*, and had stood there for a while. 0: not so.
    """
    sight, timing, board = course.sight, course.timing, stage.best.position.board
    differs = sight.differs(stage.shown)
    gone = [*chess.scan_forward(differs & board.occupied_co[not mover] & ~occupied(sight.shown))]
    if not gone:
        return 0
    taken_up, last = max((sight.emptied[square], square) for square in gone)
    held = BIT[last]
    amiss = differs & ~held
    if not _is_elsewhere(course, stage, mover, amiss):
        return 0
    targets = amiss if course.named else amiss | held  # who has no name may be set aside
    alone = amiss.bit_count() == MOST_IN_A_MOVE and board.turn == mover
    if alone and any(board.generate_legal_moves(amiss, targets)):
        return 0
    stood = taken_up >= sight.last_change(amiss) + timing.gap
    return held if stood and course.due(taken_up + timing.still, at) else 0


def _is_elsewhere(course: Course, stage: Stage, mover: chess.Color, squares: int) -> bool:
    """Whether *squares* show that a man of the *mover* went elsewhere.

    Or, where men have names, two of his, or one of the other colour.
    """
    board, shown = stage.best.position.board, course.sight.shown
    left, came = course.sight.left_and_came(squares)
    if not 0 < len(left) == len(came) <= (MOST_IN_A_MOVE if course.named else 1):
        return False
    if not course.named:
        return bool(board.occupied_co[mover] & BIT[left[0]]) and not board.occupied & BIT[came[0]]
    before = sorted(stage.best.position.cells[square] for square in left)
    own = all(letter.isupper() == mover for letter in before)
    return (own or len(before) == 1) and before == sorted(shown[square] for square in came)
