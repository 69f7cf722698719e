"""Simulated boards behind the kernel's real terminals, opened with the real pyserial."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import chess
import pytest
import serial

from drivers.boards.dgt import Dgt
from drivers.events import Snapshot
from drivers.simulated.dgt import DgtBoard, Mode, Passport
from drivers.simulated.pty import PtyPort

PATIENCE = 20.0


def with_board(
    path: Path, test: Callable[[DgtBoard, PtyPort], Awaitable[None]], *, baud: int = 9600
) -> None:
    async def run() -> None:
        board = DgtBoard(Passport(), baud=baud)
        board.set_up(chess.Board().piece_map(), at=0.0)
        port = PtyPort(path, board)
        try:
            port.plug()
            await test(board, port)
        finally:
            port.close()

    asyncio.run(run())


def opened(path: Path) -> serial.Serial:
    return serial.Serial(str(path), 9600, timeout=0, exclusive=True)


def node(port: PtyPort) -> str:
    return str(port.path.resolve())


async def heard(host: serial.Serial, length: int) -> bytes:
    """Read until *length* bytes have come."""
    data = b""
    async with asyncio.timeout(PATIENCE):
        while len(data) < length:
            data += host.read(length - len(data))
            await asyncio.sleep(0.005)
    return data


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - the board tells nobody
            await asyncio.sleep(0.005)


def test_a_round_trip_through_pyserial(tmp_path: Path) -> None:
    async def test(board: DgtBoard, port: PtyPort) -> None:
        with opened(port.path) as host:
            host.write(b"\x4b\x42")
            dump = await heard(host, 67)
            loop = asyncio.get_running_loop()
            (snapshot,) = Dgt().receive(dump, at=loop.time())
            assert isinstance(snapshot, Snapshot)
            assert snapshot.cells.startswith("RNBQKBNR")
            board.lift(chess.E2, at=loop.time())
            port.wake()
            assert (await heard(host, 5)).hex(" ") == "8e 00 05 34 00"

    with_board(tmp_path / "dev" / "board", test)


def test_the_board_survives_that_the_host_goes_and_comes(tmp_path: Path) -> None:
    async def test(board: DgtBoard, port: PtyPort) -> None:
        with opened(port.path) as host:
            host.write(b"\x4b")
            await until(lambda: board.mode is Mode.UPDATE_NICE)
        board.lift(chess.E2, at=asyncio.get_running_loop().time())
        port.wake()
        await asyncio.sleep(0.3)
        with opened(port.path) as host:
            host.write(b"\x42")
            assert (await heard(host, 67))[3 + 0x34] == 0
        assert board.mode is Mode.UPDATE_NICE

    with_board(tmp_path / "board", test)


def test_unplugging_is_seen_and_the_board_comes_back_on_another_node(tmp_path: Path) -> None:
    async def test(board: DgtBoard, port: PtyPort) -> None:
        host = opened(port.path)
        first = node(port)
        port.unplug()
        assert not port.plugged
        assert not port.path.is_symlink()
        with pytest.raises(serial.SerialException):
            host.read(1)
        host.close()
        port.unplug()
        board.lift(chess.E2, at=asyncio.get_running_loop().time())
        port.wake()
        port.plug()
        assert port.plugged
        second = node(port)
        assert second != first
        port.plug()
        assert node(port) == second
        await asyncio.sleep(0.3)
        with opened(port.path) as host:
            host.write(b"\x42")
            assert (await heard(host, 67))[3 + 0x34] == 0

    with_board(tmp_path / "board", test)


def test_what_nobody_reads_is_lost_as_on_a_wire(tmp_path: Path) -> None:
    async def test(board: DgtBoard, port: PtyPort) -> None:
        loop = asyncio.get_running_loop()
        with opened(port.path) as host:
            host.write(b"\x4b")
            await until(lambda: board.mode is Mode.UPDATE_NICE)
            for _ in range(5):
                board.send_log(at=loop.time())
            port.wake()
            await until(lambda: port.lost_bytes > 0)
            host.reset_input_buffer()

    with_board(tmp_path / "board", test, baud=2_000_000)


def test_what_is_said_while_unplugged_is_lost(tmp_path: Path) -> None:
    async def test(board: DgtBoard, port: PtyPort) -> None:
        port.unplug()
        board.receive(b"\x45", at=asyncio.get_running_loop().time())
        port.wake()
        assert port.lost_bytes == 8

    with_board(tmp_path / "board", test)
