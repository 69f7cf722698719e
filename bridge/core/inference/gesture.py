"""The result as players show it: both kings on two of the four centre squares.

Any two of these squares touch, so this can never be a position of play and needs no legality
test (alert catalogue, RESULT_BY_KINGS). Both on light squares: White won; both on dark: Black
won; one on each: drawn.
"""

import math
from collections import deque
from typing import NamedTuple

import chess

from bridge.core.inference.course import Course
from bridge.core.inference.findings import ResultShown
from bridge.core.inference.hypotheses import TOGETHER, Node, Stage
from bridge.core.inference.placement import BIT, EMPTY, difference, occupied
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.model import Result

CENTRE = (chess.D5, chess.E4, chess.D4, chess.E5)
KINGS = 2
ELSEWHERE = 3
"""Squares but the kings' and the centre that may show something else while a clock runs, ..."""
ELSEWHERE_UNTIMED = 10
"""... and otherwise; with more, the kings must have come last and the clock have been stopped."""
MOST_PUT = 3
"""With so many men put elsewhere since the clock was stopped the game is looked into."""
_LIGHT = BIT[chess.D5] | BIT[chess.E4]
_DARK = BIT[chess.D4] | BIT[chess.E5]
CENTRE_SQUARES = _LIGHT | _DARK


def shown_result(cells: str) -> Result | None:
    """Return the result that the kings show in *cells*, if they do.

    >>> shown_result("." * 28 + "K" + "." * 6 + "k" + "." * 28)
    '1-0'
    """
    d4, e4, d5, e5 = cells[chess.D4], cells[chess.E4], cells[chess.D5], cells[chess.E5]
    centre = d4 + e4 + d5 + e5
    if "K" not in centre or "k" not in centre:  # asked at every change: the usual answer first
        return None
    if {"K", "k"} == {d5, e4}:
        return "1-0"
    if {"K", "k"} == {d4, e5}:
        return "0-1"
    return "1/2-1/2"


def result_of_two(cells: str) -> Result | None:
    """Return the result that two men alone in the centre show, if these are the kings.

    >>> result_of_two("." * 28 + "x" + "." * 6 + "x" + "." * 28)
    '1-0'
    """
    there = occupied(cells) & CENTRE_SQUARES
    return _told_by(there) if there.bit_count() == KINGS else None


class Shown(NamedTuple):
    """What kings show; ``exchanged``: if one of them was exchanged for another man unseen."""

    result: Result
    exchanged: bool = False


def supposed_result(
    position: Position, sight: Sight, since: float, *, stopped: bool
) -> Shown | None:
    """Return what men in the centre show, if two of them must be the kings.

    For boards that do not know kings from other men: both kings have left their squares and
    men came to stand in the centre after that, and after *since*, when *position* was complete. If
    they are more than two, the kings are followed there. *stopped*: the clock was, so that a king
    that comes there before the other one leaves does not play.
    """
    men = (position.board.king(colour) for colour in chess.COLORS)
    kings = [king for king in men if king is not None]
    there = [king for king in kings if sight.shown[king] != EMPTY]
    if len(kings) < KINGS or any(king not in CENTRE for king in there):
        return None
    arrived = sum(BIT[king] for king in there)
    left = [sight.emptied[k] for k in kings if k not in there or sight.changed[k] > since]
    # A scan may show where a king went before it shows that he left.
    first, last = min(left, default=since) - TOGETHER, max(left, default=since)
    since, standing = max(since, first), 0
    for square in CENTRE:
        if sight.shown[square] != EMPTY:
            standing |= BIT[square]
            if sight.changed[square] > since:
                arrived |= BIT[square]
    if arrived.bit_count() > KINGS:
        arrived = _followed(position, sight.since(since) or [])
    if arrived.bit_count() == KINGS:
        return Shown(_told_by(arrived))
    if arrived.bit_count() != 1 or standing.bit_count() != KINGS:
        return None
    came_after = sight.changed[chess.msb(arrived)] > (first if stopped else last)
    if not came_after or _stands_elsewhere(position, sight, first):  # one of the kings
        return None
    return Shown(_told_by(standing), exchanged=True)


