"""What a DGT board says about itself."""

from collections.abc import Callable

from drivers.boards.dgt.protocol import HEADER, Message
from drivers.events import Battery, Event, Identity, Notice

Decoder = Callable[[bytes, float], list[Event]]
"""Takes a whole message and when it came."""

_NOT_KNOWN = 0x7F


def _bus_address(message: bytes, at: float) -> list[Event]:
    return [Identity(at=at, field="bus_address", value=str(message[3] << 7 | message[4]))]


def _serial(message: bytes, at: float) -> list[Event]:
    """Five digits; the 1998 form has a storage version behind them."""
    return [Identity(at=at, field="serial", value=_text(message[HEADER : HEADER + 5]))]


def _long_serial(message: bytes, at: float) -> list[Event]:
    return [Identity(at=at, field="long_serial", value=_text(message[HEADER:]))]


def _trademark(message: bytes, at: float) -> list[Event]:
    return [Identity(at=at, field="trademark", value=_text(message[HEADER:]))]


def _version(message: bytes, at: float) -> list[Event]:
    return [Identity(at=at, field="version", value=f"{message[3]}.{message[4]}")]


def _hardware(message: bytes, at: float) -> list[Event]:
    return [Identity(at=at, field="hardware", value=f"{message[3]}.{message[4]}")]


def _text(payload: bytes) -> str:
    """Return what is readable of *payload*, lines ended by a newline."""
    lines = (line.strip() for line in payload.decode("ascii").splitlines())
    return "\n".join("".join(filter(str.isprintable, line)) for line in lines if line)


def _battery(message: bytes, at: float) -> list[Event]:
    """The long form tells more than the charge; time left of 0x7f is not known."""
    percent, hours, minutes = message[3], message[4], message[5]
    if percent > 100:
        return [Notice(at=at, text=f"the battery's charge is not known: {message.hex(' ')}")]
    known = _NOT_KNOWN not in (hours, minutes)
    return [
        Battery(
            at=at,
            percent=percent,
            charging=len(message) > 11 and bool(message[11] & 1),
            minutes_left=hours * 60 + minutes if known else None,
        )
    ]


PASSPORT: dict[int, Decoder] = {
    Message.BUSADRES: _bus_address,
    Message.SERIALNR: _serial,
    Message.TRADEMARK: _trademark,
    Message.VERSION: _version,
    Message.HARDWARE_VERSION: _hardware,
    Message.BATTERY_STATUS: _battery,
    Message.LONG_SERIALNR: _long_serial,
}
"""Decoders of the answers that boards of all kinds give in the same form."""
