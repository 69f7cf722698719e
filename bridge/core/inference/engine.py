"""One game's inference: placements and presses in, findings out.

The engine holds what was settled (the *head*) and the short chain of moves that the board has
shown since. A move that fits is only a candidate: a sliding pawn is on e3 for a moment, a hand
may rest a man and move on. What settles it is the press of the clock, the reply, the end of the
game, or long rest where no clock runs. What no legal move explains is looked at again when it has
lasted: for longer lines, for squares that show something wrong, for another reading of the last
plies, and only then for an illegal move. Everything is decided by time stamps that are handed
in: :meth:`Engine.tick` must be called at :attr:`Engine.wake_at`.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import chess

from bridge.core.inference.ahead import side_of
from bridge.core.inference.analysis import is_taken_back, note_taken_back
from bridge.core.inference.array_found import begin_from, find_array, may_go_on
from bridge.core.inference.certainty import (
    Contradiction,
    contradicts,
    is_open,
    is_sure,
    proves,
)
from bridge.core.inference.correcting import go_on_reading, put_right_before
from bridge.core.inference.course import Course, Dispute
from bridge.core.inference.doubting import carry_on, doubt_gone, doubt_uncounted
from bridge.core.inference.findings import Explained, Finding
from bridge.core.inference.gesture import Signal, enters_centre, moves_king
from bridge.core.inference.given_up import settle_given_up
from bridge.core.inference.hypotheses import Node, Stage, plies_back
from bridge.core.inference.illegal import tell_at_the_loss, tell_taken_amiss, tell_untold
from bridge.core.inference.placement import difference, occupied
from bridge.core.inference.played_on import let_stand
from bridge.core.inference.position import Position
from bridge.core.inference.put_up import is_put_up
from bridge.core.inference.reconsidering import agree, read_on, reconsider
from bridge.core.inference.replies import judge_reply
from bridge.core.inference.restoring import restore
from bridge.core.inference.scans import late_scan
from bridge.core.inference.set_right import put_set_up_right
from bridge.core.inference.settling import judge_candidate, settle_unpressed
from bridge.core.inference.sight import Sight
from bridge.core.inference.taking_back import play_on_from_before
from bridge.core.inference.timing import Timing
from bridge.core.inference.unexplained import judge_unexplained
from bridge.core.inference.unpressed import MOST_BEFORE_CLEARED, MOST_FORGOTTEN, unpressed
from bridge.core.inference.unseen import search_on
from bridge.core.inference.unseen_man import find_unseen_man
from bridge.core.model import Sensing

MOST_STEPS = 16
"""Most decisions taken on one reading, whatever the board shows."""
PLIES_WITHOUT = 4
"""So many plies, made in turn while the clock stands, are played without it ..."""
TOO_EARLY = 2
"""... if no more were made before: no game has ended yet that might be looked at. ..."""
MORE_WITHOUT = 8
"""... So many are, ..."""
STILL_EARLY = 8
"""... if no more than so many were: hardly a game has ended."""
CLEARED = 8
"""So many changes tell how fast the men are cleared away: ..."""
A_PAUSE = 2.0
"""... what stood before for so many times as long as the longest pause but one was a move."""
MOST_TAKING_BACK = 4
"""With more squares that show something else meanwhile the men are put up for another game."""


class Engine:
    """Follows one game from *board*; cells are in White's normal coordinates."""

    def __init__(
        self,
        board: chess.Board,
        timing: Timing | None = None,
        sensing: Sensing = "identity",
        *,
        untold: bool = False,
        meant: chess.Board | None = None,
    ) -> None:
        """Begin from *board*; *untold*: it is but one of the 960 from which play may have begun.

        *meant*: the right start position, if *board* is a wrong set-up that may be put right.
        """
        self._course = Course(board, timing or Timing(), sensing)
        if untold:
            self._course.take_array(board.chess960_pos())
        self._course.meant = meant
        self._chain = self._course.chain
        self._signal = Signal(self._course)
        self._passed_over: str | None = None
        self._agreed = False
        self._over: tuple[Node, bool] | None = None

    # -- input -------------------------------------------------------------------------------------

    def sees(self, cells: str, *, at: float) -> list[Finding]:
        """Take the placement that the board shows from time *at* on."""
        course = self._course
        if course.blind:
            course.returned, course.returned_at = cells, at
        if cells != course.sight.shown:
            if not (self._is_passed_over() or course.is_looked_at):
                settle_unpressed(course, cells, at)
            if self._agreed:
                agree(course, at, left=True)
            course.sees(cells, at)
        elif course.blind:
            course.returns(cells, at)
        elif at < course.wake_at:
            return []
        course.blind = False
        return self._decide(at)

    def press(
        self,
        colour: chess.Color,
        *,
        at: float,
        first: bool = False,
        counted: bool = False,
        following: int = 0,
    ) -> list[Finding]:
        """Take note that *colour* pressed the clock; *first*: and has moved again since.

        *counted*: no other press was missed before this one. *following*: so many more were made
        by the same time.
        """
        course = self._course
        if self._was_given_back(colour, at):
            return self._decide(at)
        together = course.clock.told_at == at  # those of one reading tell of no time between
        known = counted and course.clock.shows_presses  # with the first of them were all
        course.clock.press(colour, at=at, first=first, counted=counted, coming=following)
        course.second.hears(colour, at, following if counted else 0)
        course.read()
        if self._is_of_last_ply(colour, at):
            for each in chess.COLORS:  # those that were told with it are earlier plies'
                course.clock.forget(each)
        if not (together and known):
            course.tried.retraced = course.tried.overlooked = False  # there is more to go by now
            course.tried.retracing = None
        if not together:
            self._chain.note_press(at)
        if known and not together:
            doubt_uncounted(course, at)
        return self._decide(at)

    def _is_of_last_ply(self, colour: chess.Color, at: float) -> bool:
        """Whether a press of *colour* is that of the last ply, as one told with it was taken to be.

        Nothing is shown after that ply, so that the last press of its player is its own.
        """
        last, chain = self._course.story.head, self._chain
        return last.pressed == at and colour != self.position.board.turn and not chain.shown

    def notes_press(self, colour: chess.Color, *, at: float) -> None:
        """Take note that *colour* pressed for a ply that was settled before."""
        self._course.clock.note(colour, at)

    def _was_given_back(self, colour: chess.Color, at: float) -> bool:
        """Whether a clock that stood was started for the player to move: *colour* pressed nothing.

        As after an illegal move that was put right.
        """
        if self._course.clock.started_at != at or colour == self.position.board.turn:
            return False
        return not self.has_moved(colour)

    def clock(
        self,
        *,
        runs: bool,
        at: float,
        turn: chess.Color | None = None,
        shows_presses: bool = False,
    ) -> list[Finding]:
        """Take note whether the clock runs, and for whom.

        *shows_presses*: its times tell of all presses, also of two between two readings.
        """
        course, clock = self._course, self._course.clock
        clock.shows_presses = shows_presses
        state, was_for = clock.state, clock.turn
        changed = clock.read(runs=runs, at=at, turn=turn)
        if (clock.state, clock.turn) == (state, was_for) and self._is_idle(at):
            return []  # when it is read matters only to a move that stands
        course.second.runs_for(clock.turn, at)
        if state == "stopped" and runs:
            course.second.shows(course.sight.shown, at)
        if state == "runs" and not runs:
            self._settle_over(at)
        course.tried.reconsidered &= not changed
        return self._decide(at) if changed else []

    def forget_presses(self) -> None:
        """Believe no press that completed no move yet: it was none."""
        self._course.clock.forget_all()

    def lose_clock(self, *, at: float) -> list[Finding]:
        """No clock is connected any more: nobody can press it."""
        return self._decide(at) if self._course.clock.becomes("none", at) else []

    def lose_sight(self, *, at: float) -> list[Finding]:
        """The link is gone: what the board shows is not known until it is seen again."""
        self._course.leave(at)
        self._course.lose(at)
        self._course.second.lose(at)
        self._course.wake_at = math.inf
        tell_at_the_loss(self._course)
        return self._course.story.take()

    def tick(self, *, at: float) -> list[Finding]:
        """Let time come to *at*."""
        return [] if self._is_idle(at) else self._decide(at)

    def excuse(self) -> None:
        """Do not believe the squares that now show something else than the record."""
        self._chain.sight.blindfold(self._chain.differs)
        self._chain.compare()

    def may_stand(self, move: chess.Move) -> None:
        """Go on from the illegal *move* if it is played on, unless it is put back already."""
        if self._course.dispute.told:
            let_stand(self._course, move)

    def tells(self, told: Sequence[str]) -> None:
        """Take note of the moves, in UCI, that the board itself told since the last settled one."""
        self._course.told = told

    def follow(self, moves: Sequence[chess.Move], *, at: float) -> list[Finding]:
        """Settle *moves*, which were told in this order and lead to what the board shows."""
        course = self._course
        node = course.chain.head.best
        for move in moves:
            node = node.then(move)
        course.chain.shown = []
        stage = Stage([node], 0, course.sight.changed_at)
        course.move_head(stage, "press", "the board itself called these moves legal", at)
        return [*course.story.take(), *self._decide(at)]

    def settle_standing(
        self, *, at: float, least: float, because: str, alone: bool = False
    ) -> list[Finding]:
        """Settle the move that stood for *least* seconds when the game ended, if there was one.

        What was done after the clock had been stopped, or the board cleared, was no move. *alone*:
        nothing else must have been shown for so long at a time.
        """
        sight, timing, head = self.sight, self._course.timing, self._chain.head
        cleared = sight.is_cleared_since(head.since, long=timing.in_hand)
        if self.standing is not None and not cleared:
            first = self._chain.shown[0]
            stood = first.best.rest if alone else min(at, first.until) - first.since
            long = stood >= least
            if long and first.since <= self._course.clock.stopped_at:
                self._course.settle("end", because, at)
        return self._course.story.take()

    def settle_unpressed(self, *, at: float) -> list[Finding]:
        """Settle the move that stands for long while its player's clock runs on."""
        settle_unpressed(self._course, self.cells, at)
        return self._course.story.take()

    @property
    def left(self) -> chess.Move | None:
        """The last legal move that was shown before nothing explained the board any more.

        None if it did not stand for a while, or may belong to what the kings show.
        """
        left = self._left()
        return None if left is None else left.move

    def settle_left(self, because: str, *, at: float) -> list[Finding]:
        """Settle the move that is :attr:`left`: it stood until the board was cleared."""
        left = self._left()
        if left is not None:
            self._chain.shown = [left]
            self._course.settle("end", because, at)
        return self._course.story.take()

    def _shown_last(self) -> Stage | None:
        """Return the last legal move that was shown before nothing explained the board any more.

        Men who are taken off after it may look as if they took somebody, where they have no names.
        """
        chain, left = self._chain, self._chain.left
        if self._course.is_looked_at or chain.match is not None:
            return None
        first = chain.shown[0] if chain.shown else chain.replaced
        for stage in (left, first if all(stage.weak for stage in chain.shown[1:]) else None):
            if chain.follows_head(stage):
                return stage
        return None

    def _left(self) -> Stage | None:
        left = self._shown_last()
        if left is None:
            return None
        if left.weak and (self._course.named or occupied(self.cells) or moves_king(left.best)):
            return None  # he who is away is in a hand, or may be; a king was laid down
        timing = self._course.timing
        mates = self._course.named and left.best.position.is_over
        alone = timing.gap if mates else timing.end
        if enters_centre(left.best):  # the other king would have followed sooner
            return left if left.best.rest >= timing.rest else None
        stood = left.best.rest >= (timing.rest if left.weak else alone)
        return left if stood or (not left.weak and self._paused_after(left)) else None

    def _paused_after(self, left: Stage) -> bool:
        """Whether the move of *left* stood longer than anything did while the men were cleared.

        Men must have names.
        """
        rest, trace = left.best.rest, self.sight.since(left.since)
        if not self._course.named or trace is None or rest < self._course.timing.verdict:
            return False
        cleared = sorted({at for at, _ in trace})[:CLEARED]
        pauses = sorted(later - before for before, later in pairwise(cleared))
        return len(cleared) == CLEARED and rest >= A_PAUSE * pauses[-2]

    def _settle_over(self, at: float) -> None:
        """Settle the move after which none is left, if its man was taken up as the clock stopped.

        It need not be pressed for, and nobody takes it back.
        """
        course, left, timing = self._course, self._shown_last(), self._course.timing
        if course.blind or left is None or left.weak or not left.best.position.is_over:
            return
        taken_up = left.best.target & ~occupied(self.cells) and left.until >= at - timing.end
        if taken_up and left.best.rest >= timing.in_doubt:
            self._chain.shown = [left]
            course.settle("end", "the move ended the game, and the clock was stopped", at)

    @property
    def is_pressed_no_more(self) -> bool:
        """Whether the last plies may be none of the game: nobody presses for them."""
        return unpressed(self._course, MOST_FORGOTTEN) > 0

    @property
    def is_hardly_pressed(self) -> bool:
        """Whether so few of the last plies were pressed for that they are none if it ends now."""
        return unpressed(self._course, MOST_BEFORE_CLEARED) > 0

    def take_back_unpressed(self, *, cleared: bool = False) -> list[Finding]:
        """Take back what was shown after the end of the game, while its clock ran on.

        *cleared*: the men are put up again now.
        """
        most = MOST_BEFORE_CLEARED if cleared else MOST_FORGOTTEN
        story, plies = self._course.story, unpressed(self._course, most)
        if not plies:
            return []
        story.withdraw("nobody pressed any more: the game was over, and its clock ran on", plies)
        told = story.take()
        head, moves = story.head, self._course.played
        self._course.restart(head.position.board, head.ply, moves)
        story.take()  # nothing is adopted: the moves up to there are known
        self._passed_over = self._course.sight.shown
        return told

    # -- what an arbiter rules ---------------------------------------------------------------------

    @property
    def attempted(self) -> chess.Board | None:
        """The position after the illegal move that is in dispute, if there is one."""
        illegal = self._course.dispute.move
        return None if illegal is None else illegal.best.position.board

    @property
    def standing(self) -> chess.Move | None:
        """The legal move that stands on the board and is not settled, if there is one."""
        shown = self._chain.shown
        if not shown or not self._chain.stands(shown[0]):
            return None
        if self._is_passed_over() or self._course.is_looked_at:
            return None
        return shown[0].move

    def let_stand(self, *, at: float) -> list[Finding]:
        """Settle the illegal move that is in dispute, without waiting for an answer to it."""
        illegal = self._course.dispute.move
        if illegal is None:
            return []
        self._course.move_head(illegal, "stands", "the arbiter let it stand", at)
        return [*self._course.story.take(), *self._decide(at)]

    def go_on_from(
        self,
        board: chess.Board,
        *,
        ply: int,
        at: float,
        back: bool,
        moves: Sequence[chess.Move] | None = None,
    ) -> list[Finding]:
        """Go on from *board*, which is certain: no ply up to *ply* is read otherwise any more.

        *moves*: the legal moves that lead there from the start position, if they are known.
        What stands on the board now says nothing if it is not explained by *board*, or if the game
        goes *back*: what stands then is what was taken back. A press that completed no move yet
        may still do so if the position stays what it was.
        """
        course, chain = self._course, self._chain
        same = board == course.position.board and not course.dispute.told
        presses = course.clock.presses() if same else []
        course.restart(board, ply, moves)
        course.story.take()  # nothing is adopted: who rules tells of the moves
        for colour, pressed in presses:
            course.clock.keep(colour, pressed)
        if not same and chain.match != 0 and (back or chain.match is None):
            self._passed_over = course.sight.shown
        return self._decide(at)

    # -- what others ask ---------------------------------------------------------------------------

    @property
    def wake_at(self) -> float:
        """When time alone may decide something: call :meth:`tick` then."""
        return self._course.wake_at

    @property
    def sight(self) -> Sight:
        """What the board has shown, square by square."""
        return self._course.sight

    @property
    def cells(self) -> str:
        """What the board shows."""
        return self._course.sight.shown

    @property
    def is_untold(self) -> bool:
        """Whether it is not known from which of the 960 start positions play began."""
        return self._course.array is not None

    @property
    def may_go_on(self) -> bool:
        """Whether play may go on from a last position, if it began from another start position."""
        head = self._course.story.head
        if self._over is None or self._over[0] is not head:
            self._over = head, may_go_on(self._course)
        return self._over[1]

    def begin_from(self, board: chess.Board) -> list[Finding] | None:
        """Take it that play began from *board*, which is given now; None if it cannot have."""
        if not begin_from(self._course, board):
            return None
        return self._course.story.take()

    @property
    def position(self) -> Position:
        """The settled position."""
        return self._course.position

    @property
    def line(self) -> list[Node]:
        """The plies that are settled, and those that are shown after them."""
        shown = [stage.best for stage in self._chain.shown]
        return [*reversed([*plies_back(self._course.story.head)]), *shown]

    def withdraw(self, reason: str) -> list[Finding]:
        """Take back all plies: the game was seen from the wrong seat."""
        story = self._course.story
        if story.head.ply:
            story.withdraw(reason, story.head.ply)
        return story.take()

    @property
    def took_back_first(self) -> bool:
        """Whether one ply was made and the board, always watched, showed little else since."""
        course, head = self._course, self._course.story.head
        trace = course.sight.since(head.since)
        if head.ply != 1 or head.parent is None or trace is None or course.lost_at > head.since:
            return False
        start = head.parent.position.shown
        return all(difference(men, start).bit_count() <= MOST_TAKING_BACK for _, men in trace)

    @property
    def moved_at(self) -> float:
        """Since when the last settled move stood."""
        return self._course.story.head.since

    @property
    def runs_on(self) -> bool:
        """Whether the clock runs, and was never stopped in the game."""
        clock = self._course.clock
        return clock.state == "runs" and clock.stood_from == -math.inf

    def begins_again(self, *, at: float) -> list[Finding]:
        """Take back the first move: the position from which play began stands again."""
        course = self._course
        course.go_back(course.story.head.at_ply(0), "the first move was taken back", unsure=True)
        course.story.tell(Explained())
        return [*course.story.take(), *self._decide(at)]

    @property
    def taken_up_at(self) -> float:
        """Since when the only man of the player to move who is away is so; minus infinity if none.

        Nothing else differs from the settled position.
        """
        position, gone = self.position, self._chain.differs
        if gone.bit_count() != 1 or gone != position.lifted(self.cells, gone, position.board.turn):
            return -math.inf
        return self.sight.last_change(gone)

    @property
    def began_at(self) -> float:
        """When the first man of the player to move left who is away; infinity if none is."""
        position = self.position
        gone = position.lifted(self.cells, self._chain.differs, position.board.turn)
        emptied = (self.sight.emptied[square] for square in chess.scan_forward(gone))
        return min(emptied, default=math.inf)

    @property
    def shows_both_at_work(self) -> bool:
        """Whether men of both players have left the squares where they stood when last settled."""
        gone = self._chain.differs & ~occupied(self.cells)
        return all(gone & men for men in self.position.board.occupied_co)

    @property
    def in_sight(self) -> bool:
        """Whether the board was watched without a break since the record was last agreed on."""
        return not (self._course.blind or self._chain.missed)

    @property
    def explains(self) -> bool:
        """Whether the board shows the record, or legal moves from it."""
        self._course.read()
        return self._chain.match is not None

    @property
    def is_looked_at(self) -> bool:
        """Whether the last plies were taken back on the board, so that nothing is recorded."""
        return self._course.is_looked_at

    @property
    def late(self) -> float:
        """By how much later (s) a slow board may tell what was done, as far as is known."""
        return late_scan(self._course)

    @property
    def is_sure(self) -> bool:
        """Whether the record is certain enough to call a move illegal by it."""
        return is_sure(self._course)

    def is_open(self, ply: int, at: float) -> bool:
        """Whether what is settled as *ply* may still turn out to be another move, at time *at*."""
        return is_open(self._course, ply, at)

    def contradicts(self, squares: int, tried: chess.Move | None) -> Contradiction | None:
        """Return how *squares*, by which *tried* was illegal, tell that the record is wrong."""
        return contradicts(self._course, squares, tried)

    def proves(self, squares: int, tried: chess.Move) -> bool:
        """Whether *squares*, on which *tried* was made, show it illegal whatever the record is."""
        return proves(self._course, squares, tried)

    def is_movers_work(self, colour: chess.Color) -> bool:
        """Whether the board shows something that *colour*, to move, did since the last move.

        If the other player's move stands that is not settled, he must have put a man elsewhere.
        """
        self._course.read()
        chain, board = self._chain, self.position.board
        if chain.match == 0:
            return False
        if board.turn == colour:
            return bool(chain.shown) or bool(chain.differs & board.occupied_co[colour])
        if not chain.shown or not chain.stands(chain.shown[0]):
            return False
        before = chain.shown[0]
        changed = self.sight.differs(before.shown)
        done = side_of(changed, before.best.position, self.cells, colour)
        left = done & before.best.position.board.occupied_co[colour]
        return bool(left) and left != done

    def has_moved(self, colour: chess.Color) -> bool:
        """Whether the board shows a move of *colour* that is not settled."""
        self._course.read()
        first = self.position.board.turn
        return len(self._chain.shown) > (0 if colour == first else 1)

    def plies_beyond(self, colour: chess.Color) -> int:
        """Return how many plies after the last settled one the last of *colour* is that is shown.

        -1 if he has made none since, and the last settled one is his opponent's.
        """
        self._course.read()
        shown, turn = len(self._chain.shown), self.position.board.turn
        return shown if (colour == turn) == (shown % 2 == 1) else shown - 1

    # -- deciding ----------------------------------------------------------------------------------

    def _is_idle(self, at: float) -> bool:
        """Whether the settled position is shown, and all was decided that can be until *at*."""
        course, chain = self._course, self._chain
        if not self._agreed or chain.match != 0 or at >= course.wake_at:
            return False
        if course.tried.reconsidered:
            return False
        return course.second.is_idle(chain.head.best, course.story.head)

    def _decide(self, at: float) -> list[Finding]:
        course, self._agreed = self._course, False
        course.wake_at = math.inf
        scanned = course.scanned(at)
        if course.blind or not scanned or self._is_passed_over():
            return course.story.take()
        course.read()
        self._do_without_clock(at)
        if not course.is_looked_at:
            read_on(course, at)
        for _ in range(MOST_STEPS):
            course.wake_at = math.inf
            if not self._step(at):
                break
        return course.story.take()

    def _do_without_clock(self, at: float) -> None:
        """Take it that no clock is used if it stands so early, and men are moved in turn.

        Each must have stood for a while: nobody tries out so much before a game.
        """
        course, shown = self._course, self._chain.shown
        clock, head = course.clock, self._chain.head.best
        if clock.state != "stopped" or head.ply > STILL_EARLY:
            return
        since = [stage for stage in shown if stage.since > clock.stopped_at]
        needed = PLIES_WITHOUT if head.ply <= TOO_EARLY else MORE_WITHOUT
        if len(since) < needed or any(stage.weak for stage in shown):
            return
        if all(stage.best.rest >= course.timing.in_doubt for stage in shown[:-1]):
            clock.becomes("none", at)

    def _is_passed_over(self) -> bool:
        """Whether the board still shows what it showed when a ruling made it mean nothing."""
        if self._passed_over is None:
            return False
        if self._passed_over == self._course.sight.shown:
            return True
        self._passed_over = None
        return False

    def _step(self, at: float) -> bool:
        """Decide one thing; true if the rest is to be looked at anew."""
        course, chain = self._course, self._chain
        if course.is_looked_at and play_on_from_before(course, at):
            return True
        if self._signal.watch(at) or self._looks_on(at):
            return False
        found = find_array(course, at)
        if found is not None:
            return found
        put_up = chain.match is None and is_put_up(course)
        righted = put_set_up_right(course, at) or find_unseen_man(course, at)
        righted = righted or put_right_before(course, at) or play_on_from_before(course, at)
        if righted or (not put_up and (restore(course, at) or reconsider(course, at))):
            return True
        if course.tried.retracing is not None:
            return carry_on(course, course.tried.retracing, at)
        if course.tried.searching:
            return search_on(course, at)
        if course.tried.rereading is not None:
            return go_on_reading(course, course.tried.rereading, at)
        if chain.match == 0:
            if doubt_gone(course, at):
                return True
            self._agree(at)
            return False
        return self._judge_shown(at, put_up=put_up)

    def _judge_shown(self, at: float, *, put_up: bool) -> bool:
        """Decide one thing about what is shown since the settled position."""
        course, chain, shown = self._course, self._chain, self._chain.shown
        explained = chain.match is not None or (course.dispute.move is None and not put_up)
        if explained and len(shown) > 1 and chain.stands(shown[-1]) and judge_reply(course, at):
            return True
        if chain.match is None:
            return judge_unexplained(course, at)
        if settle_given_up(course, at):
            return True
        return len(shown) == 1 and judge_candidate(course, shown[0], at)

    def _looks_on(self, at: float) -> bool:
        """Whether the game is looked at, or may be: what is shown is no move."""
        note_taken_back(self._course, at)
        looks_on = self._course.is_looked_at or is_taken_back(self._course)
        if looks_on:
            self._course.show(None)
        return looks_on

    def _agree(self, at: float) -> None:
        """The board shows the settled position: what was done since is undone."""
        course, self._agreed = self._course, True
        course.chain.missed = False
        if course.named and course.clock.state == "none":
            read_on(course, at)  # nothing happens before the next move is begun
        tell_taken_amiss(course)
        for colour, pressed in course.clock.presses():
            if course.due(pressed + course.timing.press_life, at):
                course.clock.forget(colour)
        course.show(None)
        if not tell_untold(course):
            course.dispute.untold = None
        if course.dispute.told:
            course.dispute = Dispute()
            if course.named:
                course.restored_at = course.sight.changed_at
            course.second.end()  # the illegal move was none of the game
            course.clock.forget(course.position.board.turn)
            course.story.tell(Explained())
