"""Boards that light wrong squares: by serial port, USB and radio, each through its real library."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import chess

from benchmarks.boards.ports import Port, RadioPort
from bridge.config import load
from bridge.daemon.service import Service
from drivers.boards.ichessone import IChessOne
from drivers.simulated.chessnut import ChessnutBoard
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.millennium import MillenniumBoard
from drivers.simulated.pty import PtyPort
from testbed.fake_ble import services_of
from testbed.fake_bluez import FakeBlueZ
from testbed.private_dbus import private_dbus
from testbed.usb_boards import UsbBoard
from testbed.virtual_usb import VirtualUsb, usb_threads, virtual_usb
from tests.halls import eventually

RADIO = "AA:BB:CC:00:00:01"
CONFIG = """\
event: {{name: Test, round: 1, date: 2026-11-20, rule_set: home}}
tables:
  - {{table: millennium, feedback: true, board: {{driver: millennium, port: {ports}/millennium}}}}
  - {{table: usb, feedback: true, board: {{driver: chessnut, port: "usb:2d80:8001"}}}}
  - {{table: radio, feedback: true, board: {{driver: ichessone, port: "ble:{radio}"}}}}
  - {{table: dark, board: {{driver: millennium, port: {ports}/dark}}}}
"""
Lit = MillenniumBoard | ChessnutBoard | IChessOneBoard
STRAYED = {chess.D1, chess.D4}


class Seat:
    """A board, and how it is connected."""

    def __init__(self, board: Lit, port: Port | UsbBoard) -> None:
        self.board = board
        self.port = port

    def now(self) -> float:
        if isinstance(self.port, UsbBoard):
            return self.port.now()
        return asyncio.get_running_loop().time()

    @property
    def lit(self) -> set[chess.Square]:
        """The squares with light as White sees them."""
        return {63 - square if self.board.rotated else square for square in self.board.lit}

    def stand(self, square: chess.Square, piece: chess.Piece | None) -> None:
        if piece is None:
            self.board.lift(square, at=self.now())
        else:
            self.board.put(square, piece, at=self.now())
        if not isinstance(self.port, UsbBoard):
            self.port.wake()

    def loses_power(self) -> None:
        if isinstance(self.board, MillenniumBoard):
            self.board.lamps = ""
        else:
            self.board.lit.clear()

    def move_queen(self, origin: chess.Square, target: chess.Square) -> None:
        self.stand(origin, None)
        self.stand(target, chess.Piece.from_symbol("Q"))


async def seats(folder: Path, bus: VirtualUsb, bluez: FakeBlueZ) -> dict[str, Seat]:
    found: dict[str, Seat] = {}
    for name, board in (
        ("millennium", MillenniumBoard(rotated=True)),
        ("dark", MillenniumBoard(seed=1)),
    ):
        found[name] = Seat(board, PtyPort(folder / "dev" / name, board))
    usb = UsbBoard(bus, 1, speed=1.0)
    found["usb"] = Seat(usb.model, usb)
    device = bluez.add_device(RADIO, "iChessOne", [services_of(IChessOne.info)])
    on_air = IChessOneBoard()
    found["radio"] = Seat(on_air, RadioPort(device, on_air, connect_seconds=0.1))
    for seat in found.values():
        seat.board.set_up(chess.Board().piece_map(), at=seat.now())
        seat.port.plug()
    return found


@contextlib.asynccontextmanager
async def serving(path: Path) -> AsyncIterator[Service]:
    service, stop = Service(load(path)), asyncio.Event()
    task = asyncio.create_task(service.run(stop))
    try:
        yield service
    finally:
        stop.set()
        await task


async def all_lit(seats: Iterable[Seat], squares: set[chess.Square], what: str) -> None:
    await eventually(lambda: all(seat.lit == squares for seat in seats), what)


def test_wrong_squares_are_lit_until_they_are_right_and_again_after_a_loss(tmp_path: Path) -> None:
    path = tmp_path / "hall.yaml"
    path.write_text(CONFIG.format(ports=tmp_path / "dev", radio=RADIO), encoding="utf-8")

    async def run(bus: VirtualUsb) -> None:
        async with private_dbus(), FakeBlueZ() as bluez:
            everybody = await seats(tmp_path, bus, bluez)
            lit = [seat for name, seat in everybody.items() if name != "dark"]
            async with serving(path) as service:
                tables = service.overview.tables.values()
                await eventually(lambda: all(view.game for view in tables), "all games")
                for seat in everybody.values():
                    seat.move_queen(chess.D1, chess.D4)
                await all_lit(lit, STRAYED, "the strayed queen's squares")
                for seat in lit:
                    seat.port.unplug()
                    seat.loses_power()
                await eventually(
                    lambda: sum(v.link is not None and v.link.state == "lost" for v in tables) == 3,
                    "all losses",
                )
                for seat in lit:
                    seat.port.plug()
                await all_lit(lit, STRAYED, "the squares once more")
                for seat in everybody.values():
                    seat.move_queen(chess.D4, chess.D1)
                await all_lit(lit, set(), "darkness")
                dark = everybody["dark"].board
                assert isinstance(dark, MillenniumBoard)
                assert dark.lamps == ""
            for seat in everybody.values():
                seat.port.close()
        await eventually(lambda: not usb_threads(), "the end of all threads")

    with virtual_usb() as bus:
        asyncio.run(run(bus))
