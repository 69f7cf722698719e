"""Taking another of the 960 start positions when a man goes as he could not by the one taken.

The plies stay what they were, square by square; only who made them is another man. So nothing is
withdrawn, and the record is played again from the other array.
"""

from collections.abc import Sequence
from copy import copy

import chess

from bridge.core.inference.chain import Chain
from bridge.core.inference.course import PAUSE, Course
from bridge.core.inference.gesture import KINGS, supposed_result
from bridge.core.inference.hypotheses import TOGETHER, UNSEEN_CAPTURE, Node, Stage, plies_of
from bridge.core.inference.placement import BIT, occupied
from bridge.core.inference.position import Position
from bridge.core.inference.untold_array import Begun, arrays_with, back_ranks, numbers_of

ARRAYS_AT_ONCE = 4
"""Arrays from which the record is played again at a time."""
MOST_TRIED = 24
"""Arrays that are tried for one placement: mostly the first one explains it ..."""
MOST_TRIED_VAGUELY = 8
"""... and fewer where no man of a back rank has gone, so that only a check may be another one."""
MOST_MATES = 64
"""With more arrays that may be meant it is not asked whether a mate is one by all of them."""
MOST_UNEXPLAINED = 8
"""With more squares that the moves shown leave unexplained, play does not tell of an array."""
MEANWHILE = 10.0
"""So long (s) a rook may be in a hand before his king leaves, or a king before his rook."""


def may_go_on(course: Course) -> bool:
    """Whether the player to move has a legal move by one of the arrays that may be meant.

    It is asked where he has none by the one that is taken.
    """
    if course.array is None:
        return False
    arrays = Begun(course.played).arrays & ~course.excluded
    if arrays.bit_count() > MOST_MATES:
        return True
    return any(_leaves_moves(course.played, number) for number in numbers_of(arrays))


def _leaves_moves(moves: Sequence[chess.Move], number: int) -> bool:
    """Whether *moves* are legal from array *number*, and another one is after them."""
    board = _after(chess.Board.from_chess960_pos(number), moves)
    return board is not None and any(board.generate_legal_moves())


def _after(start: chess.Board, moves: Sequence[chess.Move]) -> chess.Board | None:
    """Return the position after *moves* from *start*; None if they are not legal there."""
    board = start.copy(stack=False)
    for move in moves:
        if not board.is_legal(move):
            return None
        board.push(move)
    return board


def begin_from(course: Course, board: chess.Board) -> bool:
    """Let the record have begun from *board*, which is told; false if it is not legal from there.

    What is shown is looked at anew with the next thing that happens.
    """
    plies = None if course.array is None else played_again(course, board)
    if plies is None:
        return False
    course.play_again(plies, board, chain_from(course, plies[-1]))
    return True


def find_array(course: Course, at: float) -> bool | None:
    """Take another array if that explains the board; None if there is nothing to find.

    True: one was taken, so that all is to be looked at anew. False: it is still looked for.
    """
    if course.array is None or not _is_asked(course, at):
        return None
    if course.tried.arrays is None:
        begun = Begun(course.played)
        course.tried.arrays = _with_kings_that_came(course, begun) or _likeliest(course, begun)
    for _ in range(ARRAYS_AT_ONCE):
        if not course.tried.arrays:
            return None
        number = course.tried.arrays.pop()
        board = chess.Board.from_chess960_pos(number)
        plies = played_again(course, board)
        if plies is None:
            course.exclude(number)
            continue
        chain = chain_from(course, plies[-1])
        if _shows_result(course, chain) or _explains_more(course, chain):
            course.play_again(plies, board, chain, array=number)
            return True
    course.due(at + PAUSE, at)
    return False


def _is_asked(course: Course, at: float) -> bool:
    """Whether men stand as they cannot by the array that is taken, and long enough for a move."""
    chain, sight = course.chain, course.sight
    if chain.match == 0 or course.tried.arrays == []:
        return False
    if chain.match is not None and not _is_doubtful(course):
        return False
    if any(node.basis == "stands" for node in plies_of(course.story.head, None)):
        return False
    standing = chain.standing
    differs = sight.differs(standing.shown)
    if differs.bit_count() > MOST_UNEXPLAINED:
        return False
    if course.pressed is not None:
        return True
    came = differs & occupied(sight.shown)
    asked = came or chain.match is not None or _were_lifted(course, standing)
    return bool(asked) and course.due(sight.changed_at + course.timing.shown, at)


def _is_doubtful(course: Course) -> bool:
    """Whether the move shown takes a man who was not seen to be taken, while another one was.

    So it is where it can only follow if another man was taken than the record has, and where a man
    went beside another one of his, as one who castles does, who was lifted meanwhile.
    """
    chain = course.chain
    last, settled = chain.shown[-1], chain.head.best
    if last.best.at_ply(settled.ply) is not settled:
        return True
    if _cost(chain) >= UNSEEN_CAPTURE and _were_lifted(course, chain.head) & ~last.best.target:
        return True
    return _may_have_castled(course, last)


