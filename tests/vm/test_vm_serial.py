"""A DGT board that is a USB serial port: cdc_acm of the kernel, udevd, and unmodified pyserial."""

import asyncio
import contextlib
import grp
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from testbed.vm.gadget import Gadget, Plugged
from tests.halls import Daemon, at, eventually, write_config, written_moves
from tests.vm.dgt_seat import GAME, DgtSeat
from tests.vm.gadgets import dgt
from tests.vm.rules import properties, settle, udev_rules
from tests.vm.users import as_user, give

OTHER = 0x1209, 0x0001
"""Ids of a vendor that our rules do not name (pid.codes, for tests)."""

PORT = Path("/dev/ttyACM0")
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


def test_the_port_belongs_to_the_group_and_modem_manager_keeps_off(board: Gadget) -> None:
    with udev_rules():
        board.plug()
        try:
            asyncio.run(eventually(named, "the name that our rules give"))
            settle()
            (name,) = named()
            node = name.resolve()
            told = properties(node)
            device = Path("/sys/class/tty", node.name, "device").resolve().parent
            control = (device / "power/control").read_text().strip()
            status = node.stat()
        finally:
            board.unplug()
    assert node.name.startswith("ttyACM")
    assert stat.S_IMODE(status.st_mode) == 0o660
    assert grp.getgrgid(status.st_gid).gr_name == "dialout"
    assert told["ID_MM_DEVICE_IGNORE"] == "1"
    assert "uaccess" in told["CURRENT_TAGS"].split(":")
    assert control == "on", "the board may not be put to sleep"


def test_a_port_of_another_maker_is_left_alone() -> None:
    with udev_rules(), Gadget("acm.board", ids=OTHER, serial="1") as other:
        other.plug()
        try:
            asyncio.run(eventually(PORT.exists, "the port"))
            settle()
            assert not named()
            told = properties(PORT)
        finally:
            other.unplug()
    assert "ID_MM_DEVICE_IGNORE" not in told


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
