"""A Chessnut board: the board's side of the wire.

Facts: see :mod:`drivers.boards.chessnut.protocol`. All squares are read at once, as slowly as
reports are sent; a man that is lifted and set down in between is never missed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import chess

from drivers.boards.chessnut.protocol import (
    BATTERY,
    GET_GAME,
    HEADER,
    LAMPS,
    MCU_VERSION,
    MOVE_BATTERY,
    MOVE_LAMPS,
    RADIO_VERSION,
    REAL_TIME,
    REPORT_EVERY,
    REPORT_LENGTH,
    STORED_GAMES,
    UPLOAD,
    Reply,
    Transfer,
    squares_of,
)
from drivers.simulated.line import Faults
from drivers.simulated.model import BoardModel

Model = Literal["air", "move"]
Wire = Literal["usb", "ble"]

_BAUD = {"usb": 1_000_000, "ble": 400_000}
_PIECE = {"usb": REPORT_LENGTH, "ble": 244}
"""Bytes that arrive at once: a report, or what a radio link with a large MTU carries."""

DELETE_GAME = bytes((0x39, 1, 0))
DRIVE = 0x42
"""What no host of ours ever sends: delete a stored game (SDK), drive the men (chess_move_api)."""

_EMPTY_BATTERY = bytes((Reply.BATTERY, 2, 0, 0))


class ChessnutBoard(BoardModel):
    """One board, switched on at time 0.

    ``battery`` in percent. ``stored`` are games it keeps, each a sequence of 64 cells in its own
    numbering; ``deleted`` counts what a host had it delete. ``driven`` counts orders to its motors.
    ``real_time``: whether it reports what stands on it. ``lit``: squares with light, in its own
    numbering.
    """

    def __init__(
        self,
        model: Model = "air",
        *,
        wire: Wire = "usb",
        rotated: bool = False,
        battery: int = 88,
        stored: Sequence[Sequence[str]] = (),
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(
            baud=_BAUD[wire], piece=_PIECE[wire], rotated=rotated, faults=faults, seed=seed
        )
        self.battery = battery
        self.charging = False
        self.stored = stored
        self.deleted = 0
        self.driven = 0
        self.real_time = False
        self.lit: set[chess.Square] = set()
        self._lamps = MOVE_LAMPS if model == "move" else LAMPS
        self._wire = wire
        self._first_report = self._rng.uniform(0, REPORT_EVERY)
        self._motors_until = -math.inf
        self._input = bytearray()
        self._answers: dict[bytes, Callable[[], bytes]] = {
            MCU_VERSION: lambda: _version(MCU_VERSION, "1.4"),
            RADIO_VERSION: lambda: _version(RADIO_VERSION, "2.0"),
            STORED_GAMES: lambda: bytes((Reply.STORED_GAMES, 1, len(self.stored))),
            BATTERY: self._classic_battery,
        }
        if model == "move":
            self._answers |= {BATTERY: lambda: _EMPTY_BATTERY, MOVE_BATTERY: self._move_battery}

    def run_motors(
        self, pieces: Mapping[chess.Square, chess.Piece], *, at: float, lasts: float
    ) -> None:
        """Drive the men so that *pieces* stand in the end; nothing is reported meanwhile."""
        self.set_up(pieces, at=at)
        self._motors_until = at + lasts

    def disconnect(self, *, at: float) -> None:
        """Lose the connection, and with it the mode and half a command."""
        self.advance(at=at)
        self._report(at, wanted=False)
        self._input.clear()

    def _hear(self, data: bytes, at: float) -> None:
        """Take commands; what it does not know is ignored."""
        self._input += data
        while len(self._input) >= HEADER and len(self._input) >= HEADER + self._input[1]:
            end = HEADER + self._input[1]
            command = bytes(self._input[:end])
            del self._input[:end]
            self._obey(command, at)

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        """Wait for the next report."""

    def _falls_due(self, at: float) -> None:
        self._due_at = at + REPORT_EVERY
        if at >= self._motors_until:
            self._send_position(self.cells, at)

    def _report(self, at: float, *, wanted: bool) -> None:
        """Report from the next beat on, or no more; the beat goes on since the board is on."""
        if wanted and not self.real_time:
            beats = math.ceil((at - self._first_report) / REPORT_EVERY)
            self._due_at = self._first_report + beats * REPORT_EVERY
        elif not wanted:
            self._due_at = math.inf
        self.real_time = wanted

    def _obey(self, command: bytes, at: float) -> None:
        answer = self._answers.get(command)
        if answer is not None:
            self._send(answer(), at)
        elif command in (REAL_TIME, UPLOAD):
            self._report(at, wanted=command == REAL_TIME)
            self._send(bytes((Reply.CONFIRMED, 1, 0)), at)
        elif command[:HEADER] == self._lamps:
            self.lit = _lit(command)
            self._send(bytes((Reply.CONFIRMED, 1, 0)), at)
        elif command == GET_GAME[1] and not self.real_time:
            self._upload(at)
        elif command == DELETE_GAME:
            self.deleted += 1
        elif command[0] == DRIVE:
            self.driven += 1

    def _upload(self, at: float) -> None:
        self._send(bytes((Reply.TRANSFER, 1, Transfer.BEGIN)), at)
        for cells in self.stored[0]:
            self._send_position(cells, at)
        self._send(bytes((Reply.TRANSFER, 1, Transfer.END)), at)

    def _classic_battery(self) -> bytes:
        return bytes((Reply.BATTERY, 2, self.battery | self.charging << 7, 0))

    def _move_battery(self) -> bytes:
        return bytes((Reply.MOVE, 3, MOVE_BATTERY[2], self.charging, self.battery))

    def _send_position(self, cells: str, at: float) -> None:
        behind = 29 if self._wire == "usb" else 4
        uptime = (int(at) & 0xFFFF).to_bytes(2, "little")
        payload = squares_of(cells) + uptime.ljust(behind, b"\0")
        self._send(bytes((Reply.POSITION, len(payload))) + payload, at)

    def _send(self, message: bytes, at: float) -> None:
        filled = message.ljust(REPORT_LENGTH, b"\0") if self._wire == "usb" else message
        super()._send(filled, at)


def _lit(command: bytes) -> set[chess.Square]:
    """Return the squares that a command lights: a bit for each, or four of a Move."""
    bits = int.from_bytes(command[HEADER:])
    if command[:HEADER] == LAMPS:
        return {chess.square(7 - bit % 8, bit // 8) for bit in range(64) if bits >> bit & 1}
    nibbles = [half for byte in command[HEADER:] for half in (byte & 0x0F, byte >> 4)]
    return {63 - place for place, colour in enumerate(nibbles) if colour}


def _version(part: bytes, text: str) -> bytes:
    return bytes((Reply.VERSION, 1 + len(text), part[-1])) + text.encode("ascii")
