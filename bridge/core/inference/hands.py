"""Whose men are at work: what the mover has in his hand, and whom he took."""

import chess

from bridge.core.inference.ahead import side_of
from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import TOGETHER
from bridge.core.inference.placement import BIT, EMPTY, occupied, reach

PRESSED_WITHIN = 3.0
"""So soon after he took a man its taker's press is reported (s)."""


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


def took_amiss(course: Course) -> chess.Move | None:
    """Return the capture that no man without a name may make and that was put back, if it was.

    Only his own square had told it as his player pressed. His victim, to whom he might go if nobody
    stood between or his king were not in check, was taken up since and put back after him.
    """
    sight, board, pressed = course.sight, course.position.board, course.pressed
    if course.named or pressed is None:
        return None
    later = pressed + course.timing.gap
    stand = board.occupied & occupied(sight.shown)
    back = sight.changed_since(sight.emptied_since(stand, course.chain.head.since), later)
    own, victims = back & ~sight.emptied_since(back, pressed), sight.emptied_since(back, later)
    if own.bit_count() != 1 or victims.bit_count() != 1 or back != own | victims:
        return None
    origin, target = chess.lsb(own), chess.lsb(victims)
    after = sight.changed[target] >= sight.changed[origin] - TOGETHER
    amiss = after and _might_take(board, origin, target) and not _may_take(board, origin)
    return chess.Move(origin, target) if amiss else None


def _might_take(board: chess.Board, origin: chess.Square, target: chess.Square) -> bool:
    """Whether the mover's man on *origin* goes the way to the opponent's on *target*, no king."""
    piece, victims = board.piece_at(origin), board.occupied_co[not board.turn] & ~board.kings
    if piece is None or piece.color != board.turn or not victims & BIT[target]:
        return False
    return bool(reach(piece.symbol(), origin) & BIT[target])


def _may_take(board: chess.Board, origin: chess.Square) -> bool:
    """Whether the man on *origin* has a legal capture."""
    return any(map(board.is_capture, board.generate_legal_moves(BIT[origin])))


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
