"""What settles a move that stands alone: the press, long rest, or the end of the game.

A legal move on the board is only a candidate. A sliding pawn is on e3 for a moment, and a hand may
rest a man and move on.
"""

import math

import chess

from bridge.core.inference.ahead import come_and_gone
from bridge.core.inference.course import Course
from bridge.core.inference.doubting import PLIES_DOUBTED, doubt
from bridge.core.inference.gesture import enters_centre
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.illegal import judge_far_fetched
from bridge.core.inference.placement import BIT, EMPTY, changes_of, occupied

SCANS_VARY = 0.05
"""By so much a scan may take longer than another one (s)."""
LATE_SCAN = 1.25
"""So many times as long as the quickest may one take that is told late, as over Bluetooth ..."""
SLOWEST_SCAN = 0.7
"""... where that is no longer than this (s): any longer, and it was not known from one scan."""
TOLD_WITH_IT = 0.04
"""A square that is told so soon (s) after a press had changed before it."""
SELDOM = 0.15
"""A board is looked at seldom that tells such a share of moves in one, or more."""
CHANGES_TELLING = 6
"""So many changes of a board tell how quickly they may follow each other."""


def judge_candidate(course: Course, stage: Stage, at: float) -> bool:
    """Settle the move of *stage*, which the board shows, if it was played."""
    if stood_on_both(course, stage) and doubt(course, at):
        return True
    if judge_far_fetched(course, stage, at):
        return False
    timing, since = course.timing, stood_from(course, stage)
    pressed = course.pressed
    if pressed is not None and course.due(_pressed_for(course, stage, pressed), at):
        return course.settle("press", "the clock was pressed and the board is still", at)
    if _runs_for_opponent(course, stage):
        course.clock.given = True
        return course.settle("press", "the clock runs for the opponent", at)
    if not stage.weak and course.due(stage.since + timing.shown, at):
        course.show(stage.best)
    if _may_rest(course, stage):
        rests = _rests_from(course, stage)
        if course.due(rests + _rest(course, stage), at):
            because = f"stood for {at - rests:.1f} s and no clock runs"
            return course.settle("rest", because, at)
    unsure = timing.in_hand if course.clock.state == "runs" else timing.end
    if _ends_game(course, stage) and course.due(since + unsure, at):
        return course.settle("end", "the move ends the game", at)
    return False


def _pressed_for(course: Course, stage: Stage, pressed: float) -> float:
    """Return when the move of *stage* is believed to be the one that was pressed.

    Nobody can take back the end of a game: its man may be on his way, as is told a moment later.
    """
    believed = believed_at(course, stage, pressed, still=_still(course))
    if not stage.best.position.is_over:
        return believed
    return max(believed, pressed + course.timing.still)


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


def stood_on_both(course: Course, stage: Stage) -> bool:
    """Whether its man was shown where it stands before the answer to where it came from, and there.

    It lay across the edge then: it made no move since, and the one before was perhaps another.
    """
    origin, changed = BIT[stage.move.from_square], course.sight.changed
    shown_from = changed[stage.square]
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
        stood_until = _stood_elsewhere(course, stage) + timing.in_doubt
        told = timing.reading if _is_seldom_seen(course) else timing.gap
        return max(course.sight.changed_at + timing.still, pressed + told, stood_until)
    if _may_castle(stage):
        return max(stage.since, pressed) + timing.carried
    if _is_told_whole(course, stage) and _might_go_on(stage):
        return max(stage.since + timing.reading, _next_look(course, pressed))
    if pressed < stage.since:
        plain = course.named and not _may_slide_on(course, stage)
        return stage.since + (_still(course) if plain else timing.gap)
    if _may_slide_on(course, stage, pressed):
        scan = min(course.sight.quickest + SCANS_VARY, timing.in_doubt)
        longest = max(timing.gap, scan, _late_scan(course))
        return max(stage.since + longest, pressed + timing.still)
    return _believed_standing(course, stage, pressed, still)


