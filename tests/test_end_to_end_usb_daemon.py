"""A daemon in this process that serves a board on a virtual USB, up to the PGN file."""

import asyncio
from pathlib import Path

import chess

from bridge.config import load
from bridge.daemon.service import Service
from drivers.simulated.chessnut import ChessnutBoard
from testbed.usb_boards import UsbBoard
from testbed.virtual_usb import VirtualUsb, usb_threads, virtual_usb
from tests.halls import eventually, written_moves

CONFIG = """\
event: {name: Test, round: 1, date: 2026-11-20}
tables:
  - {table: "1", board: {port: "usb:2d80:8001", driver: chessnut}}
"""
GAME = ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f6e4", "e1g1"]
PACE = 0.45


async def play(board: ChessnutBoard, usb: UsbBoard) -> None:
    """Play with one hand; what leaves a square is lifted before anything is put."""
    position = chess.Board()
    for uci in GAME:
        before = position.piece_map()
        position.push_uci(uci)
        after = position.piece_map()
        for square in before:
            if before[square] != after.get(square):
                board.lift(square, at=usb.now())
        await asyncio.sleep(PACE)
        for square in after:
            if before.get(square) != after[square]:
                board.put(square, after[square], at=usb.now())
        await asyncio.sleep(PACE)


def test_a_game_on_usb_is_written(tmp_path: Path) -> None:
    path = tmp_path / "hall.yaml"
    path.write_text(CONFIG, encoding="utf-8")

    async def run(bus: VirtualUsb) -> None:
        usb = UsbBoard(bus, 1, speed=1.0)
        service, stop = Service(load(path)), asyncio.Event()
        task = asyncio.create_task(service.run(stop))
        usb.plug()
        await eventually(lambda: usb.model.real_time, "the wish for reports")
        await asyncio.sleep(2.0)
        await play(usb.model, usb)
        await eventually(lambda: written_moves(tmp_path) == GAME, "all moves in the file")
        stop.set()
        await task
        await eventually(lambda: not usb_threads(), "the end of all threads")
        assert usb.device.interfaces[0].kernel_driver
        usb.close()

    with virtual_usb() as bus:
        asyncio.run(run(bus))
