"""Doubting the last plies: what was shown lately is gone through once more.

Where nothing that follows from the record explains the board, an earlier decision was perhaps
wrong. This says when that is asked, and :mod:`~bridge.core.inference.weighing` which reading then
takes the place of the record.
"""

import chess

from bridge.core.inference.course import PAUSE, Course
from bridge.core.inference.hypotheses import PLIES_DOUBTED, Node, plies_back, plies_of
from bridge.core.inference.placement import difference, occupied
from bridge.core.inference.position import FEWEST_CHANGES
from bridge.core.inference.put_up import may_be_put_up
from bridge.core.inference.retracing import MOST_PLACEMENTS, Retracing
from bridge.core.inference.weighing import weigh

MOST_DIFFERING = 20
"""With more squares that show something else than the record, the men are being cleared away."""
MOST_UNCOUNTED = 2
"""So many more presses than plies tell that men went and came back."""


def doubt(course: Course, at: float, *, guesses: bool = False) -> bool:
    """Begin to go through what was shown lately once more: :func:`carry_on` does it.

    Plies whose man was put down unseen are doubted only with *guesses*.
    """
    if course.tried.retraced or course.chain.missed:
        return False
    if course.chain.differs.bit_count() > MOST_DIFFERING:
        return False
    if course.sight.is_cleared_since(course.story.head.since, long=course.timing.in_hand):
        return False
    if course.dispute.move is not None and (course.named or course.is_answered):
        return False
    if _is_being_put_right(course):
        return False
    if may_be_put_up(course):
        return False
    course.tried.retraced = True
    start = _earliest(course, guesses=guesses)
    trace = course.sight.since(max(start.since, course.restored_at))
    if trace is None:
        trace = [*course.sight.trace]  # older ones only told that nothing was completed
    trace = _since_it_stood(course, start, trace)
    if trace:
        course.tried.retracing = Retracing(start, trace, at, course.clock.heard, course.sight.dead)
    return bool(trace)


def _since_it_stood(
    course: Course, start: Node, trace: list[tuple[float, str]]
) -> list[tuple[float, str]]:
    """Return *trace* from when the position of *start* was shown last before the next ply was made.

    What was shown before is no play from there: men were put right, or were tried.
    """
    sight, head, shown = course.sight, course.story.head, start.position.shown
    if head.ply == start.ply:
        return trace
    made = head.at_ply(start.ply + 1).since
    stood = (
        number
        for number, (since, men) in enumerate(trace)
        if since < made and not difference(men, shown) & ~sight.excused
    )
    return trace[max(stood, default=0) :]


def _is_being_put_right(course: Course) -> bool:
    """Whether only what was told to be against the rules is shown, or a part of it.

    That is a man's move, or two men's. Whoever pressed since gave the move back.
    """
    dispute = course.dispute
    if not dispute.told:
        return False
    judged = difference(dispute.judged, course.position.shown)
    known = judged.bit_count() == FEWEST_CHANGES or judged == dispute.both
    return known and not course.chain.differs & ~judged


def doubt_again(course: Course, at: float) -> bool:
    """Doubt the last plies once more, now that what stands has rested: what is wrong costs more."""
    if not course.tried.doubted:
        course.tried.doubted, course.tried.retraced = True, False
    return doubt(course, at)


def doubt_uncounted(course: Course, at: float) -> bool:
    """Doubt the last plies if one reading counts more presses than plies were seen since before.

    Men who come back at once in a scramble look as if nobody had moved.
    """
    heard, made = course.clock.presses_at(at), len(course.chain.shown)
    if heard - made < MOST_UNCOUNTED:
        return False
    for node in plies_back(course.story.head):
        if node.pressed is not None and node.pressed < at:
            return heard - made >= MOST_UNCOUNTED and doubt(course, at)
        made += 1
    return False


def doubt_gone(course: Course, at: float) -> bool:
    """Doubt the last plies where men are gone for good, though the record stands.

    Of men of both players one may have taken the other on a square that shows nothing, and one who
    stands elsewhere may have moved.
    """
    sight = course.sight
    if not (course.named and sight.excused) or course.doubted_at >= sight.changed_at:
        return False
    if _are_gone_of_both(course):
        patience = course.timing.verdict
    elif _stands_elsewhere(course):
        patience = course.timing.forgotten
    else:
        return False
    if not course.due(sight.changed_at + patience, at):
        return False
    course.doubted_at = at
    return doubt(course, at, guesses=True)


def _are_gone_of_both(course: Course) -> bool:
    gone = course.away & ~course.sight.blind
    return all(gone & men for men in course.position.board.occupied_co)


def _stands_elsewhere(course: Course) -> bool:
    """Whether a man who is taken to be away is shown on a square that should be empty."""
    cells, shown = course.position.cells, course.sight.shown
    gone = {cells[square] for square in chess.scan_forward(course.away)}
    came = course.sight.excused & occupied(shown) & ~course.position.board.occupied
    return any(shown[square] in gone for square in chess.scan_forward(came))


def carry_on(course: Course, retracing: Retracing, at: float) -> bool:
    """Go on with *retracing*, and take the reading that explains best what was shown, at its end.

    Only so much is done at a time, and once at one time, that no reading takes long. Return whether
    it is at its end.
    """
    if not course.may_work(at):
        return False
    if not retracing.go_on():
        course.due(at + PAUSE, at)
        return False
    course.tried.retracing = None
    weigh(course, retracing, at)
    return True


def _earliest(course: Course, *, guesses: bool) -> Node:
    """Return the published ply from which on all may be doubted: what followed can be traced."""
    start = course.story.head
    for _ in range(PLIES_DOUBTED):
        if start.since < course.restored_at:  # what was put right is no part of it
            break
        unseen = start.target & course.sight.blind and not guesses
        if start.parent is None or start.basis == "stands" or start.missed or unseen:
            break
        if not course.sight.kept_since(start.parent.since, most=MOST_PLACEMENTS):
            break
        start = start.parent
    return _before_all_of(start, course.story.head)


def _before_all_of(start: Node, head: Node) -> Node:
    """Return *start*, or a ply before it that was not told in the same moment as one up to *head*.

    What the link told late is all shown at one time: the trace holds all of it, or nothing.
    """
    together = any(ply.since == start.since for ply in plies_of(head, start))
    while together and start.parent is not None:
        together = start.parent.since == start.since
        start = start.parent
    return start
