"""The codec of one DGT board on its own line."""

from drivers.boards.dgt.clock import Clock
from drivers.boards.dgt.framing import Framer
from drivers.boards.dgt.log import read_log
from drivers.boards.dgt.passport import PASSPORT, Decoder
from drivers.boards.dgt.protocol import (
    DUMP_LENGTH,
    HEADER,
    LOG_LENGTH,
    ClockCommand,
    Command,
    Message,
)
from drivers.boards.dgt.requests import KEEP_ALIVE, SILENCE, Requests
from drivers.boards.dgt.squares import Squares, missed
from drivers.codec import DriverInfo, Fingerprint, LineSettings, Outgoing
from drivers.events import (
    BoardLog,
    Event,
    Notice,
)
from drivers.framing import FramedCodec

_COMMANDS = {
    "dump": bytes([Command.SEND_BRD]),
    "clock": bytes([Command.SEND_CLK]),
    "battery": bytes([Command.SEND_BATTERY_STATUS]),
    "log": bytes([Command.SEND_EE_MOVES]),
    "beep": bytes([Command.CLOCK_MESSAGE, 4, 3, ClockCommand.BEEP, 4, 0]),
    "end clock display": bytes([Command.CLOCK_MESSAGE, 3, 3, ClockCommand.END, 0]),
}


class Dgt(FramedCodec):
    """A DGT e-board or Smart Board in single-board mode, with the clock connected to it.

    Changes are applied as they come and checked against dumps; where the two differ the dump is
    believed, and a :class:`Notice` names the squares. Squares not yet told are ``*``.
    Protocol facts: the vendor header in three editions and recordings of real boards.
    """

    info = DriverInfo(
        name="dgt",
        title="DGT e-board, DGT Smart Board",
        transports=("serial", "tcp"),
        line=LineSettings(baud=9600),
        fingerprint=Fingerprint(
            usb_ids=((0x04D8, 0x000A), (0x045B, None), (0x0403, 0x6001)),
            port_names=("usb-DGT_DGT_Chessboard-*",),
        ),
        sensing="identity",
        has_clock=True,
        longest_message=LOG_LENGTH,
        silence_limit=SILENCE + 1.0,
        evidence="real captures",
        tested=("games by serial", "recordings", "games in QEMU"),
        sources="vendor header dgtbrd13 (1998, 2012, 2015); recorded games of a USB board",
    )
    commands = tuple(_COMMANDS)

    _framer: Framer

    def __init__(self) -> None:
        super().__init__(Framer())
        self._requests = Requests()
        self._clock = Clock()
        self._squares = Squares(checked=False)
        self._decoders: dict[int, Decoder] = {
            **PASSPORT,
            Message.BOARD_DUMP: self._dump,
            Message.BWTIME: self._clock.decode,
            Message.FIELD_UPDATE: self._change,
            Message.EE_MOVES: self._log,
            Message.BOARD_DUMP_50B: _draughts,
            Message.BOARD_DUMP_50W: _draughts,
            Message.PEGASUS_UNKNOWN: _pegasus,
            Message.PEGASUS_LOCK_STATE: _pegasus,
            Message.PEGASUS_KEY_STATE: _pegasus,
        }

    def greet(self, *, at: float) -> None:
        """Queue the start-up sequence: reports and position at once, then who the board is."""
        self._framer = Framer()
        self._requests.greet(at)

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        """Take *data* that came at time *at* and return what it completes. Never raises.

        While a log arrives, seconds long, a :class:`Notice` now and then shows that the link
        is alive.
        """
        events = super().receive(data, at=at)
        if self._framer.log_until and at - self._requests.heard_at >= KEEP_ALIVE:
            self._requests.heard_at = at
            events.append(Notice(at=at, text=f"the board's log arrives: {self.buffered} bytes"))
        return events

    def poll(self, *, at: float) -> Outgoing:
        """Return what is due to be sent at time *at*, and when to ask again.

        Poll after input too: a change of the position makes a check fall due.
        """
        return self._requests.next(at, self._framer.log_until)

    def _damaged(self, at: float) -> None:
        self._requests.doubt(at)

    def _decode(self, message: bytes, at: float) -> list[Event]:
        self._requests.heard(message[0], at)
        return self._decoders[message[0]](message, at)

    def _command(self, name: str) -> None:
        """Queue what is asked for.

        A log keeps the line busy for 8.3 s, in which no move can be reported. ``beep`` and
        ``end clock display`` change what players see and hear.
        """
        self._requests.ask(_COMMANDS[name])

    def _change(self, message: bytes, at: float) -> list[Event]:
        self._requests.changed(at)
        return self._squares.change(message[3], message[4], at, said=message)

    def _dump(self, message: bytes, at: float) -> list[Event]:
        if len(message) != DUMP_LENGTH:
            return _draughts(message, at)
        events, contradicted = self._squares.dump(message[HEADER:], at, said=message)
        if contradicted:
            self._requests.missed(at)
            events.insert(1, missed(contradicted, at))
        self._requests.dumped(at)
        if self._squares.doubtful:
            self._requests.doubt(at)
        return events

    def _log(self, message: bytes, at: float) -> list[Event]:
        claimed = message[1] << 7 | message[2]
        entries, ended = read_log(message[HEADER:])
        self._requests.doubt(at)  # what was moved meanwhile may not have been reported
        return [BoardLog(at=at, entries=entries, complete=ended and len(message) == claimed)]


def _draughts(message: bytes, at: float) -> list[Event]:
    text = f"a draughts position came ({len(message)} bytes): is the board set to draughts?"
    return [Notice(at=at, text=text)]


def _pegasus(message: bytes, at: float) -> list[Event]:
    return [Notice(at=at, text=f"an answer only a DGT Pegasus gives: {message.hex(' ')}")]
