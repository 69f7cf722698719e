"""A whole game read by a beam that never ends.

As in :mod:`beam`, but what shows wrong for long says little more, the clock tells whose turn it
is, an illegal move may have been pressed and played on, and the record is kept among the readings
however unlikely it has become, so that the others can be compared with it.
"""

import math
from collections import deque
from itertools import accumulate, islice
from typing import NamedTuple

import chess

from bridge.core.inference.ahead import goes_back
from bridge.core.inference.beam import TOO_FAR, Beam, inverted
from bridge.core.inference.branch import AT_THE_END, rank_of
from bridge.core.inference.hypotheses import OTHER_MAN, Node
from bridge.core.inference.lines import leaves_of, lines_to
from bridge.core.inference.placement import BIT, difference
from bridge.core.inference.reachable import Reachable, Step
from bridge.core.inference.record import FRESH, Record, RecordedBranch
from bridge.core.inference.story import KEPT_POSITIONS

MOST_POSITIONS = 1000
"""Positions kept to be reached again."""
MOST_TOLD = 4
"""Readings with the moves of the record that are kept however unlikely they are."""

STALE = 0.03
"""What it costs then, of all."""
PAID_AT_MOST = 8.0
"""What nothing interrupts for longer says no more (s)."""
NO_PLAY = 8
"""With more wrong squares, what is shown where men have names is no play."""
PLAYED_ON = 7.0
"""What it takes to believe that an illegal move was pressed and played on."""
STOOD_ILLEGAL = 0.4
"""So long (s) a man must have stood where he may not go, if nobody was seen to press."""
OTHERS_TURN = 0.15
"""Cost a second: the clock runs for the player whose turn it is not ..."""
TURN_AT_MOST = 2.0
"""... for so long between two placements."""

PLIES_ALIKE = 6
"""Of readings that parted so many plies ago and come to one position nothing tells any more."""
JOINED = 4.0
"""The record is taken for the best of them, unless another one is better by so much."""

READMITTED = 4.0
"""By so much it is taken to be worse than the best, where it was lost and explains the board."""
READMITTED_NAMED = 1.0
"""The same where men have names, and hardly another line does."""
LOST_AGAIN = 1.0
"""By so much more each time."""

MOST_JUMPING = 4
"""Readings that are taken on over a time in which the board was not watched, ..."""
PLIES_JUMPED = 5
"""... by so many plies at most, ..."""
A_PLY_UNSEEN = 1.0
"""... each of which costs this."""

_NO_END = 10**9


class _Jump(NamedTuple):
    """Lines of *plies* plies from ``branch``, over a time in which nobody watched.

    ``rank``: what it cost when the board was watched last, with what was wrong then; ``lifted``:
    the men of who was to move that were in the air then. ``last``: shorter lines were found.
    """

    branch: RecordedBranch
    rank: float
    lifted: int
    plies: int = 1
    last: bool = False


