"""Bluetooth LE lines: the real bleak, a real D-Bus, and a bluetoothd that is none."""

import asyncio
import contextlib
import logging
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDBusError,
    BleakDeviceNotFoundError,
    BleakError,
)

from drivers import nordic_uart
from drivers.boards.dgt import Dgt
from drivers.codec import DriverInfo, GattSettings
from drivers.errors import (
    AddressError,
    DriverError,
    LinkLostError,
    PortBusyError,
    PortDeniedError,
    PortMissingError,
)
from drivers.transports import ble, open_line
from drivers.transports.bluetoothd import Service
from drivers.transports.line import INBOX_BYTES, Line
from drivers.transports.radio import listen
from drivers.transports.troubles import TROUBLE, explain
from testbed.fake_ble import BlueZError, FakeDevice, services_of
from testbed.fake_bluez import FakeBlueZ
from testbed.private_dbus import private_dbus

ADDRESS = "AA:BB:CC:00:00:01"
GATT = GattSettings(notify=(nordic_uart.NOTIFY,), write=nordic_uart.WRITE, response=True)
LIMIT = 20.0


def info(gatt: GattSettings = GATT) -> DriverInfo:
    return replace(Dgt.info, name="acme", transports=("ble",), gatt=gatt)


@contextlib.asynccontextmanager
async def hall(gatt: GattSettings = GATT) -> AsyncIterator[tuple[FakeBlueZ, FakeDevice]]:
    """A bluetoothd with one board in reach, which repeats whatever it is told."""
    async with private_dbus(), FakeBlueZ() as bluez, asyncio.timeout(60):
        board = bluez.add_device(ADDRESS, "Acme 1", [services_of(info(gatt))])
        board.on_write = board.notify
        yield bluez, board


async def heard(line: Line) -> bytes:
    chunk = await line.read(LIMIT)
    assert chunk is not None
    return chunk[1]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not condition():  # noqa: ASYNC110 - what is waited for belongs to a device model
            await asyncio.sleep(0.005)


async def lost(line: Line) -> str:
    try:
        while await line.read(LIMIT):
            pass
    except LinkLostError as error:
        return str(error)
    raise AssertionError("the line is still up")


async def refused(line: Line) -> tuple[type[DriverError], str]:
    with pytest.raises(DriverError) as caught:
        await line.open()
    with pytest.raises(LinkLostError):
        await line.read(0)
    return caught.type, str(caught.value)


@pytest.mark.parametrize(
    "place", [ADDRESS, ADDRESS.lower(), "Acme 1"], ids=["address", "small letters", "name"]
)
def test_a_board_is_found_and_spoken_to(place: str) -> None:
    async def test() -> None:
        async with hall() as (_, board):
            line = open_line(f"ble:{place}", info(), now=time.monotonic)
            before = time.monotonic()
            await line.open()
            line.write(b"\x01\x02")
            line.write(b"\x03")
            chunk = await line.read(LIMIT)
            assert chunk is not None
            assert before <= chunk[0] <= time.monotonic()
            assert chunk[1] == b"\x01\x02"
            assert await heard(line) == b"\x03"
            assert await line.read(0.01) is None
            assert board.writes == [(b"\x01\x02", True), (b"\x03", True)]
            line.close()
            await until(lambda: not board.connected)
            assert await lost(line) == f"ble:{place}: closed"
            with pytest.raises(LinkLostError, match="closed"):
                line.write(b"x")

    asyncio.run(test())


def test_what_the_radio_tells_of_a_battery(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ble, "BATTERY_EVERY", 0.02)

    async def test() -> None:
        async with hall() as (bluez, board):
            line = open_line(f"ble:{ADDRESS}", info(), now=time.monotonic)
            await line.open()
            await until(lambda: bluez.calls.count((board.path, "Get")) > 2)
            assert line.battery is None, "bluetoothd has not read it yet"
            for level in (88, 87):
                board.battery = level
                assert await line.read(LIMIT) is None, "a reader is woken"
                assert line.battery == level
            board.battery = None
            await line.read(0.1)
            assert line.battery == 87, "nothing that is told is no news"
            line.close()
            await line.open()
            assert line.battery is None, "the next one may be another board"
            line.close()
            await until(lambda: not board.connected)

    asyncio.run(test())


