"""Completed moves that no legal line explains: when they are judged, and told."""

import math
from itertools import islice, pairwise

import chess

from bridge.core.inference.ahead import goes_back
from bridge.core.inference.certainty import is_sure
from bridge.core.inference.completion import (
    answered_at,
    is_kings_part,
    is_move_made,
    moved_together,
    one_elsewhere,
    second_man,
    takable,
)
from bridge.core.inference.course import Course, Untold
from bridge.core.inference.doubting import MOST_DIFFERING
from bridge.core.inference.findings import Unexplained
from bridge.core.inference.given_up import answered_amiss, is_given_up, is_stale
from bridge.core.inference.hands import took_amiss
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
    difference,
    letter_shown_by,
    occupied,
    with_changes,
)
from bridge.core.inference.played_on import CASTLED
from bridge.core.inference.position import Position
from bridge.core.inference.put_up import come_home
from bridge.core.inference.what_stands import men_with, what_stands
from drivers.events import UNNAMED

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
    course.dispute.untold = Untold(what_stands(course), squares, came)


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
        what = Unexplained((men_with(course, amiss.squares, amiss.after.best.position),))
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
    _tell(course, what_stands(course))


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
