"""Reconsidering the record when a second reading of the whole game explains more than it does."""

import math
from itertools import islice

from bridge.core.inference.branch import Reading
from bridge.core.inference.course import PAUSE, Course
from bridge.core.inference.gesture import enters_centre, moves_king
from bridge.core.inference.hypotheses import CLEARLY, Node, parting, plies_back, plies_of
from bridge.core.inference.in_common import answered_in_all
from bridge.core.inference.patience import are_moved_beside
from bridge.core.inference.placement import difference, occupied
from bridge.core.inference.second import SecondReading
from bridge.core.inference.taking import take
from bridge.core.inference.timing import lasted
from bridge.core.inference.weighing import clearest, is_pressed_better

BETTER = 7.5
"""By how much a reading must be better than the record to take its place."""
BETTER_NAMED = 4.0
"""The same where men have names, and the squares tell more."""
WHEN_STOPPED = 4.0
"""The same when the clock was stopped: no more is coming that would tell."""
SURELY = 3.0
"""The same than those that lead to another board, if the record cannot be compared with it."""
GONE_ON = 15.0
"""By how much one that goes on from the record must be better than what ends with it."""
CERTAIN = 8.0
"""By how much all others must cost more than the record where men have names, to be dropped."""
MOST_UNDONE = 3
"""A reading that has more plies less than the record and comes to the same board takes those for
nothing in which men went and came back: they were seen ply by ply."""
PLIES_COMPARED = 16
"""After so many plies since it began, a second reading is compared with the record anyway."""


def read_on(course: Course, at: float) -> None:
    """Go on with the second reading, or begin it where the record is agreed on."""
    second = course.second
    if course.blind or agree(course, at) or not second.reads:
        return
    second.follows(course.story.head)
    if second.has_much_waiting and not (
        course.named and _are_pressed(course) and second.moves_on()
    ):
        second.advance(at)


def _are_pressed(course: Course) -> bool:
    """Whether the last plies of the record were all pressed for."""
    lately = islice(plies_back(course.story.head), PLIES_COMPARED)
    return all(node.basis == "press" for node in lately if node.parent is not None)


def agree(course: Course, at: float, *, left: bool = False) -> bool:
    """Begin the second reading where the record is agreed on.

    False if the board does not show it, or what led to it may have to be read again. What was only
    shown for longer than a scan, or is *left* just now, is noted to begin there later.
    """
    second, chain = course.second, course.chain
    if course.blind or chain.match != 0 or chain.missed or course.clock.state == "stopped":
        return False
    if second.reads:
        if not _is_shown_whole(course, at):
            return False
        rested = _shown_for(course, at) >= course.timing.verdict
        if left or not (rested or course.tried.reconsidered) or _is_open(course, at):
            second.note(chain.head.nodes)
            return False
    elif left:
        return False
    second.begin(chain.head.nodes)
    second.shows(course.sight.shown, at)
    return True


def _is_shown_whole(course: Course, at: float) -> bool:
    """Whether all squares have shown the position for longer than a scan, with men by their names.

    It is another one than that with which the second reading begins.
    """
    if not course.named or course.second.begins_at(course.chain.head.best):
        return False
    same = course.sight.shown == course.position.shown
    return same and _shown_for(course, at) >= course.timing.still


def _shown_for(course: Course, at: float) -> float:
    """Return for how long the settled position was shown, which the board shows now."""
    head = course.chain.head
    return max(at - max(head.since, course.sight.changed_at), head.best.rest)


def _is_to_be_compared(course: Course, at: float) -> bool:
    """Whether a second reading may know better how the board came to show the position.

    So it may where plies were not pressed, or hardly stood, since that began.
    """
    if not course.named or course.chain.match != 0 or course.tried.reconsidered:
        return False
    return _has_doubtful(course, at)


def _is_open(course: Course, at: float) -> bool:
    """Whether another reading may still take the place of the plies since it began."""
    if not _has_doubtful(course, at):
        return False
    return not course.tried.reconsidered or course.second.margin < CERTAIN


def _has_doubtful(course: Course, at: float) -> bool:
    """Whether plies since the second reading began were not pressed, or hardly stood."""
    second, node, still = course.second, course.story.head, course.timing.still
    stood = _shown_for(course, at) if node is course.chain.head.best else node.rest
    for _ in range(PLIES_COMPARED):
        if node.parent is None or second.begins_at(node):
            return False
        if node.basis != "press" or stood < still:
            return True
        node, reply = node.parent, node
        # He stood where he went, or was taken there, until his opponent's move was complete.
        stood = max(node.rest, lasted(node.since, reply.since))
    return True


