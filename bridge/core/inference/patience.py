"""How long what the mover did may stay unexplained: his hand may be at it still."""

import math
from itertools import product

import chess

from bridge.core.inference.ahead import passed
from bridge.core.inference.certainty import is_sure
from bridge.core.inference.completion import (
    MOST_IN_A_MOVE,
    had_stood_where_theirs_is,
    is_amid_castling,
    is_castling_amiss,
    is_half_castled,
    lone_move,
    moved_together,
    one_elsewhere,
    pushed_beside,
    whole_move,
)
from bridge.core.inference.course import Course
from bridge.core.inference.gesture import CENTRE
from bridge.core.inference.hands import in_hand
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.placement import BIT, EMPTY, occupied
from bridge.core.inference.restoring import is_given_back_late
from bridge.core.inference.scans import is_seldom_seen, late_scan

SET_BESIDE = 8.0
"""So long a victim without a name may stay beside his square after the press (s), and so may men
who have names beside theirs: they lie across an edge."""


def verdict_at(course: Course, pressed: float) -> float:
    """Return when a press must be explained; a man in the hand may still come to stand."""
    timing, changed = course.timing, course.sight.changed_at
    rested, held = max(pressed, changed), in_hand(course)
    if is_given_back_late(course):
        return changed + timing.correction
    if course.dispute.told and not held:
        return rested + timing.verdict
    if held:
        return _held_until(course, pressed)
    if patience := _patience_at_work(course):
        return rested + patience
    if made := whole_move(course, pressed):
        came = course.sight.last_change(made)
        answered = made != course.chain.differs
        hardly = pressed < came + (timing.gap if answered else timing.in_doubt)
        return max(pressed + (timing.gap if hardly else timing.glance), came + timing.gap)
    if course.named and lone_move(course, course.chain.differs, pressed, theirs=True):
        late = timing.verdict if is_seldom_seen(course) else timing.gap + late_scan(course)
        return pressed + late  # who moved a man of the wrong colour, and pressed
    if _may_lie_across(course):
        return max(pressed + timing.glance, changed + timing.in_hand)
    if not course.named and _is_called_off_since(course, pressed):
        return rested + timing.glance
    since, patience = min(pressed, changed) if _is_clear(course) else pressed, timing.verdict
    if _is_in_passing(course):
        since, patience = rested, timing.verdict + timing.still
    return max(pressed + timing.glance, since + (_patience_with_two(course) or patience))


def _patience_at_work(course: Course) -> float:
    """Return for how long hands may be at work on what stands elsewhere by now; 0: they are not."""
    if _may_show_result(course):
        return course.timing.gesture
    if is_being_promoted(course):
        return course.timing.verdict + course.timing.gap
    if _is_taken_where_he_stood(course) or _is_taken_up_again(course) or _is_knocked_about(course):
        return course.timing.in_hand
    return _patience_after_legal(course)


def _patience_with_two(course: Course) -> float:
    """Return how long several men may stand elsewhere, as amid castling; 0: they do not.

    Nor does anybody put them right any more once the clock was turned back, and nothing else done.
    """
    if are_moved_beside(course):
        return SET_BESIDE
    if _is_given_back(course):
        return 0.0
    castling = is_half_castled(course) or is_castling_amiss(course)
    return course.timing.rest if castling or _has_displaced(course) else 0.0


def _held_until(course: Course, pressed: float) -> float:
    """Return until when a man may be in the hand who is seen nowhere: till his player is answered.

    The opponent has put a man somewhere then, and pressed; who gives a press back puts nobody
    anywhere, and after a lost link men may have come by plies that are missing. Where men have no
    names, he may have taken the one who is away; who was seen to stand elsewhere as his player
    pressed is to be judged by that.
    """
    timing, changed = course.timing, course.sight.changed_at
    came = course.chain.theirs & occupied(course.sight.shown)
    if not course.named or course.chain.missed or _stood_as(course, pressed):
        came = 0
    if came and course.answered > pressed:
        return max(course.answered, changed) + timing.gap
    return max(pressed, changed) + timing.in_hand


