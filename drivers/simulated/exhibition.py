"""A board on which somebody plays one game after the other, for those who have no board."""

import math
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Protocol

import chess

from drivers.codec import Outgoing
from drivers.simulated import games
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.hands import Action, Lift, Press, Put, Stop, Style, play
from drivers.transports.simulated import Device

CONTROL = TimeControl(base=900, increment=10)
SET_UP_FOR = 10.0
"""Seconds for which the start position stands before White's clock is started."""

STOPPED_AFTER = 1.0

STANDS_FOR = 20.0
"""Seconds for which the last position of a game stands."""


class Deed(Protocol):
    """Something that is done at its time."""

    def __call__(self, *, at: float) -> None:
        """Do it; *at* is now."""


class Board(Device, Protocol):
    """A simulated board as hands see it; squares are true chess squares."""

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        """Put *pieces* on the board and take away everything else."""

    def lift(self, square: chess.Square, *, at: float) -> None:
        """Take what stands on *square* away."""

    def put(self, square: chess.Square, piece: chess.Piece, *, at: float) -> None:
        """Put *piece* on *square*, whatever stood there."""


class Exhibition:
    """Plays on *board* for ever, from the first time it is polled; a device itself.

    ``seat_clock`` puts a clock beside the board, where the board has a place for one. Boards
    with other numbers begin with other games.
    """

    def __init__(
        self,
        board: Board,
        number: int,
        *,
        seat_clock: Callable[[Clock], None] | None = None,
    ) -> None:
        self._board = board
        self._rng = Random(number)
        self._round = number
        self._seat_clock = seat_clock
        self._said: deque[bytes] = deque()
        self._programme: deque[tuple[float, Deed]] = deque([(-math.inf, self._begin_game)])

    def receive(self, data: bytes, *, at: float) -> None:
        """Take the bytes a host sent, after playing on to time *at*."""
        self._play_on(at)
        self._board.receive(data, at=at)

    def poll(self, *, at: float) -> Outgoing:
        """Play on to time *at*; return what the board sent and when to poll again.

        What the board sent at once stays one piece: for some families that is a message.
        """
        self._play_on(at)
        wake_at = self._listen(at)
        said = self._said.popleft() if self._said else b""
        return Outgoing(said, at if self._said else min(wake_at, self._programme[0][0]))

    def _listen(self, at: float) -> float:
        """Keep what the board says at time *at*; return when it wants to be polled again."""
        while True:
            data, wake_at = self._board.poll(at=at)
            if data:
                self._said.append(data)
            if not data or wake_at > at:
                return wake_at

    def _play_on(self, now: float) -> None:
        while self._programme[0][0] <= now:
            due, do = self._programme.popleft()
            at = now if due == -math.inf else due
            self._listen(at)
            do(at=at)
            self._listen(at)

    def _begin_game(self, *, at: float) -> None:
        names = games.names()
        game = games.load(names[self._round % len(names)])
        self._round += 1
        start, moves = game.board(), list(game.mainline_moves())
        clock = Clock(CONTROL)
        if self._seat_clock is not None:
            self._seat_clock(clock)
        self._board.set_up(start.piece_map(), at=at)
        begin = at + SET_UP_FOR
        actions = play(start, moves, Style(), self._rng, begin=begin)
        end = actions[-1].at
        self._programme.append((begin, clock.start))
        self._programme += [(action.at, partial(self._do, action, clock)) for action in actions]
        self._programme.append((end + STOPPED_AFTER, clock.stop))
        self._programme.append((end + STANDS_FOR, self._begin_game))

    def _do(self, action: Action, clock: Clock, *, at: float) -> None:
        match action:
            case Lift(square=square):
                self._board.lift(square, at=at)
            case Put(square=square, piece=piece):
                self._board.put(square, piece, at=at)
            case Press(colour=colour):
                clock.press("left" if colour == chess.WHITE else "right", at=at)
            case Stop():  # pragma: no cover - hands that play a game leave the clock to us
                clock.stop(at=at)
