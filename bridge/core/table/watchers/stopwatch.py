"""Watching the clock against our own time: faults, and a rate that differs (6.10.1).

Nothing here corrects a reading: the clock is right, and the arbiter is told what was seen.
"""

import math
from typing import NamedTuple

import chess

from bridge.core.inference.findings import Settled
from bridge.core.laws.clocks.checks import drift
from bridge.core.laws.clocks.times import shown
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.settings import is_set_to
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import ClockReading

JUMP = 3.0
"""A display may differ by so much from the time that has passed: 2 s and whole seconds (s)."""
LASTS = 10.0
"""A difference must last so long: a reading that comes late is put right by the next (s)."""
BY_HAND = 60.0
"""A display that rises by so much got a period or a penalty (s)."""
MOVES_UNTIMED = 4
"""So many plies with a clock that was never started."""
WINDOW = 600.0
"""How long the rate is measured (s)."""
DRIFT = 4.0
"""What the rate may be off in that time: 2 s, and as much for whole seconds of two displays."""
INEXACT = 2.5
"""What two readings in a row may differ by, apart from increments (s)."""


class _Turn(NamedTuple):
    """A turn: since when it is followed, whose it is, and what both displays showed then (s)."""

    began: float
    turn: chess.Color
    had: float
    other: float


class Stopwatch(Watcher):
    """Tells that the clock jumps, stands while it says that it runs, or was never started."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._ran = desk.clock.runs
        self._turn: _Turn | None = None
        self._wrong_since: float | None = None

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether a running time only falls."""
        periods = [period for colour in chess.COLORS for period in desk.periods(colour)]
        return not any(period.sandglass for period in periods)

    def clock(self, reading: ClockReading) -> None:
        """Compare the running display with the time that has passed in this turn."""
        self._ran = self._ran or reading.running
        turn = self.desk.clock.colour_of(reading.turn)
        if turn is None or not reading.running:
            self._turn = None
            return
        left, other, then = self.desk.left(turn), self.desk.left(not turn), self._turn
        # Where the other display has changed, both have pressed between two readings.
        same = then is not None and then.turn == turn and then.other == other and left > 0
        if then is None or not same or left > then.had + BY_HAND:
            self._turn, self._wrong_since = _Turn(self.desk.told.at, turn, left, other), None
        else:
            self._compare(then, left, self.desk.told.at)

    def _compare(self, then: _Turn, left: float, at: float) -> None:
        passed = at - then.began
        ahead = then.had - left - passed
        if abs(ahead) <= JUMP or -self._may_stand(then.turn) <= ahead < 0:
            self._is_right(passed)
        elif self._wrong_since is None:
            self._wrong_since = at
        elif at >= self._wrong_since + LASTS:
            self._wrong_since = math.inf  # it is told
            self._tell(then, left, passed)

    def _may_stand(self, turn: chess.Color) -> float:
        """Return how long a running display may stand: for a delay, or with a late increment."""
        known = self.desk.control is not None
        return JUMP + (self.desk.increment(turn) if known else BY_HAND)

    def _is_right(self, lasted: float) -> None:
        self._wrong_since = None
        if lasted >= LASTS:
            self.desk.alerts.clear("CLOCK_FAULT", "the clock keeps time")

    def _tell(self, then: _Turn, left: float, passed: float) -> None:
        self.desk.alerts.raise_(
            "CLOCK_FAULT",
            "warning",
            f"{name_of(then.turn)}'s running display went from {shown(then.had)} to "
            f"{shown(left)} in {passed:.0f} s",
            remedy=f"look at the clock; it showed {shown(then.had)} {passed:.0f} s ago, when the "
            "turn began",
        )

    def settled(self, finding: Settled) -> None:  # noqa: ARG002 - any move will do
        """Tell that moves are made and the clock was never started."""
        desk = self.desk
        if self._ran or desk.clock.reading is None or len(desk.plies) < MOVES_UNTIMED:
            return
        self._ran = True
        if self._is_left_over():
            return
        desk.alerts.raise_(
            "CLOCK_FAULT",
            "warning",
            f"{len(desk.plies)} plies were made, and the clock was never started",
            remedy="start the clock, or take it off the board",
        )

    def _is_left_over(self) -> bool:
        """Whether the clock stands as a game has left it: who moves now plays without it."""
        return any(
            (periods := self.desk.periods(colour))
            and not is_set_to(self.desk.left(colour), periods[0].seconds, periods[0].increment)
            for colour in chess.COLORS
        )


class Rate(Watcher):
    """Measures the sum of both displays over ten minutes of play without a pause."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._last: tuple[float, float, ClockReading] | None = None
        self._since = self._had = self._added = 0.0

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether it is known what the clock adds."""
        return desk.control is not None and bool(desk.control.periods)

    def clock(self, reading: ClockReading) -> None:
        """Follow both displays; whatever is not simply play begins the measurement anew."""
        at, white, black = (
            self.desk.told.at,
            self.desk.left(chess.WHITE),
            self.desk.left(chess.BLACK),
        )
        if not (reading.running and white and black):
            self._last = None
            return
        total, last = white + black, self._last
        self._last = at, total, reading
        if last is None or not self._is_play(last, at, total, reading):
            self._since, self._had, self._added = at, total, 0.0
        elif at >= self._since + WINDOW:
            self._judge(at, total)

    def _is_play(
        self, last: tuple[float, float, ClockReading], at: float, total: float, now: ClockReading
    ) -> bool:
        """Whether the time that has passed explains the displays, with an increment at a press."""
        then, had, before = last
        risen = total - had + (at - then)
        if before.turn != now.turn:
            presser = self.desk.clock.colour_of(before.turn)
            increment = 0 if presser is None else self.desk.increment(presser)
            self._added += increment
            risen -= increment
        return abs(risen) <= INEXACT

    def _judge(self, at: float, total: float) -> None:
        passed = at - self._since
        ahead = drift(self._had + self._added - total, passed, tolerance=DRIFT)
        self._since, self._had, self._added = at, total, 0.0
        if ahead is None:
            self.desk.alerts.clear("CLOCK_BOARD_SKEW", "the clock keeps time")
            return
        how = "ahead of" if ahead > 0 else "behind"
        self.desk.alerts.raise_(
            "CLOCK_BOARD_SKEW",
            None,
            f"in {passed / 60:.0f} minutes the clock went {abs(ahead):.0f} s {how} our own time",
            remedy="times near a press are less certain; look at the clock and at this computer",
        )
