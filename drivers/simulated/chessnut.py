"""A Chessnut board: the board's side of the wire.

Facts: see :mod:`drivers.boards.chessnut.protocol`. All squares are read at once, as slowly as
reports are sent; a man that is lifted and set down in between is never missed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal

import chess

from drivers.boards.chessnut.protocol import (
    BATTERY,
    GET_GAME,
    HEADER,
    MCU_VERSION,
    MOVE_BATTERY,
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
from drivers.codec import Outgoing
from drivers.events import EMPTY
from drivers.simulated.line import Faults, Line

Model = Literal["air", "move"]
Wire = Literal["usb", "ble"]

_BAUD = {"usb": 1_000_000, "ble": 400_000}
_PIECE = {"usb": REPORT_LENGTH, "ble": 244}
"""Bytes that arrive at once: a report, or what a radio link with a large MTU carries."""

DELETE_GAME = bytes((0x39, 1, 0))
DRIVE = 0x42
"""What no host of ours ever sends: delete a stored game (SDK), drive the men (chess_move_api)."""

_EMPTY_BATTERY = bytes((Reply.BATTERY, 2, 0, 0))


class ChessnutBoard:
    """One board, switched on at time 0 with nothing on it.

    Squares are true chess squares (a1 = 0); ``rotated``: it lies the other way round. ``battery``
    in percent. ``stored`` are games it keeps, each a sequence of 64 cells in its own numbering;
    ``deleted`` counts what a host had it delete. ``driven`` counts orders to its motors.
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
        self.rotated = rotated
        self.battery = battery
        self.charging = False
        self.stored = stored
        self.deleted = 0
        self.driven = 0
        self.real_time = False
        self.faults = faults or Faults()
        rng = Random(seed)
        self._wire = wire
        self._line = Line(self.faults, rng, baud=_BAUD[wire], piece=_PIECE[wire])
        self._standing = [EMPTY] * 64
        self._report_at = rng.uniform(0, REPORT_EVERY)
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

    # --- the players' side ----------------------------------------------------------------------

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        """Put *pieces* on the board and take away everything else."""
        self.advance(at=at)
        for square in chess.SQUARES:
            piece = pieces.get(square)
            self._standing[square] = piece.symbol() if piece else EMPTY

    def lift(self, square: chess.Square, *, at: float) -> None:
        """Take what stands on *square* away."""
        self.advance(at=at)
        self._standing[square] = EMPTY

    def put(self, square: chess.Square, piece: chess.Piece, *, at: float) -> None:
        """Put *piece* on *square*, whatever stood there."""
        self.advance(at=at)
        self._standing[square] = piece.symbol()

    def run_motors(
        self, pieces: Mapping[chess.Square, chess.Piece], *, at: float, lasts: float
    ) -> None:
        """Drive the men so that *pieces* stand in the end; nothing is reported meanwhile."""
        self.set_up(pieces, at=at)
        self._motors_until = at + lasts

    # --- the host's side ------------------------------------------------------------------------

    def disconnect(self, *, at: float) -> None:
        """Lose the connection, and with it the mode and half a command."""
        self.advance(at=at)
        self.real_time = False
        self._input.clear()

    def receive(self, data: bytes, *, at: float) -> None:
        """Take the bytes a host sent; what it does not know is ignored."""
        self.advance(at=at)
        if self.faults.disconnected:
            return
        self._input += data
        while len(self._input) >= HEADER and len(self._input) >= HEADER + self._input[1]:
            end = HEADER + self._input[1]
            command = bytes(self._input[:end])
            del self._input[:end]
            self._obey(command, at)

    def poll(self, *, at: float) -> Outgoing:
        """Go on to time *at*; return what was sent until then and when to poll again."""
        self.advance(at=at)
        data, line_at = self._line.poll(at=at)
        return Outgoing(data, min(line_at, self._report_at if self.real_time else math.inf))

    def advance(self, *, at: float) -> None:
        """Report until time *at*; what is to be said waits to be polled."""
        if not self.real_time and self._report_at <= at:
            missed = math.floor((at - self._report_at) / REPORT_EVERY) + 1
            self._report_at += missed * REPORT_EVERY
        while self._report_at <= at:
            now = self._report_at
            self._report_at += REPORT_EVERY
            if now >= self._motors_until:
                cells = self._standing[::-1] if self.rotated else self._standing
                self._send_position("".join(cells), now)

    def _obey(self, command: bytes, at: float) -> None:
        answer = self._answers.get(command)
        if answer is not None:
            self._send(answer(), at)
        elif command in (REAL_TIME, UPLOAD):
            self.real_time = command == REAL_TIME
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
        self._line.send(filled, at=at)


def _version(part: bytes, text: str) -> bytes:
    return bytes((Reply.VERSION, 1 + len(text), part[-1])) + text.encode("ascii")
