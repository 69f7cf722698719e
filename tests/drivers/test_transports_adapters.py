"""Several Bluetooth adapters in one machine: the real bleak, and a bluetoothd that is none."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence

import pytest

from drivers.errors import LinkLostError, PortMissingError
from drivers.transports import open_line
from drivers.transports.line import Line
from drivers.transports.radio import listen
from testbed.fake_ble import FakeDevice, services_of
from testbed.fake_bluez import FakeBlueZ
from testbed.private_dbus import private_dbus
from tests.drivers.test_transports_ble import ADDRESS, info, lost

HCI0, HCI1 = "/org/bluez/hci0", "/org/bluez/hci1"
LIMIT = 60.0


@contextlib.asynccontextmanager
async def machine(adapters: int = 2) -> AsyncIterator[FakeBlueZ]:
    async with (
        private_dbus(),
        FakeBlueZ(adapters=adapters) as bluez,
        asyncio.timeout(LIMIT),
    ):
        yield bluez
        while any(one.connected for one in bluez.devices.values()):  # noqa: ASYNC110 - a model's
            await asyncio.sleep(0.005)


def address(number: int) -> str:
    return f"AA:BB:CC:00:01:{number:02X}"


def put(bluez: FakeBlueZ, number: int, heard_by: Sequence[str] | None = None) -> FakeDevice:
    """Put a board into reach that repeats what it is told."""
    services = [services_of(info())]
    board = bluez.add_device(address(number), f"Acme {number}", services, heard_by=heard_by)
    board.on_write = board.notify
    return board


async def answers(line: Line, number: int) -> None:
    """See that a line is one to a certain board."""
    line.write(bytes([number]))
    chunk = await line.read(LIMIT)
    assert chunk is not None
    assert chunk[1] == bytes([number])


def used(bluez: FakeBlueZ, member: str) -> Counter[str]:
    """Count by adapters how often a method was called."""
    return Counter("/".join(path.split("/")[:4]) for path, name in bluez.calls if name == member)


def test_two_adapters_connect_at_the_same_time_and_share_the_boards() -> None:
    async def test() -> None:
        async with machine() as bluez:
            boards = [put(bluez, number) for number in range(6)]
            for board in boards:
                board.connect_delay = 0.1
            lines = [open_line(f"ble:{address(number)}", info()) for number in range(6)]
            await asyncio.gather(*(line.open() for line in lines))
            assert used(bluez, "Connect") == {HCI0: 3, HCI1: 3}
            connecting = [one for one in bluez.calls if one[1] in {"Connect", "StartNotify"}]
            adapters = [path.split("/")[3] for path, _ in connecting]
            for name in ("hci0", "hci1"):
                own = [m for (_, m), one in zip(connecting, adapters, strict=True) if one == name]
                assert own == ["Connect", "StartNotify"] * 3, "one board after the other"
            members = [member for _, member in connecting]
            assert members[:2] == ["Connect", "Connect"], "while the other adapter connects too"
            for number, line in enumerate(lines):
                await answers(line, number)
                line.close()

    asyncio.run(test())


def test_nobody_connects_with_an_adapter_that_scans() -> None:
    async def test() -> None:
        async with machine() as bluez:
            for number in range(5):
                put(bluez, number).connect_delay = 0.05
            absent = asyncio.create_task(open_line(f"ble:{ADDRESS}", info()).open())
            lines = [open_line(f"ble:{address(number)}", info()) for number in range(5)]
            await asyncio.gather(*(line.open() for line in lines))
            for adapter in (HCI0, HCI1):
                scanning = False
                for path, member in bluez.calls:
                    if path == adapter and member in {"StartDiscovery", "StopDiscovery"}:
                        scanning = member == "StartDiscovery"
                    elif path.startswith(f"{adapter}/") and member == "Connect":
                        assert not scanning
            absent.cancel()
            await asyncio.wait({absent})
            for line in lines:
                line.close()

    asyncio.run(test())


def test_a_board_that_one_adapter_hears_is_reached_with_that() -> None:
    async def test() -> None:
        async with machine() as bluez:
            put(bluez, 1, heard_by=[HCI1])
            line = open_line(f"ble:{address(1)}", info())
            await line.open()
            await answers(line, 1)
            assert used(bluez, "Connect") == {HCI1: 1}
            line.close()

    asyncio.run(test())


def test_an_adapter_that_is_pulled_out_leaves_its_boards_to_the_other() -> None:
    async def test() -> None:
        async with machine() as bluez:
            board = put(bluez, 1)
            line = open_line(f"ble:{address(1)}", info())
            await line.open()
            bluez.remove_adapter(next(iter(used(bluez, "Connect"))))
            assert await lost(line) == f"ble:{address(1)}: the radio link is lost"
            assert not board.connected
            await line.open()
            await answers(line, 1)
            assert len(used(bluez, "Connect")) == 2
            line.close()

    asyncio.run(test())


def test_an_adapter_that_is_switched_off_while_a_board_is_looked_for() -> None:
    async def test() -> None:
        async with machine() as bluez:
            line = open_line(f"ble:{address(1)}", info())
            opening = asyncio.create_task(line.open())
            while used(bluez, "StartDiscovery").total() < 2:  # noqa: ASYNC110 - a model's calls
                await asyncio.sleep(0.01)
            bluez.set_powered(False)
            put(bluez, 1)
            await opening
            await answers(line, 1)
            assert used(bluez, "Connect") == {HCI1: 1}
            line.close()

    asyncio.run(test())


def test_an_adapter_that_comes_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.transports.radio.LOOK_AGAIN", 0.1)

    async def test() -> None:
        async with machine(adapters=1) as bluez:
            line = open_line(f"ble:{address(1)}", info())
            opening = asyncio.create_task(line.open())
            while not used(bluez, "StartDiscovery"):  # noqa: ASYNC110 - a model's calls
                await asyncio.sleep(0.01)
            put(bluez, 1, heard_by=[bluez.add_adapter()])
            await opening
            await answers(line, 1)
            line.close()

    asyncio.run(test())


def test_a_killed_bluetoothd_takes_the_links_of_all_adapters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("drivers.transports.radio.UNHEARD", 0.1)

    async def test() -> None:
        async with machine() as bluez:
            for number, adapter in enumerate((HCI0, HCI1)):
                put(bluez, number, heard_by=[adapter])
            lines = [open_line(f"ble:{address(number)}", info()) for number in range(2)]
            await asyncio.gather(*(line.open() for line in lines))
            assert used(bluez, "Connect") == {HCI0: 1, HCI1: 1}
            await bluez.crash()
            for line in lines:
                assert "the Bluetooth service has ended" in await lost(line)
            with pytest.raises(PortMissingError):
                await lines[0].open()
            await bluez.start()
            for number, line in enumerate(lines):
                await line.open()
                await answers(line, number)
                line.close()

    asyncio.run(test())


def test_what_any_adapter_hears_is_listed_once() -> None:
    async def test() -> None:
        async with machine() as bluez:
            put(bluez, 1)
            put(bluez, 2, heard_by=[HCI1])
            there = put(bluez, 3)
            there.show(-50)
            await there.connect()
            listed = await listen(1.0)
            assert sorted(one.address for one in listed) == [address(n) for n in (1, 2, 3)]
            assert [one.address for one in listed if one.rssi is None] == [address(3)]
            there.drop()
            bluez.set_powered(False)
            bluez.set_powered(False, HCI1)
            with pytest.raises(PortMissingError, match="switched off"):
                await listen(LIMIT)

    asyncio.run(test())


def test_a_link_that_is_lost_by_one_adapter_may_return_by_the_other() -> None:
    async def test() -> None:
        async with machine() as bluez:
            board = put(bluez, 1)
            line = open_line(f"ble:{address(1)}", info())
            for number in range(6):
                await line.open()
                await answers(line, number)
                board.drop()
                with pytest.raises(LinkLostError):
                    await line.read(LIMIT)
            assert used(bluez, "Connect").total() == 6

    asyncio.run(test())


def test_nobody_scans_where_nobody_listens_any_more() -> None:
    async def test() -> None:
        async with machine(adapters=1) as bluez:
            put(bluez, 1)
            line = open_line(f"ble:{address(1)}", info())
            await line.open()
            await answers(line, 1)
            await asyncio.sleep(0.1)
            assert used(bluez, "StartDiscovery") == used(bluez, "StopDiscovery") == {HCI0: 1}
            line.close()

    asyncio.run(test())
