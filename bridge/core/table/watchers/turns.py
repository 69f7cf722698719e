"""Watching for moves of the side that is not to move, where nobody pressed the clock."""

import chess

from bridge.core.laws.illegal import judge
from bridge.core.model import Severity
from bridge.core.table.watchers.watcher import Desk, Watcher


class Turns(Watcher):
    """Tells that the wrong side has moved, when the board rests so."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._passed: tuple[chess.Board, str] | None = None  # asked again with every reading

    def rested(self) -> None:
        """Judge what stands, unless it is told already or play is interrupted."""
        desk, engine = self.desk, self.desk.engine
        named = engine.position.sensing == "identity"
        if not (named and desk.clock.runs and engine.in_sight) or desk.alerts.of_moves():
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
