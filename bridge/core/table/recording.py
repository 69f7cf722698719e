"""A game as it is recorded: what its engine finds becomes facts, up to the result."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, NamedTuple

import chess

from bridge.core.inference.certainty import MOST_STANDING, PLIES_SURE
from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import (
    Adopted,
    Ambiguous,
    ArrayFound,
    Explained,
    Finding,
    Gap,
    Provisional,
    ResultShown,
    Settled,
    Unexplained,
    Withdrawn,
)
from bridge.core.inference.illegal import REREAD
from bridge.core.inference.timing import Timing
from bridge.core.laws.attempts import written
from bridge.core.model import (
    GameEnded,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    Result,
    StartFound,
    TableSetup,
)
from bridge.core.table.alerts import SETUP_CODES, UNRESOLVED, Alerts
from bridge.core.table.arrays import Stand
from bridge.core.table.final import is_certain
from bridge.core.table.naming import name_of
from bridge.core.table.reports import Reports
from bridge.core.table.rulings.line import Line, Step
from bridge.core.table.times import PlyTimes, Timed
from bridge.core.table.told import Told
from bridge.core.table.verdicts import Verdicts
from bridge.core.table.watchers.everybody import Watchers
from bridge.core.table.watchers.watcher import Desk
from bridge.core.timecontrol import TimeControl, TimeControlError, parse_time_control
from bridge.core.timekeeping import ClockBook
from drivers.cells import cells_of

STOOD_AT_END = 0.6
"""How long an unsettled move must have stood to count when the game is ended (s)."""
STOOD_BEFORE = 4.0
"""The same before the men are put up again: the first may come home by a legal move (s)."""
JUST_BACK = 15.0
"""So soon after a lost link moves may still be missing from the record (s) ..."""
LONG_LOST = 3.0
"""... if it was lost for at least so long (s)."""

MOST_DOUBTED = 120.0
"""So long (s) play may go on from a last position that the board does not surely show."""
JUST_MADE = 10.0
"""So long (s) after an illegal move it is told, if it was not seen at once."""


_ARRAY = chess.BaseBoard()


class Around(NamedTuple):
    """What a game shares with its table."""

    told: Told
    alerts: Alerts
    clock: ClockBook
    timing: Timing


class Recording:
    """A game from its start position on, and its record; cells are White's.

    ``over``: it has ended, and nothing more is to be given to it. ``ended``: its result and what
    ended it. ``line``: the moves that stand in the record. ``control``: the time control it was
    begun with, where that is known. ``setup``: what it was begun with, names as they were
    corrected.
    """

    def __init__(self, stand: Stand, setup: TableSetup, around: Around) -> None:
        self.setup = setup
        self.over = False
        self.ended: tuple[Result, str] = ("*", "")
        self.line = Line(stand.board)
        self._untold, self._meant = stand.untold, stand.meant
        self._timing = around.timing
        self.engine = self._new_engine()
        self.plies = PlyTimes()
        self._told, self._alerts, self._clock = around.told, around.alerts, around.clock
        self.control = _control_of(setup)
        self._reports = Reports(around.alerts, around.clock, self.line, self.control)
        self._desk = Desk(
            around.told,
            around.alerts,
            around.clock,
            self.engine,
            self.plies,
            self._reports,
            self.line,
            setup,
            self.control,
        )
        self._watchers = Watchers(self._desk)
        self._verdicts = Verdicts(around.timing.press_life)
        self._settled_by_clock: tuple[chess.Color, float] | None = None
        self._unwatched = False
        self._reread_at = -math.inf
        self._blind_since = -math.inf
        self._ends_at = math.inf
        self._accused: set[int] = set()

    def _new_engine(self) -> Engine:
        """Return an engine that has seen nothing of the game yet."""
        sensing, untold, meant = self.setup.sensing, self._untold, self._meant
        return Engine(self.line.start, self._timing, sensing, untold=untold, meant=meant)

    # -- the end -----------------------------------------------------------------------------------

    def end(self, result: Result, by: str) -> None:
        """Close the game: the move that stood counts, and every ply gets a time."""
        because = "it stood when the game ended"
        if by == "abandoned":
            if not self.take_back_unpressed(cleared=True):
                self._settle_standing(because, least=STOOD_BEFORE, alone=True)
                self.settle_left(because)
            self.end_as_recorded(for_good=True)
        elif by == "kings":
            self.take_back_unpressed()
        elif by not in ("checkmate", "stalemate"):
            self._settle_standing(because)
        if self.over:  # the move that stood was mate
            return
        self._time(self.plies.estimate(len(self.plies)))
        self._alerts.game_over()
        self._announce(result, by)
        self.ended = result, by
        self._told.state(GameEnded, result=result, by=by)
        self.over = True

    def settle_unpressed(self, at: float) -> None:
        """Settle the move that stands so long when nothing more comes: its press was forgotten."""
        self._found(self.engine.settle_unpressed(at=at))

    def _settle_standing(
        self, because: str, *, least: float = STOOD_AT_END, alone: bool = False
    ) -> None:
        at = self._told.at
        self._found(self.engine.settle_standing(at=at, least=least, because=because, alone=alone))

    def settle_left(self, because: str) -> None:
        """Settle the move that was shown last, where no clock could tell, if it was one.

        Men are put up again as well: who comes home by a legal move may have made none.
        """
        move = self.engine.left
        if move is None or self._clock.reading is not None:
            return
        man = self.engine.position.board.piece_at(move.from_square)
        if not any(man == home.piece_at(move.to_square) for home in (_ARRAY, self.line.start)):
            self._found(self.engine.settle_left(because, at=self._told.at))

    def take_back_unpressed(self, *, cleared: bool = False) -> bool:
        """Take back what was shown after the end, while the clock ran on; no more play follows.

        *cleared*: the men are put up again. Return whether there was any.
        """
        findings = self.engine.take_back_unpressed(cleared=cleared)
        self._found(findings)
        return bool(findings)

    def end_as_recorded(self, *, for_good: bool = False) -> None:
        """Close the game if no legal move is left by the record, though that is in doubt.

        Not so as long as nobody presses for its last plies: they may be none of it. Nor while one
        may be left from another start position, unless nothing more comes *for_good*.
        """
        if self._ends_at == math.inf:
            return
        if self.engine.is_pressed_no_more or (self.engine.may_go_on and not for_good):
            self._ends_at = max(self._ends_at, self._told.at + MOST_DOUBTED)
            return
        self._ends_at = math.inf
        self.end_if_decided(self.engine.position.board)

    def _end_as_shown(self) -> None:
        """Close the game if all men with names stand as in a last position that was in doubt."""
        position = self.engine.position
        if self._ends_at == math.inf or position.sensing != "identity":
            return
        if self.engine.cells == position.shown:
            self.end_as_recorded()

    def _end_or_wait(self, finding: Settled) -> None:
        """Close the game if no legal move is left; wait if the board does not surely show so."""
        if any(finding.after.generate_legal_moves()):
            return
        if is_certain(self.engine, finding) and not self.engine.is_pressed_no_more:
            self.end_if_decided(finding.after)
            return
        self._ends_at = self._told.at + MOST_DOUBTED
        self._told.explain("no legal move would be left, but the board does not surely show so")

    def end_if_decided(self, board: chess.Board) -> None:
        """Close the game if no legal move is left on *board*, the last position of the record."""
        if any(board.generate_legal_moves()):
            return
        mated = board.is_check()
        result: Result = "1/2-1/2" if not mated else "0-1" if board.turn else "1-0"
        self.end(result, "checkmate" if mated else "stalemate")

    def _announce(self, result: Result, by: str) -> None:
        """Tell the arbiter what the board has shown, for him to confirm."""
        if by == "kings":
            text = f"the kings stand in the centre: {result}"
            self._alerts.raise_("RESULT_BY_KINGS", None, text, remedy=f"confirm {result}")
        elif by in ("checkmate", "stalemate"):
            text = f"{by} on the board: {result}"
            self._alerts.raise_(by.upper(), None, text, remedy=f"confirm {result}")
        elif by == "abandoned":
            text = "the men are put up again and no result is known"
            self._alerts.raise_("RESULT_MISSING", None, text, remedy="ask for the result")

    # -- findings of the engine --------------------------------------------------------------------

    def _found(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self._takes[type(finding)](self, finding)

    def _provisional(self, finding: Provisional) -> None:
        before, move = finding
        self._told.state(
            MoveProvisional,
            ply=len(self.plies) + 1,
            uci=move.uci() if move else None,
            san=before.san(move) if move else None,
        )
        self._watchers.stands(move)

    def _settled(self, finding: Settled) -> None:
        before, move, after = finding.before, finding.move, finding.after
        colour = before.turn
        self._ends_at = math.inf
        stands = finding.basis == "stands"
        if self._alerts.rules.remedy_window == "end_of_game":
            self._alerts.keep(self._alerts.of_moves() if stands else {"KING_CAPTURED"})
        self._alerts.play_goes_on("the illegal move stands" if stands else "play went on")
        shown_ms = self._clock.remaining(colour)
        timed = self.plies.settle(
            colour,
            shown_ms,
            press=finding.press,
            at=finding.stood_from,
            unsure=finding.basis == "gap" and self._clock.read_since(self._blind_since),
        )
        san = written(before, move, cells_of(after)) if stands else before.san(move)
        fen = after.fen()
        self._verdicts.settled(move)
        self.engine.tells(self._verdicts.told)
        self.line.settled(Step(move, san, fen, finding.basis, finding.because))
        self._told.state(
            MoveSettled,
            ply=len(self.plies),
            uci=move.uci(),
            san=san,
            colour=name_of(colour),
            fen=fen,
            basis=finding.basis,
            because=finding.because,
        )
        self._told.rest_on_what_follows()
        if finding.basis == "gap":
            self._reread_at = self._told.at
        if finding.press == "standing":
            self._settled_by_clock = (colour, self._told.at)
        self._time(timed)
        if "CLOCK_DISCONNECTED" in self._alerts:
            self.plies.lose_clock()
        self._watchers.settled(finding)
        if self._unwatched and finding.basis == "gap":
            self._reports.inferred(san, sure=not self.engine.is_untold)
        self._unwatched = False
        if stands:
            self._accuse(finding)
            self._reports.stands(colour, san)
        elif move.to_square == before.king(not colour):
            self._reports.found_illegal(before, move, self.engine.position.cells)
        else:
            self._end_or_wait(finding)

    def _accuse(self, finding: Settled) -> None:
        """Report an illegal move that only a second reading has found, if it was just made.

        With more of them it is the record that is wrong, and so it may be where plies before it
        were found with it, another one was told of that ply, or men have no names.
        """
        ply = len(self.plies)
        standing = sum(step.basis == "stands" for step in self.line.steps[-PLIES_SURE:])
        late = self._told.at > finding.stood_from + JUST_MADE
        doubtful = standing >= MOST_STANDING or self._reread_at == self._told.at
        if ply in self._accused or late or doubtful or self.setup.sensing != "identity":
            return
        self._accused.add(ply)
        self._reports.found_illegal(finding.before, finding.move, cells_of(finding.after))

    def _withdrawn(self, finding: Withdrawn) -> None:
        self._forget_verdicts()
        self._ends_at = math.inf
        ply = len(self.plies) - finding.plies + 1
        known = self._told.has_told(ply)
        self._told.state(MovesCorrected, ply=ply, count=finding.plies, reason=finding.reason)
        self.plies.withdraw(finding.plies)
        self.line.withdrawn(finding.plies)
        self._watchers.withdrawn(finding.plies)
        if finding.unsure and known:
            self._reports.corrected(ply, finding.reason)

    def _adopted(self, finding: Adopted) -> None:
        board, ply, reason = finding.board, len(self.plies), "moves are missing"
        self.line.adopted(board.fen(), reason)
        self._told.state(PositionAdopted, ply=ply, fen=board.fen(), reason=reason)
        self._alerts.clear(UNRESOLVED, "the game goes on from what stands on the board")
        self._reports.missing(board)
        self._watchers.adopted(board)

    def _array_found(self, finding: ArrayFound) -> None:
        self.line.begins_otherwise(finding.board)
        if self._meant is not None:
            self._meant = None
            self._alerts.clear_all(SETUP_CODES, "the men were put right after the first moves")
        self._told.state(StartFound, fen=finding.board.fen())
        self._alerts.clear_of_moves("the move is legal from where play shows that the game began")
        self._watchers.ruled()

    def _gap(self, finding: Gap) -> None:
        self._unwatched = False
        self._reports.gap(*finding)

    def _unexplained(self, finding: Unexplained) -> None:
        # Other doubts about the record do not pass soon: they call the arbiter as they are.
        confirmed = not finding.sure or self._told.at >= self._reread_at + REREAD
        attempt = self._reports.unexplained(
            self.engine.position.board,
            finding.cells,
            sure=finding.sure and confirmed and not self._was_just_lost(),
            confirmed=confirmed,
            watched=self.engine.in_sight,
            emptied=self.engine.sight.emptied,
            late=self.engine.late,
            contradicts=self.engine.contradicts,
            proves=self.engine.proves,
            taken=finding.taken,
        )
        if attempt is not None:
            self._accused.add(len(self.plies) + 1)
            self.engine.may_stand(attempt)
        if UNRESOLVED in self._alerts:
            self._watchers.unexplained()

    def _was_just_lost(self) -> bool:
        """Whether moves that were made while the link was lost may not have been found yet."""
        if self.engine.in_sight:
            return False
        seen_from = self._desk.seen_from
        return self._told.at <= seen_from + JUST_BACK and seen_from >= self._blind_since + LONG_LOST

    def _explained(self, _: Explained) -> None:
        self._reports.restored(self.engine.position.board)
        self._alerts.clear_of_moves("the position was restored")

    def _ambiguous(self, finding: Ambiguous) -> None:
        self._reports.ambiguous(*finding)

    def _shown(self, finding: ResultShown) -> None:
        self.end(finding.result, "kings")

    _takes: ClassVar[Mapping[type, Callable[..., None]]] = {
        Provisional: _provisional,
        Settled: _settled,
        Withdrawn: _withdrawn,
        Unexplained: _unexplained,
        Explained: _explained,
        Gap: _gap,
        Ambiguous: _ambiguous,
        Adopted: _adopted,
        ArrayFound: _array_found,
        ResultShown: _shown,
    }
    """Of the class: a game that held methods of its own would wait for the garbage collector."""

    def _time(self, timed: Iterable[Timed]) -> None:
        for ply, ms, estimated in timed:
            self._told.state(MoveTimed, ply=ply, clk_ms=ms, estimated=estimated)

    def _forget_verdicts(self) -> None:
        self._verdicts.forget()
        self.engine.tells(())


def _control_of(setup: TableSetup) -> TimeControl | None:
    """Return the time control of *setup*; one that nobody understands is not known."""
    try:
        return parse_time_control(setup.time_control)
    except TimeControlError:
        return None
