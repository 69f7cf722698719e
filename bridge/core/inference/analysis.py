"""Analysis after a game that nothing ended: its last plies are taken back one after another."""

import math
from itertools import islice

from bridge.core.inference.course import PLIES_BACK, Course
from bridge.core.inference.hypotheses import Node, plies_back
from bridge.core.inference.restoring import MOST_UNDONE_LATE

PUT_BACK_SOON = 8.0
"""Plies that are taken back within this time (s) were none; else the game is looked at."""


def note_taken_back(course: Course, at: float) -> None:
    """Count the last plies that are taken back on the board: the position before each must stand.

    Nobody takes back what both have played; a single ply may be, and an illegal move that was
    played on must. So what follows is none of the game, until its last position stands again,
    somebody presses, or the clock is started. Men who are put back so soon were swept over, or only
    tried: they made no plies, and play goes on from before them.
    """
    chain = course.chain
    if chain.match == 0 or _goes_on(course):
        course.undone, course.undone_at = 0, math.inf
    if course.is_looked_at or chain.match == 0 or chain.missed or course.dispute.told:
        return
    changed = course.sight.changed_at
    stood = changed if course.undone else changed + course.timing.still
    all_back = _are_all_back(course)
    undone = PLIES_BACK if all_back else course.undone + 1
    if not ((all_back or _stands(course, undone)) and course.due(stood, at)):
        return
    course.undone_at = min(course.undone_at, changed)
    plies = [*islice(plies_back(course.story.head), undone)]
    if undone > 1 and plies[-1].since > course.undone_at - PUT_BACK_SOON:
        _withdraw(course, plies)
    else:
        course.undone = undone


def _are_all_back(course: Course) -> bool:
    """Whether the only two plies, of men with names, were put back by what are no legal moves.

    Each player put his man back, and which of them did first cannot be told. No clock runs, and no
    other move was shown. Whoever takes back a ply each later in a game may mean to play on.
    """
    chain, head = course.chain, course.story.head
    if head.ply != PLIES_BACK or not course.named or course.undone or course.clock.state == "runs":
        return False
    if chain.match is not None or chain.left is not chain.head:
        return False
    start = head.at_ply(0)
    if start.ply or any(node.basis == "stands" for node in plies_back(head)):
        return False
    return not course.sight.differs(start.position.shown)


def _goes_on(course: Course) -> bool:
    """Whether somebody has pressed since, or started the clock."""
    clock = course.clock
    return max(clock.pressed_at, clock.started_at) > course.undone_at


def _withdraw(course: Course, plies: list[Node]) -> None:
    """Go on from before *plies*, unless somebody pressed for one: their men were put back."""
    before = plies[-1].parent
    if before is not None and all(ply.pressed is None for ply in plies):
        course.go_back(before, "their men were put back at once")


def is_taken_back(course: Course) -> bool:
    """Whether the position before the last ply is shown, and no clock tells that it was none.

    It stays in the record until another move stands in its place, or until what follows shows that
    the game is looked at: then it was made.
    """
    chain = course.chain
    if course.clock.state != "none" or chain.match is not None or chain.missed:
        return False
    return not course.dispute.told and _stands(course, 1)


def _stands(course: Course, undone: int) -> bool:
    """Whether the position before the last *undone* plies is shown, which were all legal."""
    for number, node in enumerate(plies_back(course.story.head)):
        if number == undone:
            return not course.sight.differs(node.position.shown)
        if number < MOST_UNDONE_LATE and node.basis == "stands":
            break
    return False
