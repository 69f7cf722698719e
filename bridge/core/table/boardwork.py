"""What the board of a table says: which cells it shows, and what the game sees of them."""

import math

import chess

from bridge.core.model import BoardChanged, TableSetup
from bridge.core.table.beginnings import Beginnings
from bridge.core.table.game import Game
from bridge.core.table.game_finder import GameFinder
from bridge.core.table.games import Games
from bridge.core.table.recording import Around
from bridge.core.table.senses import Senses
from bridge.core.table.shown import Shown, from_seat
from bridge.core.table.sides import ClockSides
from bridge.core.table.strangers import promoted
from drivers.events import EMPTY, UNNAMED, UNREADABLE, Event, Lift, Place, RawTags


class Boardwork:
    """Takes the events of one table's board and keeps what it shows."""

    def __init__(
        self,
        around: Around,
        games: Games,
        beginnings: Beginnings,
        finder: GameFinder,
        shown: Shown,
        sides: ClockSides,
    ) -> None:
        self._told, self._timing = around.told, around.timing
        self._games = games
        self._beginnings, self._finder = beginnings, finder
        self._shown, self._sides = shown, sides
        self._sensing = beginnings.setup.sensing
        self._senses = Senses(self._sensing)

    def set_up(self, setup: TableSetup) -> None:
        """Believe what a board of *setup* knows of a man, and the letters of its tags."""
        if setup.sensing != self._sensing:
            self._sensing = setup.sensing
            self._senses = Senses(setup.sensing)
        self._senses.know(setup.tag_letters)

    def changed(self, event: Event) -> None:
        """Take a placement or a square of it."""
        cells = self._readable(event)
        if cells is not None:
            self._shows(cells)

    def lifted(self, lift: Lift) -> None:
        """Take a lifted man; the first one was lifted from the start position."""
        if self._senses.knows_nothing:
            for array, _ in self._beginnings.array.arrays():
                if array[lift.square] != EMPTY:
                    self._senses.begin(array)
                    self._told.explain("the board tells only changes: the men stood to begin")
                    self._shows(self._senses.shown)
                    break
        self.changed(lift)

    def placed(self, place: Place) -> None:
        """Take a placed man; the first one was put up on an empty board."""
        if self._senses.knows_nothing:
            self._senses.begin(EMPTY * len(chess.SQUARES))
        self.changed(place)

    def scanned(self, tags: RawTags) -> None:
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
                self._shown.seat_untold = unknown and len(arrays) > 1
                self._shows(cells)
                return

    def looks_past(self, event: Event) -> None:
        """Take note of what the board shows while the game is adjourned, and no more."""
        cells = self._readable(event)
        if cells is not None:
            self._shown.cells, self._shown.since = cells, self._told.at

    def _readable(self, event: Event) -> str | None:
        """Return the cells that stand after *event*, if all of them are known."""
        cells = self._senses.take(event)
        return None if cells is None or UNREADABLE in cells else cells

    def _shows(self, cells: str) -> None:
        shown, game = self._shown, self._games.on
        if cells != shown.cells or shown.since == math.inf:
            if game is not None and self._told.at > shown.since + self._timing.scan:
                self._try_other_seat(game, rested=True)
            shown.cells, shown.since = cells, self._told.at
            game = self._games.on
            if game is None:
                self._finder.look()
                game = self._games.on
            if game is None:
                self._told.state(BoardChanged, cells=from_seat(cells, shown.rotated))
        if game is not None:
            self._sides.by_first_touch(game, self._told.at)
            game.sees(from_seat(cells, game.rotated))

    def looks_round(self, game: Game) -> None:
        """See *game* from the other seat if that is needed and all of a scan was told.

        Both players' first moves may be told in one, the reply before the move. Who only seemed to
        make the first one, and put his man back, told nothing of it.
        """
        self._shown.seat_open |= game.turned and game.has_not_begun
        if self._shown.seat_open and self._told.at >= self._shown.since + self._timing.scan:
            self._try_other_seat(game)

    def _with_promoted(self, cells: str, game: Game) -> str:
        """Return *cells* with a name for a man that no start position taught, if a pawn became it.

        The engine is shown a name at once: to an unknown man it would find no move.
        """
        if UNNAMED not in cells:
            return cells
        found = promoted(game.engine.position.board, from_seat(cells, game.rotated))
        if found is None:
            return cells
        square, letter = found
        name = chess.square_name(square)
        self._told.explain(f"the man on {name} is not known and is taken for a promoted queen")
        return self._senses.name(63 - square if game.rotated else square, letter)

    def _try_other_seat(self, game: Game, *, rested: bool = False) -> None:
        """Turn the board if White's first move was made from the other seat.

        *rested*: what is shown was not followed by more of the same scan.
        """
        shown = self._shown
        if not shown.seat_open:
            return
        late = game.both_began_at_once and not self._senses.learned
        if self._games.on is None or (game.plies and not late):
            shown.seat_open = False
            self._finder.tell_seat()
            return
        if game.engine.explains and not late:
            game.begun_here |= rested and game.engine.cells != game.engine.position.shown
            return
        cells, array = shown.cells, None
        if self._senses.learned:
            array = from_seat(game.engine.position.cells, not game.rotated)
            cells = self._senses.if_it_were(array)
        seen = from_seat(cells, not game.rotated)
        if late:
            turns = game.turns_round_late(seen)
        else:
            turns = game.turns_round(seen, rested=rested and not game.begun_here)
        if not turns:
            return
        if array is not None:
            self._senses.learn_anew(array)
            shown.cells = cells
        shown.seat_open, shown.rotated = False, game.rotated
        self._sides.turned_round(game)
        self._finder.tell_seat()
