"""Which reading of what was shown lately takes the place of the record.

That is the one that explains it best, if it is clearly better; each published ply that it gives up
counts against it.
"""

import math
from collections.abc import Callable

import chess

from bridge.core.inference.branch import Reading
from bridge.core.inference.completion import gone_by, lone_move, moved_together, second_man
from bridge.core.inference.course import Course
from bridge.core.inference.elsewhere import went_elsewhere
from bridge.core.inference.hypotheses import CLEARLY, Node, parting, plies_of
from bridge.core.inference.in_common import take_common
from bridge.core.inference.placement import BIT, difference, occupied
from bridge.core.inference.rereading import giving_up
from bridge.core.inference.retracing import Retracing
from bridge.core.inference.taking import agree, take

MOST_GUESSED = 2
"""Squares of which one is guessed, if a man was put down where the board sees nothing."""
UNPRESSED = 4.0
"""A press was seen for which a reading has no move."""
ANSWERED_UNPRESSED = 2.0
"""A ply was answered before it was pressed, as the clock told that was read after the answer."""
NOT_PRESSED_YET = 1.2
"""Its last move was not pressed: the clock runs for who made it."""
ACROSS = 1.0
"""What giving up a ply costs at most whose man lay across an edge and stands on the next square."""
LATER = 1.0
"""What it costs that a ply was made later than told, after others that were not seen."""
SHARE_UNNAMED = 0.5
"""What giving up a ply costs where men have no names, of what it costs elsewhere."""
UNBELIEVABLE = 45.0
"""If even the best reading costs so much, it was no play that was shown."""
MOST_WRONG = 3
"""So it is if more squares show something else than it says: men are cleared away, or put up."""


def weigh(course: Course, retracing: Retracing, at: float) -> None:
    """Take the reading of *retracing* that explains best what was shown, if one is clearly best.

    If none is, take the plies that all of those have in common that may be right.
    """
    start = retracing.start
    readings = _as_told(course, retracing.readings(), start, at)
    readings.sort(key=lambda reading: reading.cost)
    readings = [each for each in readings if not _is_pressed_worse(course, each, readings, start)]
    if _is_no_play(course, readings[0]) or _leaves_move(course, readings[0]):
        return
    same = clearest(readings, CLEARLY)
    if not same:
        same = _guessed(clearest(readings, CLEARLY, _agree_on_seen), course.sight.alive)
    if not same:
        take_common(course, readings, start, at)
        return
    if same[0].node.ply <= start.ply or _ends_unseen(same[0]):
        return
    went = went_elsewhere(course, same[0], start)
    if went is None:
        return
    take(course, [went, *same[1:]], start, at)
    course.tried.retraced = True  # another beginning must not undo it


def _is_no_play(course: Course, best: Reading) -> bool:
    """Whether even the *best* reading leaves so much unexplained that no moves were shown.

    Where it goes on from the record, and explains all that is shown, it may have cost what it will.
    """
    wrong, head = course.sight.differs(best.node.position.shown), course.story.head
    if not wrong and best.node.ply > head.ply and parting(best.node, head) is head:
        return False
    return best.cost >= UNBELIEVABLE or wrong.bit_count() > MOST_WRONG


def _is_pressed_worse(course: Course, reading: Reading, others: list[Reading], start: Node) -> bool:
    """Whether another one comes to the same board by plies that agree better with the presses.

    It costs hardly more then.
    """
    return any(
        each.cost < reading.cost + CLEARLY
        and is_pressed_better(course, each.node, reading.node, start)
        for each in others
    )


def is_pressed_better(course: Course, node: Node, other: Node, start: Node) -> bool:
    """Whether *node* comes to the board of *other* by plies that agree better with the presses.

    Both have the same plies up to *start*. Where there is no clock nothing tells that of men who
    have names; of others fewer plies are the likelier.
    """
    if course.named and course.clock.state == "none":
        return False
    if node.position.shown != other.position.shown:
        return False
    pressed = sum(at > start.since and colour is not None for at, colour in course.clock.history)
    return abs(node.ply - start.ply - pressed) < abs(other.ply - start.ply - pressed)


def _leaves_move(course: Course, reading: Reading) -> bool:
    """Whether a man went somewhere by the press that *reading* does not have there.

    Where nobody presses, two of the mover's men that went elsewhere have done so together.
    """
    wrong = course.sight.differs(reading.node.position.shown)
    if wrong & second_man(course):
        return True
    if course.pressed is None:
        return course.named and bool(wrong & moved_together(course))
    move = gone_by(course, course.pressed) or _gone_beside(course, course.pressed)
    return move is not None and bool(wrong & (BIT[move.from_square] | BIT[move.to_square]))


