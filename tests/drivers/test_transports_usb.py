"""USB lines: real pyusb on a virtual USB."""

import asyncio
import errno
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any

import pytest
import usb.backend.libusb1
from usb.core import USBError

from drivers.boards.dgt import Dgt
from drivers.codec import DriverInfo, Fingerprint, HidSettings
from drivers.errors import (
    AddressError,
    DriverError,
    LinkLostError,
    PortBusyError,
    PortDeniedError,
    PortMissingError,
)
from drivers.transports import open_line
from drivers.transports.line import INBOX_BYTES, Line
from drivers.transports.usb import OUTBOX_REPORTS
from drivers.transports.usb_devices import UsbDevice, usb_devices
from testbed.virtual_usb import (
    MOUSE,
    HidInterface,
    VirtualDevice,
    VirtualUsb,
    error,
    usb_threads,
    virtual_usb,
)

INFO = DriverInfo(
    name="acme",
    title="Acme board",
    transports=("usb",),
    hid=HidSettings(usage_page=0xFF00),
    fingerprint=Fingerprint(usb_ids=((0x2D80, None), (0x1209, 0xACE1))),
    sensing="identity",
    has_clock=False,
    longest_message=65,
    silence_limit=3.0,
    evidence="inferred",
    sources="invented for this test",
)
Use = Callable[[Line, VirtualDevice], Coroutine[Any, Any, None]]


@pytest.fixture
def bus() -> Iterator[VirtualUsb]:
    with virtual_usb() as bus:
        yield bus


@pytest.fixture
def board(bus: VirtualUsb) -> VirtualDevice:
    return bus.plug(VirtualDevice())


def using(board: VirtualDevice, use: Use, info: DriverInfo = INFO) -> None:
    """Open the board, use it, and see that nothing of it is held afterwards."""

    async def run() -> None:
        line = open_line(f"usb:{board.port}", info)
        await line.open()
        await use(line, board)
        line.close()
        await released(board)

    asyncio.run(run())


async def released(board: VirtualDevice) -> None:
    await until(lambda: not board.handles and not usb_threads())
    assert all(interface.kernel_driver for interface in board.interfaces) or not board.plugged
    assert not any(interface.holder for interface in board.interfaces) or not board.plugged


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.01)
    pytest.fail("did not come to pass")


async def gather(line: Line, size: int) -> bytes:
    data = b""
    while len(data) < size:
        chunk = await line.read(10)
        assert chunk is not None, f"only {data!r}"
        data += chunk[1]
    return data


def test_reports_both_ways(board: VirtualDevice) -> None:
    heard: list[bytes] = []
    board.heard = heard.append

    async def use(line: Line, board: VirtualDevice) -> None:
        before = time.monotonic()
        board.report(b"\x01\x24\x58")
        chunk = await line.read(10)
        assert chunk is not None
        assert before <= chunk[0] <= time.monotonic()
        assert chunk[1] == b"\x01\x24\x58"
        line.write(b"\x21\x01\x00")
        line.write(b"")
        line.write(b"\x29\x01\x00")
        await until(lambda: len(heard) == 2)
        assert heard == [b"\x21\x01\x00", b"\x29\x01\x00"]

    using(board, use)


@pytest.mark.parametrize("length", [1, 63, 64, 65, 128, 200])
def test_a_report_of_any_length_arrives_whole(board: VirtualDevice, length: int) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        report = bytes(range(length))
        board.report(report)
        assert await gather(line, length) == report

    using(board, use)


def test_a_device_without_an_out_endpoint_is_written_by_control_requests(bus: VirtualUsb) -> None:
    heard: list[bytes] = []
    board = bus.plug(VirtualDevice(interfaces=[HidInterface(has_out=False)], heard=heard.append))

    async def use(line: Line, board: VirtualDevice) -> None:
        del board
        line.write(b"\x21\x01\x00")
        await until(lambda: heard == [b"\x21\x01\x00"])

    using(board, use)


def test_reports_that_have_no_number(bus: VirtualUsb) -> None:
    heard: list[bytes] = []
    plain = HidInterface(has_out=False, report_descriptor=bytes.fromhex("06 00 ff a1 01 c0"))
    board = bus.plug(VirtualDevice(interfaces=[plain], heard=heard.append))

    async def use(line: Line, board: VirtualDevice) -> None:
        del board
        line.write(b"\x00\x01")
        await until(lambda: heard == [b"\x00\x01"])

    using(board, use)


