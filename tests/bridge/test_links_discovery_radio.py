"""Finding Bluetooth LE boards: the real bleak, a real D-Bus, and a bluetoothd that is none."""

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest

from bridge.core.model import LinkChange
from bridge.links import discovery
from bridge.links.claims import Claims
from bridge.links.discovery import Finder
from bridge.links.keeper import Keeper
from bridge.links.probing import Found, NotABoard
from drivers import nordic_uart
from drivers.boards.dgt import Dgt
from drivers.boards.esp32_clock import Esp32Clock
from drivers.codec import Codec, DriverInfo, Fingerprint, GattSettings
from drivers.errors import PortBusyError, PortMissingError
from drivers.events import ClockReading, Event, Noise
from drivers.simulated.dgt import DgtBoard, Passport
from testbed.fake_ble import services_of
from testbed.fake_bluez import FakeBlueZ
from testbed.private_dbus import private_dbus
from tests.halls import eventually

GATT = GattSettings(notify=(nordic_uart.NOTIFY,), write=nordic_uart.WRITE)


def info(name: str, **changes: Any) -> DriverInfo:
    marks = Fingerprint(ble_names=(f"{name.title()}*",), ble_services=(nordic_uart.SERVICE,))
    return replace(
        Dgt.info, name=name, transports=("ble",), line=None, gatt=GATT, fingerprint=marks, **changes
    )


class Acme(Dgt):
    info = info("acme")


class Mute(Dgt):
    info = info("mute", sensing="events")

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        return []


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "RADIO_LISTENS", 1.0)


def finder(*drivers: type[Codec], claims: Claims | None = None) -> Finder:
    return Finder(drivers, now=time.monotonic, claims=claims or Claims(), seconds=2.0)


def add(
    bluez: FakeBlueZ, number: int, name: str, driver: type[Codec], *, serial: int | None = None
) -> str:
    address = f"AA:BB:CC:00:00:{number:02}"
    told = number if serial is None else serial
    model = DgtBoard(Passport(serial=f"3000{told}", long_serial=f"300003000{told}"))
    device = bluez.add_device(address, name, [services_of(driver.info)])

    def answer(data: bytes) -> None:
        loop = asyncio.get_running_loop()
        model.receive(data, at=loop.time())
        for delay in (0.05, 0.1, 0.2):
            loop.call_later(delay, say)

    def say() -> None:
        data = model.poll(at=asyncio.get_running_loop().time()).data
        if data:
            device.notify(data)

    device.on_write = answer
    return f"ble:{address}"


def test_boards_on_the_radio_are_found_and_strangers_left_alone() -> None:
    async def run() -> None:
        async with private_dbus(), FakeBlueZ() as bluez, asyncio.timeout(60):
            known = add(bluez, 1, "Acme 1", Acme)
            silent = add(bluez, 2, "Mute 2", Mute)
            watch = bluez.add_device("AA:BB:CC:00:00:09", "Watch", [])
            claims = Claims()
            found = finder(Acme, Mute, claims=claims)
            boards = await found.discover()
            assert boards[0] == Found(
                address=known,
                driver="acme",
                serial="30001",
                long_serial="3000030001",
                version="3.1",
            )
            mute = boards[1]
            assert isinstance(mute, Found)
            assert (mute.address, mute.driver) == (silent, "mute")
            assert mute.remark.startswith("known by its name")
            assert len(boards) == 2
            assert not watch.writes
            claims.take_port("table 1", "ble:Acme 1")
            assert (await found.discover())[0] == NotABoard(
                address=known, reason="is served by table 1"
            )
            assert await found.locate(Mute) == silent

    asyncio.run(run())


