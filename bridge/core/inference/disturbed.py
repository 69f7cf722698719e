"""Moves beside squares that show something wrong: men away, misread, or on dead squares.

Such squares are not believed from then on, until they change. What may be looked past is little
at first, and more when the clock was pressed: a legal move must then be there, or an illegal one.
"""

from itertools import islice

import chess

from bridge.core.inference.ahead import side_of
from bridge.core.inference.census import misread_at_home
from bridge.core.inference.completion import has_castled, has_castled_amiss, pushed_beside
from bridge.core.inference.course import Course
from bridge.core.inference.doubting import doubt, doubt_again
from bridge.core.inference.hands import in_hand, took_own
from bridge.core.inference.hypotheses import (
    CLEARLY,
    PLIES_DOUBTED,
    Node,
    Stage,
    likeliest,
    plies_back,
)
from bridge.core.inference.lines import lines_beside
from bridge.core.inference.noise import Noisy, noisy_moves
from bridge.core.inference.patience import is_called_off, verdict_at
from bridge.core.inference.placement import (
    BIT,
    EMPTY,
    Change,
    difference,
    occupied,
    reach,
    with_changes,
)
from bridge.core.inference.position import Position
from bridge.core.inference.unseen_man import take_unseen_man

TOLERATED = 5.5
"""What wrong squares beside a move that stands may cost."""
OVERLOOKED = 7.0
"""Wrong squares that cost more are less likely than an illegal move, once the clock was pressed."""

# -- before anything is pressed --------------------------------------------------------------------


def has_more_than_away(course: Course) -> bool:
    """Whether the board tells more than that men are away, so that something may be tolerated.

    As long as men are only in hands, nothing shows a move beside them.
    """
    chain, sight = course.chain, course.sight
    strangers = chain.differs & occupied(sight.shown)
    return bool(strangers or sight.excused or chain.shown or course.dispute.told)


def tolerate(course: Course, tried: int, at: float) -> bool:
    """Look past wrong squares for the time after *tried* others on this placement.

    It is done twice: soon, and when the placement has rested; never to what was told to be illegal.
    """
    if course.tried.tolerated > tried or course.dispute.judged == course.sight.shown:
        return False
    course.tried.tolerated = tried + 1
    if _look_past_others(course, at) or _look_past_pushed(course) or _look_past_gone(course):
        return True
    if any(course.chain.stands(stage) for stage in course.chain.shown):
        return False
    if course.named and not has_more_than_away(course):
        return False
    noisy = _clearest(course, course.chain.head, TOLERATED)
    if not noisy or not _is_shown_beside(course, noisy[0], at):
        return False
    if _is_being_answered(course, noisy[0]):
        return False
    if _have_exchanged(course, noisy[0]):
        return doubt(course, at)
    _take(course, noisy)
    return True


def _is_being_answered(course: Course, noisy: Noisy) -> bool:
    """Whether men away beside the move are taker and victim of a reply, which is on its way."""
    board = noisy.node.position.after(noisy.move).board
    away = noisy.wrong & ~occupied(course.sight.shown)
    own, theirs = board.occupied_co[board.turn] & away, board.occupied_co[not board.turn] & away
    return any(board.generate_legal_moves(own, theirs))


def _have_exchanged(course: Course, noisy: Noisy) -> bool:
    """Whether men of both players that are away may have met on some square since the last move.

    One went there and the other took him, or one took the other, or what stood there.
    """
    board, sight, since = noisy.node.position.board, course.sight, course.chain.head.since
    filled = occupied(sight.shown)
    away = sight.emptied_since(noisy.wrong & ~filled, since)
    own, theirs = (away & board.occupied_co[side] for side in (board.turn, not board.turn))
    if not own or not theirs:
        return False
    met = sight.emptied_since(filled, since) | BIT[noisy.move.to_square]
    if not course.named:
        met |= board.occupied_co[not board.turn] & filled
    return any(
        board.attackers_mask(not board.turn, move.to_square) & theirs
        for move in board.generate_legal_moves(own, met)
    )


def _look_past_others(course: Course, at: float) -> bool:
    """Look past men that were away, or misread, before the move was made or for some time.

    Not while two men have gone elsewhere: the one in the hand is perhaps put right.
    """
    chain, sight = course.chain, course.sight
    if course.dispute.is_of_two:
        return False
    for stage in reversed(chain.shown):
        wrong = sight.differs(stage.shown)
        if stage.weak and not course.named:
            continue
        if wrong & stage.mask or not _is_old(course, wrong, stage.since, at):
            continue
        if _only_away_or_misread(course, stage, wrong):
            sight.excuse(wrong)
            chain.compare()
            return True
    return False


