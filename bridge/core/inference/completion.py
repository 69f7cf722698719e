"""What the mover did, and whether it was answered: that completes it where nobody presses."""

from functools import reduce
from operator import or_

import chess

from bridge.core.inference.ahead import NO_ANSWER, goes_back, others_elsewhere
from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.placement import BIT, EMPTY, changes_of, occupied
from bridge.core.inference.sight import Sight

MOST_IN_A_MOVE = 2
"""Men that one move puts elsewhere: castling."""


def answered_at(course: Course) -> float | None:
    """Return when the opponent answered what the mover did, if he did, where nobody presses.

    He made a move beside it, or where men have names took up a man for one and put him back.
    """
    sight, mine = course.sight, course.chain.mine
    if not course.named:
        return sight.last_change(course.chain.differs) if moved_before_reply(course) else None
    if not mine:
        return None
    rest, stood = course.chain.differs & ~mine, sight.last_change(mine)
    if not rest:
        return _touched_at(course, stood) if is_move_made(course, mine) else None
    came = sight.last_change(rest)
    return came if came > stood and _is_a_move(course, rest) else None


def _is_a_move(course: Course, squares: int) -> bool:
    """Whether *squares* show that one man went elsewhere, or king and rook."""
    board = course.position.board
    if squares.bit_count() > MOST_IN_A_MOVE and not (
        squares & board.kings and squares & board.rooks
    ):
        return False
    return is_move_made(course, squares)


def _touched_at(course: Course, stood: float) -> float | None:
    """Return when the opponent put back a man whom he took up some time after *stood*, if he did.

    Whom the mover may take instead, he may have taken up himself.
    """
    board, sight, timing = course.position.board, course.sight, course.timing
    theirs = board.occupied_co[not board.turn] & occupied(sight.shown)
    back = [
        sight.changed[square]
        for square in chess.scan_forward(theirs & ~takable(course))
        if sight.emptied[square] >= stood + timing.verdict and sight.vacant[square] >= timing.still
    ]
    return max(back, default=None)


def takable(course: Course) -> int:
    """Return the squares of the opponent's men whom the mover's man may take who has left."""
    board, there = course.position.board, occupied(course.sight.shown)
    left, theirs = course.chain.mine & ~there, board.occupied_co[not board.turn] & there
    return sum({BIT[move.to_square] for move in board.generate_legal_moves(left, theirs)})


def moved_before_reply(course: Course) -> int:
    """Return the squares of the mover's man where one of the opponent's went elsewhere since.

    Where men have no names only their order tells whose move is whose; 0 if it does not, and for a
    king whose rook may still come, and a pawn that goes back, as one that is put up again.
    """
    sight, board = course.sight, course.position.board
    left, came = sight.left_and_came(course.chain.differs)
    if course.named or course.chain.missed or not len(left) == len(came) == len(chess.COLORS):
        return 0
    changed = sight.changed
    origin, reply = sorted(left, key=lambda square: changed[square])
    target, end = sorted(came, key=lambda square: changed[square])
    in_turn = changed[origin] <= changed[target] < changed[reply] <= changed[end]
    whose = (board.color_at(origin), board.color_at(reply))
    moved = BIT[origin] | BIT[target]
    if not in_turn or whose != (board.turn, not board.turn):
        return 0
    if is_kings_part(board, moved) or goes_back(board, origin, target):
        return 0
    return moved


def is_answered(course: Course, mine: int) -> bool:
    """Whether the opponent made or began a move beside the squares *mine* of the mover.

    So it is said too where nothing else differs and men have names.
    """
    rest = course.chain.differs & ~mine
    return _is_reply_begun(course, mine) or is_move_made(course, rest)


def _is_reply_begun(course: Course, mine: int) -> bool:
    """Whether, beside the squares *mine* of the mover, men of the opponent were taken up since."""
    board, sight = course.position.board, course.sight
    theirs, since = board.occupied_co[not board.turn], sight.last_change(mine)
    return course.named and all(
        theirs & BIT[square] and sight.shown[square] == EMPTY and sight.changed[square] >= since
        for square in chess.scan_forward(course.chain.differs & ~mine)
    )


