"""Watching for moves of the side that is not to move, where nobody pressed the clock.

A player whose clock runs is to move, whatever the record says: then a move is missing from it.
"""

import chess

from bridge.core.inference.findings import Settled
from bridge.core.laws.illegal import judge
from bridge.core.model import Severity
from bridge.core.table.watchers.watcher import Desk, Watcher
from bridge.core.timekeeping import Press


class Turns(Watcher):
    """Tells that the wrong side has moved, when the board rests so."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._passed: tuple[chess.Board, str] | None = None  # asked again with every reading
        self._lacks_move = False

    def settled(self, finding: Settled) -> None:  # noqa: ARG002 - any move will do
        """The record has gone on."""
        self._lacks_move = False

    def pressed(self, press: Press, *, late: bool) -> None:
        """Note a press of the side that is not to move: it has moved in its own time."""
        if press.colour != self.desk.board.turn and not late:
            self._lacks_move = True

    def rested(self) -> None:
        """Judge what stands, unless it is told already or play is interrupted."""
        desk, engine = self.desk, self.desk.engine
        named = engine.position.sensing == "identity"
        if not (named and self._is_his_time() and engine.in_sight) or desk.alerts.of_moves():
            return
        shown = desk.board, engine.cells
        if shown == self._passed:
            return
        verdict = judge(*shown)
        if verdict is None or verdict.reason != "WRONG_SIDE":
            self._passed = shown
            return
        severity: Severity | None = None if desk.board.turn and not desk.line.steps else "warning"
        desk.reports.judged(verdict, *shown, severity=severity, illegal=False)

    def _is_his_time(self) -> bool:
        """Whether the clock runs, and for the side that is to move by a record."""
        desk, reading = self.desk, self.desk.clock.reading
        if reading is None or not reading.running:
            return False
        if not desk.line.steps:
            return True
        return not self._lacks_move and desk.clock.colour_of(reading.turn) == desk.board.turn
