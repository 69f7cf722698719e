"""Watching for positions in which Guidelines III let a player ask for a draw; kept silent."""

import chess

from bridge.core.laws.clocks.periods import control_after, is_last
from bridge.core.laws.clocks.quickplay import quickplay_bar
from bridge.core.laws.clocks.times import shown
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import ClockReading


class Quickplay(Watcher):
    """Notes that the player to move has less than two minutes for the rest of the game (III.4)."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._noted: set[chess.Color] = set()

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether the guidelines were announced, and the times are known."""
        announced = desk.rules.guidelines_iii == "announced"
        return announced and desk.control is not None and bool(desk.control.periods)

    def clock(self, reading: ClockReading) -> None:
        """Look at the time of the player to move."""
        desk = self.desk
        turn = desk.board.turn
        left = desk.clock.remaining(turn)
        if left is None or not reading.running or turn in self._noted:
            return
        periods = desk.periods(turn)
        bar = quickplay_bar(
            left / 1000,
            desk.increment(turn),
            announced=True,
            rate=desk.rules.rate or "standard",
            flag_up=left > 0,
        )
        if bar is None and is_last(periods, control_after(periods, desk.completed(turn))):
            self._noted.add(turn)
            by = name_of(turn)
            text = f"{by.capitalize()} has {shown(left / 1000)} left for the rest of the game"
            desk.alerts.raise_again("QUICKPLAY_CLAIM_POSSIBLE", None, text, by=by)