def _stood_as(course: Course, pressed: float) -> bool:
    """Whether a man of the mover stood elsewhere than where he belongs as his player *pressed*."""
    settled, white = course.position.shown, course.position.board.turn
    (_, shown), *_ = course.sight.shown_from(pressed)
    return any(
        man != settled[at] and man.isalpha() and man.isupper() == white
        for at, man in enumerate(shown)
    )


def put_right_until(course: Course, pressed: float) -> float | None:
    """Return until when a man may be put right who was put down beside where he may go, if he may.

    He is shown on the square next to it then, where he has taken nobody, or somebody whose square
    is empty. Nothing else is done meanwhile, as an answer, nor is the clock turned back. He who
    went as none of his kind may is given more time.
    """
    if not course.named:
        return _put_right_unnamed_until(course, pressed)
    stood = max(pressed, course.sight.last_change(course.chain.mine))  # who pressed too early
    move = lone_move(course, course.chain.mine, stood)
    if move is None or course.chain.missed or not _lies_beside(course, move, stood):
        return None
    return stood + _patience_beside(course, move)


def _patience_beside(course: Course, move: chess.Move) -> float:
    """Return for how long he may be put right who went by *move* beside a square of his."""
    plain = course.position.board.is_pseudo_legal(move)
    beside = SET_BESIDE if course.named else course.timing.rest
    return course.timing.verdict if plain else beside


def _put_right_unnamed_until(course: Course, pressed: float) -> float | None:
    """Return the same without names: who came may be a victim, or stand beside his square."""
    board, went = course.position.board, one_elsewhere(course, course.chain.differs)
    if went is None or board.occupied & BIT[went[1]]:
        return None
    left, came = went
    near, theirs = chess.BB_KING_ATTACKS[came], board.occupied_co[not board.turn]
    patience = []
    if any(board.generate_legal_moves(BIT[left], theirs)):
        beside = any(board.generate_legal_moves(BIT[left], theirs & near))
        patience.append(SET_BESIDE if beside else course.timing.in_hand)
    if any(board.generate_legal_moves(BIT[left], near)):
        alone = course.chain.differs == BIT[left] | BIT[came]  # else the answer has begun
        longest = _patience_beside(course, chess.Move(left, came))
        patience.append(longest if alone else course.timing.verdict)
    return pressed + max(patience) if patience else None


def is_called_off(course: Course) -> bool:
    """Whether the clock was stopped, or turned back, after the mover had pressed it.

    Where men have names, an opponent who put one of his elsewhere since has played on.
    """
    clock, pressed = course.clock, course.pressed
    if clock.state == "stopped":
        return True
    if clock.turn != course.position.board.turn:
        return False
    came = course.chain.theirs & occupied(course.sight.shown) if course.named else 0
    return not course.sight.changed_since(came, -math.inf if pressed is None else pressed)


def _is_called_off_since(course: Course, pressed: float) -> bool:
    """Whether that was done in another reading than he *pressed*, and one man went elsewhere."""
    again = course.clock.state == "stopped" or course.answered > pressed
    if not (again and is_called_off(course)):
        return False
    return one_elsewhere(course, course.chain.differs) is not None


def _is_given_back(course: Course) -> bool:
    """Whether the opponent called it off, and did nothing else: nobody puts it right any more."""
    return is_called_off(course) and course.chain.differs == course.chain.mine


def may_search(course: Course, at: float) -> bool:
    """Whether other moves may explain the board: no man is just in the mover's hand, or pushed."""
    if course.clock.state == "stopped":
        return False
    if not _kings_are_seen(course) or _kings_are_on_their_way(course, at):
        return False
    holds = course.pressed is None and not course.chain.missed
    holds = holds and (is_amid_castling(course) or in_hand(course))
    if not (holds or is_being_promoted(course) or are_moved_beside(course)):
        return True
    return course.due(course.sight.changed_at + course.timing.in_hand, at)


def _kings_are_on_their_way(course: Course, at: float) -> bool:
    """Whether both kings left lately, while no clock runs, and the centre is where they may go.

    Where men have no names, they look like other men's moves on their way there.
    """
    sight, kings = course.sight, course.position.board.kings
    if course.named or course.clock.state != "none" or kings & occupied(sight.shown):
        return False
    left = [sight.emptied[king] for king in chess.scan_forward(kings)]
    came = any(sight.changed[square] > min(left) for square in CENTRE)
    return came and at < max(left) + course.timing.gesture


