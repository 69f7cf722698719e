"""What settles a move that stands: the press, the reply, long rest, or the end of the game.

A legal move on the board is only a candidate. A sliding pawn is on e3 for a moment, a hand may
rest a man and move on, and a victim that is carried off may look like the reply.
"""

import math

import chess

from bridge.core.inference.ahead import come_and_gone, side_of
from bridge.core.inference.course import Course
from bridge.core.inference.doubting import PLIES_DOUBTED, doubt
from bridge.core.inference.gesture import enters_centre, moves_king
from bridge.core.inference.hands import is_move_made
from bridge.core.inference.hypotheses import CLEARLY, Stage
from bridge.core.inference.illegal import judge_far_fetched
from bridge.core.inference.placement import BIT, EMPTY, difference, occupied
from bridge.core.inference.unseen_man import take_unseen_man

PLIES_TELLING = 3
"""So many plies that are seen to be made after a move tell that it was one, whatever it looked."""

SCANS_VARY = 0.05
"""By so much a scan may take longer than another one (s)."""

# -- a move that stands alone ----------------------------------------------------------------------


def judge_candidate(course: Course, stage: Stage, at: float) -> bool:
    """Settle the move of *stage*, which the board shows, if it was played."""
    if _stood_on_both(course, stage) and doubt(course, at):
        return True
    if judge_far_fetched(course, stage, at):
        return False
    timing, stood_from = course.timing, _stood_from(course, stage)
    pressed = course.pressed
    if pressed is not None:
        believed = _believed_at(course, stage, pressed, still=_still(course))
        if course.due(max(believed, _open_until(course, stage, pressed)), at):
            return course.settle("press", "the clock was pressed and the board is still", at)
    if _runs_for_opponent(course, stage):
        course.clock.given = True
        return course.settle("press", "the clock runs for the opponent", at)
    if not stage.weak and course.due(stage.since + timing.shown, at):
        course.show(stage.best)
    if _may_rest(course, stage) and course.due(stood_from + _rest(course, stage), at):
        because = f"stood for {at - stood_from:.1f} s and no clock runs"
        return course.settle("rest", because, at)
    unsure = timing.in_hand if course.clock.state == "runs" else timing.end
    if _ends_game(course, stage) and course.due(stood_from + unsure, at):
        return course.settle("end", "the move ends the game", at)
    return False


def _open_until(course: Course, stage: Stage, pressed: float) -> float:
    """Return until when the reply is waited for: it may tell whom the man of *stage* took."""
    best = stage.best
    rivals = (node for node in stage.nodes if node.parent is best.parent and node is not best)
    if course.clock.state == "runs" and any(node.cost < best.cost + CLEARLY for node in rivals):
        return max(pressed, stage.since) + course.timing.even
    return -math.inf


def settle_unpressed(course: Course, at: float) -> None:
    """Settle the move that stands, before the board changes, if it stood for long.

    The clock runs on for who made it: he forgot to press it, or the game is over. As long as it
    stands it is not completed; what follows tells nothing against it any more.
    """
    chain = course.chain
    if course.blind or course.clock.state != "runs" or len(chain.shown) != 1 or chain.match != 1:
        return
    (stage,) = chain.shown
    stood = at - stage.since
    if stood < course.timing.forgotten or stage.since < course.story.head.since:
        return
    if not (stage.weak or enters_centre(stage.best)):
        course.settle("rest", f"stood for {stood:.1f} s, not pressed", at)


def _stood_on_both(course: Course, stage: Stage) -> bool:
    """Whether its man was shown where it stands before the answer to where it came from, and there.

    It lay across the edge then: it made no move since, and the one before was perhaps another.
    """
    origin, changed = BIT[stage.move.from_square], course.sight.changed
    shown_from = changed[stage.move.to_square]
    if not course.named or changed[stage.move.from_square] < shown_from + course.timing.still:
        return False
    node, answered = course.story.head, stage.since
    for _ in range(PLIES_DOUBTED):
        if node.parent is None:
            break
        if node.target == origin:
            told_later = shown_from <= min(node.at, answered)
            return told_later and node.parent.since < shown_from
        node, answered = node.parent, node.since
    return False


def _stood_from(course: Course, stage: Stage) -> float:
    return course.sight.changed_at if stage.weak else stage.since


