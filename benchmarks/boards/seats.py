"""Hands that play at a board, and cables that are pulled while they do."""

import asyncio
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import chess

from benchmarks.boards.families import Family
from benchmarks.boards.ports import Port
from drivers.simulated.clock import Clock
from drivers.simulated.dgt import DgtBoard
from drivers.simulated.exhibition import Board
from drivers.simulated.hands import Action, Lift, Press, Put, Style, play
from drivers.simulated.hands.style import Span

STYLE = Style(think=(0.8, 2.2))
"""Nearly three seconds a ply: the slowest boards are read four times a second, and units that
judge moves want them to stand for a while."""

SET_UP = 3.0
"""Seconds for which the start position stands: a dozen scans, after which tags are learned."""

UNSEEN = 1
"""Plies that are begun and ended while a board is away, besides the one that was on its way; then
players wait. The order of more could not be known from what stands afterwards."""

PATIENCE = 90.0
LOOK_EVERY = 0.05


@dataclass(frozen=True, kw_only=True)
class Losses:
    """When links are lost: seconds ``between`` two losses of one, and for how long it is ``away``.

    Short absences are as likely as long ones: half of them are below the geometric mean.
    """

    between: Span = (20.0, 90.0)
    away: Span = (0.5, 20.0)


@dataclass(frozen=True, kw_only=True)
class Radio:
    """How many Bluetooth adapters there are, and how long one takes to connect (s)."""

    connect_seconds: float
    adapters: int = 1


LiveSince = Callable[[str], float]
"""When the daemon told a table live that still is (monotonic seconds); infinite where it is not."""


@dataclass(kw_only=True)
class Seat:
    """A board at the table *number*, and the game that is played on it.

    ``ports`` is the folder of serial ports.
    """

    number: int
    family: Family
    board: Board
    moves: Sequence[chess.Move]
    seed: int
    ports: Path
    finished: bool = False

    @property
    def table(self) -> str:
        """The name of the table."""
        return f"{self.number}"

    @property
    def path(self) -> Path:
        """The serial port; boards of a row have the same."""
        return self.ports / ("row" if self.family.wiring == "row" else self.table)

    @property
    def radio_address(self) -> str:
        """The Bluetooth address of a radio board."""
        return f"AA:BB:CC:00:{self.number >> 8:02X}:{self.number & 0xFF:02X}"

    @property
    def place(self) -> str:
        """How a configuration names where the board is."""
        match self.family.wiring, self.board:
            case "usb", _:
                return f'port: "usb:1-{self.number}"'
            case "radio", _:
                return f'port: "ble:{self.radio_address}"'
            case "row", DgtBoard(passport=passport):
                return f'port: {json.dumps(str(self.path))}, unit: "{passport.bus_address}"'
            case _:
                return f"port: {json.dumps(str(self.path))}"

    def act(self, action: Action) -> None:
        """Move a man, or press the clock where the board has one."""
        match action:
            case Lift(square=square):
                self.board.lift(square, at=_now())
            case Put(square=square, piece=piece):
                self.board.put(square, piece, at=_now())
            case Press(colour=colour) if self.clock is not None:
                self.clock.press("left" if colour else "right", at=_now())
            case _:
                pass

    @property
    def clock(self) -> Clock | None:
        """The clock beside the board, if it has one."""
        return self.board.clock if isinstance(self.board, DgtBoard) else None


@dataclass(kw_only=True)
class Wire:
    """What comes and goes as one: a board, or a row of boards.

    ``back_since`` is when it was plugged in last, infinite while it is away; ``returns`` are the
    times at which it came back (monotonic seconds).
    """

    port: Port
    seats: Sequence[Seat]
    live_since: LiveSince
    losses: Losses
    rng: Random
    back_since: float = math.inf
    returns: list[float] = field(default_factory=list)

    async def sit(self) -> None:
        """Play all games to their ends while the link is lost now and then."""
        self._plug()
        await self._followed()
        await asyncio.sleep(SET_UP)
        pulling = asyncio.create_task(self._pull())
        await asyncio.gather(*(self._play(seat) for seat in self.seats))
        await pulling

    async def _play(self, seat: Seat) -> None:
        """Play one game, whether anybody follows or not, but not for long while nobody does."""
        if seat.clock is not None:
            seat.clock.start(at=_now())
        begin, unseen = _now(), 0
        for action in play(chess.Board(), seat.moves, STYLE, Random(seat.seed)):
            if unseen >= UNSEEN:
                await self._followed()
            await asyncio.sleep(max(0.0, begin + action.at - _now()))
            begin = max(begin, _now() - action.at)  # whoever had to wait plays no faster then
            seat.act(action)
            self.port.wake()
            unseen = 0 if self._is_followed(seat) else unseen + isinstance(action, Press)
        seat.finished = True

    async def _pull(self) -> None:
        """Take the link away and bring it back until all games have ended."""
        while not await self._finished(self.rng.uniform(*self.losses.between)):
            self.back_since = math.inf
            self.port.unplug()
            await asyncio.sleep(math.exp(self.rng.uniform(*map(math.log, self.losses.away))))
            self._plug()
            self.returns.append(self.back_since)
            await self._followed()

    async def _finished(self, seconds: float) -> bool:
        """Wait for up to *seconds* for the end of all games."""
        end = _now() + seconds
        while _now() < end and not self._over():  # noqa: ASYNC110 - hands call nobody
            await asyncio.sleep(LOOK_EVERY)
        return self._over()

    def _over(self) -> bool:
        return all(seat.finished for seat in self.seats)

    def _plug(self) -> None:
        self.port.plug()
        self.back_since = time.monotonic()

    async def _followed(self) -> None:
        """Wait until the daemon has every board of the wire.

        Raises:
            TimeoutError: it never did.
        """
        late = list(self.seats)
        try:
            async with asyncio.timeout(PATIENCE):
                while late:
                    await asyncio.sleep(LOOK_EVERY)
                    late = [seat for seat in late if not self._is_followed(seat)]
        except TimeoutError:
            text = ", ".join(f"{seat.table} ({seat.family.driver})" for seat in late)
            raise TimeoutError(f"never live within {PATIENCE:g} s: table {text}") from None

    def _is_followed(self, seat: Seat) -> bool:
        """Whether the daemon has told it live since it was plugged in."""
        return self.back_since <= self.live_since(seat.table) < math.inf


def _now() -> float:
    return asyncio.get_running_loop().time()
