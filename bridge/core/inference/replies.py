"""What the legal reply to a move tells: that it was played, that it was another, or nothing yet.

A man passing by may look like a move, and a victim that is carried off like the reply.
"""

import chess

from bridge.core.inference.ahead import NO_ANSWER
from bridge.core.inference.believing import stood_from
from bridge.core.inference.completion import is_amid_castling, second_man
from bridge.core.inference.course import Course
from bridge.core.inference.doubting import doubt
from bridge.core.inference.gesture import enters_centre, moves_king
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.placement import BIT, EMPTY, difference, occupied
from bridge.core.inference.settling import stood_on_both
from bridge.core.inference.unseen_man import take_unseen_man
from bridge.core.inference.weighing import MOST_WRONG

PLIES_TELLING = 3
"""So many plies that are seen to be made after a move tell that it was one, whatever it looked."""


def judge_reply(course: Course, at: float) -> bool:
    """Settle a move that stood and was followed by a legal reply: it was played."""
    shown = course.chain.shown
    first, reply = shown[0], shown[1]
    if second_man(course):
        return False
    if first.weak and _came_elsewhere(course, first):
        return False
    if course.named and _left_before(course, first, reply):
        if course.pressed is None:
            return False
        if _may_have_been_taken(course, first, reply):
            _follow(course, first, reply.square)
            return True
        return take_unseen_man(course, at)
    decided = _judge_ways(course, first, reply, at)
    if decided is not None:
        return decided
    gone = _may_be_the_victim(course, first, reply) and not course.chain.stands(first)
    if _was_pressed(course, first, reply) and not gone:
        return course.settle("press", "the clock was pressed and the reply was made", at)
    return not _is_nothing(course, first, reply) and _judge_unpressed(course, first, reply, at)


