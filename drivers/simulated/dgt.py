"""A DGT e-board in single-board mode: the board's side of the wire.

The board is a pure model. Hands put pieces on true squares, a clock may be plugged in, a host's
bytes go in, the board's bytes come out of :meth:`DgtBoard.poll`. Facts: vendor header
"dgtbrd13" and byte streams of real boards; numbers in :mod:`drivers.boards.dgt.protocol`.

**Scanning.** A real board reads its 64 squares one after another, once in 200 to 250 ms, and
reports what differs from the scan before. Only a square that was touched can differ, so only the
next reading of touched squares is computed; that alone gives moves reported with the new square
before the old one, captures that never show an empty square, and ghosts of sliding pieces.

**Bus mode**: alone on a line the board leaves every bus command unanswered, as one with another
address does. :mod:`drivers.simulated.dgt_bus` makes rows of such boards, and answers for them.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from heapq import heappop, heappush
from random import Random

import chess

from drivers.boards.dgt.protocol import (
    CLOCK_OK,
    CODE_OF_PIECE,
    HEADER,
    BusCommand,
    ClockCommand,
    Command,
    Message,
    index_of_square,
)
from drivers.codec import Outgoing
from drivers.simulated.clock import Clock, Face, other
from drivers.simulated.dgt_log import START, BoardLog, bcd, hours_minutes_seconds
from drivers.simulated.line import Faults, Line

TRADEMARK = "eboard-bridge simulated board\r\nNo product of any board maker\r\n"
"""Our own text: the vendor's may not be carried from one device to another."""

TURNED_ROWS = START[::-1][48:]
"""Black's men in order on the two lowest rows of a board whose numbering is to be turned."""

BUS_COMMAND_LENGTH = 4
UPDATE_PERIOD = 1.0
"""In UPDATE mode a clock frame comes at least this often (s)."""

NO_CLOCK = bytes((0, 0, 0, 0, 0, 0, 0x20))
NULL_CLOCK = bytes(7)
INVALID_CLOCK = bytes((0x05, 0x6C, 0x10, 0x03, 0x75, 0x3F, 0x09))
CLOCK_VERSION = 0x20
CLOCK_REFUSED = 0x40
UNKNOWN_TIME = 0x7F
DISCHARGING = 0x02

_COMMANDS = frozenset(Command)
_BUS_COMMANDS = frozenset(BusCommand)
_WITH_LENGTH = {Command.CLOCK_MESSAGE, Command.SET_LEDS, Command.DEVELOPER_KEY}


class Mode(Enum):
    """What a board does without being asked."""

    BUS = "bus"
    IDLE = "idle"
    UPDATE_BOARD = "update board"
    UPDATE = "update"
    UPDATE_NICE = "update nice"


@dataclass(frozen=True, kw_only=True)
class Passport:
    """What a board says about itself.

    ``serial``: five digits. ``battery`` in percent; ``None``: this board has none and does not
    answer. Boards without ``long_serial`` do not know that command either.
    """

    serial: str = "00042"
    long_serial: str | None = None
    version: tuple[int, int] = (3, 1)
    bus_address: int = 42
    battery: int | None = None
    trademark: str = TRADEMARK