def test_a_battery_that_cannot_be_asked_for_ends_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuses(_service: Service, _device: str) -> int | None:
        raise EOFError

    monkeypatch.setattr(Service, "battery", refuses)

    async def test() -> None:
        async with hall() as (_, board):
            line = open_line(f"ble:{ADDRESS}", info(), now=time.monotonic)
            await line.open()
            line.write(b"x")
            assert await heard(line) == b"x"
            line.close()
            await until(lambda: not board.connected)

    asyncio.run(test())


def test_what_several_characteristics_say_is_one_stream() -> None:
    second = "6e400004-b5a3-f393-e0a9-e50e24dcca9e"
    gatt = replace(GATT, notify=(nordic_uart.NOTIFY, second))

    async def test() -> None:
        async with hall(gatt) as (_, board):
            line = open_line(f"ble:{ADDRESS}", info(gatt))
            await line.open()
            assert [one.uuid for one in board._characteristics() if one.subscribers] == [
                nordic_uart.NOTIFY,
                second,
            ]
            line.close()

    asyncio.run(test())


@pytest.mark.parametrize(
    ("gatt", "mtu", "writes"),
    [
        (replace(GATT, response=False), 23, [20, 20, 10]),
        (replace(GATT, response=False), 247, [50]),
        (replace(GATT, response=False, largest_write=9), 247, [9, 9, 9, 9, 9, 5]),
        (GATT, 23, [50]),
        (replace(GATT, largest_write=20), 247, [20, 20, 10]),
    ],
)
def test_long_messages_are_cut_where_they_must_be(
    gatt: GattSettings, mtu: int, writes: list[int]
) -> None:
    async def test() -> None:
        async with hall(gatt) as (_, board):
            board.mtu = mtu
            line = open_line(f"ble:{ADDRESS}", info(gatt))
            await line.open()
            line.write(bytes(range(50)))
            await until(lambda: sum(len(data) for data, _ in board.writes) == 50)
            assert [len(data) for data, _ in board.writes] == writes
            assert b"".join(data for data, _ in board.writes) == bytes(range(50))
            assert {with_response for _, with_response in board.writes} == {gatt.response}
            line.close()

    asyncio.run(test())


@pytest.mark.parametrize("declared", [True, False])
def test_firmware_that_offers_only_the_other_kind_of_write(declared: bool) -> None:
    async def test() -> None:
        async with hall(replace(GATT, response=not declared)) as (_, board):
            board.mtu = 23
            line = open_line(f"ble:{ADDRESS}", info(replace(GATT, response=declared)))
            await line.open()
            line.write(bytes(30))
            await until(lambda: sum(len(data) for data, _ in board.writes) == 30)
            assert {with_response for _, with_response in board.writes} == {not declared}
            line.close()

    asyncio.run(test())


def test_writes_keep_their_distance_and_their_order() -> None:
    gatt = replace(GATT, pace=0.05)

    async def test() -> None:
        async with hall(gatt) as (_, board):
            line = open_line(f"ble:{ADDRESS}", info(gatt))
            await line.open()
            times: list[float] = []
            board.on_write = lambda _: times.append(time.monotonic())
            for number in range(4):
                line.write(bytes([number]))
            await until(lambda: len(times) == 4)
            assert [data for data, _ in board.writes] == [b"\0", b"\1", b"\2", b"\3"]
            assert all(later - earlier >= 0.045 for earlier, later in pairwise(times))
            line.close()

    asyncio.run(test())


def test_a_link_that_carries_too_little_is_told(caplog: pytest.LogCaptureFixture) -> None:
    gatt = replace(GATT, mtu=103)

    async def test() -> None:
        async with hall(gatt) as (_, board):
            board.mtu = 23
            line = open_line(f"ble:{ADDRESS}", info(gatt))
            await line.open()
            line.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(test())
    assert "the link carries 23 bytes, the board needs 103" in caplog.text


