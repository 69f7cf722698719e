"""Where a simulated board is plugged in, or on the air, and how it is taken away."""

import asyncio
from pathlib import Path
from typing import Protocol

from drivers.simulated.ble_chess import ChessPeripheralBoard
from drivers.simulated.chessnut import ChessnutBoard
from drivers.simulated.chessup import ChessUpBoard
from drivers.simulated.dgt_bus import DgtRow
from drivers.simulated.exhibition import Board
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.pegasus import PegasusBoard
from drivers.simulated.pty import PtyPort
from testbed.fake_ble import FakeDevice
from testbed.peripheral import Peripheral

SMALL_MTU = 23
"""What a Pegasus is content with."""


class Port(Protocol):
    """Where a board, or a row of boards, is connected."""

    def plug(self) -> None:
        """Let the machine have it."""

    def unplug(self) -> None:
        """Take it away."""

    def wake(self) -> None:
        """Let it go on at once; needed when somebody changed something about it."""

    def close(self) -> None:
        """Take it away for good."""


class RowPort(PtyPort):
    """A row of boards on a serial line; hands play on any of them."""

    def __init__(self, path: Path, row: DgtRow) -> None:
        self._row = row
        super().__init__(path, row)

    def wake(self) -> None:
        """Let all boards of the row go on at once."""
        self._row.wake()
        super().wake()


class RadioPort:
    """A board on the radio, in reach or not.

    ``connect_seconds``: how long a connection takes.
    """

    def __init__(self, device: FakeDevice, board: Board, *, connect_seconds: float) -> None:
        self._board = board
        self._device = device
        device.advertising = False
        device.connect_delay = connect_seconds
        if isinstance(board, PegasusBoard):
            device.mtu = SMALL_MTU
        device.on_drop = self._dropped
        self._peripheral = Peripheral(device, board)
        self._peripheral.wake()  # nobody hears what it says of being set up
        device.on_subscribe = self._greeted

    def plug(self) -> None:
        """Come into reach."""
        self._device.advertising = True

    def unplug(self) -> None:
        """Go out of reach."""
        self._device.leave()

    def wake(self) -> None:
        """Let the board go on at once."""
        self._peripheral.wake()

    def close(self) -> None:
        """Go out of reach for good."""
        self._device.leave()

    def _dropped(self) -> None:
        """Let the board forget what it forgets with its connection."""
        match self._board:
            case ChessPeripheralBoard() | PegasusBoard():
                self._board.link_lost()
            case ChessnutBoard():
                self._board.disconnect(at=_now())
            case IChessOneBoard():
                self._board.lose_power()
            case _:
                pass

    def _greeted(self) -> None:
        """Let the board begin to speak, as some do without being asked."""
        if isinstance(self._board, ChessUpBoard):
            self._board.reconnect(at=_now())  # until then it has told its moves to nobody
        self._peripheral.wake()


def _now() -> float:
    return asyncio.get_running_loop().time()