def test_reports_are_filled_up_and_paced(board: VirtualDevice) -> None:
    heard: list[tuple[float, bytes]] = []
    board.heard = lambda report: heard.append((time.monotonic(), report))
    settings = HidSettings(usage_page=0xFF00, report_length=8, pace=0.05)

    async def use(line: Line, board: VirtualDevice) -> None:
        del board
        for number in range(3):
            line.write(bytes([number]))
        line.write(bytes(9))
        await until(lambda: len(heard) == 4)

    using(board, use, replace(INFO, hid=settings))
    assert [report for _, report in heard] == [*(bytes([n, *[0] * 7]) for n in range(3)), bytes(9)]
    assert heard[3][0] - heard[0][0] >= 0.15


def test_nothing_within_the_timeout(board: VirtualDevice) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        assert await line.read(0.01) is None
        assert await line.read(0) is None
        await asyncio.sleep(0.6)  # the thread has begun to read a second time
        board.report(b"\x01")
        assert await gather(line, 1) == b"\x01"

    using(board, use)


def test_the_interface_is_chosen_by_its_usage_page(bus: VirtualUsb) -> None:
    mouse = HidInterface(report_descriptor=MOUSE)
    board = bus.plug(VirtualDevice(interfaces=[mouse, HidInterface()]))

    async def use(line: Line, board: VirtualDevice) -> None:
        assert mouse.kernel_driver, "a mouse goes on being a mouse"
        assert not board.interfaces[1].kernel_driver
        board.report(b"\x01")
        assert await gather(line, 1) == b"\x01"

    using(board, use)


def test_no_interface_of_the_usage_page(bus: VirtualUsb) -> None:
    board = bus.plug(VirtualDevice(interfaces=[HidInterface(report_descriptor=MOUSE)]))
    assert_refused(board, LinkLostError, "no interface of it has usage page ff00")


def test_without_permission(bus: VirtualUsb) -> None:
    board = bus.plug(VirtualDevice(denied=True))
    assert_refused(board, PortDeniedError, "udev rules")
    assert_refused(board, PortDeniedError, "udev rules", f"usb:{board.port}")


def test_a_device_that_is_not_configured(bus: VirtualUsb) -> None:
    board = bus.plug(VirtualDevice(configured=False))
    assert_refused(board, LinkLostError, "cannot be opened: Configuration not set")