# --- losses -------------------------------------------------------------------------------------


def test_twenty_lost_links_leave_nothing_behind() -> None:
    async def test() -> None:
        async with hall() as (bluez, board):
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            connections = await bluez.connections()
            for number in range(20):
                line.write(bytes([number]))
                assert await heard(line) == bytes([number])
                assert await line.read(0.002) is None, "each notification comes once"
                board.drop()
                assert await lost(line) == f"ble:{ADDRESS}: the radio link is lost"
                line.close()
                await line.open()
                assert sum(len(one.subscribers) for one in board._characteristics()) == 1
                assert await bluez.connections() == connections
            line.close()

    asyncio.run(test())


def test_what_came_before_the_loss_is_given_first() -> None:
    async def test() -> None:
        async with hall() as (_, board):
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            board.notify(b"half a mess")
            await asyncio.sleep(0.05)
            board.drop()
            await until(lambda: not board.connected)
            assert await heard(line) == b"half a mess"
            assert "the radio link is lost" in await lost(line)

    asyncio.run(test())


def test_the_adapter_goes_off_and_on() -> None:
    async def test() -> None:
        async with hall() as (bluez, _):
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            bluez.set_powered(False)
            await lost(line)
            kind, text = await refused(line)
            assert kind is PortMissingError
            assert "rfkill unblock bluetooth" in text
            bluez.set_powered(True)
            await line.open()
            line.write(b"x")
            assert await heard(line) == b"x"
            bluez.remove_adapter()
            await lost(line)
            kind, text = await refused(line)
            assert kind is PortMissingError
            assert "there is no Bluetooth adapter" in text

    asyncio.run(test())


def test_an_adapter_that_hangs_loses_no_more_than_the_time_until_it_is_reset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ble, "WRITE_SECONDS", 0.2)
    monkeypatch.setattr(ble, "PART_SECONDS", 0.2)

    async def test() -> None:
        async with hall() as (bluez, board):
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            bluez.hang()
            board.notify(b"never heard")
            line.write(b"x")
            assert "took nothing for 0.2 s" in await lost(line)
            bluez.come_round()
            await line.open()
            line.write(b"x")
            assert await heard(line) == b"x"
            line.close()

    asyncio.run(test())


def test_a_killed_bluetoothd_is_a_lost_link_at_once() -> None:
    async def test() -> None:
        async with hall() as (bluez, _):
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            await bluez.crash()
            assert "the Bluetooth service has ended" in await lost(line)
            kind, text = await refused(line)
            assert kind is PortMissingError
            assert "systemctl start bluetooth" in text
            await bluez.start()
            await line.open()
            line.write(b"x")
            assert await heard(line) == b"x"
            line.close()

    asyncio.run(test())


def switched(bluez: FakeBlueZ) -> int:
    """Return how often the adapter was switched."""
    return bluez.calls.count(("/org/bluez/hci0", "Set"))


def test_an_adapter_that_is_busy_is_switched_a_little_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("drivers.transports.bluetoothd.SWITCH_AGAIN_AFTER", 0.01)

    async def test() -> None:
        async with hall() as (bluez, _):
            service = Service()
            async with service.watched(lambda: None):
                bluez.busy = 2
                await service.renew()
                assert (switched(bluez), bluez.powered) == (4, True)
                bluez.busy = 100
                await service.renew()
                assert switched(bluez) == 14, "not for ever"

    asyncio.run(test())


def test_bluetooth_is_not_switched_where_that_would_harm_or_is_not_wanted() -> None:
    async def test() -> None:
        async with hall() as (bluez, board):
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            service = Service()
            async with service.watched(lambda: None):
                await service.renew()
                assert board.connected, "somebody is served"
                line.close()
                await until(lambda: not board.connected)
                bluez.set_powered(False)
                await service.renew()
            assert (switched(bluez), bluez.powered) == (0, False)

    asyncio.run(test())


