"""A row of DGT boards on one serial line: the boards' side of the wire.

All boards hear what the host sends and drive one common wire back, so answers that overlap
destroy each other. Bytes take their time in both directions. Facts: vendor header "dgtbrd13"
(2015), its section on bus mode.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from random import Random
from typing import Protocol

from drivers.boards.dgt.bus_framing import EVERYBODY, FRAME, HEADER, sealed
from drivers.boards.dgt.protocol import BusCommand, BusMessage, Tag
from drivers.codec import Outgoing
from drivers.simulated.dgt import BUS_COMMAND_LENGTH, DgtBoard, Mode
from drivers.simulated.dgt_log import RING
from drivers.simulated.line import BITS_PER_BYTE, damaged
from drivers.transports.simulated import Device

PING_WITHIN = 1.1
"""A ping of everybody is answered at a random moment within this time (s)."""

ANSWERS_AFTER = (0.001, 0.005)
BUSY_FOR = 0.02
"""Answers take up to this long (s) while the board writes what has happened to its memory."""

START_TAG_TAKES = 0.07
RESTART_TAKES = 2.0

PIECE = 16
"""Bytes after which an adapter hands on what has come."""

_BUS_COMMANDS = frozenset(BusCommand)

_Answer = tuple[BusMessage, bytes, float]
"""What is said, its data, and after how long (s)."""


class RowBoard:
    """One board of a row: answers bus commands, and leaves bus mode at a single-board byte.

    *player* is what makes the board go on: a performance on it, or the board itself. ``dead``: it
    neither hears nor speaks. Its faults damage what it says on the row as well.
    """

    def __init__(self, player: Device, board: DgtBoard, rng: Random) -> None:
        self.player = player
        self.board = board
        self.dead = False
        self._rng = rng
        self._input = bytearray()
        self._packet = b""
        self._delivered = bytearray()
        self._ignores_ping = False
        self._busy_until = -math.inf
        self._answers = self._make_answers()

    @property
    def address(self) -> int:
        """Its bus address."""
        return self.board.passport.bus_address

    def restart(self, *, at: float) -> None:
        """Lose power and come back: what was not asked for is gone, every piece is found anew."""
        self.board.receive(bytes([BusCommand.PING, 0, 0, 0]), at=at)  # in bus mode from the start
        self.board.log.unread()
        self.board.log.power_up()
        self.board.log.pieces(self.board.seen)
        self._packet, self._ignores_ping = b"", False
        self._input.clear()
        self._busy_until = at + RESTART_TAKES

    def hear(self, byte: int, *, at: float) -> tuple[float, bytes] | None:
        """Take a byte from the line; return what the board says to it, and when it begins."""
        if self.dead or at < self._busy_until:
            return None
        if byte & 0x80:
            self._input.clear()
        if not self._input and byte not in _BUS_COMMANDS:
            self.player.receive(bytes([byte]), at=at)
            return None
        self._input.append(byte)
        if len(self._input) < BUS_COMMAND_LENGTH:
            return None
        command = bytes(self._input)
        self._input.clear()
        if self.board.mode is not Mode.BUS:
            self.player.receive(command, at=at)  # which only brings it back into bus mode
            return None
        address = command[1] << 7 | command[2]
        if sealed(command[:-1]) != command or address not in (EVERYBODY, self.address):
            return None
        return self._obey(BusCommand(command[0]), at, everybody=address == EVERYBODY)

    def _obey(
        self, command: BusCommand, at: float, *, everybody: bool
    ) -> tuple[float, bytes] | None:
        if command == BusCommand.RESET:
            self.restart(at=at)
        elif everybody:
            return self._answer_all(command, at)
        elif command in self._answers:
            message, data, takes = self._answers[command](at)
            return at + takes, self._frame(message, data)
        return None

    def _answer_all(self, command: BusCommand, at: float) -> tuple[float, bytes] | None:
        """Only a ping of everybody is answered, once by each, unless it was told not to."""
        if command != BusCommand.PING:
            return None
        ignored, self._ignores_ping = self._ignores_ping, False
        begins = at + self._rng.uniform(0, PING_WITHIN)
        return None if ignored else (begins, self._frame(BusMessage.PING))

    def _make_answers(self) -> dict[BusCommand, Callable[[float], _Answer]]:
        board = self.board

        def soon(message: BusMessage, data: bytes = b"") -> _Answer:
            return message, data, self._rng.uniform(*ANSWERS_AFTER)

        return {
            BusCommand.PING: lambda _: soon(BusMessage.PING),
            BusCommand.SEND_VERSION: lambda _: soon(
                BusMessage.VERSION, bytes(board.passport.version)
            ),
            BusCommand.SEND_CLK: lambda at: soon(BusMessage.BWTIME, board.clock_payload(at)),
            BusCommand.SEND_BRD: lambda _: soon(BusMessage.BRD_DUMP, board.seen),
            BusCommand.REPEAT_CHANGES: lambda _: soon(BusMessage.UPDATE, self._packet),
            BusCommand.SEND_FROM_START: lambda _: soon(BusMessage.FROM_START, self._from_start()),
            BusCommand.SEND_CHANGES: lambda _: self._changes(),
            BusCommand.SET_START_GAME: lambda _: self._start_game(),
            BusCommand.IGNORE_NEXT_BUS_PING: lambda _: self._ignore_next(),
        }

    def _ignore_next(self) -> _Answer:
        self._ignores_ping = True
        return BusMessage.PING, b"", self._rng.uniform(*ANSWERS_AFTER)

    def _start_game(self) -> _Answer:
        self.board.log.start_game(self.board.seen)
        return BusMessage.START_GAME_WRITTEN, b"", START_TAG_TAKES

    def _from_start(self) -> bytes:
        """What was delivered since the last start tag; events still waiting are not in it."""
        return bytes(self._delivered[max(0, self._delivered.rfind(Tag.START_TAG)) :])

    def _changes(self) -> _Answer:
        self._packet = self.board.log.unread()
        self._delivered = (self._delivered + self._packet)[-RING:]
        first, last = ANSWERS_AFTER
        takes = self._rng.uniform(first, BUSY_FOR if self._packet else last)
        return BusMessage.UPDATE, self._packet, takes

    def _frame(self, kind: BusMessage, data: bytes = b"") -> bytes:
        length, address = FRAME + len(data), self.address
        head = bytes([kind, length >> 7, length & 0x7F, address >> 7, address & 0x7F])
        return damaged(sealed(head[:HEADER] + data), self.board.faults, self._rng)


class _Talk:
    """Bytes on the common wire; ``sent`` of them have been handed on."""

    def __init__(self, begins: float, data: bytes) -> None:
        self.begins = begins
        self.data = bytearray(data)
        self.sent = 0


class Player(Device, Protocol):
    """Who plays on a board of a row, and lets it go on."""

    @property
    def board(self) -> DgtBoard:
        """The board."""


class DgtRow:
    """Several boards on one line; a device like a single one.

    ``short``: the row's cable is short-circuited, and nothing gets through in either direction.
    """

    def __init__(
        self, players: Sequence[Player | DgtBoard], *, baud: int = 9600, seed: int = 0
    ) -> None:
        self._rng = Random(seed)
        self.boards = [
            RowBoard(player, player if isinstance(player, DgtBoard) else player.board, self._rng)
            for player in players
        ]
        self.short = False
        self.collisions = 0
        self._byte_time = BITS_PER_BYTE / baud
        self._incoming: deque[tuple[float, int]] = deque()
        self._heard_until = -math.inf
        self._answers: list[tuple[float, int, bytes]] = []
        self._air: deque[_Talk] = deque()
        self._wakes = [-math.inf] * len(self.boards)
        self._at = 0.0

    def receive(self, data: bytes, *, at: float) -> None:
        """Take the bytes a host sent; each takes its time on the line."""
        for byte in data:
            self._heard_until = max(at, self._heard_until) + self._byte_time
            self._incoming.append((self._heard_until, byte))

    def wake(self) -> None:
        """Let every board go on; needed when somebody changed something about one."""
        self._wakes = [-math.inf] * len(self.boards)

    def poll(self, *, at: float) -> Outgoing:
        """Go on to time *at*; return what came over the wire and when to poll again."""
        while (due := self._next()) <= at:
            self._advance(max(due, self._at))
        self._at = at
        data = b"".join(self._arrived(talk, at) for talk in self._air)
        while self._air and self._air[0].sent == len(self._air[0].data):
            self._air.popleft()
        wake_at = min(self._next(), self._piece_at(self._air[0]) if self._air else math.inf)
        return Outgoing(b"" if self.short else data, wake_at)

    def _next(self) -> float:
        heard = self._incoming[0][0] if self._incoming else math.inf
        answered = self._answers[0][0] if self._answers else math.inf
        return min(heard, answered, *self._wakes)

    def _advance(self, at: float) -> None:
        """Do what is due at time *at*, the boards' own doings first."""
        for number, row_board in enumerate(self.boards):
            if self._wakes[number] <= at:
                self._go_on(number, row_board, at)
        while self._answers and self._answers[0][0] <= at:
            begins, _, data = heappop(self._answers)
            self._say(begins, data)
        while self._incoming and self._incoming[0][0] <= at:
            _, byte = self._incoming.popleft()
            for number, row_board in enumerate(self.boards):
                self._hear(number, row_board, byte, at)

    def _go_on(self, number: int, row_board: RowBoard, at: float) -> None:
        """Let a board scan and its player play; outside bus mode it speaks by itself."""
        data, self._wakes[number] = row_board.player.poll(at=at)
        if data and not row_board.dead:
            self._say(at, data)

    def _hear(self, number: int, row_board: RowBoard, byte: int, at: float) -> None:
        if self.short:
            return
        answer = row_board.hear(byte, at=at)
        if answer is not None:
            heappush(self._answers, (answer[0], number, answer[1]))
        if row_board.board.mode is not Mode.BUS:
            self._go_on(number, row_board, at)

    def _say(self, begins: float, data: bytes) -> None:
        """Put *data* on the wire; where another board is speaking both are lost."""
        last = self._air[-1] if self._air else None
        if last is not None:
            ends = last.begins + len(last.data) * self._byte_time
            if begins < ends:
                self.collisions += 1
                first = max(last.sent, math.floor((begins - last.begins) / self._byte_time))
                for place in range(first, len(last.data)):
                    last.data[place] &= self._rng.randrange(256)
                data = data[math.ceil((ends - begins) / self._byte_time) :]
                begins = ends
        if data:
            self._air.append(_Talk(begins, data))

    def _arrived(self, talk: _Talk, at: float) -> bytes:
        piece = b""
        while talk.sent < len(talk.data) and self._piece_at(talk) <= at:
            start, talk.sent = talk.sent, min(talk.sent + PIECE, len(talk.data))
            piece += bytes(talk.data[start : talk.sent])
        return piece

    def _piece_at(self, talk: _Talk) -> float:
        """Return when the next piece of *talk* has come."""
        return talk.begins + min(talk.sent + PIECE, len(talk.data)) * self._byte_time
