"""Completed moves that no legal line explains: what stands there, and whether it is played on."""

import math
from collections.abc import Sequence
from itertools import islice, pairwise

import chess

from bridge.core.inference.ahead import goes_back, next_stage, side_of, stage_beside
from bridge.core.inference.certainty import is_sure
from bridge.core.inference.completion import (
    MOST_IN_A_MOVE,
    answered_at,
    is_answered,
    is_kings_part,
    is_move_made,
    moved_before_reply,
    moved_together,
    one_elsewhere,
    second_man,
    takable,
)
from bridge.core.inference.course import Course, Untold
from bridge.core.inference.disturbed import move_beside
from bridge.core.inference.doubting import MOST_DIFFERING
from bridge.core.inference.findings import Unexplained
from bridge.core.inference.given_up import answered_amiss, is_given_up, is_stale
from bridge.core.inference.hands import taken_last, took_amiss, took_own
from bridge.core.inference.hypotheses import Stage, plies_back
from bridge.core.inference.patience import (
    is_being_promoted,
    is_called_off,
    put_right_until,
    verdict_at,
)
from bridge.core.inference.placement import (
    BIT,
    EMPTY,
    Change,
    changes_of,
    difference,
    letter_shown_by,
    occupied,
    with_changes,
)
from bridge.core.inference.position import Position
from bridge.core.inference.put_up import come_home
from drivers.events import PIECES, UNNAMED

CASTLED = 2
"""A king goes by so many squares as he castles; by more he made no move, if nobody pressed."""
FAR_FETCHED = 5.5
"""A move that is legal only if so much more is believed of earlier ones is rather illegal, ..."""
BADLY_MADE = 4.0
"""... where a capture that is bad counts for so much at most: it may be made all the same."""
MOSTLY = 0.6
"""Who stood for such a share of the time in which the clock was pressed stood there as it was."""
REREAD = 1.5
"""So soon after plies were read again nothing has confirmed them yet (s)."""
MOST_REREAD = 3
"""Plies of late that are asked when they were read again."""

# -- the verdict -----------------------------------------------------------------------------------


def is_completed(course: Course, at: float) -> bool:
    """Whether the mover has pressed, and what he did there must be explained now.

    Without a clock, the opponent's answer tells that he had finished, or that his man stands there
    for long. If nothing was made out of it, it is looked at again when the board shows something
    else.
    """
    pressed, dispute = course.pressed, course.dispute
    unheard = course.clock.state == "none" or _may_be_of_his_last(course)
    if unheard and not (_is_explained(course) or _is_put_anywhere(course)):
        pressed = answered_at(course) or _left_standing(course, at)
    if pressed is None or _is_before_it(course, pressed):
        return False
    if dispute.told and (dispute.move is not None or dispute.still(course.sight.shown)):
        return False
    return course.due(verdict_at(course, pressed), at)


def _may_be_of_his_last(course: Course) -> bool:
    """Whether the mover's press, which was heard late, may have completed his last ply.

    Nobody was heard to press for that nor for the answer, before which the clock was read last. So
    it may be where a pawn waits on its last rank: else he stands where he may not go at all.
    """
    reply = course.chain.head.best
    last, mover = reply.parent, course.position.board.turn
    if course.pressed is None or last is None or last.move is None:
        return False
    if not is_being_promoted(course):
        return False
    if last.pressed is not None or reply.pressed is not None:
        return False
    return course.clock.unread_by(mover) < reply.since


def _is_explained(course: Course) -> bool:
    """Whether moves are shown, and not rather two men who were moved in one turn."""
    return bool(course.chain.shown) and not second_man(course)


def _is_before_it(course: Course, pressed: float) -> bool:
    """Whether the mover began after he had *pressed*, and the opponent pressed before he was done.

    Then both pressed for plies that were made before, and the mover's time runs again.
    """
    left, came = course.sight.left_and_came(course.chain.mine)
    if not (left and came) or not pressed < course.answered:
        return False
    sight = course.sight
    began = min(sight.emptied[square] for square in left)
    return began > pressed and all(sight.changed[square] > course.answered for square in came)


