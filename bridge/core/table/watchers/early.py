"""Watching for presses that come before their move (6.2.4)."""

import chess

from bridge.core.inference.findings import Settled
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.presses import REPORTED
from bridge.core.table.watchers.watcher import Desk, Watcher
from bridge.core.timekeeping import Press
from drivers.events import EMPTY

LANDED = 1.2
"""A man that lands so soon after the press may be reported late (s): slow boards scan so long."""
UNSEEN = 1.6
"""The same of one not yet seen to leave: a board that misses a scan tells both late (s)."""
SOON = 3.0
"""A move that comes so soon after the press is the one that was pressed for (s)."""


class EarlyPress(Watcher):
    """Tells that the clock was pressed with the man still in the air, or not yet touched."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._pressed: tuple[chess.Color, float, float] | None = None

    def pressed(self, press: Press, *, late: bool) -> None:
        """Keep a press at which no move stood."""
        self._pressed = None
        turn = self.desk.board.turn
        if late or press.estimated or press.colour != turn or press.colour in self.desk.owed:
            return
        engine = self.desk.engine
        left = engine.sight.differs(engine.position.shown)
        played = engine.in_sight and len(self.desk.plies) > 0
        if played and self._nothing_stands(left) and not self._went_on(left):
            self._pressed = press.colour, self.desk.told.at, LANDED if left else UNSEEN

    def _nothing_stands(self, left: int) -> bool:
        """Whether all men are on their squares but perhaps one of the mover's, in his hand."""
        if left & (left - 1):
            return False
        own = self.desk.board.occupied_co[self.desk.board.turn]
        return not left or bool(left & own and self.desk.engine.cells[chess.lsb(left)] == EMPTY)

    def _went_on(self, left: int) -> bool:
        """Whether the move may have stood at the press, which lay before its report.

        The reply may have begun since, perhaps with the man that was moved, or a man has taken
        another one and the board, which does not tell men apart, shows there what it did before.
        """
        engine = self.desk.engine
        if engine.sight.last_change(chess.BB_ALL & ~left) > self.desk.told.at - REPORTED:
            return True
        hidden = engine.position.sensing == "occupancy"
        return hidden and any(self.desk.board.generate_legal_captures(left))

    def settled(self, finding: Settled) -> None:
        """Tell it when the move that followed is known."""
        if self._pressed is None:
            return
        (colour, at, least), self._pressed = self._pressed, None
        after = self._landed(finding) - at
        seen = finding.basis != "gap"  # what was read again later may have stood all the time
        if finding.before.turn != colour or not seen or not least <= after <= SOON:
            return
        self.desk.alerts.raise_again(
            "CLOCK_PRESSED_BEFORE_MOVE",
            None,
            f"{finding.before.san(finding.move)} came to stand {after:.1f} s after the press",
            remedy="a word to the player, or a penalty of 12.9",
            by=name_of(colour),
            confidence="low",
        )

    def _landed(self, finding: Settled) -> float:
        """Return when the man came, which may be shown for a while where it came from as well."""
        if finding.before.is_castling(finding.move):
            return finding.stood_from
        return min(finding.stood_from, self.desk.engine.sight.changed[finding.move.to_square])
