"""Moves not seen one by one: lines after a lost link or a jump, and a board taken as it stands."""

import math
from collections.abc import Iterable
from itertools import islice, pairwise, product

import chess

from bridge.core.inference.census import by_census
from bridge.core.inference.course import PAUSE, Course
from bridge.core.inference.findings import Gap
from bridge.core.inference.hypotheses import (
    OTHER_MAN,
    Node,
    Stage,
    likeliest,
    plies_back,
    plies_of,
)
from bridge.core.inference.lines import Line, leaves_of, lines_beside
from bridge.core.inference.orders import unlikely
from bridge.core.inference.placement import BIT, difference, occupied, with_changes
from bridge.core.inference.unseen_man import was_taken_unseen

PLIES_UNSEEN = 6
"""Longest line to look for after the link was lost, when nothing was seen of the moves."""
PLIES_IN_A_JUMP = 4
"""The same between two placements of a board that was watched."""
PLACEMENTS_OF_A_JUMP = 2
"""Placements since the last settled move, up to which several plies may have been made at once."""
PLIES_AT_A_GLANCE = 3
"""The same for each placement seen since then, before it has rested: play does not wait."""
PLIES_WAITED = 4
"""If several lines up to this long fit where men have no names, play is waited for to tell."""
MOST_AFTER_ILLEGAL = 3
"""Plies that may go on unseen from an illegal move: with more, nearly everything is explained."""
MOST_HELD = 3
"""Longest line to look for after which a man is in a hand."""
_End = tuple[Node, Line]
"""A line, and the ply at its end."""

# -- lines of several plies ------------------------------------------------------------------------


def look_early(course: Course, at: float) -> bool:
    """After a lost link, take a placement that hardly rested: play does not wait."""
    if not course.chain.missed or course.tried.glanced or is_begun_in_sight(course):
        return False
    if _look_at_return(course, at):
        return True
    if not course.due(course.sight.changed_at + course.timing.still, at):
        return False
    course.tried.glanced = True
    course.worked_at = at
    if _look_past_misread(course) or _look_past_long_gone(course):
        return True
    shown = course.sight.shown
    lines = _lines(course, range(2, PLIES_AT_A_GLANCE + 1), shown)
    if len(lines) == 1:
        _bridge(course, lines, shown, at)
    return len(lines) == 1


def _look_at_return(course: Course, at: float) -> bool:
    """Take what stood when the link was back, where play went on from it at once."""
    stood, sight = course.returned, course.sight
    if not course.named or course.sought == stood or stood == sight.shown:
        return False
    course.sought = stood
    lines = _lines(course, range(2, PLIES_AT_A_GLANCE + 1), stood)
    if len(lines) != 1:
        return False
    _bridge(course, lines, stood, at)
    leaf, parent = lines[0][0], lines[0][0].parent
    if parent is not None:
        mask = difference(leaf.position.shown, parent.position.shown)
        leaf.since = course.returned_at
        stage = Stage([leaf], mask, leaf.since)
        stage.until = sight.changed_at
        course.chain.shown = [stage]
        course.chain.compare()
    return True


def _look_past_misread(course: Course) -> bool:
    """Do not believe a man that must be read as another one, if a single move explains the rest."""
    sight, head = course.sight, course.chain.head
    if not course.named:
        return False
    named = by_census(head.shown, sight.shown)
    if named == sight.shown:
        return False
    if not lines_beside(head.best.position, named, 1, sight.excused):
        return False
    sight.excuse(difference(named, sight.shown))
    course.chain.compare()
    return course.chain.match is not None


def _look_past_long_gone(course: Course) -> bool:
    """Do not believe that men have left who were away for long when the link was lost, and are yet.

    Nobody holds a man for so long. Men must have names, and none like them stand elsewhere; whether
    the board shows a move then.
    """
    sight, differs = course.sight, course.chain.differs
    since = course.lost_at - course.timing.in_hand
    came = {sight.shown[square] for square in chess.scan_forward(differs & occupied(sight.shown))}
    gone = [
        BIT[square]
        for square in chess.scan_forward(differs & ~occupied(sight.shown))
        if -math.inf < sight.emptied[square] < since
        and course.position.cells[square] not in {*came, "K", "k"}
    ]
    if not (course.named and gone):
        return False
    sight.excuse(sum(gone))
    course.chain.compare()
    return course.chain.match is not None


def look_for_line(course: Course) -> bool:
    """Begin, once for each placement that has rested, to look for what happened unseen."""
    if course.tried.searched or is_begun_in_sight(course):
        return False
    course.tried.searched = True
    course.tried.searching = range(
        PLIES_AT_A_GLANCE, (PLIES_UNSEEN if course.chain.missed else PLIES_IN_A_JUMP) + 1
    )
    return True


