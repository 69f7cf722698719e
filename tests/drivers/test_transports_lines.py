"""Addresses, and the lines that need no port: memory, tcp and replay."""

import asyncio
import math
import socket
import time
from pathlib import Path

import pytest

from drivers.boards.dgt import Dgt
from drivers.errors import (
    AddressError,
    CaptureError,
    LinkLostError,
    PortMissingError,
)
from drivers.transports import open_line
from drivers.transports.line import INBOX_BYTES
from drivers.transports.memory import memory_pair
from drivers.transports.replay import ReplayLine

INFO = Dgt.info


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("/dev/ttyACM0", "an address begins with one of serial:, "),
        ("spi:1-2", "an address begins with one of serial:, "),
        ("serial", "an address begins with one of serial:, "),
        ("serial:", "nothing behind serial:"),
        ("serial:/dev/ttyS0?baudrate=9600", "has no option 'baudrate'"),
        ("tcp:host", "not tcp:HOST:PORT"),
        ("tcp::1000", "not tcp:HOST:PORT"),
        ("tcp:host:http", "not tcp:HOST:PORT"),
        ("tcp:host:65536", "not tcp:HOST:PORT"),
        ("tcp:host:0", "not tcp:HOST:PORT"),
        ("tcp:host:80?baud=9600", "has no option 'baud'"),
        ("replay:game?speed=fast", "speed must be above 0, or max"),
        ("replay:game?speed=0", "speed must be above 0, or max"),
        ("replay:game?speed=nan", "speed must be above 0, or max"),
        ("replay:game?loop=", "has no option 'loop'"),
    ],
)
def test_an_address_that_means_nothing(address: str, complaint: str) -> None:
    with pytest.raises(AddressError) as caught:
        open_line(address, INFO)
    assert complaint in str(caught.value)
    assert address in str(caught.value)


# --- memory -------------------------------------------------------------------------------------


def test_two_ends_in_memory() -> None:
    async def run() -> None:
        times = iter([1.0, 2.0, 3.0])
        here, there = memory_pair("x", lambda: next(times))
        with pytest.raises(LinkLostError, match="memory:x: is not open"):
            here.write(b"a")
        with pytest.raises(LinkLostError, match="memory:x: is not open"):
            await here.read(1)
        await here.open()
        here.write(b"missed: nobody is there")
        await there.open()
        here.write(b"a")
        here.write(b"b")
        there.write(b"c")
        assert await there.read(1) == (1.0, b"a")
        assert await there.read(None) == (2.0, b"b")
        assert await here.read(1) == (3.0, b"c")
        assert await here.read(0) is None

    asyncio.run(run())


def test_the_other_end_closes() -> None:
    async def run() -> None:
        here, there = memory_pair("x", lambda: 0.0)
        await here.open()
        await there.open()
        there.write(b"last")
        reading = asyncio.create_task(there.read(None))
        await asyncio.sleep(0)
        here.write(b"first")
        here.write(b"second")
        assert await reading == (0.0, b"first")
        assert await there.read(0) == (0.0, b"second")
        reading = asyncio.create_task(there.read(None))
        await asyncio.sleep(0)
        there.close()
        with pytest.raises(LinkLostError, match="closed"):
            await reading
        assert await here.read(None) == (0.0, b"last")
        for _ in range(2):
            with pytest.raises(LinkLostError, match="the other end is gone"):
                await here.read(None)
        with pytest.raises(LinkLostError, match="the other end is gone"):
            here.write(b"x")
        await here.open()
        assert await here.read(0) is None

    asyncio.run(run())


def test_an_end_that_is_not_read() -> None:
    async def run() -> None:
        here, there = memory_pair("x", lambda: 0.0)
        await here.open()
        await there.open()
        here.write(bytes(INBOX_BYTES))
        with pytest.raises(LinkLostError, match="takes nothing"):
            here.write(b"x")
        await there.read(0)
        here.write(b"x")

    asyncio.run(run())


# --- tcp ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_board_behind_a_socket(host: str) -> None:
    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = f"tcp:{host}:{server.getsockname()[1]}"
            line = open_line(address, INFO)
            await line.open()
            board, _ = server.accept()
            with board:
                line.write(b"\x42\x00\xff")
                board.sendall(board.recv(100) + b"!")
                chunk = await line.read(5)
                assert chunk is not None
                assert chunk[1] == b"\x42\x00\xff!"
                assert await line.read(0.01) is None
            with pytest.raises(LinkLostError, match=address):
                await line.read(5)
            await line.open()
            board, _ = server.accept()
            with board:
                line.close()
                assert board.recv(100) == b""

    asyncio.run(run())


def test_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

        async def run() -> None:
            with pytest.raises(PortMissingError, match="nothing listens"):
                await open_line(f"tcp:127.0.0.1:{port}", INFO).open()

        asyncio.run(run())


