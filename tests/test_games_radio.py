"""Square Off, ChessUp, iChessOne and a clock: real bleak, and a bluetoothd that is none."""

import asyncio
from itertools import pairwise

import pytest

from bridge.core.model import LinkChange
from drivers.catalogue import driver
from drivers.events import ClockReading
from drivers.simulated.chessup import ChessUpBoard
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt3000_gateway import ClockGateway
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.squareoff import SquareOffNeoBoard, SquareOffProBoard
from drivers.transports.simulated import Device
from tests.radio_seats import SHORT, Seat, bluetooth, kept

LOST_AFTER = 3


async def played_at_once() -> dict[str, Seat]:
    clock = ClockGateway(Clock(TimeControl(base=300, increment=2)))
    devices: dict[str, Device] = {
        "chessup": ChessUpBoard(),
        "ichessone": IChessOneBoard(rotated=True),
        "squareoff": SquareOffProBoard(),
        "squareoff_neo": SquareOffNeoBoard(),
        "dgt3000_gateway": clock,
    }
    async with bluetooth() as bluez:
        seats = {
            name: Seat(bluez, number, device, driver(name), game=SHORT)
            for number, (name, device) in enumerate(devices.items())
        }
        async with kept(*seats.values()):
            clock.clock.start(at=asyncio.get_running_loop().time())
            await asyncio.gather(*(seat.play_with_a_loss(LOST_AFTER) for seat in seats.values()))
        return seats


@pytest.mark.timeout(120)
def test_five_devices_are_followed_at_once_through_the_loss_of_each() -> None:
    seats = asyncio.run(played_at_once())
    clock = seats.pop("dgt3000_gateway")
    turns = [one.turn for one in clock.payloads if isinstance(one, ClockReading) and one.running]
    assert {"left", "right"} <= set(turns)
    presses = sum(a != b for a, b in pairwise(turns))
    assert presses >= len(SHORT) - 2  # those of a lost link are not heard
    for name, seat in seats.items():
        assert seat.moves == list(SHORT), name
        states = [one.state for one in seat.payloads if isinstance(one, LinkChange)]
        assert "lost" in states, name