class Whole(Beam[RecordedBranch]):
    """The readings of a game from *nodes* on; the first of them is what the record has."""

    def __init__(self, nodes: list[Node]) -> None:
        super().__init__(nodes[0], _NO_END)
        self._record = Record(nodes[0])
        self._changed: deque[tuple[float, int]] = deque()
        self._stale = chess.BB_ALL
        self._furthest = nodes[0].ply
        self._leads: tuple[float, float] | None = None
        self._behind = self._reordered = 0.0
        self._timed = False
        self._ahead: tuple[float, list[tuple[RecordedBranch, float]]] | None = None
        self._jumping = deque[_Jump]()
        self._branches = [self._begun(nodes[0], nodes[0].cost)]
        for rival in nodes[1:]:
            self._branches.append(self._begun(rival, rival.cost, parts=rival.ply))

    # -- what happens ------------------------------------------------------------------------------

    def shows(self, cells: str, at: float, *, unwatched: bool = False) -> None:
        """Let the board show *cells* from time *at* on; *unwatched*: it was not before.

        Then :meth:`jumps` is to be called until it returns false.
        """
        self._leads = None
        changed = difference(cells, self.shown)
        self._changed.append((at, changed))
        self._now = at
        if unwatched:
            # What was shown before stays unexplained by what was made meanwhile.
            likeliest = sorted(self._branches, key=rank_of)[:MOST_JUMPING]
            self._jumping.extend(
                _Jump(branch, branch.rank, branch.mask & branch.reached.own & self._empty)
                for branch in likeliest
            )
            self.take(cells)
        else:
            self.take(cells)
            if self._named:
                self._let_stand()
            self._go_on()

    def jumps(self) -> bool:
        """Add readings in which moves were made while nobody watched; return whether more wait.

        The shortest lines from each, and those of one ply more where a clock tells whose turn it
        is.
        """
        jump = self._jumping.popleft()
        made = self._lines_on(jump)
        self._branches = self._cheapest([*self._branches, *made])
        if not jump.last and jump.plies < PLIES_JUMPED and (self._timed or not made):
            self._jumping.append(jump._replace(plies=jump.plies + 1, last=bool(made)))
        if not self._jumping:
            self._go_on()
        return bool(self._jumping)

    def _go_on(self) -> None:
        if self._named and self._is_no_play:
            return
        self.go_on()
        if len(self.reachable) > MOST_POSITIONS:
            self._tidy()

    @property
    def _is_no_play(self) -> bool:
        """Whether so much is wrong in all readings that no moves are shown at all."""
        return all(branch.mask.bit_count() > NO_PLAY for branch in self._branches)

    def looks_ahead(self, until: float, turn: chess.Color | None) -> None:
        """Let time pass as long as nothing is told of it; what is told late may go back."""
        ahead = self._ahead or (self._now, [(branch, branch.cost) for branch in self._branches])
        self.passes(until, turn)
        self._ahead = ahead

    def _go_back(self) -> None:
        """Take back what was paid for time of which something is told late."""
        if self._ahead is not None:
            self._now, costs = self._ahead
            for branch, cost in costs:
                branch.cost = cost

    def passes(self, until: float, turn: chess.Color | None) -> None:
        """Let time pass, in which the clock runs for *turn*."""
        if until < self._now:
            self._go_back()
        self._ahead = None
        seconds = min(until - self._now, PAID_AT_MOST) if self._now > -math.inf else 0.0
        if seconds <= 0 or (self._named and self._is_no_play):
            return
        while self._changed and self._changed[0][0] <= self._now - FRESH:
            self._changed.popleft()
        self._stale = chess.BB_ALL
        for _, squares in self._changed:
            self._stale &= ~squares
        self._leads = None
        self.pay(seconds)
        self._now, self._timed = until, turn is not None
        if turn is not None:
            for branch in self._branches:
                if branch.reached.turn != turn:
                    branch.cost += OTHERS_TURN * min(seconds, TURN_AT_MOST)

    def pay(self, seconds: float) -> None:
        """Let the readings pay for *seconds* of what they do not explain."""
        fresh_for = min(seconds, FRESH) + STALE * max(0.0, seconds - FRESH)
        for branch in self._branches:
            if not branch.mask:
                continue
            stale = branch.mask & self._stale
            if self._now - branch.since < FRESH:
                stale &= ~branch.touched
            fresh = branch.mask & ~stale
            if fresh:
                branch.cost += self._rate(branch, fresh) * fresh_for
            if stale:
                branch.cost += self._rate(branch, stale) * STALE * seconds

    def hear(self, colour: chess.Color, following: int = 0) -> None:
        """Let the readings pay for a press of *colour* that completes no move of theirs."""
        self._leads = None
        illegal = self._with_illegal_moves(self._now, colour)
        super().hear(colour, following)
        if illegal:
            self._branches = self._cheapest([*self._branches, *illegal])

    def _let_stand(self) -> None:
        """Add the readings in which an illegal move was made that nobody was seen to press for.

        Its man must have stood there for a while, where men have names.
        """
        illegal = [] if self._is_no_play else self._with_illegal_moves(self._now - STOOD_ILLEGAL)
        if illegal:
            self._branches = self._cheapest([*self._branches, *illegal])

    def _with_illegal_moves(
        self, stood_from: float, colour: chess.Color | None = None
    ) -> list[RecordedBranch]:
        """Return the readings in which a man of *colour*, or of who is to move, moved illegally.

        He has stood where he went since *stood_from* or longer.
        """
        limit = min(map(rank_of, self._branches)) + TOO_FAR
        return [
            made
            for branch in self._branches
            if colour in (None, branch.reached.turn)
            if branch.rank - 2 * AT_THE_END + PLAYED_ON < limit
            for gone, came in self._elsewhere(branch)
            if self._stood_from(gone, came) <= stood_from
            if (made := self._with_illegal(branch, gone, came)) is not None
        ]

    def _elsewhere(self, branch: RecordedBranch) -> list[tuple[chess.Square, chess.Square]]:
        """Return which men of the player to move have gone to which squares where none should be.

        Where men have no names it must be the only one.
        """
        reached = branch.reached
        gone = branch.mask & reached.own & self._empty
        came = branch.mask & self._men[reached.turn] & ~reached.own
        if not gone or not came:
            return []
        if not self._named:
            only = gone.bit_count() == 1 and came.bit_count() == 1
            return [(chess.lsb(gone), chess.lsb(came))] if only else []
        return [
            (left, there)
            for there in chess.scan_forward(came)
            for left in chess.scan_forward(gone)
            if reached.cells[left] == self.shown[there]
        ]

    def _stood_from(self, gone: chess.Square, came: chess.Square) -> float:
        """Return since when a man has been shown to have gone from one square to another."""
        return max(self._changed_at[gone], self._changed_at[came])

    def _with_illegal(
        self, branch: RecordedBranch, gone: chess.Square, came: chess.Square
    ) -> RecordedBranch | None:
        """Return the reading in which a man went illegally from one square to another.

        A pawn that goes back along its file is put back, as by who takes moves back.
        """
        move, before = chess.Move(gone, came), branch.node
        if branch.reached.cells[came] in "Kk" or goes_back(before.position.board, gone, came):
            return None
        node = None if before.position.board.is_legal(move) else before.then_illegal(move)
        if node is None:
            return None
        node.since = self._stood_from(gone, came)
        made = self._begun(node, branch.cost + PLAYED_ON, parts=self._record.parts(branch, move))
        made.touches(BIT[gone] | BIT[came], node.since, branch)
        return made

    def _lines_on(self, jump: "_Jump") -> list[RecordedBranch]:
        """Return the readings that go on by the lines of *jump* to what is shown.

        Where men have names, the last one may only rest there, while his player thinks.
        """
        node, made = jump.branch.node, []
        cost = jump.rank - node.cost + A_PLY_UNSEEN * jump.plies
        lines = lines_to(node.position, self.shown, jump.plies)
        leaves = leaves_of(node, lines, None, math.inf)
        for leaf, line in zip(leaves, lines, strict=True):
            other = jump.lifted and not jump.lifted & BIT[line[0].from_square]
            asked = cost + (OTHER_MAN if other else 0.0)
            made.append(self._begun(leaf, asked + leaf.cost))
            if self._named and leaf.parent is not None and jump.plies > 1:
                made.append(self._begun(leaf.parent, asked - A_PLY_UNSEEN + leaf.parent.cost))
        return made

    # -- the record --------------------------------------------------------------------------------

    def follows(self, head: Node) -> None:
        """Take the plies up to *head* for the record."""
        if head is self._record.head:
            return
        self._leads = None
        if self._record.follows(head, self._branches):
            self._behind = self._reordered = 0.0
            self._furthest = max((b.ply for b in self._branches if b.agrees), default=0)

    @property
    def lead(self) -> float:
        """By how much the cheapest reading is better than the record; infinite: if unknown.

        What is still wrong is paid for.
        """
        return self._compared[0]

    @property
    def lead_beyond(self) -> float:
        """The same, where the record goes on by no more plies than it has."""
        return self._compared[1]

    @property
    def margin(self) -> float:
        """By how much the record is better than the best reading that parts with it."""
        record = others = math.inf
        for branch in self._branches:
            if not branch.agrees:
                others = min(others, branch.rank)
            elif branch.ply >= self._record.head.ply:
                record = min(record, branch.rank)
        return others - record if record < math.inf else -math.inf

    def margin_of(self, told: Node) -> float:
        """By how much the move of *told*, a ply of the record, is better than others in its place.

        Infinite: no other one is known, or it is not among the readings.
        """
        mine = others = math.inf
        for branch in self._branches:
            if branch.parts > told.ply or branch.move_at(told.ply) in (None, told.move):
                mine = min(mine, branch.rank)
            else:
                others = min(others, branch.rank)
        return others - mine if mine < math.inf else math.inf

    @property
    def _compared(self) -> tuple[float, float]:
        if self._leads is None:
            best = record = ends = math.inf
            for branch in self._branches:
                cost = branch.rank
                best = min(best, cost)
                if branch.agrees and branch.ply >= self._record.head.ply:
                    record = min(record, cost)
                    if branch.ply == self._record.head.ply:
                        ends = min(ends, cost)
            self._leads = record - best, ends - best
            if record < math.inf:
                self._behind = record - best
        return self._leads

    @property
    def accuses(self) -> float:
        """By how much a reading with an illegal move after the record is better than others."""
        illegal = others = math.inf
        for branch in self._branches:
            if branch.ply == self._record.head.ply + 1 and branch.is_illegal:
                illegal = min(illegal, branch.rank)
            else:
                others = min(others, branch.rank)
        return others - illegal if illegal < math.inf else -math.inf

    @property
    def explains(self) -> bool:
        """Whether the cheapest reading explains what is shown, but for men beside their squares."""
        best = min(self._branches, key=rank_of)
        return not best.mask & ~best.beside

    def readmit(self, head: Node, limit: float) -> bool:
        """Let the record, which was lost, be a reading again, unless that costs *limit*.

        If another line comes to the same position, it was lost as one is kept to each.
        """
        best = min(map(rank_of, self._branches))
        same = self._to_the_board_of(head)
        if same is None:
            least = READMITTED_NAMED if self._named else READMITTED
            self._behind = max(least, self._behind + LOST_AGAIN)
        else:
            self._reordered += LOST_AGAIN
            self._behind = same.rank - best + self._reordered + self._disorder_of_record(same)
        if self._behind >= limit:
            return False
        self._branches.append(self._begun(head, best + self._behind, parts=math.inf))
        self._ahead = None  # it was compared with what was paid
        self._furthest, self._leads = head.ply, None
        return True

    def _disorder_of_record(self, other: RecordedBranch) -> float:
        """Return what the order of the record costs by when its plies were made, as *other* has it.

        That has the same plies since it parted with the record.
        """
        told = self._record.moves_from(other.parts)
        made = dict(islice(other.plies_back(), len(told)))
        times = [made.get(move, math.inf) for move in told if move is not None]
        if len(made) < len(told) or math.inf in times:
            return 0.0
        before = accumulate(times, max, initial=-math.inf)
        return sum(inverted(latest - at) for latest, at in zip(before, times, strict=False))

    def _to_the_board_of(self, head: Node) -> RecordedBranch | None:
        """Return another reading that comes to the position of *head* by as many plies, if any."""
        reached = self.reachable.at(head.position)
        for branch in self._branches:
            if branch.reached is reached and branch.ply == head.ply and not branch.agrees:
                return branch
        return None

    # -- readings ----------------------------------------------------------------------------------

    def _begun(self, node: Node, cost: float, *, parts: float | None = None) -> RecordedBranch:
        parts = self._record.parts_of(node) if parts is None else parts
        reached = self.reachable.at(node.position)
        mask = difference(self.shown, node.position.shown)
        return RecordedBranch(node, reached, cost, mask, ply=node.ply, parts=parts)

    def _made(self, branch: RecordedBranch, step: Step, cost: float, mask: int) -> RecordedBranch:
        reached = self.reachable.after(step)
        parts = self._record.parts(branch, step.move)
        made = RecordedBranch(
            (branch, step.move), reached, cost, mask, ply=branch.ply + 1, parts=parts
        )
        made.touches(step.mask, self._now, branch)
        return made

    def _grown(self, branch: RecordedBranch) -> list[RecordedBranch]:
        """Return the readings that go on from *branch*; the record goes on at any cost."""
        if not branch.agrees or branch.ply < self._furthest - 1:
            return super()._grown(branch)
        limit, self._limit = self._limit, math.inf
        grown = [
            made for made in super()._grown(branch) if made.rank < limit or self._record.has(made)
        ]
        self._limit = limit
        return grown

    def _is_news(self, branch: RecordedBranch, step: Step, cost: float) -> bool:
        """Whether no reading leads where *step* does for *cost* or less, or the record might."""
        return branch.agrees or super()._is_news(branch, step, cost)

    def _cheapest(self, branches: list[RecordedBranch]) -> list[RecordedBranch]:
        """Return the readings worth keeping, and what goes furthest of the record."""
        kept = super()._cheapest(branches)
        told = [branch for branch in branches if self._record.has(branch)]
        if not told:
            return kept
        self._furthest = max(branch.ply for branch in told)
        told = [branch for branch in told if branch.ply >= self._furthest - 1]
        kept = self._join(kept, told) if self._named else kept
        known = {*kept}
        once = {branch.place: branch for branch in sorted(told, key=rank_of, reverse=True)}
        spare = [branch for branch in once.values() if branch not in known]
        return kept + sorted(spare, key=rank_of)[:MOST_TOLD]

    def _join(self, kept: list[RecordedBranch], told: list[RecordedBranch]) -> list[RecordedBranch]:
        """Return *kept* without readings that come where the record does, of *told*, by long ago.

        What they explained better it will never be asked again, so it costs no more than they.
        """
        gone = set[RecordedBranch]()
        for other in kept:
            if other.agrees or other.parts > other.ply - PLIES_ALIKE:
                continue
            for branch in told:
                same = branch.reached is other.reached and branch.mask == other.mask
                if same and branch.ply == other.ply and branch.cost < other.cost + JOINED:
                    branch.cost = min(branch.cost, other.cost)
                    gone.add(other)
        return [branch for branch in kept if branch not in gone] if gone else kept

    def _tidy(self) -> None:
        """Forget positions that no reading is at, nor the record."""
        before = self.reachable
        self.reachable = Reachable(self._branches[0].node.position, _NO_END)
        for branch in self._branches:  # all before any is forgotten that others go on from
            branch.reached = self.reachable.at(branch.node.position)
        for branch in self._branches:
            node: Node | None = branch.node
            for _ in range(KEPT_POSITIONS):
                node = node.parent if node is not None else None
            while node is not None and node.kept is not None:
                if node is not self._record.head:
                    node.forget()
                node = node.parent
        before.forget()