def reconsider(course: Course, at: float, *, lost: bool = False) -> bool:
    """Take a second reading that is much better than the record; *lost*: that is at an end."""
    second = course.second
    if not second.reads or course.tried.reconsidered:
        return False
    stopped = course.clock.state == "stopped" and not lost
    ends = lost or stopped
    compared = course.chain.match is None or _is_to_be_compared(course, at)
    if not (ends or compared or _is_beaten(course, second)):
        return False
    if not course.due(_rested_at(course, stopped=stopped), at):
        return False
    second.follows(course.story.head)
    caught_up = second.catch_up(at)
    if second.has_worked(at):
        course.worked_at = at
    if not caught_up:
        course.due(at + PAUSE, at)
        return False
    if not (ends or _is_beaten(course, second)):
        course.tried.reconsidered |= course.chain.match == 0
        return False
    course.tried.reconsidered = True
    # Nothing else explains the board then: it may go on by an illegal move that was played on.
    by = BETTER_NAMED if lost and course.named else GONE_ON
    taken = _weigh_stopped(course, second, at) if stopped else _weigh(course, second, at, by)
    if taken is None:
        return False
    tried = course.tried  # the last plies alone must not undo it
    tried.reconsidered = tried.retraced = tried.doubted = True
    return taken


def _is_beaten(course: Course, second: SecondReading) -> bool:
    """Whether a reading is much better than the record, as far as it was gone through."""
    if course.named and second.waits and second.lead == math.inf:
        return False  # it has not come as far as the record
    return second.lead >= _better(course) or _has_gone_on(course, second)


def _better(course: Course) -> float:
    return BETTER_NAMED if course.named else BETTER


def _rested_at(course: Course, *, stopped: bool) -> float:
    """Return when it may be reconsidered: an illegal move before the clock was stopped is first.

    Who was pushed beside the last move is mostly put right.
    """
    timing = course.timing
    if stopped:
        explained = course.chain.match is not None
        return course.clock.stopped_at + (0.0 if explained else timing.correction)
    patience = timing.in_hand if are_moved_beside(course) else timing.gap
    return course.sight.changed_at + patience


def _weigh(course: Course, second: SecondReading, at: float, by: float) -> bool | None:
    """Take the best reading, or what all have that may be right; None: none is to be taken.

    *by*: so much better one must be that goes on from the record.
    """
    chain, gone_on = course.chain, _has_gone_on(course, second, by)
    if second.lead < _better(course) and not gone_on:
        return None
    unknown = second.lead == math.inf
    if unknown and chain.match is not None and second.readmit(chain.head.best, _better(course)):
        return None
    told = course.story.head if second.lead < _better(course) else None
    readings = _likeliest_first(second.readings(), told)
    best = readings[0]
    start = parting(best.node, course.story.head)
    goes_on = gone_on and start is course.story.head
    if _leaves_wrong(course, best.node, goes_on=goes_on):
        return None
    if _is_unanswered(course, best.node, start) or _speaks_against(course, best.node, start):
        return None
    if goes_on:  # what parts with the record before its end gives no reason to doubt the record
        readings = [each for each in readings if parting(each.node, start) is start]
    same = clearest(readings, SURELY if unknown and not gone_on else CLEARLY)
    if same:
        otherwise = _comes_otherwise(course, same[0].node)
        return take(course, same, start, at, complete=otherwise, otherwise=otherwise)
    return second.lead >= _better(course) and _take_common(course, readings, at)


def _comes_otherwise(course: Course, node: Node) -> bool:
    """Whether *node* comes to the position of the record by as many other plies that are better.

    They must be much better, where men have names: how play came there was decided as it was seen.
    """
    told, lead = course.story.head, course.second.lead
    same = node.ply == told.ply and node.position.key == told.position.key
    return course.named and same and BETTER <= lead < math.inf


