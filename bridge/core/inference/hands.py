"""Whose men are at work: what the mover has in his hand, and how long that excuses the board."""

import chess

from bridge.core.inference.ahead import passed, side_of
from bridge.core.inference.certainty import is_sure
from bridge.core.inference.completion import (
    MOST_IN_A_MOVE,
    is_answered,
    is_kings_part,
    is_move_made,
)
from bridge.core.inference.course import Course
from bridge.core.inference.placement import BIT, EMPTY

PRESSED_WITHIN = 3.0
"""So soon after he took a man its taker's press is reported (s)."""
_RIM = chess.BB_BACKRANKS | chess.BB_FILE_A | chess.BB_FILE_H


def in_hand(course: Course) -> bool:
    """Whether a man of the mover has left its square and come to stand nowhere.

    It may stand on a square that is known to see nothing.
    """
    board, sight = course.position.board, course.sight
    mask = course.chain.differs
    own = board.occupied_co[board.turn]
    empty = sum(BIT[s] for s in chess.scan_forward(mask) if sight.shown[s] == EMPTY)
    gone = mask & own & empty & ~_king_gone_before(course)
    left, came = gone.bit_count(), (mask & ~empty).bit_count()
    if course.named:
        theirs = side_of(mask, course.position, sight.shown, not board.turn)
        came -= min((theirs & empty).bit_count(), (theirs & ~empty).bit_count())
    else:
        came += bool(taken_last(course)) or took_own(course) is not None
    if left <= came:
        return False
    return not any(board.generate_legal_moves(gone, sight.dead))


def _king_gone_before(course: Course) -> int:
    """Return the square of the mover's king if he was gone for long when another man moved.

    Nobody holds a king while he moves another man. Men must have names.
    """
    mine, sight, board = course.chain.mine, course.sight, course.position.board
    king = mine & board.kings & board.occupied_co[board.turn] if course.named else 0
    if not king or sight.last_change(king) >= sight.last_change(mine) - course.timing.in_hand:
        return 0
    return king


def took_own(course: Course) -> chess.Move | None:
    """Return the move of the mover's man that took one of his own side, if it did.

    Nothing tells that but the order: another man's square was empty, and filled again after the
    man had left his own, which is all that is missing. A man with a name shows it only if he took
    one of his kind.
    """
    sight, position = course.sight, course.position
    gone = course.chain.differs & ~sight.misread(position.shown)
    if gone.bit_count() != 1 or not gone & position.board.occupied_co[position.board.turn]:
        return None
    origin = chess.lsb(gone)
    filled = [
        square
        for square in chess.scan_forward(_takable(course, origin) & ~course.chain.differs)
        if _was_refilled(course, square) and sight.changed[square] >= sight.changed[origin]
    ]
    if sight.shown[origin] != EMPTY or len(filled) != 1:
        return None
    return None if _took_unseen(course) else chess.Move(origin, filled[0])


def _took_unseen(course: Course) -> bool:
    """Whether it is open whom the opponent took last, so that his man may be the one to be taken.

    Where men have no names, the square of the victim was not seen empty.
    """
    last = course.chain.head.best
    if course.named or last.parent is None or last.move is None:
        return False
    took = last.parent.position.board.is_capture(last.move)
    return took and course.sight.emptied[last.move.to_square] <= last.parent.since


def _was_refilled(course: Course, square: chess.Square) -> bool:
    """Whether the man on *square* was away, or another one came in his place, by the move.

    He was only touched if that was after the mover had pressed, or long before.
    """
    sight, pressed = course.sight, course.pressed
    if sight.emptied[square] <= course.chain.head.since or sight.shown[square] == EMPTY:
        return False
    if pressed is None:
        return True
    return sight.emptied[square] <= pressed <= sight.changed[square] + PRESSED_WITHIN


