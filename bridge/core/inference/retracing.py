"""Reading what the board has shown lately once more, from start to end.

Move by move the engine decides early; when it loses the thread, the placements since an earlier
ply are gone through again.
"""

from collections import deque
from collections.abc import Iterable, Sequence

import chess

from bridge.core.inference.beam import Beam, Branch, Reading
from bridge.core.inference.hypotheses import Node
from bridge.core.inference.reachable import Step

MOST_PLACEMENTS = 48
"""Placements gone through again at most."""
MOST_WORK = 2000
"""What may be looked up for one trace: each look at the legal moves of a man counts as one, and so
does each move found. A trace that takes more is given up."""
LONGEST = 8.0
"""A rest longer than this says no more (s)."""


def retrace(
    start: Node,
    trace: Sequence[tuple[float, str]],
    now: float,
    presses: Iterable[tuple[float, chess.Color]] = (),
) -> list[Reading]:
    """Return the readings of *trace* from *start*, the cheapest first.

    *trace* holds placements and the times from which they were shown, the earliest first; the
    last :data:`MOST_PLACEMENTS` are gone through. *presses*: when each player was seen to press.
    If that takes more than :data:`MOST_WORK`, what is shown is no game, and the only reading is
    that nothing was played from *start*.
    """
    trace = trace[-MOST_PLACEMENTS:]
    search = _Trace(start)
    pressed = deque(press for press in presses if press[0] >= trace[0][0])
    for number, (since, shown) in enumerate(trace):
        while pressed and pressed[0][0] < since:
            search.hear(pressed.popleft()[1])
        until = trace[number + 1][0] if number + 1 < len(trace) else now
        search.take(shown)
        search.go_on()
        if search.reachable.left <= 0:
            return [Reading(start, start.cost)]
        search.pay(min(until - since, LONGEST))
    for _, colour in pressed:
        search.hear(colour)
    return search.ended()


class _Trace(Beam[Branch]):
    """The readings of a trace."""

    def __init__(self, start: Node) -> None:
        super().__init__(start, MOST_WORK)
        self._branches = [Branch(start, self.reachable.start, start.cost, 0)]

    def _made(self, branch: Branch, step: Step, cost: float, mask: int) -> Branch:
        return Branch((branch, step.move), self.reachable.after(step), cost, mask)
