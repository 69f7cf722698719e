"""Watching the flags: who overstepped the time, and what the opponent can still do (6.8, 6.9)."""

import math

import chess

from bridge.core.laws.clocks.flags import both_flags, flag_means
from bridge.core.laws.clocks.periods import Control, control_at, is_last
from bridge.core.laws.endings import status
from bridge.core.laws.forfeits import FlagKind, flag_fall
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.draws import AUTOMATIC
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import ClockReading

NEAR_MS = 5_000
"""A time that runs out was seen this near to it, or less, after what has passed since (ms)."""
ADDED_AFTER = 2.0
"""How long zero must be shown where a period may be added to it (s)."""
PERIOD_MS = 60_000
"""A time that rises by so much has got another period."""
_REASONS: dict[FlagKind, str] = {
    "win_for_opponent": "LOSS",
    "draw": "DRAW_NO_MATE",
    "undetermined": "UNDETERMINED",
}


class _Side:
    """One player's time as it was seen: when it ran out, and how many periods were added."""

    __slots__ = ("at", "left", "period", "told", "zero_at")

    def __init__(self) -> None:
        self.left = self.at = -math.inf
        self.zero_at = math.inf
        self.period = 0
        self.told = False


class Flags(Watcher):
    """Tells that a flag has fallen, with the result that the position gives it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._sides = {chess.WHITE: _Side(), chess.BLACK: _Side()}

    def clock(self, reading: ClockReading) -> None:
        """Follow both times; most readings are nobody's end."""
        white_left = self.desk.clock.white_side == "left"
        self._read(white_left, reading.left_ms, flag=reading.left_flag)
        self._read(not white_left, reading.right_ms, flag=reading.right_flag)
        if not (reading.left_ms and reading.right_ms):
            self.look()

    def _read(self, colour: chess.Color, left: int, *, flag: bool) -> None:
        """Take a time; it is believed to run out only where it was seen to."""
        side, at = self._sides[colour], self.desk.told.at
        before = side.left
        if left:
            if left > before + PERIOD_MS and before >= 0:
                side.period += 1
            if side.zero_at < math.inf:
                self._runs_again(side)
        elif side.zero_at == math.inf and (flag or 0 < before <= NEAR_MS + 1000 * (at - side.at)):
            side.zero_at = at
        side.left, side.at = left, at

    def _runs_again(self, side: _Side) -> None:
        side.zero_at = math.inf
        if side.told:
            side.told = False
            for code in ("FLAG_FALL", "BOTH_FLAGS"):
                self.desk.alerts.clear(code, "the clock shows time again")

    def look(self) -> None:
        """Tell what is certain by now."""
        fallen = [c for c, side in self._sides.items() if side.zero_at < math.inf]
        new = [c for c in fallen if not self._sides[c].told and self._certain(c)]
        if not new or self._is_over():
            return
        if len(new) > 1 and self._sides[True].zero_at == self._sides[False].zero_at:
            self._both()
        else:
            first = min(new, key=lambda c: self._sides[c].zero_at)
            if len(fallen) == len(new):  # of two flags the first decides
                self._fell(first)
        for colour in new:
            self._sides[colour].told = True

    def _certain(self, colour: chess.Color) -> bool:
        """Whether no period can follow, or none was added where it would have been."""
        side = self._sides[colour]
        control = self._control(colour)
        periods = self.desk.periods(colour)
        last = control is not None and is_last(periods, control)
        return last or self.desk.due(side.zero_at + ADDED_AFTER)

    def _is_over(self) -> bool:
        """Whether the game was over before, by a move that was made."""
        ended = any(code in self.desk.alerts for code in AUTOMATIC)
        return ended or not any(self.desk.after_standing().legal_moves)

    def _control(self, colour: chess.Color) -> Control | None:
        periods = self.desk.periods(colour)
        return control_at(periods, self._sides[colour].period) if periods else None

    # -- what is told ------------------------------------------------------------------------------

    def _fell(self, colour: chess.Color) -> None:
        desk, control = self.desk, self._control(colour)
        by, completed = name_of(colour), self.desk.completed(colour)
        needed = None if control is None else control.move
        if flag_means(game_over=False, completed=completed, control_move=needed) == "period_met":
            desk.alerts.raise_again(
                "FLAG_FALL",
                "notice",
                f"{by.capitalize()}'s period is over with {completed} of {needed} moves made",
                reason="PERIOD_MET",
                remedy="the next period begins",
                by=by,
            )
            return
        board = desk.after_standing()
        found = flag_fall(board, colour, status(board), desk.rules.flag_draw)
        line = found.winnability.line if found.winnability else ()
        shown = f" ({board.variation_san(line)})" if line else ""
        of = "" if needed is None else f" of {needed}"
        desk.alerts.raise_again(
            "FLAG_FALL",
            None,
            f"{by.capitalize()}'s flag has fallen after {completed}{of} moves",
            reason=_REASONS.get(found.kind, "LOSS"),
            remedy=f"{found.result or 'the arbiter judges'}: {found.reason}{shown}",
            by=by,
        )

    def _both(self) -> None:
        desk = self.desk
        control = self._control(desk.board.turn)
        last = control is None or is_last(self.desk.periods(desk.board.turn), control)
        follows = both_flags(first=None, last_period=last, rule=desk.rules.both_flags)
        remedy = "draw" if follows == "draw" else "the game goes on"
        desk.alerts.raise_(
            "BOTH_FLAGS",
            None,
            "both displays show no time, and which came first is not known",
            remedy=f"look for the clock's own mark of the first flag; else {remedy}",
        )