def _believed_at(course: Course, stage: Stage, pressed: float, *, still: float) -> float:
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
        stood_until = _stood_elsewhere(course, stage) + timing.in_doubt
        return max(course.sight.changed_at + timing.still, pressed + timing.gap, stood_until)
    if pressed < stage.since:
        plain = course.named and not _may_slide_on(course, stage)
        return stage.since + (_still(course) if plain else timing.gap)
    if _may_slide_on(course, stage):
        soon = pressed < stage.since + _still(course)
        return max(stage.since + (timing.gap if soon else 0.0), pressed + timing.still)
    if _may_be_carried_off(course, stage):
        return max(stage.since, pressed) + timing.carried
    if _may_be_on_its_way(course, stage, pressed):
        return stage.since + max(still, timing.gap)
    return stage.since + still


def _stood_elsewhere(course: Course, stage: Stage) -> float:
    """Return when a square was left last where the man of *stage*, who is away, may have stood.

    He may stand there, so that the board does not always see him.
    """
    sight, node, timing = course.sight, stage.best, course.timing
    if node.parent is None:
        return -math.inf
    before = node.parent.position
    gone = come_and_gone(before, sight, course.chain.head.since)
    moves = before.board.generate_legal_moves(BIT[stage.move.from_square], gone)
    stood = (move.to_square for move in moves if sight.rested[move.to_square] >= timing.shown)
    return max((sight.emptied[square] for square in stood), default=-math.inf)


def _still(course: Course) -> float:
    """Return how long a man must stand to be seen on his next square if he goes on: a scan.

    A board that has never shown anything quicker is taken for one that scans as slowly.
    """
    still, slow = course.timing.still, course.sight.quickest + SCANS_VARY
    return max(still, slow) if slow <= course.timing.gap else still


def _put_right_at(course: Course, stage: Stage) -> float:
    """Return when what is shown after a completed illegal move is a legal one instead.

    A man put back may rest on legal squares on his way, and what is left of a move of two men look
    like a move.
    """
    stood, changed = _stood_from(course, stage), course.sight.changed_at
    if stood < changed and stage.shown != course.dispute.judged:
        return changed + course.timing.in_hand
    return stood + course.timing.verdict


def _may_be_carried_off(course: Course, stage: Stage) -> bool:
    """Whether who came may be the victim of a man who stands on the square beside.

    Where men have no names, both look alike until the victim is off the board.
    """
    node = stage.best
    if course.named or node.parent is None:
        return False
    board = node.parent.position.board
    near = chess.BB_KING_ATTACKS[stage.move.to_square] & board.occupied_co[not board.turn]
    near &= occupied(course.sight.shown)
    return any(board.generate_legal_moves(BIT[stage.move.from_square], near))


def _may_be_on_its_way(course: Course, stage: Stage, pressed: float) -> bool:
    """Whether who came just before the press may be seen on the next square of his line as well.

    A board tells him square by square, scan by scan.
    """
    node, origin, target = stage.best, stage.move.from_square, stage.move.to_square
    if course.named or node.parent is None or pressed >= stage.since + course.timing.still:
        return False
    onward = node.parent.position.board.generate_legal_moves(
        BIT[origin], chess.BB_KING_ATTACKS[target]
    )
    return any(BIT[target] & chess.between(origin, move.to_square) for move in onward)


def _may_slide_on(course: Course, stage: Stage) -> bool:
    """Whether its man came by a step from the next square: the next step may not be told yet.

    A man that was in the air for a while was put where it belongs.
    """
    sight, target = course.sight, stage.move.to_square
    if stage.since + course.timing.sliding < sight.changed_at:
        return False
    return any(
        sight.shown[square] == EMPTY
        and abs(sight.changed[square] - sight.changed[target]) < course.timing.glide
        for square in chess.scan_forward(chess.BB_KING_ATTACKS[target])
    )


def _runs_for_opponent(course: Course, stage: Stage) -> bool:
    """Whether the press of a move that stands must have been missed between two readings.

    Else the press before it was forgotten or comes late; then the clock says nothing, but few
    moves that stand so long are taken back. A man in the air is not put down yet, unless the clock
    turned since he was taken up.
    """
    clock, timing, head = course.clock, course.timing, course.story.head
    if head.pressed is not None or clock.turn != stage.best.position.board.turn:
        return False
    if stage.since < head.since - timing.still:
        return False  # it was done before the move that it would answer
    if stage.weak:
        turned = clock.turned_at
        return turned >= stage.since and clock.read_at >= turned + timing.in_hand
    read_between = clock.turned_at < head.since < stage.since - timing.reading
    doubt = timing.unpressed if read_between else timing.in_doubt
    return clock.read_at >= stage.since + doubt


