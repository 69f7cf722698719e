"""A talk with a table: what the board and the clock show goes in, what follows is compared."""

from typing import Literal

import chess

from bridge.core.inference.placement import turned
from bridge.core.inference.timing import Timing
from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    Fact,
    GameEnded,
    GameStarted,
    LinkChange,
    LinkChanged,
    LinkState,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    Payload,
    Reading,
    Result,
    ResultOrder,
    TableSetup,
)
from bridge.core.table import Table
from drivers.cells import cells_of
from drivers.events import ClockFault, ClockReading, ResultPiece, Side, Snapshot, SquareChange

TIMING = Timing()
A_MOMENT = TIMING.gap
"""Time enough for what was pressed, or put back, to be believed."""
CONFIRMS = frozenset({"RESULT_BY_KINGS", "CHECKMATE", "STALEMATE", "RESULT_MISSING"})
"""Alerts that only ask to confirm the result that is told with them."""
ORIENTATION = "BOARD_ORIENTATION_AUTO"
"""Says what ``rotated`` of the game's beginning says as well."""
_LETTERS = {chess.piece_name(kind): chess.piece_symbol(kind) for kind in chess.PIECE_TYPES}


def in_words(fact: Fact) -> str | None:
    """Say a fact in a few words; None for what only mirrors the input."""
    match fact:
        case GameStarted():
            return f"game {fact.game} begins" + (" rotated" if fact.rotated else "")
        case MoveSettled():
            return f"{fact.ply}. {fact.san} by {fact.basis}"
        case MoveTimed():
            about = "about " if fact.estimated else ""
            return f"{fact.ply}. has {about}{fact.clk_ms // 1000}"
        case MovesCorrected():
            return f"withdrawn {fact.count} from {fact.ply}."
        case AlertRaised() | AlertCleared():
            return _alert_in_words(fact)
        case GameEnded():
            return f"{fact.result} by {fact.by}"
        case LinkChanged():
            return f"link {fact.state}"
        case _:
            return None


def _alert_in_words(fact: AlertRaised | AlertCleared) -> str | None:
    """Say an alert; None for one that nobody is told of, or that only asks to confirm."""
    if CATALOGUE[fact.code].severity == "silent" or fact.code in CONFIRMS | {ORIENTATION}:
        return None
    if isinstance(fact, AlertCleared):
        return f"cleared {fact.code}"
    return f"alert {fact.code}" + (f" {fact.reason}" if fact.reason else "")


