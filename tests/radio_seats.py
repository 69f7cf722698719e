"""Simulated boards on the radio, hands that play on them, and the links that are kept to them."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Mapping

import chess

from bridge.core.model import LinkChange, Payload
from bridge.links.keeper import Keeper
from drivers.codec import Codec
from drivers.events import Snapshot
from drivers.simulated.ble_chess import ChessPeripheralBoard
from drivers.simulated.hands import Lift, Press, Put
from drivers.simulated.pegasus import PegasusBoard
from testbed.fake_ble import Peripheral, services_of
from testbed.fake_bluez import FakeBlueZ
from testbed.private_dbus import private_dbus
from tests.conversations import SPECIAL, hands
from tests.following import follow, moves_of
from tests.halls import eventually

Board = PegasusBoard | ChessPeripheralBoard


@contextlib.asynccontextmanager
async def bluetooth() -> AsyncIterator[FakeBlueZ]:
    async with private_dbus(), FakeBlueZ() as bluez, asyncio.timeout(100):
        yield bluez


class Seat:
    """A board on the radio, hands that play on it, and the link that is kept to it."""

    def __init__(
        self,
        bluez: FakeBlueZ,
        number: int,
        board: Board,
        driver: type[Codec],
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.address = f"AA:BB:CC:00:00:{number:02X}"
        self.driver = driver
        self.board = board
        self.payloads: list[Payload] = []
        self.device = bluez.add_device(self.address, f"Board {number}", [services_of(driver.info)])
        if isinstance(board, PegasusBoard):
            self.device.mtu = 23
        board.set_up(chess.Board().piece_map(), at=self.now())
        self.device.on_drop = board.link_lost
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

    async def live(self) -> None:
        """Wait for a position that was told since the link was last lost."""

        def told() -> bool:
            since = [n for n, one in enumerate(self.payloads) if isinstance(one, LinkChange)]
            late = self.payloads[since[-1] :] if since else []
            return self.keeper.state == "live" and any(isinstance(one, Snapshot) for one in late)

        await eventually(told, f"{self.address} tells what stands on it")

    async def lost(self) -> None:
        await eventually(lambda: self.keeper.state != "live", f"{self.address} is lost")

    async def play(self, begin: int, end: int, *, pace: float = 0.05, rest: float = 0.0) -> None:
        """Play plies *begin* to *end*: *pace* between two deeds, and a *rest* behind every move."""
        ply = 0
        for action in hands(SPECIAL):
            ply += isinstance(action, Press)
            if not begin <= ply < end + isinstance(action, Press):
                continue
            match action:
                case Lift(square=square):
                    self.board.lift(square, at=self.now())
                case Put(square=square, piece=piece):
                    self.board.put(square, piece, at=self.now())
                case _:
                    await asyncio.sleep(rest if ply > begin else 0.0)
                    continue
            self.radio.wake()
            await asyncio.sleep(pace)

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