def _gone_beside(course: Course, pressed: float) -> chess.Move | None:
    """Return from where to where the mover's man went by the press while others were away."""
    mine, shown = course.chain.mine, occupied(course.sight.shown)
    others_came = course.chain.differs & ~mine & shown
    return None if others_came or not course.named else lone_move(course, mine, pressed)


def _ends_unseen(reading: Reading) -> bool:
    """Whether nothing was shown since its last man was put down unseen: it may be in the air."""
    return bool(reading.node.target & reading.unseen)


def _agree_on_board(one: Reading, other: Reading) -> bool:
    return agree(one.node, other.node)


def clearest(
    readings: list[Reading],
    by: float,
    alike: Callable[[Reading, Reading], bool] = _agree_on_board,
) -> list[Reading]:
    """Return the first of *readings* and those *alike*, if all others cost more *by* so much.

    Where nothing else is asked, those are alike that end with the same board in sight.
    """
    best = readings[0]
    same = [reading for reading in readings if alike(reading, best)]
    other = min((each.cost for each in readings if each not in same), default=math.inf)
    return [] if other < best.cost + by else same


def _guessed(readings: list[Reading], alive: int) -> list[Reading]:
    """Return *readings* that differ in where a man stands unseen, the likeliest first.

    None, if that is anybody's guess.
    """
    readings = sorted(readings, key=lambda reading: bool(reading.unseen & alive))
    likely = [each for each in readings if not each.unseen & alive] or readings
    best = min((each.cost for each in likely), default=0.0)
    likely = [each for each in likely if each.cost < best + CLEARLY]
    return readings if len({each.unseen for each in likely}) <= MOST_GUESSED else []


def _agree_on_seen(one: Reading, other: Reading) -> bool:
    """Whether two readings end at the same ply with the same board, apart from men not seen."""
    shown, unseen = one.node.position.shown, one.unseen | other.unseen
    there = other.node.position.shown
    return one.node.ply == other.node.ply and not difference(shown, there) & ~unseen


def _as_told(course: Course, readings: list[Reading], start: Node, at: float) -> list[Reading]:
    """Let readings pay for the published plies that they give up.

    Where men have no names, the same squares may be another man's move after that.
    """
    told = plies_of(course.story.head, start)
    share = 1.0 if course.named else SHARE_UNNAMED
    weighed = []
    for node, cost, unseen in readings:
        line = [each.move for each in plies_of(node, start)]
        parted = False
        for number, ply in enumerate(told):
            move = line[number] if number < len(line) else None
            if move == ply.move and (course.named or not parted):
                continue
            parted = True
            later = course.named and ply.move in line[number + 2 :: 2]
            cost += LATER if later else share * _giving_up(course, ply, move, at)
        cost += UNPRESSED * max(0, _pressed_plies(course) - node.ply)
        cost += ANSWERED_UNPRESSED * _answered_unpressed(course, node)
        if not course.named and course.clock.turn not in (None, node.position.board.turn):
            cost += NOT_PRESSED_YET
        weighed.append(Reading(node, cost, unseen))
    return weighed


def _answered_unpressed(course: Course, leaf: Node) -> int:
    """Return how many plies up to *leaf* answer one that was not pressed: the clock had run on."""
    clock, line = course.clock, plies_of(leaf, course.story.head)
    if not line or clock.state != "runs" or clock.turn != course.position.board.turn:
        return 0
    if max(clock.turned_at, clock.pressed_at) > line[0].since:
        return 0
    return sum(ply.since <= clock.read_at for ply in line[1:])


def _giving_up(course: Course, told: Node, move: chess.Move | None, at: float) -> float:
    """Return what it costs that *told* was another *move*, or not made.

    A man that was shown on both squares when it was told may as well have gone to the other one;
    and one that came there a moment later was on its way.
    """
    sight, timing = course.sight, course.timing
    cost = giving_up(told, timing, at, put_right=False)
    if move is None or told.move is None or move.from_square != told.move.from_square:
        return cost
    one, other = told.move.to_square, move.to_square
    if not course.named or sight.shown[other] != told.position.shown[one]:
        return cost
    came = sight.changed[other]
    if came <= told.at < sight.changed[one] and chess.square_distance(one, other) <= 1:
        return min(cost, ACROSS)
    return min(cost, giving_up(told, timing, came, put_right=True))


def _pressed_plies(course: Course) -> int:
    """Return how many plies the presses that were seen have completed."""
    ply = course.story.head.ply
    if course.answered > course.chain.head.since + course.timing.press_life:
        return ply + 2
    return ply + (course.pressed is not None)
