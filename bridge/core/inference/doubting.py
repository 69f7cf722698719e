"""Doubting the last plies: what was shown lately is gone through once more.

Where nothing that follows from the record explains the board, an earlier decision was perhaps
wrong. The reading that explains best what was shown since then takes its place, if it is clearly
better; each published ply that it gives up counts against it.
"""

import math
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import pairwise, zip_longest
from operator import or_

import chess

from bridge.core.inference.ahead import passed
from bridge.core.inference.branch import Reading
from bridge.core.inference.completion import gone_by, lone_move, moved_together, second_man
from bridge.core.inference.course import PAUSE, Course
from bridge.core.inference.findings import Ambiguous, Gap
from bridge.core.inference.hypotheses import (
    CLEARLY,
    MOST_RIVALS,
    Node,
    Stage,
    parting,
    plies_back,
    plies_of,
)
from bridge.core.inference.legal_order import in_legal_order
from bridge.core.inference.lines import lines_to
from bridge.core.inference.placement import BIT, EMPTY, difference, letter_shown_by, occupied
from bridge.core.inference.position import FEWEST_CHANGES, Position
from bridge.core.inference.put_up import may_be_put_up
from bridge.core.inference.rereading import giving_up
from bridge.core.inference.retracing import MOST_PLACEMENTS, Retracing
from bridge.core.inference.sight import Sight
from bridge.core.inference.story import played
from bridge.core.inference.unseen_man import was_taken_unseen

PLIES_DOUBTED = 4
"""Settled plies from which what was shown lately may be read again."""
MOST_DIFFERING = 20
"""With more squares that show something else than the record, the men are being cleared away."""
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
MOST_UNCOUNTED = 2
"""So many more presses than plies tell that men went and came back."""


def doubt(course: Course, at: float, *, guesses: bool = False) -> bool:
    """Begin to go through what was shown lately once more: :func:`carry_on` does it.

    Plies whose man was put down unseen are doubted only with *guesses*.
    """
    if course.tried.retraced or course.chain.missed:
        return False
    if course.chain.differs.bit_count() > MOST_DIFFERING:
        return False
    if course.sight.is_cleared_since(course.story.head.since, long=course.timing.in_hand):
        return False
    if course.dispute.move is not None and (course.named or course.is_answered):
        return False
    if _is_being_put_right(course):
        return False
    if may_be_put_up(course):
        return False
    course.tried.retraced = True
    start = _earliest(course, guesses=guesses)
    trace = course.sight.since(max(start.since, course.restored_at))
    if trace is None:
        trace = [*course.sight.trace]  # older ones only told that nothing was completed
    trace = _since_it_stood(course, start, trace)
    if trace:
        course.tried.retracing = Retracing(start, trace, at, course.clock.heard, course.sight.dead)
    return bool(trace)


def _since_it_stood(
    course: Course, start: Node, trace: list[tuple[float, str]]
) -> list[tuple[float, str]]:
    """Return *trace* from when the position of *start* was shown last before the next ply was made.

    What was shown before is no play from there: men were put right, or were tried.
    """
    sight, head, shown = course.sight, course.story.head, start.position.shown
    if head.ply == start.ply:
        return trace
    made = head.at_ply(start.ply + 1).since
    stood = (
        number
        for number, (since, men) in enumerate(trace)
        if since < made and not difference(men, shown) & ~sight.excused
    )
    return trace[max(stood, default=0) :]


def _is_being_put_right(course: Course) -> bool:
    """Whether only what was told to be against the rules is shown, or a part of it.

    That is a man's move, or two men's. Whoever pressed since gave the move back.
    """
    dispute = course.dispute
    if not dispute.told:
        return False
    judged = difference(dispute.judged, course.position.shown)
    known = judged.bit_count() == FEWEST_CHANGES or judged == dispute.both
    return known and not course.chain.differs & ~judged


def doubt_again(course: Course, at: float) -> bool:
    """Doubt the last plies once more, now that what stands has rested: what is wrong costs more."""
    if not course.tried.doubted:
        course.tried.doubted, course.tried.retraced = True, False
    return doubt(course, at)


def doubt_uncounted(course: Course, at: float) -> bool:
    """Doubt the last plies if one reading counts more presses than plies were seen since before.

    Men who come back at once in a scramble look as if nobody had moved.
    """
    heard, made = course.clock.presses_at(at), len(course.chain.shown)
    if heard - made < MOST_UNCOUNTED:
        return False
    for node in plies_back(course.story.head):
        if node.pressed is not None and node.pressed < at:
            return heard - made >= MOST_UNCOUNTED and doubt(course, at)
        made += 1
    return False


