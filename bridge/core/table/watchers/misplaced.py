"""Watching how long a wrong set-up from which is played may still be put right (A.5.1.2)."""

import chess

from bridge.core.inference.findings import Settled
from bridge.core.laws.found_late import Moves, wrong_setup
from bridge.core.table.alerts import SETUP_CODES
from bridge.core.table.watchers.watcher import Desk, Watcher


class Misplaced(Watcher):
    """Ends the alert of the set-up when the rules let it stand, and says what is lost by it."""

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether the game was begun from a wrong set-up that stands some time."""
        wrong = any(code in desk.alerts for code in SETUP_CODES)
        return wrong and desk.rules.wrong_array_moves is not None

    def settled(self, finding: Settled) -> None:  # noqa: ARG002 - moves are counted
        """Look whether both have made so many moves."""
        desk = self.desk
        moves = Moves(desk.completed(chess.WHITE), desk.completed(chess.BLACK))
        for code in sorted(SETUP_CODES):
            found = wrong_setup(code, moves, desk.rules, started=True)
            if found.decision == "goes_on":
                desk.alerts.clear(code, found.text, "expired")