def is_confirmed(course: Course, at: float) -> bool:
    """Whether the last plies have stood for a while since what led to them was read again.

    Where men have no names it would not confirm them: then it is told that they are in doubt.
    """
    lately = islice(plies_back(course.story.head), MOST_REREAD if course.named else 0)
    reread = (ply.at for ply in lately if ply.basis == "gap")
    return course.due(max(reread, default=-math.inf) + REREAD, at)


def wait_for_hand(course: Course, at: float) -> bool:
    """Keep what was completed untold for a while, if its man may be put right. True: it is."""
    pressed, differs = course.pressed, course.chain.differs
    until = None if pressed is None else put_right_until(course, pressed)
    if until is None or is_called_off(course) or course.due(until, at):
        return False
    _keep_untold(course, differs | _where_put_right(course))
    return True


def _keep_untold(course: Course, squares: int) -> None:
    """Keep what was completed untold, as long as nothing is done but on *squares*."""
    came = course.chain.differs & occupied(course.sight.shown)
    course.dispute.untold = Untold(_what_stands(course), squares, came)


def note_completed(course: Course, at: float) -> None:
    """Keep untold that a man had stood elsewhere for a while as his player pressed.

    It is told if he is put back, or the clock stopped or turned back, before it can be judged.
    Where nobody presses, the opponent tells that he had finished who takes up a man to answer.
    """
    pressed, dispute, chain = course.pressed, course.dispute, course.chain
    if dispute.untold is not None and is_stale(course, dispute.untold):
        dispute.untold = None
    if dispute.told or dispute.untold is not None:
        return
    amiss = answered_amiss(course, at)
    if amiss is not None and not _is_put_anywhere(course):
        # It is told when it is given up: that makes it certain.
        what = Unexplained((_with(course, amiss.squares, amiss.after.best.position),))
        came = amiss.squares & occupied(course.sight.shown)
        dispute.untold = Untold(what, chess.BB_ALL, came, amiss.after)
    if pressed is None or _may_be_of_his_last(course):
        return
    if (stood := _taken_up_since(course, pressed)) is not None:
        what = Unexplained((stood,), sure=is_sure(course))
        dispute.untold = Untold(what, chess.BB_ALL, 0)
        return
    if _was_done_before(course) or not _has_stood(course, pressed, at):
        return
    if not chain.missed and _is_elsewhere(course, chain.differs):
        _keep_untold(course, chess.BB_ALL)


def _taken_up_since(course: Course, pressed: float) -> str | None:
    """Return the men as they stood when the clock was pressed, if one is taken up again since.

    A clock that is asked once a second tells a press late. The man had stood where he may not go
    for most of the time since it was read before, and is all that is missing now.
    """
    chain, sight, since = course.chain, course.sight, course.clock.unread_before(pressed)
    position, differs = course.position, chain.differs
    held = position.lifted(sight.shown, differs, position.board.turn)
    if chain.missed or held != differs or held.bit_count() != 1:
        return None
    (_, shown), *_ = sight.shown_from(pressed)
    if shown != sight.shown or not since < pressed <= since + course.timing.reading:
        return None
    trace = [*sight.shown_from(since), (pressed, shown)]
    for (began, shown), (until, _) in pairwise(trace):
        if min(until, pressed) - max(began, since) < MOSTLY * (pressed - since):
            continue
        stood = difference(shown, position.shown) & ~sight.excused
        came = stood & ~held
        if until - began < course.timing.gap or came.bit_count() != 1 or stood == came:
            return None
        if began <= (chain.head.best.pressed or -math.inf):
            return None  # the opponent put him there
        return _put_elsewhere(position, chess.lsb(held), chess.lsb(came), shown)
    return None


def _put_elsewhere(
    position: Position, origin: chess.Square, square: chess.Square, shown: str
) -> str | None:
    """Return the men if the one from *origin* is *shown* on *square*; None if he may go there."""
    man = position.cells[origin]
    if shown[square] != letter_shown_by(man, position.sensing):
        return None
    if any(position.board.generate_legal_moves(BIT[origin], BIT[square])):
        return None
    return with_changes(position.cells, [(origin, EMPTY), (square, man)])


