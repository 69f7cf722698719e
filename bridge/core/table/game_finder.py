"""Where the games of a table begin, again and again, and where one that was interrupted goes on."""

import chess

from bridge.core.inference.placement import difference
from bridge.core.model import GameStarted
from bridge.core.table.alerts import SETUP_CODES
from bridge.core.table.beginnings import Beginnings, Start
from bridge.core.table.game import Game
from bridge.core.table.games import Games
from bridge.core.table.recording import Around
from bridge.core.table.shown import Shown, from_seat
from bridge.core.table.sides import ClockSides

ORIENTATION = "BOARD_ORIENTATION_AUTO"
UNTOLD = (
    "nobody gave the start position of Chess960, and this board cannot tell it: it is found by "
    "how the men go, and until then one may be called by the name of another"
)
ABANDON_HOLD = 3.0
"""How long a start position must stand in the middle of a game to end that game (s)."""
FAR_HOLD = 1.0
"""The same, if the game has got far from it: the next one may begin at once."""
FAR_FROM_IT = 12
"""In so many squares a board differs from a game that is not on any more."""
ASKS = 3
"""So often it is looked for the first moves of a game that began unseen: that takes long."""


class GameFinder:
    """Begins the games of one table: :class:`Beginnings` says when, this one does it."""

    def __init__(
        self, around: Around, games: Games, beginnings: Beginnings, shown: Shown, sides: ClockSides
    ) -> None:
        self._around = around
        self._told, self._alerts, self._clock = around.told, around.alerts, around.clock
        self._games, self._beginnings = games, beginnings
        self._shown, self._sides = shown, sides
        self._asks_left = 0

    def loses_sight(self) -> None:
        """The link is lost while a game is on: the next one may begin unseen."""
        stood = self._beginnings.array.stands(self._shown.cells) is not None
        self._asks_left = ASKS if stood else 0

    def look(self) -> None:
        """Begin a game when the start position stands, or has just been left."""
        start = self._beginnings.look(self._shown.cells, self._shown.since)
        if start is not None:
            self._begin(start)

    def clock_started(self, game: Game | None) -> None:
        """The clock that stood runs, while *game* is on or none is."""
        if game is None:
            self._beginnings.clock_started()
            self.look()
        elif self._shown.cells and self._is_far(game):
            self._begin_instead(game, self._standing_again(game, long=True))

    def pressed(self) -> None:
        """Begin a game from a wrong set-up if its first move was made and pressed."""
        start = self._beginnings.pressed(self._shown.cells)
        if start is not None:
            self._begin(start)

    def look_again(self, game: Game) -> None:
        """End *game* if men stand as another begins, and begin that if nothing is wrong with it."""
        at, since = self._told.at, self._shown.since
        if at < since + FAR_HOLD:
            return
        long = at >= since + ABANDON_HOLD
        if long and self._is_put_up_wrong(game):
            game.end("*", "abandoned")
        else:
            self._begin_instead(game, self._standing_again(game, long=long))

    def _begin_instead(self, game: Game, start: Start | None) -> None:
        """End *game* and begin another from *start*, if there is one to begin."""
        if start is None:
            return
        if self._is_taken_back(game, start):
            self._shown.seat_open = start.stand.seat_open
            game.begins_again()
            return
        if game.plies:
            game.end("*", "abandoned")
        self._begin(start)

    def _is_taken_back(self, game: Game, start: Start) -> bool:
        """Whether the first move of *game* was taken back, so that its *start* stands again.

        A clock that is set anew stands meanwhile, and so the game is another one.
        """
        stand = start.stand
        seat = stand.seat_open or stand.rotated == game.rotated
        same = seat and stand.board == game.line.start and not start.misread
        same = same and not self._is_set_anew(game)
        back = same and game.engine.took_back_first
        return back and (self._clock.reading is None or game.engine.runs_on)

    def go_on(self, game: Game) -> None:
        """Take a game up again, where the board stands now."""
        self._games.begin(game)
        self._alerts.clear_all(SETUP_CODES, "the game goes on")
        self._alerts.started = True
        self._clock.forget()
        game.goes_on()
        if self._shown.cells:
            game.sees(from_seat(self._shown.cells, game.rotated))
        if not game.over:
            game.end_if_decided(game.engine.position.board)

    def _begin(self, start: Start) -> None:
        stand, setup, told, shown = start.stand, self._beginnings.setup, self._told, self._shown
        before = self._games.present
        self._games.close(told.game)
        told.game += 1
        told.is_explained()
        self._alerts.begin()
        game = Game(stand, setup, self._around)
        self._games.begin(game)
        if before is not None:
            game.follows(before)
        shown.rotated = stand.rotated
        shown.seat_open, shown.seat_untold = stand.seat_open or shown.seat_untold, False
        told.rest_on_what_follows()
        self._clock.next_game()
        configured = None if setup.white_clock == "auto" else setup.white_clock
        self._sides.begin(game, before, configured)
        told.state(GameStarted, setup=setup, fen=stand.board.fen(), rotated=stand.rotated)
        if not shown.seat_open:
            self.tell_seat()
        cells = from_seat(shown.cells, stand.rotated)
        if cells == game.engine.cells:
            self._sides.by_running(game, told.at)
        if stand.untold:
            told.explain(UNTOLD)
        game.joins(
            cells, unseen=not start.seen_from_start, misread=start.misread, since=start.since
        )
        if start.misread:
            names = " and ".join(chess.square_name(square) for square in start.misread)
            told.explain(
                f"the game began although the board shows {names} wrong: it is not believed there"
            )

    def tell_seat(self) -> None:
        """Tell the operator once that the board is read from the other seat, if nobody said so."""
        if not self._shown.rotated:
            self._alerts.clear(ORIENTATION, "a game is played from the other seat")
        elif self._beginnings.setup.orientation == "auto":
            self._alerts.raise_(
                ORIENTATION,
                None,
                "White sits at the far side of the board: its squares are turned by half",
                remedy="nothing needs to be done",
            )

    def _is_set_anew(self, game: Game) -> bool:
        """Whether the clock was given its times for another game since the last move of *game*.

        It stands: once it was started, this one goes on with them.
        """
        anew = bool(game.plies) and self._clock.set_at > game.engine.moved_at
        return anew and not self._clock.runs

    def _is_far(self, game: Game) -> bool:
        """Whether the board shows much else than *game* has come to."""
        seen = from_seat(self._shown.cells, game.rotated)
        return difference(seen, game.engine.position.shown).bit_count() >= FAR_FROM_IT

    def _is_put_up_wrong(self, game: Game) -> bool:
        """Whether the men stand for the next game, but for what must be put right before it.

        Nothing is to be ended where nobody has moved. A clock that runs tells that *game* goes on,
        or that the next one has begun already.
        """
        if not game.plies or self._clock.runs or not self._is_far(game) or game.engine.explains:
            return False
        return self._beginnings.stands_wrong(self._shown.cells)

    def _standing_again(self, game: Game, *, long: bool) -> Start | None:
        """Return the game to begin from the start position that stands although *game* is on.

        Near it the position must have stood *long*, unless the clock was set anew. Far from it a
        square or two may then be read wrong, or sooner if the clock runs: nobody puts men up any
        more.
        """
        array, cells = self._beginnings.array, self._shown.cells
        far, anew = self._is_far(game), self._is_set_anew(game)
        if not (far or long or anew):
            return None
        stand = array.stands(cells)
        led_back = not anew and game.engine.explains
        if stand is not None and not (stand.rotated == game.rotated and led_back):
            return Start(stand, seen_from_start=True)  # play may lead back, as by 1.Nf3 Nf6 2.Ng1
        nearly = array.nearly(cells) if far and (long or self._clock.runs) else None
        if nearly is not None:
            return Start(nearly.stand, nearly.faults, seen_from_start=True)
        return self._begun_unseen(game) if far and self._clock.runs else None

    def _begun_unseen(self, game: Game) -> Start | None:
        """Return the game to begin if first moves of the next were made since the link was lost.

        The start position stood then, though not for long. Analysis may lead back as near to it.
        """
        if not self._asks_left or game.engine.explains:
            return None
        self._asks_left -= 1
        left = self._beginnings.array.was_left(self._shown.cells)
        return left and Start(left)
