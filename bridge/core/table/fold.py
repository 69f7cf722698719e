"""One table: a fold of its readings into facts.

:class:`Table` is a function of the readings it was given, nothing else: no clock is read, no
input is taken from elsewhere. So restart, replay, test and dispute are the same code on the
same journal. Deadlines are answered too: when ``wake_at`` comes and nothing has happened,
:meth:`Table.tick` is called; a reading that comes later first lets every passed deadline fall.
"""

import math
from collections.abc import Callable
from functools import partial

import chess
import msgspec

from bridge.core.inference.engine import Engine
from bridge.core.inference.timing import Timing
from bridge.core.laws.standard import rules_of
from bridge.core.model import (
    Fact,
    GameStarted,
    Hindrance,
    LinkChange,
    LinkChanged,
    Reading,
    ResultOrder,
    Ruling,
    SetupCorrected,
    TableSetup,
)
from bridge.core.table.afterwards import Afterwards
from bridge.core.table.alerts import ILLEGAL_CODES, Alerts
from bridge.core.table.attendance import Attendance
from bridge.core.table.beginnings import EXPLAIN_AFTER, Beginnings
from bridge.core.table.boardwork import Boardwork
from bridge.core.table.clockwork import Clockwork
from bridge.core.table.corrections import corrected, played_alike
from bridge.core.table.equipment import Equipment
from bridge.core.table.feedback import Feedback, may_help
from bridge.core.table.game import Game
from bridge.core.table.game_finder import ABANDON_HOLD, FAR_HOLD, GameFinder
from bridge.core.table.games import Games
from bridge.core.table.recording import Around
from bridge.core.table.rulings.bench import Bench
from bridge.core.table.rulings.notices import offences
from bridge.core.table.rulings.orders import Rulings
from bridge.core.table.shown import Shown
from bridge.core.table.sides import ClockSides
from bridge.core.table.told import Told
from bridge.core.timekeeping import ClockBook
from drivers.events import (
    Battery,
    BoardMove,
    ClockFault,
    ClockReading,
    Identity,
    Lift,
    Place,
    RawTags,
    ResultPiece,
    Snapshot,
    SquareChange,
)

BOARD_EVENTS: tuple[type, ...] = (Snapshot, SquareChange, Lift, Place, RawTags)
"""Events that say what stands on the board."""


