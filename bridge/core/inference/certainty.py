"""How certain the record is: whether a move may be called illegal by it."""

import math
from collections.abc import Iterator
from itertools import islice
from typing import Literal

import chess

from bridge.core.inference.ahead import LAIN_ACROSS
from bridge.core.inference.course import PAUSE, Course
from bridge.core.inference.hypotheses import CLEARLY, Node, plies_back
from bridge.core.inference.placement import BIT, EMPTY, difference, reach
from bridge.core.inference.unpressed import unpressed

PLIES_SURE = 16
"""A move is called illegal only if so many plies were seen well ..."""
PLIES_GUESSED = 1.5
"""... which means that fewer than so many were guessed, each counted less the longer ago it was."""
MOST_DISBELIEVED = 2
"""With more squares that are taken to show something wrong, it may be the record that is wrong."""
MOST_STANDING = 2
"""With so many illegal moves among them that stand, it is the record that is wrong."""
APART = 1.0
"""Nothing that was guessed matters if all other second readings of the game cost so much more."""
ACCUSES = 2.0
"""So much more than all else an illegal move may cost to be told, where men have no names."""
RIVALLED = 2.0
"""Another reading that costs less than this more leaves a record without names in doubt."""

OPEN_TO_PLAY = 2.5
"""What stands is open, where men have no names, while another reading costs less than this more."""
OPEN_VICTIM = 0.3
"""Who was taken is open while another second reading costs less than this more, ..."""
OPEN_UNSEEN = 2.0
"""... and what nobody saw made while one costs less than this more, where men have no names, ..."""
OPEN_NAMED = -1.0
"""... or is the better one by so much where they have."""
SHOWS_UP = 10.0
"""So long (s) a man who was put down unseen has to be seen elsewhere before his move is told ..."""
CALMS_DOWN = 1.5
"""... and the board to show what was settled, where men have names."""


Contradiction = Literal["turn", "men"]
"""What was done was not done in its player's turn, or some men cannot be where they are."""


def is_sure(course: Course) -> bool:
    """Whether the record is certain enough to call a move illegal by it.

    What was read wrongly shows only later, as a move that seems illegal: hardly a ply of late must
    have been read again, unless the whole board has shown the position since. Where men have no
    names, no other reading must be nearly as likely; the second reading of the whole game knows
    best.
    """
    head = course.chain.head
    if sum(ply.basis == "stands" for ply in _lately(head.best)) >= MOST_STANDING:
        return False
    wrong = course.sight.excused & difference(course.sight.shown, head.shown)
    if wrong.bit_count() > MOST_DISBELIEVED:
        return False
    if course.named and not wrong and head.best.rest >= course.timing.still:
        return True
    if course.second.margin >= APART or (not course.named and course.second.accuses >= -ACCUSES):
        return True
    if not course.named and any(rival.cost < head.best.cost + RIVALLED for rival in head.nodes[1:]):
        return False
    guessed = sum(
        1 - age / PLIES_SURE for age, ply in enumerate(_lately(head.best)) if ply.basis == "gap"
    )
    return guessed < PLIES_GUESSED


def is_open(course: Course, ply: int, at: float) -> bool:
    """Whether at time *at* another reading of the settled *ply* is nearly as likely.

    So it may be one of what stands, where it is not seen who was taken, or of the whole game.
    """
    told = course.story.head.at_ply(ply)
    if told.ply != ply:
        return False
    clearly = CLEARLY if course.named else OPEN_TO_PLAY
    if _lead(course, told) < clearly or _is_afterwards(course, ply):
        return True
    if _is_just_guessed(course, told, at) or _is_disturbed(course, told, at):
        return True
    second, least = course.second, _least_margin(course, told)
    if least is None or not second.reads:
        return False
    if course.blind:
        return True
    second.follows(course.story.head)
    if not second.catch_up(at):
        course.due(at + PAUSE, at)
        return not course.named
    return second.margin_of(told) < least


def _is_afterwards(course: Course, ply: int) -> bool:
    """Whether *ply* may be none of the game: nobody has pressed for it, nor for what followed."""
    return ply > course.story.head.ply - unpressed(course)


def _least_margin(course: Course, told: Node) -> float | None:
    """Return by how much the ply must be better than other second readings, None: it need not be.

    It is open what was made while nobody watched and, where men have no names, who was taken, and
    all that is made while somebody is away.
    """
    if told.basis == "gap":
        return OPEN_NAMED if course.named else OPEN_UNSEEN
    if course.named or told.parent is None or told.move is None:
        return None
    open_who = course.away or told.parent.position.board.is_capture(told.move)
    return OPEN_VICTIM if open_who else None


def _is_just_guessed(course: Course, told: Node, at: float) -> bool:
    """Whether the man of *told* is seen nowhere, and may still be put where he is."""
    away = course.named and told.target & course.away
    if not (course.is_guess(told) or away):
        return False
    return not course.due(told.at + SHOWS_UP, at)


def _is_disturbed(course: Course, told: Node, at: float) -> bool:
    """Whether the board has shown something else since *told* was settled; men have names.

    Men that the next player has taken up are nothing else.
    """
    chain, sight = course.chain, course.sight
    if not course.named or course.blind or chain.match is not None:
        return False
    stage = chain.standing
    wrong = sight.differs(stage.shown)
    came = any(sight.shown[square] != EMPTY for square in chess.scan_forward(wrong))
    board = stage.best.position.board
    astray = came or wrong & board.occupied_co[not board.turn]
    return bool(astray) and not course.due(told.at + CALMS_DOWN, at)


