"""Square Off Pro: texts of the form ``code#body*``.

Facts: three open implementations and one recorded exchange; what only one of them knows, such as
how a move is shown on the board, is not used.
"""

import math
import re
from collections.abc import Collection

import chess

from drivers import nordic_uart
from drivers.boards.squareoff.text import (
    ARRAY,
    NEW_GAME,
    SQUARES,
    cells_of,
    hand,
)
from drivers.codec import DriverInfo, Fingerprint, GattSettings, Outgoing
from drivers.events import Event, Notice, Snapshot
from drivers.framing import MORE, FramedCodec, Framer
from drivers.pacing import Pacer

END = b"*"
ASK_OCCUPANCY = b"30#R*"
ASK_BATTERY = b"4#*"
LAMPS = "25#"
"""Begins the names of all squares that shall be lit; none: all are dark."""

LONGEST = len("30#*") + SQUARES

NAMES = ("Squareoff*", "Square Off", "Square Off[! ]*", "Square Off [!N]*")
"""``Square Off Neo`` is another board."""

GREET_AFTER = 0.25
PACE = 0.15
"""Seconds from the subscription to the first message, and between two (open implementations)."""

CHECK_AFTER = 0.3
"""Seconds after a man was placed until the occupancy is asked for; later men put it off."""

OCCUPANCY_EVERY = 5.0
"""The board has no sign of life of its own."""

_MESSAGES = {
    code: re.compile(body)
    for code, body in {
        "0": r"[a-h][1-8][ud]",
        "30": rf"[01]{{{SQUARES}}}",
        "14": r"GO",
        "22": r"\d+\.\d+",
    }.items()
}
_BEGIN = re.compile(rb"(?:14|22|30|0)#")


class SquareOffPro(FramedCodec):
    """A board that tells lifts and places, and its occupancy when asked.

    A new game is begun on it only when all men stand, because it is not known whether a board
    in the middle of a game forgets it by that.
    """

    info = DriverInfo(
        name="squareoff",
        title="Square Off Pro",
        transports=("ble",),
        gatt=GattSettings(notify=(nordic_uart.NOTIFY,), write=nordic_uart.WRITE, mtu=LONGEST + 3),
        fingerprint=Fingerprint(ble_names=NAMES, ble_services=(nordic_uart.SERVICE,)),
        sensing="events",
        has_clock=False,
        longest_message=LONGEST,
        silence_limit=12.0,
        evidence="two sources",
        tested=("games by radio",),
        sources="three open implementations; one recorded exchange",
        lamps=True,
    )
    commands = ("battery",)

    def __init__(self) -> None:
        super().__init__(Framer(measure, longest=LONGEST))
        self._pacer = Pacer(PACE)
        self._stands = False
        self._check_at = math.inf

    def greet(self, *, at: float) -> None:
        """Ask what stands on the board, a moment after the subscription."""
        self._pacer.every(OCCUPANCY_EVERY, ASK_OCCUPANCY, at=at + GREET_AFTER)

    def poll(self, *, at: float) -> Outgoing:
        """Return the question that is due."""
        if self._check_at <= at:
            self._check_at = math.inf
            self._pacer.say(ASK_OCCUPANCY)
        data, wake_at = self._pacer.next(at)
        return Outgoing(data, min(wake_at, self._check_at))

    def light(self, squares: Collection[int]) -> None:
        """Light these *squares* and no others."""
        names = "".join(map(chess.square_name, sorted(squares)))
        self._pacer.show(f"{LAMPS}{names}*".encode("ascii"))

    def _command(self, _name: str) -> None:
        """Queue ``battery``; the answer, in volts, comes as a :class:`Notice`."""
        self._pacer.say(ASK_BATTERY)

    def _damaged(self, at: float) -> None:
        self._check_at = at + CHECK_AFTER  # it may have told of a man

    def _decode(self, message: bytes, at: float) -> list[Event]:
        code, _, body = message[:-1].decode("ascii").partition("#")
        match code:
            case "0":
                self._check_at = at + CHECK_AFTER
                return [hand(body, at)]
            case "30":
                cells = cells_of(body)
                if cells == ARRAY and not self._stands:
                    self._pacer.say(NEW_GAME)
                self._stands = cells == ARRAY
                return [Snapshot(at=at, cells=cells)]
            case "22":
                return [Notice(at=at, text=f"the battery gives {body} V")]
            case _:
                return []  # ready for a new game


def measure(buffer: bytes) -> tuple[int, str]:
    """Say what stands at the beginning of *buffer*."""
    end = buffer.find(END) + 1
    again = _BEGIN.search(buffer, 1)
    if not buffer[:1].isdigit():
        return _restart(buffer), "no message begins here"
    if again and not (end and end <= again.start()) and b"#" in buffer[: again.start()]:
        return again.start(), "cut short by the next message"
    if not end:
        return MORE
    code, _, body = buffer[: end - 1].decode("latin-1").partition("#")
    known = _MESSAGES.get(code)
    if known is None or not known.fullmatch(body):
        return end, "no such message"
    return end, ""


def _restart(buffer: bytes) -> int:
    """Return where the next digit stands."""
    return next((n for n, byte in enumerate(buffer) if bytes([byte]).isdigit()), len(buffer))
