"""What settles a move that stands alone: the press, long rest, or the end of the game.

A legal move on the board is only a candidate. A sliding pawn is on e3 for a moment, and a hand may
rest a man and move on.
"""

from bridge.core.inference.ahead import come_and_gone
from bridge.core.inference.believing import believed_at, stood_from
from bridge.core.inference.course import Course
from bridge.core.inference.doubting import doubt
from bridge.core.inference.gesture import enters_centre, moves_king
from bridge.core.inference.hypotheses import PLIES_DOUBTED, Stage
from bridge.core.inference.illegal import judge_far_fetched
from bridge.core.inference.placement import BIT, occupied
from bridge.core.inference.scans import seen_twice

ABOUT_TO_BE_TAKEN = 25.0
"""So long one who was moved last may be away until he is taken, where men have no names (s)."""


def judge_candidate(course: Course, stage: Stage, at: float) -> bool:
    """Settle the move of *stage*, which the board shows, if it was played."""
    if stood_on_both(course, stage) and doubt(course, at):
        return True
    if judge_far_fetched(course, stage, at):
        return False
    timing, since = course.timing, stood_from(course, stage)
    pressed = course.pressed
    if pressed is not None and course.due(_pressed_for(course, stage, pressed), at):
        return course.settle("press", "the clock was pressed and the board is still", at)
    if _runs_for_opponent(course, stage):
        course.clock.given = True
        return course.settle("press", "the clock runs for the opponent", at)
    if not stage.weak and course.due(stage.since + timing.shown, at):
        course.show(stage.best)
    if _may_rest(course, stage):
        rests = _rests_from(course, stage)
        if course.due(rests + _rest(course, stage), at):
            because = f"stood for {at - rests:.1f} s and no clock runs"
            return course.settle("rest", because, at)
    unsure = timing.in_hand if course.clock.state == "runs" else timing.end
    if _ends_game(course, stage) and course.due(since + unsure, at):
        return course.settle("end", "the move ends the game", at)
    return False


def _pressed_for(course: Course, stage: Stage, pressed: float) -> float:
    """Return when the move of *stage* is believed to be the one that was pressed.

    Nobody can take back the end of a game: its man may be on his way, as is told a moment later.
    Where a second man had gone elsewhere, all may be taken back once he is put right.
    """
    believed = believed_at(course, stage, pressed, still=seen_twice(course))
    if course.dispute.is_of_two:
        believed = max(believed, course.sight.changed_at + course.timing.verdict)
    if not stage.best.position.is_over:
        return believed
    return max(believed, pressed + course.timing.still)


def settle_unpressed(course: Course, cells: str, at: float) -> None:
    """Settle the move that stands, before the board shows *cells*, if it stood for long.

    The clock runs on for who made it: he forgot to press it, or the game is over. As long as it
    stands it is not completed; what follows tells nothing against it any more. Not so if its man,
    who has a name, is taken up again himself.
    """
    chain = course.chain
    if course.blind or course.clock.state != "runs" or len(chain.shown) != 1 or chain.match != 1:
        return
    (stage,) = chain.shown
    stood = at - stage.since
    if stood < course.timing.forgotten or stage.since < course.story.head.since:
        return
    if course.dispute.told or (course.named and cells[stage.square] != stage.shown[stage.square]):
        return
    if not (stage.weak or enters_centre(stage.best)):
        course.settle("rest", f"stood for {stood:.1f} s, not pressed", at)


def stood_on_both(course: Course, stage: Stage) -> bool:
    """Whether its man was shown where it stands before the answer to where it came from, and there.

    It lay across the edge then: it made no move since, and the one before was perhaps another.
    """
    origin, changed = BIT[stage.move.from_square], course.sight.changed
    shown_from = changed[stage.square]
    if not course.named or changed[stage.move.from_square] < shown_from + course.timing.still:
        return False
    node, answered = course.story.head, stage.since
    for _ in range(PLIES_DOUBTED):
        if node.parent is None:
            break
        if node.target == origin:
            told_later = shown_from <= min(node.at, answered)
            return told_later and node.parent.since < shown_from
        node, answered = node.parent, node.since
    return False


def _runs_for_opponent(course: Course, stage: Stage) -> bool:
    """Whether the press of a move that stands must have been missed between two readings.

    Else the press before it was forgotten or comes late; then the clock says nothing, but few
    moves that stand so long are taken back. A man in the air is not put down yet, unless the clock
    turned since he was taken up.
    """
    clock, timing, head = course.clock, course.timing, course.story.head
    if head.pressed is not None or clock.turn != stage.best.position.board.turn:
        return False
    if clock.turned_at == clock.read_at:
        return False  # who pressed is told with this reading
    if stage.since < head.since - timing.still:
        return False  # it was done before the move that it would answer
    if stage.weak:
        turned = clock.turned_at
        return turned >= stage.since and clock.read_at >= turned + timing.in_hand
    read_between = clock.turned_at < head.since < stage.since - timing.reading
    doubt = timing.unpressed if read_between else timing.in_doubt
    if clock.shows_presses:
        doubt = timing.rest  # nobody pressed; most who were knocked over are put right by then
    return clock.read_at >= stage.since + doubt


def _may_rest(course: Course, stage: Stage) -> bool:
    """Whether long rest may settle it: no clock runs, or it stood when the clock stopped.

    A king of whom nothing but his leaving was seen may have been laid down.
    """
    clock = course.clock
    if stage.weak and moves_king(stage.best):
        return False
    if clock.state == "none":
        return True
    return clock.state == "stopped" and stage.since <= clock.stopped_at


def _rests_from(course: Course, stage: Stage) -> float:
    """Return since when *stage* stands and its player has put no other man of his back.

    Nor has he taken up again one who is away and had stood where nobody should.
    What is left of a move of two men, as of castling, looks like a move while it is taken back. So
    does one of those that were called illegal together, until the other is put back as well, and a
    king who has castled whose rook is taken up from a wrong square.
    """
    if course.dispute.told or _lacks_rook(stage):
        return course.sight.changed_at
    board = stage.best.position.board
    others = board.occupied_co[not board.turn] & ~stage.mask
    if others & course.sight.excused & ~occupied(course.sight.shown):
        others |= come_and_gone(stage.best.position, course.sight, stage.since)
    return max(stood_from(course, stage), course.sight.last_change(others))


def _lacks_rook(stage: Stage) -> bool:
    """Whether its king castles, and a square of it does not show so: the rook may be in a hand."""
    before = stage.best.parent
    if before is None or not before.position.board.is_castling(stage.move):
        return False
    return bool(before.position.change(stage.move) & ~stage.mask)


def _rest(course: Course, stage: Stage) -> float:
    """How long it must rest: a king in the centre may show the result, a man be in the air.

    Who was moved last and is away is rather about to be taken than that another man stood there and
    has moved, so that the move before was another.
    """
    told = course.story.head
    if stage.weak and stage.best.parent is not told and told.target & BIT[stage.move.from_square]:
        return ABOUT_TO_BE_TAKEN
    patience = stage.weak or enters_centre(stage.best)
    return course.timing.rest + (course.timing.gesture if patience else 0.0)


def _ends_game(course: Course, stage: Stage) -> bool:
    if stage.weak or stage.since > course.clock.stopped_at:
        return False
    return stage.best.position.is_over
