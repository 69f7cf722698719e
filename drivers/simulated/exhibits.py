"""The boards behind ``simulated:`` addresses, one function a driver.

Each is named by an entry point of the group ``eboard_bridge.simulated`` under its driver's name,
and returns a device that plays by itself; *number* makes boards of one driver differ.
"""

from collections.abc import Mapping

import chess

from drivers.simulated.ble_chess import ChessPeripheralBoard
from drivers.simulated.certabo import CertaboBoard, SentioBoard
from drivers.simulated.chessnut import ChessnutBoard
from drivers.simulated.chessup import ChessUpBoard
from drivers.simulated.clock import Clock
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.dgt3000_gateway import ClockGateway
from drivers.simulated.dgt_bus import DgtRow
from drivers.simulated.esp32_clock import PressClock
from drivers.simulated.exhibition import CONTROL, Exhibition
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.millennium import MillenniumBoard
from drivers.simulated.novag import CitrineUnit
from drivers.simulated.pegasus import PegasusBoard
from drivers.simulated.squareoff import SquareOffNeoBoard, SquareOffProBoard
from drivers.transports.simulated import Device

FIRST_SERIAL = 20000
FIRST_ADDRESS = 1025
ROW = 4
"""Boards of a row; their bus addresses follow each other."""


def chessnut(number: int) -> Device:
    """Return a Chessnut Air as it is by Bluetooth."""
    return Exhibition(ChessnutBoard(wire="ble", seed=number), number)


def chessnut_move(number: int) -> Device:
    """Return a Chessnut Move whose men are moved by hand."""
    return Exhibition(ChessnutBoard("move", wire="ble", seed=number), number)


def dgt(number: int) -> Device:
    """Return a DGT board with its clock."""
    return _DgtExhibition(number, bus_address=FIRST_SERIAL + number)


def dgt_bus(number: int) -> Device:
    """Return a row of boards with their clocks, on one line."""
    first = (number - 1) * ROW
    addresses = range(FIRST_ADDRESS, FIRST_ADDRESS + ROW)
    return DgtRow(
        [_DgtExhibition(first + place, bus_address=a) for place, a in enumerate(addresses, 1)],
        seed=number,
    )


class _DgtExhibition(Exhibition):
    """Somebody plays on a DGT board with a clock."""

    def __init__(self, number: int, *, bus_address: int) -> None:
        serial = FIRST_SERIAL + number
        self.board = DgtBoard(
            Passport(serial=f"{serial:05}", long_serial=f"{serial:010}", bus_address=bus_address),
            seed=number,
        )
        super().__init__(self.board, number, seat_clock=self._seat)

    def _seat(self, clock: Clock) -> None:
        self.board.clock = clock


def chessup(number: int) -> Device:
    """Return a ChessUp board."""
    return Exhibition(ChessUpBoard(seed=number), number)


def ichessone(number: int) -> Device:
    """Return an iChessOne board."""
    return Exhibition(IChessOneBoard(seed=number), number)


def squareoff(number: int) -> Device:
    """Return a Square Off Pro."""
    return Exhibition(SquareOffProBoard(seed=number), number)


def squareoff_neo(number: int) -> Device:
    """Return a Square Off Neo."""
    return Exhibition(SquareOffNeoBoard(seed=number), number)


def millennium(number: int) -> Device:
    """Return a ChessLink board that names its men."""
    return Exhibition(MillenniumBoard(seed=number), number)


def certabo(number: int) -> Device:
    """Return a board that reads tags, with a set of its own."""
    return Exhibition(CertaboBoard(men=number % 100, seed=number), number)


def sentio(number: int) -> Device:
    """Return a board that feels where men stand."""
    return Exhibition(SentioBoard(seed=number), number)


def pegasus(number: int) -> Device:
    """Return a DGT Pegasus that wants no key."""
    return Exhibition(PegasusBoard(seed=number), number)


def novag(number: int) -> Device:
    """Return a Novag Citrine with its clock."""
    unit = CitrineUnit(seed=number)

    def seat(clock: Clock) -> None:
        unit.clock = clock

    return Exhibition(unit, number, seat_clock=seat)


def dgt3000_gateway(number: int) -> Device:
    """Return the clock of the game that is played on another simulated board of this number."""
    return _clock_beside(_Gateway(Clock(CONTROL)), number)


def esp32_clock(number: int) -> Device:
    """Return the same as a clock of hobbyists."""
    return _clock_beside(_PressClock(Clock(CONTROL)), number)


class _NoBoard:
    """Hands that move men do so at another device."""

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        """Not here."""

    def lift(self, square: chess.Square, *, at: float) -> None:
        """Not here."""

    def put(self, square: chess.Square, piece: chess.Piece, *, at: float) -> None:
        """Not here."""


class _Gateway(_NoBoard, ClockGateway):
    """A DGT3000 behind its gateway."""


class _PressClock(_NoBoard, PressClock):
    """A clock on an ESP32."""


def _clock_beside(device: _Gateway | _PressClock, number: int) -> Device:
    def seat(clock: Clock) -> None:
        device.clock = clock

    return Exhibition(device, number, seat_clock=seat)


def cpp(number: int) -> Device:
    """Return a board that speaks the Chess Peripheral Protocol."""
    return Exhibition(ChessPeripheralBoard(seed=number), number)