def _has_stood(course: Course, pressed: float, at: float) -> bool:
    """Whether what differs was unchanged for a while before the press, or since just before it."""
    changed, timing = course.sight.last_change(course.chain.differs), course.timing
    if pressed - changed >= (timing.still if course.named else timing.in_doubt):
        return True
    return course.named and pressed >= changed and course.due(changed + timing.in_doubt, at)


def _was_done_before(course: Course) -> bool:
    """Whether all that differs was done before the last move was pressed: he put nobody there."""
    began = course.chain.head.best.pressed
    return began is not None and course.sight.last_change(course.chain.differs) <= began


def _where_put_right(course: Course) -> int:
    """Return the squares to which the man who stands may be put right, and whom he may take there.

    An opponent's man beside him whom he may not take is none of them: he answers. Where men have no
    names, who stands may be the victim, taken anywhere.
    """
    board, differs = course.position.board, course.chain.differs
    near = chess.BB_KING_ATTACKS[chess.msb(differs & occupied(course.sight.shown))]
    theirs = board.occupied_co[not board.turn] & (near if course.named else chess.BB_ALL)
    takable = board.generate_legal_moves(differs & board.occupied_co[board.turn], theirs)
    return near & ~theirs | sum(BIT[square] for square in {move.to_square for move in takable})


def _is_put_anywhere(course: Course) -> bool:
    """Whether the men were put anywhere, as after a game.

    A king has gone farther than by castling, a pawn is put up again, or so much differed for a
    while since the last move that nobody can have played.
    """
    shown, stood = course.position.shown, course.timing.gap
    trace = course.sight.shown_from(course.story.head.since)
    return (
        _is_king_far(course)
        or _is_pawn_put_up(course)
        or any(
            until - since >= stood and difference(men, shown).bit_count() > MOST_DIFFERING
            for (since, men), (until, _) in pairwise(trace)
        )
    )


def _is_king_far(course: Course) -> bool:
    cells, shown = course.position.cells, course.sight.shown
    left, came = course.sight.left_and_came(course.chain.differs)
    return any(
        chess.square_distance(home, square) > CASTLED
        for home in left
        for square in came
        if cells[home] in "Kk" and cells[home] == shown[square]
    )


def _left_standing(course: Course, at: float) -> float | None:
    """Return since when a man of the mover stands elsewhere, if that is all and he does so long.

    A pawn on its last rank waits for the man that is fetched for it, however long that takes.
    """
    differs = course.chain.differs
    if is_being_promoted(course):
        return None
    if differs != course.chain.mine or not _is_elsewhere(course, differs):
        return None
    came = course.sight.last_change(differs | takable(course))
    return came if course.due(came + course.timing.unanswered, at) else None


def _is_pawn_put_up(course: Course) -> bool:
    """Whether a pawn is back where pawns begin, and nobody came but to where he begins."""
    came = course.chain.differs & occupied(course.sight.shown)
    if not came or came != come_home(course):
        return False
    board, cells, shown = course.position.board, course.position.cells, course.sight.shown
    left, arrived = course.sight.left_and_came(course.chain.mine)
    return any(
        goes_back(board, home, square) and shown[square] in (cells[home], UNNAMED)
        for home in left
        for square in arrived
    )


def _is_elsewhere(course: Course, squares: int) -> bool:
    """Whether *squares* show that one man of the mover went elsewhere, or two as in castling.

    A king without a name who has gone as one castles may be waiting for his rook.
    """
    if course.named:
        together = moved_together(course)
        return is_move_made(course, squares) or bool(together and not squares & ~together)
    if one_elsewhere(course, squares) is None:
        return False
    return not is_kings_part(course.position.board, squares)


def judge_far_fetched(course: Course, stage: Stage, at: float) -> bool:
    """Whether the move of *stage* is rather an illegal one, as long as nobody plays on.

    Where men have no names, a capture before that nobody believes else may make it legal. It is
    told once the press must be explained.
    """
    pressed, dearer = course.pressed, stage.best.cost - course.chain.head.best.cost
    dearer -= _beyond_bad(course, stage)
    if course.named or pressed is None or dearer < FAR_FETCHED or not is_sure(course):
        return False
    if course.due(verdict_at(course, pressed), at) and not course.dispute.told:
        tell_unexplained(course)
    return True


