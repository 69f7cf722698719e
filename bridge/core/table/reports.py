"""What is told of a game beside its moves: the alerts that findings of the engine lead to."""

from collections.abc import Callable, Sequence

import chess

from bridge.core.inference.certainty import Contradiction
from bridge.core.inference.lines import Line as Moves
from bridge.core.inference.placement import BIT
from bridge.core.laws.answered import judge_answered
from bridge.core.laws.attempts import judge_move
from bridge.core.laws.clocks.penalties import after_illegal_move
from bridge.core.laws.clocks.times import Times, shown
from bridge.core.laws.illegal import judge, judge_man
from bridge.core.laws.remedies import Remedy, offender, remedy
from bridge.core.laws.verdict import Verdict, differing
from bridge.core.laws.winnability import winnability
from bridge.core.model import Confidence, Severity
from bridge.core.table.alerts import UNRESOLVED, Alerts
from bridge.core.table.naming import name_of
from bridge.core.table.rulings.line import Line
from bridge.core.timecontrol import TimeControl
from bridge.core.timekeeping import ClockBook

TOLD_LATE = 0.2
"""By so much later (s) than a press any board may tell what was done before it."""
MOST_TOLD = 4
"""How many lines an alert lists where moves were not seen."""


class Reports:
    """Tells the arbiter what happened to the record of one game."""

    def __init__(
        self, alerts: Alerts, clock: ClockBook, line: Line, control: TimeControl | None
    ) -> None:
        self._alerts = alerts
        self._clock = clock
        self._line = line
        self._control = control
        self._doubted: tuple[Verdict, chess.Board, str] | None = None

    def unexplained(
        self,
        board: chess.Board,
        readings: Sequence[str],
        *,
        sure: bool,
        confirmed: bool,
        watched: bool,
        emptied: Sequence[float],
        late: float,
        contradicts: Callable[[int, chess.Move | None], Contradiction | None],
        proves: Callable[[int, chess.Move], bool],
        taken: chess.Move | None = None,
    ) -> chess.Move | None:
        """Report a completed move that leads to none of *readings* legally; return what was tried.

        *emptied*: when each square was last, as is told up to *late* seconds after it.
        *taken*: a man took one of his own kind by it. None: no single move of one man was; play
        goes on most often then and explains the board. Unless the record is *sure*, nobody is said
        to have made an illegal move that the squares by which it is judged do not *prove* alone,
        and unless play has *confirmed* its last moves, play may yet explain the board. It is
        neither if these squares *contradict* the record. *watched*: nothing was missed since then.
        """
        board, history = self._with_history(board)
        verdicts = ((judge(board, cells, history), cells) for cells in readings)
        found = next(
            (
                (verdict, cells)
                for verdict, cells in verdicts
                if verdict and not self._is_in_his_time(verdict, board, emptied, late)
            ),
            None,
        )
        if found is None and taken is not None:
            found = judge_man(board, taken, readings[0]), readings[0]
        if found is None and sure:
            found = judge_answered(board, readings[0], history)
        contradiction = self._doubted = None
        if found is not None:
            squares, tried = _judged_by(board, *found)
            sure = sure or (tried is not None and proves(squares, tried))
            contradiction = contradicts(squares, tried)
            if contradiction is not None:
                sure = confirmed = False
        if found is None or not sure:
            text = "a move was completed, but no legal move leads to what stands on the board"
            doubt = f"; perhaps {found[0].text}, but the record is not certain" if found else ""
            self._alerts.raise_(
                UNRESOLVED,
                None if found and confirmed else "notice",
                text + doubt,
                remedy=f"compare the board with the last certain position: {board.fen()}",
                by=name_of(board.turn),
                restore=board.fen(),
            )
            if found and confirmed:
                self._alerts.worsen(UNRESOLVED, "warning")
        if found is None:
            return None
        verdict, cells = found
        if sure:
            self.judged(verdict, board, cells)
        elif watched and contradiction != "men":
            self._doubted = verdict, board, cells
        return verdict.attempt

    def restored(self, board: chess.Board) -> None:
        """Report what was doubted while all was watched, if *board* stands again as before it.

        Who put it back knew the position, whatever the record was.
        """
        doubted, self._doubted = self._doubted, None
        if doubted is not None and doubted[1] == board:
            self.judged(*doubted)

    def _is_in_his_time(
        self, verdict: Verdict, board: chess.Board, emptied: Sequence[float], late: float
    ) -> bool:
        """Whether a move out of turn was begun while its player's clock ran: a move is missing."""
        if verdict.reason != "WRONG_SIDE" or verdict.attempt is None:
            return False
        began = emptied[verdict.attempt.from_square] - max(late, TOLD_LATE)
        return self._clock.may_have_run_for(offender(board, verdict), began)

    def judged(
        self,
        verdict: Verdict,
        board: chess.Board,
        cells: str,
        *,
        severity: Severity | None = None,
        illegal: bool = True,
        confidence: Confidence = "high",
    ) -> None:
        """Report *verdict* on what led from *board* to *cells*, with what may be done about it."""
        self._alerts.raise_instead(
            self._code_of(verdict, board),
            severity,
            verdict.text,
            illegal=illegal,
            reason=verdict.reason,
            article=verdict.article_under(self._alerts.rules.book),
            remedy=self._remedy(board, cells, verdict),
            by=name_of(board.turn ^ (verdict.reason == "WRONG_SIDE")),
            san_tried=verdict.san_tried,
            restore=board.fen(),
            confidence=confidence,
        )

    def _code_of(self, verdict: Verdict, board: chess.Board) -> str:
        began = verdict.code == "WRONG_SIDE_MOVED" and board.turn and not self._line.steps
        return "STARTED_WITH_BLACK" if began else verdict.code

    def _with_history(self, board: chess.Board) -> tuple[chess.Board, list[chess.Move]]:
        """Return *board* with the moves that led to it, as far as all of them are known."""
        steps = self._line.steps
        moves = [step.move for step in steps if step.is_legal_move and step.move is not None]
        if len(moves) != len(steps):
            return board, []
        replayed = self._line.start.copy()
        for move in moves:
            replayed.push(move)
        return (replayed, moves) if replayed == board else (board, [])

    def _remedy(self, board: chess.Board, cells: str, verdict: Verdict) -> str:
        """Return what the rules offer, in words, and the times that follow from it."""
        rules, side = self._alerts.rules, offender(board, verdict)
        earlier = self._alerts.offences(name_of(side))
        loses_at = rules.illegal_moves_that_lose
        may_lose = loses_at is not None and earlier + 1 >= loses_at
        offered = remedy(
            board,
            cells,
            verdict,
            rules,
            earlier=earlier,
            opponent=winnability(board, not side).verdict if may_lose else "undetermined",
            increment_s=self._increment(board, side),
        )
        return "; ".join(filter(None, (offered.text, self._times(offered, side))))

    def _increment(self, board: chess.Board, side: chess.Color) -> float:
        """Return the seconds that the press has added to *side*'s time."""
        if self._control is None or self._clock.reading is None:
            return 0
        return self._control.increment_at(name_of(side), board.fullmove_number)

    def _times(self, offered: Remedy, side: chess.Color) -> str:
        white, black = self._clock.remaining(chess.WHITE), self._clock.remaining(chess.BLACK)
        if white is None or black is None or not (offered.minutes or offered.taken_back_s):
            return ""
        times = after_illegal_move(
            Times(white / 1000, black / 1000),
            name_of(side),
            minutes=offered.minutes,
            increment=offered.taken_back_s,
            rule="taken_back",
        )
        return f"by the last reading White {shown(times.white)}, Black {shown(times.black)}"

    def stands(self, colour: chess.Color, san: str) -> None:
        """Report that the illegal move *san* of *colour* was played on."""
        self._alerts.raise_(
            "ILLEGAL_MOVE_STANDS",
            None,
            f"the illegal move {san} was played on and stands in the record",
            remedy="nothing is restored any more; castling is possible as the men stand, and "
            "repetitions and moves are counted anew",
            by=name_of(colour),
        )

    def found_illegal(self, before: chess.Board, move: chess.Move, cells: str) -> None:
        """Report that *move* of the record, which led to *cells*, may not be made."""
        verdict = judge_move(before, move, cells)
        if verdict is not None:
            self.judged(verdict, before, cells)

    def corrected(self, ply: int, reason: str) -> None:
        """Report that later play alone showed another move at *ply*; each time is told."""
        self._alerts.raise_again(
            "RECORD_CORRECTED",
            None,
            f"ply {ply} was taken back: {reason}",
            remedy="compare this move with the players' scoresheets",
        )

    def gap(self, before: chess.Board, lines: Sequence[Moves]) -> None:
        """Report that moves nobody saw were entered, and what else they may have been."""
        told = _told([before.variation_san(line) for line in lines])
        self._alerts.raise_again(
            "SCORESHEET_GAP",
            None,
            f"moves were made while the board was not seen; they may have been {told}",
            remedy="the first line was entered; compare it with the players' scoresheets",
        )

    def inferred(self, san: str, *, sure: bool) -> None:
        """Report that moves that fit were entered from *san* on, unseen; *sure*: no others do."""
        fit = "they can only be" if sure else "by the start position that is taken they may be"
        self._alerts.raise_again(
            "SCORESHEET_GAP",
            None,
            f"moves were made while the board was not seen; {fit} those from {san} on",
            remedy="they were entered as inferred; compare them with the players' scoresheets",
        )

    def ambiguous(self, before: chess.Board, moves: Sequence[chess.Move]) -> None:
        """Report that nobody saw where a man was put down, and which moves it may have been."""
        told = _told([before.san(move) for move in moves])
        self._alerts.raise_again(
            "AMBIGUOUS_MOVE",
            None,
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
            remedy=f"complete the players' scoresheets; the record goes on from {board.fen()}",
        )


def _judged_by(board: chess.Board, verdict: Verdict, cells: str) -> tuple[int, chess.Move | None]:
    """Return the squares that differ by what is judged, those of the move tried, and that move.

    In Chess960 a king castles to the square of his rook, who may stand there still.
    """
    move = verdict.attempt
    squares = {*differing(board, cells)}
    if move is not None:
        squares.add(move.from_square)
        own = board.color_at(move.to_square) == board.color_at(move.from_square)
        if not (board.chess960 and own):
            squares.add(move.to_square)
    return sum(BIT[square] for square in squares), move


def _told(alternatives: Sequence[str]) -> str:
    """Return *alternatives* in words; many are counted, not named."""
    more = len(alternatives) - MOST_TOLD
    named = " or ".join(alternatives[:MOST_TOLD])
    return f"{named} or {more} more" if more > 0 else named
