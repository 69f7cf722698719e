"""How certain the record is: whether a move may be called illegal by it."""

import math

from bridge.core.inference.course import Course
from bridge.core.inference.placement import EMPTY, difference

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


def contradicts(course: Course, squares: int) -> bool:
    """Whether *squares*, by which a move would be illegal, tell that the record is wrong instead.

    What was done there before it was the mover's turn belongs to an earlier move. A man that was
    gone long before another one came had left, or was taken. And one that came before any other
    left its square is misread.
    """
    sight, cells, timing = course.sight, course.position.cells, course.timing
    left, came = sight.left_and_came(squares)
    changed = sight.changed
    turned = course.chain.head.since + timing.still
    if any(changed[square] <= turned for square in (*left, *came)):
        return True
    if any(cells[square] != EMPTY and sight.vacant[square] > timing.in_hand for square in came):
        return True
    first = min((changed[square] for square in left), default=-math.inf)
    return any(changed[square] + timing.still < first for square in came)
