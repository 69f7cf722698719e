"""Legal orders of plies that were read in another one, by which one of them is illegal.

A man who was put down across an edge, or on a square that tells late, is shown after what was
played since. So his ply is read too late, and one before it may be against the rules without it.
"""

from collections.abc import Iterator

import chess

from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import Node, plies_of
from bridge.core.inference.position import Position

PLIES_EARLIER = 3
"""So many plies before the illegal one may have been made after others that were read later ..."""
PLIES_LATER = 3
"""... and so many after it before."""


def in_legal_order(course: Course, start: Node, last: Node) -> Node:
    """Return *last*, or the same plies after *start* with one made earlier, so that all are legal.

    Only where one of them is illegal for which nobody was seen to press: then its player had made
    it.
    """
    plies = plies_of(last, start)
    illegal = [number for number, ply in enumerate(plies) if ply.basis == "stands"]
    if len(illegal) != 1 or _was_pressed(course, plies, illegal[0]):
        return last
    first = max(0, illegal[0] - PLIES_EARLIER)
    before = start if first == 0 else plies[first - 1]
    moves = [ply.move for ply in plies[first:] if ply.move is not None]
    if len(moves) < len(plies) - first:
        return last  # a position was taken up there, by no move
    for order in _orders(moves, illegal[0] - first + PLIES_LATER):
        if _leads_to(before.position, order, last.position.shown):
            return _made(before, order, plies[first:])
    return last


def _was_pressed(course: Course, plies: list[Node], number: int) -> bool:
    """Whether who made the ply of that *number* pressed after it, before the next one."""
    ply, before = plies[number], plies[number].parent
    if before is None:
        return True
    until = plies[number + 1].since if number + 1 < len(plies) else course.sight.changed_at
    mover = before.position.board.turn
    return any(
        ply.since <= at <= until and colour in (mover, None) for at, colour in course.clock.history
    )


def _orders(moves: list[chess.Move], latest: int) -> Iterator[list[chess.Move]]:
    """Yield *moves* with one of them, up to the *latest*, made before others of its player."""
    for later in range(2, min(latest + 1, len(moves))):
        for earlier in range(later - 2, -1, -2):
            order, own = [*moves], slice(earlier, later + 1, 2)
            order[own] = [moves[later], *moves[own][:-1]]
            yield order


def _leads_to(position: Position, moves: list[chess.Move], shown: str) -> bool:
    """Whether all *moves* are legal from *position*, and lead to what is *shown*."""
    for move in moves:
        if not position.board.is_legal(move):
            return False
        position = position.after(move)
    return position.shown == shown


def _made(before: Node, moves: list[chess.Move], plies: list[Node]) -> Node:
    """Return the last of *plies*, made after *before* as *moves*."""
    node = before
    for move, ply in zip(moves, plies, strict=True):
        node = node.then(move).seen_as(ply)
        if ply.basis == "stands":
            node.basis = "gap"
    return node
