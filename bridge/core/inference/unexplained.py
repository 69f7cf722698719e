"""What is tried, and in which order, when no legal move explains what the board shows.

The cheapest belief comes first: the reply has begun, a man is away for a moment, moves were made
unseen, the last plies were read wrongly. Only what none of this explains is an illegal move.
"""

from bridge.core.inference.adopting import adopt
from bridge.core.inference.answering import is_answer_begun, judge_answered, judge_begun_reply
from bridge.core.inference.completion import has_castled, second_man
from bridge.core.inference.correcting import read_again
from bridge.core.inference.course import Course
from bridge.core.inference.disturbed import (
    has_more_than_away,
    look_past_misread,
    overlook,
    tolerate,
)
from bridge.core.inference.doubting import doubt, doubt_again
from bridge.core.inference.gesture import CENTRE, moves_king
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.illegal import (
    is_completed,
    is_confirmed,
    is_left_so,
    note_completed,
    tell_unexplained,
    tell_untold,
    wait_for_hand,
)
from bridge.core.inference.patience import may_search
from bridge.core.inference.played_on import judge_played_on
from bridge.core.inference.reconsidering import is_behind, reconsider
from bridge.core.inference.unseen import look_early, look_for_jump, look_for_line

SCATTERED = 6
"""With so many squares that nothing explains, men that are missing were taken, not taken up."""


def judge_unexplained(course: Course, at: float) -> bool:
    """Decide one thing about a placement that is no legal move from the record."""
    note_completed(course, at)
    if judge_begun_reply(course, at):
        return True
    if course.clock.state != "stopped" and look_early(course, at):
        return True
    if course.dispute.move is not None and judge_played_on(course, at):
        return True
    if is_left_so(course, at) and is_confirmed(course, at) and tell_untold(course):
        return False
    chain, changed = course.chain, course.sight.changed_at
    if _is_over(course, at):
        chain.drop()
        chain.compare()
        return chain.match is not None
    if _is_lost(course, at) and doubt(course, at):
        return True
    if _is_soon(course, at) and tolerate(course, 0, at):
        return True
    rested = course.due(changed + course.timing.gap, at)
    if not rested or course.tried.open:
        return False
    return look_past_misread(course) or _judge_rested(course, at)


def _is_soon(course: Course, at: float) -> bool:
    """Whether what is shown has stood long enough to look past squares that show wrong, with names.

    Nobody is woken for men who are just in the air.
    """
    if not course.named or course.chain.missed or not has_more_than_away(course):
        return False
    return course.due(course.sight.changed_at + course.timing.shown, at)


def _is_lost(course: Course, at: float) -> bool:
    """Whether play goes on and on without a rest since the thread was lost."""
    changed, timing, since = course.sight.changed_at, course.timing, course.chain.astray_since
    if course.clock.state == "stopped" or changed < since + timing.lost:
        return False
    scattered = course.named and course.chain.differs.bit_count() >= SCATTERED
    if not (scattered and changed >= since + timing.in_hand) and not may_search(course, at):
        return False
    return course.due(changed + timing.glance, at)


def _is_over(course: Course, at: float) -> bool:
    """Whether nothing of the moves shown last has stood for a while: they were on the way."""
    chain = course.chain
    if not chain.shown or any(_has_stayed(course, stage) for stage in chain.shown):
        return False
    if _may_show_result(course, chain.shown[0]):
        return False
    since = max(course.sight.changed_at, chain.shown[-1].until)
    return course.due(since + course.timing.verdict, at)


def _may_show_result(course: Course, stage: Stage) -> bool:
    """Whether the king of *stage*, which rested, is in the centre now: he shows the result."""
    if not course.named or not moves_king(stage.best) or stage.best.rest < course.timing.end:
        return False
    king = stage.best.position.shown[stage.square]
    return any(course.sight.shown[square] == king for square in CENTRE)


def _has_stayed(course: Course, stage: Stage) -> bool:
    """Whether *stage* stands, or its man does, whoever came to where he had been."""
    there = stage.best.target & ~course.sight.differs(stage.shown)
    return course.chain.stands(stage) or bool(there)


def _judge_rested(course: Course, at: float) -> bool:
    """Decide about a placement that has rested: it is not just on the way to another one."""
    missed = course.chain.missed
    if missed and may_search(course, at) and look_for_line(course):
        return True
    # Where men have no names, one that is away looks like a capture: the plies are doubted first.
    if not course.named and not missed and may_search(course, at) and doubt(course, at):
        return True
    if second_man(course):
        return _judge_completed(course, at) or adopt(course, at)  # no move explains both
    if tolerate(course, 1, at):
        return True
    if not missed and may_search(course, at) and (doubt(course, at) or look_for_jump(course, at)):
        return True
    return judge_answered(course, at) or _judge_at_last(course, at)


def _judge_at_last(course: Course, at: float) -> bool:
    """Decide about what no search and no answer explains: it is disturbed, or was read wrongly."""
    if course.pressed is not None and is_answer_begun(course):
        return False  # it is about to be believed
    if not course.stands_illegal and overlook(course, at):
        return True
    if may_search(course, at) and read_again(course, at):
        return True
    if course.tried.rereading is not None:
        return False
    return _judge_completed(course, at) or adopt(course, at)


def _judge_completed(course: Course, at: float) -> bool:
    """Doubt the last plies once more before what was completed is told to be no legal move.

    So it is with what has rested for long: what squares show wrong counts by the time.
    """
    if not is_completed(course, at) or wait_for_hand(course, at):
        return _is_meant(course, at) and doubt_again(course, at)
    # No error of the record shows men with names to have castled.
    if not (course.named and has_castled(course)):
        if doubt_again(course, at) or reconsider(course, at, lost=True):
            return True
        if is_behind(course):
            return False
    if not is_confirmed(course, at):
        return False
    tell_unexplained(course)
    return False


def _is_meant(course: Course, at: float) -> bool:
    """Whether what stands has rested for long, and the clock was turned for it if there is one."""
    changed = course.sight.changed_at
    if not course.named or (course.clock.state != "none" and course.clock.turned_at < changed):
        return False
    return course.due(changed + course.timing.in_hand, at)