def is_move_made(course: Course, squares: int) -> bool:
    """Whether *squares* show that one man, or two as in castling, went elsewhere."""
    return are_elsewhere(course.sight, course.position.cells, squares)


def are_elsewhere(sight: Sight, cells: str, squares: int) -> bool:
    """Whether *squares* show that of the men of *cells* one or two went elsewhere."""
    left, came = sight.left_and_came(squares)
    if len(left) != len(came) or not 0 < len(left) <= MOST_IN_A_MOVE:
        return False
    return sorted(cells[at] for at in left) == sorted(sight.shown[at] for at in came)


def one_elsewhere(course: Course, squares: int) -> tuple[chess.Square, chess.Square] | None:
    """Return where the one man of *squares* has left, and where the one has come, whoever it is."""
    left, came = course.sight.left_and_came(squares)
    return (left[0], came[0]) if len(left) == len(came) == 1 else None


def moved_together(course: Course) -> int:
    """Return the squares of two men of the mover who went elsewhere as in castling, else 0.

    One of them may have been looked past since he left his square, and one may stand where the
    other one had.
    """
    mine, board = course.chain.mine, course.position.board
    for squares in (mine, mine | course.away & board.occupied_co[board.turn]):
        both = squares.bit_count() == 2 * MOST_IN_A_MOVE and is_move_made(course, squares)
        if both or _is_one_for_other(course, squares):
            return squares
    return 0


def second_man(course: Course) -> int:
    """Return the squares of two men of the mover, put elsewhere in his turn before the reply began.

    Each went as he may, and no one move, as castling, explains both. 0 if they were not, if nothing
    was done since, or if the opponent has moved again: he took it that he was answered. Men must
    have names, and the link not have been lost.
    """
    chain, sight = course.chain, course.sight
    squares = moved_together(course) if course.named and not chain.missed else 0
    others = chain.differs & ~chain.mine
    if not squares or not others or not _go_apart(course, squares):
        return 0
    if sight.first_change(squares & occupied(sight.shown)) <= chain.head.since:
        return 0
    again = others_elsewhere(course.position, sight, others) > 1
    since = sight.first_change(others) - NO_ANSWER
    return 0 if again or sight.last_change(squares) >= since else squares


def _go_apart(course: Course, squares: int) -> bool:
    """Whether each man who left one of *squares* went to another as he may, and not by one move."""
    position, shown = course.position, course.sight.shown
    if position.moves_shown(shown, squares, course.sight.excused):
        return False
    moves = position.board.generate_legal_moves(squares, squares & occupied(shown))
    return reduce(or_, (BIT[m.from_square] | BIT[m.to_square] for m in moves), 0) == squares


def _is_one_for_other(course: Course, squares: int) -> bool:
    """Whether a man of *squares* stands on the square that another one of them has left."""
    board, shown = course.position.board, course.sight.shown
    own = squares & board.occupied_co[board.turn]
    if squares.bit_count() != MOST_IN_A_MOVE + 1 or own.bit_count() != MOST_IN_A_MOVE:
        return False
    before = sorted(course.position.cells[square] for square in chess.scan_forward(own))
    return before == sorted(
        shown[square] for square in chess.scan_forward(squares) if shown[square] != EMPTY
    )


def pushed_beside(course: Course, squares: int) -> list[tuple[chess.Square, chess.Square]]:
    """Return from where to where men of *squares* went who stand on empty squares beside theirs.

    Men must have names.
    """
    cells, shown = course.position.cells, course.sight.shown
    left, came = course.sight.left_and_came(squares)
    pushed = []
    for home in left:
        for square in came:
            same = shown[square] == cells[home] and cells[square] == EMPTY
            if same and chess.square_distance(home, square) == 1:
                pushed.append((home, square))
                came.remove(square)
                break
    return pushed


def has_castled(course: Course) -> bool:
    """Whether a king went two squares along his rank and a rook beside him, as in castling.

    Of the mover's men just these two have left, and both squares are filled: that needs no names.
    """
    board, shown = course.position.board, occupied(course.sight.shown)
    left = course.chain.mine & board.occupied_co[board.turn] & ~shown
    kings, rooks = board.kings & left, board.rooks & left
    if kings.bit_count() != 1 or rooks.bit_count() != 1 or left != kings | rooks:
        return False
    king, rook = chess.msb(kings), chess.msb(rooks)
    along = chess.square_rank(king) == chess.square_rank(rook)
    if not along or chess.square_distance(king, rook) <= MOST_IN_A_MOVE:
        return False  # there is no room for both between them
    step = 1 if rook > king else -1
    came = BIT[king + step] | BIT[king + 2 * step]
    return came & course.chain.mine & shown == came


