"""Illegal moves that are answered and given up, where nobody presses.

The opponent takes up a man to answer, sees what was done, and all is put back. That he did so while
the man stood amiss tells that his player had finished.
"""

from typing import NamedTuple

import chess

from bridge.core.inference.completion import are_elsewhere, is_kings_part, pushed_beside
from bridge.core.inference.course import Course, Untold
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.placement import BIT, occupied


class Amiss(NamedTuple):
    """Where men stood amiss, and ``after`` which move that was: the settled one, or one shown."""

    after: Stage
    squares: int


def answered_amiss(course: Course, at: float) -> Amiss | None:
    """Return what stood amiss for a while as the other player took up a man, if anything did.

    One man did, or where men have names two as in castling, or one beside a move that stands who
    was not pushed to the next square.
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
    if not held or pushed_beside(course, course.sight.differs(stage.shown) & ~held):
        return None
    return Amiss(chain.head, chain.differs & ~held)


def settle_given_up(course: Course, at: float) -> bool:
    """Settle the move that stands alone again after an illegal answer to it, which is told then.

    Nobody would have answered it, had it not been made.
    """
    untold, chain = course.dispute.untold, course.chain
    if untold is None or chain.match != 1 or not untold.answers(chain.shown[0]):
        return False
    return course.settle("reply", "it was answered, though by no legal move", at)


def is_stale(course: Course, untold: Untold) -> bool:
    """Whether the move does not stand any more that was answered by what is not told yet."""
    if untold.after is None or untold.answers(course.chain.head):
        return False
    return not any(
        untold.answers(stage) and course.chain.stands(stage) for stage in course.chain.shown
    )


def is_given_up(course: Course) -> bool:
    """Whether one of two men who went elsewhere is taken up again, and the answer is put back."""
    untold = course.dispute.untold
    if untold is None or untold.after is None or not course.dispute.is_of_two:
        return False
    taken_up = untold.came & ~occupied(course.sight.shown)
    return bool(taken_up) and not course.chain.theirs


def _held_for_answer(course: Course, stage: Stage, mover: chess.Color, at: float) -> int:
    """Return the square of the man whom the other player took up after the *mover* went amiss.

    He did so after *stage*, and had stood there for a while. 0: not so.
    """
    sight, timing, board = course.sight, course.timing, stage.best.position.board
    differs = sight.differs(stage.shown)
    held = differs & board.occupied_co[not mover] & ~occupied(sight.shown)
    amiss = differs & ~held
    if held.bit_count() != 1 or not _stand_amiss(course, stage, mover, amiss):
        return 0
    if board.turn == mover and _may_be_at_it(course, board, amiss, held):
        return 0
    taken_up = sight.emptied[chess.lsb(held)]
    stood = taken_up >= sight.last_change(amiss) + timing.gap
    return held if stood and course.due(taken_up + timing.still, at) else 0


def _stand_amiss(course: Course, stage: Stage, mover: chess.Color, squares: int) -> bool:
    """Whether *squares* show that a man of the *mover* went elsewhere, or two who have names."""
    position, sight = stage.best.position, course.sight
    board, (left, came) = position.board, sight.left_and_came(squares)
    if not all(board.occupied_co[mover] & BIT[square] for square in left):
        return False
    if course.named:
        return are_elsewhere(sight, position.cells, squares)
    return len(left) == len(came) == 1 and not board.occupied & BIT[came[0]]


def _may_be_at_it(course: Course, board: chess.Board, amiss: int, held: int) -> bool:
    """Whether the one man who went amiss may be about to castle, or to take the man who is *held*.

    Who has a name is put beside his victim then.
    """
    left, came = course.sight.left_and_came(amiss)
    if len(left) > 1:
        return False
    beside = not course.named or chess.BB_KING_ATTACKS[came[0]] & held
    targets = amiss | (held if beside else 0)
    return is_kings_part(board, amiss) or any(board.generate_legal_moves(BIT[left[0]], targets))
