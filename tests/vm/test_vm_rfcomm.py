"""A DGT board on classic Bluetooth: RFCOMM of the kernel, ``/dev/rfcomm0``, and pyserial."""

import asyncio
import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

from testbed.vm.rfcomm import CHANNEL, SerialPortProfile, two_adapters
from tests.halls import Daemon, at, eventually, write_config, written_moves
from tests.vm.dgt_seat import GAME, DgtSeat
from tests.vm.users import as_user, give

PORT = Path("/dev/rfcomm0")


def rfcomm(*command: str) -> None:
    subprocess.run(["rfcomm", "-i", "hci0", *command], check=True)


@contextlib.contextmanager
def bound(address: str) -> Iterator[None]:
    """Have the port of the board at *address*, as docs/boards.md tells to make it."""
    rfcomm("bind", "0", address, str(CHANNEL))
    subprocess.run(["udevadm", "settle"], check=True)
    try:
        yield
    finally:
        rfcomm("release", "0")


def test_a_game_goes_on_when_the_board_was_off_and_when_its_port_was_bound_anew(
    tmp_path: Path,
) -> None:
    async def run(address: str) -> None:
        seat = DgtSeat()
        radio = SerialPortProfile(address, seat.board)
        config = write_config(tmp_path, [f"driver: dgt, {at(PORT)}"])
        with contextlib.closing(radio):
            radio.switch_on()
            async with Daemon(config, wrapper=as_user("dialout")) as daemon:
                with bound(address):
                    await daemon.live()
                    await seat.play(0, 3, radio.wake)
                    radio.switch_off()
                    await eventually(lambda: daemon.log("table 1", "lost"), "the loss")
                    radio.switch_on()
                    await daemon.live()
                    await seat.play(3, 5, radio.wake)
                await eventually(lambda: len(daemon.log("table 1", "lost")) == 2, "another loss")
                with bound(address):
                    await daemon.live()
                    await seat.play(5, len(GAME), radio.wake)
                    await eventually(
                        lambda: written_moves(tmp_path) == list(GAME), "the whole game"
                    )
                    assert await daemon.end() == 0

    give(tmp_path)
    with two_adapters() as address:
        asyncio.run(run(address))
