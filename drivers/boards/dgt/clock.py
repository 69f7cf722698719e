"""What a clock says through a DGT board: the message BWTIME in its two forms.

Sides: bytes 6 to 8 are the clock's left (H12 names, "B"), bytes 3 to 5 its right ("A"). Three
games recorded from real boards, 1755 clock messages, agree with that without an exception; the
editions of the vendor header do not agree with each other.
"""

from drivers.boards.dgt.protocol import (
    BUTTON_CODES,
    BUTTON_MASK,
    CLOCK_OK,
    HEADER,
    ClockCommand,
    ClockReport,
)
from drivers.events import (
    Button,
    ClockAck,
    ClockFault,
    ClockReading,
    Event,
    Identity,
    Notice,
)

ACK_HOURS = 0x0A

# Bytes 3 and 6, beside the hours.
FALLEN = 0x10
BONUS = 0x20
MARK = 0x40

# Byte 9.
RUNNING = 0x01
RIGHT_TO_MOVE = 0x02
LOW_BATTERY = 0x04
HINT_LEFT = 0x08
HINT_RIGHT = 0x10
NO_CLOCK = 0x20

_SIXTY = {tens << 4 | ones: tens * 10 + ones for tens in range(6) for ones in range(10)}
_REPORTS: dict[int, str] = {
    ClockReport.READY: "ready",
    ClockReport.HOST_MODE: "host mode",
    ClockReport.NOT_IN_HOST_MODE: "not in host mode",
}


class Clock:
    """Decodes the clock messages of one line.

    Equal faults that follow each other are told once: a board without a clock says so with
    every answer. A time in between, or another fault, makes the next one news again.
    """

    def __init__(self) -> None:
        self._fault: tuple[str, str] | None = None
        self._contradicted = False

    def decode(self, message: bytes, at: float) -> list[Event]:
        """Return what a whole BWTIME message (10 bytes) says.

        Times are passed on as they are, also where they rise: increments, new periods and an
        arbiter's correction all look like that.
        """
        status = message[9]
        if not any(message[HEADER:]):
            return self._faulty("null", "", at)
        if status & NO_CLOCK:
            return self._faulty("absent", "", at)
        if message[3] & 0x0F == ACK_HOURS or message[6] & 0x0F == ACK_HOURS:
            return _answer(message, at)
        left, right = _milliseconds(message, 6), _milliseconds(message, 3)
        if left is None or right is None:
            return self._faulty("invalid", message[HEADER:].hex(" "), at)
        self._fault = None
        reading = ClockReading(
            at=at,
            left_ms=left,
            right_ms=right,
            running=bool(status & RUNNING),
            turn="right" if status & RIGHT_TO_MOVE else "left",
            left_flag=bool(message[6] & FALLEN),
            right_flag=bool(message[3] & FALLEN),
            left_mark=bool(message[6] & MARK),
            right_mark=bool(message[3] & MARK),
            bonus=bool((message[3] | message[6]) & BONUS),
            low_battery=bool(status & LOW_BATTERY),
        )
        contrary = HINT_LEFT if status & RIGHT_TO_MOVE else HINT_RIGHT
        if status & contrary and not self._contradicted:
            self._contradicted = True
            text = (
                f"the clock's status {status:#04x} names both sides to move; the lever is believed"
            )
            return [reading, Notice(at=at, text=text)]
        return [reading]

    def _faulty(self, fault: str, detail: str, at: float) -> list[Event]:
        if self._fault == (fault, detail):
            return []
        self._fault = (fault, detail)
        if fault == "absent":
            return [ClockFault(at=at, fault="absent")]
        if fault == "null":
            return [ClockFault(at=at, fault="null")]
        return [ClockFault(at=at, fault="invalid", detail=detail)]


def _milliseconds(message: bytes, place: int) -> int | None:
    """Return the time that begins at *place*, or ``None`` where its digits are no time."""
    hours = message[place] & 0x0F
    minutes = _SIXTY.get(message[place + 1])
    seconds = _SIXTY.get(message[place + 2])
    if hours > 9 or minutes is None or seconds is None:
        return None
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def _answer(message: bytes, at: float) -> list[Event]:
    """Return what a BWTIME message in its acknowledgement form says.

    Four bytes were spread over the message so that none has bit 7 set: bits 4 and 5 of byte 6
    are bit 7 of the first two, bits 4 and 5 of byte 3 that of the last two.
    """
    status = message[4] | message[6] << 3 & 0x80
    command = message[5] | message[6] << 2 & 0x80
    third = message[7] | message[3] << 3 & 0x80
    fourth = message[8] | message[3] << 2 & 0x80
    if status != CLOCK_OK:
        return [ClockAck(at=at, command=command, ok=False, detail=f"code {status:#04x}")]
    if command == ClockReport.BUTTON:
        return [Button(at=at, button=_button(third, fourth))]
    if command == ClockCommand.VERSION:
        version = f"{third >> 4}.{third & 0x0F}"
        return [Identity(at=at, field="clock_version", value=version)]
    return [ClockAck(at=at, command=command, ok=True, detail=_REPORTS.get(command, ""))]


def _button(mask: int, code: int) -> str:
    """Name the pressed button, or several held together, joined by ``+``."""
    held = [name for bit, name in BUTTON_MASK.items() if mask & bit]
    if len(held) > 1:
        return "+".join(held)
    return BUTTON_CODES.get(code) or "".join(held) or f"unknown {code:#04x}"
