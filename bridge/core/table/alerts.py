"""The alerts that stand at a table: each is raised once and cleared once."""

from collections.abc import Set as AbstractSet

from bridge.core.model import AlertCleared, AlertRaised, Severity
from bridge.core.table.told import Told

SETUP_CODES = frozenset({"WRONG_SETUP", "CHESS960_SETUP_MISMATCH", "BOARD_ROTATED"})
"""Alerts about how the men were set up."""
NOT_OF_A_MOVE = SETUP_CODES | {
    "CLOCK_DISCONNECTED",
    "BOARD_DISCONNECTED",
    "AMBIGUOUS_MOVE",
    "SCORESHEET_GAP",
    "RECORD_CORRECTED",
    "ILLEGAL_MOVE_STANDS",
}
"""Alerts that a move does not end."""


class Alerts:
    """The codes of the alerts that stand."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._stand: set[str] = set()

    def __contains__(self, code: str) -> bool:
        return code in self._stand

    def raise_(self, code: str, severity: Severity, text: str, **fields: object) -> None:
        """Raise an alert unless it stands."""
        if code not in self._stand:
            self._stand.add(code)
            self._told.state(AlertRaised, code=code, severity=severity, text=text, **fields)

    def raise_again(self, code: str, severity: Severity, text: str, **fields: object) -> None:
        """Raise an alert for another cause than the one that it may stand for."""
        self._stand.discard(code)
        self.raise_(code, severity, text, **fields)

    def clear(self, code: str, text: str) -> None:
        """Clear an alert if it stands."""
        if code in self._stand:
            self._stand.discard(code)
            self._told.state(AlertCleared, code=code, text=text)

    def clear_all(self, codes: AbstractSet[str], text: str) -> None:
        """Clear those of *codes* that stand."""
        for code in sorted(self._stand & codes):
            self.clear(code, text)

    def of_moves(self) -> frozenset[str]:
        """Return the alerts that the next move, or putting the men right, ends."""
        return frozenset(self._stand - NOT_OF_A_MOVE)

    def clear_of_moves(self, text: str) -> None:
        """Clear what the next move, or putting the men right, ends."""
        self.clear_all(self.of_moves(), text)