def test_a_bluetoothd_that_dies_while_a_board_is_looked_for() -> None:
    async def test() -> None:
        async with hall() as (bluez, board):
            board.advertising = False
            line = open_line(f"ble:{ADDRESS}", info())
            opening = asyncio.create_task(line.open())
            await until(lambda: ("/org/bluez/hci0", "StartDiscovery") in bluez.calls)
            await bluez.crash()
            with pytest.raises(DriverError):
                await opening

    asyncio.run(test())


def test_a_dead_dbus_is_a_lost_link() -> None:
    async def test() -> None:
        async with private_dbus() as daemon, FakeBlueZ() as bluez:
            bluez.add_device(ADDRESS, "Acme 1", [services_of(info())])
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            daemon.kill()
            await lost(line)
            kind, text = await refused(line)
            assert kind is PortMissingError
            assert "D-Bus does not run" in text

    asyncio.run(test())


# --- opening ------------------------------------------------------------------------------------


def test_an_unknown_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ble, "SEARCH_SECONDS", 0.2)
    monkeypatch.setattr("drivers.transports.radio.UNHEARD", 0.1)

    async def test() -> None:
        async with hall():
            kind, text = await refused(open_line("ble:AA:BB:CC:00:00:99", info()))
            assert kind is PortMissingError
            assert "is not heard: switch it on" in text

    asyncio.run(test())


def test_a_connection_that_is_refused() -> None:
    async def test() -> None:
        async with hall() as (bluez, board):
            board.connect_error = BlueZError("Failed", "br-connection-canceled")
            line = open_line(f"ble:{ADDRESS}", info())
            kind, text = await refused(line)
            assert kind is LinkLostError
            assert "br-connection-canceled" in text
            connections = await bluez.connections()
            await refused(line)
            assert await bluez.connections() <= connections
            board.connect_error = None
            await line.open()
            line.close()

    asyncio.run(test())


def test_a_user_who_may_not() -> None:
    async def test() -> None:
        async with hall() as (_, board):
            error = BlueZError("Failed", "")
            error.name = "org.freedesktop.DBus.Error.AccessDenied"
            board.connect_error = error
            kind, text = await refused(open_line(f"ble:{ADDRESS}", info()))
            assert kind is PortDeniedError
            assert "usermod -aG bluetooth" in text

    asyncio.run(test())


def test_a_board_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ble, "CONNECT_SECONDS", 0.2)

    async def test() -> None:
        async with hall() as (_, board):
            board.connect_delay = 30.0
            kind, text = await refused(open_line(f"ble:{ADDRESS}", info()))
            assert kind is LinkLostError
            assert "does not answer within 0.2 s" in text

    asyncio.run(test())


def test_a_device_that_is_no_such_board() -> None:
    async def test() -> None:
        async with hall() as (_, board):
            other = replace(GATT, notify=(nordic_uart.NOTIFY.replace("6e", "7e"),))
            kind, text = await refused(open_line(f"ble:{ADDRESS}", info(other)))
            assert kind is LinkLostError
            assert "has no characteristic 7e400003" in text
            await until(lambda: not board.connected)

    asyncio.run(test())


def test_a_board_that_a_crash_left_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.transports.radio.UNHEARD", 0.1)

    async def test() -> None:
        async with hall() as (_, board):
            board.show(-50)
            await board.connect()
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            line.write(b"x")
            assert await heard(line) == b"x"
            line.close()

    asyncio.run(test())


def test_a_board_in_another_programs_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.transports.radio.UNHEARD", 0.1)

    async def test() -> None:
        async with hall() as (_, board):
            board.show(-50)
            await board.connect()
            board.subscribe(board._characteristics()[0], ":1.999")
            kind, text = await refused(open_line(f"ble:{ADDRESS}", info()))
            assert kind is PortBusyError
            assert "another program on this computer has it" in text
            assert board.connected, "it is left to that program"

    asyncio.run(test())