def _beyond_bad(course: Course, stage: Stage) -> float:
    """Return by how much a bad capture costs more than counts, if its man can have taken no other.

    Nobody saw its victim taken, nor anybody else taken up.
    """
    before = stage.best.parent
    alone = all(node.move == stage.move for node in stage.nodes)
    if before is None or not (stage.weak and alone):
        return 0.0
    stand = before.position.board.occupied & occupied(course.sight.shown)
    if course.sight.emptied_since(stand, course.chain.head.since):
        return 0.0
    return max(0.0, before.position.implausible(stage.move) - BADLY_MADE)


def tell_unexplained(course: Course) -> None:
    """Tell that the mover completed a move that no legal line explains."""
    _tell(course, _what_stands(course))


def tell_untold(course: Course) -> bool:
    """Tell what was completed and is not told yet: its man is not put right. True if it was so."""
    dispute, untold = course.dispute, course.dispute.untold
    if untold is None or dispute.told:
        return False
    if untold.after is not None and not untold.answers(course.chain.head):
        return False
    _tell(course, untold.what)
    return True


def tell_at_the_loss(course: Course) -> None:
    """Tell what was pressed for and is not told yet: nobody will see it put right."""
    untold = course.dispute.untold
    if untold is not None and untold.after is None:
        tell_untold(course)


def tell_taken_amiss(course: Course) -> None:
    """Tell that a man without a name had taken somebody he may not take, now that both are back."""
    if course.dispute.move is not None:
        return  # what he tried was told while it stood
    move = took_amiss(course)
    if move is None or not is_sure(course):
        return
    cells = course.position.cells
    made = ((move.from_square, EMPTY), (move.to_square, cells[move.from_square]))
    _tell(course, Unexplained((with_changes(cells, made),)))


def _tell(course: Course, what: Unexplained) -> None:
    course.dispute.told, course.dispute.judged = True, course.sight.shown
    course.dispute.both = moved_together(course) if course.named else 0
    course.story.tell(what)


def is_left_so(course: Course, at: float) -> bool:
    """Whether what is not told yet is not put right: something else is done, or the clock stopped.

    The opponent may have answered, or turned the clock back. Who is taken up again is perhaps put
    right, whatever else is done.
    """
    untold, shown = course.dispute.untold, course.chain.shown
    if untold is None:
        return False
    if is_given_up(course):
        return True
    if shown and course.chain.stands(shown[0]):
        return is_called_off(course) and _went_too(course, shown[0])
    stands = not untold.came & ~occupied(course.sight.shown)
    if is_called_off(course):
        return True
    return stands and _is_done(course, course.chain.differs & ~untold.squares, at)


def _is_done(course: Course, squares: int, at: float) -> bool:
    """Whether *squares* show that something was done: who is away for a scan only flickers."""
    sight = course.sight
    if not squares or squares & occupied(sight.shown):
        return bool(squares)
    return course.due(sight.last_change(squares) + course.timing.still, at)


def _went_too(course: Course, stage: Stage) -> bool:
    """Whether another man of the mover went elsewhere some time after that of *stage* stood.

    One who was knocked over as the hand went by fell before.
    """
    sight, board = course.sight, stage.best.position.board
    away = sight.emptied_since(course.away, stage.since)
    beside = sight.differs(stage.shown) | away & board.occupied_co[not board.turn]
    theirs = board.occupied_co[not board.turn] & beside
    if not course.named or theirs.bit_count() != 1 or beside.bit_count() != len(chess.COLORS):
        return False
    return is_move_made(course, beside) and sight.emptied[chess.lsb(theirs)] > stage.since


def _what_stands(course: Course) -> Unexplained:
    chain = course.chain
    sure = is_sure(course) and not (chain.missed and chain.differs != chain.mine)
    return Unexplained(_men(course), sure=sure, taken=took_own(course))