class DgtBoard:
    """One board, powered up in bus mode at time 0 with nothing on it.

    Squares are true chess squares (a1 = 0); ``rotated`` turns them to the board's numbering, as
    when White sits in the other seat. ``turns_itself``: like a Revelation II it turns its
    numbering when it sees Black's men in order on its two lowest rows. ``clock`` is read, and
    pressed by others. Calls must not go back in time. ``scan_period`` doubles over Bluetooth.
    """

    def __init__(
        self,
        passport: Passport,
        *,
        clock: Clock | None = None,
        rotated: bool = False,
        turns_itself: bool = False,
        scan_period: float = 0.22,
        baud: int = 9600,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        self.passport = passport
        self.clock = clock
        self.rotated = rotated
        self._turns_itself = turns_itself
        self.faults = faults or Faults()
        self.mode = Mode.BUS
        self._rng = Random(seed)
        self._line = Line(self.faults, self._rng, baud=baud)
        self._scan_period = scan_period
        self._scan_offset = self._rng.uniform(0, scan_period)
        self._standing = [0] * 64
        self._seen = [0] * 64
        self._to_read: list[tuple[float, int]] = []
        self._touched: set[int] = set()
        self.log = BoardLog()
        self.log.power_up()
        self._lever = clock.turn if clock else None
        self._clock_sent = self.clock_payload(0.0)
        self._clock_sent_at = 0.0
        self._clock_due = math.inf
        self._input = bytearray()
        self._answers = self._make_answers()

    @property
    def seen(self) -> bytes:
        """The 64 piece codes, a8 first, as the last scan has them."""
        return bytes(self._seen)

    # --- the players' side ----------------------------------------------------------------------

    def set_up(self, pieces: Mapping[chess.Square, chess.Piece], *, at: float) -> None:
        """Put *pieces* on the board and take away everything else."""
        for square in chess.SQUARES:
            piece = pieces.get(square)
            self._stand(square, CODE_OF_PIECE[piece.symbol()] if piece else 0, at)

    def lift(self, square: chess.Square, *, at: float) -> None:
        """Take what stands on *square* away."""
        self._stand(square, 0, at)

    def put(self, square: chess.Square, piece: chess.Piece, *, at: float) -> None:
        """Put *piece* on *square*, whatever stood there."""
        self._stand(square, CODE_OF_PIECE[piece.symbol()], at)

    # --- the host's side ------------------------------------------------------------------------

    def receive(self, data: bytes, *, at: float) -> None:
        """Take the bytes a host sent; unknown ones are ignored, as real boards do."""
        self.advance(at=at)
        if self.faults.disconnected:
            return
        for byte in data:
            self._input.append(byte)
            if len(self._input) == self._expected_length():
                command = bytes(self._input)
                self._input.clear()
                self._obey(command, at)

    def poll(self, *, at: float) -> Outgoing:
        """Go on to time *at*; return what was sent until then and when to poll again."""
        self.advance(at=at)
        data, line_at = self._line.poll(at=at)
        scan_at = self._to_read[0][0] if self._to_read else math.inf
        return Outgoing(data, min(line_at, scan_at, self._clock_due))

    def send_log(self, *, at: float) -> None:
        """Send EE_MOVES, asked for or not: at 9600 baud nothing else can go for 8 s."""
        self._send(Message.EE_MOVES, self.log.payload(), at)
        self.log.downloaded()

    def advance(self, *, at: float) -> None:
        """Scan and watch the clock until time *at*; what is to be said waits to be polled."""
        while True:
            scan_at = self._to_read[0][0] if self._to_read else math.inf
            if min(scan_at, self._clock_due) > at:
                break
            if scan_at <= self._clock_due:
                self._read_square()
            else:
                self._watch_clock(self._clock_due)
        self._watch_clock(at)

    # --- scanning -------------------------------------------------------------------------------

    def _stand(self, square: chess.Square, code: int, at: float) -> None:
        self.advance(at=at)
        index = index_of_square(square)
        if self.rotated:
            index = 63 - index
        self._standing[index] = code
        if index not in self._touched:
            self._touched.add(index)
            heappush(self._to_read, (self._next_reading(index, at), index))

    def _next_reading(self, index: int, at: float) -> float:
        """Return when the scan comes to square *index* after time *at*."""
        first = self._scan_offset + index * self._scan_period / 64
        scans = math.floor((at - first) / self._scan_period) + 1
        return first + scans * self._scan_period

    def _read_square(self) -> None:
        at, index = heappop(self._to_read)
        self._touched.remove(index)
        code = self._standing[index]
        if code == self._seen[index]:
            return
        self._seen[index] = code
        self.log.change(index, code, at=at)
        self.log.position(self._seen)
        self._report(index, code, at)
        if self._turns_itself and self._seen[48:] == TURNED_ROWS:
            self._turn()

    def _report(self, index: int, code: int, at: float) -> None:
        if self.mode not in (Mode.BUS, Mode.IDLE):
            self._send(Message.FIELD_UPDATE, bytes((index, code)), at)

    def _turn(self) -> None:
        """Count all squares from the other side from now on, without a word."""
        self.rotated = not self.rotated
        for codes in (self._standing, self._seen):
            codes.reverse()
        self._touched = {63 - index for index in self._touched}
        self._to_read = [(at, 63 - index) for at, index in self._to_read]

    # --- clock ----------------------------------------------------------------------------------

    def _watch_clock(self, at: float) -> None:
        self._log_press(at)
        if self.mode not in (Mode.UPDATE, Mode.UPDATE_NICE):
            self._clock_due = math.inf
            return
        payload = self.clock_payload(at)
        if payload != self._clock_sent or at >= self._repeat_at():
            self._send_clock(payload, at)
        change_at = self.clock.next_change(at=at) if self.clock else math.inf
        self._clock_due = min(change_at, self._repeat_at())

    def _repeat_at(self) -> float:
        return self._clock_sent_at + UPDATE_PERIOD if self.mode is Mode.UPDATE else math.inf

    def _log_press(self, at: float) -> None:
        if self.clock is None or self.clock.turn == self._lever:
            return
        self._lever = self.clock.turn
        stopped = other(self.clock.turn)
        self.log.clock(stopped, self.clock.reading(at=at).seconds(stopped))

    def clock_payload(self, at: float) -> bytes:
        """Return the seven bytes that tell what the clock shows at time *at*."""
        if self.clock is None or self.faults.clock_unplugged:
            return NO_CLOCK
        if self.faults.clock_frozen:
            return self._clock_sent
        return time_payload(self.clock.reading(at=at))

    def _send_clock(self, payload: bytes, at: float) -> None:
        self._clock_sent = payload
        self._clock_sent_at = at
        if self.faults.clock_silent:
            return
        if self._chance(self.faults.null_clock):
            self._send(Message.BWTIME, NULL_CLOCK, at)
        if self._chance(self.faults.invalid_clock):
            self._send(Message.BWTIME, INVALID_CLOCK, at)
        self._send(Message.BWTIME, payload, at)

    # --- commands -------------------------------------------------------------------------------

    def _expected_length(self) -> int:
        """Return the length of the command whose first bytes have come."""
        first = self._input[0]
        if first in _BUS_COMMANDS:
            return BUS_COMMAND_LENGTH
        if first not in _WITH_LENGTH:
            return 1
        return 2 + self._input[1] if len(self._input) > 1 else 2 + 0x7F

    def _obey(self, command: bytes, at: float) -> None:
        if command[0] in _BUS_COMMANDS:
            self._enter(Mode.BUS, at)
            return
        if command[0] in _COMMANDS and self.mode is Mode.BUS:
            self._enter(Mode.IDLE, at)
        if command[0] == Command.CLOCK_MESSAGE:
            self._answer_clock(command, at)
        elif command[0] in self._answers:
            self._answers[command[0]](at)

    def _make_answers(self) -> dict[int, Callable[[float], None]]:
        passport = self.passport

        def saying(message: Message, payload: bytes) -> Callable[[float], None]:
            return lambda at: self._send(message, payload, at)

        def entering(mode: Mode) -> Callable[[float], None]:
            return lambda at: self._enter(mode, at)

        answers: dict[int, Callable[[float], None]] = {
            Command.SEND_RESET: entering(Mode.IDLE),
            Command.SEND_UPDATE: entering(Mode.UPDATE),
            Command.SEND_UPDATE_BRD: entering(Mode.UPDATE_BOARD),
            Command.SEND_UPDATE_NICE: entering(Mode.UPDATE_NICE),
            Command.TO_BUSMODE: entering(Mode.BUS),
            Command.SEND_CLK: lambda at: self._send_clock(self.clock_payload(at), at),
            Command.SEND_BRD: lambda at: self._send(Message.BOARD_DUMP, self.seen, at),
            Command.SEND_EE_MOVES: lambda at: self.send_log(at=at),
            Command.RETURN_SERIALNR: saying(Message.SERIALNR, passport.serial.encode()),
            Command.RETURN_BUSADRES: saying(
                Message.BUSADRES, bytes((passport.bus_address >> 7, passport.bus_address & 0x7F))
            ),
            Command.SEND_TRADEMARK: saying(Message.TRADEMARK, passport.trademark.encode()),
            Command.SEND_VERSION: saying(Message.VERSION, bytes(passport.version)),
        }
        if passport.long_serial is not None:
            answers[Command.RETURN_LONG_SERIALNR] = saying(
                Message.LONG_SERIALNR, passport.long_serial.encode()
            )
        if passport.battery is not None:
            answers[Command.SEND_BATTERY_STATUS] = saying(
                Message.BATTERY_STATUS, battery_payload(passport.battery)
            )
        return answers

    def _answer_clock(self, command: bytes, at: float) -> None:
        """Acknowledge a clock command; only the update modes with a clock pass it on."""
        if self.mode not in (Mode.UPDATE, Mode.UPDATE_NICE) or self.clock_payload(at) == NO_CLOCK:
            return
        if len(command) < BUS_COMMAND_LENGTH:
            return
        number = command[3]
        status = CLOCK_REFUSED if number == ClockCommand.SETNRUN else CLOCK_OK
        detail = CLOCK_VERSION if number == ClockCommand.VERSION else 0
        self._send(Message.BWTIME, ack_payload(status, number, detail, 0), at)

    def _enter(self, mode: Mode, at: float) -> None:
        self.mode = mode
        self._clock_sent = self.clock_payload(at)
        self._clock_sent_at = at
        self._watch_clock(at)

    def _send(self, message: Message, payload: bytes, at: float) -> None:
        length = HEADER + len(payload)
        self._line.send(bytes((message, length >> 7, length & 0x7F)) + payload, at=at)

    def _chance(self, probability: float) -> bool:
        return probability > 0 and self._rng.random() < probability


def time_payload(face: Face) -> bytes:
    """Return the seven bytes of BWTIME that show *face*: the right side first, then the left."""
    status = 0x01 if face.running else 0
    status |= 0x12 if face.turn == "right" else 0x08
    right = _side_payload(face.right_s, face.right_flag, face.right_mark, face.bonus)
    left = _side_payload(face.left_s, face.left_flag, face.left_mark, face.bonus)
    return right + left + bytes((status,))


def _side_payload(seconds: int, flag: bool, mark: bool, bonus: bool) -> bytes:
    hours, minutes, seconds = hours_minutes_seconds(seconds)
    signs = flag << 4 | bonus << 5 | mark << 6
    return bytes((signs | hours, bcd(minutes), bcd(seconds)))


def ack_payload(*ack: int) -> bytes:
    """Return the seven bytes of BWTIME that carry the four bytes of a clock's answer."""
    first, second, third, fourth = ack
    return bytes(
        (
            0x0A | (third & 0x80) >> 3 | (fourth & 0x80) >> 2,
            first & 0x7F,
            second & 0x7F,
            0x0A | (first & 0x80) >> 3 | (second & 0x80) >> 2,
            third & 0x7F,
            fourth & 0x7F,
            0,
        )
    )


def battery_payload(percent: int) -> bytes:
    """Return the nine bytes of BATTERY_STATUS of a board that runs on its battery."""
    return bytes((percent, UNKNOWN_TIME, UNKNOWN_TIME, 0, 0, 0, 0, 0, DISCHARGING))
