"""Simulated boards on the radio, hands that play on them, and the links that are kept to them."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol

import chess

from bridge.core.model import LinkChange, Payload
from bridge.links.keeper import Keeper
from drivers.codec import Codec
from drivers.events import ClockReading, RawTags, Snapshot
from drivers.simulated.ble_chess import ChessPeripheralBoard
from drivers.simulated.chessup import ChessUpBoard
from drivers.simulated.model import BoardModel
from drivers.simulated.pegasus import PegasusBoard
from drivers.transports.simulated import Device
from testbed.fake_ble import Service, services_of
from testbed.fake_bluez import FakeBlueZ
from testbed.peripheral import Peripheral, Wireless
from testbed.private_dbus import private_dbus
from tests.conversations import SPECIAL
from tests.following import follow, moves_of
from tests.halls import eventually
from tests.playing import play

SHORT = ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5")
TELLS = Snapshot | RawTags | ClockReading
"""What a device says when it tells what stands there."""


@contextlib.asynccontextmanager
async def bluetooth() -> AsyncIterator[FakeBlueZ]:
    async with private_dbus(), FakeBlueZ() as bluez, asyncio.timeout(100):
        yield bluez


class Bluetooth(Protocol):
    """Where devices are on the air."""

    def add_device(self, address: str, name: str, services: Sequence[Service]) -> Wireless:
        """Put a device into reach; it advertises all of its services."""


class Seat:
    """A board or clock on the radio, hands that play *game*, and the link that is kept to it."""

    def __init__(
        self,
        bluez: Bluetooth,
        number: int,
        board: Device,
        driver: type[Codec],
        options: Mapping[str, str] | None = None,
        *,
        game: Sequence[str] = SPECIAL,
    ) -> None:
        self.address = f"AA:BB:CC:00:00:{number:02X}"
        self.driver = driver
        self.board = board
        self.game = game
        self.payloads: list[Payload] = []
        self.device = bluez.add_device(self.address, f"Board {number}", [services_of(driver.info)])
        if isinstance(board, PegasusBoard):
            self.device.mtu = 23
        if isinstance(board, BoardModel):
            board.set_up(chess.Board().piece_map(), at=self.now())
        self.device.on_drop = self._dropped
        self.radio = Peripheral(self.device, board)
        self.keeper = Keeper(
            f"link {number}",
            f"ble:{self.address}",
            driver,
            now=time.monotonic,
            deliver=self.payloads.append,
            options=options,
            first_wait=0.02,
            longest_wait=0.2,
        )

    @staticmethod
    def now() -> float:
        return asyncio.get_running_loop().time()

    def _dropped(self) -> None:
        match self.board:
            case PegasusBoard() | ChessPeripheralBoard() as board:
                board.link_lost()
            case ChessUpBoard() as board:
                board.reconnect(at=self.now())
            case _:
                pass

    async def live(self) -> None:
        """Wait for what stands there to be told since the link was last lost."""

        def told() -> bool:
            since = [n for n, one in enumerate(self.payloads) if isinstance(one, LinkChange)]
            late = self.payloads[since[-1] :] if since else []
            return self.keeper.state == "live" and any(isinstance(one, TELLS) for one in late)

        await eventually(told, f"{self.address} tells what stands on it")

    async def lost(self) -> None:
        await eventually(lambda: self.keeper.state != "live", f"{self.address} is lost")

    async def play(self, begin: int, end: int, *, pace: float = 0.05, rest: float = 0.0) -> None:
        """Play plies *begin* to *end*: *pace* between two deeds, and a *rest* behind every move."""
        await play(self.board, self.game, range(begin, end), self.radio.wake, pace=pace, rest=rest)

    async def play_with_a_loss(self, after: int) -> None:
        """Play the whole game so that slow boards see it; the link is lost after some plies."""
        await self.play(0, after, pace=0.15, rest=0.8)
        self.device.drop()
        await self.lost()
        await self.live()
        await self.play(after, len(self.game), pace=0.15, rest=0.7)
        await asyncio.sleep(1.0)  # slow boards look at the last position some times more

    @property
    def moves(self) -> list[str]:
        return moves_of(follow(self.payloads, self.driver))


@contextlib.asynccontextmanager
async def kept(*seats: Seat) -> AsyncIterator[None]:
    """Keep the links of all seats."""
    tasks = [asyncio.create_task(seat.keeper.run()) for seat in seats]
    try:
        for seat in seats:
            await seat.live()
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
