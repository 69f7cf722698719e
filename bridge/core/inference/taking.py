"""Taking a reading: play goes on from it, and what it gives up of the record is corrected."""

from itertools import zip_longest

import chess

from bridge.core.inference.ahead import passed
from bridge.core.inference.branch import Reading
from bridge.core.inference.course import Course
from bridge.core.inference.findings import Ambiguous, Gap
from bridge.core.inference.hypotheses import MOST_RIVALS, PLIES_DOUBTED, Node, Stage, plies_of
from bridge.core.inference.legal_order import in_legal_order
from bridge.core.inference.lines import lines_to
from bridge.core.inference.placement import BIT, EMPTY, letter_shown_by
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.inference.story import played
from bridge.core.inference.unseen_man import was_taken_unseen


def take(
    course: Course,
    readings: list[Reading],
    start: Node,
    at: float,
    *,
    complete: bool = False,
    otherwise: bool = False,
) -> bool:
    """Go on from the first of *readings*, whose last move is only a candidate unless *complete*.

    The others agree with it on what is shown and stay possible. *otherwise*: it has come to the
    position of the record by plies that are better than those.
    """
    chain, told = course.chain, course.story.head
    line = plies_of(readings[0].node, start)
    last = _joined(line, start, start if otherwise else told)
    last = in_legal_order(course, start, last)
    if last is told or last.parent is None or _leaves_pawn(course, readings[0].node, start):
        return False
    if course.named and _castles_amiss(course.sight, last, last.parent):
        return False
    head = last if complete else last.parent
    if head is told and chain.shown and chain.shown[0].move == last.move:
        return False
    if head is not told and _undoes_what_stood(course, head):
        return False
    chain.drop()
    _guess(course, readings, last)
    if head is not told:
        _tell_orders(course, last)
        why = "play that followed shows that other moves were made"
        rivals = [] if complete else _rivals(head, readings)
        stage = Stage([head, *rivals], 0, chain.head.since)
        because = "what was shown lately was read again"
        course.move_head(stage, "gap", because, at, more=not complete, why=why)
        return True
    chain.compare()
    if chain.match is None:
        mask = chain.differs & ~course.sight.differs(last.position.shown)
        stage = Stage([last], mask, course.sight.last_change(mask))
        stage.weak = not course.named and mask.bit_count() == 1
        chain.shown = [stage]
    return chain.match is not None


def _undoes_what_stood(course: Course, head: Node) -> bool:
    """Whether a ply that stood long without a clock was another man's by the reading up to *head*.

    If its man is not where he came from, nobody took it back: who goes on with other men looks at
    the game, or plays another one.
    """
    new = next(iter(_new_plies(course, head)), None)
    first = head.ply + 1 if new is None else new.ply
    stood = course.story.head.at_ply(first)
    if stood.ply != first or stood.move is None or stood.basis != "rest":
        return False
    origin = stood.move.from_square
    if course.clock.state != "none" or stood.rest < course.timing.forgotten:
        return False
    same = new is not None and new.move is not None and new.move.from_square == origin
    return not same and course.sight.shown[origin] == EMPTY


def _castles_amiss(sight: Sight, last: Node, before: Node) -> bool:
    """Whether *last* castles, and one of the two men stands on a square of it that is not his."""
    if last.move is None or not before.position.board.is_castling(last.move):
        return False
    wrong = sight.differs(last.position.shown) & before.position.change(last.move)
    return any(
        sight.shown[square] not in (EMPTY, before.position.shown[square])
        for square in chess.scan_forward(wrong)
    )


def _leaves_pawn(course: Course, leaf: Node, start: Node) -> bool:
    """Whether a pawn taken in passing after *start* stands yet: it may have to be told."""
    wrong, shown = course.sight.differs(leaf.position.shown), course.sight.shown
    for _, move, board, _ in played(plies_of(leaf, start)):
        if board.is_en_passant(move):
            square = passed(board, move.to_square)
            pawn = chess.Piece(chess.PAWN, not board.turn).symbol()
            stands = letter_shown_by(pawn, course.position.sensing)
            if BIT[square] & wrong and shown[square] == stands:
                return True
    return False


def _guess(course: Course, readings: list[Reading], last: Node) -> None:
    """Do not expect to see the men that were put down where the board sees nothing.

    Who was taken before anybody saw him may stand elsewhere as well.
    """
    unseen = readings[0].unseen
    course.sight.blindfold(unseen)
    new = _new_plies(course, last)
    for node, following in zip_longest(new, new[1:]):
        if node.parent is None:
            continue
        since = node.parent.since
        taken = following is not None and was_taken_unseen(course, node, following, since)
        if not (node.target & unseen or taken):
            continue
        course.guess(node)
        moves = dict.fromkeys(reading.node.at_ply(node.ply).move for reading in readings)
        board = node.parent.position.board  # to which another reading may have come otherwise
        others = tuple(move for move in moves if move is not None and board.is_legal(move))
        if len(others) > 1:
            course.story.tell(Ambiguous(board, others))


def _tell_orders(course: Course, last: Node) -> None:
    """Name the other orders of moves of one player that came together in one placement."""
    line = _new_plies(course, last)
    changed = course.sight.changed
    moves = tuple(node.move for node in line if node.move is not None)
    together = any(
        abs(changed[one.to_square] - changed[other.to_square]) < course.timing.scan
        for one, other in zip(moves, moves[2:], strict=False)
    )
    if not (course.named and together and len(moves) <= PLIES_DOUBTED) or line[0].parent is None:
        return
    base = line[0].parent.position
    others = [other for other in lines_to(base, last.position.shown, len(moves)) if other != moves]
    if others:
        course.story.tell(Gap(base.board, (moves, *others)))


def _new_plies(course: Course, last: Node) -> list[Node]:
    """Return the plies up to *last* that were not published."""
    told = {id(node) for node in plies_of(course.story.head, None)}
    return [node for node in plies_of(last, None) if id(node) not in told]


def _rivals(head: Node, readings: list[Reading]) -> list[Node]:
    """Return the plies that stay possible beside *head*, the last settled one of the first."""
    rivals = []
    for reading in readings[1:MOST_RIVALS]:
        rival = reading.node.parent
        if rival is not None and agree(rival, head):
            rival.cost = head.cost + reading.cost - readings[0].cost
            rivals.append(rival)
    return rivals


def _joined(line: list[Node], start: Node, told: Node) -> Node:
    """Return the last ply of *line*; what it has come to no otherwise than *told* is kept.

    Which of two ways led to the same position was decided when it was seen.
    """
    known = {node.ply: node for node in plies_of(told, start)}
    last, new = start, line
    here, there = start.position, start.position
    for number, node in enumerate(line, start=1):
        as_told = known.get(node.ply)
        if as_told is None:
            break
        here, there = _next(here, node), _next(there, as_told)
        if here.key == there.key:
            last, new = as_told, line[number:]
    for node in new:
        node.parent = last
        last = node
    return last


def _next(position: Position, node: Node) -> Position:
    """Return the position after *node*, which is a ply after *position*."""
    if node.kept is not None or node.move is None:
        return node.position
    return position.after(node.move)


def agree(one: Node, other: Node) -> bool:
    """Whether two readings end at the same ply with the same board in sight."""
    return one.ply == other.ply and one.position.shown == other.position.shown
