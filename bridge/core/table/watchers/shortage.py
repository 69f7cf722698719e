"""Watching for players who are short of time: the arbiter should be near (8.4, 8.5, 12.3)."""

import chess

from bridge.core.laws.clocks.recording import recording_duty
from bridge.core.laws.clocks.times import shown
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import ClockReading

TROUBLE_MS = 60_000
"""With less a player is in trouble by any increment (ms)."""


class Shortage(Watcher):
    """Tells, once for each player and period, that he need not record, or is in trouble."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._exempt: set[chess.Color] = set()
        self._trouble: set[chess.Color] = set()
        below = desk.rules.record_exempt_below or 0
        self._enough = max(TROUBLE_MS, 1000 * below)
        self._had_enough = False

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether the times are known, and not short from the beginning."""
        return desk.control is not None and desk.rules.rate != "blitz"

    def clock(self, reading: ClockReading) -> None:
        """Look at the times; mostly both have enough."""
        enough = self._enough
        if not reading.running:
            return
        if reading.left_ms >= enough and reading.right_ms >= enough:
            self._had_enough = True
            return
        if not self._had_enough:  # the event plays with so little time
            return
        for colour in chess.COLORS:
            left = self.desk.clock.remaining(colour)
            if left is not None and 0 < left < enough:
                self._is_short(colour, left)

    def _is_short(self, colour: chess.Color, left: int) -> None:
        desk, rules, by = self.desk, self.desk.rules, name_of(colour)
        increment = self.desk.increment(colour)
        duty = recording_duty(
            left / 1000,
            increment,
            players_record=rules.players_record,
            below=rules.record_exempt_below,
            increment_below=rules.record_exempt_increment_below,
            lasts=rules.record_exempt_for,
        )
        if duty in ("exempt_for_period", "may_stop") and colour not in self._exempt:
            self._exempt.add(colour)
            desk.alerts.raise_again(
                "RECORDING_EXEMPT",
                None,
                f"{by.capitalize()} has {shown(left / 1000)} left and need not record any more",
                remedy="the arbiter's side keeps the record",
                by=by,
            )
        if left < TROUBLE_MS and colour not in self._trouble:
            self._trouble.add(colour)
            both = len(self._trouble) > 1
            desk.alerts.raise_again(
                "TIME_TROUBLE",
                None,
                f"{by.capitalize()} has {shown(left / 1000)} left"
                + (", the opponent not much more" if both else ""),
                remedy="have somebody near" + (" who keeps the score" if both else ""),
                by=by,
            )
