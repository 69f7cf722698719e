"""A man who is read to stand unseen, and is seen elsewhere: he went there by an illegal move."""

import math
from collections.abc import Iterator
from itertools import pairwise

import chess

from bridge.core.inference.branch import Reading
from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import Node, plies_of


def went_elsewhere(course: Course, reading: Reading, start: Node) -> Reading | None:
    """Return *reading* with an illegal move for a man put down unseen that is seen elsewhere.

    None, if one is seen on several squares or was put back, if his move there would be legal, as
    that of a king who castles before his rook, or play cannot have gone on from there.
    """
    if not course.named or not reading.unseen:
        return reading
    node = start
    for ply in plies_of(reading.node, start):
        if ply.move is None:
            return None
        move = ply.move
        unseen = bool(ply.target & reading.unseen)
        seen = _seen_elsewhere(course, ply, move, reading.node, start) if unseen else []
        if any(_came_after_answer(course, square, ply, reading.node) for square in seen):
            return None
        if seen:
            if len(seen) > 1 or seen[0] == move.from_square:
                return None
            went = chess.Move(move.from_square, seen[0])
            made = None if node.position.board.is_legal(went) else node.then_illegal(went)
            if made is None or not made.position.board.is_valid():
                return None
            node = made
        elif node is ply.parent:
            node = ply
        elif node.position.board.is_legal(move):
            node = node.then(move)
        else:
            return None
        node.since = ply.since
    return reading._replace(node=node)


def _seen_elsewhere(
    course: Course, ply: Node, move: chess.Move, leaf: Node, start: Node
) -> list[chess.Square]:
    """Return where the man of *ply* is seen, else where he rested, without belonging there.

    Where he belongs tell the positions from *start* to *leaf*. *move* is that of *ply*.
    """
    shown, man = course.sight.shown, ply.position.cells[move.to_square]
    others = _beside_home(course, man, move.from_square, start.since)
    strange = course.sight.differs(leaf.position.shown)
    seen = [at for at in chess.scan_forward(strange) if shown[at] == man and at not in others]
    line = [start, *plies_of(leaf, start)]
    known = {at for each in line for at, one in enumerate(each.position.shown) if one == man}
    return seen or _rested_on(course, man, start.since, known | others)


def _came_after_answer(course: Course, square: chess.Square, ply: Node, leaf: Node) -> bool:
    """Whether who is on *square* came there after what answered *ply*, on the way to *leaf*."""
    answer = next(iter(plies_of(leaf, ply)), None)
    if answer is None or answer.since == -math.inf:
        return False
    return course.sight.changed[square] > answer.since + course.timing.gap


def _beside_home(course: Course, man: str, home: chess.Square, start: float) -> set[chess.Square]:
    """Return the squares that showed *man* since *start* while *home* did: that was another one."""
    shown_for: dict[chess.Square, float] = {}
    for since, until, squares in _shown_on(course, man, start):
        if home in squares:
            for square in squares:
                shown_for[square] = shown_for.get(square, 0.0) + until - since
    return {square for square, long in shown_for.items() if long >= course.timing.gap}


def _shown_on(
    course: Course, man: str, start: float
) -> Iterator[tuple[float, float, set[chess.Square]]]:
    """Yield from when until when, since *start*, which squares showed *man*."""
    for (since, shown), (until, _) in pairwise(course.sight.since(start) or []):
        yield since, until, {at for at, one in enumerate(shown) if one == man}


def _rested_on(
    course: Course, man: str, start: float, known: set[chess.Square]
) -> list[chess.Square]:
    """Return where *man* rested since *start* as his player pressed, apart from *known* squares.

    He may be gone by now, for another move or in a flicker.
    """
    presses = [at for at, colour in course.clock.history if colour == man.isupper()]
    rested: dict[chess.Square, float] = {}
    pressed = set()
    for since, until, on in _shown_on(course, man, start):
        squares = on - known
        for square in squares:
            rested[square] = rested.get(square, 0.0) + until - since
        if any(since <= at < until for at in presses):
            pressed |= squares
    return [square for square in pressed if rested[square] >= course.timing.verdict]