def _takable(course: Course, origin: chess.Square) -> int:
    """Return the mover's men of whom the one from *origin* may have taken one, as they show."""
    board, cells = course.position.board, course.position.cells
    if not course.named:
        return board.attacks_mask(origin) & board.occupied_co[board.turn]
    kind = chess.PIECE_SYMBOLS.index(cells[origin].lower())
    return board.pieces_mask(kind, board.turn) & ~BIT[origin]


def taken_last(course: Course) -> list[chess.Square]:
    """Return the opponent's man whose square was emptied last, and is occupied again.

    It was only touched if that was after the mover had pressed, or long before. None, if another
    one was away together with it.
    """
    board, sight = course.position.board, course.sight
    theirs = [
        square
        for square in chess.scan_forward(board.occupied_co[not board.turn])
        if _was_refilled(course, square)
    ]
    since = max((sight.emptied[square] for square in theirs), default=0.0) - course.timing.still
    last = [square for square in theirs if sight.emptied[square] > since]
    return last if len(last) == 1 else []


def verdict_at(course: Course, pressed: float) -> float:
    """Return when a press must be explained; a man in the hand may still come to stand."""
    timing, changed = course.timing, course.sight.changed_at
    rested = max(pressed, changed)
    if in_hand(course):
        return rested + timing.in_hand
    if course.dispute.told:
        return rested + timing.verdict
    if made := _whole_move(course, pressed):
        came = course.sight.last_change(made)
        answered = made != course.chain.differs
        hardly = pressed < came + (timing.gap if answered else timing.in_doubt)
        return max(pressed + (timing.gap if hardly else timing.glance), came + timing.gap)
    if _is_being_promoted(course):
        return rested + timing.verdict + timing.gap
    if _may_lie_across(course):
        return max(pressed + timing.glance, changed + timing.in_hand)
    since, patience = min(pressed, changed) if _is_clear(course) else pressed, timing.verdict
    if _is_in_passing(course):
        since, patience = rested, timing.verdict + timing.still
    if is_half_castled(course) or _has_displaced(course):
        patience = timing.rest
    return max(pressed + timing.glance, since + patience)


def put_right_until(course: Course, pressed: float) -> float | None:
    """Return until when a man may be put right who was put down beside where he may go, if he may.

    He is shown on the square next to it then, where he has taken nobody, or somebody whose square
    is empty. Nothing else is done meanwhile, as an answer, nor is the clock turned back. He who
    went as none of his kind may is given more time. Where men have no names, who came may be the
    victim, whom a hand has set aside for a moment.
    """
    if not course.named:
        return pressed + course.timing.end if _may_have_set_aside(course) else None
    move = _only_man(course, course.chain.mine, pressed)
    if move is None or course.chain.missed or not _lies_beside(course, move, pressed):
        return None
    timing, board = course.timing, course.position.board
    return pressed + (timing.verdict if board.is_pseudo_legal(move) else timing.rest)


def _may_have_set_aside(course: Course) -> bool:
    """Whether the only man who has left may have taken somebody, who was put on the rim.

    The victim's square shows its man, or the taker by now.
    """
    board = course.position.board
    left, came = course.sight.left_and_came(course.chain.differs)
    if len(left) != 1 or len(came) != 1 or not BIT[came[0]] & _RIM & ~board.occupied:
        return False
    return any(board.generate_legal_moves(BIT[left[0]], board.occupied_co[not board.turn]))


def _lies_beside(course: Course, move: chess.Move, pressed: float) -> bool:
    """Whether the man of *move* came to an empty square beside one where he may go."""
    board, differs, mine = course.position.board, course.chain.differs, course.chain.mine
    if board.turn == course.clock.turn or board.occupied & BIT[move.to_square]:
        return False
    near, victim = chess.BB_KING_ATTACKS[move.to_square], differs & ~mine
    if victim:
        lifted = course.position.lifted(course.sight.shown, victim, not board.turn)
        if victim.bit_count() > 1 or victim != lifted & near:
            return False
        near = victim
    elif differs != _whole_move(course, pressed):
        return False
    return any(board.generate_legal_moves(BIT[move.from_square], near))


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