def _believed_standing(course: Course, stage: Stage, pressed: float, still: float) -> float:
    """Return the same of one who stood when his player pressed, and did not slide there."""
    timing = course.timing
    if _may_be_carried_off(course, stage):
        return max(stage.since, pressed) + timing.beside
    if not _might_go_on(stage):
        return max(stage.since + still, pressed + (0.0 if course.named else timing.scan))
    if course.named:
        return max(stage.since + max(still, _late_scan(course)), pressed + TOLD_WITH_IT)
    if pressed < stage.since + timing.still:
        still = max(still, timing.gap)
    return max(stage.since + still, pressed + timing.scan)


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

    A board that has never shown anything quicker is taken for one that scans as slowly. While no
    square was seen to change twice soon, any two of several changes will do.
    """
    still, sight, most = course.timing.still, course.sight, course.timing.gap - SCANS_VARY
    if sight.quickest <= most:
        return max(still, sight.quickest + SCANS_VARY)
    known = sight.changes >= CHANGES_TELLING and still <= sight.pause <= most
    return sight.pause + SCANS_VARY if known else still


def _late_scan(course: Course) -> float:
    """Return how long a man may have gone on before a slow board tells it, as far as is known."""
    quickest = course.sight.quickest
    return quickest * LATE_SCAN + SCANS_VARY if quickest <= SLOWEST_SCAN else 0.0


def _put_right_at(course: Course, stage: Stage) -> float:
    """Return when what is shown after a completed illegal move is a legal one instead.

    A man put back may rest on legal squares on his way, and what is left of a move of two men look
    like a move.
    """
    stood, changed = stood_from(course, stage), course.sight.changed_at
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
    near = chess.BB_KING_ATTACKS[stage.square] & board.occupied_co[not board.turn]
    near &= occupied(course.sight.shown)
    return any(board.generate_legal_moves(BIT[stage.move.from_square], near))


def _may_castle(stage: Stage) -> bool:
    """Whether nothing but a rook went as by castling, so that his king may follow."""
    node = stage.best
    if node.parent is None:
        return False
    board, rook = node.parent.position.board, stage.move.from_square
    if not board.castling_rights & BIT[rook]:
        return False
    made = {*changes_of(board, stage.move)}
    return any(made <= {*changes_of(board, each)} for each in board.generate_castling_moves())


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
    return whole and _is_seldom_seen(course)


def _next_look(course: Course, after: float) -> float:
    """Return when a board that is looked at seldom has been looked at once more *after* that.

    It was when it changed last, and is every so often: no more seldom than any two changes came.
    """
    sight, timing = course.sight, course.timing
    pause = min(max(sight.pause, timing.gap), timing.reading)
    looks = math.ceil((after - sight.changed_at) / pause)
    return sight.changed_at + looks * pause + TOLD_WITH_IT


def _is_seldom_seen(course: Course) -> bool:
    """Whether the board is looked at so seldom that many moves are told whole, as on a bus."""
    return course.sight.told_whole(course.timing.scan) >= SELDOM


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


def _runs_for_opponent(course: Course, stage: Stage) -> bool:
    """Whether the press of a move that stands must have been missed between two readings.

    Else the press before it was forgotten or comes late; then the clock says nothing, but few
    moves that stand so long are taken back. A man in the air is not put down yet, unless the clock
    turned since he was taken up.
    """
    clock, timing, head = course.clock, course.timing, course.story.head
    if head.pressed is not None or clock.turn != stage.best.position.board.turn:
        return False
    if clock.turned_at == clock.read_at:
        return False  # who pressed is told with this reading
    if stage.since < head.since - timing.still:
        return False  # it was done before the move that it would answer
    if stage.weak:
        turned = clock.turned_at
        return turned >= stage.since and clock.read_at >= turned + timing.in_hand
    read_between = clock.turned_at < head.since < stage.since - timing.reading
    doubt = timing.unpressed if read_between else timing.in_doubt
    if clock.shows_presses:
        doubt = timing.rest  # nobody pressed; most who were knocked over are put right by then
    return clock.read_at >= stage.since + doubt


def _may_rest(course: Course, stage: Stage) -> bool:
    """Whether long rest may settle it: no clock runs, or it stood when the clock stopped."""
    clock = course.clock
    if clock.state == "none":
        return True
    return clock.state == "stopped" and stage.since <= clock.stopped_at


def _rests_from(course: Course, stage: Stage) -> float:
    """Return since when *stage* stands and its player has put no other man of his back.

    What is left of a move of two men, as of castling, looks like a move while it is taken back.
    """
    board = stage.best.position.board
    others = board.occupied_co[not board.turn] & ~stage.mask
    return max(stood_from(course, stage), course.sight.last_change(others))


def _rest(course: Course, stage: Stage) -> float:
    """How long it must rest: a king in the centre may show the result, a man be in the air."""
    patience = stage.weak or enters_centre(stage.best)
    return course.timing.rest + (course.timing.gesture if patience else 0.0)


def _ends_game(course: Course, stage: Stage) -> bool:
    if stage.weak or stage.since > course.clock.stopped_at:
        return False
    return stage.best.position.is_over
