"""The last plies taken otherwise: the man was put right after the press, or the gap was another."""

from collections.abc import Iterator

import chess

from bridge.core.inference.course import PAUSE, Course
from bridge.core.inference.hypotheses import Node, Stage
from bridge.core.inference.placement import BIT, occupied
from bridge.core.inference.put_up import come_home
from bridge.core.inference.rereading import Reread, Rereading, is_exchanged, reread
from bridge.core.inference.unseen import is_begun_in_sight


def put_right_before(course: Course, at: float) -> bool:
    """Take the last move otherwise if its man went on before the one that answers was taken up.

    He was on his way still when his player pressed, and the board shows the answer to that. Who
    was shown on the square beside may have lain across the edge, and be put right at any time. So
    may one for whom nobody pressed, who only rested there, unless he comes home.
    """
    told, sight, shown = course.story.head, course.sight, course.chain.shown
    if not shown or told.move is None or told.basis == "stands":
        return False
    if course.clock.state == "stopped":
        return False  # nobody answers: the game is looked at
    left = sight.emptied[told.move.to_square]
    if left < told.at or not sight.differs(shown[0].shown) & told.target:
        return False
    answer, began = shown[0].move, sight.emptied[shown[0].move.from_square]
    for other in _went_on(course, told, shown[0].shown):
        node = other.base.then(other.line[0])
        late = left > told.at + course.timing.correction
        late &= told.basis != "rest" or bool(node.target & come_home(course))
        if late and not _lay_across(course, told.move, other.line[0]):
            continue
        stood = sight.changed[chess.lsb(node.target)] < began
        legal = stood and node.position.board.is_legal(answer)
        if legal and not sight.differs(node.then(answer).position.shown):
            _replace(course, other, at)
            course.second.end()  # to it he stood for long where he only lay across the edge
            return True
    return False


def _lay_across(course: Course, told: chess.Move, other: chess.Move) -> bool:
    """Whether its man was pushed over the edge between the squares of *told* and *other*."""
    one, beside, sight = told.to_square, other.to_square, course.sight
    over_edge = chess.square_manhattan_distance(one, beside) == 1
    return over_edge and sight.changed[beside] - sight.emptied[one] < course.timing.glide


def _went_on(course: Course, told: Node, shown: str) -> Iterator[Reread]:
    """Yield what may stand instead of *told* if its man went on to where he is shown.

    After the answer, *shown* should be; nobody belongs there then.
    """
    base = told.parent
    if base is None or told.move is None:
        return
    came = course.sight.differs(shown) & occupied(course.sight.shown)
    for move in base.position.board.generate_legal_moves(BIT[told.move.from_square], came):
        yield Reread(base, (move,), back=1, cost=0.0)


def read_again(course: Course, at: float) -> bool:
    """Read the last plies otherwise, if the board is not just disturbed; whether to look anew."""
    missed = course.chain.missed
    if course.tried.reread or not (missed or course.named) or is_begun_in_sight(course):
        return False
    if not missed and not course.due(_rested_at(course), at):
        return False
    course.tried.reread = True
    rereading = reread(course.story.head, course.sight, course.timing, at)
    course.tried.rereading = rereading
    return _read_part(course, rereading, at)


def go_on_reading(course: Course, rereading: Rereading, at: float) -> bool:
    """Search on for another reading; return whether that is at its end."""
    return course.may_work(at) and _read_part(course, rereading, at)


def _read_part(course: Course, rereading: Rereading, at: float) -> bool:
    try:
        next(rereading)
    except StopIteration as end:
        course.tried.rereading = None
        if end.value is not None:
            _replace(course, end.value, at)
        return True
    course.due(at + PAUSE, at)
    return False


def _rested_at(course: Course) -> float:
    """Return when the board has rested long enough for the last plies to be doubted."""
    timing, changed, pressed = course.timing, course.sight.changed_at, course.pressed
    head = course.story.head
    soon = changed <= head.at + timing.press_life and not _next_in_hand(course)
    soon |= is_exchanged(head, course.sight)
    rested = changed + (timing.gap if soon else timing.correction)
    if pressed is None:
        return rested
    return min(rested, max(changed + timing.gap, pressed + timing.verdict))


def _next_in_hand(course: Course) -> bool:
    """Whether all that is shown is a move beside which the other player holds a man."""
    stage = course.chain.shown[-1] if course.chain.shown else course.chain.head
    position, wrong = stage.best.position, course.sight.differs(stage.shown)
    held = position.lifted(course.sight.shown, wrong, position.board.turn)
    return held == wrong and held.bit_count() == 1


def _replace(course: Course, found: Reread, at: float) -> None:
    node = found.base
    for move in found.line[:-1]:
        node = node.then(move)
    why = "play that followed shows that other moves were made"
    if found.back == 1:
        why = "another move stands in its place" if found.line else "it was taken back"
        if not found.line:
            course.restored_at = course.sight.changed_at
    pressed = course.story.head.pressed if found.back == 1 else None
    chain = course.chain
    chain.shown = []
    course.move_head(Stage([node], 0, chain.head.since), "gap", why, at, more=1, why=why)
    if pressed is not None:
        course.clock.keep(course.position.board.turn, pressed)
    chain.compare()