def _look_past_pushed(course: Course) -> bool:
    """Look past men who stand on the squares beside theirs since before the last move was made.

    They were pushed there, unless the record has put them where they belong lately, or they may
    have gone there by a move that it lacks. Men must have names.
    """
    chain, sight, since = course.chain, course.sight, course.chain.head.since
    cells = course.position.cells
    if not course.named:
        return False
    lately = [ply.target for ply in islice(plies_back(course.story.head), PLIES_DOUBTED)]
    pushed, told = 0, list[Change]()
    for home, square in pushed_beside(course, chain.differs):
        if BIT[home] in lately or _goes(cells[home], home, square):
            continue
        if max(sight.changed[home], sight.changed[square]) < since:
            pushed |= BIT[home] | BIT[square]
            told += [(home, cells[home]), (square, EMPTY)]
    shown = with_changes(sight.shown, told)
    if not pushed or not any(
        lines_beside(stage.best.position, shown, plies, sight.excused)
        for stage in (chain.head, *chain.shown[:1])
        for plies in (0, 1)
    ):
        return False
    sight.excuse(pushed)
    chain.compare()
    return chain.match is not None


def _goes(man: str, home: chess.Square, square: chess.Square) -> bool:
    """Whether *man* goes from *home* to the empty *square* beside it by a move."""
    if man in "Pp":
        return square - home == (8 if man == "P" else -8)
    return bool(reach(man, home) & BIT[square])


def _look_past_gone(course: Course) -> bool:
    """Look past men who were away when a move was called illegal, now that its man is put back."""
    dispute, gone = course.dispute, course.chain.differs
    if not dispute.told or course.chain.mine or gone & course.position.board.kings:
        return False
    if dispute.move is not None and gone & dispute.move.mask:
        return False  # its victim
    if any(dispute.judged[square] != EMPTY for square in chess.scan_forward(gone)):
        return False
    if gone & occupied(course.sight.shown):
        return False
    course.sight.excuse(gone)
    course.chain.compare()
    return course.chain.match is not None


def _is_old(course: Course, wrong: int, since: float, at: float) -> bool:
    last = course.sight.last_change(wrong)
    return last < since or course.due(last + course.timing.gap, at)


def _only_away_or_misread(course: Course, stage: Stage, wrong: int) -> bool:
    position = stage.best.position
    next_in_hand = position.lifted(course.sight.shown, wrong, position.board.turn)
    if wrong & position.board.kings or next_in_hand or _is_taken_on(course, position, wrong):
        return False
    return all(position.cells[square] != EMPTY for square in chess.scan_forward(wrong))


def _is_taken_on(course: Course, position: Position, wrong: int) -> bool:
    """Whether a man stands on a square of *wrong* from which one of the other colour was taken."""
    sides, sight = position.board.occupied_co, course.sight
    left = sight.emptied_since(wrong, course.chain.head.since)
    return course.named and any(
        side_of(left & sides[not colour], position, sight.shown, colour) for colour in chess.COLORS
    )


def _is_shown_beside(course: Course, noisy: Noisy, at: float) -> bool:
    """Whether the squares of the move show it, and the wrong ones are not part of it."""
    own, sight = noisy.node.position.change(noisy.move), course.sight
    came = any(sight.shown[square] != EMPTY for square in chess.scan_forward(own))
    away = any(sight.shown[square] == EMPTY for square in chess.scan_forward(noisy.wrong & own))
    if not came or away:
        return False
    return _is_old(course, noisy.wrong & ~own, sight.last_change(own), at)


def move_beside(course: Course, stage: Stage, at: float) -> Stage | None:
    """Return the stage one ply after *stage* that shows beside wrong squares, and excuse them."""
    if not course.due(course.sight.changed_at + course.timing.gap, at):
        return None
    noisy = _clearest(course, stage, TOLERATED)
    if not noisy or not _is_shown_beside(course, noisy[0], at):
        return None
    course.sight.excuse(noisy[0].wrong)
    return _stage_of(course, noisy)


# -- after the press -------------------------------------------------------------------------------


def overlook(course: Course, at: float) -> bool:
    """After a press: take a legal move behind wrong squares."""
    pressed = course.pressed
    if pressed is None or course.tried.overlooked:
        return False
    if not course.due(verdict_at(course, pressed), at):
        return False
    # Where men have no names, those who are away for so long by now have rather been taken.
    if not course.named and doubt_again(course, at):
        return True
    course.tried.overlooked = True
    theirs = course.chain.theirs
    head = course.chain.head
    noisy = _clearest(course, head, OVERLOOKED) or _clearest(
        course, head, OVERLOOKED, beside=theirs
    )
    if not noisy:
        return _may_stand_unseen(course) and take_unseen_man(course, at)
    unseen = noisy[0].wrong & BIT[noisy[0].move.to_square]
    if course.dispute.told and unseen:
        return False  # what was pressed was seen; now it is put right, and a man is away
    if unseen & course.sight.alive and not course.named and is_called_off(course):
        return False  # the square shows men, and nobody played on
    if _stood_as_pressed(course, pressed, noisy[0].move) or _has_moved_twice(course, noisy[0]):
        return False
    _take(course, noisy)
    return course.settle("press", "the clock was pressed; some squares show wrong", at)


