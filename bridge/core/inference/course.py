"""The course of one game: what is settled, shown and pressed, and when to look again.

All that is known while a game is followed is kept here and shared by what decides about it:
candidates and replies, disturbed squares, moves nobody saw, illegal moves, the result signal.
Each of them ends in :meth:`Course.settle` or :meth:`Course.move_head`, where a move is published.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import chess

from bridge.core.inference.chain import Chain
from bridge.core.inference.clock import Clock
from bridge.core.inference.findings import Provisional, SeenPress, Unexplained
from bridge.core.inference.hypotheses import LOYALTY, Node, Stage, plies_of
from bridge.core.inference.lines import Line
from bridge.core.inference.placement import BIT, difference, occupied
from bridge.core.inference.position import Position
from bridge.core.inference.rereading import Rereading
from bridge.core.inference.retracing import Retracing
from bridge.core.inference.second import SecondReading
from bridge.core.inference.story import KEPT_POSITIONS, Story
from bridge.core.inference.timing import Timing, lasted
from bridge.core.model import Basis, Sensing

PAUSE = 0.01
"""The time between two parts of what takes long (s)."""
A_BLINK = 2.0
"""In a link that was lost for less nothing was missed if the board shows what it did before (s).

It counts from when the loss was noticed: in one that had been silent for a while moves might have
been made there and back, but few make them.
"""
PLIES_BACK = 2
"""So many plies taken back one after another are no slip: the game is looked at."""


@dataclass(slots=True)
class Tried:
    """What was tried to explain one placement: nothing is tried on it twice.

    ``tolerated``: how often squares that show something wrong were looked past. ``doubted``:
    the last plies were doubted once more before the verdict. ``retracing``, ``rereading``: what
    is going on of it. ``searching``: the lengths of lines that are still to be searched,
    ``lines``: what was found of the first of them.
    ``open``: several lines were found, of which play will tell one. ``arrays``: those of the 960
    that are still to be tried, the likeliest the last.
    ``sought``: how often a man whose square was guessed was looked for on others: soon, and
    after the press.
    """

    glanced: bool = False
    searched: bool = False
    overlooked: bool = False
    reread: bool = False
    retraced: bool = False
    retracing: Retracing | None = None
    rereading: Rereading | None = None
    searching: Sequence[int] = ()
    lines: list[list[tuple[Node, Line]]] = field(default_factory=list)
    arrays: list[int] | None = None
    open: bool = False
    doubted: bool = False
    reconsidered: bool = False
    tolerated: int = 0
    sought: int = 0


class Untold(NamedTuple):
    """What was completed against the rules and may yet be put right, on *squares* alone.

    All of them, if it cannot be judged yet. ``came``: those to which somebody came by it.
    ``after``: the move after which it was done, settled or only shown, where it is told only if
    it is given up.
    """

    what: Unexplained
    squares: int
    came: int
    after: Stage | None = None

    def answers(self, stage: Stage) -> bool:
        """Whether it was done after *stage*, which has not been away since."""
        after = self.after
        return after is not None and (after.shown, after.since) == (stage.shown, stage.since)


@dataclass(slots=True)
class Dispute:
    """A move that was completed and that no legal line explains.

    ``told``: it was told; ``judged``: what the board showed then; ``both``: the squares of two men
    of the mover who had gone elsewhere then, or king and rook, if they had; ``move``: what was
    attempted, if that is known; ``answer``: what the opponent answered to it. ``untold``: it is not
    told as long as its man may be put right.
    """

    told: bool = False
    untold: Untold | None = None
    judged: str = ""
    both: int = 0
    move: Stage | None = None
    answer: Stage | None = None

    def still(self, shown: str) -> bool:
        """Whether what was told is *shown* as it was judged, whatever was answered to two men."""
        judged, both = self.judged, self.both
        return judged == shown or (bool(both) and not difference(judged, shown) & both)

    @property
    def is_of_two(self) -> bool:
        """Whether what is not told yet was done with two men."""
        return self.untold is not None and self.untold.came.bit_count() > 1


class Course:
    """What is known of one game; ``named``: the board tells one man from another.

    ``wake_at``: when time alone may decide something. ``worked_at``: when something long went on.
    ``blind``: the link is lost, so that what the board shows now is not known. ``returned``: what
    it showed first when the link was back, at ``returned_at``, and ``sought``: for which such
    placement lines were looked for. ``restored_at``: when the settled position stood again after a
    move that no legal line explained, where men have names, or after one that was taken back;
    ``lifted``: the men of the side to move that were in the air when the link was lost, at
    ``lost_at``. ``told``: the moves that the board itself made out since the last settled one.
    ``guessed``: the plies whose man was put down where the board sees nothing, so that its square
    is a guess. ``doubted_at``: when the last plies were doubted, though the record stands.
    ``undone``: how many of them were taken back on the board one after another, the first at
    ``undone_at``. ``array``: the one of the 960 that is taken, where others may be meant as well;
    ``before``: the moves from there to the root of the record. ``meant``: the right start position,
    as long as a wrong set-up may still be put right.
    """

    def __init__(self, board: chess.Board, timing: Timing, sensing: Sensing) -> None:
        root = Node(None, None, Position(board, sensing))
        self.timing = timing
        self.named = sensing == "identity"
        self.chain = Chain(root)
        self.sight = self.chain.sight
        self.story = Story(root)
        self.clock = Clock()
        self.second = SecondReading(timing.scan, named=self.named)
        self.tried = Tried()
        self.dispute = Dispute()
        self.wake_at = math.inf
        self.worked_at = -math.inf
        self.blind = False
        self.returned = self.sought = root.position.shown
        self.returned_at = -math.inf
        self.restored_at = -math.inf
        self.lifted = 0
        self.lost_at = -math.inf
        self.told: Sequence[str] = ()
        self.guessed: list[Node] = []
        self.doubted_at = -math.inf
        self.undone = 0
        self.undone_at = math.inf
        self.array: int | None = None
        self.meant: chess.Board | None = None
        self.before: tuple[chess.Move, ...] = ()
        self._excluded = root, 0
        self._missed = self._unread = False
        self._provisional: chess.Move | None = None

    # -- what is asked of it -----------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The settled position."""
        return self.chain.head.best.position

    @property
    def pressed(self) -> float | None:
        """When the player to move pressed, if he did."""
        return self.clock.pressed(self.position.board.turn)

    @property
    def answered(self) -> float:
        """When his opponent was seen to press, minus infinity if he did not."""
        pressed = self.clock.pressed(not self.position.board.turn)
        return -math.inf if pressed is None else pressed

    @property
    def is_answered(self) -> bool:
        """Whether the answer to an illegal move stands, so that the move will stand as well."""
        answer = self.dispute.answer
        return answer is not None and not answer.weak and self.chain.stands(answer)

    @property
    def stands_illegal(self) -> bool:
        """Whether an illegal move was told that the board still shows, or that was answered."""
        illegal = self.dispute.move
        if self.dispute.still(self.sight.shown):
            return True
        return illegal is not None and (self.chain.stands(illegal) or self.is_answered)

    @property
    def is_looked_at(self) -> bool:
        """Whether the last plies were taken back, so that what is shown is none of the game."""
        return self.undone >= PLIES_BACK

    @property
    def away(self) -> int:
        """The squares on which a man should stand who is taken to be away."""
        sight = self.sight
        return sight.excused & self.position.board.occupied & ~occupied(sight.shown)

    @property
    def played(self) -> list[chess.Move]:
        """The moves of the record, from its array on."""
        moves = (node.move for node in plies_of(self.story.head, None))
        return [*self.before, *(move for move in moves if move is not None)]

    @property
    def excluded(self) -> int:
        """The arrays, a bit each, from which the record was found not to be legal."""
        head, arrays = self._excluded
        return arrays if self.story.head.at_ply(head.ply) is head else 0

    def exclude(self, array: int) -> None:
        """Take note that the record is not legal from *array*."""
        self._excluded = self.story.head, self.excluded | 1 << array

    def guess(self, node: Node) -> None:
        """Take note that the man of *node* may stand elsewhere."""
        self.guessed = [each for each in self.guessed if each.ply != node.ply]
        self.guessed.append(node)

    def is_guess(self, node: Node) -> bool:
        """Whether the man of *node* was put down where the board sees nothing."""
        return any((guess.ply, guess.move) == (node.ply, node.move) for guess in self.guessed)

    def due(self, when: float, at: float) -> bool:
        """Whether *when* has come; if not, be woken then."""
        if at >= when:
            return True
        self.wake_at = min(self.wake_at, when)
        return False

    def may_work(self, at: float) -> bool:
        """Whether something that takes long may go on; once at a time, that no reading is late."""
        if not self.due(self.worked_at + PAUSE, at):
            return False
        self.worked_at = at
        return True

    # -- the board ---------------------------------------------------------------------------------

    def sees(self, cells: str, at: float) -> None:
        """Take another placement, shown from time *at* on."""
        if self._unread and at >= self.sight.changed_at + self.timing.scan:
            self.read()
        self.leave(at)
        self.sight.take(cells, at, scan=self.timing.scan, read_out=self.blind)
        self._unread = True
        if self.clock.state != "stopped" and not self.is_looked_at:
            self.second.shows(cells, at)

    def returns(self, cells: str, at: float) -> None:
        """Take what is shown when the link is back, which is what was shown when it was lost.

        In a moment nobody has moved, and the other one, and both of them back.
        """
        if at < self.lost_at + A_BLINK:
            self.chain.missed &= self._missed
        if self.clock.state != "stopped" or self.lost_at < self.clock.stopped_at:
            self.second.shows(cells, at)

    def leave(self, at: float) -> None:
        """The placement is shown no longer."""
        if not (self.blind or self._unread):
            self.chain.leave(at)

    def lose(self, at: float) -> None:
        """The link is lost: what the board shows is not known, and moves may be made unseen."""
        if not self.blind:
            self.lost_at, self._missed = at, self.chain.missed
            men = self.position.board.occupied_co[self.position.board.turn]
            self.lifted = (
                men & self.sight.differs(self.position.shown) & ~occupied(self.sight.shown)
            )
        self.blind = self.chain.missed = True

    def scanned(self, at: float) -> bool:
        """Whether the squares that changed together have all been told; if not, be woken then."""
        return not self._unread or self.due(self.sight.changed_at + self.timing.scan, at)

    def read(self) -> None:
        """Look at the placement, once the squares that changed together have all been told."""
        if self._unread:
            self._unread = False
            self.tried = Tried()
            if self.away:
                self._believe_moved()
            self.chain.compare()

    def _believe_moved(self) -> None:
        """Believe again that those have left who were looked past, and are shown elsewhere now.

        Where men have no names, one more has come than has left then, and he is the only one who is
        away and left in this turn.
        """
        sight, cells, away = self.sight, self.position.cells, self.away & ~self.sight.blind
        left, came = sight.left_and_came(sight.differs(self.position.shown))
        if not self.named:
            away = sight.emptied_since(away, self.chain.head.since)
            if len(came) == len(left) + 1 and away.bit_count() == 1:
                sight.believe(chess.lsb(away))
            return
        for square in came:
            man = sight.shown[square]
            homes = [home for home in chess.scan_forward(away) if cells[home] == man]
            if len(homes) == 1 and all(cells[home] != man for home in left):
                sight.believe(homes[0])

    # -- settling ----------------------------------------------------------------------------------

    def show(self, node: Node | None) -> None:
        """Tell that the move of *node* stands, or that none does; once."""
        move = None if node is None else node.move
        if move != self._provisional:
            self._provisional = move
            before = self.chain.head.best if node is None or node.parent is None else node.parent
            self.story.tell(Provisional(before.position.board, move))

    def settle(self, basis: Basis, because: str, at: float) -> bool:
        """Settle the first move that is shown."""
        stage = self.chain.shown.pop(0)
        self._prefer_answered(stage)
        told = self.story.head
        loyal = min(stage.nodes, key=lambda node: node.parent is not told)
        if loyal.parent is told and loyal.cost <= stage.best.cost + LOYALTY:
            stage.nodes.sort(key=lambda node: node is not loyal)
        stood = self.chain.stands(stage) or stage.until < at
        rest = lasted(stage.since, min(at, stage.until)) if stood else 0
        stage.best.rest = max(stage.best.rest, rest)
        if self.named and self.dispute.told:
            self.second.end()  # the illegal move was put right, and is none of the game
        untold = self.dispute.untold
        self.move_head(stage, basis, because, at)
        if untold is not None and untold.answers(stage):
            self.dispute.untold = untold._replace(after=self.chain.head)
        return True

    def _prefer_answered(self, stage: Stage) -> None:
        """Believe that reading of *stage* from which the reply, if it stands, is the likeliest."""
        reply = self.chain.shown[0] if self.chain.shown else None
        if len(stage.nodes) == 1 or reply is None or reply.weak or not self.chain.stands(reply):
            return
        answered = [node.parent for node in reply.nodes]
        stage.nodes.sort(key=lambda node: answered.index(node) if node in answered else math.inf)

    def move_head(
        self, stage: Stage, basis: Basis, because: str, at: float, *, more: int = 0, why: str = ""
    ) -> None:
        """Publish the best reading of *stage* and go on from it.

        *more* plies are known to follow; *why*: the reason if published plies are withdrawn.
        """
        told = self.story.head
        heard = None if told.pressed is None else self.clock.counted_since(told.pressed)

        def press(node: Node, mover: chess.Color, following: int) -> SeenPress:
            node.at = at
            if node is stage.best and stage.mask:
                node.since = stage.since
            elif node.since == -math.inf:
                node.since = self._stood_from(node, at) if self.chain.missed else at
            node.missed = self.chain.missed
            left = None if heard is None else heard - (node.ply - told.ply - 1)
            return self.clock.press_of(node, mover, following + more, left)

        unsure = bool(why) or basis == "gap" or not self.named
        why = why or "play that followed shows that another piece was taken or promoted"
        self.story.advance(stage.best, basis, because, press, why=why, unsure=unsure, more=more)
        self.chain.head = stage
        stage.weak = False
        turn = self.position.board.turn
        # Nobody presses for his move before the press that began his turn, if that was seen.
        gap = more or stage.best.missed
        turned = -math.inf if gap else stage.best.pressed or -math.inf
        self.clock.forget_before(turn, max(turned, stage.since - self.timing.press_life))
        best = stage.best.cost
        for node in [*stage.nodes, *(node for later in self.chain.shown for node in later.nodes)]:
            node.cost -= best
        self.sight.trust(stage.shown)
        if self.named:
            self._believe_come()
        self._went_on()

    def _believe_come(self) -> None:
        """Believe again that those have come who were looked past, if they have left since.

        By another record somebody else had gone there, who was taken to be misread.
        """
        sight, cells = self.sight, self.position.cells
        left, _ = sight.left_and_came(sight.differs(self.position.shown))
        strange = sight.excused & occupied(sight.shown) & ~self.position.board.occupied
        for square in chess.scan_forward(strange):
            man, came = sight.shown[square], sight.changed[square]
            if any(cells[home] == man and sight.emptied[home] <= came for home in left):
                sight.believe(square)

    def _stood_from(self, node: Node, at: float) -> float:
        """Return since when the board shows the unseen move of *node*, or *at* if it does not."""
        own = node.target | (BIT[node.move.from_square] if node.move else 0)
        if self.sight.differs(node.position.shown) & own:
            return at
        before = -math.inf if node.parent is None else node.parent.since
        since = max(before, self.sight.last_change(own))
        return min(since, at) if since > -math.inf else at

    def restart(
        self,
        board: chess.Board,
        ply: int | None = None,
        moves: Sequence[chess.Move] | None = None,
    ) -> None:
        """Go on from *board*; *ply*: if not after the last one.

        *moves*: those that lead there from the start position, if they are known.
        """
        root = Node(None, None, Position(board, self.position.sensing))
        root.ply = self.story.head.ply if ply is None else ply
        root.since = self.sight.changed_at
        self.story.restart(root)
        self.guessed.clear()
        self.take_array(None if moves is None else self.array)
        self.meant = None
        self.before, self._excluded = tuple(moves or ()), (root, 0)
        self._stand_at(root, self.sight.changed_at)

    def take_array(self, array: int | None) -> None:
        """Take it that play began from *array*, which is but one that may be meant; None: known."""
        self.array = array
        self.second.keeps = array is not None

    def play_again(
        self, plies: Sequence[Node], board: chess.Board, shown: Chain, *, array: int | None = None
    ) -> None:
        """Let the record be *plies*, its root first: the same moves from another start, *board*.

        *shown*: how what is shown looks after them. *array*: its number, if others may be meant.
        """
        for old in plies[:-KEPT_POSITIONS]:
            old.forget()
        excluded = self.excluded
        self.meant = None
        self.story.begins_otherwise(plies[-1], board)
        self._excluded = plies[-1], excluded
        self.chain.becomes(shown)
        self.guessed.clear()
        self.second.begin_again(plies)
        self.take_array(array)
        self._provisional = None
        self.dispute, self.tried = Dispute(), Tried()

    def go_back(
        self, node: Node, reason: str, *, since: float | None = None, unsure: bool = False
    ) -> None:
        """Withdraw, for *reason*, what followed the ply *node*, whose position stands again.

        *since*: from when on, if it is not what is shown now. *unsure*: somebody should look at it.
        """
        self.story.withdraw(reason, self.story.head.ply - node.ply, unsure=unsure)
        self.restored_at = self.sight.changed_at if since is None else since
        self.guessed = [guess for guess in self.guessed if guess.ply <= node.ply]
        self._stand_at(node, self.restored_at)

    def _stand_at(self, node: Node, since: float) -> None:
        """Let *node* be what is settled, and shown *since* then, with no press to come for it."""
        self.chain.head, self.chain.shown = Stage([node], 0, since), []
        self.clock.forget_all()
        self.second.end()
        self._went_on()

    def _went_on(self) -> None:
        """The head is another position: look at the board anew."""
        self._provisional = None
        self.dispute, self.tried = Dispute(), Tried()
        self.undone, self.undone_at = 0, math.inf
        self.chain.missed = False
        self.chain.astray = 0
        self.chain.compare()