def _may_rest(course: Course, stage: Stage) -> bool:
    """Whether long rest may settle it: no clock runs, or it stood when the clock stopped."""
    clock = course.clock
    if clock.state == "none":
        return True
    return clock.state == "stopped" and stage.since <= clock.stopped_at


def _rest(course: Course, stage: Stage) -> float:
    """How long it must rest: a king in the centre may show the result, a man be in the air."""
    patience = stage.weak or enters_centre(stage.best)
    return course.timing.rest + (course.timing.gesture if patience else 0.0)


def _ends_game(course: Course, stage: Stage) -> bool:
    if stage.weak or stage.since > course.clock.stopped_at:
        return False
    return stage.best.position.is_over


# -- a move and what the opponent did --------------------------------------------------------------


def judge_reply(course: Course, at: float) -> bool:
    """Settle a move that stood and was followed by a legal reply: it was played."""
    shown = course.chain.shown
    first, reply = shown[0], shown[1]
    if first.weak and _came_elsewhere(course, first):
        return False
    if course.named and _left_before(course, first, reply):
        return course.pressed is not None and take_unseen_man(course, at)
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
    if not course.due(_stood_from(course, reply) + _doubt(course, first, reply), at):
        return False
    if first.weak and not course.named and doubt(course, at):
        return True
    return course.settle("reply", "the reply was made", at)


def _judge_ways(course: Course, first: Stage, reply: Stage, at: float) -> bool | None:
    """Decide what men who only passed by, or were put down for a moment, did; None: nobody did."""
    if (passed := _passed_on(course, first)) is not None:
        _follow(course, first, passed)
        return True
    if _is_taken_off(course, first, reply):
        if _is_at(course, first, reply.move.from_square):
            _follow(course, first, reply.move.from_square)
            return True
        if not course.due(course.sight.changed_at + course.timing.in_hand, at):
            return False
    on = _went_on(course, first, reply)
    if (on or _stood_on_both(course, reply)) and doubt(course, at):
        return True
    if len(on) == 1:
        _follow(course, first, on[0])
        return True
    return None


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
    board, target = first.best.position.board, first.move.to_square
    if reply.move.to_square == target or board.is_en_passant(reply.move):
        return False
    if board.is_legal(chess.Move(reply.move.from_square, target)):
        return False
    if not course.sight.differs(first.shown) & BIT[target]:
        return False  # the reply may stand where it came from
    return first.until < reply.since - course.timing.still