def look_past_misread(course: Course) -> bool:
    """Do not believe men who must be read as others where they stood; whether to look anew.

    As long as nobody has pressed, one who came before his own square was empty looks the same.
    """
    chain, sight = course.chain, course.sight
    if not course.named or course.pressed is None:
        return False
    wrong = misread_at_home(chain.head.shown, sight.shown) & sight.differs(chain.head.shown)
    if not wrong:
        return False
    sight.excuse(wrong)
    chain.compare()
    return True


def _has_moved_twice(course: Course, noisy: Noisy) -> bool:
    """Whether the mover made another move after his: who is knocked over goes nowhere so.

    Men must have names.
    """
    if not course.named:
        return False
    sight, before = course.sight, noisy.node.position
    after = before.after(noisy.move)
    since = sight.last_change(before.change(noisy.move))
    later = sight.changed_since(difference(sight.shown, after.shown), since)
    left, came = sight.left_and_came(later)
    if len(left) != 1 or len(came) != 1:
        return False
    (home,), (square,) = left, came
    mine = before.board.occupied_co[before.board.turn] & BIT[home]
    same = after.cells[home] == sight.shown[square]
    return bool(mine) and same and chess.square_distance(home, square) > 1


def _stood_as_pressed(course: Course, pressed: float, other: chess.Move) -> bool:
    """Whether a move with a name stands since before the press, so that no *other* one was made.

    It may be half of the other one: the rook's part of castling.
    """
    shown = course.chain.shown
    if not course.named or not shown or shown[0].weak or shown[0].move == other:
        return False
    if not shown[0].mask & ~course.position.change(other):
        return False
    return shown[0].since + course.timing.still <= pressed and course.chain.stands(shown[0])


def _may_stand_unseen(course: Course) -> bool:
    """Whether the mover may have put the man down that is seen nowhere."""
    if not course.named or course.dispute.told:
        return False
    return in_hand(course) and took_own(course) is None


# -- both ------------------------------------------------------------------------------------------


def _clearest(course: Course, stage: Stage, most: float, *, beside: int = 0) -> list[Noisy]:
    """Return the move from *stage* that costs the least to believe, if it is clearly the best.

    Those that look the same on a board without names follow it. Squares of *beside* may show
    anything. What looks like castling that is not legal is no noise, nor is a man who may have
    moved while nobody watched.
    """
    if stage is course.chain.head and _has_castled_illegally(course):
        return []
    found = noisy_moves(stage, course.sight, beside)
    if not found or found[0].cost > most or _has_moved_unseen(course, found[0]):
        return []
    same = [noisy for noisy in found if noisy is found[0] or _look_same(noisy, found[0])]
    other = next((noisy for noisy in found if noisy not in same), None)
    return [] if other is not None and other.cost < found[0].cost + CLEARLY else same


def _has_castled_illegally(course: Course) -> bool:
    """Whether king and rook went as in castling, and no castling is legal that they show."""
    if not (has_castled(course) or has_castled_amiss(course)):
        return False
    position, differs = course.position, course.chain.differs
    legal = position.board.generate_castling_moves()
    return all(position.change(move) & ~differs for move in legal)


def _has_moved_unseen(course: Course, noisy: Noisy) -> bool:
    """Whether a man beside the move may have gone where he stands by one made while nobody watched.

    He was hardly knocked there. Men must have names.
    """
    if not (course.named and course.chain.missed):
        return False
    shown, after = course.sight.shown, noisy.node.position.after(noisy.move)
    left, came = course.sight.left_and_came(noisy.wrong)
    return any(
        after.cells[home] == shown[square] and reach(shown[square], home) & BIT[square]
        for home in left
        for square in came
    )


def _look_same(one: Noisy, other: Noisy) -> bool:
    """Whether a board without names shows the same of two moves, and as wrong."""
    if one.wrong != other.wrong or one.node.position.sensing == "identity":
        return False
    return one.node.position.change(one.move) == other.node.position.change(other.move)


def _take(course: Course, noisy: list[Noisy]) -> None:
    """Take the move for what the board shows, and do not believe what is wrong for it."""
    stage, wrong = _stage_of(course, noisy), noisy[0].wrong
    own = wrong & noisy[0].node.position.change(noisy[0].move)
    course.sight.excuse(own)
    if not _is_reply(course, stage, wrong & ~own):
        course.sight.excuse(wrong)
    course.chain.take(stage)


def _is_reply(course: Course, stage: Stage, wrong: int) -> bool:
    """Whether the squares that seemed *wrong* show the reply to *stage*, where men have names."""
    sight = course.sight
    if not (course.named and wrong) or sight.last_change(wrong) < stage.since:
        return False
    return bool(stage.best.position.moves_shown(sight.shown, wrong, sight.excused))


def _stage_of(course: Course, noisy: list[Noisy]) -> Stage:
    nodes = likeliest([_node_of(each) for each in noisy])
    mask = noisy[0].node.position.change(noisy[0].move) & ~noisy[0].wrong
    return Stage(nodes, mask, course.sight.last_change(mask))


def _node_of(noisy: Noisy) -> Node:
    node = noisy.node.then(noisy.move)
    node.cost = noisy.cost
    return node