def search_on(course: Course, at: float) -> bool:
    """Look for longer lines than before; return whether the search is at its end.

    What is longer than at a glance is looked for from one start at a time.
    """
    if _awaits_clock(course, at) or not course.may_work(at):
        return False
    tried, shown = course.tried, course.sight.shown
    plies, *longer = tried.searching
    if plies == PLIES_AT_A_GLANCE:
        lines = _lines(course, range(2, plies + 1), shown)
    else:
        starts = _starts(course, plies)
        tried.lines.append(_lines_from(course, starts[len(tried.lines)], plies, shown))
        if len(tried.lines) < len(starts):
            course.due(at + PAUSE, at)
            return False
        lines, tried.lines = _likeliest(course, starts, tried.lines), []
    if not lines and longer:
        tried.searching = longer
        course.due(at + PAUSE, at)
        return False
    tried.searching = ()
    if len(lines) > 1 and not course.named and len(lines[0][1]) <= PLIES_WAITED:
        tried.open = True
        return True
    if len(lines) > 1:
        course.story.tell(Gap(_base(*lines[0]).position.board, tuple(line for _, line in lines)))
    if lines:
        _bridge(course, lines, shown, at)
    return True


def _awaits_clock(course: Course, at: float) -> bool:
    """Whether a clock that runs is not read yet since the link is back: it tells of presses."""
    clock, timing = course.clock, course.timing
    if not course.chain.missed or clock.state != "runs":
        return False
    if clock.read_at > course.returned_at:
        return not course.due(clock.read_at + PAUSE, at)  # the presses that it shows come then
    return not course.due(course.sight.changed_at + timing.gap + timing.reading, at)


def look_for_jump(course: Course, at: float) -> bool:
    """Look for several plies that were made between two placements, by both players.

    So it is if men of both are gone beside the last move that stands: one alone went astray.
    A man of either in a hand, and none come anywhere, is a capture that is on its way.
    """
    chain, sight = course.chain, course.sight
    if not course.named or not occupied(sight.shown) & chain.differs:
        return False
    if _placements_of(course) > PLACEMENTS_OF_A_JUMP:
        return False
    stage = chain.standing
    position, differs = stage.best.position, sight.differs(stage.shown)
    if not all(position.lifted(sight.shown, differs, colour) for colour in chess.COLORS):
        return False
    return course.due(sight.changed_at + course.timing.verdict, at) and look_for_line(course)


def _placements_of(course: Course) -> int:
    """Return in how many scans the squares changed that differ from the settled position."""
    changed, scans, last = course.sight.changed, 0, -math.inf
    for at in sorted(changed[square] for square in chess.scan_forward(course.chain.differs)):
        scans += at > last + course.timing.scan
        last = at
    return scans


def is_begun_in_sight(course: Course) -> bool:
    """Whether a hand is at a move that was begun in sight, after a link that was lost.

    What stood when the link was back is explained by a move at most, and men were only lifted
    since. Lines that leave them out would explain what is shown as well.
    """
    stood, shown = course.returned, course.sight.shown
    lifted = difference(stood, shown)
    if not course.chain.missed or not lifted or occupied(shown) & lifted:
        return False
    stages = (course.chain.head, *course.chain.shown[:1])
    return any(_lines_from(course, stage, plies, stood) for stage in stages for plies in (0, 1))


def _lines(course: Course, lengths: Iterable[int], shown: str) -> list[_End]:
    """Return the shortest lines that explain *shown*, the likeliest first, with their ends."""
    for plies in lengths:
        starts = _starts(course, plies)
        found = [_lines_from(course, stage, plies, shown) for stage in starts]
        if lines := _likeliest(course, starts, found):
            return lines
    return []


def _starts(course: Course, plies: int) -> list[Stage]:
    """Return from where lines of *plies* plies may lead.

    What stood for long is part of them where that fits, and what stood when the link was lost where
    the clock then runs for who is to move. An illegal move may have been answered meanwhile.
    """
    chain, illegal = course.chain, course.dispute.move
    starts = [chain.head]
    if chain.shown:
        stage = chain.shown[0]
        if stage.best.rest >= course.timing.gap:
            starts.insert(0, stage)
        elif chain.stands(stage):
            starts.append(stage)
        if chain.shown[-1].until >= course.lost_at and chain.shown[-1] not in starts:
            starts.append(chain.shown[-1])
    if illegal is not None and chain.missed and plies <= MOST_AFTER_ILLEGAL:
        starts.append(illegal)
    return starts


def _likeliest(course: Course, starts: list[Stage], found: Iterable[list[_End]]) -> list[_End]:
    """Return those of the lines *found* from *starts* that are taken."""
    most = _most_plies(course)
    lines = [each for each in found if each and (len(each) == 1 or len(each[0][1]) <= most)]
    counted = course.clock.counted_since(course.story.head.at) is not None
    if counted or starts[0] is course.chain.head:
        lines.sort(key=lambda found: found[0][0].position.board.turn != course.clock.turn)
    if not lines:
        return []
    held = _with_man_in_hand(course, starts[0], lines[0][0][1]) if course.chain.missed else []
    return held or lines[0]


