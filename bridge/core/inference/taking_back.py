"""Moves that the players took back: play goes on from before them.

The Laws do not know it, but at home and in the club it is done.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import chess

from bridge.core.inference.course import Course
from bridge.core.inference.findings import Explained
from bridge.core.inference.hypotheses import Node, plies_back
from bridge.core.inference.placement import BIT, difference, occupied

MOST_TAKEN_BACK = 4
"""So many plies may be taken back together, if another move is pressed for from before them."""
MOST_DISTURBED = 1
"""Squares beside theirs that may show wrong meanwhile."""


def play_on_from_before(course: Course, at: float) -> bool:
    """Go back to a position that was put up again, if another move was made from there.

    The move must be pressed for, or stand for long where there is no clock. There only one ply is
    taken back: who takes back more looks at the game. Where men have no names, another man on a
    square may look like him who left it: two plies at least must have been taken back, and what may
    look like moves as well is no play then, for the last ply was taken back first.
    """
    chain, clock = course.chain, course.clock
    if course.is_looked_at:
        unlike_play = clock.state == "runs"
    else:
        unlike_play = course.named and chain.match is None
    if not unlike_play or chain.missed or not _is_made(course, at):
        return False
    positions = [course.position.shown]
    for before in _earlier(course):
        positions.append(before.position.shown)
        mover = before.position.board.turn
        pressed = clock.pressed(mover)
        if clock.state == "runs" and (mover, pressed) != (not clock.turn, clock.pressed_at):
            continue
        stood = _stood(course, positions)
        made = None if stood is None else _moved_from(course, before, stood.wrong)
        if stood is None or made is None or (pressed is not None and pressed < made):
            continue
        why = "its men were put back, and another move was made"
        course.go_back(before, why, since=stood.since, unsure=True)
        if pressed is not None:
            clock.keep(mover, pressed)
        course.story.tell(Explained())
        return True
    return False


class _Stood(NamedTuple):
    """Since when a position was shown, and the squares that were ``wrong`` all the same."""

    since: float
    wrong: int


def _is_made(course: Course, at: float) -> bool:
    """Whether what is shown was pressed for, or stands for long where no clock runs."""
    clock, changed = course.clock, course.sight.changed_at
    if clock.state == "none":
        return course.due(changed + course.timing.correction, at)
    return clock.state == "runs" and at <= clock.pressed_at + course.timing.press_life


def _earlier(course: Course) -> Iterator[Node]:
    """Yield the plies before the last ones, from which play may go on, the latest first.

    Not where a game began: men are put there for the next one as well.
    """
    most = MOST_TAKEN_BACK if course.clock.state == "runs" else 1
    for node in islice(plies_back(course.story.head), most):
        before = node.parent
        if node.basis == "stands" or before is None or before.parent is None:
            return
        yield before


def _stood(course: Course, positions: Sequence[str]) -> _Stood | None:
    """Return when the last of *positions* was put up again, if it stood for a while since.

    The first of them is the record. They were shown one after another: who takes moves back begins
    with the last one.
    """
    sight, stood = course.sight, None
    trace = sight.shown_from(course.story.head.since)
    undone, number = difference(positions[0], positions[-1]), 1
    for (since, men), (until, _) in pairwise(trace):
        wrong = difference(men, positions[number]) & ~sight.excused
        if wrong & undone or wrong.bit_count() > MOST_DISTURBED:
            continue
        if number < len(positions) - 1:
            number += 1
        elif until - since >= course.timing.still:
            stood = _Stood(since, wrong)
    return stood


def _moved_from(course: Course, before: Node, wrong: int) -> float | None:
    """Return when the legal move from the position of *before* was made that is shown, if one is.

    But for what is *wrong*, and one man who is away, nothing else is shown.
    """
    position, sight = before.position, course.sight
    ignored = sight.excused | wrong
    squares = difference(sight.shown, position.shown) & ~ignored
    away = squares & ~occupied(sight.shown)
    for gone in (0, *(BIT[square] for square in chess.scan_forward(away))):
        for move in position.moves_shown(sight.shown, squares & ~gone, ignored | gone):
            if not difference(sight.shown, position.after(move).shown) & ~(ignored | gone):
                return sight.last_change(position.change(move))
    return None