def test_a_host_that_is_not_known() -> None:
    async def run() -> None:
        with pytest.raises(PortMissingError, match="unknown host"):
            await open_line("tcp:no.such.host.invalid:1", INFO).open()

    asyncio.run(run())


def test_a_host_that_cannot_be_reached() -> None:
    async def run() -> None:
        with pytest.raises(LinkLostError, match=r"tcp:255\.255\.255\.255:9: "):
            await open_line("tcp:255.255.255.255:9", INFO).open()

    asyncio.run(run())


def test_a_connection_that_is_reset() -> None:
    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            line = open_line(f"tcp:127.0.0.1:{server.getsockname()[1]}", INFO)
            await line.open()
            accepted, _ = server.accept()
            linger = (1).to_bytes(4, "little") + bytes(4)
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            accepted.close()
            with pytest.raises(LinkLostError, match="reset"):
                await line.read(5)

    asyncio.run(run())


def test_a_server_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.transports.tcp.CONNECT_SECONDS", 0.05)

    async def run() -> None:
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen(0)
            address = server.getsockname()
            crowd = [socket.socket() for _ in range(8)]  # fills the queue; the rest is not answered
            for one in crowd:
                one.setblocking(False)
                one.connect_ex(address)
            with pytest.raises(PortMissingError, match="no answer for"):
                await open_line(f"tcp:127.0.0.1:{address[1]}", INFO).open()
            for one in crowd:
                one.close()

    asyncio.run(run())


# --- replay -------------------------------------------------------------------------------------

GAME = """\
# Driver: dgt
> 0.000 42
< 0.100 86 00
< 0.200 43
! 1.000 lost
! 31.000 opened
> 31.000 42
< 31.100 93
"""


def capture(folder: Path, text: str = GAME) -> Path:
    path = folder / "game.capture"
    path.write_text(text)
    return path


def test_a_capture_at_full_speed(tmp_path: Path) -> None:
    async def run() -> None:
        line = open_line(f"replay:{capture(tmp_path)}?speed=max", INFO, now=lambda: 1000.0)
        with pytest.raises(LinkLostError, match="not open"):
            await line.read(1)
        await line.open()
        line.write(b"\x42")
        assert await line.read(0) == (1000.1, b"\x86\x00")
        assert await line.read(None) == (1000.2, b"\x43")
        for _ in range(2):
            with pytest.raises(LinkLostError, match="lost, as the capture was"):
                await line.read(1)
        with pytest.raises(LinkLostError, match="lost, as the capture was"):
            line.write(b"\x42")
        await line.open()
        assert await line.read(1) == (1031.1, b"\x93")
        with pytest.raises(LinkLostError, match="end of the capture"):
            await line.read(1)
        with pytest.raises(PortMissingError, match="end of the capture"):
            await line.open()

    asyncio.run(run())


def test_a_capture_in_time(tmp_path: Path) -> None:
    async def run() -> None:
        line = open_line(f"replay:{capture(tmp_path)}?speed=100", INFO)
        start = time.monotonic()
        await line.open()
        assert await line.read(0) is None, "not sent yet"
        data = [chunk[1] for _ in range(2) if (chunk := await line.read(None))]
        assert data == [b"\x86\x00", b"\x43"]
        with pytest.raises(LinkLostError):
            await line.read(None)
        assert time.monotonic() - start >= 0.01
        await line.open()
        assert time.monotonic() - start >= 0.31, "it was away for 30 s"
        chunk = await line.read(None)
        assert chunk is not None
        assert chunk[0] - start >= 31.1, "arrival times are the capture's"

    asyncio.run(run())


def test_a_capture_that_is_closed_goes_on(tmp_path: Path) -> None:
    async def run() -> None:
        line = ReplayLine("replay:x", capture(tmp_path), math.inf, lambda: 0.0)
        await line.open()
        assert await line.read(0) == (0.1, b"\x86\x00")
        line.close()
        with pytest.raises(LinkLostError, match="closed"):
            await line.read(0)
        await line.open()
        assert await line.read(0) == (0.2, b"\x43")

    asyncio.run(run())


def test_a_file_that_is_no_capture(tmp_path: Path) -> None:
    async def run() -> None:
        with pytest.raises(CaptureError, match=r"nothing\.capture: No such file"):
            await open_line(f"replay:{tmp_path}/nothing.capture", INFO).open()
        path = capture(tmp_path, GAME + "garbage\n")
        with pytest.raises(CaptureError, match=r"game\.capture:9: "):
            await open_line(f"replay:{path}", INFO).open()

    asyncio.run(run())


def test_a_long_capture_lets_others_have_their_turn(tmp_path: Path) -> None:
    path = capture(tmp_path, "# Driver: dgt\n" + "< 1.0 42\n" * 1000)

    async def run() -> None:
        line = open_line(f"replay:{path}?speed=max", INFO)
        await line.open()
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        for _ in range(1000):
            await line.read(None)
        task.cancel()
        assert turns >= 900

    asyncio.run(run())
