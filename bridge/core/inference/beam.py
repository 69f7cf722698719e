"""Readings of a game kept side by side, while what the board shows is gone through.

Each reading pays for the time during which squares show something else than its position, so
that a man that only rested on its way costs what it rested, and a reading that misses a move pays
on and on. What is equally wrong in all readings, such as a dead square, does not count.
"""

import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from copy import copy
from functools import cache
from typing import Generic, TypeVar

import chess

from bridge.core.inference.ahead import NO_ANSWER, SLID_THERE
from bridge.core.inference.branch import AT_THE_END, PASSING, Branch, Reading, rank_of
from bridge.core.inference.hypotheses import (
    EN_PASSANT,
    OUT_OF_ORDER,
    PROMOTION,
    TOGETHER,
    UNSEEN_CAPTURE,
    Node,
)
from bridge.core.inference.noise import CASTLES, GHOST, MISREAD, NOT_LEFT, goes_towards
from bridge.core.inference.placement import BIT, EMPTY, difference, way, with_changes
from bridge.core.inference.reachable import Reachable, Reached, Step, unhindered
from drivers.events import UNNAMED, UNREADABLE

MOST_READINGS = 16
"""Readings kept side by side."""
MOST_UNNAMED = 24
"""The same where men have no names, which leaves more open."""
TOO_FAR = 10.0
"""A reading that costs so much more than the best one is dropped."""
COMPARED = 3.0
"""What a capture leaves hanging is asked of readings that cost no more than this beyond the best:
it takes long."""
PLIES_AT_ONCE = 2
"""Plies that may be complete in one placement."""
A_MOVE = 1.2
"""What it takes to believe in a move at all."""
UNSEEN_EXCHANGE = 1.5
"""A man took and was taken between two placements."""
TAKES_LAST = 0.5
"""Of what an unseen capture is implausible by, if it takes the man that moved last."""
TAKEN_UNSEEN = 2.5
"""A man went to an empty square and was taken there between two placements."""
STANDS_UNSEEN = 4.5
"""A man went to a square that shows nothing ..."""
OUT_OF_SIGHT = 3.0
"""A man was shown where he went, and stands there though his square ceased to show him."""
NO_NAME = 1.5
"""... by so much more where men have no names: it may as well have taken somebody, ..."""
FROM_THE_CENTRE = 0.2
"""... by so much more for each step from the centre: that is where men go, ..."""
KNOWN_DEAD = 2.0
"""... by so much less, if that square was found to see nothing before, ..."""
VICTIM_LIFTED = 2.5
"""... and by so much less, if the victim was taken off it before he left."""
STOOD_THERE = 0.4
"""So long a man must have been seen where he was taken, not to stand unseen elsewhere (s)."""

IN_HAND = 0.15
"""Cost a second: a man of the side to move is away, as it is while its player thinks."""
AWAY = 0.9
"""Cost a second: any other man is away."""
RESTING = 0.6
"""Cost a second: it rests on another square, while he thinks again; or a victim beside his."""
STRANGER = 1.4
"""Cost a second: a man stands where none should, or another one than should."""
SEEN_AFTER_ALL = 1.5
"""More, if he is like one with a name who is taken to stand unseen elsewhere."""
HELD = 2.0
"""A player moved while he had another man in hand, which he had taken up before, ..."""
LONG_HELD = 4.0
"""... but not so long before that it has nothing to do with it (s)."""
GOES_ON = 3.0
"""A man moved twice, and was where his first move leads for a moment only (``PASSING``)."""
ON_BOTH = 2.0
"""A man is still shown where he came from, beside the square on which he stands."""
BESIDE = 6.0
"""A man was put down so badly that the next square shows him, not the one to which he went, ..."""
PUT_BESIDE = 1.0
"""... within so long after he came there (s), ..."""
LIES_BESIDE = 0.3
"""... and a second that he stands so, or that a man is read as another one."""
ROOK_UNSEEN = 1.5
"""When its king castled the rook is not seen where it belongs, ..."""
WAITS = 0.5
"""... or, as a pawn taken in passing, has not left its square yet; where men have names."""
KING_UNSEEN = 2.5
"""The rook of castling is seen where it belongs, but the king neither there nor where he was."""
KING_STAYS = 3.0
"""The king has castled, and is shown on the square that he left as well, or another man is."""
UNMOVED = 2.0
"""A player pressed who had not moved: it may be an early press, or a late one."""
STOOD = 2.0
"""More, if he had moved, and nothing but this move was shown, where men have names."""
NOT_STANDING = 2.0
"""A player pressed, and the man that he moved was not on its square any more."""
ANOTHER_OUT = 1.5
"""A player pressed, and another man of his stood elsewhere by then."""
SECOND_MAN = 10.0
"""A man had gone elsewhere some time before the move was begun that he would answer."""
UNPRESSED = 1.5
"""A move was answered that nobody was seen to press for, ..."""
ANSWERED_LATE = 1.5
"""... so long after it was made that a press would have been read (s)."""
MOST_EXPLAINED = 4
"""Squares that one ply may explain: castling."""
OVERLAP = 1.0
"""So long before a ply was complete its answer may have begun (s)."""
MOST_EMPTIED = 32
"""Placements kept in which squares became empty."""
MOST_GONE_BY = 8
"""Men kept who have left a square where they were shown."""
BEGUN_EARLY = 1.0
"""The answer was begun before the move was complete, by :data:`TOGETHER` or more."""
OFF_THE_WAY = 1.5
"""A man went on from a square that shows nothing, and was shown elsewhere than on his way; or he
went there, and was shown elsewhere last."""