def _lead(course: Course, told: Node) -> float:
    """Return by how much the move of *told* is likelier than others, by what was settled last."""
    mine = others = math.inf
    for node in course.chain.head.nodes:
        if node.at_ply(told.ply).move == told.move:
            mine = min(mine, node.cost)
        else:
            others = min(others, node.cost)
    return others - mine if mine < math.inf else -math.inf


def _lately(node: Node) -> Iterator[Node]:
    """Return the last plies up to *node*, the latest first."""
    return islice(plies_back(node), PLIES_SURE)


def contradicts(course: Course, squares: int, tried: chess.Move | None) -> Contradiction | None:
    """Return how *squares*, by which a move would be illegal, tell that the record is wrong.

    *tried*: the move, if a single man made it. If it was put back by now, the record was right; so
    it was if one of several men with names was.
    """
    back = squares & ~difference(course.sight.shown, course.position.shown)
    if course.chain.match == 0 or (course.named and back):
        return None
    left, came = course.sight.left_and_came(squares)
    if _came_as_none_can(course, left, came):
        return "men"
    if tried is not None and (_was_guessed(course, tried) or _is_barred_unseen(course, tried)):
        return "men"
    return "turn" if _was_not_his_turn(course, left, came) else None


def proves(course: Course, squares: int, tried: chess.Move) -> bool:
    """Whether only the man of *tried* went, which no such man ever may, whatever the record says.

    It was seen to stand where it came from, and nothing but these two squares tells of it. If that
    was while nobody watched, moves that lead there else are five plies or more.
    """
    sight, head = course.sight, course.chain.head
    own = BIT[tried.from_square] | BIT[tried.to_square]
    if not course.named or squares != own or own & (sight.excused | sight.blind):
        return False
    if course.chain.missed:
        return course.chain.differs == own and is_sure(course)
    if sight.rested[tried.from_square] < course.timing.verdict:
        return False
    man = head.best.position.board.piece_at(tried.from_square)
    return man is not None and not _may_ever_go(man, tried)


def _may_ever_go(man: chess.Piece, move: chess.Move) -> bool:
    """Whether there is a position in which *man* may make *move*; kings may castle."""
    ranks = (chess.square_rank(move.to_square) - chess.square_rank(move.from_square)) * (
        1 if man.color else -1
    )
    if man.piece_type == chess.KING and ranks == 0:
        return True
    if reach(man.symbol(), move.from_square) & BIT[move.to_square]:
        return True
    same_file = chess.square_file(move.from_square) == chess.square_file(move.to_square)
    return man.piece_type == chess.PAWN and same_file and ranks in (1, 2)


def _was_not_his_turn(course: Course, left: list[int], came: list[int]) -> bool:
    """Whether something was done before it was the mover's turn, or long after he had pressed.

    It belongs to an earlier move, or to a later one. So it is if one man came while nobody watched,
    and another one since: moves between are missing.
    """
    changed, timing, since = course.sight.changed, course.timing, course.chain.head.since
    soon = timing.glance if course.named else timing.still
    unseen = [changed[each] <= course.returned_at + soon for each in came]
    if course.chain.head.best.missed and any(unseen) and not all(unseen):
        return True
    if any(changed[square] <= since + soon for square in came):
        return True
    overlap = -timing.still if course.named else timing.glance
    if any(changed[square] <= since + overlap for square in left):
        return True
    pressed = course.pressed
    if pressed is None or all(changed[each] >= pressed for each in left):
        return False
    turn, shown = course.position.board.turn, course.sight.shown
    # A man with a name may be one who took his.
    mine = [each for each in came if not course.named or shown[each].isupper() == turn]
    return any(changed[each] > pressed + timing.in_hand for each in mine)


def _came_as_none_can(course: Course, left: list[int], came: list[int]) -> bool:
    """Whether a man came where another had long been gone, or before any other left its square.

    The first had left, or was taken; the second is misread. One who goes to the next square may be
    shown on both for a while.
    """
    sight, cells, timing = course.sight, course.position.cells, course.timing
    if any(cells[square] != EMPTY and sight.vacant[square] > timing.in_hand for square in came):
        return True
    gone = [sight.changed[square] for square in left]
    gone += [sight.emptied[square] for square in came if _has_followed_own(course, square)]
    first = min(gone, default=-math.inf)
    near = chess.BB_KING_ATTACKS[left[0]] if len(left) == 1 else 0
    across = timing.gap if course.named else LAIN_ACROSS
    return any(
        sight.changed[square] + (across if near & BIT[square] else timing.still) < first
        for square in came
    )


def _has_followed_own(course: Course, square: chess.Square) -> bool:
    """Whether a man came to *square* when another of his side had left it, as a rook may a king."""
    before, now = course.position.cells[square], course.sight.shown[square]
    left_since = course.sight.emptied[square] > course.chain.head.since
    return course.named and left_since and before.isalpha() and before.isupper() == now.isupper()


def _was_guessed(course: Course, tried: chess.Move) -> bool:
    """Whether the man came to where it started from by its player's last move, which was guessed.

    It may have been held there only, on its way, if it did not stand there for long. One without a
    name that has moved against the rules before is rather a man of another kind.
    """
    last = course.chain.head.best.parent
    if last is None or last.move is None or last.move.to_square != tried.from_square:
        return False
    if course.named and course.sight.rested[tried.from_square] >= course.timing.in_hand:
        return False
    return last.basis == "gap" or (last.basis == "stands" and not course.named)


def _is_barred_unseen(course: Course, tried: chess.Move) -> bool:
    """Whether only men bar the move that are not seen: they may have left."""
    board = course.position.board
    if board.is_legal(tried):
        return False  # what is wrong is another thing
    cleared = board.copy(stack=False)
    for square in chess.scan_forward(course.away & ~board.kings):
        cleared.remove_piece_at(square)
    return cleared.is_legal(tried)
