"""Two players at a board, round after round, whatever happens to its cable."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import chess
import msgspec

from benchmarks.wire import wandering_game
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.hands import Action, Lift, Press, Put, Stop, Style, play, show_result
from drivers.simulated.line import Faults
from drivers.simulated.pty import PtyPort

CONTROL = TimeControl(base=5400, increment=30)
SET_UP = 5.0
"""Seconds for which the start position stands before White's clock is started."""
GESTURE_AFTER = 2.0
GESTURE_HELD = 8.0
UNSEEN = 1
"""Plies that are ended while nobody sees the board; then the players wait. The order of more could
not be known from what stands afterwards."""
REPORTED = 2.0
"""Seconds after which a press is surely known; clocks tell it up to 1.3 s late."""

LOOK_EVERY = 0.2
DRAWN = "1/2-1/2"


class Played(msgspec.Struct):
    """One game: its moves in UCI, when the clock was pressed for each, whether it was ended."""

    moves: list[str]
    pressed: list[float]
    ended: bool = False


class Seat:
    """The board of table *number*, found by its serial number or at ``path``, and its players."""

    def __init__(self, number: int, path: Path, *, plies: int, style: Style, seed: int) -> None:
        self.number = number
        self.serial = f"{10_000 + number}"
        self.faults = Faults()
        self.games: list[Played] = []
        self._rng = Random(f"{seed} {number}")
        self._plies = plies
        self._style = style
        self._hidden = 0
        self._unseen = 0
        passport = Passport(serial=self.serial, long_serial=self.serial.rjust(10, "3"))
        self.board = DgtBoard(
            passport, clock=Clock(CONTROL), faults=self.faults, seed=self._rng.randrange(1 << 32)
        )
        self.port = PtyPort(path, self.board)
        self._set_up()

    async def sit(self, until: float) -> None:
        """Play games until the time has come; the last one may stay unfinished."""
        await asyncio.sleep(self._rng.uniform(0.0, self._style.think[1]))
        while _now() < until and await self._game(until):
            self._set_up()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """While nobody sees the board the players do not go on for long."""
        self._hidden += 1
        pressed = self.games[-1].pressed if self.games else []
        self._unseen += bool(pressed and pressed[-1] > _now() - REPORTED)
        try:
            yield
        finally:
            self._hidden -= 1
            self._unseen = 0

    def replace_clock(self) -> None:
        """Put another clock there, with the times it begins with."""
        running = self._clock
        self.board.clock = Clock(CONTROL, turn=running.turn)
        self.board.clock.start(at=_now())
        self.port.wake()

    @property
    def _clock(self) -> Clock:
        clock = self.board.clock
        assert clock is not None  # noqa: S101 - every board here has one
        return clock

    def _set_up(self) -> None:
        self.board.clock = Clock(CONTROL)
        self.board.set_up(chess.Board().piece_map(), at=_now())
        self.port.wake()

    async def _game(self, until: float) -> bool:
        """Play one game; return whether it was ended in time."""
        await asyncio.sleep(SET_UP)
        await self._seen(at_all=True)
        game = wandering_game(self._plies, self._rng)
        moves = list(game.mainline_moves())
        actions = play(chess.Board(), moves, self._style, self._rng)
        actions.append(Stop(actions[-1].at + GESTURE_AFTER / 2))
        last, end = game.end().board(), actions[-1].at + GESTURE_AFTER
        actions += show_result(last, DRAWN, self._style, self._rng, at=end)
        played = Played([], [])
        self.games.append(played)
        self._clock.start(at=_now())
        begin = _now()
        for action in actions:
            await self._seen(at_all=isinstance(action, Stop))
            await asyncio.sleep(max(0.0, min(begin + action.at, until + 1.0) - _now()))
            begin = max(begin, _now() - action.at)  # whoever had to wait plays no faster then
            if _now() > until:
                return False
            self._act(action)
            if isinstance(action, Press):
                played.moves.append(moves[len(played.moves)].uci())
                played.pressed.append(_now())
                self._unseen += self._hidden > 0
        await asyncio.sleep(GESTURE_HELD)
        await self._seen(at_all=True)
        played.ended = True
        return True

    async def _seen(self, *, at_all: bool) -> None:
        """Wait until somebody sees the board, *at_all* or before more plies are ended unseen."""
        while self._hidden and (at_all or self._unseen >= UNSEEN):  # noqa: ASYNC110 - cables call nobody
            await asyncio.sleep(LOOK_EVERY)

    def _act(self, action: Action) -> None:
        match action:
            case Lift(square=square):
                self.board.lift(square, at=_now())
            case Put(square=square, piece=piece):
                self.board.put(square, piece, at=_now())
            case Press(colour=colour):
                self._clock.press("left" if colour else "right", at=_now())
            case Stop():  # pragma: no branch - all actions are named
                self._clock.stop(at=_now())
        self.port.wake()


def _now() -> float:
    return asyncio.get_running_loop().time()
