"""Square Off Neo, sold as Miko Neo too: a board with a motor that never moves it by us.

What comes over its three characteristics is one stream here: lifts and places without any mark
(``e2u``), 64 digits of occupancy, and ``code#body*``. Which it is shows in the first characters.

A recorded game teaches that the occupancy may be wrong for many moves beside the way that the
motor took, and late. Lifts and places are told beside it, and which to believe is found out
later. Facts: that game, one description of the maker's own program, and one implementation.
"""

import re

from drivers import nordic_uart
from drivers.boards.squareoff.text import (
    ARRAY,
    NEW_GAME,
    SQUARES,
    cells_of,
    hand,
)
from drivers.codec import DriverInfo, Fingerprint, GattSettings, Outgoing
from drivers.events import Event, Identity, Notice, Snapshot
from drivers.framing import MORE, FramedCodec, Framer
from drivers.pacing import Pacer

EVENTS = "4496994f-2600-4e7e-81d5-e0f7b67ebd48"
OCCUPANCY = "777ac5a4-6fa8-474b-841d-091bd57d28c4"
ASK_ADDRESS = b"1#*"
PACE = 0.15
ADDRESS_EVERY = 5.0
"""The board says who it is when asked: a sign of life while nobody moves."""

PATIENCE = 0.1
"""Seconds in which a message has to be whole: each comes in one notification. Digits have no end
of their own, so only a pause separates what is left of a damaged occupancy from the next."""

_HAND = re.compile(rb"[a-h][1-8][ud]")
_HAND_BEGUN = re.compile(rb"[a-h][1-8]?")
_TEXT = re.compile(rb"1#[0-9A-Za-z:]{1,40}\*|4#[0-9.]{1,40}\*")
_TEXT_BEGUN = re.compile(rb"1#[0-9A-Za-z:]{0,40}|4(#[0-9.]{0,40})?")
_DIGITS = re.compile(rb"[01]+")
_MOTOR_FINISHED = re.compile(rb"OK")


class SquareOffNeo(FramedCodec):
    """A board that tells lifts, places and its occupancy by itself."""

    info = DriverInfo(
        name="squareoff_neo",
        title="Square Off Neo, Miko Neo",
        transports=("ble",),
        gatt=GattSettings(
            notify=(nordic_uart.NOTIFY, EVENTS, OCCUPANCY), write=nordic_uart.WRITE, mtu=SQUARES + 3
        ),
        fingerprint=Fingerprint(
            ble_names=("Square Off Neo*",), ble_services=(nordic_uart.SERVICE,)
        ),
        sensing="events",
        has_clock=False,
        longest_message=SQUARES,
        silence_limit=12.0,
        evidence="real captures",
        tested=("games by radio", "recordings"),
        sources="a recorded game; a description of the maker's program; one open implementation",
    )

    def __init__(self) -> None:
        super().__init__(Framer(measure, longest=SQUARES, patience=PATIENCE))
        self._pacer = Pacer(PACE)
        self._stands = False
        self._millivolts_told = False

    def greet(self, *, at: float) -> None:
        """Ask who the board is; what stands on it comes by itself."""
        self._pacer.every(ADDRESS_EVERY, ASK_ADDRESS, at=at)

    def poll(self, *, at: float) -> Outgoing:
        """Return what is due to be sent."""
        return self._pacer.next(at)

    def _decode(self, message: bytes, at: float) -> list[Event]:
        if _MOTOR_FINISHED.fullmatch(message):
            return []
        text = message.decode("ascii")
        if _HAND.fullmatch(message):
            return [hand(text, at)]
        if len(text) == SQUARES:
            return [self._occupancy(cells_of(text), at)]
        code, _, body = text[:-1].partition("#")
        if code == "1":
            return [Identity(at=at, field="serial", value=body)]
        return self._battery(body, at)

    def _occupancy(self, cells: str, at: float) -> Event:
        if cells == ARRAY and not self._stands:
            self._pacer.say(NEW_GAME)
        self._stands = cells == ARRAY
        return Snapshot(at=at, cells=cells)

    def _battery(self, millivolts: str, at: float) -> list[Event]:
        """Tell it once: it comes every few minutes, and nobody knows what is low."""
        if self._millivolts_told:
            return []
        self._millivolts_told = True
        return [Notice(at=at, text=f"the battery gives {millivolts} mV")]


def measure(buffer: bytes) -> tuple[int, str]:
    """Say what stands at the beginning of *buffer*."""
    for message in (_HAND, _TEXT, _MOTOR_FINISHED):
        if found := message.match(buffer):
            return found.end(), ""
    if digits := _DIGITS.match(buffer):
        return _occupied(buffer, digits.end())
    if _HAND_BEGUN.fullmatch(buffer) or _TEXT_BEGUN.fullmatch(buffer) or buffer == b"O":
        return MORE
    return 1, "no message begins here"


def _occupied(buffer: bytes, digits: int) -> tuple[int, str]:
    """Say what so many digits are that *buffer* begins with."""
    if digits >= SQUARES:
        return SQUARES, ""
    if digits == len(buffer) or _TEXT_BEGUN.fullmatch(buffer):
        return MORE
    if buffer[digits - 1 : digits + 1] == b"1#" and digits > 1:
        digits -= 1  # the last one begins a text
    return digits, "digits of no 64 squares"