def _was_pressed(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether somebody pressed after *first*; if that is weak, its player and after him the other.

    The *reply* of that one must stand then.
    """
    if not first.weak:
        return course.pressed is not None or course.answered > first.since
    if course.pressed is None or reply.weak or not course.chain.stands(reply):
        return False
    return course.answered > max(course.pressed, reply.since)


def _is_nothing(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether what looks like the *reply* to *first* tells nothing."""
    if reply.since > course.clock.stopped_at or (first.weak and course.is_answered):
        return True
    return first.weak and reply.weak and _is_back(course, first)


def _judge_unpressed(course: Course, first: Stage, reply: Stage, at: float) -> bool:
    made = sum(not stage.weak for stage in course.chain.shown[1:])
    if _answered_in_turn(course) or made >= PLIES_TELLING:
        return course.settle("reply", "the reply was made and answered", at)
    if not course.due(stood_from(course, reply) + _doubt(course, first, reply), at):
        return False
    if first.weak and not course.named:
        if _are_cleared_away(course):
            return False
        if doubt(course, at):
            return True
    if _are_put_up(course, at):
        return False
    return course.settle("reply", "the reply was made", at)


def _are_put_up(course: Course, at: float) -> bool:
    """Whether men come who were on no square of the board: while no clock runs, to be put up.

    One who stays alone was set aside there, or is shown where nobody stands.
    """
    if course.clock.state == "runs" or not course.named:
        return False
    sight, last = course.sight, course.chain.shown[-1]
    wrong = difference(sight.shown, last.shown)
    came = wrong & occupied(sight.shown) & ~occupied(last.shown)
    gone = {last.shown[square] for square in chess.scan_forward(wrong)}
    outside = sum(BIT[each] for each in chess.scan_forward(came) if sight.shown[each] not in gone)
    return not course.due(sight.last_change(outside) + course.timing.in_hand, at)


def _are_cleared_away(course: Course) -> bool:
    """Whether more men are gone than were taken: the board is cleared, and nobody moved."""
    last = course.chain.shown[-1]
    gone = course.sight.differs(last.shown) & ~occupied(course.sight.shown)
    return gone.bit_count() > MOST_WRONG


def _judge_ways(course: Course, first: Stage, reply: Stage, at: float) -> bool | None:
    """Decide what men who only passed by, or were put down for a moment, did; None: nobody did."""
    if is_amid_castling(course):
        return None if course.due(course.sight.changed_at + course.timing.in_hand, at) else False
    if (passed := _passed_on(course, first, reply)) is not None:
        _follow(course, first, passed)
        return True
    beside = _may_be_put_beside(course, first, reply)
    if beside and not course.due(course.sight.changed_at + course.timing.in_hand, at):
        return False
    if _is_taken_off(course, first, reply):
        if _is_at(course, first, reply.move.from_square):
            _follow(course, first, reply.move.from_square)
            return True
        if not course.due(course.sight.changed_at + course.timing.in_hand, at):
            return False
    on = _went_on(course, first, reply)
    if (on or stood_on_both(course, reply)) and doubt(course, at):
        return True
    if len(on) == 1:
        _follow(course, first, on[0])
        return True
    return None


def _may_be_put_beside(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether the man of *first* had stood where that of the *reply* came, who was taken up before.

    Then he was taken there perhaps, and only put down beside it. Men must have names.
    """
    before = course.chain.replaced
    if not course.named or before is None or before.best.parent is not first.best.parent:
        return False
    stood = before.until - before.since >= course.timing.gap
    taken_up = course.sight.emptied[reply.move.from_square]
    near = chess.square_distance(before.square, first.square) == 1
    same = before.move.from_square == first.move.from_square and before.square == reply.square
    return stood and near and same and taken_up <= before.until


def _is_back(course: Course, stage: Stage) -> bool:
    """Whether somebody stands where the man of *stage* was: he was put back, or made room."""
    return course.sight.shown[stage.move.from_square] != EMPTY


def _came_elsewhere(course: Course, first: Stage) -> bool:
    """Whether the man of *first*, which nothing but his leaving shows, may stand on another square.

    Somebody does where nobody should.
    """
    node, last = first.best, course.chain.shown[-1]
    if course.named or node.parent is None or course.chain.match is not None:
        return False
    strange = course.sight.differs(last.shown) & occupied(course.sight.shown)
    origin = BIT[first.move.from_square]
    return any(node.parent.position.board.generate_legal_moves(origin, strange))


def _answered_in_turn(course: Course) -> bool:
    """Whether the reply was answered, not so soon that men passing by look like three moves."""
    three = course.chain.shown[:3]
    if len(three) < 3 or any(stage.weak for stage in three):
        return False
    return three[2].since >= three[0].since + course.timing.gap


def _left_before(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether the man of *first* was gone before the *reply*, whose man is not about to take it."""
    board, target = first.best.position.board, first.square
    if reply.square == target or board.is_en_passant(reply.move):
        return False
    if board.is_legal(chess.Move(reply.move.from_square, target)):
        return False
    if not course.sight.differs(first.shown) & BIT[target]:
        return False  # the reply may stand where it came from
    if _moved_again(course, first) is not None and first.until >= first.since + course.timing.gap:
        return False  # he was taken up for the answer
    return first.until < reply.since - course.timing.still


def _moved_again(course: Course, first: Stage) -> chess.Move | None:
    """Return the move that the man of *first* seems to have made after the reply."""
    shown = course.chain.shown
    if len(shown) <= 2 or shown[2].weak or shown[2].move.from_square != first.square:
        return None
    return shown[2].move


def _may_have_been_taken(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether the man of *first*, who is seen nowhere, went on to where that of the *reply* came.

    He may as well stand on a square that is known to show nothing.
    """
    if any(first.might_lead(square) for square in chess.scan_forward(course.sight.dead)):
        return False
    return first.might_lead(reply.square)


def _is_taken_off(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether the man of the *reply* is a victim of *first* that was put down beside his square.

    Its man may take him then. He left before that one, or only for the next square, and while
    the clock runs nobody pressed in between.
    """
    emptied, square = course.sight.emptied, reply.move.from_square
    if not course.named:
        return False
    if emptied[square] >= emptied[first.move.from_square]:
        near = chess.square_distance(square, reply.square) == 1
        unpressed = course.clock.state == "runs" and course.pressed is None
        if not (near and unpressed) or len(course.chain.shown) > PLIES_TELLING:
            return False
    return first.might_lead(square)


def _is_at(course: Course, stage: Stage, square: chess.Square) -> bool:
    """Whether *square* shows the man that moved."""
    man = stage.best.position.shown[stage.square]
    return course.sight.shown[square] == man


def _went_on(course: Course, first: Stage, reply: Stage) -> list[chess.Square]:
    """Return where the man of *first* stood already when the *reply* came, if he did elsewhere.

    He was on his way then, and his move is another one; hands overlap by a moment.
    """
    if not course.named or first.until > reply.since:
        return []
    elsewhere = course.sight.differs(first.shown)
    if _takes_at_once(course, first, reply):
        elsewhere &= ~chess.BB_KING_ATTACKS[first.square]
    return [
        square
        for square in chess.scan_forward(elsewhere)
        if _is_at(course, first, square)
        if course.sight.changed[square] <= reply.since + course.timing.glance
        if first.might_lead(square)
    ]


def _takes_at_once(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether the *reply* takes a man who had stood, and left his square no sooner than the taker.

    Then it was the taker's player who put him down beside it, though nobody saw him leave first.
    """
    scan, taken_up = course.timing.scan, course.sight.emptied[reply.move.from_square]
    stood = first.until - first.since >= course.timing.gap
    after = taken_up <= first.until + scan or reply.since - first.until <= scan
    return stood and after and reply.square == first.square


def _follow(course: Course, first: Stage, square: chess.Square) -> None:
    """Take the man of *first* for having gone on to *square*."""
    node = first.best
    if node.parent is None:
        return
    made = node.parent.then(chess.Move(first.move.from_square, square))
    mask = difference(made.position.shown, node.parent.position.shown)
    course.chain.put(Stage([made], mask, course.sight.changed[square]))
    course.chain.compare()


def _doubt(course: Course, first: Stage, reply: Stage) -> float:
    """Return how long a reply must rest to be one.

    A man passing by may look like a move, and a victim that is carried off like the reply.
    """
    timing = course.timing
    if first.weak or reply.weak:
        kings = enters_centre(first.best) and moves_king(reply.best)
        patience = kings or enters_centre(reply.best)  # they may show the result
        if reply.weak and _may_take_next(course, first, reply):
            return timing.in_hand
        pressed = course.pressed is not None and not (course.named or reply.weak)
        made = timing.gap if pressed else timing.verdict
        return made + (timing.gesture if patience else 0.0)
    if _may_be_the_victim(course, first, reply):
        return timing.verdict
    if _were_knocked_over(course, first, reply):
        unpressed = (
            course.clock.state == "runs" and course.clock.turn == reply.best.position.board.turn
        )
        return timing.forgotten if unpressed else timing.in_hand
    near = chess.square_distance(reply.move.from_square, reply.square) == 1
    if near or first.until < first.since + timing.still:
        return timing.carried
    return timing.glance


def _may_be_the_victim(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether the man of the *reply* had left before that of *first*, who may take him."""
    emptied, square = course.sight.emptied, reply.move.from_square
    if course.named or emptied[square] >= emptied[first.move.from_square]:
        return False
    return first.might_lead(square)


def _were_knocked_over(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether men of both players left together, and were put down later: nobody moves so.

    Nor does anybody answer so long before the man whom he answers came.
    """
    timing, emptied = course.timing, course.sight.emptied
    one, other = emptied[first.move.from_square], emptied[reply.move.from_square]
    together = abs(one - other) <= timing.glance
    later = min(first.since, reply.since) > max(one, other) + timing.scan
    return course.named and ((together and later) or reply.since < first.since - NO_ANSWER)


def _may_take_next(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether the man of the *reply* may be taken off by the player of *first*, who only rests.

    That is so where men have no names, and his clock runs on.
    """
    if course.named or course.clock.state != "runs" or course.pressed is not None:
        return False
    return course.chain.stands(first) and first.might_lead(reply.move.from_square)


def _passed_on(course: Course, first: Stage, reply: Stage) -> chess.Square | None:
    """Return where the man of *first* went on to who hardly stood or slid on, if he may go at once.

    Nobody is answered and moves again so soon; who seemed to reply moved, or was pushed, meanwhile.
    """
    on = _moved_again(course, first)
    if on is None or not first.might_lead(on.to_square):
        return None
    hardly = first.until - first.since < course.timing.still
    passed = hardly or _slid_on(course, first, reply, on.to_square)
    return on.to_square if passed or _took_next(course, first, reply, on.to_square) else None


def _took_next(course: Course, first: Stage, reply: Stage, square: chess.Square) -> bool:
    """Whether the man of *first*, put down beside *square*, took who was taken off there.

    Where men have no names, that one looks as if he had taken somebody in *reply*.
    """
    if course.named or not reply.weak or square != reply.move.from_square:
        return False
    return first.until < reply.since + course.timing.gap


def _slid_on(course: Course, first: Stage, reply: Stage, square: chess.Square) -> bool:
    """Whether the man of *first* went on in his line to *square* before the *reply* had stood."""
    timing, origin = course.timing, first.move.from_square
    soon = first.until <= min(first.since + timing.sliding, reply.since + timing.glance)
    return soon and bool(chess.between(origin, square) & BIT[first.square])
