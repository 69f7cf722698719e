"""Reconsidering the record when a second reading of the whole game explains more than it does."""

import math

from bridge.core.inference.beam import Reading
from bridge.core.inference.course import PAUSE, Course
from bridge.core.inference.disturbed import CLEARLY
from bridge.core.inference.doubting import agree, answered_in_all, take
from bridge.core.inference.hypotheses import Node, plies_of
from bridge.core.inference.second import SecondReading

BETTER = 7.5
"""By how much a reading must be better than the record to take its place, ..."""
SURELY = 3.0
"""... and than those that lead to another board, if it could not be compared with the record."""
GONE_ON = 15.0
"""By how much one that goes on from the record must be better than what ends with it."""


def read_on(course: Course, at: float) -> None:
    """Go on with the second reading, or begin it where the record is agreed on."""
    second, chain = course.second, course.chain
    if second is None or course.blind:
        return
    if second.reads:
        second.follows(course.story.head)
        second.advance(at)
    elif chain.match == 0 and not chain.missed and course.clock.state != "stopped":
        second.begin(chain.head.nodes)
        second.shows(course.sight.shown, at)


def reconsider(course: Course, at: float, *, lost: bool = False) -> bool:
    """Take a second reading that is much better than the record; *lost*: that is at an end."""
    second, chain = course.second, course.chain
    if second is None or not second.reads or course.tried.reconsidered:
        return False
    if not (lost or second.lead >= BETTER or _has_gone_on(course, second)):
        return False
    if not course.due(course.sight.changed_at + course.timing.gap, at):
        return False
    second.follows(course.story.head)
    if not second.catch_up(at):
        course.due(at + PAUSE, at)
        return False
    course.tried.reconsidered = True
    gone_on = _has_gone_on(course, second)
    if second.lead < BETTER and not gone_on:
        return False
    unknown = second.lead == math.inf
    if unknown and chain.match is not None and second.readmit(chain.head.best, BETTER):
        return False
    readings = second.readings()
    best = readings[0]
    if course.sight.differs(best.node.position.shown):
        return False
    same = [each for each in readings if agree(each.node, best.node)]
    other = min((each.cost for each in readings if each not in same), default=math.inf)
    if other < best.cost + (SURELY if unknown and not gone_on else CLEARLY):
        taken = second.lead >= BETTER and _take_common(course, readings, at)
    else:
        taken = take(course, same, _parting(best.node, course.story.head), at)
    course.tried.retraced = course.tried.reconsidered = True
    return taken


def _has_gone_on(course: Course, second: SecondReading) -> bool:
    """Whether play has gone on from the record, in ways that the board does not show by now."""
    return course.chain.match is None and second.lead_beyond >= GONE_ON


def _take_common(course: Course, readings: list[Reading], at: float) -> bool:
    """Take the plies that were answered in all *readings* that may be right."""
    best = readings[0]
    start = _parting(best.node, course.story.head)
    common = answered_in_all(readings, None, SURELY)
    if not common or common[-1].ply <= start.ply:
        return False
    return take(course, [Reading(best.node.at_ply(common[-1].ply + 1), best.cost)], start, at)


def is_behind(course: Course) -> bool:
    """Whether a second reading has not gone through all that it is to judge the record by."""
    return course.second is not None and course.second.reads and not course.tried.reconsidered


def _parting(node: Node, told: Node) -> Node:
    """Return the last ply of *told* up to which *node* has the same moves."""
    line = {each.ply: each.move for each in plies_of(node, None)}
    for each in plies_of(told, None):
        if line.get(each.ply) != each.move and each.parent is not None:
            return each.parent
    return told
