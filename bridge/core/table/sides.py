"""Who sits at which side of the clock: found out before the first move, latched for a game."""

import math
from collections.abc import Sequence

import chess

from bridge.core.inference.timing import Timing
from bridge.core.table.game import Game
from bridge.core.timekeeping import OTHER, UNREAD, ClockBook, Press
from drivers.events import ClockReading, Side

ENOUGH = 3
"""So many presses in a row that fit only the other player show that the sides are exchanged, ..."""
ENOUGH_AT_FIRST = 2
"""... or so many while none has fitted yet."""
LOOKED_AT = 0.2
"""A board tells a change so much later than it looks at a square again, or less (s)."""
LATE_AT_LEAST = 0.5
"""Any board may tell a change so late (s)."""


class ClockSides:
    """Latches White's side of the clock, unless it is configured.

    Which side is White's at first is only assumed: the clock stands as it did in the last game.
    Evidence is the side that runs before the first move, or when the clock is started after it, the
    side that stops when it was made, and presses that contradict the board.
    """

    def __init__(self, clock: ClockBook, timing: Timing) -> None:
        self._clock = clock
        self._timing = timing
        self._seen = self._pressed = False
        self._against, self._agreed = 0, False
        self._doubted: float | None = None
        self._given = False
        self._early: tuple[Side, float] | None = None
        self._first: Side | None = None
        self._turned = False

    def begin(self, game: Game, before: Game | None, configured: Side | None) -> None:
        """Begin a game after the one *before*, if any; ``None``: nobody knows White's side."""
        if before is not None and (self._seen or self._pressed or self._agreed):
            self._turned = self._clock.white_side != _as_board(before)
        self._seen = self._pressed = False
        self._against, self._agreed = 0, False
        self._early = self._doubted = self._first = None
        self._given = configured is not None
        self._clock.white_side = configured or self._usual(game)

    def _usual(self, game: Game) -> Side:
        """Return White's side if the clock stands to the board as it did in the last game."""
        side = _as_board(game)
        return OTHER[side] if self._turned else side

    def turned_round(self, game: Game) -> None:
        """White sits in the other seat: without evidence, his side is the other one as well.

        Who pressed first while a man was away from here had made the first move from there.
        """
        if self._given:
            return
        if self._first is not None:
            self._seen = self._pressed = True
            self._mover_sits(self._first, game)
        elif not self._seen:
            self._clock.white_side = self._usual(game)

    def by_running(self, game: Game, at: float) -> None:
        """Before the first move, the side that runs is the first mover's.

        Once it ran, the other side must run for a while: a press may be known before its move.
        """
        reading = self._clock.reading
        if reading is None or not reading.running or not self._is_open(game):
            return
        turned = at < self._clock.turned_at + self._timing.press_life
        if not (self._seen and turned):
            self._seen = True
            self._mover_sits(reading.turn, game)

    def by_first_touch(self, game: Game, at: float) -> None:
        """A clock that was turned well before the first man was taken up was not pressed for him.

        It had run for the wrong player. Ask as the board changes next: where a man is told to have
        left and come at once, nobody knows when he left.
        """
        reading, since = self._clock.reading, game.engine.taken_up_at
        if reading is None or not (self._seen and reading.running and since > -math.inf):
            return
        timing, before = self._timing, self._clock.white_side
        told_apart = since + timing.glance < at
        if not (told_apart and self._clock.turned_at + timing.gap < since):
            return
        if self._is_open(game, with_move=True):
            self._mover_sits(reading.turn, game)
        if self._clock.white_side != before:
            self._early = None
            game.was_not_pressed()
            turn, shows = self._clock.colour_of(reading.turn), self._clock.shows_presses
            game.hears_clock(runs=True, turn=turn, shows_presses=shows)

    def by_start(self, game: Game, reading: ClockReading) -> None:
        """A clock that is started while the first move stands, and not by a press, is its mover's.

        A press would have turned it. It has if it was turned before, as it stood, while the move
        stood.
        """
        before = self._clock.reading
        if before is None or before.running or not reading.running or before.turn != reading.turn:
            return
        if not self._seen and self._is_open(game, with_move=True):
            self._seen = True
            pressed = self._clock.flipped_at > game.engine.sight.changed_at
            side = reading.turn
            self._mover_sits(OTHER[side] if pressed and side is not None else side, game)

    def by_first_press(self, game: Game, reading: ClockReading, at: float) -> None:
        """Whoever presses first while the first move stands is the first mover.

        His press may be known before his move: then the next one is not the first. Who starts a
        clock that stood did not press it after a move, unless one stands.
        """
        side = self._clock.flipped_to(reading)
        if side is None or self._pressed:
            return
        self._note_first(game, side)
        if self._clock.runs and not self._is_early(game, at):
            self._early = side, at
        if self._is_open(game, with_move=True):
            self._pressed = True
            self._mover_sits(side if self._early is None else self._early[0], game)
        elif self._tells_first(game, at):
            self._pressed = True
            self._mover_sits(side, game)

    def _note_first(self, game: Game, side: Side) -> None:
        """Note whose press is the first while only a man of Black's is away, as seen from here.

        It is White's first move, if this is not his seat.
        """
        engine = game.engine
        if self._first is None and self._is_open(game) and engine.cells != engine.position.shown:
            self._first = side

    def _is_early(self, game: Game, at: float) -> bool:
        """Whether the press before the one at *at* may be the first mover's, told before his move.

        It is recent, or his man was told to have left by then, or no later than a board may tell.
        """
        if self._early is None:
            return False
        pressed = self._early[1]
        told = game.engine.began_at <= pressed + LATE_AT_LEAST
        return told or at < pressed + self._timing.press_life

    def _tells_first(self, game: Game, at: float) -> bool:
        """Whether a press at *at* is the first thing that tells of the sides, though plies are old.

        The mover's move stands alone, and the opponent's last press cannot be that late.
        """
        if self._given or self._seen or not game.plies:
            return False
        mover = game.engine.position.board.turn
        return not game.engine.has_moved(not mover) and bool(_fits(mover, game, at))

    def _is_open(self, game: Game, *, with_move: bool = False) -> bool:
        """Whether no move is settled and the first mover has, or has not, done something.

        After a lost link nothing is told from that: moves may have been made unseen.
        """
        if self._given or game.plies or not game.engine.in_sight:
            return False
        return game.engine.is_movers_work(game.engine.position.board.turn) == with_move

    def _mover_sits(self, side: Side | None, game: Game) -> None:
        """Let who moves after the last settled ply sit at *side*."""
        if side is not None:
            white = game.engine.position.board.turn
            self._clock.white_side = side if white else OTHER[side]

    def exchange(self, presses: Sequence[Press], game: Game, at: float) -> int:
        """Exchange the sides if presses before *presses* contradicted the board once too often.

        Return how many did, 0 if it is not to be. Ask before the engine hears of them. Two at once
        were not seen as they were made.
        """
        if self._given or not presses:
            return 0
        if self._doubted is not None and _kept_still(game, self._doubted):
            self._against += 1
        fits = _fits(presses[0].colour, game, at) if len(presses) == 1 else None
        self._doubted = at if fits is False else None
        if fits:
            self._against, self._agreed = 0, True
        white, against = self._clock.white_side, self._against
        if against < (ENOUGH if self._agreed else ENOUGH_AT_FIRST) or white is None:
            return 0
        self._against = 0
        self._clock.white_side = OTHER[white]
        return against


def _as_board(game: Game) -> Side:
    """Return the side where the clock shows White's time if it stands as the board does."""
    return "right" if game.rotated else "left"


def _fits(presser: chess.Color, game: Game, at: float) -> bool | None:
    """Whether the *presser* has moved last; None: nobody knows, or a press may be a late one."""
    engine, other = game.engine, not presser
    if not (engine.in_sight and engine.explains):
        return None
    mine, theirs = engine.plies_beyond(presser), engine.plies_beyond(other)
    if not game.plies and max(mine, theirs) <= 0:
        return None
    if mine > theirs:
        return None if game.plies.may_be_late(other, at) else True
    return None if engine.has_moved(presser) or game.plies.may_be_late(presser, at) else False


def _kept_still(game: Game, pressed: float) -> bool:
    """Whether the board went on to show what it did when somebody *pressed*.

    One that is looked at seldom, and shows no square change twice soon, shows late what was done.
    """
    sight = game.engine.sight
    until = pressed + min(max(sight.quickest + LOOKED_AT, LATE_AT_LEAST), UNREAD)
    return not any(pressed < since <= until for since, _ in sight.trace)