def doubt_gone(course: Course, at: float) -> bool:
    """Doubt the last plies where men are gone for good, though the record stands.

    Of men of both players one may have taken the other on a square that shows nothing, and one who
    stands elsewhere may have moved.
    """
    sight = course.sight
    if not (course.named and sight.excused) or course.doubted_at >= sight.changed_at:
        return False
    if _are_gone_of_both(course):
        patience = course.timing.verdict
    elif _stands_elsewhere(course):
        patience = course.timing.forgotten
    else:
        return False
    if not course.due(sight.changed_at + patience, at):
        return False
    course.doubted_at = at
    return doubt(course, at, guesses=True)


def _are_gone_of_both(course: Course) -> bool:
    gone = course.away & ~course.sight.blind
    return all(gone & men for men in course.position.board.occupied_co)


def _stands_elsewhere(course: Course) -> bool:
    """Whether a man who is taken to be away is shown on a square that should be empty."""
    cells, shown = course.position.cells, course.sight.shown
    gone = {cells[square] for square in chess.scan_forward(course.away)}
    came = course.sight.excused & occupied(shown) & ~course.position.board.occupied
    return any(shown[square] in gone for square in chess.scan_forward(came))


def carry_on(course: Course, retracing: Retracing, at: float) -> bool:
    """Go on with *retracing*, and take the reading that explains best what was shown, at its end.

    Only so much is done at a time, and once at one time, that no reading takes long. Return whether
    it is at its end.
    """
    if not course.may_work(at):
        return False
    if not retracing.go_on():
        course.due(at + PAUSE, at)
        return False
    course.tried.retracing = None
    _weigh(course, retracing, at)
    return True


def _weigh(course: Course, retracing: Retracing, at: float) -> None:
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


def take_common(course: Course, readings: list[Reading], start: Node, at: float) -> None:
    """Take the plies that were answered in all *readings* that may be right, if any is news."""
    best = readings[0]
    common = answered_in_all(readings, start, CLEARLY)
    if not common or not _is_news(course, common, start) or common[-1].target & best.unseen:
        return
    targets = reduce(or_, (ply.target for ply in common))
    last = best.node.at_ply(common[-1].ply + 1)
    beyond = _shown_beyond(course, common[-1])
    if take(course, [Reading(last, best.cost, best.unseen & targets)], start, at):
        _keep_shown(course, beyond)


def _shown_beyond(course: Course, ply: Node) -> list[Stage]:
    """Return the stages shown after that which comes to the position of *ply*.

    None, if they do not explain all that is shown.
    """
    shown = course.chain.shown if course.chain.match is not None else []
    number = ply.ply - course.story.head.ply
    if not 0 < number < len(shown):
        return []
    same = shown[number - 1].best.position.key == ply.position.key
    return shown[number:] if same else []


def _keep_shown(course: Course, beyond: list[Stage]) -> None:
    """Let *beyond* go on to be shown after the settled position, which is that before them.

    No reading of what was done after it was clearly better.
    """
    chain, head = course.chain, course.chain.head.best
    if not beyond or chain.match is not None:
        return
    before = beyond[0].best.parent
    if before is None or before.position.key != head.position.key:
        return
    kept, parents = [], [before]
    for stage in beyond:
        stage.nodes = [node for node in stage.nodes if node.parent in parents]
        if not stage.nodes:
            break
        kept.append(stage)
        parents = stage.nodes
    for node in kept[0].nodes:
        node.parent = head
    for node in [node for stage in kept for node in stage.nodes]:
        node.cost -= before.cost
    chain.shown = kept
    chain.compare()


def _is_news(course: Course, common: list[Node], start: Node) -> bool:
    """Whether *common* plies after *start* go on from the record, or correct it up to its end.

    Where men have no names, what is as likely is not better.
    """
    head = course.story.head
    if common[-1].ply > head.ply:
        return True
    told = [ply.move for ply in plies_of(head, start)]
    corrects = any(ply.move != move for ply, move in zip(common, told, strict=False))
    return course.named and corrects and common[-1].ply + 1 >= head.ply


def answered_in_all(readings: list[Reading], start: Node | None, within: float) -> list[Node]:
    """Return the plies after *start*, or all, that were answered in the best of *readings*.

    So they were in all others that cost hardly more, *within* so much; the first is the best.
    """
    near = [each for each in readings if each.cost < readings[0].cost + within]
    common: list[Node] = []
    for plies in zip(*(plies_of(each.node, start)[:-1] for each in near), strict=False):
        if any(ply.move != plies[0].move for ply in plies):
            break
        common.append(plies[0])
    return common


def _ends_unseen(reading: Reading) -> bool:
    """Whether nothing was shown since its last man was put down unseen: it may be in the air."""
    return bool(reading.node.target & reading.unseen)


