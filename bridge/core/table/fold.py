"""One table: a fold of its readings into facts.

:class:`Table` is a function of the readings it was given, nothing else: no clock is read, no
input is taken from elsewhere. So restart, replay, test and dispute are the same code on the
same journal. Deadlines are answered too: when ``wake_at`` comes and nothing has happened,
:meth:`Table.tick` is called; a reading that comes later first lets every passed deadline fall.
"""

import math
from collections.abc import Callable, Iterable, Sequence

import chess

from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import (
    Explained,
    Finding,
    Gap,
    Provisional,
    ResultShown,
    Settled,
    Unexplained,
    Withdrawn,
)
from bridge.core.inference.lines import Line
from bridge.core.inference.placement import turned
from bridge.core.inference.timing import Timing
from bridge.core.laws.illegal import judge
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    BoardChanged,
    ClockUpdated,
    Colour,
    Fact,
    GameEnded,
    GameStarted,
    LinkChange,
    LinkChanged,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    Reading,
    Result,
    ResultOrder,
    Severity,
    StateExplained,
    TableSetup,
)
from bridge.core.table.arrays import Stand, StartArray
from bridge.core.table.times import PlyTimes, Timed
from bridge.core.timekeeping import ClockBook, Press
from drivers.events import ClockFault, ClockReading, ResultPiece, Side, Snapshot, SquareChange

START_HOLD = 1.0
"""How long a start position must stand, after an earlier game, to begin another (s)."""
EXPLAIN_AFTER = 3.0
"""How long a board must rest, before a game, until it is said what is missing (s)."""
ABANDON_HOLD = 3.0
"""How long it must stand in the middle of a game to end that game (s)."""
_OTHER: dict[Side, Side] = {"left": "right", "right": "left"}
MOST_TOLD = 4
"""How many lines an alert lists where moves were not seen."""
NOT_OF_A_MOVE = frozenset(
    {"CLOCK_DISCONNECTED", "BOARD_DISCONNECTED", "SCORESHEET_GAP", "RECORD_CORRECTED"}
)
"""Alerts that a move does not end."""
STOOD_AT_END = 0.6
"""How long an unsettled move must have stood to count when the game is ended (s)."""


