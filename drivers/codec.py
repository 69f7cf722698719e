"""What a driver is: a declaration (:class:`DriverInfo`) and a pure codec.

A codec opens no port, reads no clock and writes no log. Bytes go in with the time they came,
events come out; what it wants to send it hands over when it is polled, together with the time
at which it wants to be polled again. So the same bytes at the same times always give the same
events, and a test needs neither a port nor patience.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from drivers.errors import UnknownCommandError
from drivers.events import Event

Sensing = Literal[
    "identity", "raw tags", "colour", "occupancy", "events", "judged moves", "nothing"
]
Evidence = Literal["real captures", "two sources", "one source", "inferred"]
Tested = Literal[
    "games by serial",
    "games in a row",
    "games by USB",
    "games by radio",
    "recordings",
    "games in QEMU",
]
"""Games are whole ones on simulated boards, through the real library and its own kind of port."""


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
class HidSettings:
    """How a board that is a USB HID device is spoken to.

    Of its interfaces the one whose reports have this usage page is used. A report that is sent
    is filled up with zeros to ``report_length`` bytes where that is not 0. ``pace``: seconds
    between two reports that are sent.
    """

    usage_page: int
    report_length: int = 0
    pace: float = 0.0


@dataclass(frozen=True, kw_only=True)
class GattSettings:
    """How a Bluetooth LE board is spoken to: characteristics by their UUID, in small letters.

    What several notifying characteristics say becomes one stream. ``response``: whether the
    board acknowledges a write; ``largest_write``: bytes after which what is written is cut,
    ``None`` to write whatever the link takes; ``pace``: seconds between two writes; ``mtu``: the
    smallest with which the board's messages come whole, of interest to doctors only.
    """

    notify: tuple[str, ...]
    write: str
    response: bool = False
    largest_write: int | None = None
    pace: float = 0.0
    mtu: int = 23


@dataclass(frozen=True, kw_only=True)
class Option:
    """Something a user may set for one board of this family, beside what all boards have.

    It reaches the codec as an argument of the same name, as text. A ``secret`` never stands in
    a log or capture; the codec keeps it out of what is sent by :meth:`Codec.shown`.
    """

    name: str
    about: str
    required: bool = False
    secret: bool = False


@dataclass(frozen=True, kw_only=True)
class Fingerprint:
    """How a board of this family may be recognised before it has said anything.

    ``usb_ids`` are ``(vendor, product)``, product ``None`` for any; ``port_names`` are shell
    patterns of ``/dev/serial/by-id`` names, ``ble_names`` of advertised names, and
    ``ble_services`` are advertised services. All only order the candidates: a board is
    identified by what it answers.
    """

    usb_ids: tuple[tuple[int, int | None], ...] = ()
    port_names: tuple[str, ...] = ()
    ble_names: tuple[str, ...] = ()
    ble_services: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DriverInfo:
    """What a driver declares; README table, udev rules and discovery are derived from it.

    ``line``, ``hid`` and ``gatt`` say how the board is spoken to by the transports that it has.
    ``longest_message`` bounds the codec's buffer (bytes). ``silence_limit`` is the time (s)
    after which a healthy link must have said something valid, ``inf`` for a device whose silence
    means nothing. ``evidence`` is the strongest
    kind of proof behind the driver, ``sources`` names it; ``tested``: what its tests go through.
    ``shared``: one line carries many
    boards, told apart by the ``unit`` of their events. ``lamps``: the board can light squares.
    """

    name: str
    title: str
    transports: tuple[Literal["serial", "usb", "ble", "tcp"], ...]
    line: LineSettings | None = None
    hid: HidSettings | None = None
    gatt: GattSettings | None = None
    fingerprint: Fingerprint
    sensing: Sensing
    has_clock: bool
    longest_message: int
    silence_limit: float
    evidence: Evidence
    sources: str
    tested: tuple[Tested, ...] = ()
    options: tuple[Option, ...] = ()
    shared: bool = False
    lamps: bool = False

    @property
    def cells_tell(self) -> Literal["identity", "colour", "occupancy"]:
        """What a man's letter tells once cells are made of what the board says."""
        match self.sensing:
            case "identity" | "raw tags" | "judged moves":
                return "identity"
            case "colour":
                return "colour"
            case "occupancy" | "events" | "nothing":
                return "occupancy"


class Outgoing(NamedTuple):
    """Bytes to send now (often none) and when to poll again (``inf``: only after input).

    A report or a write of a radio carries one ``data``, so a codec of a board that has such a
    transport hands over one message at a time, and wants to be polled again at once for the next.
    """

    data: bytes
    wake_at: float


NOTHING = Outgoing(b"", math.inf)


class Codec(ABC):
    """One side of one line: cuts bytes into checked messages and says what to send.

    A new line gets a new codec, so half a message is never inherited. After any input that
    arrives in any pieces, at most ``info.longest_message`` bytes stay in the buffer. It is made
    with the options that the user has set, each an argument of its name.
    """

    info: ClassVar[DriverInfo]
    commands: ClassVar[tuple[str, ...]] = ()
    """What may be asked of the board by hand."""

    def __init__(self, **options: str) -> None:  # noqa: B027 - most boards have no options
        """Take the options that ``info`` declares; codecs without any take none."""

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

    def shown(self, data: bytes) -> bytes:
        """Return what logs and captures may show of *data* that is sent: all of it, but secrets.

        As many bytes as *data* has.
        """
        return data

    def light(self, squares: Collection[int]) -> None:  # noqa: B027 - most boards have no lamps
        """Light these *squares*, in the board's own numbering, and no others.

        The newest wish counts. Without any nothing is sent: lamps may be somebody else's.
        """

    def command(self, name: str) -> None:
        """Queue one of ``commands``.

        Only somebody at the board asks, and during no game: a command may change what players see,
        or keep the board from reporting for a while.

        Raises:
            UnknownCommandError: boards of this family have no such command.
        """
        if name not in self.commands:
            known = f"only {', '.join(self.commands)}" if self.commands else "nor any other"
            raise UnknownCommandError(f"{self.info.name}: there is no command {name!r}, {known}")
        self._command(name)

    def _command(self, name: str) -> None:
        """Queue a command that is known."""
        raise NotImplementedError(name)
