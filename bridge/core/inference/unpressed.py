"""Plies that nobody pressed for, by players who press: the game is over, and its clock runs on."""

import math
from itertools import islice, takewhile

from bridge.core.inference.clock import SILENCE
from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import Node, plies_back

MOST_FORGOTTEN = 4
"""So many plies may follow each other unpressed: two that were forgotten, and the answers."""
MOST_BEFORE_CLEARED = 2
"""So many if the men are put up again then: one that was forgotten, and its answer."""
PLIES_BEFORE = 8
"""Of so many plies before them ..."""
MOSTLY_PRESSED = 6
"""... so many must have been pressed for: else nobody presses there."""
MOST_UNPRESSED = 40
"""More than so many are looked at by nobody after a game."""


def unpressed(course: Course, most: int = 0) -> int:
    """Return how many of the last plies nobody pressed for, though both players press.

    No more than *most* count for none. The clock ran on for one player all the while, was read
    meanwhile, and the board was watched. Unless presses add time, a ply that was answered
    within a moment may have been pressed for between two readings, as the answer may.
    """
    last = _last_press(course)
    lately = islice(plies_back(course.story.head), MOST_UNPRESSED + 1)
    plies = [*takewhile(lambda node: _is_after(node, last), lately)]
    if len(plies) > MOST_UNPRESSED:
        return 0
    if not course.clock.shows_presses:
        plies = _after_quick(plies, course.timing.in_doubt)
    if len(plies) <= most or course.clock.read_at < plies[0].since - SILENCE:
        return 0
    before = islice(plies_back(plies[-1]), 1, 1 + PLIES_BEFORE)
    return len(plies) if sum(node.basis == "press" for node in before) >= MOSTLY_PRESSED else 0


def _after_quick(plies: list[Node], moment: float) -> list[Node]:
    """Return those of *plies*, the latest first, that follow the last one answered within *moment*.

    Once more than two (``MOST_BEFORE_CLEARED``) followed each other, a quick answer tells nothing.
    """
    start = len(plies)
    for number in range(len(plies) - 1, 0, -1):
        answer, ply = plies[number - 1], plies[number]
        if answer.since - ply.since < moment:
            if start - number - 1 > MOST_BEFORE_CLEARED:
                break
            start = number - 1
    return plies[:start]


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
