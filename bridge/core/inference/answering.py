"""What settles a move that stands while men of the opponent are not in place.

His reply has begun, or he is taking the man that moved; or he did something that is no legal reply.
"""

import chess

from bridge.core.inference.ahead import side_of, stands_elsewhere
from bridge.core.inference.believing import believed_at
from bridge.core.inference.completion import (
    had_stood_where_theirs_is,
    is_move_made,
    is_theirs,
)
from bridge.core.inference.course import Course
from bridge.core.inference.gesture import enters_centre
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.placement import BIT, EMPTY


def judge_begun_reply(course: Course, at: float) -> bool:
    """Settle a pressed move beside which only men of the opponent are not in place."""
    pressed, chain = course.pressed, course.chain
    if pressed is None or not chain.shown:
        return False
    stage = chain.shown[0]
    if not chain.stands(stage):
        return _is_being_taken(course, stage, pressed, at) and course.settle(
            "press", "the clock was pressed and its man is being taken", at
        )
    if not is_answer_begun(course) or _may_have_been_taken(course, stage, at):
        return False
    goes_on = _goes_on_to_take(course, stage)
    if goes_on and stage.weak:
        return False
    still = course.timing.gap if goes_on else course.timing.glance
    if not course.due(believed_at(course, stage, pressed, still=still), at):
        return False
    # Who has a name may be shown beside the square of his victim, until he is put right.
    if goes_on and course.named and not course.due(pressed + course.timing.in_hand, at):
        return False
    return course.settle("press", "the clock was pressed and the reply began", at)


def _may_have_been_taken(course: Course, stage: Stage, at: float) -> bool:
    """Whether the man of *stage* is a victim set aside: somebody came to where he had stood before.

    He is taken off soon then. Men must have names.
    """
    before = course.chain.replaced
    if before is None or before.best.parent is not stage.best.parent:
        return False
    same = before.move.from_square == stage.move.from_square
    near = chess.square_distance(before.square, stage.square) == 1
    taken = same and near and had_stood_where_theirs_is(course, before)
    return taken and not course.due(stage.since + course.timing.in_hand, at)


def is_answer_begun(course: Course) -> bool:
    """Whether a move stands beside which only men of the opponent are not in place."""
    shown = course.chain.shown
    return bool(shown) and course.chain.stands(shown[0]) and not _not_in_place(course, shown[0])


def _goes_on_to_take(course: Course, stage: Stage) -> bool:
    """Whether a man was taken off that its man may be on the way to take.

    He was before the move, if that is whole.
    """
    node, sight = stage.best, course.sight
    if node.parent is None:
        return False
    board, differs = node.parent.position.board, sight.differs(stage.shown)
    came = stage.since + course.timing.scan
    return any(
        stage.might_lead(square)
        for square in chess.scan_forward(differs & board.occupied_co[not board.turn])
        if sight.shown[square] == EMPTY and (stage.weak or sight.emptied[square] <= came)
    )


def _not_in_place(course: Course, stage: Stage) -> int:
    """Return the squares where men of the player who moved show something else than *stage*.

    Where men have no names, those that came are the opponent's if as many of his men have left.
    """
    position, sight = stage.best.position, course.sight
    differs, mover = sight.differs(stage.shown), not position.board.turn
    mine = side_of(differs, position, sight.shown, mover)
    if course.named or mine & position.board.occupied_co[mover]:
        return mine
    left = position.lifted(sight.shown, differs, not mover)
    elsewhere = stage.weak and stands_elsewhere(stage, sight, mine, left)
    return mine if elsewhere or _come_of_nobody(course, mine, left) else 0


def _come_of_nobody(course: Course, came: int, left: int) -> bool:
    """Whether one of those who *came* was there before so many of the men had *left*."""
    changed = course.sight.changed
    arrivals = sorted(changed[square] for square in chess.scan_forward(came))
    departures = sorted(changed[square] for square in chess.scan_forward(left))
    if len(arrivals) > len(departures):
        return True
    still = course.timing.still
    return any(at + still < gone for at, gone in zip(arrivals, departures, strict=False))


def _is_being_taken(course: Course, stage: Stage, pressed: float, at: float) -> bool:
    """Whether the man that moved stood, and the opponent took it up or put his own man there."""
    gap, target = course.timing.gap, stage.square
    if stage.weak or course.dispute.told or course.dispute.is_of_two:
        return False  # what was illegal is perhaps put right
    taken = course.named and is_theirs(course, stage, target)
    heard = taken and stage.since <= pressed <= stage.until
    if not heard and stage.until < stage.since + gap:
        return False
    if not (course.named or _may_take(course, stage)):
        return False  # it may have gone on, and taken a man
    if not course.due(pressed + gap, at):
        return False
    there = taken or course.sight.shown[target] == EMPTY
    return there and not _not_in_place(course, stage) & ~BIT[target]


def _may_take(course: Course, stage: Stage) -> bool:
    """Whether a man of the opponent who was taken up may take the man that moved."""
    after, theirs, target = stage.best.position.board, course.chain.theirs, stage.best.target
    in_passing = 0 if after.ep_square is None else BIT[after.ep_square]
    return any(
        BIT[move.to_square] & target or after.is_en_passant(move)
        for move in after.generate_legal_moves(theirs, target | in_passing)
    )


def judge_answered(course: Course, at: float) -> bool:
    """Settle a move that stands when the opponent pressed after it, whatever he did then.

    Without a clock, it is settled when what he did has rested for a while.
    """
    chain = course.chain
    if not chain.shown or chain.shown[0].weak or not chain.stands(chain.shown[0]):
        return False
    if course.stands_illegal:
        return False  # it may be a part of that, as the rook's of castling
    if course.clock.state == "none":
        return _is_answered_unpressed(course, chain.shown[0], at) and course.settle(
            "reply", "the opponent moved after it", at
        )
    if course.answered <= chain.shown[0].since:
        return False
    if not course.due(course.answered + course.timing.gap, at):
        return False
    return course.settle("reply", "the opponent pressed after it", at)


def _is_answered_unpressed(course: Course, stage: Stage, at: float) -> bool:
    """Whether the opponent put a man elsewhere beside *stage*, or did whatever rested for long.

    So he did if his move was answered by another one.
    """
    timing, sight = course.timing, course.sight
    mine, done = _not_in_place(course, stage), sight.differs(stage.shown)
    theirs = done & ~mine
    made = course.named and is_move_made(course, theirs) and _is_later(course, theirs, stage.mask)
    if mine and not (made and is_move_made(course, mine) and _is_later(course, mine, theirs)):
        return False
    patience = timing.gesture if enters_centre(stage.best) else 0.0
    return course.due(sight.changed_at + patience + (timing.verdict if made else timing.rest), at)


def _is_later(course: Course, squares: int, others: int) -> bool:
    """Whether all of *squares* changed some time after the *others*, as men do that are moved."""
    sight = course.sight
    return sight.first_change(squares) > sight.last_change(others) + course.timing.gap
