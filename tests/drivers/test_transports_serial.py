"""Serial lines: real pyserial on real ptys."""

import asyncio
import contextlib
import errno
import fcntl
import gc
import os
import resource
import subprocess
import sys
import termios
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from drivers.boards.dgt import Dgt
from drivers.errors import (
    AddressError,
    DriverError,
    LinkLostError,
    PortBusyError,
    PortDeniedError,
    PortMissingError,
)
from drivers.transports import open_line
from drivers.transports.descriptor import OUTBOX_BYTES, DescriptorLine
from drivers.transports.line import INBOX_BYTES, Line
from drivers.transports.serial import OPENING, _explain
from tests.halls import eventually
from tests.ptys import Pty, plugged

INFO = Dgt.info
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Pty]:
    with plugged(tmp_path / "usb-Acme_Board-if00") as pty:
        yield pty


async def gather(line: Line, size: int) -> bytes:
    data = b""
    while len(data) < size:
        chunk = await line.read(5)
        assert chunk is not None, f"only {data!r}"
        data += chunk[1]
    return data


async def said(port: Pty, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += port.received()
        await asyncio.sleep(0)
    return data


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_bytes_both_ways(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        before = time.monotonic()
        port.send(b"\x86\x00\x43")
        chunk = await line.read(5)
        assert chunk is not None
        assert before <= chunk[0] <= time.monotonic()
        assert chunk[1] == b"\x86\x00\x43"
        line.write(b"\x42\x44")
        assert await said(port, 2) == b"\x42\x44"
        line.close()

    asyncio.run(run())


def test_every_byte_value_arrives_unchanged(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        every = bytes(range(256))
        port.send(every)
        assert await gather(line, 256) == every
        line.write(every)
        assert await said(port, 256) == every
        line.close()

    asyncio.run(run())


def test_nothing_within_the_timeout(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        assert await line.read(0.01) is None
        assert await line.read(0) is None
        port.send(b"\x01")
        chunk = await line.read(None)
        assert chunk is not None
        assert chunk[1] == b"\x01"
        line.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("option", "baud"), [("", 9600), ("?baud=38400", 38400), ("?baud=250000", 250000)]
)
def test_the_speed_is_set(port: Pty, option: str, baud: int) -> None:
    async def run() -> None:
        line = open_line(port.address + option, INFO)
        await line.open()
        assert port.baud == baud
        line.close()

    asyncio.run(run())


def test_an_open_line_costs_one_descriptor(port: Pty) -> None:
    async def run() -> None:
        before = descriptors()
        line = open_line(port.address, INFO)
        await line.open()
        assert descriptors() == before + 1
        line.close()
        assert descriptors() == before
        line.close()

    asyncio.run(run())


def test_unplugging_ends_the_reading_and_removes_the_reader(
    port: Pty, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    readable = DescriptorLine._readable

    def counted(line: DescriptorLine) -> None:
        calls.append(1)
        readable(line)

    monkeypatch.setattr(DescriptorLine, "_readable", counted)

    async def run() -> None:
        before = descriptors()
        line = open_line(port.address, INFO)
        await line.open()
        reading = asyncio.create_task(line.read(None))
        await asyncio.sleep(0.01)
        assert calls == []
        port.unplug()
        with pytest.raises(LinkLostError, match="Acme_Board"):
            await reading
        await asyncio.sleep(0.05)
        assert calls == [1]
        assert descriptors() == before - 2, "the pty's ends and the port are all closed"
        with pytest.raises(LinkLostError):
            await line.read(0)
        with pytest.raises(LinkLostError):
            line.write(b"\x42")

    asyncio.run(run())


def test_bytes_before_the_loss_are_given_first(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        port.send(b"\x01\x02")
        await asyncio.sleep(0.05)
        port.unplug()
        await asyncio.sleep(0.05)
        assert await gather(line, 2) == b"\x01\x02"
        with pytest.raises(LinkLostError):
            await line.read(5)

    asyncio.run(run())


def test_a_write_into_a_port_that_went_is_a_loss(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        port.unplug()
        with pytest.raises(LinkLostError):
            line.write(b"\x42")
        with pytest.raises(LinkLostError):
            await line.read(0)

    asyncio.run(run())


def test_plugged_in_again_on_another_node(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        first = port.node
        port.unplug()
        with pytest.raises(LinkLostError):
            await line.read(5)
        with pytest.raises(PortMissingError, match="plug the board in"):
            await line.open()
        port.plug()
        assert port.node != first
        await line.open()
        port.send(b"\x93")
        assert await gather(line, 1) == b"\x93"
        line.close()

    asyncio.run(run())


def test_a_slow_reader_loses_nothing_that_the_kernel_keeps(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        sent = 0
        while sent < INBOX_BYTES + 4096:  # the line stops taking, the rest waits in the kernel
            with contextlib.suppress(BlockingIOError):  # the line takes a moment to take it
                port.send(b"\x55" * 1024)
                sent += 1024
            await asyncio.sleep(0.0005)
        assert await gather(line, sent) == b"\x55" * sent
        line.close()

    asyncio.run(run())


def test_a_slow_device_gets_everything_in_order(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        want = b"".join(i.to_bytes(2, "big") for i in range(20000))
        for start in range(0, len(want), 1000):
            line.write(want[start : start + 1000])
        assert await said(port, len(want)) == want
        line.write(b"!")
        assert await said(port, 1) == b"!"
        line.close()

    asyncio.run(run())


def test_a_device_that_takes_nothing_is_lost(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        line.write(bytes(OUTBOX_BYTES // 2))
        line.write(bytes(OUTBOX_BYTES // 2))
        with pytest.raises(LinkLostError, match="takes nothing"):
            line.write(bytes(OUTBOX_BYTES // 2))

    asyncio.run(run())


def test_unplugging_with_bytes_still_to_send(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        line.write(bytes(OUTBOX_BYTES // 2))
        port.unplug()
        with pytest.raises(LinkLostError):
            await line.read(5)

    asyncio.run(run())


def test_closing_wakes_the_reader(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        await line.open()
        reading = asyncio.create_task(line.read(None))
        await asyncio.sleep(0)
        line.close()
        with pytest.raises(LinkLostError, match="closed"):
            await reading

    asyncio.run(run())


def test_a_line_that_was_never_opened(port: Pty) -> None:
    async def run() -> None:
        line = open_line(port.address, INFO)
        with pytest.raises(LinkLostError, match="not open"):
            await line.read(1)
        with pytest.raises(LinkLostError, match="not open"):
            line.write(b"\x42")

    asyncio.run(run())


def test_a_port_is_held_exclusively(port: Pty) -> None:
    async def run() -> None:
        first, second = open_line(port.address, INFO), open_line(port.address, INFO)
        await first.open()
        with pytest.raises(PortBusyError, match="another program holds this port"):
            await second.open()
        exclusive = fcntl.ioctl(port._slave, termios_tiocgexcl(), bytes(4))
        assert exclusive[0] == 1
        first.close()
        await second.open()
        second.close()
        assert fcntl.ioctl(port._slave, termios_tiocgexcl(), bytes(4))[0] == 0

    asyncio.run(run())


def termios_tiocgexcl() -> int:
    return 0x80045440  # absent from the termios module


def test_a_missing_port(tmp_path: Path) -> None:
    async def run() -> None:
        with pytest.raises(PortMissingError, match="no such port"):
            await open_line(f"serial:{tmp_path}/ttyACM0", INFO).open()

    asyncio.run(run())


def test_a_try_to_open_leaves_nothing_for_the_garbage_collector(tmp_path: Path) -> None:
    """A board that is switched off at night is looked for every few seconds."""

    async def run() -> "weakref.ref[PortMissingError]":
        try:
            await open_line(f"serial:{tmp_path}/ttyACM0", INFO).open()
        except PortMissingError as error:
            return weakref.ref(error)
        raise AssertionError("there was a port")

    gc.disable()
    try:
        error = asyncio.run(run())
        # The thread that opened lets go of it a moment after it has said so.
        asyncio.run(eventually(lambda: error() is None, "nobody holds the error"))
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.EHOSTDOWN, PortMissingError, "does not answer by Bluetooth; switch it on"),
        (errno.EHOSTUNREACH, PortMissingError, "does not answer by Bluetooth"),
        (errno.ETIMEDOUT, PortMissingError, "does not answer by Bluetooth"),
        (errno.ECONNREFUSED, PortBusyError, "release and bind the port anew"),
        (errno.ENODEV, PortMissingError, "there is no such port"),
        (errno.ECONNRESET, LinkLostError, "cannot be opened: "),
    ],
)
def test_what_opening_a_bluetooth_port_says(
    number: int, kind: type[DriverError], words: str
) -> None:
    """A pty cannot say so: there the radio connects while the port is opened."""
    error = _explain("/dev/rfcomm0", serial.SerialException(number, os.strerror(number)))
    assert type(error) is kind
    assert str(error).startswith("/dev/rfcomm0: ")
    assert words in str(error)


def test_a_file_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("x")

    async def run() -> None:
        with pytest.raises(LinkLostError, match="cannot be opened"):
            await open_line(f"serial:{tmp_path}/notes", INFO).open()

    asyncio.run(run())


OPEN_AS_USER = """
import asyncio, os, sys
from drivers.boards.dgt import Dgt
from drivers.errors import DriverError
from drivers.transports import open_line
import drivers.transports.serial
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    asyncio.run(open_line(sys.argv[1], Dgt.info).open())
except DriverError as error:
    print(type(error).__name__, error)
"""


def as_another_user(address: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", OPEN_AS_USER, address],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


def test_a_port_without_permission(port: Pty) -> None:
    Path(port.node).chmod(0)
    answer = as_another_user(f"serial:{port.node}")
    assert answer.startswith(PortDeniedError.__name__)
    assert "dialout" in answer


def test_a_port_that_is_held_against_everyone(port: Pty) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root, to try as another user")
    Path(port.node).chmod(0o666)
    fcntl.ioctl(port._slave, termios.TIOCEXCL)
    assert as_another_user(f"serial:{port.node}").startswith(PortBusyError.__name__)


def test_giving_up_while_opening_leaves_nothing_open(port: Pty) -> None:
    async def run() -> None:
        before = descriptors()
        for _ in range(20):
            opening = asyncio.create_task(open_line(port.address, INFO).open())
            await asyncio.sleep(0)
            opening.cancel()
            with pytest.raises((asyncio.CancelledError, PortBusyError)):
                await opening
        line = open_line(port.address, INFO)
        while True:
            try:
                await line.open()
            except PortBusyError:
                await asyncio.sleep(0.01)
            else:
                break
        line.close()
        for _ in range(1000):
            if descriptors() <= before:
                return
            await asyncio.sleep(0.01)
        pytest.fail("a port was left open")

    asyncio.run(run())


def test_descriptors_above_1023_are_no_limit(port: Pty) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2048:
        pytest.skip("the hard limit of open files is below 2048")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2048), hard))
    taken = [os.open(os.devnull, os.O_RDONLY) for _ in range(1050)]
    try:

        async def run() -> None:
            line = open_line(port.address, INFO)
            await line.open()
            port.send(b"\x01")
            assert await gather(line, 1) == b"\x01"
            line.close()

        asyncio.run(run())
    finally:
        for fd in taken:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_pyserial_is_named_where_it_is_absent() -> None:
    code = (
        "import sys; sys.modules['serial'] = None\n"
        "from drivers.boards.dgt import Dgt\n"
        "from drivers.errors import AddressError\n"
        "from drivers.transports import open_line\n"
        "open_line('tcp:localhost:1', Dgt.info)\n"
        "try: open_line('serial:/dev/ttyS0', Dgt.info)\n"
        "except AddressError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "eboard-bridge[serial]" in done.stdout


@pytest.mark.parametrize("baud", ["0", "-1", "x", "", "9600.5"])
def test_a_speed_that_is_none(baud: str) -> None:
    with pytest.raises(AddressError, match="baud must be a whole number"):
        open_line(f"serial:/dev/ttyS0?baud={baud}", INFO)


@pytest.fixture
def wedged() -> Iterator[threading.Event]:
    """Every thread that opens ports is stuck in a device, until the event is set."""
    free = threading.Event()
    stuck = [OPENING.submit(free.wait) for _ in range(OPENING._max_workers)]
    try:
        yield free
    finally:
        free.set()
        for one in stuck:
            one.result()


def test_a_port_that_does_not_open_is_given_up_in_time_and_closed_when_it_does(
    port: Pty, wedged: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.transports.serial.OPEN_SECONDS", 0.1)

    async def run() -> None:
        line = open_line(port.address, INFO)
        before = descriptors()
        with pytest.raises(LinkLostError, match=r"does not open within 0\.1 s; if that goes on"):
            await line.open()
        with pytest.raises(PortBusyError, match="is still being opened; if that goes on"):
            await line.open()
        wedged.set()
        monkeypatch.setattr("drivers.transports.serial.OPEN_SECONDS", 30.0)
        while True:
            try:
                await line.open()
                break
            except PortBusyError:  # the late one is not closed yet
                await asyncio.sleep(0.01)
        assert descriptors() == before + 1
        line.close()

    asyncio.run(run())
