"""All boards of the hall, connected in their ways, and the hands that play on them."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from random import Random

import chess

from benchmarks.boards.ports import Port, RadioPort, RowPort
from benchmarks.boards.seats import LiveSince, Losses, Radio, Seat, Wire
from benchmarks.boards.usage import Usage, usage
from drivers.simulated.chessnut import ChessnutBoard
from drivers.simulated.dgt import DgtBoard
from drivers.simulated.dgt_bus import DgtRow
from drivers.simulated.pty import PtyPort
from testbed.fake_bluez import FakeBlueZ
from testbed.usb_boards import UsbBoard
from testbed.virtual_usb import VirtualUsb

ADVERTISE_EVERY = 0.1
AFTERTIME = 20.0
"""Seconds in which the last moves have to reach their files."""

LOOK_EVERY = 0.2


class Boards:
    """The boards of *seats*.

    Args:
        seats: who plays what on which board.
        usb: where USB boards are plugged in.
        live_since: says since when the daemon has a board.
        written: says whether the file of a table has the whole game.
        losses: when links are lost.
        seed: of these losses.
        radio: what connects to boards on the radio.
    """

    def __init__(
        self,
        seats: Sequence[Seat],
        usb: VirtualUsb,
        *,
        live_since: LiveSince,
        written: Callable[[Seat], bool],
        losses: Losses,
        seed: int,
        radio: Radio,
    ) -> None:
        self.wires: list[Wire] = []
        self._seats = seats
        self._usb = usb
        self._live_since = live_since
        self._written = written
        self._losses = losses
        self._seed = seed
        self._radio = radio

    def run(self) -> tuple[Usage, Usage]:
        """Play all games; return what was used before and after.

        To be called in a thread of its own, so that what the boards take can be told from what
        the daemon takes.

        Raises:
            TimeoutError: the daemon never had a board.
        """
        return asyncio.run(self._play())

    async def _play(self) -> tuple[Usage, Usage]:
        adapters = self._radio.adapters
        async with FakeBlueZ(advertise_every=ADVERTISE_EVERY, adapters=adapters) as bluez:
            with ExitStack() as stack:
                self._connect(bluez)
                for wire in self.wires:
                    stack.callback(wire.port.close)
                begun = usage()
                await asyncio.gather(*(wire.sit() for wire in self.wires))
                ended = usage()
                await self._reach_their_files()
                return begun, ended

    async def _reach_their_files(self) -> None:
        """Wait until all games are written, but not for ever."""
        end = time.monotonic() + AFTERTIME
        late = list(self._seats)
        while late and time.monotonic() < end:
            await asyncio.sleep(LOOK_EVERY)
            late = [seat for seat in late if not self._written(seat)]

    def _connect(self, bluez: FakeBlueZ) -> None:
        """Set up all boards and give each its wire; those of a row share one."""
        for seat in self._seats:
            seat.board.set_up(chess.Board().piece_map(), at=time.monotonic())
        rows = [seat for seat in self._seats if seat.family.wiring == "row"]
        if rows:
            self._add(self._row(rows), *rows)
        for seat in self._seats:
            if seat not in rows:
                self._add(self._port(bluez, seat), seat)

    def _add(self, port: Port, *seats: Seat) -> None:
        rng = Random(f"{self._seed} {seats[0].table}")
        self.wires.append(
            Wire(port=port, seats=seats, live_since=self._live_since, losses=self._losses, rng=rng)
        )

    def _port(self, bluez: FakeBlueZ, seat: Seat) -> Port:
        match seat.family.wiring, seat.board:
            case "usb", ChessnutBoard() as board:
                return UsbBoard(self._usb, seat.number, model=board, speed=1.0)
            case "radio", board:
                name = f"{seat.family.driver} {seat.number}"
                device = bluez.add_device(seat.radio_address, name, [seat.family.service])
                return RadioPort(device, board, connect_seconds=self._radio.connect_seconds)
            case _, board:
                return PtyPort(seat.path, board)

    def _row(self, seats: Sequence[Seat]) -> Port:
        row = DgtRow([s.board for s in seats if isinstance(s.board, DgtBoard)], seed=self._seed)
        row.poll(at=time.monotonic())
        return RowPort(seats[0].path, row)
