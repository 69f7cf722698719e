"""Watching for a clock that counts other moves than the record (6.10.2, 7.1).

A clock does not tell its counter. What shows it is a period that is added at a press: the clock
has counted the moves of the control then. One that is added as the time runs out says nothing.
"""

import chess

from bridge.core.laws.clocks.checks import counter_mismatch
from bridge.core.laws.clocks.periods import control_at
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import ClockReading

NEAR = 10.0
"""With so little time left a period may be added because the time ran out (s)."""
INEXACT = 5.0
"""So much may be used, or polled late, when a period is added (s)."""
SETTLED = 3.0
"""How long after that the move it was added for is settled (s)."""
_CAUSES = (
    "a press without a move, a forgotten press, a pause, or an illegal move that was taken back"
)


class _Side:
    """One player's time as it was shown last, and how many periods were added to it."""

    __slots__ = ("added", "counted_at", "left")

    def __init__(self) -> None:
        self.left: float | None = None
        self.added = 0
        self.counted_at: float | None = None


class Counter(Watcher):
    """Tells that the clock has added a period before, or after, the moves for it were made."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._sides = {chess.WHITE: _Side(), chess.BLACK: _Side()}

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether there is a control to be reached."""
        return any(len(desk.periods(colour)) > 1 for colour in chess.COLORS)

    def clock(self, reading: ClockReading) -> None:  # noqa: ARG002 - asked by colour
        """Follow both times."""
        for colour, side in self._sides.items():
            before, side.left = side.left, self.desk.left(colour)
            if before is not None:
                self._rises(colour, side, before, side.left)

    def _rises(self, colour: chess.Color, side: _Side, before: float, left: float) -> None:
        periods = self.desk.periods(colour)
        following = periods[min(side.added + 1, len(periods) - 1)]
        if abs(left - before - following.seconds) > INEXACT + following.increment:
            return
        if before > NEAR:
            side.counted_at = self.desk.told.at
            self.desk.due(self.desk.told.at + SETTLED)
        else:
            side.added += 1

    def look(self) -> None:
        """Compare with the record when the move is settled."""
        for colour, side in self._sides.items():
            if side.counted_at is not None and self.desk.due(side.counted_at + SETTLED):
                side.counted_at = None
                self._compare(colour, side)

    def _compare(self, colour: chess.Color, side: _Side) -> None:
        desk, by = self.desk, name_of(colour)
        control = control_at(desk.periods(colour), side.added).move
        side.added += 1
        found = control and counter_mismatch(desk.completed(colour), control, control)
        if not found:
            return
        desk.alerts.raise_again(
            "MOVE_COUNT_MISMATCH",
            found.severity,
            f"{by.capitalize()}'s period was added: the {found.text}",
            remedy=f"compare the scoresheets; it may be {_CAUSES}; adjust the counter, and tell no "
            "player the number of moves",
            by=by,
            confidence="high" if desk.sure else "low",
        )
