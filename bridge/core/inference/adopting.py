"""Positions adopted: play clearly goes on from what stands, and nothing leads there."""

from collections.abc import Iterator
from itertools import pairwise

import chess

from bridge.core.inference.course import Course
from bridge.core.inference.placement import changes_of, difference, with_changes
from bridge.core.inference.played_on import shows_illegal
from bridge.core.inference.position import standing_board

PRESSES_ASTRAY = 3
"""Presses while nothing explains the board, after which play is taken to go on from there."""
LONG_ASTRAY = 10.0
"""... and the time (s) for which it is not."""
MOST_ASTRAY = 10
"""So many, if a second reading explains it by a man who stands unseen, or beside his square."""
PLIES_ASTRAY = 4
"""Plies made in turn, and seen, that tell as much where no clock is."""


def adopt(course: Course, at: float) -> bool:
    """Go on from what stands, when play clearly goes on and nothing leads there.

    Men must have names, and the clock say whose turn it is, or, after a lost link, the moves.
    """
    chain, clock = course.chain, course.clock
    timed = clock.state != "none" and chain.astray >= PRESSES_ASTRAY
    untimed = clock.state == "none" and chain.missed and course.named
    if not (timed or untimed) or shows_illegal(course):
        return False
    rested = course.sight.changed_at + course.timing.verdict
    if not course.due(max(rested, chain.astray_since + LONG_ASTRAY), at):
        return False
    if chain.astray < MOST_ASTRAY and course.second.explains:
        return False
    turn = clock.turn if timed else _turn_by_moves(course)
    if turn is None:
        return False
    board = standing_board(course.sight.shown, course.position.board, turn)
    if board is None:
        return False
    course.restart(board)
    return True


def _turn_by_moves(course: Course) -> chess.Color | None:
    """Return whose turn it is by the last moves, if the players made enough of them in turn."""
    movers: list[chess.Color] = []
    for after, before in pairwise(_stood(course)):
        mover = _mover(course, before, after)
        if mover is None or [mover] == movers[-1:]:
            return None
        movers.append(mover)
        if len(movers) == PLIES_ASTRAY:
            return not movers[0]
    return None


def _stood(course: Course) -> Iterator[str]:
    """Yield the placements that stood for a while since the head, the latest first."""
    later = None
    for at, shown in reversed(course.sight.shown_from(course.chain.head.since)):
        if later is None or later - at >= course.timing.verdict:
            yield shown
        later = at


def _mover(course: Course, before: str, after: str) -> chess.Color | None:
    """Return who made the legal move that leads from one placement to another, if one does."""
    differs = difference(before, after)
    for turn in chess.COLORS:
        board = standing_board(before, course.position.board, turn)
        if board is None:
            continue
        for move in board.generate_legal_moves(differs):
            if with_changes(before, changes_of(board, move)) == after:
                return turn
    return None