def went_elsewhere(course: Course, reading: Reading, start: Node) -> Reading | None:
    """Return *reading* with an illegal move for a man put down unseen that is seen elsewhere.

    None, if one is seen on several squares or was put back, if his move there would be legal, as
    that of a king who castles before his rook, or play cannot have gone on from there.
    """
    if not course.named or not reading.unseen:
        return reading
    node = start
    for ply in plies_of(reading.node, start):
        if ply.move is None:
            return None
        move = ply.move
        unseen = bool(ply.target & reading.unseen)
        seen = _seen_elsewhere(course, ply, move, reading.node, start) if unseen else []
        if any(_came_after_answer(course, square, ply, reading.node) for square in seen):
            return None
        if seen:
            if len(seen) > 1 or seen[0] == move.from_square:
                return None
            went = chess.Move(move.from_square, seen[0])
            made = None if node.position.board.is_legal(went) else node.then_illegal(went)
            if made is None or not made.position.board.is_valid():
                return None
            node = made
        elif node is ply.parent:
            node = ply
        elif node.position.board.is_legal(move):
            node = node.then(move)
        else:
            return None
        node.since = ply.since
    return reading._replace(node=node)


def _seen_elsewhere(
    course: Course, ply: Node, move: chess.Move, leaf: Node, start: Node
) -> list[chess.Square]:
    """Return where the man of *ply* is seen, else where he rested, without belonging there.

    Where he belongs tell the positions from *start* to *leaf*. *move* is that of *ply*.
    """
    shown, man = course.sight.shown, ply.position.cells[move.to_square]
    others = _beside_home(course, man, move.from_square, start.since)
    strange = course.sight.differs(leaf.position.shown)
    seen = [at for at in chess.scan_forward(strange) if shown[at] == man and at not in others]
    line = [start, *plies_of(leaf, start)]
    known = {at for each in line for at, one in enumerate(each.position.shown) if one == man}
    return seen or _rested_on(course, man, start.since, known | others)


def _came_after_answer(course: Course, square: chess.Square, ply: Node, leaf: Node) -> bool:
    """Whether who is on *square* came there after what answered *ply*, on the way to *leaf*."""
    answer = next(iter(plies_of(leaf, ply)), None)
    if answer is None or answer.since == -math.inf:
        return False
    return course.sight.changed[square] > answer.since + course.timing.gap


def _beside_home(course: Course, man: str, home: chess.Square, start: float) -> set[chess.Square]:
    """Return the squares that showed *man* since *start* while *home* did: that was another one."""
    shown_for: dict[chess.Square, float] = {}
    for since, until, squares in _shown_on(course, man, start):
        if home in squares:
            for square in squares:
                shown_for[square] = shown_for.get(square, 0.0) + until - since
    return {square for square, long in shown_for.items() if long >= course.timing.gap}


def _shown_on(
    course: Course, man: str, start: float
) -> Iterator[tuple[float, float, set[chess.Square]]]:
    """Yield from when until when, since *start*, which squares showed *man*."""
    for (since, shown), (until, _) in pairwise(course.sight.since(start) or []):
        yield since, until, {at for at, one in enumerate(shown) if one == man}


def _rested_on(
    course: Course, man: str, start: float, known: set[chess.Square]
) -> list[chess.Square]:
    """Return where *man* rested since *start* as his player pressed, apart from *known* squares.

    He may be gone by now, for another move or in a flicker.
    """
    presses = [at for at, colour in course.clock.history if colour == man.isupper()]
    rested: dict[chess.Square, float] = {}
    pressed = set()
    for since, until, on in _shown_on(course, man, start):
        squares = on - known
        for square in squares:
            rested[square] = rested.get(square, 0.0) + until - since
        if any(since <= at < until for at in presses):
            pressed |= squares
    return [square for square in pressed if rested[square] >= course.timing.verdict]


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


# -- weighing --------------------------------------------------------------------------------------


def _earliest(course: Course, *, guesses: bool) -> Node:
    """Return the published ply from which on all may be doubted: what followed can be traced."""
    start = course.story.head
    for _ in range(PLIES_DOUBTED):
        if start.since < course.restored_at:  # what was put right is no part of it
            break
        unseen = start.target & course.sight.blind and not guesses
        if start.parent is None or start.basis == "stands" or start.missed or unseen:
            break
        if not course.sight.kept_since(start.parent.since, most=MOST_PLACEMENTS):
            break
        start = start.parent
    return _before_all_of(start, course.story.head)


def _before_all_of(start: Node, head: Node) -> Node:
    """Return *start*, or a ply before it that was not told in the same moment as one up to *head*.

    What the link told late is all shown at one time: the trace holds all of it, or nothing.
    """
    together = any(ply.since == start.since for ply in plies_of(head, start))
    while together and start.parent is not None:
        together = start.parent.since == start.since
        start = start.parent
    return start


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


# -- taking ----------------------------------------------------------------------------------------


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
