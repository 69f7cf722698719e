"""Square Off, ChessUp, iChessOne and a clock: real bleak, and a bluetoothd that is none."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from bridge.core.model import LinkChange
from bridge.links.keeper import Keeper
from drivers.catalogue import driver
from drivers.events import ClockReading, Event
from drivers.simulated.chessup import ChessUpBoard
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt3000_gateway import ClockGateway
from drivers.simulated.hands import Action, Lift, Press, Put
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.model import BoardModel
from drivers.simulated.squareoff import SquareOffNeoBoard, SquareOffProBoard
from drivers.transports.simulated import Device
from testbed.fake_ble import FakeDevice, Peripheral, services_of
from testbed.fake_bluez import FakeBlueZ
from testbed.private_dbus import private_dbus
from tests.conversations import hands, ready
from tests.following import follow, moves_of

GAME = ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5")
LOST_AFTER = 3
PATIENCE = 30.0


class Radio:
    """A device in reach, the keeper of its link, and what that delivers."""

    def __init__(self, bluez: FakeBlueZ, number: int, name: str, model: Device) -> None:
        self.model = model
        self.delivered: list[Event | LinkChange] = []
        codec = driver(name)
        address = f"AA:BB:CC:00:00:{number:02}"
        self.device: FakeDevice = bluez.add_device(address, name, [services_of(codec.info)])
        self.peripheral = Peripheral(self.device, model)
        now = asyncio.get_running_loop().time
        self.keeper = Keeper(name, f"ble:{address}", codec, now=now, deliver=self.delivered.append)

    async def live(self, times: int) -> None:
        """Wait until the link has come to life so many times, and a little longer."""
        async with asyncio.timeout(PATIENCE):
            while self.delivered.count(LinkChange(state="live")) < times:  # noqa: ASYNC110 - a task makes it true
                await asyncio.sleep(0.02)
        await asyncio.sleep(1.0)

    async def lose(self) -> None:
        """Break the link."""
        self.device.drop()
        if isinstance(self.model, ChessUpBoard):
            self.model.reconnect(at=asyncio.get_running_loop().time())

    async def play(self, actions: Sequence[Action]) -> None:
        """Let hands do what they do; the link breaks in the middle."""
        presses = 0
        for action in actions:
            self._do(replace(action, at=asyncio.get_running_loop().time()))
            self.peripheral.wake()
            presses += isinstance(action, Press)
            if isinstance(action, Press) and presses == LOST_AFTER:
                await asyncio.sleep(0.8)
                await self.lose()
                await self.live(2)
            await asyncio.sleep(0.7 if isinstance(action, Press) else 0.15)

    def _do(self, action: Action) -> None:
        match action, self.model:
            case Lift(square=square), BoardModel() as board:
                board.lift(square, at=action.at)
            case Put(square=square, piece=piece), BoardModel() as board:
                board.put(square, piece, at=action.at)
            case Press(colour=colour), ClockGateway() as clock:
                clock.press("left" if colour else "right", at=action.at)


def models() -> dict[str, Device]:
    return {
        "chessup": ready(ChessUpBoard()),
        "ichessone": ready(IChessOneBoard(rotated=True)),
        "squareoff": ready(SquareOffProBoard()),
        "squareoff_neo": ready(SquareOffNeoBoard()),
        "dgt3000_gateway": ClockGateway(Clock(TimeControl(base=300, increment=2))),
    }


async def played_at_once() -> dict[str, list[Event | LinkChange]]:
    async with private_dbus(), FakeBlueZ() as bluez, asyncio.timeout(100):
        radios = {
            name: Radio(bluez, number, name, model)
            for number, (name, model) in enumerate(models().items())
        }
        keepers = [asyncio.create_task(radio.keeper.run()) for radio in radios.values()]
        await asyncio.gather(*(radio.live(1) for radio in radios.values()))
        clock = radios["dgt3000_gateway"].model
        assert isinstance(clock, ClockGateway)
        clock.clock.start(at=asyncio.get_running_loop().time())
        await asyncio.gather(*(radio.play(hands(GAME)) for radio in radios.values()))
        await asyncio.sleep(1.0)
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)
        return {name: radio.delivered for name, radio in radios.items()}


@pytest.mark.timeout(120)
def test_five_devices_are_followed_at_once_through_the_loss_of_each() -> None:
    delivered = asyncio.run(played_at_once())
    times = [event for event in delivered.pop("dgt3000_gateway") if isinstance(event, ClockReading)]
    turns = [reading.turn for reading in times if reading.running]
    assert {"left", "right"} <= set(turns)
    presses = sum(a != b for a, b in pairwise(turns))
    assert presses >= len(GAME) - 2  # those of a lost link are not heard
    for name, events in delivered.items():
        assert moves_of(follow(events, driver(name))) == list(GAME), name
        assert any(isinstance(event, LinkChange) and event.state == "lost" for event in events), (
            name
        )
