"""What stands on the board where no legal line explains it: the men that a completed move left."""

import chess

from bridge.core.inference.ahead import side_of
from bridge.core.inference.certainty import is_sure
from bridge.core.inference.completion import (
    MOST_IN_A_MOVE,
    is_answered,
    moved_before_reply,
    one_elsewhere,
)
from bridge.core.inference.course import Course
from bridge.core.inference.findings import Unexplained
from bridge.core.inference.hands import taken_last, took_own
from bridge.core.inference.placement import BIT, EMPTY, difference, occupied, with_changes
from bridge.core.inference.position import Position
from drivers.events import PIECES, UNNAMED


def what_stands(course: Course) -> Unexplained:
    """Return what stands, whether that is sure, and whether the mover took a man of his own."""
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
    read = tuple(men_with(course, squares) for squares in dict.fromkeys(ways))
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


def men_with(course: Course, squares: int, position: Position | None = None) -> str:
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
