"""Watching for clocks that a player has stopped: somebody is calling for the arbiter (6.11)."""

import math

import chess

from bridge.core.laws.clocks.stopped import Signs, stopped_by_player
from bridge.core.table.watchers.draws import CLAIMABLE
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import EMPTY, ClockReading

STOPPED = 1.5
"""How long both clocks must stand where something tells why (s)."""
UNEXPLAINED = 8.0
"""The same where nothing does: most often the game is over, and the kings will tell it (s)."""
SHOWING = 20.0
"""The same while a king is away from its square: its player may show the result (s)."""


class Stops(Watcher):
    """Tells that both clocks stand in the middle of a game, and offers reasons."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._ran = desk.clock.runs
        self._since = math.inf

    def clock(self, reading: ClockReading) -> None:
        """Note when the clock stops and when it runs again."""
        if reading.running == self._ran:
            return
        self._ran = reading.running
        if reading.running:
            self._since = math.inf
            self.desk.alerts.clear("CLOCK_STOPPED_BY_PLAYER", "a clock runs again")
        else:
            self._since = self.desk.told.at
            self.desk.due(self._since + STOPPED)

    def look(self) -> None:
        """Tell it when it has lasted."""
        desk, engine = self.desk, self.desk.engine
        if self._since == math.inf or not desk.due(self._since + STOPPED) or not engine.in_sight:
            return
        if desk.alerts.of_moves():
            return  # the arbiter has been called already
        if not len(desk.plies) and engine.cells == engine.position.shown:
            return  # nobody has moved yet
        found = stopped_by_player(self._signs(), desk.rules.player_stops_clock)
        patience = STOPPED if found.reasons else UNEXPLAINED
        if not desk.due(self._since + (SHOWING if self._kings_are_moved() else patience)):
            return
        self._since = math.inf
        desk.alerts.raise_(
            "CLOCK_STOPPED_BY_PLAYER",
            found.severity,
            found.text,
            remedy="; ".join(found.reasons) or "ask who stopped the clocks and why",
        )

    def _kings_are_moved(self) -> bool:
        shown, board = self.desk.engine.cells, self.desk.board
        return any(shown[king] == EMPTY for king in chess.scan_forward(board.kings))

    def _signs(self) -> Signs:
        alerts, cells = self.desk.alerts, self.desk.engine.cells
        return Signs(
            pawn_on_last_rank="p" in cells[:8] or "P" in cells[56:],
            draw_claimable=any(code in alerts for code in CLAIMABLE),
            just_irregular="PIECES_DISPLACED" in alerts,
            flag_down=any(code in alerts for code in ("FLAG_FALL", "BOTH_FLAGS")),
            seems_over=self._kings_are_moved() or not any(self.desk.after_standing().legal_moves),
        )
