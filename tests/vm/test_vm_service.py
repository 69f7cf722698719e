"""The service under real systemd, with all that its unit forbids it."""

import asyncio
import contextlib
import os
import signal
from pathlib import Path

from testbed.vm.gadget import Gadget, Plugged
from tests.halls import at, eventually, game_file, written_moves
from tests.vm import service
from tests.vm.dgt_seat import GAME, DgtSeat
from tests.vm.gadgets import dgt

PORT = Path("/dev/ttyACM0")


async def live(unit: service.Unit, *, times: int) -> None:
    """Wait until the board is live for the so-many-th time."""
    await eventually(lambda: len(unit.log(" table 1: live on ")) >= times, f"live {times}")
    await asyncio.sleep(1.0)


def test_a_service_that_is_killed_returns_and_goes_on_with_the_game() -> None:
    async def run(board: Gadget) -> None:
        seat = DgtSeat()
        usb = Plugged(board, seat.board)
        with contextlib.closing(usb), service.installed([f"driver: dgt, {at(PORT)}"]) as unit:
            usb.plug()
            assert unit.shown("ActiveState") == "active"
            await live(unit, times=1)
            await seat.play(0, 4, usb.wake)
            killed = int(unit.shown("MainPID"))
            os.kill(killed, signal.SIGKILL)
            await eventually(lambda: unit.shown("NRestarts") == "1", "the restart")
            await live(unit, times=2)
            assert int(unit.shown("MainPID")) != killed
            await seat.play(4, len(GAME), usb.wake)
            await eventually(lambda: written_moves(service.STATE) == list(GAME), "the game")
            assert game_file(service.STATE).owner() == service.NAME
            service.systemctl("reload", service.NAME)
            await eventually(lambda: unit.log("the configuration is taken"), "the reload")
            assert unit.shown("StatusText") == "follows 1 tables"

    with dgt() as board:
        asyncio.run(run(board))