def is_half_castled(course: Course) -> bool:
    """Whether the king has castled and the rook has not: his turn may come after the reply."""
    return is_kings_part(course.position.board, course.chain.mine)


def may_castle(stage: Stage) -> bool:
    """Whether nothing but a rook went as by castling, so that his king may follow."""
    node = stage.best
    if node.parent is None:
        return False
    board, rook = node.parent.position.board, stage.move.from_square
    if not board.castling_rights & BIT[rook]:
        return False
    made = {*changes_of(board, stage.move)}
    return any(made <= {*changes_of(board, each)} for each in board.generate_castling_moves())


def is_amid_castling(course: Course) -> bool:
    """Whether rook or king has castled, and the king is in the air or, with a name, the rook not.

    The other one's turn may come after the reply.
    """
    shown = course.chain.shown
    if shown and may_castle(shown[0]):
        board = shown[0].best.position.board
        kings = board.kings & board.occupied_co[not board.turn]
        return not kings & occupied(course.sight.shown)
    return course.named and is_half_castled(course)


def is_castling_amiss(course: Course) -> bool:
    """Whether the king stands where he may castle to; what his rook does may be put right."""
    board, shown, cells = course.position.board, course.sight.shown, course.position.cells
    return course.named and any(
        shown[square] == cells[castling.from_square]
        for castling in board.generate_castling_moves()
        for square in chess.scan_forward(
            _king_castled_to(board, castling) & ~BIT[castling.from_square]
        )
    )


def has_castled_amiss(course: Course) -> bool:
    """Whether the king went where he may castle to, and his rook to a square not his own."""
    rook = moved_together(course) & course.position.board.rooks
    return bool(rook) and is_castling_amiss(course)


def is_theirs(course: Course, stage: Stage, square: chess.Square) -> bool:
    """Whether *square* shows a man of the player who answers *stage*."""
    letter = course.sight.shown[square]
    return letter != EMPTY and letter.isupper() == stage.best.position.board.turn


def had_stood_where_theirs_is(course: Course, stage: Stage | None) -> bool:
    """Whether a man of the opponent stands where the man of *stage* had, who has a name."""
    if stage is None or not course.named or stage.best.rest < course.timing.gap:
        return False
    return is_theirs(course, stage, stage.square)


def gone_by(course: Course, pressed: float) -> chess.Move | None:
    """Return from where to where the only man of the mover went who is elsewhere by the press.

    All else stands, or the opponent has begun to answer. Men must have names.
    """
    if not course.named:
        return None
    mine = course.chain.mine
    mask = mine if is_answered(course, mine) else course.chain.differs
    return lone_move(course, mask, pressed)


def lone_move(
    course: Course, mask: int, pressed: float, *, theirs: bool = False
) -> chess.Move | None:
    """Return from where to where a man of the mover went by the press, if *mask* is no more.

    *theirs*: a man of his opponent.
    """
    sight, board = course.sight, course.position.board
    if mask.bit_count() != 2 or pressed < sight.last_change(mask):
        return None
    left, came = chess.lsb(mask), chess.msb(mask)
    if sight.shown[left] != EMPTY:
        left, came = came, left
    men = board.occupied_co[board.turn ^ theirs]
    if not men & BIT[left] or sight.shown[left] != EMPTY:
        return None
    return chess.Move(left, came) if sight.shown[came] == course.position.cells[left] else None


def whole_move(course: Course, pressed: float) -> int:
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


def is_kings_part(board: chess.Board, mask: int) -> bool:
    """Whether *mask* is what the king alone does when he castles, and no more."""
    return any(
        mask == BIT[castling.from_square] | _king_castled_to(board, castling)
        for castling in board.generate_castling_moves(mask & board.kings)
    )


def _king_castled_to(board: chess.Board, castling: chess.Move) -> int:
    return sum(BIT[square] for square, man in changes_of(board, castling) if man in "Kk")
