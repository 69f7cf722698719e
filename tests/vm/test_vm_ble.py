"""Bluetooth LE boards: the kernel's Bluetooth, the real bluetoothd, and unmodified bleak."""

import asyncio
from collections.abc import Callable

import pytest

from drivers.boards.ble_chess import ChessPeripheral
from drivers.boards.chessnut import Chessnut
from drivers.boards.dgt import Pegasus
from drivers.boards.millennium import Millennium
from drivers.codec import Codec
from drivers.events import Battery
from drivers.simulated.ble_chess import ChessPeripheralBoard
from drivers.simulated.chessnut import ChessnutBoard
from drivers.simulated.millennium import MillenniumBoard
from drivers.simulated.pegasus import PegasusBoard
from drivers.transports.simulated import Device
from tests.halls import eventually
from tests.radio_seats import SHORT, Seat, kept
from tests.vm.bluetooth import bluetooth, disconnected, power, systemctl

KEY = "01 02 03 04 05 06"
PACE = 0.3
REST = 0.9
"""Slow boards look at their squares four times a second, and this machine is slow itself."""

BOARDS: dict[str, tuple[type[Codec], Callable[[], Device], bytes]] = {
    "chessnut": (Chessnut, lambda: ChessnutBoard(wire="ble"), bytes((0x01, 0x24, 0x58))),
    "cpp": (ChessPeripheral, ChessPeripheralBoard, b"fen rnbqkbnr/pppp"),
    "millennium": (Millennium, MillenniumBoard, b"sRNBQKBNR"),
    "pegasus": (Pegasus, lambda: PegasusBoard(key=bytes.fromhex(KEY)), bytes((0x86, 0, 67, 1, 1))),
}
"""Driver, board, and the beginning of a message whose end is lost."""


async def play(seat: Seat, begin: int, end: int) -> None:
    await seat.play(begin, end, pace=PACE, rest=REST)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_that_is_lost_in_mid_message_is_followed_on(name: str) -> None:
    driver, make, half = BOARDS[name]

    async def run() -> Seat:
        async with bluetooth() as air:
            options = {"key": KEY} if driver is Pegasus else None
            seat = Seat(air, 1, make(), driver, options, game=SHORT)
            async with kept(seat):
                await play(seat, 0, 3)
                seat.device.notify(half)
                seat.device.drop()
                await seat.lost()
                await seat.live()
                await play(seat, 3, len(SHORT))
                await asyncio.sleep(1.0)
            await disconnected(seat.address)  # a board that is left connected is heard by nobody
            return seat

    assert asyncio.run(run()).moves == list(SHORT)


def test_a_killed_bluetoothd_costs_no_move() -> None:
    async def run() -> Seat:
        async with bluetooth() as air:
            seat = Seat(air, 1, ChessPeripheralBoard(), ChessPeripheral, game=SHORT)
            async with kept(seat):
                await play(seat, 0, 3)
                await systemctl("kill", "--signal=KILL", "bluetooth")
                await seat.lost()
                await systemctl("start", "bluetooth")
                await seat.live()
                await play(seat, 3, len(SHORT))
            return seat

    assert asyncio.run(run()).moves == list(SHORT)


def test_a_battery_is_read_by_bluetoothd() -> None:
    async def run() -> Seat:
        async with bluetooth() as air:
            seat = Seat(air, 1, ChessPeripheralBoard(), ChessPeripheral, game=SHORT)
            seat.device.battery = 61
            async with kept(seat):
                await eventually(
                    lambda: any(isinstance(one, Battery) for one in seat.payloads), "the battery"
                )
            return seat

    told = [one for one in asyncio.run(run()).payloads if isinstance(one, Battery)]
    assert [one.percent for one in told] == [61]


def test_an_adapter_that_is_switched_off_and_on_costs_no_move() -> None:
    async def run() -> Seat:
        async with bluetooth() as air:
            seat = Seat(air, 1, ChessPeripheralBoard(), ChessPeripheral, game=SHORT)
            async with kept(seat):
                await play(seat, 0, 3)
                await power("off")
                await seat.lost()
                await power("on")
                await seat.live()
                await play(seat, 3, len(SHORT))
            return seat

    assert asyncio.run(run()).moves == list(SHORT)
