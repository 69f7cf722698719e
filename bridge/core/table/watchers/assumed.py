"""Watching for moves of which nothing shows everything: pieces of promotion without names.

What is assumed makes later alerts less certain, until the arbiter has confirmed the piece.
"""

import chess

from bridge.core.inference.findings import Settled
from bridge.core.table.naming import name_of
from bridge.core.table.watchers.watcher import Desk, Watcher


class Assumed(Watcher):
    """Tells that a piece of promotion was assumed, as long as that ply stands."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._assumed: set[int] = set()
        self._shown: set[int] = set()

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Whether the board does not name men."""
        return desk.setup.sensing != "identity"

    def settled(self, finding: Settled) -> None:
        """Ask for the piece, unless play has shown it."""
        desk, kind = self.desk, finding.move.promotion
        ply = len(desk.plies)
        if kind is None or ply in self._shown:
            return
        self._assumed.add(ply)
        desk.sure = False
        desk.alerts.raise_again(
            "MOVE_ASSUMED",
            None,
            f"{finding.before.san(finding.move)} was entered: the board does not tell that the "
            f"pawn became a {chess.piece_name(kind)}",
            remedy="look at the piece; correct the move if it is another one",
            by=name_of(finding.before.turn),
            confidence="medium",
        )

    def withdrawn(self, plies: int) -> None:  # noqa: ARG002 - what is left is counted
        """What was assumed is found to be wrong: what takes its place is what play shows."""
        gone = {ply for ply in self._assumed if ply > len(self.desk.plies)}
        self._shown |= gone
        self._drop(gone, "later play shows it")

    def ruled(self) -> None:
        """The arbiter knows the piece."""
        self._drop(set(self._assumed), "the arbiter has ruled")

    def _drop(self, plies: set[int], why: str) -> None:
        self._assumed -= plies
        if plies and not self._assumed:
            self.desk.alerts.clear("MOVE_ASSUMED", why)
