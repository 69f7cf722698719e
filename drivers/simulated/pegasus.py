"""A DGT Pegasus: the board's side of the wire.

Numbers of the protocol in :mod:`drivers.boards.dgt.protocol`. How often the real board looks at
its squares, and what it says without an accepted key, is not published: ``SCAN`` and the full
board that a locked one tells of are guesses, the latter from a program that guards against it.
"""

import chess

from drivers.boards.dgt.protocol import HEADER, Command, Message, index_of_square
from drivers.events import EMPTY
from drivers.simulated.dgt import battery_payload
from drivers.simulated.line import Faults
from drivers.simulated.model import BoardModel

SCAN = 0.1
"""Seconds between two looks at the squares."""

TRADEMARK = (
    b"eboard-bridge simulated board\r\nNo product of any board maker\r\n"
    b"software version: 1.00, build: 000001\r\nhardware version: 1.00, serial no: P000000001\r\n"
)
_LAMPS = 6
"""Where lamps begin in the command for them: behind its length, a mark and how they are lit."""

_WITH_LENGTH = (Command.SET_LEDS, Command.DEVELOPER_KEY)


class PegasusBoard(BoardModel):
    """One board. With a *key* it tells the truth about its squares only to who gives that.

    ``pushes``: whether reported changes get through. ``heard`` are the commands that came. ``lit``
    are squares with light.
    """

    def __init__(
        self,
        *,
        key: bytes = b"",
        rotated: bool = False,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(baud=100_000, rotated=rotated, faults=faults, seed=seed)
        self.pushes = True
        self.heard: list[bytes] = []
        self.lit: set[chess.Square] = set()
        self._key = key
        self._open = not key
        self._updates = False
        self._input = b""
        self._seen = self.cells
        self._answers: dict[int, tuple[Message, bytes]] = {
            Command.RETURN_SERIALNR: (Message.SERIALNR, b"%05d" % (seed + 1)),
            Command.RETURN_LONG_SERIALNR: (Message.LONG_SERIALNR, b"P%09d" % (seed + 1)),
            Command.SEND_TRADEMARK: (Message.TRADEMARK, TRADEMARK),
            Command.SEND_VERSION: (Message.VERSION, b"\x01\x00"),
            Command.SEND_HARDWARE_VERSION: (Message.HARDWARE_VERSION, b"\x01\x00"),
            Command.SEND_BATTERY_STATUS: (Message.BATTERY_STATUS, battery_payload(88)),
        }

    def link_lost(self) -> None:
        """Forget the key and what was half said; a new connection begins anew."""
        self._open = not self._key
        self._updates = False
        self._input = b""

    def _hear(self, data: bytes, at: float) -> None:
        self._input += data
        while self._input:
            length = 1
            if self._input[0] in _WITH_LENGTH:
                length = 2 + (self._input[1] if len(self._input) > 1 else 0)
            if len(self._input) < length:
                return
            command, self._input = self._input[:length], self._input[length:]
            self.heard.append(command)
            self._obey(command, at)

    def _obey(self, command: bytes, at: float) -> None:
        match command[0]:
            case Command.SEND_RESET:
                self._updates = False
            case Command.SEND_UPDATE_BRD:
                self._updates = True
            case Command.DEVELOPER_KEY:
                self._open = self._open or command[2:-1] == self._key
            case Command.SET_LEDS:
                self.lit = {index_of_square(index) for index in command[_LAMPS:-1]}
            case Command.SEND_BRD:
                self._say(Message.BOARD_DUMP, self._squares(), at)
            case Command.SEND_LOCK_STATE:
                self._say(Message.PEGASUS_LOCK_STATE, bytes([not self._open]), at)
            case Command.SEND_KEY_STATE:
                self._say(Message.PEGASUS_KEY_STATE, bytes([self._open]), at)
            case other if other in self._answers:
                self._say(*self._answers[other], at)
            case _:
                pass

    def _squares(self) -> bytes:
        if not self._open:
            return b"\x01" * 64
        return bytes(self._seen[index_of_square(index)] != EMPTY for index in range(64))

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        del square, before  # a man who takes another's place at once is not noticed
        self._due_at = min(self._due_at, (at // SCAN + 1) * SCAN)

    def _falls_due(self, at: float) -> None:
        before, self._seen = self._seen, self.cells
        for index in range(64):
            square = index_of_square(index)
            taken = self._seen[square] != EMPTY
            if taken != (before[square] != EMPTY) and self._updates and self.pushes:
                self._say(Message.FIELD_UPDATE, bytes([index, taken]), at)

    def _say(self, message: Message, payload: bytes, at: float) -> None:
        length = HEADER + len(payload)
        self._send(bytes((message, length >> 7, length & 0x7F)) + payload, at)