class Table:
    """The state of one table."""

    def __init__(self, name: str, timing: Timing | None = None) -> None:
        self.name = name
        self.timing = timing or Timing()
        self.setup = TableSetup()
        self.game = 0
        self.wake_at = math.inf
        self.engine: Engine | None = None
        self.rotated = False
        self.clock = ClockBook()
        self._plies = PlyTimes()
        self._side_seen = False
        self._alerts: set[str] = set()
        self._explained = ""
        self._raw = ""
        self._raw_since = -math.inf
        self._at = -math.inf
        self._wall = 0.0
        self._seq = 0
        self._since_seq = 0
        self._facts: list[Fact] = []
        self._array = StartArray(self.setup)
        self._handlers: dict[type, Callable[..., None]] = {
            Snapshot: self._board,
            SquareChange: self._board,
            ClockReading: self._clock,
            ClockFault: self._clock_fault,
            LinkChange: self._link,
            TableSetup: self._set_up,
            ResultOrder: self._ordered,
            ResultPiece: self._result_piece,
        }

    # -- the fold ----------------------------------------------------------------------------------

    def apply(self, reading: Reading) -> list[Fact]:
        """Take the next reading and return what follows from it, passed deadlines first."""
        while self.wake_at <= reading.at:
            self._advance(self.wake_at)
        self._wall = reading.wall
        self._at = max(self._at, reading.at)
        self._seq = reading.seq
        handler = self._handlers.get(type(reading.payload))
        if handler is not None:
            handler(reading.payload)
            self.wake_at = self._next_deadline()
        return self._take()

    def tick(self, at: float) -> list[Fact]:
        """Let time come to *at*; call it at ``wake_at``."""
        while self.wake_at <= at:
            self._advance(self.wake_at)
        return self._take()

    def _advance(self, at: float) -> None:
        self._wall += max(0.0, at - self._at) if self._at > -math.inf else 0.0
        self._at = at
        if self.engine is None:
            self._look_for_game()
        else:
            self._found(self.engine.tick(at=at))
            self._watch_array()
        self.wake_at = self._next_deadline()

    def _take(self) -> list[Fact]:
        facts, self._facts = self._facts, []
        return facts

    def _next_deadline(self) -> float:
        deadlines = [self._raw_since + START_HOLD, self._raw_since + EXPLAIN_AFTER]
        if self.engine is not None:
            deadlines = [self.engine.wake_at, self._raw_since + ABANDON_HOLD]
        return min((when for when in deadlines if when > self._at), default=math.inf)

    def _state(self, fact: Callable[..., Fact], **fields: object) -> None:
        self._facts.append(
            fact(
                table=self.name,
                game=self.game,
                at=self._at,
                wall=self._wall,
                evidence=(self._since_seq, self._seq),
                **fields,
            )
        )

    # -- readings ----------------------------------------------------------------------------------

    def _set_up(self, setup: TableSetup) -> None:
        before, self.setup = self.setup, setup
        self._array = StartArray(setup)
        if self.engine is not None and not self._plies:
            self._restate(self.engine, before)
        if self.engine is None:
            self._look_for_game()

    def _restate(self, engine: Engine, before: TableSetup) -> None:
        """Nobody has moved: the game is the one that is configured now."""
        if _start_of(before) == _start_of(self.setup):
            fen = engine.position.board.fen()
            self._state(GameStarted, setup=self.setup, fen=fen, rotated=self.rotated)
        else:
            self.engine = None
            self.game -= 1

    def _board(self, event: Snapshot | SquareChange) -> None:
        cells = event.cells
        if "*" in cells:
            return
        if cells != self._raw:
            self._raw, self._raw_since = cells, self._at
            if self.engine is None:
                self._look_for_game()
        if self.engine is None:
            return
        seen = turned(cells) if self.rotated else cells
        if seen != self.engine.cells:
            self._state(BoardChanged, cells=seen)
        self._found(self.engine.sees(seen, at=self._at))

    def _link(self, change: LinkChange) -> None:
        self._state(LinkChanged, state=change.state, detail=change.detail)
        if change.state == "live":
            self._clear("BOARD_DISCONNECTED", "the board answers again")
        elif change.state == "lost":
            self._lose(change.detail)

    def _lose(self, detail: str) -> None:
        self._raw_since = -math.inf
        if self.engine is None:
            self._raw = ""
            return
        self._found(self.engine.lose_sight(at=self._at))
        self._raise(
            "BOARD_DISCONNECTED",
            "warning",
            f"the link to the board is lost: {detail}",
            remedy="check cable and power; nothing is checked until the board is back",
        )

    def _ordered(self, order: ResultOrder) -> None:
        if self.engine is not None:
            self._end(order.result, order.by)

    def _result_piece(self, piece: ResultPiece) -> None:
        if self.engine is not None:
            self._end(piece.result, "piece")

    # -- beginning and ending games ----------------------------------------------------------------

    def _look_for_game(self) -> None:
        """Begin a game when the start position stands, or has just been left."""
        if not self._raw:
            return
        held = self._at >= self._raw_since + START_HOLD
        stand = self._array.stands(self._raw)
        if stand is not None and (self.game == 0 or held):
            self._begin(stand)
        elif stand is None and self.game == 0 and held:
            left = self._array.was_left(self._raw)
            if left is not None:
                self._begin(left)
        if self.engine is None and self._at >= self._raw_since + EXPLAIN_AFTER:
            self._explain(f"waiting for the start position: {self._array.wanting(self._raw)}")

    def _explain(self, text: str) -> None:
        if text != self._explained:
            self._explained = text
            self._state(StateExplained, text=text)

    def _begin(self, stand: Stand) -> None:
        self.game += 1
        self._explained = ""
        self.rotated = stand.rotated
        self.engine = Engine(stand.board, self.timing)
        self._plies = PlyTimes()
        self._since_seq = self._seq
        self.clock.white_side = self._configured_side()
        self._side_seen = False
        fen = stand.board.fen()
        self._state(GameStarted, setup=self.setup, fen=fen, rotated=stand.rotated)
        seen = turned(self._raw) if stand.rotated else self._raw
        if seen == self.engine.cells:
            self._latch_white_side()
        else:  # joined late: the first moves were made unseen
            self.engine.lose_sight(at=self._at)
        self._state(BoardChanged, cells=seen)
        self._found(self.engine.clock(runs=self.clock.runs, at=self._at))
        self._found(self.engine.sees(seen, at=self._at))

    def _configured_side(self) -> Side:
        if self.setup.white_clock != "auto":
            return self.setup.white_clock
        return "right" if self.rotated else "left"

    def _watch_array(self) -> None:
        """A start position that stands again in mid-game ends that game and begins another."""
        if self.engine is None or self._at < self._raw_since + ABANDON_HOLD:
            return
        stand = self._array.stands(self._raw)
        if stand is None or (stand.rotated == self.rotated and self.engine.explains):
            return  # play may lead back to it, as by 1.Nf3 Nf6 2.Ng1 Ng8
        if self._plies:
            self._end("*", "abandoned")
        self._begin(stand)

    def _end(self, result: Result, by: str) -> None:
        """Close the game: the move that stood counts, and every ply gets a time."""
        if self.engine is None:
            return
        if by not in ("checkmate", "stalemate", "kings"):
            because = "it stood when the game ended"
            settled = self.engine.settle_standing(at=self._at, least=STOOD_AT_END, because=because)
            self._found(settled)
        if self.engine is None:  # the move that stood was mate
            return
        self._time(self._plies.estimate(len(self._plies)))
        self._clear_move_alerts("the game is over")
        self._state(GameEnded, result=result, by=by)
        self.engine = None

    # -- findings of the engine --------------------------------------------------------------------

    def _found(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            match finding:
                case Settled():
                    self._settled(finding)
                case Provisional(move):
                    self._provisional(move)
                case Withdrawn():
                    self._withdrawn(finding)
                case Unexplained(cells):
                    self._unexplained(cells)
                case Explained():
                    self._clear_move_alerts("the position was restored")
                case Gap(before, lines):
                    self._gap(before, lines)
                case ResultShown(result):
                    self._end(result, "kings")

    def _provisional(self, move: chess.Move | None) -> None:
        if self.engine is None:
            return
        board = self.engine.position.board
        self._state(
            MoveProvisional,
            ply=len(self._plies) + 1,
            uci=move.uci() if move else None,
            san=board.san(move) if move else None,
        )

    def _settled(self, finding: Settled) -> None:
        before, move = finding.before, finding.move
        colour = before.turn
        after = before.copy(stack=False)
        after.push(move)
        self._clear_move_alerts("play went on")
        shown_ms = self.clock.remaining(colour)
        timed = self._plies.settle(colour, shown_ms, press=finding.press, at=self._at)
        self._state(
            MoveSettled,
            ply=len(self._plies),
            uci=move.uci(),
            san=before.san(move),
            colour=_name(colour),
            fen=after.fen(),
            basis=finding.basis,
            because=finding.because,
        )
        self._since_seq = self._seq
        self._time(timed)
        if "CLOCK_DISCONNECTED" in self._alerts:
            self._plies.lose_clock()
        if not any(after.generate_legal_moves()):
            mated = after.is_check()
            result: Result = "1/2-1/2" if not mated else "1-0" if colour else "0-1"
            self._end(result, "checkmate" if mated else "stalemate")

    def _withdrawn(self, finding: Withdrawn) -> None:
        self._state(MovesCorrected, ply=len(self._plies), count=1, reason=finding.reason)
        self._plies.withdraw(pressed=finding.pressed)
        if not finding.unsure:
            return
        self._alerts.discard("RECORD_CORRECTED")  # each correction is told
        self._raise(
            "RECORD_CORRECTED",
            "notice",
            f"ply {len(self._plies) + 1} was taken back: {finding.reason}",
            remedy="compare this move with the players' scoresheets",
        )

    def _unexplained(self, cells: str) -> None:
        if self.engine is None:
            return
        board = self.engine.position.board
        verdict = judge(board, cells)
        if verdict is None:
            self._raise(
                "POSITION_UNRESOLVED",
                "warning",
                "the clock was pressed, but no legal move leads to what stands on the board",
                article="7.4, 7.5.1",
                remedy=f"compare the board with the last certain position: {board.fen()}",
                by=_name(board.turn),
                restore=board.fen(),
            )
            return
        self._raise(
            verdict.code,
            "critical",
            verdict.text,
            illegal=True,
            reason=verdict.reason,
            article=verdict.article,
            remedy=verdict.remedy,
            by=_name(board.turn),
            san_tried=verdict.san_tried,
            restore=board.fen(),
        )

    def _gap(self, before: chess.Board, lines: Sequence[Line]) -> None:
        """Say that moves nobody saw were entered, and what else they may have been."""
        told = " or ".join(before.variation_san(line) for line in lines[:MOST_TOLD])
        more = f" or {len(lines) - MOST_TOLD} more" if len(lines) > MOST_TOLD else ""
        self._alerts.discard("SCORESHEET_GAP")  # another gap is another cause
        self._raise(
            "SCORESHEET_GAP",
            "notice",
            f"moves were made while the board was not seen; they may have been {told}{more}",
            article="8.5.3",
            remedy="the first line was entered; compare it with the players' scoresheets",
        )

    # -- the clock ---------------------------------------------------------------------------------

    def _clock(self, reading: ClockReading) -> None:
        self._clear("CLOCK_DISCONNECTED", "the clock reports again")
        if not self.clock.believes(reading):
            return
        self._latch_by_first_press(reading)
        presses = self.clock.take(reading)
        self._latch_white_side()
        self._report_clock(reading)
        if self.engine is not None:
            self._found(self.engine.clock(runs=reading.running, at=self._at))
        for press in presses:
            self._pressed(press)
        self._time_by_standing_clock(reading)

    def _report_clock(self, reading: ClockReading) -> None:
        white, black = self.clock.remaining(chess.WHITE), self.clock.remaining(chess.BLACK)
        if white is None or black is None or self.game == 0:
            return
        turn = self.clock.colour_of(reading.turn)
        self._state(
            ClockUpdated,
            white_ms=white,
            black_ms=black,
            running=reading.running,
            turn=None if turn is None else _name(turn),
        )

    def _latch_white_side(self) -> None:
        """Before the first move, the side that runs is the first mover's.

        Once it ran, the other side must run for a while: a press may be known before its move.
        """
        reading = self.clock.reading
        if reading is None or not reading.running or not self._side_is_open():
            return
        turned = self._at < self.clock.turned_at + self.timing.press_life
        if not (self._side_seen and turned):
            self._side_seen = True
            self._first_mover_sits(reading.turn)

    def _latch_by_first_press(self, reading: ClockReading) -> None:
        """Whoever presses while the first move stands is the first mover."""
        if self._side_is_open(with_move=True):
            self._first_mover_sits(self.clock.flipped_to(reading))

    def _side_is_open(self, *, with_move: bool = False) -> bool:
        """Whether no move is settled and the first mover has, or has not, done something.

        After a lost link nothing is told from that: moves may have been made unseen.
        """
        if self.engine is None or self._plies or self.setup.white_clock != "auto":
            return False
        if not self.engine.in_sight:
            return False
        return self.engine.is_movers_work(self.engine.position.board.turn) == with_move

    def _first_mover_sits(self, side: Side | None) -> None:
        if side is not None and self.engine is not None:
            white = self.engine.position.board.turn
            self.clock.white_side = side if white else _OTHER[side]

    def _pressed(self, press: Press) -> None:
        """Give a press to the move it completes: the one on the board, or one settled before it."""
        if self.engine is None:
            return
        mine = self.engine.is_movers_work(press.colour)
        late = self._plies.press(press, mine=mine, at=self._at)
        if late is not None:
            self._time([late])
        else:
            self._found(self.engine.press(press.colour, at=self._at, first=press.estimated))

    def _time_by_standing_clock(self, reading: ClockReading) -> None:
        turn = self.clock.colour_of(reading.turn)
        if turn is not None and reading.running:
            timed = self._plies.standing_clock(turn, self.clock.remaining)
            self._time([timed] if timed else [])

    def _time(self, timed: Iterable[Timed]) -> None:
        for ply, ms, estimated in timed:
            self._state(MoveTimed, ply=ply, clk_ms=ms, estimated=estimated)

    def _clock_fault(self, fault: ClockFault) -> None:
        if fault.fault != "absent" or not self.setup.has_clock:
            return
        self.clock.forget()
        self._plies.lose_clock()
        if self.engine is not None:
            self._found(self.engine.clock(runs=False, at=self._at))
        self._raise(
            "CLOCK_DISCONNECTED",
            "tech" if self.engine is None else "warning",
            "the board reports that no clock is connected",
            article="6.10.1",
            remedy="check the clock's cable and that it is switched on",
        )

    # -- alerts ------------------------------------------------------------------------------------

    def _raise(self, code: str, severity: Severity, text: str, **fields: object) -> None:
        if code not in self._alerts:
            self._alerts.add(code)
            self._state(AlertRaised, code=code, severity=severity, text=text, **fields)

    def _clear(self, code: str, text: str) -> None:
        if code in self._alerts:
            self._alerts.discard(code)
            self._state(AlertCleared, code=code, text=text)

    def _clear_move_alerts(self, text: str) -> None:
        for code in sorted(self._alerts - NOT_OF_A_MOVE):
            self._clear(code, text)


def _name(colour: chess.Color) -> Colour:
    return "white" if colour else "black"


def _start_of(setup: TableSetup) -> tuple[object, ...]:
    return setup.start_fen, setup.chess960, setup.orientation
