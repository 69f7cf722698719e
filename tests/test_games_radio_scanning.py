"""Millennium, Certabo and Tabutronic boards by Bluetooth LE: real bleak, no real bluetoothd."""

import asyncio

import pytest

from bridge.core.model import LinkChange
from drivers.catalogue import driver
from drivers.events import Event, Identity, RawTags
from drivers.simulated.certabo import CertaboBoard, SentioBoard
from drivers.simulated.millennium import EXCLUSIVE, SUPREME, MillenniumBoard
from drivers.simulated.model import BoardModel
from testbed.fake_bluez import FakeBlueZ
from testbed.private_dbus import private_dbus
from tests.conversations import hands, ready
from tests.following import follow, moves_of
from tests.halls import eventually
from tests.test_games_radio import GAME, Radio

SMALLEST_MTU, LARGE_MTU = 23, 247
SCANS_TO_LEARN = 12


def boards() -> list[tuple[str, BoardModel]]:
    return [
        ("millennium", ready(MillenniumBoard(EXCLUSIVE))),
        ("millennium", ready(MillenniumBoard(SUPREME, rotated=True, seed=1))),
        ("certabo", ready(CertaboBoard(men=1))),
        ("certabo", ready(CertaboBoard(men=2, rotated=True, seed=1))),
        ("sentio", ready(SentioBoard())),
    ]


def has_learned(radio: Radio) -> bool:
    scans = sum(isinstance(event, RawTags) for event in radio.delivered)
    return not isinstance(radio.model, CertaboBoard) or scans >= SCANS_TO_LEARN


async def played_at_once() -> list[tuple[str, list[Event | LinkChange]]]:
    async with private_dbus(), FakeBlueZ() as bluez, asyncio.timeout(100):
        radios = []
        for number, (name, model) in enumerate(boards()):
            radio = Radio(bluez, number, name, model)
            radio.device.on_subscribe = radio.peripheral.wake  # nobody has to ask these boards
            radio.device.mtu = SMALLEST_MTU if number % 2 else LARGE_MTU
            radios.append((name, radio))
        keepers = [asyncio.create_task(radio.keeper.run()) for _, radio in radios]
        await asyncio.gather(*(radio.live(1) for _, radio in radios))
        await eventually(lambda: all(has_learned(radio) for _, radio in radios), "tags to learn")
        await asyncio.gather(*(radio.play(hands(GAME)) for _, radio in radios))
        await asyncio.sleep(1.0)
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)
        return [(name, radio.delivered) for name, radio in radios]


@pytest.mark.timeout(120)
def test_boards_that_scan_are_followed_on_the_radio_through_a_loss_of_each() -> None:
    for number, (name, delivered) in enumerate(asyncio.run(played_at_once())):
        assert moves_of(follow(delivered, driver(name))) == list(GAME), f"{number}: {name}"
        states = [event.state for event in delivered if isinstance(event, LinkChange)]
        assert states.count("live") == 2, f"{number}: {name}"
        versions = {e.value for e in delivered if isinstance(e, Identity) and e.field == "version"}
        assert versions == {0: {"01.03"}, 1: {"31.30"}}.get(number, set())
