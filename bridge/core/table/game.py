"""One game at a table: what its engine finds becomes facts, from the start to the result."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar, NamedTuple

import chess

from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import (
    Adopted,
    Ambiguous,
    Explained,
    Finding,
    Gap,
    Provisional,
    ResultShown,
    Settled,
    Unexplained,
    Withdrawn,
)
from bridge.core.inference.gesture import CENTRE, shown_result, supposed_result
from bridge.core.inference.placement import BIT, difference, occupied, with_changes
from bridge.core.inference.timing import Timing
from bridge.core.laws.attempts import written
from bridge.core.model import (
    BoardChanged,
    GameEnded,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    Result,
    TableSetup,
)
from bridge.core.table.alerts import ILLEGAL_CODES, UNRESOLVED, Alerts
from bridge.core.table.arrays import Stand
from bridge.core.table.differences import differences, is_man_in_hand, wrong_squares
from bridge.core.table.naming import name_of
from bridge.core.table.reports import Reports
from bridge.core.table.rulings.line import Line, Step
from bridge.core.table.times import PlyTimes, Timed
from bridge.core.table.told import Told
from bridge.core.table.verdicts import Verdicts
from bridge.core.table.watchers.everybody import Watchers
from bridge.core.table.watchers.watcher import Desk
from bridge.core.timecontrol import TimeControl, TimeControlError, parse_time_control
from bridge.core.timekeeping import ClockBook, Press
from drivers.cells import cells_of
from drivers.events import EMPTY, BoardMove, ClockReading

STOOD_AT_END = 0.6
"""How long an unsettled move must have stood to count when the game is ended (s)."""
REREAD = 1.5
"""So soon after moves were read again nothing has confirmed them yet (s)."""
JUST_BACK = 15.0
"""So soon after a lost link moves may still be missing from the record (s) ..."""
LONG_LOST = 3.0
"""... if it was lost for at least so long (s)."""

MOST_AWAY = 3
"""With more men away before the first move is seen, nothing tells who made it."""


class Around(NamedTuple):
    """What a game shares with its table."""

    told: Told
    alerts: Alerts
    clock: ClockBook
    timing: Timing


class Game:
    """A game from its start position on; cells are White's.

    ``over``: it has ended, and nothing more is to be given to it. ``ended``: its result and what
    ended it. ``adjourned``: it is interrupted. ``begun_here``: a first move of White's was seen to
    stand from this seat. ``line``: the moves that stand in the record. ``control``: the time
    control it was begun with, where that is known. ``setup``: what it was begun with, names as they
    were corrected.
    """

    def __init__(self, stand: Stand, setup: TableSetup, around: Around) -> None:
        self.setup = setup
        self.rotated = stand.rotated
        self.over = self.adjourned = self.begun_here = False
        self.ended: tuple[Result, str] = ("*", "")
        self.line = Line(stand.board)
        self.engine = Engine(stand.board, around.timing, setup.sensing)
        self.plies = PlyTimes()
        self._sensing = setup.sensing
        self._timing = around.timing
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

    # -- what happens ------------------------------------------------------------------------------

    def sees(self, cells: str) -> None:
        """Take what the board shows."""
        if cells != self.engine.cells:
            self._told.state(BoardChanged, cells=cells)
            self._watchers.changed(cells)
        if self._desk.blind:
            self._desk.blind, self._desk.seen_from = False, self._told.at
        self._found(self.engine.sees(cells, at=self._told.at))
        if self._verdicts:
            self._weigh_verdicts()

    def joins(self, cells: str, *, unseen: bool, misread: bool) -> None:
        """Take the first placement; ``unseen``: moves were made before, ``misread``: none was."""
        if unseen:
            self.engine.lose_sight(at=self._told.at)
        self._told.state(BoardChanged, cells=cells)
        self._found(self.engine.clock(runs=self._clock.runs, at=self._told.at))
        self._found(self.engine.sees(cells, at=self._told.at))
        if misread:
            self.engine.excuse()

    def turns_round(self, cells: str, *, rested: bool) -> bool:
        """See the game from the other seat if *cells*, seen from there, show White's first move.

        Where men cannot be told apart, White is who moves first. If that *rested*, other men may
        be away besides.
        """
        at = self._told.at
        firsts = _first_moves(self._from_other_seat(cells), cells) if rested else (cells,)
        for before in firsts:
            other = self._from_other_seat(cells)
            found = other.sees(before, at=at)
            if other.explains and other.cells != other.position.shown:
                break
        else:
            return False
        found += other.sees(cells, at=at)
        self.engine, self.rotated = other, not self.rotated
        self._desk.engine = other
        self._told.explain("White made the first move from the other seat: the board is turned")
        self._told.state(BoardChanged, cells=cells)
        self._found(found)
        return True

    def _from_other_seat(self, cells: str) -> Engine:
        """Return an engine that sees the game from the other seat, where *cells* are shown."""
        other, at = Engine(self.engine.position.board, self._timing, self._sensing), self._told.at
        other.clock(runs=self._clock.runs, at=at)
        wrong = chess.flip_horizontal(chess.flip_vertical(self.engine.sight.excused))
        if wrong:  # squares that are not believed are not from there either
            shown = zip(cells, other.position.shown, strict=True)
            pairs = (pair[not wrong & BIT[square]] for square, pair in enumerate(shown))
            other.sees("".join(pairs), at=at)
            other.excuse()
        return other

    def ticks(self) -> None:
        """Let time come."""
        self._found(self.engine.tick(at=self._told.at))
        if not self.over:
            self._watchers.ticks()

    @property
    def wake_at(self) -> float:
        """When time alone may decide something."""
        return min(self.engine.wake_at, self._desk.wake_at)

    def reads_clock(self, reading: ClockReading) -> None:
        """Take what the clock shows."""
        self._watchers.clock(reading)

    def loses_sight(self) -> None:
        """The link to the board is gone."""
        self._unwatched = self._desk.blind = True
        self._blind_since = self._told.at
        self._found(self.engine.lose_sight(at=self._told.at))

    def hears_clock(self, *, runs: bool, turn: chess.Color | None) -> None:
        """Take note whether the clock runs, and for whom."""
        self._found(self.engine.clock(runs=runs, turn=turn, at=self._told.at))

    def loses_clock(self) -> None:
        """No clock is connected any more."""
        self.plies.lose_clock()
        self._found(self.engine.lose_clock(at=self._told.at))

    def pressed(self, press: Press) -> None:
        """Give a press to the move it completes: the one on the board, or one settled before it."""
        at = self._told.at
        if (press.colour, at) == self._settled_by_clock:
            self._watchers.pressed(press, late=True)
            return  # the same reading, which runs for the opponent, has settled and timed it
        engine, colour = self.engine, press.colour
        mine = engine.has_moved(colour) or engine.is_movers_work(colour)
        late = self.plies.press(press, mine=mine, at=at)
        self._watchers.pressed(press, late=late is not None)
        if late is not None:
            self._time([late])
        else:
            self._found(engine.press(colour, at=at, first=press.first))

    def times_by_standing_clock(self, turn: chess.Color) -> None:
        """While *turn*'s clock runs, the other one stands at what the last mover had left."""
        timed = self.plies.standing_clock(turn, self._clock.remaining)
        self._time([timed] if timed else [])

    def judges(self, move: BoardMove) -> None:
        """Take a move that the board itself made out: evidence, never authority.

        While a clock runs only its press completes a move, so nothing follows. Without one, the
        verdict ``legal`` stands for the press if that very move stands on the board then, or
        soon after: it is settled without the long rest. Several verdicts tell in which order moves
        were made that are seen together, as after a lost link. A move that is ``unjudged``, or
        that the placement contradicts, changes nothing, nor does one that is ``undone``: the
        squares show that too.
        """
        self._verdicts.take(move, self._told.at)
        self.engine.tells(self._verdicts.told)
        if not self._desk.blind:
            self._weigh_verdicts()

    def _weigh_verdicts(self) -> None:
        if self.over or self._clock.runs:
            self._forget_verdicts()
            return
        at, engine = self._told.at, self.engine
        line = self._verdicts.line(engine.position, engine.sight, at)
        if len(line) == 1:
            self._forget_verdicts()
            self._found(engine.press(engine.position.board.turn, at=at))
        elif line:
            self._found(engine.follow(line, at=at))

    def _forget_verdicts(self) -> None:
        self._verdicts.forget()
        self.engine.tells(())

    def explain_difference(self) -> None:
        """Say once why the board is not understood; it must have rested."""
        engine = self.engine
        if engine.explains:
            self._told.is_explained()
            return
        self._watchers.rested()
        if not (
            self._alerts.of_moves() & ILLEGAL_CODES
            or self._may_show_result()
            or is_man_in_hand(engine.position, engine.sight)
        ):
            self._told.explain(differences(engine.position, engine.sight))

    def wrong_squares(self, *, marked: bool) -> chess.Bitboard:
        """Return where men stand wrong, White's squares; none where it may be something else.

        *marked*: some are marked already, so that a man in the hand is one that is put right.
        """
        engine = self.engine
        if engine.explains or self._may_show_result():
            return 0
        if not marked and is_man_in_hand(engine.position, engine.sight):
            return 0
        return wrong_squares(engine.position, engine.sight)

    def _may_show_result(self) -> bool:
        """Whether the kings stand, or may stand, as they do to show the result."""
        position, sight = self.engine.position, self.engine.sight
        if self._sensing == "identity":
            return shown_result(sight.shown) is not None
        kings = chess.scan_forward(position.board.kings)
        gone = all(sight.shown[king] == EMPTY or king in CENTRE for king in kings)
        return gone and supposed_result(position, sight, -math.inf) is not None

    def end(self, result: Result, by: str) -> None:
        """Close the game: the move that stood counts, and every ply gets a time."""
        if by not in ("checkmate", "stalemate", "kings"):
            because = "it stood when the game ended"
            self._found(
                self.engine.settle_standing(at=self._told.at, least=STOOD_AT_END, because=because)
            )
        if self.over:  # the move that stood was mate
            return
        self._time(self.plies.estimate(len(self.plies)))
        self._alerts.game_over()
        self._announce(result, by)
        self.ended = result, by
        self._told.state(GameEnded, result=result, by=by)
        self.over = True

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

    # -- what an arbiter rules ---------------------------------------------------------------------

    def gives(self, number: int, colour: chess.Color, seconds: float) -> None:
        """Wait for what ruling *number* gives *colour*, or takes from him, to be on the clock."""
        self._watchers.gives(number, colour, seconds)

    def takes_back(self, number: int) -> None:
        """Wait no more for what ruling *number* gave."""
        self._watchers.takes_back(number)

    def adjourns(self) -> None:
        """Interrupt the game: the move that stood counts, and what is done to the men does not."""
        because = "it stood when the game was adjourned"
        self._found(
            self.engine.settle_standing(at=self._told.at, least=STOOD_AT_END, because=because)
        )
        self.loses_sight()
        self.adjourned = True

    def lets_stand(self) -> bool:
        """Go on from the illegal move that is in dispute; tell whether there is one."""
        findings = self.engine.let_stand(at=self._told.at)
        self._found(findings)
        return bool(findings)

    def goes_on_from(self, board: chess.Board, *, back: bool) -> None:
        """Go on from *board*: the moves before it are what they are in the record now.

        ``back``: some were taken back, and no others put in their place.
        """
        if self.over:
            self.loses_sight()  # nothing on the board is part of it
        ply, at = len(self.plies), self._told.at
        findings = self.engine.go_on_from(board, ply=ply, at=at, back=back)
        self._alerts.clear_of_moves("the arbiter has ruled")
        self._watchers.ruled()
        self._found(findings)

    def goes_on(self) -> None:
        """Go on with a game that was interrupted, or was no game any more."""
        self.over = self.adjourned = False
        self.plies.lose_clock()
        self.loses_sight()

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
            self._reports.inferred(san)
        self._unwatched = False
        if stands:
            self._reports.stands(colour, san)
        elif move.to_square == before.king(not colour):
            self._reports.king_taken(before, move, self.engine.position.cells)
        else:
            self.end_if_decided(after)

    def _withdrawn(self, finding: Withdrawn) -> None:
        self._forget_verdicts()
        ply = len(self.plies) - finding.plies + 1
        self._told.state(MovesCorrected, ply=ply, count=finding.plies, reason=finding.reason)
        self.plies.withdraw(finding.plies)
        self.line.withdrawn(finding.plies)
        self._watchers.withdrawn(finding.plies)
        if finding.unsure:
            self._reports.corrected(ply, finding.reason)

    def _adopted(self, finding: Adopted) -> None:
        board, ply, reason = finding.board, len(self.plies), "moves are missing"
        self.line.adopted(board.fen(), reason)
        self._told.state(PositionAdopted, ply=ply, fen=board.fen(), reason=reason)
        self._alerts.clear(UNRESOLVED, "the game goes on from what stands on the board")
        self._reports.missing(board)
        self._watchers.adopted(board)

    def _gap(self, finding: Gap) -> None:
        self._unwatched = False
        self._reports.gap(*finding)

    def _unexplained(self, finding: Unexplained) -> None:
        # Other doubts about the record do not pass soon: they call the arbiter as they are.
        confirmed = not finding.sure or self._told.at > self._reread_at + REREAD
        attempt = self._reports.unexplained(
            self.engine.position.board,
            finding.cells,
            sure=finding.sure and confirmed and not self._was_just_lost(),
            confirmed=confirmed,
            changed=self.engine.sight.changed,
            contradicts=self.engine.contradicts,
            taken=finding.taken,
        )
        if attempt is not None:
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
        ResultShown: _shown,
    }
    """Of the class: a game that held methods of its own would wait for the garbage collector."""

    def _time(self, timed: Iterable[Timed]) -> None:
        for ply, ms, estimated in timed:
            self._told.state(MoveTimed, ply=ply, clk_ms=ms, estimated=estimated)


def _first_moves(engine: Engine, cells: str) -> Iterator[str]:
    """Yield *cells*, and what would show a first move if all men who are away besides were back.

    The reply may have begun before the move was complete, and a square may be dead.
    """
    yield cells
    shown, white = engine.position.shown, engine.position.board.occupied_co[chess.WHITE]
    gone = difference(cells, shown) & occupied(shown) & ~engine.sight.excused
    if gone.bit_count() > MOST_AWAY:
        return
    for origin in chess.scan_forward(gone & white):
        others = chess.scan_forward(gone & ~BIT[origin])
        yield with_changes(cells, [(square, shown[square]) for square in others])


def _control_of(setup: TableSetup) -> TimeControl | None:
    """Return the time control of *setup*; one that nobody understands is not known."""
    try:
        return parse_time_control(setup.time_control)
    except TimeControlError:
        return None
