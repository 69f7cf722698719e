"""Watching boards that nothing explains: play most often does so within a few moves."""

import math

from bridge.core.inference.findings import Settled
from bridge.core.table.alerts import UNRESOLVED
from bridge.core.table.watchers.watcher import Desk, Watcher

PATIENCE = 12.0
"""A board that no move has explained for so long, the arbiter must look at (s)."""


class Unresolved(Watcher):
    """Calls the arbiter to a board that stays not understood."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._since = math.inf

    def unexplained(self) -> None:
        """Wait for play to explain it."""
        self._since = self.desk.told.at
        self.desk.due(self._since + PATIENCE)

    def settled(self, finding: Settled) -> None:  # noqa: ARG002 - whichever
        """Play has explained it; whether rightly shows if it stays so."""
        self._since = math.inf

    def look(self) -> None:
        """Call the arbiter if it has lasted."""
        if self._since == math.inf or not self.desk.due(self._since + PATIENCE):
            return
        self._since = math.inf
        if not self.desk.blind:
            self.desk.alerts.worsen(UNRESOLVED, "warning")