def _is_taken_off(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether the man of the *reply* is a victim of *first* that was put down beside his square.

    Its man may take him then. He left before that one, or only for the next square, and while
    the clock runs nobody pressed in between.
    """
    node, emptied = first.best, course.sight.emptied
    square = reply.move.from_square
    if not course.named or node.parent is None:
        return False
    if emptied[square] >= emptied[first.move.from_square]:
        near = chess.square_distance(square, reply.move.to_square) == 1
        unpressed = course.clock.state == "runs" and course.pressed is None
        if not (near and unpressed) or len(course.chain.shown) > PLIES_TELLING:
            return False
    taking = chess.Move(first.move.from_square, square)
    return node.parent.position.board.is_legal(taking)


def _is_at(course: Course, stage: Stage, square: chess.Square) -> bool:
    """Whether *square* shows the man that moved."""
    man = stage.best.position.shown[stage.move.to_square]
    return course.sight.shown[square] == man


def _went_on(course: Course, first: Stage, reply: Stage) -> list[chess.Square]:
    """Return where the man of *first* stood already when the *reply* came, if he did elsewhere.

    He was on his way then, and his move is another one.
    """
    node = first.best
    if not course.named or node.parent is None or first.until > reply.since:
        return []
    board = node.parent.position.board
    return [
        square
        for square in chess.scan_forward(course.sight.differs(first.shown))
        if _is_at(course, first, square) and course.sight.changed[square] <= reply.since
        if board.is_legal(chess.Move(first.move.from_square, square))
    ]


def _follow(course: Course, first: Stage, square: chess.Square) -> None:
    """Take the man of *first* for having gone on to *square*."""
    node = first.best
    if node.parent is None:
        return
    made = node.parent.then(chess.Move(first.move.from_square, square))
    mask = difference(made.position.shown, node.parent.position.shown)
    course.chain.shown = [Stage([made], mask, course.sight.changed[square])]
    course.chain.compare()


def _doubt(course: Course, first: Stage, reply: Stage) -> float:
    """Return how long a reply must rest to be one.

    A man passing by may look like a move, and a victim that is carried off like the reply.
    """
    timing = course.timing
    if first.weak or reply.weak:
        kings = enters_centre(first.best) and moves_king(reply.best)
        patience = kings or enters_centre(reply.best)  # they may show the result
        pressed = course.pressed is not None and not (course.named or reply.weak)
        made = timing.gap if pressed else timing.verdict
        return made + (timing.gesture if patience else 0.0)
    if _may_be_the_victim(course, first, reply):
        return timing.verdict
    near = chess.square_distance(reply.move.from_square, reply.move.to_square) == 1
    if near or first.until < first.since + timing.still:
        return timing.carried
    return timing.glance


def _may_be_the_victim(course: Course, first: Stage, reply: Stage) -> bool:
    """Whether the man of the *reply* had left before that of *first*, who may take him."""
    node, emptied = first.best, course.sight.emptied
    origin, square = first.move.from_square, reply.move.from_square
    if course.named or node.parent is None or emptied[square] >= emptied[origin]:
        return False
    return node.parent.position.board.is_legal(chess.Move(origin, square))


def _passed_on(course: Course, first: Stage) -> chess.Square | None:
    """Return where the man of *first* went on to who hardly stood, if he may go there at once.

    Nobody is answered and moves again so soon; who seemed to reply moved, or was pushed, meanwhile.
    """
    node, shown = first.best, course.chain.shown
    if node.parent is None or len(shown) <= 2 or shown[2].weak:
        return None
    on = shown[2].move
    stood = first.until - first.since
    if on.from_square != first.move.to_square or stood >= course.timing.still:
        return None
    at_once = chess.Move(first.move.from_square, on.to_square)
    return on.to_square if node.parent.position.board.is_legal(at_once) else None


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
    if not is_answer_begun(course):
        return False
    goes_on = _goes_on_to_take(course, stage)
    if goes_on and stage.weak:
        return False
    still = course.timing.gap if goes_on else course.timing.glance
    if not course.due(_believed_at(course, stage, pressed, still=still), at):
        return False
    return course.settle("press", "the clock was pressed and the reply began", at)


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
    return any(
        board.is_legal(chess.Move(stage.move.from_square, square))
        for square in chess.scan_forward(differs & board.occupied_co[not board.turn])
        if sight.shown[square] == EMPTY and (stage.weak or sight.emptied[square] <= stage.since)
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
    return mine if _come_of_nobody(course, mine, left) else 0


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
    gap, target = course.timing.gap, stage.move.to_square
    if stage.weak or course.dispute.told:
        return False
    taken = course.named and _is_theirs(course, stage, target)
    heard = taken and stage.since <= pressed <= stage.until
    if not heard and stage.until < stage.since + gap:
        return False
    if not (course.named or course.chain.theirs):
        return False  # it may have gone on, and taken a man
    if not course.due(pressed + gap, at):
        return False
    there = taken or course.sight.shown[target] == EMPTY
    return there and not _not_in_place(course, stage) & ~BIT[target]


def _is_theirs(course: Course, stage: Stage, square: chess.Square) -> bool:
    """Whether *square* shows a man of the player who answers *stage*."""
    letter = course.sight.shown[square]
    return letter != EMPTY and letter.isupper() == stage.best.position.board.turn


def judge_answered(course: Course, at: float) -> bool:
    """Settle a move that stands when the opponent pressed after it, whatever he did then.

    Without a clock, it is settled when what he did has rested for a while.
    """
    chain = course.chain
    if not chain.shown or chain.shown[0].weak or not chain.stands(chain.shown[0]):
        return False
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
    first = min(course.sight.changed[square] for square in chess.scan_forward(squares))
    return first > course.sight.last_change(others) + course.timing.gap
