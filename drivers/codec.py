"""What a driver is: a declaration (:class:`DriverInfo`) and a pure codec.

A codec opens no port, reads no clock and writes no log. Bytes go in with the time they came,
events come out; what it wants to send it hands over when it is polled, together with the time
at which it wants to be polled again. So the same bytes at the same times always give the same
events, and a test needs neither a port nor patience.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from drivers.events import Event

Sensing = Literal["identity", "raw tags", "colour", "occupancy", "events", "judged moves"]
Evidence = Literal["real captures", "two sources", "one source", "inferred"]


@dataclass(frozen=True, kw_only=True)
class LineSettings:
    """How a serial line is set; ignored where a transport has no such thing."""

    baud: int
    data_bits: int = 8
    parity: Literal["N", "E", "O"] = "N"
    stop_bits: int = 1
    dtr: bool = False
    rts: bool = False


@dataclass(frozen=True, kw_only=True)
class Fingerprint:
    """How a board of this family may be recognised before it has said anything.

    ``usb_ids`` are ``(vendor, product)``, product ``None`` for any; ``port_names`` are shell
    patterns of ``/dev/serial/by-id`` names. Both only order the candidates: a board is
    identified by what it answers.
    """

    usb_ids: tuple[tuple[int, int | None], ...] = ()
    port_names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DriverInfo:
    """What a driver declares; README table, udev rules and discovery are derived from it.

    ``longest_message`` bounds the codec's buffer (bytes). ``silence_limit`` is the time (s)
    after which a healthy link must have said something valid. ``evidence`` is the strongest
    kind of proof behind the driver, ``sources`` names it.
    """

    name: str
    title: str
    transports: tuple[Literal["serial", "usb", "ble", "tcp"], ...]
    line: LineSettings
    fingerprint: Fingerprint
    sensing: Sensing
    has_clock: bool
    longest_message: int
    silence_limit: float
    evidence: Evidence
    sources: str

    @property
    def cells_tell(self) -> Literal["identity", "colour", "occupancy"]:
        """What a man's letter tells once cells are made of what the board says."""
        match self.sensing:
            case "identity" | "raw tags" | "judged moves":
                return "identity"
            case "colour":
                return "colour"
            case "occupancy" | "events":
                return "occupancy"


class Outgoing(NamedTuple):
    """Bytes to send now (often none) and when to poll again (``inf``: only after input)."""

    data: bytes
    wake_at: float


NOTHING = Outgoing(b"", math.inf)


class Codec(ABC):
    """One side of one line: cuts bytes into checked messages and says what to send.

    A new line gets a new codec, so half a message is never inherited. After any input that
    arrives in any pieces, at most ``info.longest_message`` bytes stay in the buffer.
    """

    info: ClassVar[DriverInfo]

    @abstractmethod
    def greet(self, *, at: float) -> None:
        """Begin: queue the commands that identify the board and start its reports."""

    @abstractmethod
    def receive(self, data: bytes, *, at: float) -> list[Event]:
        """Take *data* that came at time *at* and return what it completes. Never raises."""

    @abstractmethod
    def poll(self, *, at: float) -> Outgoing:
        """Return what is due to be sent at time *at*, and when to ask again."""

    @property
    @abstractmethod
    def buffered(self) -> int:
        """Bytes held back because their message is not complete."""

    def command(self, name: str, *, operator: bool = False) -> None:
        """Queue a named command of this family.

        Raises:
            ForbiddenCommandError: unknown, or one that only an operator may ask for
                (``operator=True``) because it changes what players see or harms a board.
        """
        from drivers.errors import ForbiddenCommandError

        del operator
        raise ForbiddenCommandError(f"{self.info.name}: there is no command {name!r}")
