"""The service under real systemd, with all that its unit forbids it."""

import asyncio
import contextlib
import os
import signal
from pathlib import Path

import chess

from drivers.boards.ble_chess import ChessPeripheral
from drivers.boards.chessnut.protocol import REPORT_LENGTH
from drivers.simulated.ble_chess import ChessPeripheralBoard
from drivers.simulated.chessnut import ChessnutBoard
from testbed.fake_ble import services_of
from testbed.peripheral import Peripheral
from testbed.vm.gadget import Gadget, Plugged
from tests.halls import at, eventually, game_file, written_moves
from tests.playing import play
from tests.vm import service
from tests.vm.bluetooth import bluetooth
from tests.vm.dgt_seat import GAME, DgtSeat
from tests.vm.gadgets import chessnut, dgt

PORT = Path("/dev/ttyACM0")
RADIO = "AA:BB:CC:00:00:01"


async def live(unit: service.Unit, table: int, times: int = 1) -> None:
    """Wait until a board is live for the so-many-th time."""
    wanted = f" table {table}: live on "
    await eventually(lambda: len(unit.log(wanted)) >= times, f"table {table}, live {times}")
    await asyncio.sleep(1.0)


def moves(table: int) -> list[str]:
    return written_moves(service.STATE, table)


def test_a_service_that_is_killed_returns_and_goes_on_with_the_game() -> None:
    async def run(board: Gadget) -> None:
        seat = DgtSeat()
        usb = Plugged(board, seat.board)
        with contextlib.closing(usb), service.installed([f"driver: dgt, {at(PORT)}"]) as unit:
            usb.plug()
            assert unit.shown("ActiveState") == "active"
            await live(unit, 1)
            await seat.play(0, 4, usb.wake)
            killed = int(unit.shown("MainPID"))
            os.kill(killed, signal.SIGKILL)
            await eventually(lambda: unit.shown("NRestarts") == "1", "the restart")
            await live(unit, 1, times=2)
            assert int(unit.shown("MainPID")) != killed
            await seat.play(4, len(GAME), usb.wake)
            await eventually(lambda: written_moves(service.STATE) == list(GAME), "the game")
            assert game_file(service.STATE).owner() == service.NAME
            service.systemctl("reload", service.NAME)
            await eventually(lambda: unit.log("the configuration is taken"), "the reload")
            assert unit.shown("StatusText") == "follows 1 tables"

    with dgt() as board:
        asyncio.run(run(board))


def test_a_service_that_stands_still_is_started_anew() -> None:
    impatient = "[Service]\nWatchdogSec=5\nTimeoutAbortSec=1\n"

    async def run(unit: service.Unit) -> None:
        os.kill(int(unit.shown("MainPID")), signal.SIGSTOP)
        await eventually(lambda: unit.shown("NRestarts") == "1", "the restart")
        await eventually(lambda: unit.shown("ActiveState") == "active", "its readiness")

    with service.installed([f"driver: dgt, {at(PORT)}"], impatient) as unit:
        asyncio.run(run(unit))
        assert unit.log("Watchdog timeout")


def test_what_the_unit_forbids_is_not_needed_for_cable_usb_and_radio() -> None:
    async def run(serial: Gadget, hid: Gadget) -> None:
        loop = asyncio.get_running_loop()
        seat, air_plus, cpp = DgtSeat(), ChessnutBoard(wire="usb"), ChessPeripheralBoard()
        for board in (air_plus, cpp):
            board.set_up(chess.Board().piece_map(), at=loop.time())
        boards = [
            f"driver: dgt, {at(PORT)}",
            'driver: chessnut, port: "usb:2d80:8001"',
            f'driver: cpp, port: "ble:{RADIO}"',
        ]
        cable, usb = Plugged(serial, seat.board), Plugged(hid, air_plus, report=REPORT_LENGTH)
        async with bluetooth() as air:
            device = air.add_device(RADIO, "Board 1", [services_of(ChessPeripheral.info)])
            radio = Peripheral(device, cpp)
            with (
                contextlib.closing(cable),
                contextlib.closing(usb),
                service.installed(boards) as unit,
            ):
                cable.plug()
                usb.plug()
                for table in (1, 2, 3):
                    await live(unit, table)

                await asyncio.gather(
                    seat.play(0, 4, cable.wake),
                    play(air_plus, GAME, range(4), usb.wake, pace=0.5, rest=0.5),
                    play(cpp, GAME, range(4), radio.wake, pace=0.5, rest=0.5),
                )
                await eventually(
                    lambda: all(moves(table)[:3] == list(GAME[:3]) for table in (1, 2, 3)),
                    "the moves of all tables",
                )

    with dgt() as serial, chessnut(socket=1) as hid:
        asyncio.run(run(serial, hid))
