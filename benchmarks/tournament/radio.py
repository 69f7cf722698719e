"""Boards on the radio beside those with cables, and what goes wrong in the air."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random

from benchmarks.boards.families import FAMILIES, Family
from benchmarks.boards.ports import RadioPort
from benchmarks.tournament.seats import Manner, Seat
from testbed.fake_ble import FakeDevice
from testbed.fake_bluez import FakeBlueZ
from testbed.private_dbus import private_dbus

KINDS: tuple[Family, ...] = tuple(
    family for family in FAMILIES if family.driver in ("cpp", "chessnut_move")
)
"""Boards that know their men by name, taken in turn."""

CONNECT_SECONDS = 2.0
"""What connecting to a board took with a real bluetoothd."""

ADVERTISE_EVERY = 0.25
THINK_LEAST = 1.0
"""These boards have no clock: a move is told when the next one begins, or by resting."""

STORM_EVERY = 4.0
"""Seconds between two links that are lost in a storm, on average."""


def family_of(place: int) -> Family:
    """Return what kind of board the radio table at *place* has, counted from 0."""
    return KINDS[place % len(KINDS)]


def address_of(number: int) -> str:
    """Return the Bluetooth address of the board of table *number*."""
    return f"AA:BB:CC:00:{number >> 8:02X}:{number & 0xFF:02X}"


class RadioSeat(Seat):
    """A board on the radio, without a clock."""

    def __init__(self, number: int, place: int, bluez: FakeBlueZ, manner: Manner) -> None:
        family = family_of(place)
        least, most = manner.style.think
        think = max(least, THINK_LEAST), max(most, 3 * THINK_LEAST)
        patient = replace(manner, style=replace(manner.style, think=think))
        board = family.make(number)
        super().__init__(number, board, patient, manner.chance(number))
        name = f"Board {number}"
        self.device: FakeDevice = bluez.add_device(address_of(number), name, [family.service])
        self.port: RadioPort = RadioPort(self.device, board, connect_seconds=CONNECT_SECONDS)
        self.set_up()

    @property
    def followed(self) -> bool:
        """Whether the daemon hears what the board notifies."""
        return self.device.linked and self.device.subscribed


class Air:
    """The radio of a hall: one adapter, and the boards it hears."""

    def __init__(self, bluez: FakeBlueZ, seed: int) -> None:
        self.bluez = bluez
        self._rng = Random(seed)

    async def storm(self, seats: Sequence[RadioSeat], seconds: float) -> None:
        """Let links be lost one after another, and nobody be heard for a while."""
        ends = asyncio.get_running_loop().time() + seconds
        every = STORM_EVERY / max(1, len(seats))
        while (left := ends - asyncio.get_running_loop().time()) > 0:
            seat = self._rng.choice(seats)
            seat.port.unplug()
            await asyncio.sleep(min(left, self._rng.expovariate(1 / every)))
            seat.port.plug()

    async def hang(self, seconds: float) -> None:
        """Let the adapter hang until the kernel resets it."""
        self.bluez.hang()
        await asyncio.sleep(seconds)
        self.bluez.come_round()

    async def kill(self, seconds: float) -> None:
        """Kill bluetoothd; somebody starts it anew."""
        await self.bluez.crash()
        await asyncio.sleep(seconds)
        await self.bluez.start()


@asynccontextmanager
async def on_the_air(seed: int) -> AsyncIterator[Air]:
    """Have a Bluetooth of our own, which programs find by the address in the environment."""
    async with private_dbus(), FakeBlueZ(advertise_every=ADVERTISE_EVERY) as bluez:
        yield Air(bluez, seed)
