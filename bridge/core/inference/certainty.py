"""How certain the record is: whether a move may be called illegal by it."""

from bridge.core.inference.course import Course
from bridge.core.inference.placement import difference

PLIES_SURE = 16
"""A move is called illegal only if so many plies were seen well ..."""
MOST_GUESSED = 1.5
"""... which means that fewer than so many were guessed, each counted less the longer ago it was."""
MOST_DISBELIEVED = 2
"""With more squares that are taken to show something wrong, it may be the record that is wrong."""
RIVALLED = 2.0
"""Another reading that costs less than this more leaves a record without names in doubt."""


def is_sure(course: Course) -> bool:
    """Whether the record is certain enough to call a move illegal by it.

    What was read wrongly shows only later, as a move that seems illegal: hardly a ply of late must
    have been read again, unless the whole board has shown the position since. Where men have no
    names, no other reading must be nearly as likely.
    """
    head = course.chain.head
    wrong = course.sight.excused & difference(course.sight.shown, head.shown)
    if wrong.bit_count() > MOST_DISBELIEVED:
        return False
    if course.named and not wrong and head.best.rest >= course.timing.still:
        return True
    if not course.named and any(rival.cost < head.best.cost + RIVALLED for rival in head.nodes[1:]):
        return False
    node, guessed = head.best, 0.0
    for age in range(PLIES_SURE):
        if node.parent is None:
            break
        guessed += 1 - age / PLIES_SURE if node.basis == "gap" else 0.0
        node = node.parent
    return guessed < MOST_GUESSED
