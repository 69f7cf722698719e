"""Watching for players who are short of time: the arbiter should be near (8.4, 8.5, 12.3).

Who need not record in a period completes his scoresheet when it is over.
"""

import chess

from bridge.core.laws.clocks.recording import recording_duty, update_due
from bridge.core.laws.clocks.times import shown
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import ClockReading

TROUBLE_MS = 60_000
"""With less a player is in trouble by any increment (ms)."""
PERIOD = 60.0
"""A time that rises by so much has got another period (s)."""
FLAG = 10.0
"""With so little left before, the period was added because the time ran out (s)."""


class Shortage(Watcher):
    """Tells, once for each player and period, that he need not record, or is in trouble."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._exempt: set[chess.Color] = set()
        self._trouble: set[chess.Color] = set()
        below = desk.rules.record_exempt_below or 0
        self._enough = max(TROUBLE_MS, 1000 * below)
        self._had_enough = False
        self._left: dict[chess.Color, float] = {}

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether the times are known, and not short from the beginning."""
        return desk.control is not None and desk.rules.rate != "blitz"

    def clock(self, reading: ClockReading) -> None:
        """Look at the times; mostly both have enough."""
        enough = self._enough
        if self._exempt:
            self._watch_period()
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
            self._left[colour] = left / 1000
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

    # -- the end of a period -----------------------------------------------------------------------

    def _watch_period(self) -> None:
        """Look whether a player who stopped recording, or his opponent, has got another period."""
        for colour in chess.COLORS:
            before, left = self._left.get(colour), self.desk.left(colour)
            self._left[colour] = left
            if before is not None and left > before + PERIOD:
                self._period_is_over(colour, flag=before <= FLAG)

    def _period_is_over(self, colour: chess.Color, *, flag: bool) -> None:
        """Ask for what is missing on the scoresheets: of both once a flag has fallen (8.5)."""
        over = set(chess.COLORS) if flag else {colour}
        behind = self._exempt & over
        due = update_due(white_exempt=chess.WHITE in behind, black_exempt=chess.BLACK in behind)
        self._exempt -= over
        self._trouble.discard(colour)
        if not self._exempt:
            self.desk.alerts.clear("RECORDING_EXEMPT", "the period is over", "expired")
        if not self._trouble:
            self.desk.alerts.clear("TIME_TROUBLE", "the period is over", "expired")
        if due is None:
            return
        who = "both players have" if due == "both" else f"{due.capitalize()} has"
        remedy = "stop the clocks; both complete their scoresheets, with the record to copy"
        if due != "both":
            remedy = f"{due} completes his scoresheet before he moves, on his own time"
        self.desk.alerts.raise_again(
            "RECORD_UPDATE_DUE",
            None,
            f"{name_of(colour).capitalize()}'s period is over, and {who} stopped recording",
            remedy=f"{remedy} (8.5)",
            by=None if due == "both" else due,
        )
