"""Moves that are put right late, as the position before stands again: illegal ones, or called off.

The position immediately before the irregularity is put up again whenever it is found (Laws, 7.5.1).
Where it was not told, the stopped clock and the men who are put back show that there was one.
"""

from itertools import islice
from typing import NamedTuple

import chess

from bridge.core.inference.course import Course
from bridge.core.inference.findings import Explained
from bridge.core.inference.hypotheses import Node, plies_back
from bridge.core.inference.placement import difference, occupied

MOST_UNDONE_LATE = 4
"""So many plies, from an illegal move on, may be taken back together."""
MOST_PUT_BACK = 2
"""So many others: one of each player."""


def restore(course: Course, at: float) -> bool:
    """Go back to the position before an illegal move that was played on, or before the last one.

    While the clock is stopped nothing tells it from men moved back after the game; what was done
    then is no play if the clock is started again for who has to move from there.
    """
    clock = course.clock
    if course.chain.missed or clock.state == "stopped":
        return False
    stood = _was_done_as_it_stood(course)
    if course.chain.match is not None and not stood:
        return False
    back = _to_go_back_to(course)
    if back is None or (stood and clock.turn != back.node.position.board.turn):
        return False
    if not course.due(course.sight.changed_at + _patience(course, back.node), at):
        return False
    course.go_back(back.node, back.why, unsure=back.unsure)
    course.story.tell(Explained())
    return True


def _patience(course: Course, before: Node) -> float:
    """Return how long the position of *before* must stand, or with a man away who was taken up."""
    timing = course.timing
    if course.sight.differs(before.position.shown):
        return timing.still
    return timing.correction if is_given_back_late(course) else timing.gap


class _Back(NamedTuple):
    """The ply whose position was put up again, why, and whether that is ``unsure``."""

    node: Node
    why: str
    unsure: bool = False


def _to_go_back_to(course: Course) -> _Back | None:
    """Return to which ply play goes back, if the position of any was put up again."""
    if (before := _before_illegal(course)) is not None:
        return _Back(before, "the position before the illegal move was put up again")
    if (before := _before_last(course)) is not None:
        several = before.ply < course.story.head.ply - 1
        return _Back(before, "it was taken back while the clock was stopped", unsure=several)
    if (before := _given_back(course)) is not None:
        why = "its man was put back, and the opponent gave the move back by the clock"
        return _Back(before, why, unsure=True)
    return _taken_back_unpressed(course)


def _was_done_as_it_stood(course: Course) -> bool:
    """Whether the clock was stopped before all moves that are shown, and started after them."""
    clock, shown = course.clock, course.chain.shown
    if not shown or clock.state != "runs" or clock.started_at <= course.sight.changed_at:
        return False
    return all(clock.stood_from < stage.since for stage in shown)


def _before_illegal(course: Course) -> Node | None:
    """Return the ply before an illegal move of late that stands in the record, if it is shown.

    Not so where a game began: men are put there for the next one as well.
    """
    head = course.story.head
    for node in plies_back(head):
        before = node.parent
        if before is None or before.parent is None or node.ply <= head.ply - MOST_UNDONE_LATE:
            return None
        if node.basis == "stands" and not course.sight.differs(before.position.shown):
            return before
    return None


def _before_last(course: Course) -> Node | None:
    """Return the ply before the last one or two, if taken back while the clock was stopped.

    Who starts the clock again may do so while the last man is on his way back.
    """
    clock, sight, last = course.clock, course.sight, course.story.head
    latest = clock.started_at + course.timing.verdict
    if not last.at < clock.stood_from < sight.changed_at < latest:
        return None
    if sight.emptied[chess.lsb(last.target)] >= clock.started_at:
        return None
    lately = islice(plies_back(last), MOST_PUT_BACK)
    return next(filter(None, (_put_up_again(course, node) for node in lately)), None)


def _given_back(course: Course) -> Node | None:
    """Return the ply before the last one, if the opponent gave that back by a press of his.

    He has pressed since, without a move, and its man was put back before or at once.
    """
    clock, last = course.clock, course.story.head
    if clock.state != "runs" or last.pressed is None or not clock.history:
        return None
    pressed, colour = clock.history[-1]
    if colour != last.position.board.turn or pressed <= max(last.at, last.pressed):
        return None
    at_once = course.sight.emptied[chess.lsb(last.target)] <= pressed + course.timing.correction
    if not at_once:
        return None
    return _put_up_again(course, last) or _taken_up_since(course, last)


def _taken_up_since(course: Course, last: Node) -> Node | None:
    """Return the ply before *last* if its position stood, and its player took up another man since.

    He does not press for the one whom he put back, which is no move then.
    """
    before, sight = _to_move_again(course, last), course.sight
    if before is None:
        return None
    board, gone = before.position.board, sight.differs(before.position.shown)
    own = gone & board.occupied_co[board.turn] & ~occupied(sight.shown)
    if gone != own or gone.bit_count() != 1:
        return None
    put_back = sight.last_change(difference(last.position.shown, before.position.shown))
    return before if sight.emptied[chess.lsb(gone)] >= put_back + course.timing.gap else None


def is_given_back_late(course: Course) -> bool:
    """Whether the last move may be given back whose man was put back after the opponent's press.

    If his player presses soon, it was a move of his: the answer to one that is told late.
    """
    last = course.story.head
    if _given_back(course) is None or last.parent is None:
        return False
    squares = difference(last.position.shown, last.parent.position.shown)
    return course.sight.last_change(squares) > course.clock.history[-1][0]


def _taken_back_unpressed(course: Course) -> _Back | None:
    """Return to the last ply that was pressed for, if its position is shown again.

    The clock runs on since for who is to move then, so that nothing was completed: men were tried,
    or were knocked over and put up. Each had stood for long, so that no press was missed.
    """
    clock, sight = course.clock, course.sight
    if not course.named or clock.state != "runs":
        return None
    for node in islice(plies_back(course.story.head), MOST_PUT_BACK):
        before = node.parent
        if before is None or node.pressed is not None or clock.turned_at > node.since:
            return None
        if sight.emptied[chess.lsb(node.target)] < node.since + course.timing.in_hand:
            return None
        if before.pressed is not None:
            why = "nobody pressed for it, and its men were put back"
            return _Back(before, why, unsure=True) if _put_up_again(course, node) else None
    return None


def _put_up_again(course: Course, last: Node) -> Node | None:
    """Return the ply before *last* if its position is shown, and its player has to move again."""
    before = _to_move_again(course, last)
    return None if before is None or course.sight.differs(before.position.shown) else before


def _to_move_again(course: Course, last: Node) -> Node | None:
    """Return the ply before *last* if the clock runs for its player again.

    Not so where a game began: men are put there for the next one as well.
    """
    before = last.parent
    if before is None or before.parent is None:
        return None
    return before if course.clock.turn == before.position.board.turn else None