def _men(course: Course) -> tuple[str, ...]:
    """Return the men that stand on the board, in the ways that are worth judging.

    First all that differs, then only what the mover's men have done, then only his man that
    moved last, if the rest was disturbed before it was his turn or long before. What his men did
    is judged also where the reply has begun. Men that are read as others of their colour where they
    stand are passed over if nothing else helps.
    """
    position, sight = course.position, course.sight
    ways: list[int] = []
    for mask in (course.chain.differs, course.chain.differs & ~sight.misread(position.shown)):
        mine = side_of(mask, position, sight.shown, position.board.turn)
        ways.append(mask)
        ways += [
            squares
            for squares in (mine, _last_moved(course, mine))
            if _was_before(course, mask & ~squares, squares)
            or (squares == mine and is_answered(course, mine))
        ]
        ways.append(_until_reply(course, mask))
    if lately := _changed_lately(course):
        ways.append(lately)
    read = tuple(_with(course, squares) for squares in dict.fromkeys(ways))
    return (*read, *_as_who_left(course))


def _until_reply(course: Course, mask: int) -> int:
    """Return those of *mask* that changed before the reply, if the others show that.

    So it is told where men have no names: by the press, after which only the opponent's were taken
    up, or by the order in which they went, as where nobody pressed or the press is told late.
    """
    pressed, sight, board = course.pressed, course.sight, course.position.board
    if course.named or pressed is None:
        return moved_before_reply(course) or mask
    since = sight.changed_since(mask, pressed)
    left, came = sight.left_and_came(since)
    theirs = all(board.occupied_co[not board.turn] & BIT[square] for square in left)
    if left and theirs and len(came) <= len(left):
        return mask & ~since
    return moved_before_reply(course) or mask


def _changed_lately(course: Course) -> int:
    """Return the squares that changed in this turn, though some were looked past until now.

    A man who is taken up beside a move that stands is; but he may come to stand elsewhere. Where
    men have no names, only one of the opponent's is told from a reply by that; where they have, he
    may have replied if a man of the mover is on no square, who went before him.
    """
    board, sight = course.position.board, course.sight
    differing = difference(sight.shown, course.position.shown)
    squares = sight.changed_since(differing, course.chain.head.since)
    went = one_elsewhere(course, squares)
    theirs = went is not None and board.color_at(went[0]) != board.turn
    if not course.named:
        return squares if theirs else 0
    gone = course.position.lifted(sight.shown, differing & ~squares, board.turn)
    return 0 if theirs and gone else squares


def _as_who_left(course: Course) -> list[str]:
    """Return the settled men after what the only man who moved did, if he is read as another.

    He was read as himself where he stood, so that it is no other man by an error of the record.
    """
    if not course.named:
        return []
    cells, (left, came) = course.position.cells, course.sight.left_and_came(course.chain.mine)
    if len(left) != 1 or len(came) != 1:
        return []
    (home,), (square,) = left, came
    man, read_as = cells[home], course.sight.shown[square]
    if man in "Pp" or read_as == man or man.isupper() != read_as.isupper():
        return []
    if read_as not in PIECES or course.sight.last_man(home) != man:
        return []
    return [with_changes(cells, ((home, EMPTY), (square, man)))]


def _was_before(course: Course, rest: int, squares: int) -> bool:
    """Whether the *rest* changed before the mover's turn, or long before he began with *squares*.

    Where men have names, a single man may have gone just before. Where they have none, more than
    one who is gone tells that the record is wrong.
    """
    changed, timing = course.sight.last_change(rest), course.timing
    if changed < course.chain.head.since:
        return True
    began = min((course.sight.changed[square] for square in chess.scan_forward(squares)), default=0)
    gone = rest.bit_count() == 1 and not rest & occupied(course.sight.shown)
    if not course.named:
        return gone and changed < began - timing.in_hand
    return changed < began - (timing.gap if gone else timing.in_hand)


def _last_moved(course: Course, squares: int) -> int:
    """Return the square of *squares* that was left last, and the one that was filled last."""
    changed = course.sight.changed
    last = [
        max(each, key=lambda s: changed[s]) for each in course.sight.left_and_came(squares) if each
    ]
    return sum(BIT[square] for square in last)


