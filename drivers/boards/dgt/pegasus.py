"""DGT Pegasus: the protocol of the e-boards over Bluetooth LE, for a board that knows no men.

It tells of each square only whether something stands there. Facts: four open implementations of
the host's side agree; states of lock and key come from a single one.
"""

import re
from collections.abc import Callable, Collection

from drivers import nordic_uart
from drivers.boards.dgt.framing import Framer
from drivers.boards.dgt.passport import PASSPORT
from drivers.boards.dgt.protocol import (
    DUMP_LENGTH,
    HEADER,
    LOG_LENGTH,
    Command,
    Message,
    index_of_square,
    square_of_index,
)
from drivers.boards.dgt.squares import contradicted, missed
from drivers.cells import from_eighth_rank
from drivers.codec import DriverInfo, Fingerprint, GattSettings, Option, Outgoing
from drivers.errors import OptionError
from drivers.events import (
    EMPTY,
    UNKNOWN_CELLS,
    UNNAMED,
    UNREADABLE,
    Event,
    Noise,
    Notice,
    Snapshot,
    SquareChange,
)
from drivers.framing import FramedCodec
from drivers.pacing import Pacer

PACE = 0.1
BEGIN_AFTER = 0.3
"""Seconds after connecting before which the board takes no commands."""

DUMP_EVERY = 1.0
"""Pushed changes get lost under load, so every host that is known to work asks as well."""

BATTERY_EVERY = 300.0
REPORT_LATE = 0.3
"""Seconds by which a change may be reported later than a dump shows it."""

_AT_ONCE = bytes((0x40, 0, 2))
"""Speed, repetitions and brightness of lamps: so fast that all seem lit at once (one host), for
ever, and neither of the ends of the scale, which hosts read in different directions."""

_CELLS = {0: EMPTY, 1: UNNAMED}
_EVERYWHERE = UNNAMED * 64
_KEY = re.compile(r"([0-9a-f]{2}[ :]?){5}[0-9a-f]{2}", re.IGNORECASE)
_DUMP = bytes([Command.SEND_BRD])
_BATTERY = bytes([Command.SEND_BATTERY_STATUS])
_UPDATES = bytes([Command.SEND_UPDATE_BRD])
_GREETING = (Command.SEND_RESET, Command.SEND_UPDATE_BRD, Command.SEND_BRD)
"""Changes are reported before the position is asked for, so that none falls in between."""

_QUESTIONS = (
    Command.SEND_KEY_STATE,
    Command.SEND_LOCK_STATE,
    Command.RETURN_SERIALNR,
    Command.RETURN_LONG_SERIALNR,
    Command.SEND_VERSION,
    Command.SEND_HARDWARE_VERSION,
    Command.SEND_TRADEMARK,
)
"""Who the board is. Boards of other makers have the same service and take letters for commands,
so this is asked only when something has answered like a Pegasus."""


