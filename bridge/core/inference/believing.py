"""When a move that stands is believed to be the one that was pressed.

A man in the air looks like a capture where only occupancy is seen, a man on his way stands on each
square for a moment, and a rook may wait for its king.
"""

import math

import chess

from bridge.core.inference.ahead import come_and_gone, took_there
from bridge.core.inference.completion import may_castle
from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import TOGETHER, Stage
from bridge.core.inference.placement import BIT, EMPTY, occupied
from bridge.core.inference.scans import (
    TOLD_WITH_IT,
    is_seldom_seen,
    late_scan,
    next_look,
    next_step,
    one_scan,
    seen_twice,
)

LOSING = 3.5
"""A capture that people are so unlikely to make loses a pawn or more: no victim is waited for."""


def stood_from(course: Course, stage: Stage) -> float:
    """Return since when *stage* stands, or since the last change if a man taken up looks so."""
    return course.sight.changed_at if stage.weak else stage.since


def believed_at(course: Course, stage: Stage, pressed: float, *, still: float) -> float:
    """Return when a move that stands is believed to be the one that was pressed.

    A man in the air looks like a capture where only occupancy is seen, and so may a man that is
    put down after the press be a victim carried off. *still*: how long it must stand where nothing
    of that is to be feared.
    """
    timing = course.timing
    if stage.weak and course.named:
        return max(course.sight.changed_at, pressed) + timing.in_hand
    if course.dispute.told:
        return _put_right_at(course, stage)
    if stage.weak:
        stood_until = _stood_elsewhere(course, stage, pressed) + timing.in_doubt
        seldom = is_seldom_seen(course)
        told = max(timing.reading, seen_twice(course)) if seldom else timing.gap
        left_later = course.sight.emptied[stage.move.from_square] > pressed + timing.gap
        rest = timing.in_hand if left_later else timing.still  # or it was not pressed for him
        return max(course.sight.changed_at + rest, pressed + told, stood_until)
    if may_castle(stage):
        return max(stage.since, pressed) + timing.carried
    if _is_told_whole(course, stage) and _might_go_on(stage):
        return max(stage.since + max(timing.reading, still), next_look(course, pressed))
    if patience := _as_victim(course, stage):
        return max(stage.since, pressed) + patience
    if pressed < stage.since:
        plain = course.named and not _may_slide_on(course, stage)
        return stage.since + max(still, one_scan(course) if plain else timing.gap)
    if _may_slide_on(course, stage, pressed):
        return max(stage.since + max(next_step(course), still), pressed + timing.still)
    return _believed_standing(course, stage, pressed, still)


def _believed_standing(course: Course, stage: Stage, pressed: float, still: float) -> float:
    """Return the same of one who stood when his player pressed, and did not slide there."""
    timing = course.timing
    if not _might_go_on(stage):
        return max(stage.since + still, pressed + (0.0 if course.named else timing.scan))
    if course.named:
        return max(stage.since + max(still, late_scan(course)), pressed + TOLD_WITH_IT)
    if pressed < stage.since + timing.still:
        still = max(still, timing.gap)
    return max(stage.since + still, pressed + timing.scan)


def _stood_elsewhere(course: Course, stage: Stage, pressed: float) -> float:
    """Return when a square was left last where the man of *stage*, who is away, may have stood.

    He may stand there, so that the board does not always see him; or he had no business there when
    his player *pressed*, and is being put back.
    """
    sight, node, timing = course.sight, stage.best, course.timing
    if node.parent is None:
        return -math.inf
    before = node.parent.position
    gone = come_and_gone(before, sight, course.chain.head.since)
    moves = before.board.generate_legal_moves(BIT[stage.move.from_square], gone)
    legal = sum(BIT[square] for square in {move.to_square for move in moves})
    stood = chess.scan_forward(legal | sight.emptied_since(gone, pressed))
    left = (sight.emptied[square] for square in stood if sight.rested[square] >= timing.shown)
    return max(left, default=-math.inf)


def _put_right_at(course: Course, stage: Stage) -> float:
    """Return when what is shown after a completed illegal move is a legal one instead.

    A man put back may rest on legal squares on his way, and what is left of a move of two men look
    like a move.
    """
    stood, changed = stood_from(course, stage), course.sight.changed_at
    if stood < changed and stage.shown != course.dispute.judged:
        return changed + course.timing.in_hand
    return stood + course.timing.verdict


def _as_victim(course: Course, stage: Stage) -> float:
    """Return how long who came must stand, for he may be a victim; 0: he is none.

    He is one rather, where men have no names, if a square is filled again on which the man who left
    may have taken him, and the more so if he came before that one had left.
    """
    timing, before = course.timing, stage.best.parent
    if course.named or before is None:
        return 0.0
    origin, target = stage.move.from_square, stage.square
    sight, since, board = course.sight, course.chain.head.since, before.position.board
    came = stage.mask & BIT[target]
    if came and took_there(before.position, sight, origin, since):
        stood_before = sight.changed[target] < sight.changed[origin] - TOGETHER
        return timing.forgotten if stood_before else timing.in_hand
    near = chess.BB_KING_ATTACKS[target] & board.occupied_co[not board.turn] & occupied(sight.shown)
    # Until the victim of a man on the square beside is off the board, both look alike.
    captures = board.generate_legal_moves(BIT[origin], near)
    may_be = any(before.position.implausible(capture) < LOSING for capture in captures)
    return timing.beside if may_be else 0.0


def _might_go_on(stage: Stage) -> bool:
    """Whether its man might have gone to the next square of his line as well.

    A board tells him square by square, scan by scan.
    """
    node, origin, target = stage.best, stage.move.from_square, stage.square
    if node.parent is None:
        return False
    onward = node.parent.position.board.generate_legal_moves(
        BIT[origin], chess.BB_KING_ATTACKS[target]
    )
    others = (move.to_square for move in onward if move != stage.move)
    return any(BIT[target] & chess.between(origin, square) for square in others)


def _is_told_whole(course: Course, stage: Stage) -> bool:
    """Whether a board that is looked at seldom showed its man gone and come at once."""
    changed, move = course.sight.changed, stage.move
    whole = abs(changed[move.from_square] - changed[stage.square]) <= course.timing.scan
    return whole and is_seldom_seen(course)


def _may_slide_on(course: Course, stage: Stage, pressed: float = -math.inf) -> bool:
    """Whether its man came by a step from the next square: the next step may not be told yet.

    A man that was in the air for a while was put where it belongs. So was one that had stood
    there for longer than a scan when his player *pressed*, if that was his first step.
    """
    sight, origin, target = course.sight, stage.move.from_square, stage.square
    if stage.since + course.timing.sliding < sight.changed_at or _castles(stage):
        return False
    near = chess.BB_KING_ATTACKS[target]
    if pressed >= stage.since + course.timing.gap:
        near &= ~BIT[origin]
    return any(
        sight.shown[square] == EMPTY
        and abs(sight.changed[square] - sight.changed[target]) < course.timing.glide
        for square in chess.scan_forward(near)
    )


def _castles(stage: Stage) -> bool:
    """Whether king and rook went by its move: neither goes on."""
    before = stage.best.parent
    return before is not None and before.position.board.is_castling(stage.move)