_CENTRE = (chess.D4, chess.E4, chess.D5, chess.E5)
_EN_PASSANT_SQUARES = 3
_VAGUE = (UNNAMED, UNREADABLE)
"""May be anybody's man."""


@cache
def _apart(square: chess.Square) -> int:
    """Return how many steps *square* is from the four in the centre."""
    return min(chess.square_distance(square, centre) for centre in _CENTRE)


def _double_step(reached: Reached, origin: chess.Square) -> tuple[int, int]:
    """Return the square that a pawn on *origin* passes by its double step, and where it ends."""
    rank = 1 if reached.turn else 6
    if reached.cells[origin] not in "Pp" or origin >> 3 != rank:
        return 0, 0
    step = 8 if reached.turn else -8
    return BIT[origin + step], BIT[origin + 2 * step]


def inverted(seconds: float, cost: float = OUT_OF_ORDER) -> float:
    """Return what it costs that something was seen *seconds* before what it is taken to follow.

    It is *cost*, or less, in proportion, if it was less than :data:`TOGETHER` before.
    """
    return cost * min(1.0, seconds / TOGETHER) if seconds > 0 else 0.0


def completed_by(branch: Branch, colour: chess.Color, following: int) -> int:
    """Return the ply of *branch* that *colour* completes by a press that *following* more follow.

    It is the one to come where he has made none.
    """
    return branch.ply - following + ((branch.reached.turn == colour) == (following % 2 == 0))


def _may_answer_on(reached: Reached, man: str, square: chess.Square) -> bool:
    """Whether such a *man* of the player who is not to move may go to *square*."""
    return any(
        reached.cells[origin] == man and unhindered(man, origin) & BIT[square]
        for origin in chess.scan_forward(reached.theirs)
    )


AnyBranch = TypeVar("AnyBranch", bound=Branch)