def _lies_beside(course: Course, move: chess.Move, pressed: float) -> bool:
    """Whether the man of *move* came to an empty square beside one where he may go."""
    board, differs, mine = course.position.board, course.chain.differs, course.chain.mine
    if board.turn == course.clock.turn or board.occupied & BIT[move.to_square]:
        return False
    near, victim = chess.BB_KING_ATTACKS[move.to_square], differs & ~mine
    stand = occupied(course.sight.shown)
    if victim:
        lifted = course.position.lifted(course.sight.shown, victim, not board.turn)
        if victim.bit_count() == 1 and victim == lifted & near:
            near = victim
        elif not _is_answered_beside(course, move, near & ~stand, victim):
            return False
    elif differs != whole_move(course, pressed):
        return False
    return any(board.generate_legal_moves(BIT[move.from_square], near & ~stand))


def _is_answered_beside(course: Course, move: chess.Move, near: int, squares: int) -> bool:
    """Whether *squares* show the legal answer to the man of *move* on one of those that are *near*.

    The opponent took him to stand there. Men must have names.
    """
    position, sight = course.position, course.sight
    return course.named and any(
        position.after(meant).moves_shown(sight.shown, squares, sight.excused)
        for meant in position.board.generate_legal_moves(BIT[move.from_square], near)
    )


def _may_lie_across(course: Course) -> bool:
    """Whether a man came beside a square where he may have taken somebody, whom nothing shows.

    Where men have no names, he may be shown on both squares until he is put right.
    """
    if course.named:
        return False
    board = course.position.board
    left, came = course.sight.left_and_came(course.chain.differs)
    if len(came) != 1:
        return False
    near = chess.BB_KING_ATTACKS[came[0]] & board.occupied_co[not board.turn]
    return any(board.generate_legal_moves(sum(BIT[square] for square in left), near))


def is_being_promoted(course: Course) -> bool:
    """Whether a pawn came to its last rank that is not replaced yet: the hand may be at it."""
    board, sight = course.position.board, course.sight
    pawn, last = ("P", chess.BB_RANK_8) if board.turn else ("p", chess.BB_RANK_1)
    came = [*chess.scan_forward(course.chain.differs & last)] if course.named else []
    if any(sight.shown[square] == pawn for square in came):
        return True
    taken_off = [square for square in came if sight.shown[square] == EMPTY]
    shown = (sight.since(course.chain.head.since) or []) if taken_off else []
    return any(cells[square] == pawn for square in taken_off for _, cells in shown)


def _is_taken_up_again(course: Course) -> bool:
    """Whether what was completed is not told yet, and who had come by it is taken up again."""
    untold = course.dispute.untold
    return untold is not None and not untold.came & occupied(course.sight.shown)


def _shown_before(course: Course) -> Stage | None:
    """Return the legal move that was shown last in this turn, whether it stands or not."""
    chain = course.chain
    first = chain.shown[0] if chain.shown else chain.replaced
    return None if first is None or first.best.parent not in chain.head.nodes else first


def _is_taken_where_he_stood(course: Course) -> bool:
    """Whether somebody came to where the man with a name had stood, who is shown elsewhere now.

    He may take him there: the victim was set aside, and is taken off soon.
    """
    first = _shown_before(course)
    if first is None or not had_stood_where_theirs_is(course, first):
        return False
    board, target = first.best.position.board, first.best.target
    return any(board.generate_legal_moves(course.chain.theirs, target))


def _patience_after_legal(course: Course) -> float:
    """Return how long a man may stand amiss who had stood where he may be taken; 0: he had not.

    The opponent may have set him aside, to take him there: he has the taker in hand, or soon. Men
    must have names.
    """
    first, there = _shown_before(course), occupied(course.sight.shown)
    if not course.named or first is None or first.best.rest < course.timing.still:
        return 0.0
    left, target = BIT[first.move.from_square], first.best.target
    if left & there or target & there or not left & course.chain.mine:
        return 0.0
    board = first.best.position.board
    takers = [move.from_square for move in board.generate_legal_moves(to_mask=target)]
    if any(not BIT[taker] & there for taker in takers):
        return SET_BESIDE
    return course.timing.in_hand if takers else 0.0


