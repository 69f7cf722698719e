"""Watching for moves of the side that is not to move, where nobody pressed the clock."""

from bridge.core.laws.illegal import judge
from bridge.core.model import Severity
from bridge.core.table.watchers.watcher import Watcher


class Turns(Watcher):
    """Tells that the wrong side has moved, when the board rests so."""

    def rested(self) -> None:
        """Judge what stands, unless it is told already or play is interrupted."""
        desk, engine = self.desk, self.desk.engine
        named = engine.position.sensing == "identity"
        if not (named and desk.clock.runs and engine.in_sight) or desk.alerts.of_moves():
            return
        verdict = judge(desk.board, engine.cells)
        if verdict is not None and verdict.reason == "WRONG_SIDE":
            severity: Severity | None = (
                None if desk.board.turn and not desk.line.steps else "warning"
            )
            desk.reports.judged(verdict, desk.board, engine.cells, severity=severity, illegal=False)
