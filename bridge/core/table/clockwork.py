"""What the clock of a table says: whose time it is, who pressed, and what the game hears of it."""

import chess

from bridge.core.model import ClockUpdated
from bridge.core.table.equipment import Equipment
from bridge.core.table.game import Game
from bridge.core.table.game_finder import GameFinder
from bridge.core.table.games import Games
from bridge.core.table.naming import name_of
from bridge.core.table.recording import Around
from bridge.core.table.shown import Shown
from bridge.core.table.sides import ClockSides
from bridge.core.timekeeping import Press
from drivers.events import ClockFault, ClockReading


class Clockwork:
    """Takes the readings and faults of one table's clock.

    ``connected``: the table should have a clock.
    """

    def __init__(
        self,
        around: Around,
        games: Games,
        sides: ClockSides,
        equipment: Equipment,
        finder: GameFinder,
        shown: Shown,
    ) -> None:
        self.connected = True
        self._told, self._alerts, self._book = around.told, around.alerts, around.clock
        self._games, self._sides = games, sides
        self._equipment, self._finder, self._shown = equipment, finder, shown

    def reads(self, reading: ClockReading) -> None:
        """Take a reading, which may begin a game, and settle or time moves."""
        self._alerts.clear("CLOCK_DISCONNECTED", "the clock reports again")
        self._equipment.clock(reading, playing=self._games.on is not None)
        for believed in self._book.believed(reading):
            self._believes(believed)

    def _believes(self, reading: ClockReading) -> None:
        game, book = self._games.on, self._book
        before = book.reading
        if game is None and book.flipped_to(reading) is not None:
            self._finder.pressed()
            game = self._games.on
        if game is not None:
            self._sides.by_start(game, reading)
            self._sides.by_first_press(game, reading, self._told.at)
        presses = book.take(reading)
        if game is not None:
            self._sides.by_running(game, self._told.at)
            presses = self._by_whom(presses, game)
        self._tell(reading)
        if game is not None:
            game.reads_clock(reading)
            turn = book.colour_of(reading.turn)
            runs = reading.running or book.played_on
            game.hears_clock(runs=runs, turn=turn, shows_presses=book.shows_presses)
        for press in presses:
            self._pressed(press)
        self._time_by_standing_clock(reading)
        game = self._games.on
        if reading.running and (before is None or not before.running):
            self._finder.clock_started(game)
        elif game is not None and book.set_at == reading.at:
            self._finder.look_again(game)

    def fails(self, fault: ClockFault) -> None:
        """Take that the clock says nothing, or no time."""
        game = self._games.on
        self._equipment.clock_fault(fault, playing=game is not None)
        if fault.fault != "absent" or not self.connected:
            return
        self._book.forget()
        if game is not None:
            game.loses_clock()
        self._alerts.raise_(
            "CLOCK_DISCONNECTED",
            "tech" if self._games.on is None else "warning",
            fault.detail or "the board reports that no clock is connected",
            article="6.10.1",
            remedy="check the clock's cable and that it is switched on",
        )

    def _pressed(self, press: Press) -> None:
        if self._games.on is not None:
            self._games.on.pressed(press)
        elif self._games.afterwards is not None and self._book.runs:
            self._games.afterwards.pressed(press, self._shown.cells)

    def _tell(self, reading: ClockReading) -> None:
        white, black = self._book.remaining(chess.WHITE), self._book.remaining(chess.BLACK)
        if white is None or black is None or self._told.game == 0:
            return
        turn = self._book.colour_of(reading.turn)
        self._told.state(
            ClockUpdated,
            white_ms=white,
            black_ms=black,
            running=reading.running,
            turn=None if turn is None else name_of(turn),
        )

    def _by_whom(self, presses: list[Press], game: Game) -> list[Press]:
        """Return *presses* by who made them, if the sides were latched wrong."""
        against = self._sides.exchange(presses, game, self._told.at)
        if not against:
            return presses
        self._told.explain(
            f"White's time is the {self._book.white_side} one of the clock: {against} presses "
            "fitted only the other player's moves; times before may be those of the opponent"
        )
        return [press._replace(colour=not press.colour) for press in presses]

    def _time_by_standing_clock(self, reading: ClockReading) -> None:
        turn, game = self._book.colour_of(reading.turn), self._games.on
        if turn is not None and reading.running and game is not None:
            game.times_by_standing_clock(turn)