def _is_knocked_about(course: Course) -> bool:
    """Whether more men of the mover stand elsewhere than any move puts there: they fell over.

    They must have names.
    """
    _, came = course.sight.left_and_came(course.chain.mine)
    return course.named and len(came) > MOST_IN_A_MOVE


def _may_show_result(course: Course) -> bool:
    """Whether the clock is stopped and the mover's king came to the centre: the other one follows.

    Men must have names.
    """
    if not course.named or course.clock.state != "stopped":
        return False
    king = "K" if course.position.board.turn else "k"
    return any(course.sight.shown[at] == king and course.chain.mine & BIT[at] for at in CENTRE)


def _has_displaced(course: Course) -> bool:
    """Whether two men of the mover went elsewhere, not to castle: one was knocked or pushed.

    He puts it right, if he is given the time; nobody moves two men.
    """
    board = course.position.board
    if not course.named:
        return _is_move_with_pushed_man(course)
    own = moved_together(course) & board.occupied_co[board.turn]
    return bool(own) and not _may_castle(board, own)


def _may_castle(board: chess.Board, own: int) -> bool:
    """Whether a king and a rook are on *own* squares, and he on the file where kings castle."""
    king = own & board.kings
    home = king if board.chess960 else king & chess.BB_FILE_E
    return bool(home and own & board.rooks)


def _is_move_with_pushed_man(course: Course) -> bool:
    """Whether one man of two without names has moved, and one stands beside his square."""
    board, differs = course.position.board, course.chain.differs
    left, came = course.sight.left_and_came(differs)
    own = differs & board.occupied_co[board.turn]
    if not len(left) == len(came) == own.bit_count() == MOST_IN_A_MOVE or _may_castle(board, own):
        return False
    return any(
        chess.square_distance(home, beside) == 1
        and any(board.generate_legal_moves(differs & ~BIT[home], differs & ~BIT[beside]))
        for home, beside in product(left, came)
        if not board.occupied & BIT[beside]
    )


def are_moved_beside(course: Course) -> bool:
    """Whether a move stands, and others of its player were moved to squares next to theirs since.

    Nobody knows if he pushed or moved them there: it is told if the game is called off for it.
    """
    shown, sight, board = course.chain.shown, course.sight, course.position.board
    if not (course.named and shown) or shown[0].weak or not course.chain.stands(shown[0]):
        return False
    if shown[0].since < course.chain.head.since:
        return False  # it was done before the last move, and the other man may have answered that
    beside = course.chain.mine & ~shown[0].mask
    pushed = pushed_beside(course, beside)
    own, since = board.occupied_co[board.turn], shown[0].since
    return 0 < 2 * len(pushed) == beside.bit_count() and all(
        own & BIT[home] and sight.emptied[home] > since for home, _ in pushed
    )


def _is_clear(course: Course) -> bool:
    """Whether the rest of the board counts from when it came to rest, though the press came later.

    Something of the mover must be gone, and the board have been watched: men of the opponent alone
    rather tell that the record is wrong, and after a lost link moves may be missing. Where men have
    no names, no other reading of late may be as good.
    """
    board = course.position.board
    if course.chain.missed or not course.chain.differs & board.occupied_co[board.turn]:
        return False
    return course.named or (not course.sight.excused and is_sure(course))


def _is_in_passing(course: Course) -> bool:
    """Whether a man came where a pawn may be taken in passing: that one is often removed last."""
    board, shown = course.position.board, course.sight.shown
    target = board.ep_square
    if target is None or not course.chain.differs & BIT[target] or shown[target] == EMPTY:
        return False
    return shown[passed(board, target)] != EMPTY


def _kings_are_seen(course: Course) -> bool:
    """Whether both kings stand somewhere, as far as the board can tell, or are read as others."""
    sight, board = course.sight, course.position.board
    misread = board.kings & sight.excused & occupied(sight.shown)
    kings = zip("kK", board.occupied_co, strict=True)
    return not course.named or all(king in sight.shown or misread & men for king, men in kings)