def test_a_service_that_is_gone_serves_nobody() -> None:
    async def test() -> None:
        async with private_dbus():
            service = Service()
            async with service.watched(lambda: None):
                assert not await service.subscribed("/org/bluez/hci0/dev_AA")

    asyncio.run(test())


def test_opening_that_is_given_up_leaves_nothing_behind() -> None:
    async def test() -> None:
        async with hall() as (bluez, board):
            board.connect_delay = 30.0
            line = open_line(f"ble:{ADDRESS}", info())
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await line.open()
            board.connect_delay = 0.0
            await line.open()
            line.write(b"x")
            assert await heard(line) == b"x"
            opened = await bluez.connections()
            line.close()
            await line.open()
            assert await bluez.connections() == opened
            line.close()

    asyncio.run(test())


def test_a_link_that_is_lost_while_it_is_made() -> None:
    async def test() -> None:
        async with hall() as (_, board):
            board.on_subscribe = board.drop
            line = open_line(f"ble:{ADDRESS}", info())
            with contextlib.suppress(LinkLostError):
                await line.open()
            assert "the radio link is lost" in await lost(line)
            board.on_subscribe = lambda: None
            await line.open()
            line.close()

    asyncio.run(test())


# --- writing ------------------------------------------------------------------------------------


def test_a_write_that_fails_is_tried_again() -> None:
    async def test() -> None:
        async with hall() as (bluez, board):
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            board.write_error = BlueZError("Failed", "Operation failed with ATT error: 0x0e")
            line.write(b"x")
            await until(lambda: [call[1] for call in bluez.calls].count("WriteValue") >= 1)
            board.write_error = None
            assert await heard(line) == b"x"
            board.write_error = BlueZError("Failed", "Operation failed with ATT error: 0x0e")
            line.write(b"x")
            assert "cannot be written to" in await lost(line)

    asyncio.run(test())


def test_a_board_that_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ble, "WRITE_SECONDS", 0.1)

    async def test() -> None:
        async with hall() as (_, board):
            board.write_delay = 30.0
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            line.write(b"x")
            assert "took nothing for 0.1 s" in await lost(line)

    asyncio.run(test())


def test_a_queue_that_grows_too_long() -> None:
    async def test() -> None:
        async with hall() as (_, board):
            board.write_delay = 30.0
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            for _ in range(ble.OUTBOX_MESSAGES):
                line.write(b"x")
            with pytest.raises(LinkLostError, match="takes nothing of what it is sent"):
                line.write(b"x")

    asyncio.run(test())