def _may_have_castled(course: Course, stage: Stage) -> bool:
    """Whether the man of *stage* went on his first rank, where another one was lifted meanwhile."""
    before, sight, move = stage.best.parent, course.sight, stage.move
    if before is None or move.from_square >> 3 != move.to_square >> 3:
        return False
    board, left = before.position.board, sight.changed[move.from_square]
    home = chess.BB_RANK_1 if board.turn else chess.BB_RANK_8
    own = board.occupied_co[board.turn] & home & occupied(sight.shown)
    again = sight.emptied_since(own, left - MEANWHILE)
    return any(sight.changed[at] > left - TOGETHER for at in chess.scan_forward(again))


def _were_lifted(course: Course, stage: Stage) -> int:
    """Return the squares of men of the player not to move who were away for a moment since."""
    sight, board = course.sight, stage.best.position.board
    theirs = board.occupied_co[not board.turn] & occupied(sight.shown)
    return sight.emptied_since(theirs, stage.since)


def _with_kings_that_came(course: Course, begun: Begun) -> list[int]:
    """Return the arrays whose kings began where nobody stands, as two men came to the centre."""
    sight = course.sight
    empty = chess.BB_ALL & ~occupied(sight.shown)
    came = sight.changed_since(chess.BB_CENTER & ~empty, course.chain.head.since)
    if came.bit_count() < KINGS:
        return []
    arrays = 0
    for file in range(8):
        squares = [at for at, home in begun.homes.items() if home.file == file]
        if len(squares) == KINGS and all(BIT[at] & (empty | chess.BB_CENTER) for at in squares):
            arrays |= begun.arrays & arrays_with(file, frozenset("K"))
    return _most_like_it_last(course, arrays)


def _likeliest(course: Course, begun: Begun) -> list[int]:
    """Return the arrays that may explain the board, the likeliest the last.

    Where somebody came to a first rank, they are those in which a king has left it. Else they are
    the most like the one that is taken, but for the king if nobody of a back rank went who may not
    have: then it is his check that forbids what was played.
    """
    sight = course.sight
    touched = sight.emptied_since(occupied(sight.shown), course.chain.head.since)
    arrays = begun.explaining(course.position, sight.shown, touched)
    castled = arrays & begun.castling(course.position, sight.shown)
    if castled or arrays != begun.arrays:
        likely = _most_like_it_last(course, castled)[-MOST_TRIED:]
        return [*_most_like_it_last(course, arrays & ~castled)[-MOST_TRIED:], *likely]
    home = back_ranks()[course.array or 0].index("K")
    others = arrays & ~arrays_with(home, frozenset("K"))
    return _most_like_it_last(course, others)[-MOST_TRIED_VAGUELY:]


def _most_like_it_last(course: Course, arrays: int) -> list[int]:
    """Return those of *arrays* from which the record may be legal, most like the one taken last."""
    ranks = back_ranks()
    taken, found = ranks[course.array or 0], numbers_of(arrays & ~course.excluded)
    return sorted(found, key=lambda number: -_unlike(ranks[number], taken))


def _unlike(one: str, other: str) -> int:
    return sum(man != its for man, its in zip(one, other, strict=True))


def played_again(course: Course, start: chess.Board) -> list[Node] | None:
    """Return the record from *start*, its root first; None if it is not legal from there."""
    root = _after(start, course.before)
    if root is None or _after(start, course.played) is None:
        return None
    plies = [Node(None, None, Position(root.copy(stack=False), course.position.sensing))]
    plies[0].ply = len(course.before)
    for told in plies_of(course.story.head, None):
        if told.move is not None:
            plies.append(plies[-1].then(told.move).seen_as(told))
    return plies


def chain_from(course: Course, head: Node) -> Chain:
    """Return what the board shows as it looks from *head*, which is the last settled ply.

    The moves that stand are the same, but for the last one if that explains all: it is in doubt.
    """
    now, other = course.chain, copy(course.chain)
    other.head, other.shown = now.head.as_from(head), []
    other.replaced = other.left = None
    for stage in now.shown if now.match is None else now.shown[:-1]:
        before = (other.shown or [other.head])[-1].best
        if not before.position.board.is_legal(stage.move):
            break
        other.shown.append(stage.as_from(before.then(stage.move)))
    other.compare()
    return other


def _shows_result(course: Course, chain: Chain) -> bool:
    """Whether men who may be the kings stand in the centre."""
    position, since = chain.head.best.position, chain.head.since
    stopped = course.clock.state == "stopped"
    return supposed_result(position, chain.sight, since, stopped=stopped) is not None


def _explains_more(course: Course, other: Chain) -> bool:
    """Whether *other* explains more of what is shown, or all by what is likelier."""
    now = course.chain
    if other.match is None:
        return now.match is None and _unexplained(other) < _unexplained(now)
    weak = bool(other.shown) and other.shown[-1].weak
    if now.match is None:
        return not weak or course.pressed is not None
    if weak or not other.shown:
        return False
    castles = _castles(other.shown[-1]) and not _castles(now.shown[-1])
    return _cost(other) < _cost(now) or (castles and _cost(other) <= _cost(now))


def _castles(stage: Stage) -> bool:
    before = stage.best.parent
    return before is not None and before.position.board.is_castling(stage.move)


def _cost(chain: Chain) -> float:
    """Return what has to be believed of the moves shown after the settled position."""
    return chain.shown[-1].best.cost - chain.head.best.cost


def _unexplained(chain: Chain) -> int:
    return chain.sight.differs(chain.standing.shown).bit_count()