def test_boards_on_the_radio_that_say_the_same_number_are_no_tables_board_by_it() -> None:
    async def run() -> None:
        async with private_dbus(), FakeBlueZ() as bluez, asyncio.timeout(60):
            first = add(bluez, 1, "Acme 1", Acme)
            second = add(bluez, 2, "Acme 2", Acme, serial=1)
            found = finder(Acme)
            boards = [each for each in await found.discover() if isinstance(each, Found)]
            assert {each.address: each.twins for each in boards} == {
                first: (second,),
                second: (first,),
            }
            with pytest.raises(PortBusyError, match="write the table's 'port' instead"):
                await found.locate(Acme, "30001")

    asyncio.run(run())


def test_phones_that_are_called_like_boards_are_none() -> None:
    """One offers the service of boards and answers in its own way, one offers nothing."""

    async def run() -> None:
        async with private_dbus(), FakeBlueZ() as bluez, asyncio.timeout(60):
            board = add(bluez, 1, "Acme 1", Acme)
            speaks = bluez.add_device("AA:BB:CC:00:00:07", "Acme 7", [services_of(Acme.info)])
            speaks.on_write = lambda _: speaks.notify(b"\x00HELLO I AM A PHONE\xff")
            bluez.add_device("AA:BB:CC:00:00:08", "Acme 8", [])
            answers = {answer.address: answer for answer in await finder(Acme).discover()}
            assert [each for each in answers.values() if isinstance(each, Found)] == [
                answers[board]
            ]
            refusals = [each.reason for each in answers.values() if isinstance(each, NotABoard)]
            stranger, nothing = sorted(refusals)
            assert stranger == "answers, but not as a DGT e-board: wrong baud or another device"
            assert nothing.startswith("ble:AA:BB:CC:00:00:08: has no characteristic 6e40")
            changes: list[Event | LinkChange] = []
            keeper = Keeper(
                "table 7",
                "ble:AA:BB:CC:00:00:07",
                Acme,
                now=time.monotonic,
                deliver=changes.append,
                first_wait=0.05,
            )
            task = asyncio.create_task(keeper.run())
            await eventually(lambda: "not as a DGT" in keeper.detail, "the phone is told of")
            task.cancel()
            await asyncio.wait({task})
            assert {type(change) for change in changes} <= {LinkChange, Noise}
            assert keeper.state == "lost"

    asyncio.run(run())


def test_a_clock_that_speaks_when_it_is_pressed_is_known_by_its_name() -> None:
    press = b'{"player_moved":1,"p1_time_sec":295,"p2_time_sec":300}'

    async def run() -> None:
        async with private_dbus(), FakeBlueZ() as bluez, asyncio.timeout(60):
            clock = bluez.add_device(
                "AA:BB:CC:00:00:01", "ChessClock", [services_of(Esp32Clock.info)]
            )
            (found,) = await finder(Esp32Clock).discover()
            assert isinstance(found, Found)
            assert found.remark == "known by its name: it says nothing before it is pressed"
            heard: list[Event | LinkChange] = []
            keeper = Keeper(
                "table 1 clock",
                found.address,
                Esp32Clock,
                now=time.monotonic,
                deliver=heard.append,
                first_wait=0.05,
            )
            task = asyncio.create_task(keeper.run())
            for _ in range(2):
                while keeper.state != "live":
                    clock.notify(press)
                    await asyncio.sleep(0.05)
                clock.drop()
                await eventually(lambda: keeper.state == "lost", "the clock is lost")
                readings = [one for one in heard if isinstance(one, ClockReading)]
                heard.clear()
                assert [one.turn for one in readings[:2]] == ["left", "right"]
            task.cancel()
            await asyncio.wait({task})
            assert not clock.writes

    asyncio.run(run())


def test_a_machine_without_bluetooth_is_told_of() -> None:
    async def run() -> None:
        async with private_dbus():
            found = finder(Acme)
            assert await found.discover() == []
            (trouble,) = found.trouble
            assert "the Bluetooth service does not run" in trouble
            with pytest.raises(PortMissingError, match="the Bluetooth service does not run"):
                await found.locate(Acme, "30001")

    asyncio.run(run())
