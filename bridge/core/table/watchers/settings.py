"""Watching whether the clock is set as the event says: times at the start, time for a move.

Displays that stand tell the times; what they rise by in three moves in a row tells what is added.
An event may play with other times than it has told, and an arbiter takes time away: he decides.
"""

from typing import NamedTuple

import chess

from bridge.core.laws.clocks.checks import Setting
from bridge.core.laws.clocks.correction import corrected_setting
from bridge.core.laws.clocks.modes import Mode
from bridge.core.laws.clocks.times import Times
from bridge.core.table.watchers.display import Display, Rise
from bridge.core.table.watchers.watcher import Desk, Watcher
from bridge.core.timekeeping import Press
from drivers.events import ClockReading

CONFIRMED = 2.0
"""How long the clock must have run before its setting is judged: it may be set until then (s)."""
TOLERANCE = 1.0
"""Seconds that whole seconds on the display may hide."""
MOST_HIDDEN = 3.0
"""Readings that may hide more than that tell nothing (s)."""
SETTLED = 3.0
"""How long after a press its move is settled, and counts (s)."""
IN_A_ROW = 3
"""So many moves must show the same wrong addition."""


class _Added(NamedTuple):
    """What a player's display rose by at his last presses, and how often in a row."""

    seconds: float = 0.0
    times: int = 0


class ClockSetting(Watcher):
    """Tells that times at the start, or what is added for a move, are not those of the event."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._stood: dict[chess.Color, float] = {}
        self._started: float | None = None
        self._times_judged = False
        self._displays = {chess.WHITE: Display(), chess.BLACK: Display()}
        self._added = {chess.WHITE: _Added(), chess.BLACK: _Added()}
        self._another: tuple[float, float] | None = None
        self._at = desk.told.at

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether it is known how the clock should be set, and how one is set to that."""
        periods = [period for colour in chess.COLORS for period in desk.periods(colour)]
        return bool(periods) and not any(period.sandglass for period in periods)

    def clock(self, reading: ClockReading) -> None:
        """Follow both displays, and keep what stood before the first move."""
        at = self.desk.told.at
        passed, self._at = at - self._at, at
        for colour, display in self._displays.items():
            display.read(self.desk.left(colour), passed)
        if not self._times_judged:
            self._stands(reading)

    def _stands(self, reading: ClockReading) -> None:
        desk = self.desk
        if len(desk.plies) or not desk.engine.in_sight:
            self._times_judged = True
            return
        if not reading.running:
            self._stood = {colour: desk.left(colour) for colour in chess.COLORS}
            self._started = None
        elif not self._stood:  # it runs already: what it stood at is not known any more
            self._times_judged = True
        elif self._started is None:
            self._started = desk.told.at
            desk.due(self._started + CONFIRMED)

    def look(self) -> None:
        """Judge the times when the clock runs for a moment, and additions with settled moves."""
        if self._another is not None and self.desk.due(self._another[1] + SETTLED):
            (seconds, _), self._another = self._another, None
            event = self._of_event()._replace(extra=self.desk.increment(self.desk.board.turn))
            self._tell(event._replace(mode="increment", extra=seconds), event)
        started = self._started
        if self._times_judged or started is None or not self.desk.due(started + CONFIRMED):
            return
        self._times_judged = True
        event = self._of_event()
        white, black = (
            should if is_set_to(self._stood[colour], should, event.extra) else self._stood[colour]
            for colour, should in ((chess.WHITE, event.white), (chess.BLACK, event.black))
        )
        self._tell(event._replace(white=white, black=black), event)

    def pressed(self, press: Press, *, late: bool) -> None:  # noqa: ARG002 - a press is a press
        """Judge what was added for the move."""
        colour = press.colour
        rise, before = self._displays[colour].press(), self._added[colour]
        self._added[colour] = _Added()
        if rise is None or not self._is_another(rise, self.desk.increment(colour)):
            return
        same = abs(rise.seconds - before.seconds) <= TOLERANCE
        self._added[colour] = _Added(rise.seconds, before.times + 1 if same else 1)
        if self._added[colour].times == IN_A_ROW:
            self._another = round(rise.seconds), self.desk.told.at
            self.desk.due(self.desk.told.at + SETTLED)

    def _is_another(self, rise: Rise, should: float) -> bool:
        """Whether another time was added than the event's, and not none or twice as much of it."""
        tolerance = TOLERANCE + rise.age
        known = (should, 0, 2 * should)
        return tolerance <= MOST_HIDDEN and all(
            abs(rise.seconds - each) > tolerance for each in known
        )

    def _of_event(self) -> Setting:
        desk = self.desk
        white, black = desk.periods(chess.WHITE)[0], desk.periods(chess.BLACK)[0]
        mode: Mode = "increment" if white.increment else "plain"
        return Setting(white.seconds, black.seconds, mode, white.increment)

    def _tell(self, clock: Setting, event: Setting) -> None:
        desk = self.desk
        readings = Times(desk.left(chess.WHITE), desk.left(chess.BLACK))
        found = corrected_setting(
            readings,
            clock,
            event,
            (desk.completed(chess.WHITE), desk.completed(chess.BLACK)),
            stands_after=desk.rules.clock_setting_moves,
        )
        if found is None:
            return
        faults, _, remedy = found.text.partition("; ")
        desk.alerts.raise_(
            "CLOCK_SETTING_MISMATCH",
            "warning" if len(desk.plies) else None,
            f"by its display the clock is not set as the event says: {faults}",
            remedy=remedy,
            confidence="medium",
        )


def is_set_to(has: float, should: float, increment: float) -> bool:
    """Whether a clock that shows *has* was set to *should*; the first move's time may be in it."""
    return any(abs(has - each) <= TOLERANCE for each in (should, should + increment))
