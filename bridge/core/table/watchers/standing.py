"""Watching positions that only illegal moves lead to, where one of them stands (A.5.4)."""

from bridge.core.inference.findings import Settled
from bridge.core.laws.unnoticed import Unnoticed, is_drawn, unnoticed
from bridge.core.table.watchers.watcher import Desk, Watcher

_TEXTS = {
    "BOTH_KINGS_IN_CHECK": "both kings stand in check",
    "PAWN_ON_LAST_RANK": "a pawn stands on its last rank",
}


class Standing(Watcher):
    """Waits for one more move after an illegal position, and tells when it is drawn by it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._watches = False
        self._first: Unnoticed | None = None

    def settled(self, finding: Settled) -> None:
        """Judge the position that a move left, from the answer to an illegal move on."""
        if finding.basis == "stands":
            self._watches = self.desk.rules.both_kings_in_check == "wait_then_draw"
            self._first = None
            return
        if not self._watches:
            return
        first, self._first = self._first, None
        found = unnoticed(finding.after)
        if first is not None and is_drawn(first, found):
            for code in first.codes:
                text = f"{_TEXTS[code]}, also after one more move"
                self.desk.alerts.raise_again(code, "critical", text, remedy="drawn (A.5.4)")
            return
        for code in _TEXTS:
            if code not in found.codes:
                self.desk.alerts.clear(code, "the move after it has cured it")
        for code in found.codes:
            self.desk.alerts.raise_(
                code, None, _TEXTS[code], remedy="wait for one more move; then it is drawn"
            )
        self._first = found if found.codes else None

    def withdrawn(self, plies: int) -> None:  # noqa: ARG002 - however many
        """What was seen in moves that are not in the record counts no more."""
        self._first = None