def test_a_reader_that_does_not_read() -> None:
    async def test() -> None:
        async with hall() as (_, board):
            line = open_line(f"ble:{ADDRESS}", info())
            await line.open()
            board.notify(b"")
            for _ in range(INBOX_BYTES // 200 + 2):
                board.notify(bytes(200))
            await until(lambda: not board.connected)
            assert await heard(line) == bytes(200)
            assert "nobody reads what it says" in await lost(line)

    asyncio.run(test())


# --- several boards -----------------------------------------------------------------------------


def test_many_boards_connect_one_after_another() -> None:
    async def test() -> None:
        async with hall() as (bluez, _):
            boards = [
                bluez.add_device(f"AA:BB:CC:00:01:{n:02X}", f"Acme {n}", [services_of(info())])
                for n in range(6)
            ]
            for board in boards:
                board.connect_delay = 0.03
                board.on_write = board.notify
            lines = [open_line(f"ble:AA:BB:CC:00:01:{n:02X}", info()) for n in range(6)]
            await asyncio.gather(*(line.open() for line in lines))
            connecting = ("StartDiscovery", "StopDiscovery", "Connect")
            order = [member for _, member in bluez.calls if member in connecting]
            assert order.count("Connect") == 6
            scanning = False
            for member in order:
                if member == "StartDiscovery":
                    assert not scanning
                    scanning = True
                elif member == "StopDiscovery":
                    scanning = False
                else:
                    assert not scanning, "nobody connects while the adapter scans"
            for number, line in enumerate(lines):
                line.write(bytes([number]))
            assert [await heard(line) for line in lines] == [bytes([n]) for n in range(6)]
            for line in lines:
                line.close()

    asyncio.run(test())


def test_an_absent_board_holds_nobody_up() -> None:
    async def test() -> None:
        async with hall() as (_, board):
            absent = asyncio.create_task(open_line("ble:AA:BB:CC:00:00:99", info()).open())
            line = open_line(f"ble:{ADDRESS}", info())
            for _ in range(3):
                await line.open()
                board.drop()
                await lost(line)
            assert not absent.done()
            absent.cancel()
            await asyncio.wait({absent})

    asyncio.run(test())


# --- listening ----------------------------------------------------------------------------------


def test_what_is_heard_is_listed() -> None:
    async def test() -> None:
        async with hall() as (bluez, _):
            service = services_of(info())
            there = bluez.add_device("AA:BB:CC:00:00:02", "Acme 2", [services_of(info())])
            there.show(-50)
            await there.connect()
            listed = await listen(1.0)
            assert [(one.address, one.name) for one in listed] == [
                ("AA:BB:CC:00:00:02", "Acme 2"),
                (ADDRESS, "Acme 1"),
            ]
            connected, heard_one = listed
            assert connected.rssi is None
            assert heard_one.rssi is not None
            assert -80 <= heard_one.rssi <= -40
            assert heard_one.services == (service.uuid,)
            bluez.set_powered(False)
            with pytest.raises(PortMissingError, match="switched off"):
                await listen(LIMIT)

    asyncio.run(test())


def test_listening_without_a_service() -> None:
    async def test() -> None:
        async with private_dbus():
            with pytest.raises(PortMissingError, match="systemctl start bluetooth"):
                await listen(LIMIT)

    asyncio.run(test())


@pytest.mark.parametrize(
    ("error", "kind", "remedy"),
    [
        (
            BleakBluetoothNotAvailableError("", BleakBluetoothNotAvailableReason.DENIED_BY_SYSTEM),
            PortDeniedError,
            "usermod -aG bluetooth",
        ),
        (
            BleakBluetoothNotAvailableError(
                "", BleakBluetoothNotAvailableReason.NO_BLE_CENTRAL_ROLE
            ),
            PortMissingError,
            "version 4.0",
        ),
        (BleakDeviceNotFoundError(ADDRESS), PortMissingError, "is it switched on?"),
        (BleakDBusError("org.bluez.Error.NotReady", []), PortMissingError, "rfkill"),
        (BleakDBusError("org.bluez.Error.Failed", []), LinkLostError, "org.bluez.Error.Failed"),
        (BleakError("odd"), LinkLostError, "x: odd"),
        (EOFError(), PortMissingError, "D-Bus does not run"),
        (OSError(), LinkLostError, "x: OSError"),
    ],
)
def test_every_trouble_is_told_with_its_remedy(
    error: Exception, kind: type[DriverError], remedy: str
) -> None:
    assert isinstance(error, TROUBLE)
    told = explain("x", error)
    assert type(told) is kind
    assert remedy in str(told)


# --- addresses ----------------------------------------------------------------------------------


def test_addresses_that_mean_nothing() -> None:
    with pytest.raises(AddressError, match="not ble:AA:BB:CC:DD:EE:FF and not ble:NAME"):
        open_line("ble:AA:BB:CC", info())
    with pytest.raises(AddressError, match="a dgt board has no Bluetooth LE"):
        open_line(f"ble:{ADDRESS}", Dgt.info)


def test_without_bleak_it_is_said_what_to_install() -> None:
    program = (
        "import sys; sys.modules['bleak'] = None\n"
        "from drivers.boards.dgt import Dgt\n"
        "from drivers.errors import AddressError\n"
        "from drivers.transports import open_line\n"
        "try:\n    open_line('ble:Acme', Dgt.info)\n"
        "except AddressError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "eboard-bridge[ble]" in done.stdout
