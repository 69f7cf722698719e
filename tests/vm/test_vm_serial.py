"""A DGT board that is a USB serial port: cdc_acm of the kernel, udevd, and unmodified pyserial."""

import asyncio
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from testbed.vm.gadget import Gadget, Plugged
from tests.halls import Daemon, at, eventually, write_config, written_moves
from tests.vm.dgt_seat import GAME, DgtSeat
from tests.vm.gadgets import dgt
from tests.vm.rules import udev_rules
from tests.vm.users import as_user, give

NAMES = Path("/dev/eboard")
DUMP = 0x86
HALF_A_DUMP = bytes((DUMP, 0, 67)) + bytes(30)


@pytest.fixture
def board() -> Iterator[Gadget]:
    with dgt() as gadget:
        yield gadget


def named() -> list[Path]:
    return list(NAMES.glob("*"))


def test_a_game_goes_on_after_an_unplugging_in_mid_message(board: Gadget, tmp_path: Path) -> None:
    async def run() -> None:
        seat = DgtSeat()
        usb = Plugged(board, seat.board)
        with contextlib.closing(usb):
            usb.plug()
            await eventually(named, "the name that our rules give")
            (port,) = named()
            config = write_config(tmp_path, [f"driver: dgt, {at(port)}"])
            async with Daemon(config, wrapper=as_user("dialout")) as daemon:
                await daemon.live()
                await seat.play(0, 4, usb.wake)
                usb.say(HALF_A_DUMP)
                await asyncio.sleep(0.1)
                usb.unplug()
                await eventually(lambda: daemon.log("table 1", "lost"), "the loss")
                await eventually(lambda: not named(), "the end of the name")
                usb.plug()
                await daemon.live()
                await seat.play(4, len(GAME), usb.wake)
                await eventually(lambda: written_moves(tmp_path) == list(GAME), "the whole game")
                assert await daemon.end() == 0

    give(tmp_path)
    with udev_rules():
        asyncio.run(run())


def test_nobody_else_can_open_the_port_while_we_have_it(board: Gadget, tmp_path: Path) -> None:
    async def run() -> int:
        seat = DgtSeat()
        usb = Plugged(board, seat.board)
        with contextlib.closing(usb):
            usb.plug()
            await eventually(named, "the name that our rules give")
            config = write_config(tmp_path, [f"driver: dgt, {at(named()[0])}"])
            async with Daemon(config, wrapper=as_user("dialout")) as daemon:
                await daemon.live()
                intruder = await asyncio.create_subprocess_exec(
                    *as_user("dialout"), "sh", "-c", f"exec 3<{named()[0]}"
                )
                return await intruder.wait()

    give(tmp_path)
    with udev_rules():
        assert asyncio.run(run()) == os.EX_OK + 2