def _likeliest_first(readings: list[Reading], told: Node | None) -> list[Reading]:
    """Return *readings* with one first that leads to the board of the best one and is likelier.

    It costs hardly more, and goes on from *told*, a record that is not beaten, or has fewer illegal
    plies. Those that come to that board by other plies are left out then.
    """
    board, limit = readings[0].node.position.shown, readings[0].cost + CLEARLY
    there = [each for each in readings if each.node.position.shown == board]

    def unlikely(each: Reading) -> tuple[bool, int]:
        parts = told is not None and parting(each.node, told) is not told
        return parts, _illegal_plies(each.node, None)

    best = min((each for each in there if each.cost < limit), key=unlikely)
    if unlikely(best) == unlikely(readings[0]):
        return readings
    same = [each for each in there if unlikely(each) == unlikely(best)]
    return [*same, *(each for each in readings if each not in there)]


def _leaves_wrong(course: Course, node: Node, *, goes_on: bool) -> bool:
    """Whether the board shows something else than *node* has.

    Where play has gone on from the record, one man with a name may be away, if he is not the last
    one who moved: he shows himself soon, or stands where the board sees nothing.
    """
    wrong = course.sight.differs(node.position.shown)
    away = wrong & ~occupied(course.sight.shown) & ~node.target
    lacks_one = away == wrong and wrong.bit_count() == 1
    return bool(wrong) and not (course.named and goes_on and lacks_one)


def _speaks_against(course: Course, node: Node, start: Node) -> bool:
    """Whether the record comes to the board of *node* by plies that are likelier.

    This lacks some of them, has an illegal one instead, or agrees less with the presses. The last
    ply of the record may be one that the board shows only. Both part after *start*.
    """
    chain = course.chain
    last = chain.shown[chain.match - 1].best if chain.match else course.story.head
    if last.position.shown != node.position.shown:
        return False
    lacks = last.ply - node.ply > MOST_UNDONE
    illegal = _illegal_plies(node, start) > _illegal_plies(last, start)
    return lacks or illegal or is_pressed_better(course, last, node, start)


def _illegal_plies(node: Node, start: Node | None) -> int:
    return sum(ply.basis == "stands" for ply in plies_of(node, start))


def _is_unanswered(course: Course, node: Node, start: Node) -> bool:
    """Whether all that speaks against a pressed move is what its player did after it.

    *node* has another one in its place, and the same plies up to *start*, the one before it.
    """
    told = course.story.head
    return (
        course.named
        and told.basis == "press"
        and start is told.parent
        and node.ply == told.ply
        and not (course.answered > told.at)
    )


def _weigh_stopped(course: Course, second: SecondReading, at: float) -> bool | None:
    """Take the best reading of what was shown until the clock was stopped."""
    if course.dispute.told or _is_explained(course, second):
        return None
    readings, told = second.readings(), course.story.head
    node = readings[0].node
    start = parting(node, told)
    if second.lead < WHEN_STOPPED and (start is not told or node.ply == told.ply):
        return None
    if difference(second.shown, node.position.shown) & ~course.sight.excused:
        return None
    if _speaks_against(course, node, start):
        return None
    same = clearest(readings, CLEARLY)
    return take(course, same, start, at, complete=_stood(course, node)) if same else None


def _is_explained(course: Course, second: SecondReading) -> bool:
    """Whether what is shown follows from the record, where men have names to tell it by."""
    return course.named and course.chain.match is not None and second.lead < WHEN_STOPPED


def _stood(course: Course, node: Node) -> bool:
    """Whether its last man stood where it went when the clock was stopped, not in a hand."""
    if node.parent is None or node.move is None or enters_centre(node):
        return False
    timing = course.timing
    vague = node.parent.position.board.is_capture(node.move) or moves_king(node)
    return node.since + (timing.in_hand if vague else timing.gap) <= course.clock.stopped_at


def _has_gone_on(course: Course, second: SecondReading, by: float = GONE_ON) -> bool:
    """Whether play has gone on from the record, in ways that the board does not show by now."""
    return course.chain.match is None and second.lead_beyond >= by


def _take_common(course: Course, readings: list[Reading], at: float) -> bool:
    """Take the plies that were answered in all *readings* that may be right."""
    best = readings[0]
    start = parting(best.node, course.story.head)
    common = answered_in_all(readings, None, SURELY)
    if not common or common[-1].ply <= start.ply:
        return False
    return take(course, [Reading(best.node.at_ply(common[-1].ply + 1), best.cost)], start, at)


def is_behind(course: Course) -> bool:
    """Whether a second reading has not gone through all that it is to judge the record by."""
    return course.second.reads and not course.tried.reconsidered
