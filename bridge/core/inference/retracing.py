"""Reading what the board has shown lately once more, from start to end.

Move by move the engine decides early; when it loses the thread, the placements since an earlier
ply are gone through again.
"""

import math
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise

import chess

from bridge.core.inference.ahead import NO_ANSWER
from bridge.core.inference.beam import AWAY, Beam, completed_by
from bridge.core.inference.branch import Branch, Reading
from bridge.core.inference.clock import Heard
from bridge.core.inference.hypotheses import Node
from bridge.core.inference.placement import BIT, difference
from bridge.core.inference.reachable import Step

MOST_PLACEMENTS = 48
"""Placements gone through again at most."""
MOST_WORK = 2000
"""What may be looked up for one trace: each look at the legal moves of a man counts as one, and so
does each move found. A trace that takes more is given up."""
AT_ONCE = 40
"""How many readings are taken on, counted for each placement and press, before it is paused."""
TAKEN_OFF = 0.3
"""Cost a second for which a man without a name was away who had moved last and stood, if he is
taken where he went."""
NO_PRESS = 0.75
"""What it costs that nobody pressed for a ply, as the times of the clock tell."""
LONGEST = 8.0
"""A rest longer than this says no more (s)."""
AT_ONE_TIME = 0.005
"""Placements told so soon one after another (s) are of one scan, or come late, ..."""
LATE_STAND = 0.8
"""... and then each had really stood for so long, as far as anybody knows (s): men have names."""


class Retracing:
    """A way through *trace* from *start*, which is gone in parts: it takes long.

    *trace* holds placements and the times from which they were shown, the earliest first; the
    last :data:`MOST_PLACEMENTS` are gone through, until *now*. *presses*: when each player was seen
    to press; None: the clock was stopped. If that takes more than :data:`MOST_WORK`, what is shown
    is no game, and the only reading is that nothing was played from *start*.
    """

    def __init__(
        self,
        start: Node,
        trace: Sequence[tuple[float, str]],
        now: float,
        presses: Iterable[Heard] = (),
        dead: int = 0,
    ) -> None:
        self.start = start
        trace = trace[-MOST_PLACEMENTS:]
        ends = [since for since, _ in trace[1:]] + [now]
        named = start.position.sensing == "identity"
        later = _told_late(trace) if named else [0.0] * len(trace)
        self._waiting = deque(
            (since, shown, until - since + late)
            for (since, shown), until, late in zip(trace, ends, later, strict=False)
        )
        self._presses = deque(press for press in presses if press.at >= trace[0][0])
        self._search = _Trace(start, dead)

    def go_on(self) -> bool:
        """Go through some more placements; return whether all were gone through."""
        spent = 0
        while self._waiting and spent < AT_ONCE:
            since, shown, stood = self._waiting.popleft()
            left = self._search.reachable.left
            spent += self._hear(since)
            self._search.reach(since)
            self._search.take(shown)
            self._search.go_on()
            if self._search.reachable.left <= 0:
                self._waiting.clear()
            self._search.pay(min(stood, LONGEST))
            spent += max(self._search.width, left - self._search.reachable.left)
        return not self._waiting

    def _hear(self, until: float) -> int:
        """Let the readings take the presses before *until*; return how many took one on."""
        taken_on = 0
        while self._presses and self._presses[0].at < until:
            press = self._presses.popleft()
            if press.colour is None:
                self._search.stop_clock()
            else:
                taken_on += self._search.width
                self._search.hear(press.colour, press.following, known=press.known)
        return taken_on

    def readings(self) -> list[Reading]:
        """Return the readings when all was gone through, the cheapest first; once."""
        if self._search.reachable.left <= 0:
            readings = [Reading(self.start, self.start.cost)]
        else:
            self._hear(math.inf)
            readings = self._search.ended()
        self._search.reachable.forget()
        return readings


def _told_late(trace: Sequence[tuple[float, str]]) -> list[float]:
    """Return by how much longer each placement of *trace* must have stood than it was shown (s).

    The link tells late what was done over some time if a square changes twice at one time.
    """
    late, begun, changed, twice = [0.0] * len(trace), 0, 0, 0
    for number, ((before, old), (since, shown)) in enumerate(pairwise(trace), start=1):
        if since > before + AT_ONE_TIME:
            begun, changed, twice = number, 0, 0
        news = difference(shown, old)
        twice |= changed & news
        changed |= news
        if twice:
            late[begun:number] = [LATE_STAND] * (number - begun)
    return late


class _Trace(Beam[Branch]):
    """The readings of a trace."""

    def __init__(self, start: Node, dead: int) -> None:
        super().__init__(start, MOST_WORK, dead)
        reached = self.reachable.start
        self._branches = [Branch(start, reached, start.cost, 0, ply=start.ply, since=start.since)]

    def hear(self, colour: chess.Color, following: int = 0, *, known: bool = False) -> None:
        """Let the readings pay for a press of *colour* that completes no move of theirs.

        *known*: no other one was made since those before, so that nobody pressed for the plies
        between. Where men have no names, others may as well have been taken unseen.
        """
        for branch in self._branches if known and self._named else ():
            ply = completed_by(branch, colour, following)
            if 0 <= branch.pressed < ply <= branch.ply:
                branch.cost += NO_PRESS * (ply - branch.pressed - 1)
        super().hear(colour, following)

    def _asked(self, branch: Branch, step: Step, emptied: int, limit: float) -> float:
        cost = super()._asked(branch, step, emptied, limit)
        if not self._hides or not step.target & branch.target & emptied:
            return cost
        left = self._left_before(step.move.to_square)
        if left < branch.since + NO_ANSWER:
            return cost
        return cost - (AWAY - TAKEN_OFF) * min(self._now - left, LONGEST)

    def _left_before(self, square: chess.Square) -> float:
        """Return when the man left who stood on *square* before the one that it shows now."""
        return next((at for at, squares in self._emptied if BIT[square] & squares), -math.inf)

    def reach(self, at: float) -> None:
        """Let time come to *at*."""
        self._now = at

    def _made(self, branch: Branch, step: Step, cost: float, mask: int) -> Branch:
        line, reached = (branch, step.move), self.reachable.after(step)
        return Branch(line, reached, cost, mask, ply=branch.ply + 1, since=self._now)
