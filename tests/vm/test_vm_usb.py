"""A Chessnut board on USB: the kernel's own HID driver, usbfs, udevd, and unmodified pyusb."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from drivers.boards.chessnut.protocol import REPORT_LENGTH
from drivers.simulated.chessnut import ChessnutBoard
from testbed.vm.gadget import Gadget, Plugged
from tests.halls import Daemon, eventually, write_config, written_moves
from tests.playing import play
from tests.vm.gadgets import chessnut
from tests.vm.rules import udev_rules
from tests.vm.users import as_user, give

GAME = ("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f6e4", "e1g1", "e4f2")
PACE = 0.5


@pytest.fixture
def board() -> Iterator[Gadget]:
    with chessnut() as gadget:
        yield gadget


class Seat:
    """A board with hands, and a daemon of somebody without rights."""

    def __init__(self, gadget: Gadget, folder: Path) -> None:
        give(folder)
        config = write_config(folder, ['driver: chessnut, port: "usb:2d80:8001"'])
        self.board = ChessnutBoard(wire="usb")
        self.board.set_up(chess.Board().piece_map(), at=0.0)
        self.usb = Plugged(gadget, self.board, report=REPORT_LENGTH)
        self.daemon = Daemon(config, wrapper=as_user("dialout"))

    def unplug(self) -> None:
        self.usb.unplug()
        self.board.disconnect(at=asyncio.get_running_loop().time())

    async def play(self, begin: int, end: int) -> None:
        await play(self.board, GAME, range(begin, end), self.usb.wake, pace=PACE, rest=PACE)


def hidraw() -> list[str]:
    """The kernel's own driver shows a board so, while it has it."""
    return [path.name for path in Path("/dev").glob("hidraw*")]


def test_a_game_is_followed_over_an_unplugging_and_the_kernel_gets_its_board_back(
    board: Gadget, tmp_path: Path
) -> None:
    async def run() -> None:
        seat = Seat(board, tmp_path)
        with contextlib.closing(seat.usb):
            seat.usb.plug()
            await eventually(hidraw, "the kernel's driver")
            async with seat.daemon as daemon:
                await daemon.live()
                assert not hidraw(), "the kernel's driver is detached while we have the board"
                await seat.play(0, 4)
                seat.unplug()
                await eventually(lambda: daemon.log("table 1", "lost"), "the loss")
                seat.usb.plug()
                await daemon.live()
                await seat.play(4, len(GAME))
                await eventually(lambda: written_moves(tmp_path) == list(GAME), "the whole game")
                assert await daemon.end() == 0
            await eventually(hidraw, "the kernel's driver, given back")

    with udev_rules():
        asyncio.run(run())


def test_a_daemon_that_was_killed_takes_the_board_again(board: Gadget, tmp_path: Path) -> None:
    async def run() -> None:
        seat = Seat(board, tmp_path)
        with contextlib.closing(seat.usb):
            seat.usb.plug()
            async with seat.daemon as daemon:
                await daemon.live()
                await seat.play(0, 3)
                await eventually(lambda: len(written_moves(tmp_path)) >= 2, "two moves")
                await daemon.end(signal.SIGKILL)
            async with Daemon(tmp_path / "hall.yaml", wrapper=as_user("dialout")) as daemon:
                await daemon.live()
                await seat.play(3, 6)
                await eventually(
                    lambda: written_moves(tmp_path)[:5] == list(GAME[:5]), "the moves of both"
                )

    with udev_rules():
        asyncio.run(run())


def test_without_our_rules_it_is_said_what_to_do(board: Gadget, tmp_path: Path) -> None:
    async def run() -> None:
        seat = Seat(board, tmp_path)
        with contextlib.closing(seat.usb):
            seat.usb.plug()
            async with seat.daemon as daemon:
                await eventually(
                    lambda: daemon.log("may not open the board", "install the udev rules"),
                    "the reason",
                )
            assert hidraw(), "nobody has taken it from the kernel"

    asyncio.run(run())
