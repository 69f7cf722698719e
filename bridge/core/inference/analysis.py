"""Analysis after a game that nothing ended: its last plies are taken back one after another."""

import math

from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import plies_back
from bridge.core.inference.restoring import MOST_UNDONE_LATE


def note_taken_back(course: Course, at: float) -> None:
    """Count the last plies that are taken back on the board: the position before each must stand.

    Nobody takes back what both have played; a single ply may be, and an illegal move that was
    played on must. So what follows is none of the game, until its last position stands again or
    somebody presses.
    """
    chain = course.chain
    if chain.match == 0 or course.clock.pressed_at > course.undone_at:
        course.undone, course.undone_at = 0, math.inf
    if course.is_looked_at or chain.match == 0 or chain.missed or course.dispute.told:
        return
    changed = course.sight.changed_at
    if _stands(course, course.undone + 1) and course.due(changed + course.timing.still, at):
        course.undone += 1
        course.undone_at = min(course.undone_at, changed)


def _stands(course: Course, undone: int) -> bool:
    """Whether the position before the last *undone* plies is shown, which were all legal."""
    for number, node in enumerate(plies_back(course.story.head)):
        if number == undone:
            return not course.sight.differs(node.position.shown)
        if number < MOST_UNDONE_LATE and node.basis == "stands":
            break
    return False
