"""Watching for illegal moves that nobody was told of: play that went on from them shows them."""

from bridge.core.inference.findings import Settled
from bridge.core.inference.second import READ_OUT
from bridge.core.laws.attempts import judge_move, tried_cells
from bridge.core.table.alerts import CALM, ILLEGAL_CODES, UNRESOLVED
from bridge.core.table.watchers.watcher import Desk, Watcher


class FoundLate(Watcher):
    """Tells an illegal move that was found when the record was read again.

    It waits until more plies are explained and the record is sure again, and is quiet where the
    arbiter was called to the table since that move. So it is where nobody saw that one made: legal
    moves may have led there.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._found: dict[int, Settled] = {}  # by their plies
        self._told: dict[int, str] = {}

    @classmethod
    def is_needed(cls, desk: Desk) -> bool:
        """Only where the position before it can still be put up: elsewhere it stands."""
        return desk.rules.remedy_window == "end_of_game"

    def settled(self, finding: Settled) -> None:
        """Keep an illegal move that no alert has told of, or tell what was kept."""
        last = len(self.desk.plies)
        if self._found and self.desk.engine.is_sure:
            for ply in [ply for ply in self._found if ply <= last - CALM]:
                self._tell(ply, self._found.pop(ply))
        stood_from = finding.stood_from
        if finding.basis == "stands" and not (
            self._was_called(stood_from) or self._was_unseen(stood_from)
        ):
            self._found[last] = finding

    def _was_unseen(self, stood_from: float) -> bool:
        """Whether nobody saw the move made that stood then: it did as soon as the link was back."""
        return 0 <= stood_from - self.desk.seen_from <= READ_OUT

    def _was_called(self, since: float) -> bool:
        """Whether the arbiter was called to the board *since* then, or is called to it now."""
        raised = self.desk.told.raised
        return UNRESOLVED in self.desk.alerts or any(
            code in raised and raised[code].at >= since for code in ILLEGAL_CODES | {UNRESOLVED}
        )

    def _tell(self, ply: int, found: Settled) -> None:
        before, move = found.before, found.move
        cells = tried_cells(before, move)
        verdict = judge_move(before, move, cells)
        if verdict is None or self._was_called(found.stood_from):
            return
        text = f"{verdict.text}; it was ply {ply}, and only play that went on has shown it"
        self.desk.reports.judged(verdict._replace(text=text), before, cells, confidence="medium")
        self.desk.alerts.keep({verdict.code})
        self._told[ply] = verdict.code

    def withdrawn(self, plies: int) -> None:  # noqa: ARG002 - the record has as many by now
        """Take back what was found, and told, of moves that are in the record no more."""
        left = len(self.desk.plies)
        self._found = {ply: found for ply, found in self._found.items() if ply <= left}
        for ply in [ply for ply in self._told if ply > left]:
            text = "play that followed shows that another move was made"
            self.desk.alerts.clear(self._told.pop(ply), text, "withdrawn")
