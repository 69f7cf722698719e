"""iChessOne: a board that knows every man, over Bluetooth LE or a serial line.

Messages begin with ``=`` and a letter and have neither an end nor a checksum. No square of a
position can look like ``=`` (0x3d: the code 13 is no man), so that byte always tells where a new
message begins. Facts: two open implementations that agree byte by byte.
"""

from collections.abc import Collection

from drivers import nordic_uart
from drivers.cells import from_eighth_rank
from drivers.codec import DriverInfo, Fingerprint, GattSettings, LineSettings, Outgoing
from drivers.events import Battery, Event, Identity, Snapshot
from drivers.framing import MORE, FramedCodec, Framer
from drivers.pacing import Pacer

BEGIN = b"="
POSITION, BATTERY, HARDWARE = b"=p", b"=b", b"=h"
POSITION_LENGTH = 2 + 32
BATTERY_LENGTH = 2 + 2
LONGEST_TEXT = 64
"""A hardware text has no end of its own, and no length is documented; ours is generous."""

PIECES = ".PNBRQKpnbrqk"
"""Letter of each code, 0 first."""

ASK_POSITION, ASK_BATTERY, ASK_HARDWARE = b"RP", b"RB", b"RH"
REPORT_CHANGES = b"CPIRQ"

LAMPS = b"EL"
"""Begins sixteen bytes: brightness and red, green and blue, ten rows (border, ranks from the
eighth on, border) with bit 0 the a-file, whether to flash and to clear what was lit, how long."""

_BRIGHT_BLUE, _DARK_BLUE = b"\x80\x0f", b"\x00\x0f"
_CLEAR_OTHERS, _FOR_EVER = 0x01, 0xFF

PACE = 0.1
"""Seconds between two commands, which have no end either."""

POSITION_EVERY = 3.0
REPORTS_EVERY = 10.0
"""Seconds after which changes are asked for again: a board that lost its power forgot it."""

BATTERY_EVERY = 300.0


class IChessOne(FramedCodec):
    """One board; it is told to report changes, and asked for its position besides.

    Nothing but the harmless question for the position is sent before the board has answered it:
    other boards at the same kind of port take letters for commands.
    """

    info = DriverInfo(
        name="ichessone",
        title="iChessOne",
        transports=("serial", "ble"),
        line=LineSettings(baud=115200),
        gatt=GattSettings(
            notify=(nordic_uart.NOTIFY,),
            write=nordic_uart.WRITE,
            mtu=POSITION_LENGTH + 3,
        ),
        fingerprint=Fingerprint(ble_names=("iChessOne*",), ble_services=(nordic_uart.SERVICE,)),
        sensing="identity",
        has_clock=False,
        longest_message=len(HARDWARE) + LONGEST_TEXT,
        silence_limit=10.0,
        evidence="two sources",
        tested=("games by radio",),
        sources="two open implementations",
        lamps=True,
    )

    def __init__(self) -> None:
        super().__init__(Framer(measure, longest=self.info.longest_message))
        self._pacer = Pacer(PACE)
        self._answers = False

    def greet(self, *, at: float) -> None:
        """Ask for the position; the rest follows once the board has answered."""
        self._pacer.every(POSITION_EVERY, ASK_POSITION, at=at)

    def poll(self, *, at: float) -> Outgoing:
        """Return the question that is due."""
        return self._pacer.next(at)

    def light(self, squares: Collection[int]) -> None:
        """Light these *squares* and no others."""
        self._pacer.show(lamps_of(squares))

    def _decode(self, message: bytes, at: float) -> list[Event]:
        body = message[2:]
        if message.startswith(POSITION):
            self._begin_reports(at)
            return [Snapshot(at=at, cells=cells_of(body))]
        if message.startswith(BATTERY):
            return [Battery(at=at, percent=body[1], charging=bool(body[0]))]
        return [Identity(at=at, field="hardware", value=body.decode("ascii").strip())]

    def _begin_reports(self, at: float) -> None:
        if not self._answers:
            self._answers = True
            self._pacer.every(REPORTS_EVERY, REPORT_CHANGES, at=at)
            self._pacer.every(BATTERY_EVERY, ASK_BATTERY, at=at)
            self._pacer.say(ASK_HARDWARE)


def measure(buffer: bytes) -> tuple[int, str]:
    """Say what stands at the beginning of *buffer*."""
    restart = buffer.find(BEGIN, 1)
    if restart < 0:
        restart = len(buffer)
    if not buffer.startswith(BEGIN):
        return restart, "no message begins here"
    if buffer == BEGIN:
        return MORE
    known = _MEASURES.get(buffer[:2])
    return known(buffer, restart) if known else (restart, "no such message")


def _position(buffer: bytes, restart: int) -> tuple[int, str]:
    if restart < min(len(buffer), POSITION_LENGTH):
        return restart, "cut short by the next message"
    if len(buffer) < POSITION_LENGTH:
        return MORE
    if max(_codes(buffer[2:POSITION_LENGTH])) >= len(PIECES):
        return restart, "a square that is no man"
    return POSITION_LENGTH, ""


def _battery(buffer: bytes, _: int) -> tuple[int, str]:
    if len(buffer) < BATTERY_LENGTH:
        return MORE
    charging, percent = buffer[2:BATTERY_LENGTH]
    if charging > 1 or percent > 100:
        return 2, "no battery has this charge"
    return BATTERY_LENGTH, ""


def _text(buffer: bytes, restart: int) -> tuple[int, str]:
    """A text is complete when something else begins."""
    text = buffer[2:restart]
    if not all(32 <= byte < 127 or byte in b"\r\n" for byte in text):
        return restart, "a text that cannot be read"
    if restart < len(buffer) or len(buffer) == len(HARDWARE) + LONGEST_TEXT:
        return restart, ""
    return MORE


_MEASURES = {POSITION: _position, BATTERY: _battery, HARDWARE: _text}


def _codes(body: bytes) -> list[int]:
    """Return the codes of 64 squares, a8 b8 … h8, a7 …; the upper half of a byte first."""
    return [code for byte in body for code in (byte >> 4, byte & 0x0F)]


def cells_of(body: bytes) -> str:
    """Return the 64 cells of a position's 32 bytes."""
    return from_eighth_rank("".join(PIECES[code] for code in _codes(body)))


def lamps_of(squares: Collection[int]) -> bytes:
    """Return the command that lights *squares* and no others.

    >>> lamps_of({12, 28}).hex(" ")
    '45 4c 80 0f 00 00 00 00 00 10 00 10 00 00 01 ff'
    """
    ranks = [sum(1 << file for file in range(8) if 8 * r + file in squares) for r in range(8)]
    colour = _BRIGHT_BLUE if squares else _DARK_BLUE
    return LAMPS + colour + bytes((0, *reversed(ranks), 0, _CLEAR_OTHERS, _FOR_EVER))


def body_of(cells: str) -> bytes:
    """Return the 32 bytes that tell *cells*."""
    codes = [PIECES.index(letter) for letter in from_eighth_rank(cells)]
    return bytes(high << 4 | low for high, low in zip(codes[::2], codes[1::2], strict=True))
