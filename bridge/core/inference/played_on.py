"""Illegal moves that are played on: when the opponent has answered one, it stands."""

from collections.abc import Sequence

import chess

from bridge.core.inference.ahead import next_stage, stage_beside
from bridge.core.inference.course import Course
from bridge.core.inference.disturbed import move_beside
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.placement import BIT, EMPTY, Change, changes_of, difference

CASTLED = 2
"""A king goes by so many squares as he castles; by more he made no move, if nobody pressed."""


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
