"""Watching boards that nothing explains: play most often does so within a few moves."""

import math

from bridge.core.inference.findings import Settled
from bridge.core.table.alerts import UNRESOLVED
from bridge.core.table.watchers.watcher import Desk, Watcher
from bridge.core.timekeeping import Press

PATIENCE = 12.0
"""A board that no move has explained for so long, the arbiter must look at (s) ..."""
REPLIED = 3.0
"""... where men have no names and the clock runs, so long after the next press (s), ..."""
THINKING = 30.0
"""... but not later than this, however long a player thinks (s)."""


class Unresolved(Watcher):
    """Calls the arbiter to a board that stays not understood."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._since = self._pressed_at = math.inf
        self._unnamed = desk.setup.sensing != "identity"

    def unexplained(self) -> None:
        """Wait for play to explain it."""
        self._since, self._pressed_at = self.desk.told.at, math.inf
        self.desk.due(self._since + PATIENCE)

    def pressed(self, press: Press, *, late: bool) -> None:  # noqa: ARG002 - whichever
        """Somebody has gone on."""
        self._pressed_at = min(self._pressed_at, self.desk.told.at)

    def settled(self, finding: Settled) -> None:  # noqa: ARG002 - whichever
        """Play has explained it; whether rightly shows if it stays so."""
        self._since = math.inf

    def look(self) -> None:
        """Call the arbiter if it has lasted."""
        if self._since == math.inf or not self.desk.due(self._since + PATIENCE):
            return
        if self._unnamed and self.desk.clock.runs and not self._is_replied():
            return
        self._since = math.inf
        if not self.desk.blind:
            self.desk.alerts.worsen(UNRESOLVED, "warning")

    def _is_replied(self) -> bool:
        """Whether the reply is made, which tells most often which man had been taken or moved."""
        return self.desk.due(min(self._pressed_at + REPLIED, self._since + THINKING))