class Beam(ABC, Generic[AnyBranch]):
    """The readings kept side by side, and what the board shows meanwhile.

    ``reachable``: the positions that they share. Who derives from it begins with some readings.
    """

    def __init__(self, start: Node, work: int, dead: int = 0) -> None:
        """Begin with *start*; *work* is what :class:`Reachable` may look up.

        Squares that are *dead* show nothing, whatever stands on them.
        """
        self._named = start.position.sensing == "identity"
        self._hides = start.position.sensing == "occupancy"
        self._most = MOST_READINGS if self._named else MOST_UNNAMED
        position = start.position
        self.reachable = Reachable(position, work)
        self._chess960 = position.board.chess960
        self._branches: list[AnyBranch] = []
        self._limit = self._best = math.inf
        self._least: dict[tuple[Reached, int], float] = {}
        self.shown = EMPTY * 64
        self._empty = chess.BB_ALL
        self._changed_at = [-math.inf] * 64
        self._stood = [(EMPTY, -math.inf)] * 64
        self._emptied: deque[tuple[float, int]] = deque(maxlen=MOST_EMPTIED)
        self._gone_by: deque[tuple[float, chess.Square, str]] = deque(maxlen=MOST_GONE_BY)
        self._flashed: deque[tuple[float, int]] = deque(maxlen=MOST_GONE_BY)
        self._now = self._bunched_at = self._heard_at = -math.inf
        self._men = [0, 0]
        self._dead = dead
        self._pressed_before = start.ply - 1  # the start's own press may come late
        self.take(with_changes(position.shown, [(at, EMPTY) for at in chess.scan_forward(dead)]))

    @property
    def width(self) -> int:
        """How many readings are kept just now."""
        return len(self._branches)

    def take(self, shown: str) -> None:
        """Let the board show *shown*."""
        news, before = difference(shown, self.shown), self.shown
        self.shown = shown
        for square in chess.scan_forward(news):
            letter, bit = shown[square], BIT[square]
            if before[square] != EMPTY:
                self._left(square, before[square])
            self._note(letter, bit)
            if letter != EMPTY:
                self._dead &= ~bit
            if self._changed_at[square] == self._now:
                self._bunched_at = self._now
            self._changed_at[square] = self._now
            for branch in self._branches:
                if branch.reached.shown[square] == letter:
                    branch.mask &= ~bit
                else:
                    branch.mask |= bit
        if self._hides and news & self._empty:
            self._emptied.appendleft((self._now, news & self._empty))

    def _left(self, square: chess.Square, man: str) -> None:
        """Note that *man* is not shown on *square* any more."""
        if self._now >= self._changed_at[square] + STOOD_THERE:
            self._stood[square] = man, self._now
        if self._named:
            self._gone_by.appendleft((self._now, square, man))
        elif self._now < self._changed_at[square] + PASSING:
            self._flashed.appendleft((self._now, BIT[square]))

    def _note(self, letter: str, bit: int) -> None:
        """Note whose man the *letter* may be that the square *bit* shows."""
        for colour in chess.COLORS:
            may_be = letter != EMPTY and (letter in _VAGUE or letter.isupper() == colour)
            self._men[colour] = self._men[colour] & ~bit | (bit if may_be else 0)
        self._empty = self._empty & ~bit | (bit if letter == EMPTY else 0)

    def go_on(self) -> None:
        """Add the readings in which moves were completed with this placement."""
        newest = self._branches
        self._least = {}
        for _ in range(PLIES_AT_ONCE):
            for branch in newest:
                place = branch.reached, branch.ply
                self._least[place] = min(branch.cost, self._least.get(place, math.inf))
            ranks = sorted(map(rank_of, self._branches))
            self._best = ranks[0]
            self._limit = self._best + TOO_FAR
            if len(ranks) >= self._most:
                self._limit = min(self._limit, ranks[self._most - 1])
            newest = [child for branch in newest for child in self._grown(branch)]
            if not newest:
                break
            self._branches = self._cheapest([*self._branches, *newest])
            kept = {*self._branches}
            newest = [branch for branch in newest if branch in kept]

    def _cheapest(self, branches: list[AnyBranch]) -> list[AnyBranch]:
        """Return the readings worth keeping, each position once at each ply."""
        kept: dict[tuple[Reached, int, int], AnyBranch] = {}
        branches = sorted(branches, key=rank_of)
        worst = branches[0].rank + TOO_FAR
        for branch in branches:
            if branch.rank > worst or len(kept) == self._most:
                break
            kept.setdefault(branch.place, branch)
        return [*kept.values()]

    def _grown(self, branch: AnyBranch) -> list[AnyBranch]:
        """Return the readings that go on from *branch* with what is shown."""
        reached, colour = branch.reached, branch.reached.turn
        if not branch.mask or branch.rank - AT_THE_END * MOST_EXPLAINED + A_MOVE >= self._limit:
            return []
        gone = reached.own & self._empty
        grown: list[AnyBranch] = []
        if self._named and branch.target & branch.mask & self._empty & ~branch.beside:
            grown += self._put_beside(branch)
            grown += self._out_of_sight(branch)
        came = self._men[colour]
        if self._named:
            came |= branch.mask & ~self._empty  # it may be read as another man
        came &= ~reached.own
        origins = gone | self._on_both(reached, branch.mask & came)
        if origins and came:
            grown += self._children(branch, origins, came)
        if self._named and (strangers := came & branch.mask):
            grown += self._shown_amiss(branch, gone, strangers)
        elif not self._named and gone & reached.castling:
            grown += self._castled_unseen(branch)
        home = chess.BB_RANK_1 if colour else chess.BB_RANK_8
        if self._chess960 and branch.mask & home and (rooks := reached.castling & home):
            # Castling may leave the king where it is, or bring it to where the rook was.
            king = reached.cells.find("K" if colour else "k")  # who may have been taken
            grown += self._children(branch, BIT[king], rooks) if king >= 0 else []
        taken = reached.theirs & self._empty
        came = self._men[not colour] & (reached.theirs | branch.mask & ~reached.own)
        if gone and taken and came:
            grown += self._exchanges(branch, gone, came, taken)
        answer = self._men[not colour] & branch.mask & ~reached.theirs
        if self._named and answer and taken & branch.mask:
            came_at = max(self._changed_at[square] for square in chess.scan_forward(answer))
            grown += self._unseen(branch, came_at, answer)
        return grown

    def _shown_amiss(self, branch: AnyBranch, gone: int, strangers: int) -> Iterator[AnyBranch]:
        """Return the readings in which *strangers* do not show all of who came, or of who left."""
        if gone:
            yield from self._badly_placed(branch, gone, strangers)
        yield from self._not_left(branch, strangers)
        if gone & branch.reached.castling:
            yield from self._castled_unseen(branch)

    def _on_both(self, reached: Reached, came: int) -> int:
        """Return the squares of men who are shown there and on one of *came* beside it as well."""
        origins = 0
        for target in chess.scan_forward(came):
            for origin in chess.scan_forward(chess.BB_KING_ATTACKS[target] & reached.own):
                if self.shown[origin] != reached.shown[origin]:
                    continue
                if self._is_on_both(origin, target):
                    origins |= BIT[origin]
        return origins

    def _is_on_both(self, one: chess.Square, other: chess.Square) -> bool:
        """Whether a man came to be shown on two neighbouring squares together."""
        if self.shown[one] != self.shown[other] or not chess.BB_KING_ATTACKS[one] & BIT[other]:
            return False
        return abs(self._changed_at[one] - self._changed_at[other]) < TOGETHER

    def _unseen(self, branch: AnyBranch, until: float, answer: int = 0) -> Iterator[AnyBranch]:
        """Return the readings in which a man that has gone stands on a square that shows nothing.

        That takes something after it, at the time *until*: a press, or the opponent's move to one
        of the squares *answer*.
        """
        reached = branch.reached
        least = branch.cost + A_MOVE + STANDS_UNSEEN + (0.0 if self._named else NO_NAME)
        targets = self._empty & ~reached.own
        if branch.unseen:  # of one man at a time; another one may take him there
            targets &= branch.unseen
        if not targets:
            return
        known = self._dead | branch.unseen
        strange = branch.mask & ~self._empty & ~reached.own
        strangers = {self.shown[square] for square in chess.scan_forward(strange)}
        strange &= ~self._answers_on(reached, answer)
        for origin in chess.scan_reversed(reached.own & self._empty & branch.mask):
            if self._changed_at[origin] > until or reached.cells[origin] in strangers:
                continue
            if self._has_stood_on(reached, origin, answer):
                continue
            # It is rather the man that is seen there, read as another one; or the rook of castling.
            seen = bool(self.reachable.steps(reached, origin, strange))
            for step in self.reachable.steps(reached, origin, targets):
                if seen and not step.castles:
                    continue
                cost = least + self._hidden(branch, step)
                cost -= KNOWN_DEAD if step.target & known else 0.0
                worth = self._is_worth(branch, step, cost)
                cost += step.loses if worth else 0.0  # which takes long to tell
                if worth and self._is_worth(branch, step, cost):
                    yield self._child(branch, step, cost, unseen=step.target)

    def _hidden(self, branch: AnyBranch, step: Step) -> float:
        """Return what it costs that the man of *step* is seen neither on his way nor at its end."""
        reached, move = branch.reached, step.move
        cost = _apart(move.to_square) * FROM_THE_CENTRE
        shown = self._shown_on(branch, move.from_square, self._changed_at[move.from_square])
        cost += self._off_the_way(move, shown[:1])  # a hand need not go straight
        if self._named and (others := reached.own & self._empty & ~step.mask):
            cost += self._holding(branch, step, others)
        if step.target & reached.theirs and self._emptied_before(move):
            cost -= VICTIM_LIFTED
        return cost

    def _castled_unseen(self, branch: AnyBranch) -> Iterator[AnyBranch]:
        """Return the readings in which who castled put the king where the board sees nothing."""
        reached, cost = branch.reached, branch.cost + A_MOVE + KING_UNSEEN
        king = reached.cells.find("K" if reached.turn else "k")  # who was taken by an illegal move
        if king < 0 or branch.unseen or not BIT[king] & self._empty:
            return  # one man at a time
        for step in self.reachable.steps(reached, king, chess.BB_RANKS[king >> 3]):
            hidden = [at for at, letter in step.letters if self.shown[at] != letter]
            came = [at for at, letter in step.changes if letter in "Kk"]
            if not (step.castles and hidden and hidden == came):
                continue
            if BIT[hidden[0]] & self._empty and self._is_worth(branch, step, cost):
                yield self._child(branch, step, cost, unseen=BIT[hidden[0]])

    def _has_stood_on(self, reached: Reached, origin: chess.Square, squares: int) -> bool:
        """Whether the man who left *origin* stood on one of *squares* since, and does no more."""
        man, left = reached.cells[origin], self._changed_at[origin]
        for square in chess.scan_forward(squares):
            stood, until = self._stood[square]
            if stood == man and until > left and reached.cells[square] != man:
                return True
        return False

    def _emptied_before(self, move: chess.Move) -> bool:
        """Whether the square where *move* leads was emptied before its man left."""
        return self._changed_at[move.to_square] < self._changed_at[move.from_square]

    def _invisible(self, branch: AnyBranch) -> Iterator[AnyBranch]:
        """Return the readings in which the man that stands unseen took one: nothing shows that."""
        reached = branch.reached
        for origin in chess.scan_reversed(branch.unseen & reached.own):
            for step in self.reachable.steps(reached, origin, reached.theirs & ~self._empty):
                cost = branch.cost + A_MOVE + UNSEEN_CAPTURE + step.seldom
                if self._is_worth(branch, step, cost):
                    yield self._child(branch, step, cost)

    def _children(self, branch: AnyBranch, origins: int, targets: int) -> Iterator[AnyBranch]:
        """Return the readings one move on whose men stand where they are shown."""
        bound, mask = branch.cost + A_MOVE, branch.mask
        # What need not be looked up is not: captures that cost too much, moves that lead nowhere.
        least = branch.rank - AT_THE_END + A_MOVE
        emptied = self._emptied_for(branch) if self._hides else 0
        if self._hides and least + UNSEEN_CAPTURE >= self._limit:
            targets &= ~branch.reached.theirs | emptied
        for origin in chess.scan_reversed(origins):
            back = branch.came_from(origin) if branch.unseen & BIT[origin] else 0
            for step in self.reachable.steps(branch.reached, origin, targets & ~back):
                if step.mask & mask and self._is_news(branch, step, bound):
                    left = AT_THE_END * (mask & ~step.mask).bit_count()
                    cost = branch.cost + self._asked(branch, step, emptied, self._limit - left)
                    if cost + left < self._limit and self._is_news(branch, step, cost):
                        yield self._child(branch, step, cost)

    def _badly_placed(self, branch: AnyBranch, origins: int, came: int) -> Iterator[AnyBranch]:
        """Return the readings in which a man went to a square beside the one of *came* he is on."""
        reached, cost = branch.reached, branch.cost + A_MOVE + BESIDE
        if branch.rank + A_MOVE + BESIDE >= self._limit:
            return
        for there in chess.scan_forward(came):
            near = chess.BB_KING_ATTACKS[there] & self._empty & ~reached.own
            for origin in chess.scan_reversed(origins & ~BIT[there]):
                if reached.cells[origin] != self.shown[there]:
                    continue
                for step in self.reachable.steps(reached, origin, near):
                    if step.plain and self._is_worth(branch, step, cost):
                        made = self._child(branch, step, cost)
                        made.beside |= step.target | BIT[there]
                        yield made

    def _put_beside(self, branch: AnyBranch) -> Iterator[AnyBranch]:
        """Return the reading in which the last man was put beside his square as he came there."""
        target = chess.lsb(branch.target)
        strangers = branch.mask & ~self._empty & chess.BB_KING_ATTACKS[target]
        for there in chess.scan_forward(strangers):
            soon = self._changed_at[there] <= branch.since + PUT_BESIDE
            if soon and self.shown[there] == branch.reached.cells[target]:
                made = copy(branch)
                made.beside |= branch.target | BIT[there]
                made.cost += BESIDE
                yield made

    def _out_of_sight(self, branch: AnyBranch) -> Iterator[AnyBranch]:
        """Return the reading in which the last man stands where his square ceased to show him.

        He had stood there, and the next player takes up a man by now. Nobody pressed since: else he
        was rather put down elsewhere before that.
        """
        begun = branch.reached.own & self._empty & branch.mask
        gone_at = self._changed_at[chess.lsb(branch.target)]
        if not begun or branch.unseen or gone_at < max(branch.since + NO_ANSWER, self._heard_at):
            return
        made = copy(branch)
        made.mask &= ~branch.target
        made.unseen = made.lost = branch.target
        made.cost += OUT_OF_SIGHT
        yield made

    def _not_left(self, branch: AnyBranch, came: int) -> Iterator[AnyBranch]:
        """Return the readings in which a man went to a square of *came* and left something behind.

        The square that he left goes on showing him, or shows another man.
        """
        reached = branch.reached
        if branch.rank - AT_THE_END + A_MOVE + KING_STAYS >= self._limit:
            return
        stayed = reached.own & ~self._empty
        lifted = {reached.cells[at] for at in chess.scan_forward(reached.own & self._empty)}
        for there in chess.scan_forward(came):
            if self.shown[there] in lifted:
                continue
            for origin in chess.scan_reversed(stayed):
                if reached.cells[origin] != self.shown[there]:
                    continue
                same = self.shown[origin] == self.shown[there]
                for step in self.reachable.steps(reached, origin, BIT[there]):
                    if not (step.plain or step.castles):
                        continue
                    stays = KING_STAYS if step.castles else NOT_LEFT if same else GHOST
                    cost = branch.cost + A_MOVE + stays
                    # The square that he left stays wrong.
                    if self._is_worth(branch, step, cost + AT_THE_END):
                        made = self._child(branch, step, cost)
                        made.beside |= BIT[origin]
                        yield made

    def _is_worth(self, branch: AnyBranch, step: Step, cost: float) -> bool:
        """Whether *step* for *cost*, with what stays wrong after it, leads to something new."""
        left = AT_THE_END * (branch.mask & ~step.mask).bit_count()
        return cost + left < self._limit and self._is_news(branch, step, cost)

    def _is_news(self, branch: AnyBranch, step: Step, cost: float) -> bool:
        """Whether no reading leads where *step* does for *cost* or less."""
        if step.leads is None:
            return True
        return cost < self._least.get((step.leads, branch.ply + 1), math.inf)

    def _emptied_for(self, branch: AnyBranch) -> int:
        """Return the squares seen empty since the last ply of *branch*, or shortly before it.

        Its own target counts only after it: a man on his way was there and was not yet there.
        """
        since, squares = branch.since, 0
        for at, emptied in self._emptied:
            if at <= since - OVERLAP:
                break
            squares |= emptied if at > since else emptied & ~branch.target
        return squares

    def _asked(self, branch: AnyBranch, step: Step, emptied: int, limit: float) -> float:
        """Return what has to be believed for *step*, unless that comes to *limit* anyway."""
        cost = A_MOVE + self._misreading(branch.reached, step) + self._mistimed(branch, step)
        if others := branch.reached.own & self._empty & ~step.mask:
            cost += self._holding(branch, step, others)
        if len(step.letters) == _EN_PASSANT_SQUARES:
            cost += EN_PASSANT
        if self._named and branch.unseen:
            if step.target & branch.target & branch.unseen:
                cost -= STANDS_UNSEEN - TAKEN_UNSEEN  # he was not seen for a moment only
            if branch.unseen & BIT[step.move.from_square]:
                shown = self._shown_on(branch, step.move.from_square, branch.since)
                cost += self._off_the_way(step.move, shown)
        if not self._named:
            cost += PROMOTION[step.move.promotion]
        if step.hidden and not emptied & step.target:
            cost += UNSEEN_CAPTURE
            if branch.cost + cost < limit:
                near = branch.rank <= self._best + COMPARED
                last = bool(step.target & branch.target)
                seldom = (step.implausible if near else step.seldom) * (TAKES_LAST if last else 1.0)
                cost += max(-UNSEEN_CAPTURE, seldom - self._slid(branch, step.move))
        return cost

    def _slid(self, branch: AnyBranch, move: chess.Move) -> float:
        """Return what squares on the way that showed a man for a moment say for *move*."""
        way = chess.between(move.from_square, move.to_square)
        return SLID_THERE * any(at > branch.since and way & square for at, square in self._flashed)

    def _mistimed(self, branch: AnyBranch, step: Step) -> float:
        """Return what has to be believed of when *step* was made, and of the press before it."""
        cost = SECOND_MAN if self._named and self._is_second(branch, step) else 0.0
        if not step.hidden:
            cost += inverted(branch.since - self._changed_at[step.move.to_square])
        cost += inverted(self._premature_by(branch, step))
        cost += self._begun_early(branch, step)
        if 0 <= branch.pressed < branch.ply and branch.since < self._now - ANSWERED_LATE:
            cost += UNPRESSED
        if self._is_passing(branch, step.move.from_square):
            cost += GOES_ON
        return cost

    def _is_passing(self, branch: AnyBranch, square: chess.Square) -> bool:
        """Whether the man on *square* was there for a moment only.

        That is not known of what the link told late: what was done over some time comes at once.
        """
        stood_from = branch.came_to(square)
        if stood_from == self._bunched_at:
            return False
        return 0 <= self._left_at(square) - stood_from < PASSING

    def _off_the_way(self, move: chess.Move, shown: list[chess.Square]) -> float:
        """Return what it costs that its man was *shown* where he did not come by."""
        on_the_way = way(move) | BIT[move.from_square]
        return OFF_THE_WAY * any(not on_the_way & BIT[square] for square in shown)

    def _shown_on(
        self, branch: AnyBranch, origin: chess.Square, since: float
    ) -> list[chess.Square]:
        """Return where the man on *origin* was shown for a while after *since*, the last first."""
        cells = branch.reached.cells
        return [
            square
            for at, square, gone in self._gone_by
            if at > since and gone == cells[origin] != cells[square]
        ]

    def _refund(self, branch: AnyBranch, origin: chess.Square) -> float:
        """Return what *branch* has paid for a press of who had left *origin* by then, with a name.

        He is shown nowhere since. Of several presses that nothing was done for, it is not known
        which was his.
        """
        left = self._changed_at[origin]
        if not (self._named and 0 < branch.owed <= UNMOVED and left < self._heard_at):
            return 0.0
        return 0.0 if self._shown_on(branch, origin, left) else branch.owed

    def _left_at(self, square: chess.Square) -> float:
        """Return when *square* became empty, or now if it is not."""
        return self._changed_at[square] if self.shown[square] == EMPTY else self._now

    def _premature_by(self, branch: AnyBranch, step: Step) -> float:
        """Return by how long its man left before the one who moved last.

        He is rather taken by him then.
        """
        before, left = branch.origin, step.move.from_square
        if not before & self._empty or BIT[left] & (branch.unseen | self._dead):
            return 0.0
        if (left, EMPTY) not in step.letters:  # a king who castles where he stands does not leave
            return 0.0
        return self._changed_at[chess.lsb(before)] - self._changed_at[left]

    def _begun_early(self, branch: AnyBranch, step: Step) -> float:
        """Return what it costs that its man left before the move was complete that he answers.

        Of a man who stands where the board sees nothing nobody knows when he came.
        """
        left, unseen = step.move.from_square, branch.unseen | self._dead
        if (left, EMPTY) not in step.letters or (BIT[left] | branch.target) & unseen:
            return 0.0
        return inverted(branch.since - self._changed_at[left], BEGUN_EARLY)

    def _is_second(self, branch: AnyBranch, step: Step) -> bool:
        """Whether its man stood there some time before the move was begun that it would answer."""
        done = max(self._changed_at[square] for square, _ in step.letters) + NO_ANSWER
        return branch.since > done and all(
            self._changed_at[square] > done
            for square in chess.scan_forward(branch.origin | branch.target)
        )

    def _holding(self, branch: AnyBranch, step: Step, others: int) -> float:
        """Return what it costs that *others* are away: one was in his player's hand before *step*.

        Where men have names, he was taken up in the same turn. Or he is the rook with which the
        king may castle, who did not step there then.
        """
        move = step.move
        rooks = 0 if self._named else others & step.start.castling
        if rooks and step.start.cells[move.from_square] in "Kk" and goes_towards(move, rooks):
            return CASTLES
        taken_up = self._changed_at[move.from_square]
        since = taken_up - LONG_HELD
        if self._named:
            since = max(since, branch.moved_before)
        return HELD * any(
            since < self._changed_at[square] < taken_up for square in chess.scan_forward(others)
        )

    def _misreading(self, reached: Reached, step: Step) -> float:
        """Return what a man read as another one costs, 0 if *step* is shown.

        Only the man that moved may be read as one of the other colour, and not as the one that he
        took. Infinite: what is shown does not look like *step*.
        """
        cost, own = 0.0, step.target | BIT[step.move.from_square]
        may_wait = self._named and step.twofold
        for square, letter in step.letters:
            there = self.shown[square]
            if there == letter:
                continue
            if square == step.move.from_square and self._is_on_both(square, step.move.to_square):
                cost += ON_BOTH
                continue
            if not own & BIT[square] and there == EMPTY:
                cost += ROOK_UNSEEN
                continue
            if may_wait and not own & BIT[square] and there == reached.shown[square]:
                cost += WAITS
                continue
            if EMPTY in (there, letter) or step.move.promotion:
                return math.inf
            same_colour = there in _VAGUE or there.isupper() == letter.isupper()
            strange = self._named and own & BIT[square] and there != reached.shown[square]
            if not same_colour and (not strange or self._answers_on(reached, BIT[square])):
                return math.inf
            cost += MISREAD
        return cost

    def _answers_on(self, reached: Reached, squares: int) -> int:
        """Return those of *squares* to which a man who is not to move may go who is shown there."""
        return sum(
            BIT[square]
            for square in chess.scan_forward(squares)
            if _may_answer_on(reached, self.shown[square], square)
        )

    def _child(self, branch: AnyBranch, step: Step, cost: float, *, unseen: int = 0) -> AnyBranch:
        mask = branch.mask & ~step.mask
        misread = 0
        for square, letter in step.letters:
            if self.shown[square] != letter:
                mask |= BIT[square] & ~unseen
                if self._named and (step.twofold or EMPTY not in (letter, self.shown[square])):
                    misread |= BIT[square]
        made = self._made(branch, step, cost, mask)
        made.unseen = branch.unseen & ~step.mask | unseen
        made.beside = branch.beside & ~step.mask & mask | misread
        made.lost = branch.lost & ~step.mask
        made.pressed = branch.pressed
        return made

    @abstractmethod
    def _made(self, branch: AnyBranch, step: Step, cost: float, mask: int) -> AnyBranch:
        """Return the reading that goes on from *branch* by *step*."""

    def _exchanges(
        self, branch: AnyBranch, origins: int, targets: int, taken: int
    ) -> Iterator[AnyBranch]:
        """Return the readings in which a man went to *targets* and was taken, never seen there."""
        reached, least = branch.reached, branch.cost + 2 * A_MOVE
        if branch.rank - AT_THE_END * MOST_EXPLAINED + 2 * A_MOVE + UNSEEN_EXCHANGE >= self._limit:
            return
        for origin in chess.scan_reversed(origins):
            passed, double = _double_step(reached, origin)
            steps = self.reachable.steps(
                reached, origin, targets | (double if passed & targets else 0)
            )
            refund = self._refund(branch, origin) if steps else 0.0
            for step in steps:
                target = passed if step.target == double else step.target
                cost = least + (UNSEEN_EXCHANGE if target & reached.theirs else TAKEN_UNSEEN)
                cost -= refund
                cost += EN_PASSANT if step.target == double else 0.0
                for answer in self._answers(reached, step, taken, target):
                    yield self._child(self._child(branch, step, cost), answer, cost)

    def _answers(self, reached: Reached, step: Step, origins: int, target: int) -> Iterator[Step]:
        """Return the moves from *origins* to *target* after *step*, if they are shown."""
        there = self.shown[chess.lsb(target)]
        for origin in chess.scan_reversed(origins & ~step.mask):
            if reached.shown[origin] != there and reached.cells[origin] not in "Pp":
                continue
            if not unhindered(reached.cells[origin], origin) & target:
                continue  # he goes there from no position, so the one after *step* is not needed
            for answer in self.reachable.steps(self.reachable.after(step), origin, target):
                if all(self.shown[square] == letter for square, letter in answer.letters):
                    yield answer

    def hear(self, colour: chess.Color, following: int = 0) -> None:
        """Let the readings pay for a press of *colour* that completes no move of theirs.

        If more presses *following* it were heard at the same time, it is that of an earlier ply.
        """
        made: list[AnyBranch] = []
        self._heard_at = self._now
        self._limit, self._least = min(map(rank_of, self._branches)) + TOO_FAR, {}
        unmoved = UNMOVED + (STOOD * self._has_stood(colour))
        for branch in self._branches:
            ply = completed_by(branch, colour, following)
            moved = ply > max(branch.pressed, self._pressed_before)
            if branch.reached.turn == colour and not (following and moved):
                made += self._unseen(branch, self._now)
                if self._hides:
                    made += self._invisible(branch)
                branch.cost += unmoved
                branch.owed += unmoved
                continue
            if not moved:
                branch.cost += UNMOVED
            elif ply == branch.ply:
                branch.cost += self._put_down(branch)
            branch.pressed = max(branch.pressed, ply)
        if made:
            self._branches = self._cheapest([*self._branches, *made])

    def _put_down(self, branch: AnyBranch) -> float:
        """Return what it costs that who moved last pressed, by what his men show just then."""
        if branch.mask & branch.target & self._empty:
            return NOT_STANDING
        if not branch.origin:  # it says of no ply that it was made
            return 0.0
        occupied = branch.reached.own | branch.reached.theirs
        left = branch.mask & branch.reached.theirs & self._empty
        came = branch.mask & ~occupied & ~self._empty
        return ANOTHER_OUT * (self._any_since(left, branch) and self._any_since(came, branch))

    def _any_since(self, squares: int, branch: AnyBranch) -> bool:
        """Whether one of *squares* changed after the last ply of *branch* was made."""
        return any(self._changed_at[at] > branch.since for at in chess.scan_forward(squares))

    def _has_stood(self, colour: chess.Color) -> bool:
        """Whether the likeliest reading has a move of *colour* that stands, and nothing else."""
        best = min(self._branches, key=rank_of)
        moved = best.reached.turn != colour and best.ply > best.pressed
        return self._named and moved and not best.mask and best.since <= self._now - TOGETHER

    def stop_clock(self) -> None:
        """The clock is stopped: who starts it again does not press."""
        for branch in self._branches:
            branch.pressed = -1

    def pay(self, seconds: float) -> None:
        """Let the readings pay for *seconds* of what they do not explain."""
        for branch in self._branches:
            if branch.mask:
                branch.cost += self._rate(branch, branch.mask) * seconds

    def _rate(self, branch: AnyBranch, wrong: int) -> float:
        """Return what a second costs *branch* in which the squares *wrong* are not explained."""
        if lies := branch.beside & wrong:
            return LIES_BESIDE + (self._rate_of(branch, wrong & ~lies) if wrong & ~lies else 0.0)
        return self._rate_of(branch, wrong)

    def _rate_of(self, branch: AnyBranch, wrong: int) -> float:
        away = wrong & self._empty
        strangers = wrong & ~away
        rate = AWAY * away.bit_count() + STRANGER * strangers.bit_count()
        in_hand = away & branch.reached.own
        if in_hand:
            rate += IN_HAND - AWAY
            rate += RESTING - STRANGER if strangers else 0.0
        if strangers and self._named:
            rate -= self._aside(branch, away, strangers)
            rate += SEEN_AFTER_ALL * self._seen_after_all(branch, strangers)
        elif strangers and not in_hand:  # nobody else may have come there
            rate -= self._laid_beside(branch, strangers)
        return rate

    def _seen_after_all(self, branch: AnyBranch, strangers: int) -> int:
        """Return how many men who are taken to stand unseen may be those of *strangers*."""
        shown = {self.shown[there] for there in chess.scan_forward(strangers)}
        unseen = chess.scan_forward(branch.unseen)
        return sum(branch.reached.shown[square] in shown for square in unseen)

    def _laid_beside(self, branch: AnyBranch, strangers: int) -> float:
        """Return by how much less *strangers* without names cost: victims beside their squares.

        They were put there when one of the last two plies took somebody.
        """
        less = 0.0
        taker: Branch = branch
        for _ in range(PLIES_AT_ONCE):
            if isinstance(taker.line, Node):
                break
            before, move = taker.line
            if before.reached.theirs & BIT[move.to_square]:
                near = strangers & chess.BB_KING_ATTACKS[move.to_square]
                for there in chess.scan_forward(near):
                    if self._changed_at[there] <= taker.since + PUT_BESIDE:
                        less += STRANGER - LIES_BESIDE
                        strangers &= ~BIT[there]
            taker = before
        return less

    def _aside(self, branch: AnyBranch, away: int, strangers: int) -> float:
        """Return by how much less *strangers* cost: victims put down beside their squares.

        Who takes them is *away* as well, or did so by the last move.
        """
        less, reached = 0.0, branch.reached
        for there in chess.scan_forward(strangers):
            man, near = self.shown[there], chess.BB_KING_ATTACKS[there]
            left = away & near & ~reached.own
            if any(self._is_taken(reached, at, man, away) for at in chess.scan_forward(left)):
                less += AWAY + STRANGER - RESTING
            elif not isinstance(branch.line, Node) and branch.target & near:
                before, move = branch.line
                if before.reached.cells[move.to_square] == man:
                    less += STRANGER - RESTING
        return less

    def _is_taken(self, reached: Reached, square: chess.Square, man: str, away: int) -> bool:
        """Whether *man* belongs on *square*, and one who is *away* may take him there."""
        return reached.cells[square] == man and any(
            self.reachable.steps(reached, origin, BIT[square])
            for origin in chess.scan_forward(away & reached.own)
        )

    def ended(self) -> list[Reading]:
        """Return the readings with what is still wrong, the cheapest first."""
        ended: dict[tuple[Reached, int], Reading] = {}
        for branch in sorted(self._branches, key=rank_of):
            cost = round(branch.rank, 6)  # seconds that are added up lose some digits of time
            reading = Reading(branch.node, cost, branch.unseen & self._empty)
            ended.setdefault((branch.reached, branch.ply), reading)
        return [*ended.values()]