def _with(course: Course, squares: int, position: Position | None = None) -> str:
    """Return the men of *position*, the settled one, with what *squares* show.

    Unnamed men get a name if one fits, or those of two who were moved together.
    """
    position = course.position if position is None else position
    cells = list(position.cells)
    if course.named:
        for square in chess.scan_forward(squares):
            cells[square] = course.sight.shown[square]
        return "".join(cells)
    own = position.board.occupied_co[position.board.turn]
    left, came = course.sight.left_and_came(squares)
    movers = [square for square in left if own & BIT[square]]
    for square in left:
        cells[square] = EMPTY
    for square in came or taken_last(course):
        cells[square] = position.cells[movers[0]] if len(movers) == 1 else UNNAMED
    for move in _moves_of_two(course, position.board, left, came):
        cells[move.to_square] = position.cells[move.from_square]
    return "".join(cells)


def _moves_of_two(
    course: Course, board: chess.Board, left: list[chess.Square], came: list[chess.Square]
) -> list[chess.Move]:
    """Return the moves of two men without names of the mover who went to empty squares; else none.

    One of them is legal, if it can be; else who left first came first.
    """
    theirs = ~board.occupied_co[board.turn]
    if not len(left) == len(came) == MOST_IN_A_MOVE or any(BIT[square] & theirs for square in left):
        return []
    if any(BIT[square] & board.occupied for square in came):
        return []
    changed = course.sight.changed
    if course.pressed is not None and any(
        changed[square] > course.clock.unread_by(board.turn) for square in left
    ):
        return []  # he may have been pushed after the press
    first, second = sorted(left, key=lambda square: changed[square])
    soon, late = sorted(came, key=lambda square: changed[square])
    ways = [
        [chess.Move(first, soon), chess.Move(second, late)],
        [chess.Move(first, late), chess.Move(second, soon)],
    ]
    return next((way for way in ways if any(map(board.is_legal, way))), ways[0])


# -- played on -------------------------------------------------------------------------------------


def let_stand(course: Course, move: chess.Move) -> None:
    """Go on from the illegal *move* if it is played on."""
    node = course.story.head.then_illegal(move, _made_with(course, move))
    if node is None:
        return
    mask = difference(node.position.shown, course.position.shown)
    course.sight.excuse(course.sight.misread(course.position.shown) & ~mask)
    node.since = course.sight.last_change(mask)
    course.dispute.move = Stage([node], mask, node.since)


def _made_with(course: Course, move: chess.Move) -> Sequence[Change]:
    """Return what else stands elsewhere by the illegal *move*, square by square.

    A rook by castling, and nobody where a pawn stood who was taken in passing.
    """
    board = course.position.board
    kind = board.piece_type_at(move.from_square)
    if kind == chess.KING:
        return _castled_960(course, move) if board.chess960 else _rook_with(course, move)
    passed = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    if kind != chess.PAWN or passed in (move.from_square, move.to_square):
        return []
    gone = board.occupied_co[not board.turn] & BIT[passed]
    return [(passed, EMPTY)] if gone and course.sight.shown[passed] == EMPTY else []


def _castled_960(course: Course, move: chess.Move) -> Sequence[Change]:
    """Return what stands elsewhere if the *move* is castling: the king goes to his rook's square.

    The rook is there still, unless castling changes it.
    """
    board, square = course.position.board, move.to_square
    if not board.rooks & board.occupied_co[board.turn] & BIT[square]:
        return []
    return [(square, course.position.cells[square]), *changes_of(board, move)]


def _rook_with(course: Course, king: chess.Move) -> Sequence[Change]:
    """Return what the rook did when the *king* went two files along his rank, as who castles."""
    board, shown = course.position.board, course.sight.shown
    start, end = king.from_square, king.to_square
    files = chess.square_file(end) - chess.square_file(start)
    if chess.square_rank(start) != chess.square_rank(end) or abs(files) != CASTLED:
        return []
    corner = chess.square(7 if files > 0 else 0, chess.square_rank(start))
    passed = (start + end) // 2
    stood = BIT[corner] & board.rooks & board.occupied_co[board.turn]
    came = passed in course.sight.left_and_came(course.chain.mine)[1]
    if not (stood and came and shown[corner] == EMPTY):
        return []
    return [(corner, EMPTY), (passed, course.position.cells[corner])]