def is_half_castled(course: Course) -> bool:
    """Whether the king has castled and the rook has not: his turn may come after the reply."""
    return is_kings_part(course.position.board, course.chain.mine)


def _is_being_promoted(course: Course) -> bool:
    """Whether a pawn came to its last rank that is not replaced yet: the hand may be at it."""
    board, sight = course.position.board, course.sight
    pawn, last = ("P", chess.BB_RANK_8) if board.turn else ("p", chess.BB_RANK_1)
    came = [*chess.scan_forward(course.chain.differs & last)] if course.named else []
    if any(sight.shown[square] == pawn for square in came):
        return True
    taken_off = [square for square in came if sight.shown[square] == EMPTY]
    shown = (sight.since(course.chain.head.since) or []) if taken_off else []
    return any(cells[square] == pawn for square in taken_off for _, cells in shown)


def _has_displaced(course: Course) -> bool:
    """Whether two men of the mover went elsewhere, not king and rook: one was knocked or pushed.

    He puts it right, if he is given the time; nobody moves two men.
    """
    board, mine = course.position.board, course.chain.mine
    own = mine & board.occupied_co[board.turn]
    if not course.named or (own & board.kings and own & board.rooks):
        return False
    return mine.bit_count() == 2 * MOST_IN_A_MOVE and is_move_made(course, mine)


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


def gone_by(course: Course, pressed: float) -> chess.Move | None:
    """Return from where to where the only man of the mover went who is elsewhere by the press.

    All else stands, or the opponent has begun to answer. Men must have names.
    """
    if not course.named:
        return None
    mine = course.chain.mine
    mask = mine if is_answered(course, mine) else course.chain.differs
    return _only_man(course, mask, pressed)


def _only_man(course: Course, mask: int, pressed: float) -> chess.Move | None:
    """Return from where to where a man of the mover went by the press, if *mask* is no more."""
    sight, board = course.sight, course.position.board
    if mask.bit_count() != 2 or pressed < sight.last_change(mask):
        return None
    left, came = chess.lsb(mask), chess.msb(mask)
    if sight.shown[left] != EMPTY:
        left, came = came, left
    if not board.occupied_co[board.turn] & BIT[left] or sight.shown[left] != EMPTY:
        return None
    return chess.Move(left, came) if sight.shown[came] == course.position.cells[left] else None


def _whole_move(course: Course, pressed: float) -> int:
    """Return the two squares of a man of the mover if he made a move by the press that is whole.

    No second man is missing from it, as in castling, en passant and promotion; he who pressed too
    early may still slide on.
    """
    move = gone_by(course, pressed)
    if move is None:
        return 0
    left, came = move.from_square, move.to_square
    man, squares = course.position.cells[left], BIT[left] | BIT[came]
    if man in "Pp":
        passing = came == course.position.board.ep_square
        return 0 if passing or chess.BB_BACKRANKS & BIT[came] else squares
    along = chess.square_rank(left) == chess.square_rank(came)
    return 0 if man in "Kk" and along and chess.square_distance(left, came) > 1 else squares


def may_search(course: Course, at: float) -> bool:
    """Whether other moves may explain the board: a man is not just in the mover's hand."""
    if course.clock.state == "stopped" or not _kings_are_seen(course):
        return False
    goes_on = course.named and is_half_castled(course)
    holds = course.pressed is None and not course.chain.missed and (goes_on or in_hand(course))
    if not (holds or _is_being_promoted(course)):
        return True
    return course.due(course.sight.changed_at + course.timing.in_hand, at)


def _kings_are_seen(course: Course) -> bool:
    """Whether both kings stand somewhere, as far as the board can tell."""
    return not course.named or ("K" in course.sight.shown and "k" in course.sight.shown)