def test_a_device_that_fails_when_it_is_asked(
    board: VirtualDevice, bus: VirtualUsb, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise error(errno.EIO)

    monkeypatch.setattr(bus, "ctrl_transfer", fail)
    assert_refused(board, LinkLostError, "cannot be opened")


def test_a_device_that_goes_while_it_is_opened(
    board: VirtualDevice, bus: VirtualUsb, monkeypatch: pytest.MonkeyPatch
) -> None:
    def vanish(*_: object) -> int:
        bus.unplug(board)
        raise error(errno.ENODEV)

    monkeypatch.setattr(bus, "ctrl_transfer", vanish)
    assert_refused(board, PortMissingError, "unplugged")


def assert_refused(
    board: VirtualDevice, kind: type[DriverError], why: str, address: str = "usb:2d80:8001"
) -> None:
    async def run() -> None:
        line = open_line(address, INFO)
        with pytest.raises(kind, match=f"{address}: .*{why}"):
            await line.open()
        with pytest.raises(LinkLostError, match="is not open"):
            line.write(b"\x21")
        await released(board)

    asyncio.run(run())


def test_a_board_is_held_exclusively(board: VirtualDevice) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        second = open_line(line.address, INFO)
        with pytest.raises(PortBusyError, match="another program holds this board"):
            await second.open()
        board.report(b"\x01")
        assert await gather(line, 1) == b"\x01"
        assert board.handles == 1

    using(board, use)


def test_a_board_can_be_opened_again_at_once(board: VirtualDevice) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        for number in range(3):
            line.close()
            line = open_line(line.address, INFO)
            await line.open()
            board.report(bytes([number + 1]))
            assert await gather(line, 1) == bytes([number + 1])
        line.close()

    using(board, use)


def test_unplugging_ends_the_reading(board: VirtualDevice, bus: VirtualUsb) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        reading = asyncio.create_task(line.read(None))
        await asyncio.sleep(0.01)
        bus.unplug(board)
        with pytest.raises(LinkLostError, match=r"usb:1-1\.4: No such device"):
            await reading
        with pytest.raises(LinkLostError):
            line.write(b"\x42")
        await released(board)
        with pytest.raises(PortMissingError, match="plug the board in"):
            await line.open()
        again = bus.plug(board.replugged())
        await line.open()
        again.report(b"\x93")
        assert await gather(line, 1) == b"\x93"
        line.close()
        await released(again)

    using(board, use)


def test_a_loss_that_is_noticed_late_does_not_harm_the_next_opening(
    board: VirtualDevice, bus: VirtualUsb
) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        line.close()
        bus.unplug(board)
        again = bus.plug(board.replugged())
        await line.open()
        await until(lambda: not board.handles)
        again.report(b"\x01")
        assert await gather(line, 1) == b"\x01"
        line.close()
        await released(again)

    using(board, use)


def test_reports_before_the_loss_are_given_first(board: VirtualDevice, bus: VirtualUsb) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        board.report(b"\x01\x02")
        await asyncio.sleep(0.1)
        bus.unplug(board)
        await asyncio.sleep(0.1)
        assert await gather(line, 2) == b"\x01\x02"
        with pytest.raises(LinkLostError):
            await line.read(5)

    using(board, use)


def test_one_stall_is_cleared(board: VirtualDevice) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        for number in (1, 2):
            board.stall(1)
            board.report(bytes([number]))
            assert await gather(line, 1) == bytes([number])

    using(board, use)


def test_a_device_that_stalls_again_and_again_is_lost(board: VirtualDevice) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        board.stall(2)
        with pytest.raises(LinkLostError):
            await line.read(10)

    using(board, use)


def test_a_device_that_takes_no_report_is_lost(board: VirtualDevice) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        board.deaf = True
        line.write(b"\x21\x01\x00")
        with pytest.raises(LinkLostError):
            await line.read(10)

    using(board, use)


def test_a_device_that_takes_reports_too_slowly_is_lost(board: VirtualDevice) -> None:
    slow = replace(INFO, hid=HidSettings(usage_page=0xFF00, pace=60.0))

    async def use(line: Line, board: VirtualDevice) -> None:
        del board
        line.write(b"\x29\x01\x00")
        await asyncio.sleep(0.1)  # that one is on its way
        for _ in range(OUTBOX_REPORTS):
            line.write(b"\x29\x01\x00")
        with pytest.raises(LinkLostError, match="takes nothing"):
            line.write(b"\x29\x01\x00")

    using(board, use, slow)


def test_a_reader_that_is_slow_stops_the_reading(board: VirtualDevice) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        sent = 0
        while sent < INBOX_BYTES + 4096:
            board.report(bytes(64))
            sent += 64
            if sent % 4096 == 0:
                await asyncio.sleep(0.005)
        assert await gather(line, INBOX_BYTES) == bytes(INBOX_BYTES)
        while (await line.read(0.2)) is not None:
            pass
        board.report(b"\x07")
        assert await gather(line, 1) == b"\x07"

    using(board, use)


def test_a_full_inbox_does_not_keep_the_line_from_closing(board: VirtualDevice) -> None:
    async def use(line: Line, board: VirtualDevice) -> None:
        for _ in range(INBOX_BYTES // 4096 + 1):
            for _ in range(64):
                board.report(bytes(64))
            await asyncio.sleep(0.01)
        line.close()

    using(board, use)


def test_giving_up_while_opening_leaves_nothing_open(board: VirtualDevice) -> None:
    async def run() -> None:
        for _ in range(10):
            opening = asyncio.create_task(open_line("usb:1-1.4", INFO).open())
            await asyncio.sleep(0)
            opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening
        await asyncio.sleep(0.3)
        await released(board)

    asyncio.run(run())


def test_giving_up_an_opening_that_fails(bus: VirtualUsb) -> None:
    async def run() -> None:
        opening = asyncio.create_task(open_line("usb:1-1.4", INFO).open())
        await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        await asyncio.sleep(0.1)

    assert bus.devices == []
    asyncio.run(run())


def test_a_loop_that_ends_first(board: VirtualDevice) -> None:
    async def run() -> None:
        line = open_line("usb:1-1.4", INFO)
        await line.open()

    asyncio.run(run())
    board.unplug()
    for thread in threading.enumerate():
        if thread.name in usb_threads():
            thread.join(10)
    assert board.handles == 0


def test_two_boards_of_the_same_make(bus: VirtualUsb) -> None:
    first = bus.plug(VirtualDevice(serial="A1"))
    second = bus.plug(VirtualDevice(serial="B2", ports=(2,)))
    bus.plug(VirtualDevice(product=0x8101, ports=(3,)))

    async def run() -> None:
        with pytest.raises(LinkLostError, match="several devices fit; write one of usb:1-1"):
            await open_line("usb:2d80:8001", INFO).open()
        with pytest.raises(PortMissingError):
            await open_line("usb:2d80:8001/C3", INFO).open()
        by_serial = open_line("usb:2D80:8001/B2", INFO)
        await by_serial.open()
        by_port = open_line("usb:1-1.4", INFO)
        await by_port.open()
        first.report(b"\x01")
        second.report(b"\x02")
        assert await gather(by_port, 1) == b"\x01"
        assert await gather(by_serial, 1) == b"\x02"
        by_port.close()
        by_serial.close()
        await released(first)
        await released(second)

    asyncio.run(run())


def test_a_board_without_a_serial_number_has_none(board: VirtualDevice) -> None:
    assert_refused(board, PortMissingError, "no such device", "usb:2d80:8001/B2")


def test_what_is_no_board_keeps_its_driver(bus: VirtualUsb) -> None:
    keyboard = bus.plug(VirtualDevice(vendor=0x046D))
    assert_refused(keyboard, PortMissingError, "no such device", "usb:1-1.4")


def test_devices_are_listed_without_opening_them(bus: VirtualUsb) -> None:
    bus.plug(VirtualDevice(ports=(10,), denied=True))
    bus.plug(VirtualDevice(ports=(2, 3), product=0x8101))
    bus.plug(VirtualDevice(vendor=0x046D))
    bus.plug(VirtualDevice(vendor=0x1209, product=0xACE1, bus=2, ports=()))
    bus.plug(VirtualDevice(ports=(5,), interfaces=[]))
    assert usb_devices([INFO, Dgt.info]) == [
        UsbDevice(vendor=0x2D80, product=0x8101, port="1-2.3"),
        UsbDevice(vendor=0x2D80, product=0x8001, port="1-10"),
        UsbDevice(vendor=0x1209, product=0xACE1, port="2-0"),
    ]
    assert usb_devices([INFO])[0].address == "usb:1-2.3"
    assert usb_devices([Dgt.info]) == []
    assert all(device.handles == 0 for device in bus.devices)


def test_a_device_that_goes_while_it_is_listed(bus: VirtualUsb, board: VirtualDevice) -> None:
    board.unplug()
    assert bus.devices == [board]
    assert usb_devices([INFO]) == []


@pytest.mark.parametrize("place", ["x", "1", "1-", "2d80", "2d80:80011", "2d80:8001/", "1-1.4/A"])
def test_addresses_that_mean_nothing(place: str) -> None:
    with pytest.raises(AddressError, match="not usb:PORT"):
        open_line(f"usb:{place}", INFO)


def test_a_board_that_is_no_hid_device() -> None:
    with pytest.raises(AddressError, match="a dgt board is no USB HID device"):
        open_line("usb:1-1.4", Dgt.info)


def test_without_pyusb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "drivers.transports.usb", raising=False)
    monkeypatch.setitem(sys.modules, "usb", None)
    monkeypatch.setitem(sys.modules, "usb.core", None)
    with pytest.raises(AddressError, match=r"pip install 'eboard-bridge\[usb\]'"):
        open_line("usb:1-1.4", INFO)


def test_without_libusb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usb.backend.libusb1, "get_backend", lambda: None)
    with pytest.raises(AddressError, match="need the library libusb"):
        usb_devices([INFO])
    with pytest.raises(AddressError, match="need the library libusb"):
        asyncio.run(open_line("usb:1-1.4", INFO).open())


def test_errors_are_those_of_the_library() -> None:
    assert isinstance(error(errno.ETIMEDOUT), USBError)
    assert error(errno.ENODEV).errno == errno.ENODEV
