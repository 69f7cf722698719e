"""Games on the radio: real bleak, a real D-Bus, real time, and boards that lose their links."""

import asyncio

import pytest

from drivers.boards.ble_chess import ChessPeripheral
from drivers.boards.chessup import ChessUp
from drivers.boards.dgt import Pegasus
from drivers.boards.ichessone import IChessOne
from drivers.events import Battery, Identity, Noise
from drivers.simulated.ble_chess import ChessPeripheralBoard
from drivers.simulated.chessup import ChessUpBoard
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.pegasus import PegasusBoard
from drivers.transports import ble
from tests.conversations import SPECIAL
from tests.halls import eventually
from tests.radio_seats import Seat, bluetooth, kept

KEY = "01 02 03 04 05 06"


def beginnings(moves: list[str] | tuple[str, ...]) -> list[str]:
    """Moves without what a pawn became, which the Pegasus cannot tell."""
    return [move[:4] for move in moves]


async def play_slowly(seat: Seat, begin: int, end: int) -> None:
    """Play so that a board which looks at its squares every 0.1 s sees it, and moves stay apart.

    Where men are not named, moves that follow each other at once can be read in several ways.
    """
    await seat.play(begin, end, pace=0.13, rest=0.4)


def test_two_boards_play_at_once_and_lose_their_links() -> None:
    async def run() -> None:
        async with bluetooth() as bluez:
            pegasus = Seat(
                bluez, 1, PegasusBoard(key=bytes.fromhex(KEY)), Pegasus, options={"key": KEY}
            )
            cpp = Seat(bluez, 2, ChessPeripheralBoard(), ChessPeripheral)
            async with kept(pegasus, cpp):
                await asyncio.gather(play_slowly(pegasus, 0, 6), cpp.play(0, 16))
                pegasus.board.receive(b"\x42", at=pegasus.now())
                half = pegasus.board.poll(at=pegasus.now() + 0.01).data[:20]
                pegasus.device.notify(half)
                cpp.device.notify(b"\xff\x00garbage")
                await asyncio.sleep(0.05)
                pegasus.device.drop()
                await pegasus.lost()
                await pegasus.live()
                await asyncio.gather(play_slowly(pegasus, 6, 9), cpp.play(16, 26))
                bluez.set_powered(False)
                await asyncio.gather(pegasus.lost(), cpp.lost())
                bluez.set_powered(True)
                await asyncio.gather(pegasus.live(), cpp.live())
                await asyncio.gather(play_slowly(pegasus, 9, 12), cpp.play(26, 40))
                await asyncio.sleep(0.5)
            assert cpp.moves == list(SPECIAL)
            assert beginnings(pegasus.moves) == beginnings(SPECIAL[:12])
            assert "long_serial" in {
                one.field for one in pegasus.payloads if isinstance(one, Identity)
            }
            assert [one.why for one in cpp.payloads if isinstance(one, Noise)] == [
                "no message of the protocol"
            ]

    asyncio.run(run())


def test_a_battery_is_told_by_the_radio_where_the_board_says_nothing_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ble, "BATTERY_EVERY", 0.05)

    async def run() -> None:
        async with bluetooth() as bluez:
            chessup = Seat(bluez, 1, ChessUpBoard(), ChessUp)
            ichessone = Seat(bluez, 2, IChessOneBoard(), IChessOne)
            chessup.device.battery = 61

            def told(seat: Seat) -> list[int]:
                return [one.percent for one in seat.payloads if isinstance(one, Battery)]

            async with kept(chessup, ichessone):
                await eventually(lambda: told(chessup), "61 %")
                chessup.device.battery = 60
                await eventually(lambda: len(told(chessup)) > 1, "60 %")
                await eventually(lambda: told(ichessone), "what the board itself says")
                ichessone.device.battery = 59
                await asyncio.sleep(0.3)
                chessup.device.drop()
                await chessup.lost()
                await chessup.live()
                await eventually(lambda: len(told(chessup)) > 2, "60 % of the new connection")
            assert told(chessup) == [61, 60, 60]
            assert 59 not in told(ichessone)

    asyncio.run(run())


def test_a_killed_bluetoothd_costs_no_move() -> None:
    async def run() -> None:
        async with bluetooth() as bluez:
            cpp = Seat(bluez, 1, ChessPeripheralBoard(), ChessPeripheral)
            async with kept(cpp):
                await cpp.play(0, 6)
                await bluez.crash()
                await cpp.lost()
                assert "bluetoothd" in cpp.keeper.detail or "service" in cpp.keeper.detail
                await bluez.start()
                await cpp.live()
                await cpp.play(6, 10)
            assert cpp.moves == list(SPECIAL[:10])

    asyncio.run(run())
