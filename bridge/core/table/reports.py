"""What is told of a game beside its moves: the alerts that findings of the engine lead to."""

from collections.abc import Sequence

import chess

from bridge.core.inference.lines import Line
from bridge.core.laws.illegal import judge
from bridge.core.model import Colour
from bridge.core.table.alerts import Alerts

MOST_TOLD = 4
"""How many lines an alert lists where moves were not seen."""


class Reports:
    """Tells the arbiter what happened to the record of one game.

    ``tried`` is the last illegal move, as a player would write it.
    """

    def __init__(self, alerts: Alerts) -> None:
        self.tried = ""
        self._alerts = alerts

    def unexplained(self, board: chess.Board, readings: Sequence[str]) -> chess.Move | None:
        """Report a completed move that leads to none of *readings* legally; return what was tried.

        None: no single move of one man was.
        """
        verdicts = (judge(board, cells) for cells in readings)
        verdict = next((verdict for verdict in verdicts if verdict is not None), None)
        if verdict is None:
            self._alerts.raise_(
                "POSITION_UNRESOLVED",
                "warning",
                "the clock was pressed, but no legal move leads to what stands on the board",
                article="7.4, 7.5.1",
                remedy=f"compare the board with the last certain position: {board.fen()}",
                by=name_of(board.turn),
                restore=board.fen(),
            )
            return None
        self._alerts.raise_(
            verdict.code,
            "critical",
            verdict.text,
            illegal=True,
            reason=verdict.reason,
            article=verdict.article,
            remedy=verdict.remedy,
            by=name_of(board.turn),
            san_tried=verdict.san_tried,
            restore=board.fen(),
        )
        if verdict.attempt is not None:
            self.tried = verdict.san_tried or verdict.attempt.uci()
        return verdict.attempt

    def stands(self, colour: chess.Color) -> None:
        """Report that the illegal move of *colour* was played on."""
        self._alerts.raise_(
            "ILLEGAL_MOVE_STANDS",
            "notice",
            f"the illegal move {self.tried} was played on and stands in the record",
            article="A.5.2",
            remedy="nothing need be restored under A.5; otherwise the arbiter decides",
            by=name_of(colour),
        )

    def corrected(self, ply: int, reason: str) -> None:
        """Report that later play alone showed another move at *ply*; each time is told."""
        self._alerts.raise_again(
            "RECORD_CORRECTED",
            "notice",
            f"ply {ply} was taken back: {reason}",
            remedy="compare this move with the players' scoresheets",
        )

    def gap(self, before: chess.Board, lines: Sequence[Line]) -> None:
        """Report that moves nobody saw were entered, and what else they may have been."""
        told = _told([before.variation_san(line) for line in lines])
        self._alerts.raise_again(
            "SCORESHEET_GAP",
            "notice",
            f"moves were made while the board was not seen; they may have been {told}",
            article="8.5.3",
            remedy="the first line was entered; compare it with the players' scoresheets",
        )

    def ambiguous(self, before: chess.Board, moves: Sequence[chess.Move]) -> None:
        """Report that nobody saw where a man was put down, and which moves it may have been."""
        told = _told([before.san(move) for move in moves])
        self._alerts.raise_again(
            "AMBIGUOUS_MOVE",
            "notice",
            f"the board does not show where a man stands: it may have been {told}",
            remedy="the first move was entered; later play may correct it",
            by=name_of(before.turn),
        )

    def missing(self, board: chess.Board) -> None:
        """Report that moves are missing from the record, which goes on from *board*."""
        self._alerts.raise_again(
            "SCORESHEET_GAP",
            "warning",
            "moves are missing here: no legal line leads to what stands on the board",
            article="8.5.3",
            remedy=f"complete the players' scoresheets; the record goes on from {board.fen()}",
        )


def _told(alternatives: Sequence[str]) -> str:
    """Return *alternatives* in words; many are counted, not named."""
    more = len(alternatives) - MOST_TOLD
    named = " or ".join(alternatives[:MOST_TOLD])
    return f"{named} or {more} more" if more > 0 else named


def name_of(colour: chess.Color) -> Colour:
    """Return the name of *colour*."""
    return "white" if colour else "black"
