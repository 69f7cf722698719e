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

from bridge.core.inference.engine import Engine
from bridge.core.inference.placement import EMPTY, difference, turned
from bridge.core.inference.timing import Timing
from bridge.core.laws.standard import rules_of
from bridge.core.model import (
    BoardChanged,
    Fact,
    GameStarted,
    LinkChange,
    LinkChanged,
    Reading,
    ResultOrder,
    Ruling,
    SetupCorrected,
    TableSetup,
)
from bridge.core.table.afterwards import Afterwards
from bridge.core.table.alerts import SETUP_CODES, Alerts
from bridge.core.table.attendance import Attendance
from bridge.core.table.beginnings import EXPLAIN_AFTER, Beginnings, Start
from bridge.core.table.clockwork import Clockwork
from bridge.core.table.corrections import corrected
from bridge.core.table.equipment import Equipment
from bridge.core.table.feedback import Feedback, may_help
from bridge.core.table.game import Around, Game
from bridge.core.table.games import Games
from bridge.core.table.rulings.bench import Bench
from bridge.core.table.rulings.notices import offences
from bridge.core.table.rulings.orders import Rulings
from bridge.core.table.senses import Senses
from bridge.core.table.sides import ClockSides
from bridge.core.table.strangers import promoted
from bridge.core.table.told import Told
from bridge.core.timekeeping import ClockBook
from drivers.events import (
    UNNAMED,
    UNREADABLE,
    Battery,
    BoardMove,
    ClockFault,
    ClockReading,
    Event,
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
ABANDON_HOLD = 3.0
"""How long a start position must stand in the middle of a game to end that game (s)."""
FAR_FROM_IT = 12
"""In so many squares a board differs from a game that is not on any more."""


class Table:
    """The state of one table.

    ``rotated``: in the last game the board lay with White at its far side.
    """

    def __init__(self, name: str, timing: Timing | None = None) -> None:
        self.name = name
        self.timing = timing or Timing()
        self.setup = TableSetup()
        self.wake_at = math.inf
        self.rotated = False
        self.clock = ClockBook()
        self._told = Told(name)
        self._alerts = Alerts(self._told)
        self._around = Around(self._told, self._alerts, self.clock, self.timing)
        self._senses = Senses(self.setup.sensing)
        self._beginnings = Beginnings(self.setup, self._around)
        self._sides = ClockSides(self.clock, self.timing)
        self._equipment = Equipment(self._alerts)
        self._games = Games()
        self._feedback = Feedback(self._told)
        self._raw = ""
        self._raw_since = math.inf  # of nothing that is seen
        self._clockwork = Clockwork(
            self._around,
            self._games,
            self._sides,
            self._equipment,
            self._beginnings,
            begin=self._begin,
            look=self._look_for_game,
            shown=lambda: self._raw,
        )
        self._attendance = Attendance(self._told, self._alerts, self.clock, self._games)
        bench = Bench(
            told=self._told,
            alerts=self._alerts,
            clock=self.clock,
            games=self._games,
            go_on=self._go_on,
            attendance=self._attendance,
        )
        self._rulings = Rulings(bench)
        self._alerts.offences = partial(offences, bench)
        self._seat_open = self._seat_untold = False
        self._handlers: dict[type, Callable[..., None]] = {
            Snapshot: self._board,
            SquareChange: self._board,
            Lift: self._lifted,
            Place: self._placed,
            RawTags: self._scanned,
            BoardMove: self._judged,
            ClockReading: self._clockwork.reads,
            ClockFault: self._clockwork.fails,
            Battery: self._equipment.battery,
            Identity: self._equipment.identity,
            LinkChange: self._link,
            TableSetup: self._set_up,
            ResultOrder: self._ordered,
            ResultPiece: self._result_piece,
            Ruling: self._ruled,
        }
        self._looked_past: dict[type, Callable[..., None]] = dict.fromkeys(
            BOARD_EVENTS, self._looks_past
        )
        for said in (LinkChange, TableSetup, ResultOrder, Ruling):
            self._looked_past[said] = self._handlers[said]
        self._heard = self._handlers

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

    def _advance(self, at: float) -> None:
        self._told.wait(at)
        game = self._games.on
        if game is None:
            self._look_for_game()
        else:
            game.ticks()
            self._watch_array()
        self._rest()

    def _rest(self) -> None:
        """Close what is over, and find out when to go on."""
        if self._games.playing is not None and self._games.playing.over:
            afterwards = Afterwards(self._games.playing, self._told, self._alerts)
            self._games.close(self._told.game, afterwards)
            self._beginnings.game_over()
            self._attendance.game_over()
        self._attendance.look()
        game, at, since = self._games.playing, self._told.at, self._raw_since
        self._heard = self._handlers
        if game is None:
            deadlines = self._beginnings.deadlines(since)
        elif game.adjourned:
            self._heard, deadlines = self._looked_past, ()
        else:
            if at >= since + EXPLAIN_AFTER:
                game.explain_difference()
            deadlines = (game.wake_at, since + ABANDON_HOLD, since + EXPLAIN_AFTER)
        if self.setup.feedback or self._feedback.squares:
            self._mark()
        later = (when for when in (*deadlines, self._attendance.wake_at) if when > at)
        self.wake_at = min(later, default=math.inf)

    def _mark(self) -> None:
        """Have marked what is wrong, where that is allowed; a lost board goes on as it did."""
        game, array, since = self._games.playing, self._beginnings.array, self._raw_since
        if not may_help(self.setup) or (game is not None and game.adjourned):
            self._feedback.clear()
        elif since == math.inf:
            pass
        elif game is not None:
            self._feedback.follow(game, since=since)
        else:
            self._feedback.set_up(self._raw, array, rotated=self.rotated, since=since)

    # -- what the board says -----------------------------------------------------------------------

    def _board(self, event: Event) -> None:
        cells = self._senses.take(event)
        if cells is not None and UNREADABLE not in cells:
            self._shows(cells)

    def _shows(self, cells: str) -> None:
        if cells != self._raw or self._raw_since == math.inf:
            self._raw, self._raw_since = cells, self._told.at
            if self._games.on is None:
                self._look_for_game()
            if self._games.on is None:
                self._told.state(BoardChanged, cells=_from_seat(cells, self.rotated))
        game = self._games.on
        if game is None:
            return
        game.sees(_from_seat(cells, game.rotated))
        if self._seat_open:
            self._try_other_seat(game)

    def _lifted(self, lift: Lift) -> None:
        """Take a lifted man; the first one was lifted from the start position."""
        if self._senses.knows_nothing:
            for array, _ in self._beginnings.array.arrays():
                if array[lift.square] != EMPTY:
                    self._senses.begin(array)
                    self._told.explain("the board tells only changes: the men stood to begin")
                    self._shows(self._senses.shown)
                    break
        self._board(lift)

    def _placed(self, place: Place) -> None:
        """Take a placed man; the first one was put up on an empty board."""
        if self._senses.knows_nothing:
            self._senses.begin(EMPTY * len(chess.SQUARES))
        self._board(place)

    def _scanned(self, tags: RawTags) -> None:
        """Take the tags of a scan; between games, learn them from the start position.

        Unknown tags look the same from both seats, so the seat stays open then.
        """
        cells = self._senses.take(tags)
        if cells is None:
            return
        if self._games.on is not None:
            self._shows(self._with_promoted(cells, self._games.on))
            return
        self._shows(cells)
        if self._games.on is not None:
            return
        arrays = self._beginnings.array.arrays()
        unknown = self._senses.knows_no_man
        for array, _ in arrays:
            cells = self._senses.learn(array)
            if cells is not None:
                self._seat_untold = unknown and len(arrays) > 1
                self._shows(cells)
                return

    def _with_promoted(self, cells: str, game: Game) -> str:
        """Return *cells* with a name for a man that no start position taught, if a pawn became it.

        The engine is shown a name at once: to an unknown man it would find no move.
        """
        if UNNAMED not in cells:
            return cells
        found = promoted(game.engine.position.board, _from_seat(cells, game.rotated))
        if found is None:
            return cells
        square, letter = found
        name = chess.square_name(square)
        self._told.explain(f"the man on {name} is not known and is taken for a promoted queen")
        return self._senses.name(63 - square if game.rotated else square, letter)

    def _judged(self, move: BoardMove) -> None:
        if self._games.on is not None:
            self._games.on.judges(move)

    def _try_other_seat(self, game: Game) -> None:
        """Turn the board if White's first move was made from the other seat."""
        if game.plies or self._games.on is None:
            self._seat_open = False
            return
        if game.engine.explains:
            return
        cells, array = self._raw, None
        if self._senses.learned:
            array = _from_seat(game.engine.position.cells, not game.rotated)
            cells = self._senses.if_it_were(array)
        if not game.turns_round(_from_seat(cells, not game.rotated)):
            return
        if array is not None:
            self._senses.learn_anew(array)
            self._raw = cells
        self._seat_open, self.rotated = False, game.rotated
        self._sides.turned_round(game)

    def _link(self, change: LinkChange) -> None:
        self._told.state(LinkChanged, state=change.state, detail=change.detail)
        self._equipment.link(change)
        if change.state == "live":
            self._alerts.clear("BOARD_DISCONNECTED", "the board answers again")
        elif change.state == "lost":
            self._lose(change.detail)

    def _lose(self, detail: str) -> None:
        self._raw_since = math.inf
        if self._games.on is None:
            self._raw = ""
            return
        self._games.on.loses_sight()
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

    def _set_up(self, setup: TableSetup) -> None:
        before, self.setup = self.setup, setup
        self._clockwork.connected = setup.has_clock
        self._alerts.rules = rules_of(setup)
        self._beginnings.set_up(setup)
        if setup.sensing != before.sensing:
            self._senses = Senses(setup.sensing)
        self._senses.know(setup.tag_letters)
        if self._games.on is not None and not self._games.on.plies:
            self._restate(self._games.on, before)
        elif self._games.present is not None:
            self._correct(self._games.present)
        if self._games.on is None:
            self._look_for_game()

    def _restate(self, game: Game, before: TableSetup) -> None:
        """Nobody has moved: the game is the one that is configured now."""
        if _played_by(before) == _played_by(self.setup):
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
        elif setup != game.setup:
            game.setup = setup
            self._told.state(SetupCorrected, setup=setup)

    def _ordered(self, order: ResultOrder) -> None:
        if self._games.on is not None:
            self._games.on.end(order.result, order.by)
        elif self._games.afterwards is not None:
            self._games.afterwards.ordered(order.result)

    def _ruled(self, ruling: Ruling) -> None:
        self._rulings.take(ruling)

    def _looks_past(self, event: Event) -> None:
        """Take note of what the board shows while the game is adjourned, and no more."""
        cells = self._senses.take(event)
        if cells is not None and UNREADABLE not in cells:
            self._raw, self._raw_since = cells, self._told.at

    def _go_on(self, game: Game) -> None:
        """Take a game up again, where the board stands now."""
        self._games.begin(game)
        self._alerts.clear_all(SETUP_CODES, "the game goes on")
        self._alerts.started = True
        self.clock.forget()
        game.goes_on()
        if self._raw:
            game.sees(_from_seat(self._raw, game.rotated))
        if not game.over:
            game.end_if_decided(game.engine.position.board)

    # -- beginning games ---------------------------------------------------------------------------

    def _look_for_game(self) -> None:
        """Begin a game when the start position stands, or has just been left."""
        start = self._beginnings.look(self._raw, self._raw_since)
        if start is not None:
            self._begin(start)

    def _begin(self, start: Start) -> None:
        stand, told = start.stand, self._told
        self._games.close(told.game)
        told.game += 1
        told.is_explained()
        self._alerts.begin()
        game = Game(stand, self.setup, self._around)
        self._games.begin(game)
        self.rotated = stand.rotated
        self._seat_open, self._seat_untold = stand.seat_open or self._seat_untold, False
        told.rest_on_what_follows()
        configured = self.setup.white_clock
        self._sides.begin(game, None if configured == "auto" else configured)
        told.state(GameStarted, setup=self.setup, fen=stand.board.fen(), rotated=stand.rotated)
        cells = _from_seat(self._raw, stand.rotated)
        if cells == game.engine.cells:
            self._sides.by_running(game, told.at)
        game.joins(cells, unseen=not start.seen_from_start, misread=bool(start.misread))
        if start.misread:
            names = " and ".join(chess.square_name(square) for square in start.misread)
            told.explain(
                f"the game began although the board shows {names} wrong: it is not believed there"
            )

    def _watch_array(self) -> None:
        """A start position that stands again in mid-game ends that game and begins another."""
        game = self._games.on
        if game is None or self._told.at < self._raw_since + ABANDON_HOLD:
            return
        start = self._standing_again(game)
        if start is None:
            return
        if game.plies:
            game.end("*", "abandoned")
        self._begin(start)

    def _standing_again(self, game: Game) -> Start | None:
        """Return the game to begin from the start position that stands although *game* is on.

        Far from it, a square or two may be read wrong.
        """
        array = self._beginnings.array
        stand = array.stands(self._raw)
        if stand is not None and not (stand.rotated == game.rotated and game.engine.explains):
            return Start(stand, seen_from_start=True)  # play may lead back, as by 1.Nf3 Nf6 2.Ng1
        shown = _from_seat(self._raw, game.rotated)
        if difference(shown, game.engine.position.shown).bit_count() < FAR_FROM_IT:
            return None
        nearly = array.nearly(self._raw)
        return nearly and Start(nearly.stand, nearly.faults, seen_from_start=True)


def _from_seat(cells: str, rotated: bool) -> str:
    """Return cells of the board in White's numbering, or those in White's in the board's."""
    return turned(cells) if rotated else cells


def _played_by(setup: TableSetup) -> tuple[object, ...]:
    """Return what a game is begun with and keeps: where it differs the game begins anew."""
    return (
        setup.start_fen,
        setup.chess960,
        setup.orientation,
        setup.time_control,
        setup.two_hands,
    )