class Table:
    """The state of one table."""

    def __init__(self, name: str, timing: Timing | None = None) -> None:
        self.name = name
        self.timing = timing or Timing()
        self.wake_at = math.inf
        self.clock = ClockBook()
        self._told = Told(name)
        self._alerts = Alerts(self._told)
        around = Around(self._told, self._alerts, self.clock, self.timing)
        self._games = Games()
        self._shown = Shown()
        self._beginnings = Beginnings(TableSetup(), around)
        sides = ClockSides(self.clock, self.timing)
        finder = GameFinder(around, self._games, self._beginnings, self._shown, sides)
        boardwork = Boardwork(around, self._games, self._beginnings, finder, self._shown, sides)
        self._finder, self._boardwork = finder, boardwork
        self._equipment = Equipment(self._alerts)
        self._clockwork = Clockwork(
            around, self._games, sides, self._equipment, finder, self._shown
        )
        self._feedback = Feedback(self._told)
        self._attendance = Attendance(self._told, self._alerts, self.clock, self._games)
        bench = Bench(
            told=self._told,
            alerts=self._alerts,
            clock=self.clock,
            games=self._games,
            go_on=finder.go_on,
            attendance=self._attendance,
        )
        self._rulings = Rulings(bench)
        self._alerts.offences = partial(offences, bench)
        self._handlers = self._by_payload()
        said = (LinkChange, Hindrance, TableSetup, ResultOrder, Ruling)
        self._while_adjourned = dict.fromkeys(BOARD_EVENTS, boardwork.looks_past) | {
            payload: self._handlers[payload] for payload in said
        }
        self._heard = self._handlers

    def _by_payload(self) -> dict[type, Callable[..., None]]:
        """Return who takes what a reading may bring."""
        return {
            Snapshot: self._boardwork.changed,
            SquareChange: self._boardwork.changed,
            Lift: self._boardwork.lifted,
            Place: self._boardwork.placed,
            RawTags: self._boardwork.scanned,
            BoardMove: self._judged,
            ClockReading: self._clockwork.reads,
            ClockFault: self._clockwork.fails,
            Battery: self._equipment.battery,
            Identity: self._equipment.identity,
            LinkChange: self._link,
            Hindrance: self._equipment.hindered,
            TableSetup: self._set_up,
            ResultOrder: self._ordered,
            ResultPiece: self._result_piece,
            Ruling: self._ruled,
        }

    @property
    def setup(self) -> TableSetup:
        """What games are begun with."""
        return self._beginnings.setup

    @property
    def rotated(self) -> bool:
        """Whether in the last game the board lay with White at its far side."""
        return self._shown.rotated

    @property
    def game(self) -> int:
        """Which game it is, counted from 1; 0 before the first."""
        return self._told.game

    @property
    def engine(self) -> Engine | None:
        """What follows the game that is on."""
        game = self._games.on
        return None if game is None else game.engine

    @property
    def serial(self) -> str | None:
        """The serial number that the board told last."""
        return self._equipment.serial

    @property
    def battery(self) -> int | None:
        """How full the board's battery was last, in percent."""
        return self._equipment.percent

    @property
    def marked(self) -> tuple[str, ...]:
        """The squares that the board marks for its players as wrong, as White sees them."""
        return self._feedback.squares

    @property
    def in_dispute(self) -> bool:
        """Whether an illegal move is on the board that nobody has ruled on, and play has not."""
        return bool(self._alerts.of_moves() & ILLEGAL_CODES)

    # -- the fold ----------------------------------------------------------------------------------

    def apply(self, reading: Reading) -> list[Fact]:
        """Take the next reading and return what follows from it, passed deadlines first."""
        while self.wake_at <= reading.at:
            self._advance(self.wake_at)
        self._told.hear(reading)
        handler = self._heard.get(type(reading.payload))
        if handler is not None:
            handler(reading.payload)
            self._rest()
        return self._told.take()

    def tick(self, at: float) -> list[Fact]:
        """Let time come to *at*; call it at ``wake_at``."""
        while self.wake_at <= at:
            self._advance(self.wake_at)
        return self._told.take()

    def end(self, at: float) -> list[Fact]:
        """Let time come to *at*, after which nothing more comes that play might tell."""
        told = self.tick(at)
        game = self._games.on
        if game is not None and not game.adjourned:
            game.take_back_unpressed()
            game.settle_unpressed(at)
            game.end_as_recorded(for_good=True)
        self._told.release_all()
        return told + self._told.take()

    def _advance(self, at: float) -> None:
        self._told.wait(at)
        game = self._games.on
        if game is None:
            self._finder.look()
        else:
            game.ticks()
            self._boardwork.looks_round(game)
            if not game.over:
                self._finder.look_again(game)
                if self._games.on is None:  # what stands may be how the next one is put up
                    self._close()
                    self._finder.look()
        self._rest()

    def _rest(self) -> None:
        """Close what is over, and find out when to go on."""
        self._close()
        self._attendance.look()
        game, at, since = self._games.playing, self._told.at, self._shown.since
        self._heard = self._handlers
        if game is None:
            self._told.release_all()
            deadlines = (*self._beginnings.deadlines(since), self._look_back())
        elif game.adjourned:
            self._told.release_all()
            self._heard, deadlines = self._while_adjourned, ()
        else:
            self._told.release(game.engine)
            if at >= since + EXPLAIN_AFTER:
                game.explain_difference()
            holds = since + FAR_HOLD, since + ABANDON_HOLD
            deadlines = (game.wake_at, *holds, since + EXPLAIN_AFTER)
        if self.setup.feedback or self._feedback.squares:
            self._mark()
        self.wake_at = math.inf
        for when in (*deadlines, self._told.wake_at, self._attendance.wake_at):
            if at < when < self.wake_at:
                self.wake_at = when

    def _look_back(self) -> float:
        """Correct the result of the last game if the kings do; return when to look again."""
        afterwards = self._games.afterwards
        if afterwards is None:
            return math.inf
        afterwards.shows(self._shown.cells)
        result = afterwards.corrects()
        if result is not None:
            self._games.tell_end(self._told, self._told.game, (result, "kings"))
        return afterwards.wake_at

    def _close(self) -> None:
        """Close the game that is played, if it is over."""
        game = self._games.playing
        if game is None or not game.over:
            return
        self._games.close(self._told.game, Afterwards(game, self._told, self._alerts, self.timing))
        self._beginnings.game_over()
        self._attendance.game_over()

    def _mark(self) -> None:
        """Have marked what is wrong, where that is allowed; a lost board goes on as it did."""
        game, array, shown = self._games.playing, self._beginnings.array, self._shown
        if not may_help(self.setup) or (game is not None and game.adjourned):
            self._feedback.clear()
        elif shown.since == math.inf:
            pass
        elif game is not None:
            self._feedback.follow(game, since=shown.since)
        else:
            self._feedback.set_up(array, shown)

    # -- what the board says -----------------------------------------------------------------------

    def _judged(self, move: BoardMove) -> None:
        if self._games.on is not None:
            self._games.on.judges(move)

    def _link(self, change: LinkChange) -> None:
        self._told.state(LinkChanged, state=change.state, detail=change.detail)
        self._equipment.link(change)
        if change.state == "live":
            self._alerts.clear("BOARD_DISCONNECTED", "the board answers again")
        elif change.state == "lost":
            self._lose(change.detail)

    def _lose(self, detail: str) -> None:
        self._shown.since = math.inf
        if self._games.on is None:
            self._shown.cells = ""
            self._beginnings.loses_sight()
            return
        self._games.on.loses_sight()
        self._finder.loses_sight()
        self._alerts.raise_(
            "BOARD_DISCONNECTED",
            "warning",
            f"the link to the board is lost: {detail}",
            remedy="check cable and power; nothing is checked until the board is back",
        )

    def _result_piece(self, piece: ResultPiece) -> None:
        if self._games.on is not None:
            self._games.on.end(piece.result, "piece")

    # -- what people say ---------------------------------------------------------------------------

    def _ruled(self, ruling: Ruling) -> None:
        self._told.release_all()  # an arbiter rules on the record as it is
        self._rulings.take(ruling)
        self._told.release_all()

    def _set_up(self, setup: TableSetup) -> None:
        before = self.setup
        self._clockwork.connected = setup.has_clock
        self._alerts.rules = rules_of(setup)
        self._beginnings.set_up(setup)
        self._boardwork.set_up(setup)
        if self._games.on is not None and not self._games.on.plies:
            self._restate(self._games.on, before)
        elif self._games.present is not None:
            self._correct(self._games.present)
        if self._games.on is None:
            self._finder.look()

    def _restate(self, game: Game, before: TableSetup) -> None:
        """Nobody has moved: the game is the one that is configured now."""
        if played_alike(before, self.setup):
            fen = game.engine.position.board.fen()
            game.setup = self.setup
            self._told.state(GameStarted, setup=self.setup, fen=fen, rotated=game.rotated)
        else:
            self._games.playing = None
            self._told.game -= 1

    def _correct(self, game: Game) -> None:
        """Let a game have the names that are configured now, if it is the game they are of."""
        setup = corrected(game.setup, self.setup)
        if setup is None:
            if not game.over:
                self._told.explain(
                    f"the game goes on as that of {game.setup.white} and {game.setup.black}; "
                    f"{self.setup.white} and {self.setup.black} come with the next one"
                )
            return
        setup = self._with_start(game, setup)
        if setup != game.setup:
            game.setup = setup
            self._told.state(SetupCorrected, setup=setup)

    def _with_start(self, game: Game, setup: TableSetup) -> TableSetup:
        """Return *setup* with the start position that is given now, if nobody gave one before."""
        fen = self.setup.start_fen
        if fen is None or not (game.engine.is_untold and self.setup.chess960):
            return setup
        if game.begins_from(chess.Board(fen, chess960=True)):
            return msgspec.structs.replace(setup, start_fen=fen)
        self._told.explain(
            f"the game goes on as it was found to have begun: from {fen}, which is given now, its "
            "moves are not legal"
        )
        return setup

    def _ordered(self, order: ResultOrder) -> None:
        if self._games.on is not None:
            self._games.on.end(order.result, order.by)
        elif self._games.afterwards is not None:
            self._games.afterwards.ordered(order.result)
