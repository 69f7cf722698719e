"""Asks at one address whether a board of one driver is there: greet, recognise, release."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from bridge.links.opening import stranger
from drivers.codec import NOTHING, Codec
from drivers.errors import DriverError
from drivers.events import Event, Identity, Noise, Notice, Presence
from drivers.transports import Clock, Line, open_line

NO_OPTIONS: Mapping[str, str] = MappingProxyType({})

PROBE_SECONDS = 3.0
LISTEN_SECONDS = 1.5
"""For boards that speak by themselves, some times a second."""

CONNECT_SECONDS = 25.0
"""Bluetooth looks for the board again and reads its services before the first word is said."""

AFTERTHOUGHT = 1.0
"""Seconds after the first sure sign in which a board may tell the rest about itself."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """A board that answered.

    ``units`` are the boards on a shared line. ``socket`` is the USB socket it is plugged into,
    where it is one. ``also_at`` is where the same board is reached too, ``twins`` where others say
    the same serial number. ``remark`` is for people.
    """

    address: str
    driver: str
    serial: str | None = None
    long_serial: str | None = None
    version: str | None = None
    units: tuple[str, ...] = ()
    socket: str | None = None
    also_at: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    remark: str = ""

    @property
    def remarks(self) -> str:
        """All that is to be said of it."""
        also = [f"also at {address}" for address in self.also_at]
        twins = [
            f"has the same serial number as the board at {address}: tell them apart by 'port'"
            for address in self.twins
        ]
        return "; ".join(filter(None, (self.remark, *also, *twins)))

    @property
    def serials(self) -> tuple[str, ...]:
        """The serial numbers it has told."""
        return tuple(serial for serial in (self.serial, self.long_serial) if serial is not None)


@dataclass(frozen=True, kw_only=True)
class NotABoard:
    """Where no board answered, or what could not be asked.

    ``reason`` is for people. ``heard`` is what came instead of an answer: nothing, bytes that
    make no message, or ``None`` where nothing could come.
    """

    address: str
    reason: str
    heard: Literal["silence", "noise"] | None = None


def silence(names: Sequence[str]) -> str:
    """Say that nothing answers as a board of these drivers."""
    return f"no {either(names)} board answers: is one there, and switched on?"


def either(names: Sequence[str]) -> str:
    """Return ``a, b or c``."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def speaks_unasked(driver: type[Codec], options: Mapping[str, str] = NO_OPTIONS) -> bool:
    """Whether boards of this driver need no greeting, so that listening disturbs nobody."""
    codec = driver(**options)
    codec.greet(at=0.0)
    return codec.poll(at=0.0) == NOTHING


def missing_option(driver: type[Codec], options: Mapping[str, str] = NO_OPTIONS) -> str | None:
    """Return the first option without which no board of this driver can be spoken to."""
    required = (option.name for option in driver.info.options if option.required)
    return next((name for name in required if name not in options), None)


async def probe(
    address: str,
    driver: type[Codec],
    *,
    now: Clock,
    seconds: float = PROBE_SECONDS,
    options: Mapping[str, str] = NO_OPTIONS,
) -> Found | NotABoard:
    """Ask at *address* whether a board of this driver is there, for up to *seconds*.

    *options* are what its user has set.

    A board proves itself by anything it says that is a message of its kind.

    Raises:
        AddressError: the address means nothing.
    """
    line = open_line(address, driver.info, now=now)
    inquiry = _Inquiry(driver, address, options)
    patience = CONNECT_SECONDS if address.startswith("ble:") else seconds
    try:
        async with asyncio.timeout(patience):
            await line.open()
        await inquiry.conduct(line, now, seconds)
    except TimeoutError:
        return NotABoard(address=address, reason=f"does not open within {patience:g} s")
    except DriverError as error:
        if not inquiry.sure:
            return NotABoard(address=address, reason=str(error))
    finally:
        line.close()
    return inquiry.answer()


@dataclass
class _Inquiry:
    """What one port has answered."""

    driver: type[Codec]
    address: str
    options: Mapping[str, str]
    told: dict[str, str] = field(default_factory=dict)
    units: dict[str, None] = field(default_factory=dict)
    sure: bool = False
    noisy: bool = False

    async def conduct(self, line: Line, now: Clock, seconds: float) -> None:
        """Greet and listen until all is known, or no more is to be expected."""
        codec = self.driver(**self.options)
        deadline = now() + seconds
        codec.greet(at=now())
        while not self._complete() and now() < deadline:
            data, wake_at = codec.poll(at=now())
            if data:
                line.write(data)
            chunk = await line.read(max(0.002, min(wake_at, deadline) - now()))
            if chunk is None:
                continue
            was_sure, units = self.sure, len(self.units)
            for event in codec.receive(chunk[1], at=chunk[0]):
                self._hear(event)
            if len(self.units) > units:
                deadline = now() + seconds  # where one board answers another may
            elif self.sure and not was_sure:
                deadline = min(deadline, now() + AFTERTHOUGHT)

    def _complete(self) -> bool:
        return {"serial", "long_serial", "version"} <= self.told.keys()

    def _hear(self, event: Event) -> None:
        match event:
            case Noise():
                self.noisy = True
            case Notice() | Presence(present=False):
                pass
            case Identity(unit=None):
                self.told[event.field] = event.value
                self.sure = True
            case _:
                self.sure = True
                if event.unit is not None:
                    self.units[event.unit] = None

    def answer(self) -> Found | NotABoard:
        name = self.driver.info.name
        if self.sure:
            return Found(
                address=self.address,
                driver=name,
                serial=self.told.get("serial"),
                long_serial=self.told.get("long_serial"),
                version=self.told.get("version"),
                units=tuple(self.units),
            )
        if self.noisy:
            reason = stranger(self.driver.info)
            return NotABoard(address=self.address, reason=reason, heard="noise")
        return NotABoard(address=self.address, reason=silence([name]), heard="silence")
