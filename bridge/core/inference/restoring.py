"""Illegal moves that are put right late: they were played on, and the position before stands again.

The position immediately before the irregularity is put up again whenever it is found (Laws, 7.5.1).
"""

from bridge.core.inference.course import Course
from bridge.core.inference.findings import Explained
from bridge.core.inference.hypotheses import Node, plies_back

MOST_UNDONE_LATE = 12
"""So many plies, from an illegal move on, may be taken back together."""


def restore(course: Course, at: float) -> bool:
    """Go back to the position before an illegal move that was played on, if it stands again."""
    before = None if course.chain.match is not None else _before_illegal(course)
    if before is None or not course.due(course.sight.changed_at + course.timing.gap, at):
        return False
    plies = course.story.head.ply - before.ply
    course.story.withdraw("the position before the illegal move was put up again", plies)
    course.story.tell(Explained())
    course.go_back(before)
    return True


def _before_illegal(course: Course) -> Node | None:
    """Return the ply before an illegal move of late that stands in the record, if it is shown."""
    for node in plies_back(course.story.head):
        if node.ply <= course.story.head.ply - MOST_UNDONE_LATE:
            return None
        before = node.parent
        undone = before is not None and not course.sight.differs(before.position.shown)
        if node.basis == "stands" and undone:
            return before
    return None
