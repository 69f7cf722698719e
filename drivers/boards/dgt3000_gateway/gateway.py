"""The codec of a DGT3000 behind its gateway: a clock, and no board."""

import msgspec

from drivers.boards.dgt3000_gateway import messages
from drivers.boards.dgt3000_gateway.messages import (
    Answer,
    ButtonEvent,
    ConnectionStatus,
    Error,
    Message,
    TimeUpdate,
)
from drivers.codec import DriverInfo, Fingerprint, GattSettings, Outgoing
from drivers.events import Button, ClockFault, ClockReading, Event, Noise, Notice, Side
from drivers.framing import FramedCodec, Framer
from drivers.pacing import Pacer

ASK_TIMES = b'{"command":"getTime","id":"times"}'
ASK_EVERY = 2.0
"""Seconds between two questions for the times: updates need not come while they stand."""

PACE = 0.1
STANDS_AFTER = 2.5
"""Seconds without a change after which no time runs: one that runs changes every second."""

_TURN_OF_LEVER: dict[str, Side] = {"lever_right": "left", "lever_left": "right"}
"""The side that is down has pressed; the time of the other one runs."""


class Dgt3000Gateway(FramedCodec):
    """A DGT3000 that is read and never set.

    Which side runs is in no message. It is the one that the lever says, and the one whose time
    decreases.
    """

    info = DriverInfo(
        name="dgt3000_gateway",
        title="DGT3000 through the open Bluetooth gateway",
        transports=("ble",),
        gatt=GattSettings(
            notify=("73822f6e-edcd-44bb-974b-93ee97cb0003",),
            write="73822f6e-edcd-44bb-974b-93ee97cb0002",
            response=True,
            mtu=247,
        ),
        fingerprint=Fingerprint(
            ble_names=("DGT3000-Gateway*",),
            ble_services=("73822f6e-edcd-44bb-974b-93ee97cb0000",),
        ),
        sensing="nothing",
        has_clock=True,
        longest_message=messages.LONGEST,
        silence_limit=7.0,
        evidence="one source",
        sources="the gateway's own documentation",
    )

    def __init__(self) -> None:
        super().__init__(Framer(messages.measure, longest=messages.LONGEST))
        self._pacer = Pacer(PACE)
        self._seconds: tuple[int, int] | None = None
        self._changed_at = 0.0
        self._turn: Side | None = None
        self._running = False
        self._has_run = False
        self._trouble_told = ""

    def greet(self, *, at: float) -> None:
        """Ask for the times, now and again."""
        self._pacer.every(ASK_EVERY, ASK_TIMES, at=at)

    def poll(self, *, at: float) -> Outgoing:
        """Return the question that is due."""
        return self._pacer.next(at)

    def _decode(self, message: bytes, at: float) -> list[Event]:
        if not message.strip():
            return []
        try:
            return self._heard(messages.decode(message), at)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            return [Noise(at=at, data=message.hex(" "), why=str(error))]

    def _heard(self, message: Message, at: float) -> list[Event]:
        match message:
            case TimeUpdate(data=times) | Answer(result=messages.Times() as times):
                return [self._times(times.seconds, at)]
            case ButtonEvent(data=pressed) if pressed.button in _TURN_OF_LEVER:
                self._lever(_TURN_OF_LEVER[pressed.button], at)
                return []
            case ButtonEvent(data=pressed):
                return [Button(at=at, button=pressed.button)]
            case ConnectionStatus(data=connection):
                return [] if connection.connected else [self._absent(at)]
            case Error(data=trouble) | Answer(data=messages.Trouble() as trouble):
                return self._trouble(trouble.error_message, at)
            case _:
                return []

    def _times(self, seconds: tuple[int, int], at: float) -> Event:
        before, self._seconds = self._seconds, seconds
        self._trouble_told = ""
        if before is None or seconds != before:
            self._changed_at = at
        if before is not None and (seconds[0] < before[0]) != (seconds[1] < before[1]):
            self._running = self._has_run = True
            self._turn = "left" if seconds[0] < before[0] else "right"
        elif at - self._changed_at >= STANDS_AFTER:
            self._running = False
        return self._reading(seconds, at)

    def _lever(self, turn: Side, at: float) -> None:
        """Ask what the press has made of the times: an increment may have been added."""
        self._turn = turn
        self._changed_at = at  # the first second of the other side has not passed yet
        self._pacer.say(ASK_TIMES)

    def _trouble(self, why: str, at: float) -> list[Event]:
        """Tell it once: what is asked every other second fails as often."""
        if why == self._trouble_told:
            return []
        self._trouble_told = why
        return [Notice(at=at, text=f"the clock's gateway: {why}")]

    def _absent(self, at: float) -> Event:
        self._seconds, self._running = None, False
        return ClockFault(at=at, fault="absent", detail="the gateway does not reach the clock")

    def _reading(self, seconds: tuple[int, int], at: float) -> Event:
        left, right = seconds
        return ClockReading(
            at=at,
            left_ms=left * 1000,
            right_ms=right * 1000,
            running=self._running,
            turn=self._turn,
            left_flag=self._has_run and left == 0,
            right_flag=self._has_run and right == 0,
        )
