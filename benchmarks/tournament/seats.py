"""Two players at a board, round after round, whatever happens to its cable."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import chess
import msgspec

from benchmarks.boards.ports import Port
from benchmarks.wire import wandering_game
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt import DgtBoard, Mode, Passport
from drivers.simulated.exhibition import Board
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

UPDATING = (Mode.UPDATE, Mode.UPDATE_BOARD, Mode.UPDATE_NICE)
LOOK_EVERY = 0.2
DRAWN = "1/2-1/2"


class Played(msgspec.Struct):
    """One game: its moves in UCI, when the clock was pressed for each, whether it was ended.

    ``begun`` is a further move in UCI that has not been ended by a press.
    """

    moves: list[str]
    pressed: list[float]
    ended: bool = False
    begun: str = ""


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How games are played: of how many plies, by what hands, and the seed of all chance."""

    plies: int
    style: Style
    seed: int

    def chance(self, number: int) -> Random:
        """Return the chance of a table."""
        return Random(f"{self.seed} {number}")


class Seat:
    """The players at the board of table *number*, which is connected by ``port``."""

    port: Port

    def __init__(self, number: int, board: Board, manner: Manner, rng: Random) -> None:
        self.number = number
        self.board = board
        self.games: list[Played] = []
        self._rng = rng
        self._plies = manner.plies
        self._style = manner.style
        self._hidden = 0
        self._unseen = 0

    @property
    def clock(self) -> Clock | None:
        """The clock beside the board, if it has one."""
        return None

    @property
    def followed(self) -> bool:
        """Whether the daemon has asked the board to tell what happens on it."""
        raise NotImplementedError

    async def sit(self, until: float) -> None:
        """Play games until the time has come; the last one may stay unfinished."""
        await asyncio.sleep(self._rng.uniform(0.0, self._style.think[1]))
        while _now() < until and await self._game(until):
            self.set_up()

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

    def set_up(self) -> None:
        """Set the men up for another game."""
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
        if self.clock is not None:
            self.clock.start(at=_now())
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
            played.begun = "".join(move.uci() for move in moves[len(played.moves) :][:1])
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
            case Press(colour=colour) if self.clock is not None:
                self.clock.press("left" if colour else "right", at=_now())
            case Stop() if self.clock is not None:
                self.clock.stop(at=_now())
            case _:
                pass
        self.port.wake()


class DgtSeat(Seat):
    """A DGT board with a clock, found by its serial number or at ``path``."""

    port: PtyPort

    def __init__(self, number: int, path: Path, manner: Manner) -> None:
        rng = manner.chance(number)
        self.serial = f"{10_000 + number}"
        self.faults = Faults()
        passport = Passport(serial=self.serial, long_serial=self.serial.rjust(10, "3"))
        self._dgt = DgtBoard(
            passport, clock=Clock(CONTROL), faults=self.faults, seed=rng.randrange(1 << 32)
        )
        super().__init__(number, self._dgt, manner, rng)
        self.port = PtyPort(path, self._dgt)
        self.set_up()

    @property
    def clock(self) -> Clock:
        """The clock that is at the board now."""
        assert self._dgt.clock is not None  # noqa: S101 - every board here has one
        return self._dgt.clock

    @property
    def followed(self) -> bool:
        """Whether the daemon has asked the board to tell what happens on it."""
        return self._dgt.mode in UPDATING

    def replace_clock(self) -> None:
        """Put another clock there, with the times it begins with."""
        self._dgt.clock = Clock(CONTROL, turn=self.clock.turn)
        self.clock.start(at=_now())
        self.port.wake()

    def set_up(self) -> None:
        """Set the men up for another game, and the clock."""
        self._dgt.clock = Clock(CONTROL)
        super().set_up()


def _now() -> float:
    return asyncio.get_running_loop().time()
