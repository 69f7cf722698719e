"""Plies that nobody pressed for, by players who press: the game is over, and its clock runs on."""

import math
from itertools import islice, takewhile

from bridge.core.inference.clock import SILENCE
from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import Node, plies_back

MOST_FORGOTTEN = 2
"""So many plies may follow each other unpressed: one that was forgotten, and its answer."""
PLIES_BEFORE = 8
"""Of so many plies before them ..."""
MOSTLY_PRESSED = 6
"""... so many must have been pressed for: else nobody presses there."""
MOST_UNPRESSED = 40
"""More than so many are looked at by nobody after a game."""


def unpressed(course: Course, most: int = 0) -> int:
    """Return how many of the last plies nobody pressed for, though both players press.

    No more than *most* count for none. The clock ran on for one player all the while, was read
    meanwhile, and the board was watched.
    """
    last = _last_press(course)
    lately = islice(plies_back(course.story.head), MOST_UNPRESSED + 1)
    plies = [*takewhile(lambda node: _is_after(node, last), lately)]
    if not most < len(plies) <= MOST_UNPRESSED:
        return 0
    first, latest = plies[-1].since, plies[0].since
    quick = latest - first < course.timing.in_doubt * (len(plies) - 1)
    if quick or course.clock.read_at < latest - SILENCE:
        return 0
    before = islice(plies_back(plies[-1]), 1, 1 + PLIES_BEFORE)
    return len(plies) if sum(node.basis == "press" for node in before) >= MOSTLY_PRESSED else 0


def _is_after(node: Node, last: float) -> bool:
    return node.pressed is None and node.since > last and not node.missed


def _last_press(course: Course) -> float:
    """Return when somebody pressed last; infinite if the clock does not run since or is unknown."""
    clock = course.clock
    if clock.state == "none":
        return math.inf
    presses = [at for at, colour in clock.history if colour is not None]
    last = max([clock.handed_at, *presses[-1:]])
    return math.inf if last < clock.started_at else last
