"""ChessClock, a clock of hobbyists on an ESP32: a JSON object over Bluetooth LE at every press.

Facts: a document, "ChessClock ESP32 BLE Specifications". Its UUIDs are those of the ESP32's
examples, which countless other devices have too, so only its name tells it, and what it says.
"""

import math
from typing import Annotated, Literal

import msgspec

from drivers.codec import NOTHING, DriverInfo, Fingerprint, GattSettings, Outgoing
from drivers.events import ClockReading, Event, Noise, Side
from drivers.framing import FramedCodec, Framer
from drivers.json_objects import BEGIN, measure_objects

CHARACTERISTIC = "beb5483e-36e1-4688-b7f5-ea07361b26a8"
LONGEST = 256
"""Three times the documented message."""

Seconds = Annotated[int, msgspec.Meta(ge=0, lt=360_000)]

_SIDES: dict[int, Side] = {1: "left", 2: "right"}
"""Which player sits on which side is not told; the table finds out whose side is White's."""


class Press(msgspec.Struct, frozen=True):
    """A player has pressed, or, being 0, the clock was set anew; times are whole seconds."""

    player_moved: Literal[0, 1, 2]
    p1_time_sec: Seconds
    p2_time_sec: Seconds


_press = msgspec.json.Decoder(Press).decode


class Esp32Clock(FramedCodec):
    """A clock that tells both times when it is pressed, and nothing in between.

    So its silence means nothing, and it is never written to.
    """

    info = DriverInfo(
        name="esp32_clock",
        title="ChessClock on an ESP32, the documented hobby clock",
        transports=("ble",),
        gatt=GattSettings(notify=(CHARACTERISTIC,), write=CHARACTERISTIC, mtu=80),
        fingerprint=Fingerprint(ble_names=("ChessClock*",)),
        sensing="nothing",
        has_clock=True,
        longest_message=LONGEST,
        silence_limit=math.inf,
        evidence="one source",
        sources="a description by its maker",
    )

    def __init__(self) -> None:
        super().__init__(Framer(measure_objects(BEGIN), longest=LONGEST))
        self._turn: Side | None = None

    def greet(self, *, at: float) -> None:
        """Wait for a press."""

    def poll(self, *, at: float) -> Outgoing:
        """Return nothing: what the clock makes of a write is not known."""
        del at
        return NOTHING

    def _decode(self, message: bytes, at: float) -> list[Event]:
        if not message.strip():
            return []
        try:
            press = _press(message)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            return [Noise(at=at, data=message.hex(" "), why=str(error))]
        if not press.player_moved:
            self._turn = None
            return [_reading(press, None, at)]
        side = _SIDES[press.player_moved]
        before, self._turn = self._turn, _SIDES[3 - press.player_moved]
        # Whoever presses had the move, also where nobody has told so.
        missed = [] if before == side else [_reading(press, side, at)]
        return [*missed, _reading(press, self._turn, at)]


def _reading(press: Press, turn: Side | None, at: float) -> ClockReading:
    return ClockReading(
        at=at,
        left_ms=press.p1_time_sec * 1000,
        right_ms=press.p2_time_sec * 1000,
        running=turn is not None,
        turn=turn,
        left_flag=turn is not None and press.p1_time_sec == 0,
        right_flag=turn is not None and press.p2_time_sec == 0,
    )