def _stands_elsewhere(position: Position, sight: Sight, since: float) -> bool:
    """Whether a man came to an empty square apart from the centre: it may be a king."""
    strange = sight.differs(position.shown) & ~CENTRE_SQUARES
    return any(
        position.cells[square] == EMPTY and sight.changed[square] > since
        for square in chess.scan_forward(strange)
    )


def _followed(position: Position, trace: list[tuple[float, str]]) -> int:
    """Return where the kings stand in the centre: a hand puts down first what it took up first."""
    before, kings, hand = position.shown, position.board.kings, deque[bool]()
    for _, shown in trace:
        news = difference(shown, before)
        for square in chess.scan_forward(news):
            if shown[square] == EMPTY:
                hand.append(bool(kings & BIT[square]))
                kings &= ~BIT[square]
        for square in chess.scan_forward(news):
            if shown[square] != EMPTY and hand and hand.popleft():
                kings |= BIT[square]
        before = shown
    return kings & CENTRE_SQUARES


def _told_by(arrived: int) -> Result:
    """Return what two kings tell that stand there."""
    return "1-0" if arrived == _LIGHT else "0-1" if arrived == _DARK else "1/2-1/2"


class Signal:
    """Watches one game for the result signal, and since when the kings show the same."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._shown: tuple[Result, float] | None = None  # since when

    def watch(self, at: float) -> bool:
        """Report the result that the kings have shown long enough; true while they show one."""
        course, shown = self._course, self._result_shown()
        if shown is None:
            self._shown = None
            return False
        result = shown.result
        if self._shown is None or self._shown[0] != result or self._is_gone_on(self._shown[1]):
            self._shown = (result, course.sight.changed_at)
        # A king whom nobody saw come may still be in a hand.
        patience = course.timing.gesture * (2 if shown.exchanged else 1)
        if course.due(self._shown[1] + patience, at):
            self._end(result, at)
        return True

    def _is_gone_on(self, since: float) -> bool:
        """Whether another man than the kings was put down somewhere else *since* they stood there.

        Men must have names. The game is looked at then, with its kings in the centre.
        """
        course, sight = self._course, self._course.sight
        there = sight.differs(course.position.shown) & occupied(sight.shown)
        return course.named and any(
            sight.changed[square] > since and sight.shown[square] not in "Kk"
            for square in chess.scan_forward(there)
        )

    @property
    def _is_stopped(self) -> bool:
        return self._course.clock.state == "stopped"

    def _result_shown(self) -> Shown | None:
        chain = self._course.chain
        if self._course.named:
            result = shown_result(chain.sight.shown)
            return None if result is None or self._is_pressed() else Shown(result)
        if self._is_explained() or (self._is_lost() and not self._came_last()):
            return None
        for stage in (chain.head, *chain.shown[:1]):
            shown = supposed_result(
                stage.best.position, chain.sight, stage.since, stopped=self._is_stopped
            )
            if shown is not None:
                is_move = self._is_looked_into() or self._is_pressed_as(stage.best.position)
                return None if is_move else shown
        return None

    def _is_explained(self) -> bool:
        """Whether moves explain the board, and no king that is gone from sight is their last."""
        chain = self._course.chain
        if chain.match is None:
            return False
        return not chain.shown or not (chain.shown[-1].weak and moves_king(chain.shown[-1].best))

    def _is_pressed(self) -> bool:
        """Whether the king that stepped into the centre last was pressed for: it is a move."""
        sight = self._course.sight
        kings = [square for square in CENTRE if sight.shown[square] in "Kk"]
        last = max(kings, key=lambda square: sight.changed[square], default=None)
        if last is None:
            return False
        return self._pressed_since(sight.changed[last], sight.shown[last] == "K")

    def _is_pressed_as(self, position: Position) -> bool:
        """Whether whose turn it is in *position* pressed since the last man came to the centre.

        He made a move then, where men have no names, if the other king had moved there already.
        """
        sight, board = self._course.sight, position.board
        other = board.king(not board.turn)
        if other not in CENTRE or sight.shown[other] == EMPTY:
            return False
        there = occupied(sight.shown) & CENTRE_SQUARES
        return self._pressed_since(sight.last_change(there), board.turn)

    def _pressed_since(self, since: float, colour: chess.Color) -> bool:
        return any(at >= since and who == colour for at, who in self._course.clock.history)

    def _is_lost(self) -> bool:
        """Whether it is not known any more which men are the kings."""
        chain, board = self._course.chain, self._course.position.board
        most = ELSEWHERE if self._course.clock.state == "runs" else ELSEWHERE_UNTIMED
        elsewhere = chain.differs & ~board.kings & ~CENTRE_SQUARES
        return chain.astray > 1 or elsewhere.bit_count() > most

    def _is_looked_into(self) -> bool:
        """Whether men were put on other squares, not in the centre, since the clock was stopped.

        The game is looked into then, and kings who come to the centre are two of many.
        """
        if not self._is_stopped or self._only_kings_moved():
            return False
        (_, before), *later = self._course.sight.shown_from(self._course.clock.stopped_at)
        came: dict[chess.Square, float] = {}
        free, put = ~(occupied(before) | CENTRE_SQUARES), 0
        for at, shown in later:
            for square in chess.scan_forward(difference(shown, before) & free):
                if shown[square] != EMPTY:
                    came[square] = at
                else:  # who only passed is a king on his way
                    put += at >= came.pop(square, at) + self._course.timing.gap
            before = shown
        return put + len(came) >= MOST_PUT

    def _only_kings_moved(self) -> bool:
        """Whether nothing but the centre changed since the first of both kings was taken up."""
        sight, kings = self._course.sight, self._course.position.board.kings
        taken_up = min(sight.emptied[king] for king in chess.scan_forward(kings))
        return sight.last_change(chess.BB_ALL & ~(kings | CENTRE_SQUARES)) < taken_up

    def _came_last(self) -> bool:
        """Whether the clock was stopped, and nobody put another man down since the kings came."""
        if not self._is_stopped:
            return False
        sight = self._course.sight
        came = sorted(sight.changed[square] for square in CENTRE if sight.shown[square] != EMPTY)
        if len(came) < KINGS or max(sight.changed) > came[-1]:
            return False
        return sight.last_change(occupied(sight.shown) & ~CENTRE_SQUARES) <= came[-KINGS]

    def _end(self, result: Result, at: float) -> None:
        """Settle what stood before the kings were moved; take back a step that was the signal's."""
        course, told = self._course, self._course.story.head
        stages = [*filter(None, (self._last_move(), self._stands_again()))]
        stood = next(filter(self._stood_before, stages), None)
        if stood is not None:
            course.chain.shown[:1] = [stood]
            course.settle("end", "it stood before the result was shown", at)
        elif not stages and told.basis == "rest" and enters_centre(told) and self._is_part(told):
            course.story.withdraw("the king's step belongs to the result signal")
        course.story.tell(ResultShown(result))

    def _last_move(self) -> Stage | None:
        """Return the stage before the kings came to the centre, if a move was shown.

        Where the king who moved last shows the result as well, both look like one move of his. A
        man who was pushed meanwhile stood there before.
        """
        chain = self._course.chain
        if not chain.shown:
            return self._made_room()
        before, signal = chain.replaced, chain.shown[0]
        if before is not None and before.best.parent is not signal.best.parent:
            before = None
        if not enters_centre(signal.best) or self._went_on(signal) or self._took(signal):
            pushed = before is not None and before.move == signal.move
            return before if pushed else signal
        if before is None:
            return None
        if enters_centre(before.best) and not self._went_on(before):
            return None
        return before if before.move.from_square == signal.move.from_square else None

    def _went_on(self, stage: Stage) -> bool:
        """Whether the king of *stage* stood in the centre for long, and shows it from elsewhere.

        He had moved there: without a clock long rest is all that settles a move. Where the clock
        was stopped he must have stood there by then.
        """
        course, king = self._course, stage.best.position.shown[stage.square]
        if course.sight.shown[stage.square] == king:
            return False
        if course.clock.state == "stopped":
            return stage.since + course.timing.end <= course.clock.stopped_at
        return course.clock.state == "none" and stage.best.rest >= course.timing.rest

    def _took(self, stage: Stage) -> bool:
        """Whether its king, by name, took a man in the centre, and the other one came much later.

        Who makes room in the centre for the kings puts them there one after the other.
        """
        stood = self._rest_of(stage) >= self._course.timing.end
        return self._course.named and _takes(stage.best) and stood

    def _made_room(self) -> Stage | None:
        """Return the stage whose man was taken off his square in the centre for a king, if any.

        It may be that of the king himself, who had moved there and shows the result from elsewhere.
        """
        chain, sight = self._course.chain, self._course.sight
        stage = chain.replaced
        if not chain.follows_head(stage):
            return None
        if enters_centre(stage.best) and self._went_on(stage):
            return stage
        left, came = stage.move.from_square, stage.square
        is_put_back = sight.shown[left] != EMPTY
        return None if is_put_back or came not in CENTRE or sight.shown[came] == EMPTY else stage

    def _stands_again(self) -> Stage | None:
        """Return the stage that was shown before nothing explained the board, if its man stands.

        If he is the king, he shows the result from elsewhere.
        """
        chain = self._course.chain
        left = chain.left
        if not chain.follows_head(left) or enters_centre(left.best):
            return None
        return left if chain.stands(left) or moves_king(left.best) else None

    def _is_part(self, told: Node) -> bool:
        """Whether the king's step *told* belongs to what the kings show: it was hardly believed."""
        since, timing = math.inf if self._shown is None else self._shown[1], self._course.timing
        return since < told.since + timing.rest + timing.gesture + timing.verdict

    def _stood_before(self, stage: Stage) -> bool:
        course, timing = self._course, self._course.timing
        if stage.since > course.clock.stopped_at:
            return False
        if stage.weak:  # a man is gone: he who has it in his hand puts it down before the kings
            return not course.named and stage.best.rest >= timing.in_hand
        if course.named and self._is_told_with_press(stage):
            return True
        if moves_king(stage.best) and not (course.named and _takes(stage.best)):
            rest, least = self._rest_of_king(stage), timing.end
        else:
            rest, least = self._rest_of(stage), timing.gap
        return rest >= least and not self._may_be_king(stage)

    def _rest_of(self, stage: Stage) -> float:
        """Return how long the man of *stage* stood until the kings were taken up.

        With a name he stood there all the time if he does now, whatever else flickered.
        """
        course, rest, sight = self._course, stage.best.rest, self._course.sight
        if not course.named or course.is_looked_at or not course.chain.stands(stage):
            return rest
        kings = chess.scan_forward(stage.best.position.board.kings)
        taken_up = min((sight.emptied[king] for king in kings), default=stage.since)
        return max(rest, taken_up - stage.since)

    def _rest_of_king(self, stage: Stage) -> float:
        """Return how long the king of *stage* stood there, by name, until he was taken up again.

        The other one may have come to the centre meanwhile.
        """
        course, rest, sight = self._course, stage.best.rest, self._course.sight
        king = stage.best.position.shown[stage.square]
        left = sight.emptied[stage.square] > stage.since and sight.last_man(stage.square) == king
        return max(rest, sight.rested[stage.square]) if course.named and left else rest

    def _is_told_with_press(self, stage: Stage) -> bool:
        """Whether its press was heard as it was told: a late link tells all of that at once."""
        since, mover = stage.since, not stage.best.position.board.turn
        return any(
            since <= at <= since + self._course.timing.scan and who == mover
            for at, who in self._course.clock.history
        )

    def _may_be_king(self, stage: Stage) -> bool:
        """Whether the man that came may be a king: where men have no names, whose king had left."""
        if self._course.named or stage.square not in CENTRE:
            return False
        board, sight = stage.best.position.board, self._course.sight
        king = board.king(not board.turn)
        return king is None or sight.emptied[king] <= stage.since + self._course.timing.gap


def enters_centre(node: Node) -> bool:
    """Whether its move is a king's step onto one of the four centre squares."""
    return moves_king(node) and bool(node.target & CENTRE_SQUARES)


def _takes(node: Node) -> bool:
    """Whether its move takes a man: a king on his way to the centre takes nobody off."""
    if node.move is None or node.parent is None:
        return False
    return node.parent.position.board.is_capture(node.move)


def moves_king(node: Node) -> bool:
    """Whether its move is a king's, castling too."""
    if node.move is None or node.parent is None:
        return False
    return node.parent.position.board.piece_type_at(node.move.from_square) == chess.KING