def _most_plies(course: Course) -> float:
    """Return how many plies were made since the head by the presses, if all of these are known.

    Somebody may have forgotten to press; but a man who goes in two steps where he may not go in one
    has several ways, mostly. Where men have no names so has everybody.
    """
    if not (course.named and course.chain.missed):
        return math.inf
    heard = course.clock.counted_since(min(course.lost_at, course.story.head.at))
    return math.inf if heard is None else heard + 1


def _with_man_in_hand(course: Course, stage: Stage, line: Line) -> list[_End]:
    """Return lines on from *stage*, which had stood, after which its player's man is in a hand.

    After a lost link, a man in a hand looks like one that took another unseen, or was taken. So
    *line*, which begins otherwise than with what had stood, is only believed if it is shorter.
    """
    if stage is course.chain.head or stage.move == line[0]:
        return []
    sight, position = course.sight, stage.best.position
    gone = sight.differs(position.shown) & ~occupied(sight.shown)
    lengths = range(1, min(len(line) - 1, MOST_HELD) + 1)
    for origin, length in product(chess.scan_forward(gone), lengths):
        shown = with_changes(sight.shown, [(origin, position.shown[origin])])
        found = [
            (leaf, other)
            for leaf, other in _lines_from(course, stage, length, shown)
            if leaf.position.board.occupied_co[leaf.position.board.turn] & BIT[origin]
        ]
        if found:
            return found
    return []


def _lines_from(course: Course, stage: Stage, plies: int, shown: str) -> list[_End]:
    sight, node = course.sight, stage.best
    lines = lines_beside(node.position, shown, plies, sight.excused)
    if not lines and course.named and course.chain.missed:
        named = by_census(node.position.shown, shown)
        lines = lines_beside(node.position, named, plies, sight.excused) if named != shown else ()
    before = _shown_until(course, stage)
    leaves = leaves_of(node, lines, sight, stage.since)
    found = sorted(
        zip(leaves, lines, unlikely(node.position.board, lines), strict=True),
        key=lambda each: (
            _untold(course.told, each[1]),
            each[0].cost + _cost_of_start(course, each[1]) + each[2],
        ),
    )
    return [(leaf, (*before, *line)) for leaf, line, _ in found]


def _shown_until(course: Course, stage: Stage) -> Line:
    """Return the moves that lead from the head, or a rival of it, to *stage*; none if it is that.

    The likeliest of each stage need not be those: one may lead on from a rival of the one before.
    """
    shown = course.chain.shown
    if stage not in shown:
        return ()
    plies = [*islice(plies_back(stage.best), shown.index(stage) + 1)]
    return tuple(ply.move for ply in reversed(plies) if ply.move is not None)


def _cost_of_start(course: Course, line: Line) -> float:
    """Return what it costs that *line* begins with another man than was taken up at its loss."""
    lifted = course.lifted if course.chain.missed else 0
    other = lifted and line and not lifted & BIT[line[0].from_square]
    return OTHER_MAN if other else 0.0


def _untold(told: Iterable[str], line: Line) -> int:
    """Return how many moves that the board *told* are not in *line*, or not in their order."""
    missing = first = 0
    for uci in told:
        places = [n for n in range(first, len(line)) if line[n].uci().startswith(uci)]
        missing += not places
        first = places[0] + 1 if places else first
    return missing


def _base(leaf: Node, line: Line) -> Node:
    """Return the ply from which *line* leads to *leaf*: a rival of the head, perhaps."""
    for _ in line:
        leaf = leaf.parent or leaf
    return leaf


def _changed_by(leaf: Node, line: Line) -> int:
    """Return the squares that the plies of *line* to *leaf* changed."""
    changed = 0
    for _ in line:
        if leaf.parent is None:
            break
        changed |= difference(leaf.position.shown, leaf.parent.position.shown)
        leaf = leaf.parent
    return changed


def _bridge(course: Course, lines: list[_End], shown: str, at: float) -> None:
    """Settle all but the last move of the first line to *shown*; the last may still be in motion.

    A press that was seen afterwards is that of a player's last move, not of his first. Squares that
    nothing of the line explains, as it was found beside them, are not believed as they are.
    """
    leaf, line = lines[0]
    others = f", as do {len(lines) - 1} other lines" if len(lines) > 1 else ""
    because = f"{len(line)} plies fit what is seen{others}"
    parent = leaf.parent
    if parent is None:
        return
    ends = [end.parent for end, _ in lines if end.parent is not None]
    rivals = likeliest([node for node in ends if node.position.shown == parent.position.shown])
    # Of two lines to one position the one that is told is entered, though the other costs less.
    parents = [parent, *(node for node in rivals if node.position.key != parent.position.key)]
    chain, sight = course.chain, course.sight
    wrong = sight.differs(leaf.position.shown) & difference(leaf.position.shown, shown)
    sight.excuse(wrong & ~(difference(sight.shown, shown) | _changed_by(leaf, line)))
    chain.shown = []
    for node, following in pairwise(plies_of(leaf, course.story.head)):
        if was_taken_unseen(course, node, following, chain.head.since):
            course.guess(node)
    course.move_head(Stage(parents, 0, chain.head.since), "gap", because, at, more=1)