def judge_played_on(course: Course, at: float) -> bool:
    """Settle an illegal move that the opponent has answered and pressed after: it stands."""
    illegal, timing = course.dispute.move, course.timing
    if illegal is None or course.clock.state == "stopped":
        return False
    if _is_completed_late(course, illegal.move):
        course.dispute.move = course.dispute.answer = None
        return False
    _note_answer(course, illegal, at)
    answer = course.dispute.answer
    if answer is None and _is_answered_unseen(course, illegal, at):
        because = "the illegal move was played on; the answer is not seen"
        course.chain.shown = []
        course.move_head(illegal, "stands", because, at, more=1)
        return True
    if answer is None:
        return False
    stood_from = _put_down_at(course, answer)
    weak = answer.weak and stood_from == answer.since
    pressed = course.answered > max(illegal.since, stood_from - timing.gap)
    if weak and not course.named and not (pressed and _is_taker(course, answer, at)):
        return False
    if not pressed and (answer.weak or not course.chain.stands(answer)):
        return False
    sure = pressed and not weak
    patience = timing.still if sure else _patience_with_answer(course, answer, pressed=pressed)
    if not course.due(stood_from + patience, at):
        return False
    course.chain.shown = [answer]
    course.move_head(illegal, "stands", "the illegal move was played on", at, more=1)
    return True


def _patience_with_answer(course: Course, answer: Stage, *, pressed: bool) -> float:
    """Return how long the *answer* has to stand: while its player's clock runs he may undo both."""
    timing, clock = course.timing, course.clock
    answering = not answer.best.position.board.turn
    if pressed or clock.state != "runs" or clock.turn != answering:
        return timing.in_hand
    following = next_stage(answer, course.sight)
    return timing.forgotten if following is None or following.weak else timing.in_hand


def _put_down_at(course: Course, answer: Stage) -> float:
    """Return since when *answer* stands: from when its victim's square was filled again, if it was.

    Where men have no names, it else looks as if its man were still in the air.
    """
    came = course.sight.changed[answer.square]
    refilled = answer.weak and not course.named and course.chain.stands(answer)
    return max(came, answer.since) if refilled else answer.since


def _is_taker(course: Course, answer: Stage, at: float) -> bool:
    """Whether a man without a name who is seen nowhere is no more in the air, but took somebody.

    He was pressed for, and is away for long, or the next move was made.
    """
    following = next_stage(answer, course.sight)
    if following is not None and not following.weak:
        return True
    rested = max(course.answered, course.sight.changed_at)
    return course.chain.stands(answer) and course.due(rested + course.timing.in_hand, at)


def _is_completed_late(course: Course, move: chess.Move) -> bool:
    """Whether a legal *move* lacked a second man, as castling does its rook, who moves by now."""
    position, shown = course.position, course.sight.shown
    if not position.board.is_legal(move):
        return False
    ends = (move.from_square, move.to_square)
    return any(
        shown[square] != position.shown[square]
        for square, _ in changes_of(position.board, move)
        if square not in ends
    )


def _is_answered_unseen(course: Course, illegal: Stage, at: float) -> bool:
    """Whether the opponent pressed, and a man of his is gone that he had not answered with."""
    position, sight = illegal.best.position, course.sight
    if course.answered <= illegal.since or not course.chain.stands(illegal):
        return False
    gone = position.lifted(sight.shown, sight.differs(illegal.shown), position.board.turn)
    rested = max(sight.changed_at, course.answered)
    return course.named and bool(gone) and course.due(rested + course.timing.in_hand, at)


def shows_illegal(course: Course) -> bool:
    """Whether the board shows the position after an illegal move that was told, and no more."""
    illegal = course.dispute.move
    return illegal is not None and not course.sight.differs(illegal.shown)


def _note_answer(course: Course, illegal: Stage, at: float) -> None:
    """Keep what was the answer to the *illegal* move, also when play has gone on since.

    What was undone is none: the clock may be turned back then.
    """
    if shows_illegal(course):
        course.dispute.answer = None
        return
    answer = (
        next_stage(illegal, course.sight)
        or stage_beside(illegal, course.sight)
        or move_beside(course, illegal, at)
    )
    known = course.dispute.answer
    if answer is None or (known is not None and known.move == answer.move):
        return
    if known is None or known.weak or not course.chain.stands(known):
        course.dispute.answer = answer