class Pegasus(FramedCodec):
    """One Pegasus.

    Without a key that the board accepts, dumps may tell of squares that are not as they say. A
    dump is believed only where every square is empty or taken and not all are taken.
    """

    info = DriverInfo(
        name="pegasus",
        title="DGT Pegasus",
        transports=("ble",),
        gatt=GattSettings(
            notify=(nordic_uart.NOTIFY,),
            write=nordic_uart.WRITE,
            response=True,
            largest_write=20,
            pace=0.05,
        ),
        fingerprint=Fingerprint(
            ble_names=("DGT_PEGASUS_*", "DGT_Pegasus_*"),
            ble_services=(nordic_uart.SERVICE,),
        ),
        sensing="occupancy",
        has_clock=False,
        longest_message=LOG_LENGTH,
        silence_limit=6.0,
        evidence="two sources",
        tested=("games by radio", "games in QEMU"),
        sources="four open implementations of the host's side",
        lamps=True,
        options=(
            Option(
                name="key",
                about="the developer key that DGT gave you: six bytes in hexadecimal",
                secret=True,
            ),
        ),
    )

    def __init__(self, key: str = "") -> None:
        """Take the developer key; without one none is sent.

        Raises:
            OptionError: it is not six bytes in hexadecimal.
        """
        if key and not _KEY.fullmatch(key):
            raise OptionError("pegasus: the key must be six bytes in hexadecimal")
        self._key = bytes.fromhex(key.replace(":", ""))
        super().__init__(Framer())
        self._pacer = Pacer(PACE)
        self._begin_at = 0.0
        self._cells = UNKNOWN_CELLS
        self._changed_at = -REPORT_LATE
        self._doubted = False
        self._answers = False
        self._decoders: dict[int, Callable[[bytes, float], list[Event]]] = {
            **PASSPORT,
            Message.BOARD_DUMP: self._dump,
            Message.FIELD_UPDATE: self._change,
            Message.PEGASUS_LOCK_STATE: _lock_state,
            Message.PEGASUS_KEY_STATE: _key_state,
        }

    def greet(self, *, at: float) -> None:
        """Give the key, begin the reports and ask for the position; more follows an answer."""
        self._begin_at = at + BEGIN_AFTER
        if self._key:
            self._pacer.say(bytes([Command.DEVELOPER_KEY, len(self._key) + 1, *self._key, 0]))
        for command in _GREETING:
            self._pacer.say(bytes([command]))
        self._pacer.every(DUMP_EVERY, _DUMP, at=self._begin_at + DUMP_EVERY)

    def light(self, squares: Collection[int]) -> None:
        """Light these *squares* and no others."""
        self._pacer.show(lamps_of(squares))

    def _decode(self, message: bytes, at: float) -> list[Event]:
        if message[0] not in self._decoders:
            return [_unexpected(message, at)]
        self._answered(at)
        return self._decoders[message[0]](message, at)

    def shown(self, data: bytes) -> bytes:
        """Return *data* with zeros for the developer key."""
        return data.replace(self._key, bytes(len(self._key))) if self._key else data

    def poll(self, *, at: float) -> Outgoing:
        """Return the command that is due."""
        if at < self._begin_at:
            return Outgoing(b"", self._begin_at)
        return self._pacer.next(at)

    def _answered(self, at: float) -> None:
        if not self._answers:
            self._answers = True
            for command in _QUESTIONS:
                self._pacer.say(bytes([command]))
            self._pacer.every(BATTERY_EVERY, _BATTERY, at=at + DUMP_EVERY)

    def _dump(self, message: bytes, at: float) -> list[Event]:
        if len(message) != DUMP_LENGTH:
            return [_unexpected(message, at)]
        letters = "".join(_CELLS.get(code, UNREADABLE) for code in message[HEADER:])
        if UNREADABLE in letters or letters == _EVERYWHERE:
            return self._doubt(at)
        self._doubted = False
        cells = from_eighth_rank(letters)
        events: list[Event] = [Snapshot(at=at, cells=cells)]
        if at - self._changed_at > REPORT_LATE:
            events += self._missed(cells, at)
        self._cells = cells
        return events

    def _doubt(self, at: float) -> list[Event]:
        if self._doubted:
            return []
        self._doubted = True
        remedy = "does it accept the key?" if self._key else "it may need a developer key"
        return [Notice(at=at, text=f"the position that the board tells is none: {remedy}")]

    def _missed(self, cells: str, at: float) -> list[Event]:
        """Tell what a dump shows that was not reported, and have reports begun again."""
        squares = contradicted(self._cells, cells)
        if not squares:
            return []
        self._pacer.say(_UPDATES, first=True)
        return [missed(squares, at)]

    def _change(self, message: bytes, at: float) -> list[Event]:
        index, code = message[HEADER], message[HEADER + 1]
        if index > 63 or code not in _CELLS:
            return [_unexpected(message, at)]
        square, piece = square_of_index(index), _CELLS[code]
        self._cells = self._cells[:square] + piece + self._cells[square + 1 :]
        self._changed_at = at
        return [SquareChange(at=at, square=square, piece=piece, cells=self._cells)]


def lamps_of(squares: Collection[int]) -> bytes:
    """Return the command that lights *squares* and no others.

    >>> lamps_of({12, 28}).hex(" ")
    '60 07 05 40 00 02 24 34 00'
    """
    lamps = bytes(sorted(index_of_square(square) for square in squares))
    data = b"\x00" if not lamps else b"\x05" + _AT_ONCE + lamps
    return bytes((Command.SET_LEDS, len(data) + 1)) + data + b"\x00"


def _lock_state(message: bytes, at: float) -> list[Event]:
    return [Notice(at=at, text=f"lock state {message[HEADER]} (0 is believed to mean open)")]


def _key_state(message: bytes, at: float) -> list[Event]:
    text = f"developer key state {message[HEADER]} (1 is believed to mean accepted)"
    return [Notice(at=at, text=text)]


def _unexpected(message: bytes, at: float) -> Noise:
    return Noise(at=at, data=message.hex(" "), why="not what a Pegasus says")