class TableTalk:
    """One table, seen and heard; every call may be followed by :meth:`expects`."""

    def __init__(self, setup: TableSetup | None = None, *, board: str | None = None) -> None:
        self.table = Table("7")
        self.facts: list[Fact] = []
        self.script: list[str] = []
        self._at = 0.0
        self._seq = 0
        self._heard_clock = False
        self._unread: list[Fact] = []
        self.rotated = False
        start = chess.Board((setup.start_fen if setup else None) or chess.STARTING_FEN)
        self.cells = (
            cells_of(start) if board is None else cells_of(chess.BaseBoard(board.split()[0]))
        )
        self._hear("set up", 0.0, setup or TableSetup())

    @classmethod
    def ready(cls, setup: TableSetup | None = None, *, clock: bool = True) -> "TableTalk":
        """A table on which the start position stands and White's clock (left) runs."""
        talk = cls(setup)
        talk.shows(0.0)
        if clock:
            talk.clock(0.5, 300, 300, "left")
        talk.facts.clear()
        talk._unread.clear()
        return talk

    # -- what happens ------------------------------------------------------------------------------

    def shows(self, at: float, placement: str | None = None) -> "TableTalk":
        """The board reports everything; *placement* as a FEN field changes it first."""
        if placement is not None:
            self.cells = cells_of(chess.BaseBoard(placement))
        cells = turned(self.cells) if self.rotated else self.cells
        return self._hear("snapshot", at, Snapshot(at=at, cells=cells))

    def sees(self, at: float, *, without: str = "", **men: str) -> "TableTalk":
        """Squares empty themselves (``without``), then men appear (``white_pawn="e3"``)."""
        for name in without.split():
            self._changes(at, name, ".")
        for man, names in men.items():
            colour, _, kind = man.partition("_")
            letter = _LETTERS[kind]
            for name in names.split():
                self._changes(at, name, letter.upper() if colour == "white" else letter)
        return self

    def _changes(self, at: float, name: str, letter: str) -> None:
        square = chess.parse_square(name)
        self.cells = self.cells[:square] + letter + self.cells[square + 1 :]
        cells = turned(self.cells) if self.rotated else self.cells
        seen = 63 - square if self.rotated else square
        change = SquareChange(at=at, square=seen, piece=letter, cells=cells)
        self._hear(f"{name} {letter}", at, change)

    def plays(self, at: float, *sans: str, every: float = 2.0, clock: int = 300) -> float:
        """Play clean moves, lifted and placed, each pressed 0.5 s later (White left).

        Where no clock was heard of they rest instead. Returns the time of the last decision.
        """
        for san in sans:
            board = self._position()
            move = board.parse_san(san)
            white = board.turn
            board.push(move)
            self.sees(at, without=chess.square_name(move.from_square))
            self.shows(at + 0.3, board.board_fen())
            if self._heard_clock:
                self.clock(at + 0.8, clock, clock, "right" if white else "left")
            self.ticks(at + (1.4 if self._heard_clock else 0.4 + TIMING.rest))
            at += every if self._heard_clock else 1.0 + TIMING.rest
        return self._at

    def _position(self) -> chess.Board:
        engine = self.table.engine
        assert engine is not None, "no game is on"
        return engine.position.board.copy(stack=False)

    def clock(
        self, at: float, left: int, right: int, turn: Side | None, run: bool = True
    ) -> "TableTalk":
        self._heard_clock = True
        reading = ClockReading(
            at=at, left_ms=left * 1000, right_ms=right * 1000, running=run, turn=turn
        )
        return self._hear(f"clock {left} {right} {turn} {run}", at, reading)

    def no_clock(self, at: float, fault: str = "absent") -> "TableTalk":
        assert fault in ("absent", "null", "invalid")
        return self._hear(f"clock {fault}", at, ClockFault(at=at, fault=fault))  # type: ignore[arg-type]  # asserted above

    def link(self, at: float, state: LinkState) -> "TableTalk":
        return self._hear(f"link {state}", at, LinkChange(state=state))

    def orders(self, at: float, result: Result) -> "TableTalk":
        return self._hear(f"order {result}", at, ResultOrder(result=result))

    def result_piece(self, at: float, result: Literal["1-0", "0-1", "1/2-1/2"]) -> "TableTalk":
        return self._hear(f"piece {result}", at, ResultPiece(at=at, square=27, result=result))

    def setup(self, at: float, setup: TableSetup) -> "TableTalk":
        return self._hear("set up", at, setup)

    def ticks(self, at: float) -> "TableTalk":
        self._at = at
        self._note(f"{at:7.2f}  tick", self.table.tick(at))
        return self

    def ends(self) -> "TableTalk":
        """Nothing more comes."""
        self._note(f"{self._at:7.2f}  end", self.table.end(self._at))
        return self

    def _hear(self, what: str, at: float, payload: Payload) -> "TableTalk":
        self._seq += 1
        self._at = at
        reading = Reading(
            table="7", link="b", seq=self._seq, at=at, wall=1000 + at, payload=payload
        )
        self._note(f"{at:7.2f}  {what}", self.table.apply(reading))
        return self

    def _note(self, line: str, facts: list[Fact]) -> None:
        self.script.append(line)
        told = [words for fact in facts if (words := in_words(fact))]
        self.script += [f"                    -> {words}" for words in told]
        self.facts += facts
        self._unread += facts

    # -- what follows ------------------------------------------------------------------------------

    def expects(self, *words: str) -> "TableTalk":
        """Compare with all that was told since the last time; print it all if it differs."""
        told = [said for fact in self._unread if (said := in_words(fact))]
        self._unread.clear()
        talk = "\n".join(self.script)
        assert told == list(words), f"\n{talk}\nexpected {list(words)}\ntold     {told}"
        return self

    def expects_soon(self, *words: str) -> "TableTalk":
        """Compare after a moment in which nothing happens, as a player waits for the reply."""
        return self.ticks(self._at + A_MOMENT).expects(*words)

    def told(self, kind: type[Fact]) -> list[Fact]:
        """Return the facts of one kind told so far."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    @property
    def shown(self) -> list[str | None]:
        """What was shown provisionally so far."""
        return [fact.san for fact in self.facts if isinstance(fact, MoveProvisional)]

    @property
    def moves(self) -> str:
        """The moves settled and not withdrawn, in short notation."""
        sans: list[str] = []
        for fact in self.facts:
            if isinstance(fact, MoveSettled):
                sans.append(fact.san)
            elif isinstance(fact, MovesCorrected):
                del sans[-fact.count :]
        return " ".join(sans)
