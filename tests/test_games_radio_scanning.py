"""Millennium, Certabo and Tabutronic boards by Bluetooth LE: real bleak, no real bluetoothd."""

import asyncio

import pytest

from bridge.core.model import LinkChange
from drivers.catalogue import driver
from drivers.events import Identity, RawTags
from drivers.simulated.certabo import CertaboBoard, SentioBoard
from drivers.simulated.millennium import EXCLUSIVE, SUPREME, MillenniumBoard
from drivers.simulated.model import BoardModel
from tests.halls import eventually
from tests.radio_seats import SHORT, Seat, bluetooth, kept

SMALLEST_MTU, LARGE_MTU = 23, 247
SCANS_TO_LEARN = 12
LOST_AFTER = 3


def boards() -> list[tuple[str, BoardModel]]:
    return [
        ("millennium", MillenniumBoard(EXCLUSIVE)),
        ("millennium", MillenniumBoard(SUPREME, rotated=True, seed=1)),
        ("certabo", CertaboBoard(men=1)),
        ("certabo", CertaboBoard(men=2, rotated=True, seed=1)),
        ("sentio", SentioBoard()),
    ]


def has_learned(seat: Seat) -> bool:
    scans = sum(isinstance(payload, RawTags) for payload in seat.payloads)
    return not isinstance(seat.board, CertaboBoard) or scans >= SCANS_TO_LEARN


async def played_at_once() -> list[Seat]:
    async with bluetooth() as bluez:
        seats = [
            Seat(bluez, number, board, driver(name), game=SHORT)
            for number, (name, board) in enumerate(boards())
        ]
        for number, seat in enumerate(seats):
            seat.device.on_subscribe = seat.radio.wake  # nobody has to ask these boards
            seat.device.mtu = SMALLEST_MTU if number % 2 else LARGE_MTU
        async with kept(*seats):
            await eventually(lambda: all(map(has_learned, seats)), "tags to learn")
            await asyncio.gather(*(seat.play_with_a_loss(LOST_AFTER) for seat in seats))
        return seats


@pytest.mark.timeout(120)
def test_boards_that_scan_are_followed_on_the_radio_through_a_loss_of_each() -> None:
    for number, seat in enumerate(asyncio.run(played_at_once())):
        what = f"{number}: {seat.driver.info.name}"
        assert seat.moves == list(SHORT), what
        states = [one.state for one in seat.payloads if isinstance(one, LinkChange)]
        assert states.count("live") == 2, what
        identities = [one for one in seat.payloads if isinstance(one, Identity)]
        versions = {one.value for one in identities if one.field == "version"}
        assert versions == {0: {"01.03"}, 1: {"31.30"}}.get(number, set()), what
