"""The codecs of both kinds of boards; nothing is ever sent to them but what lights lamps."""

from collections.abc import Collection
from dataclasses import replace

from drivers import nordic_uart
from drivers.boards.certabo.lines import Lines
from drivers.boards.certabo.protocol import (
    LONGEST_LINE,
    RANK_NUMBERS,
    TAG_NUMBERS,
    coloured_lamps_of,
    lamps_of,
)
from drivers.boards.certabo.tags import Sieve
from drivers.codec import (
    DriverInfo,
    Fingerprint,
    GattSettings,
    LineSettings,
    Outgoing,
)
from drivers.events import EMPTY, UNNAMED, Event, Notice, RawTags, Snapshot
from drivers.framing import FramedCodec
from drivers.pacing import SHOW_EVERY, Pacer

_RANK_BITS = [
    "".join(UNNAMED if byte & 0x80 >> file else EMPTY for file in range(8)) for byte in range(256)
]


class _Streaming(FramedCodec):
    """A board that says all the time what it reads, and answers nothing but lamps."""

    _framer: Lines

    def __init__(self) -> None:
        super().__init__(Lines())
        self._pacer = Pacer(SHOW_EVERY)
        self._lit: Collection[int] | None = None
        self._told = False

    def greet(self, *, at: float) -> None:
        """Wait: the board speaks by itself."""

    def poll(self, *, at: float) -> Outgoing:
        """Return what lights lamps, and nothing otherwise: any bytes would."""
        return self._pacer.next(at)

    def light(self, squares: Collection[int]) -> None:
        """Light these *squares* and no others.

        What kind of lamps there are, the board says when it was told for the first time.
        """
        self._lit = squares
        self._pacer.show((coloured_lamps_of if self._framer.coloured else lamps_of)(squares))

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        """Take *data* that came at time *at* and return what it completes. Never raises."""
        one_colour = not self._framer.coloured
        events = super().receive(data, at=at)
        if self._lit is not None and one_colour and self._framer.coloured:
            self.light(self._lit)
        return events

    def _other_kind(self, driver: str, at: float) -> list[Event]:
        """Tell once that the board is of the other kind."""
        if self._told:
            return []
        self._told = True
        return [Notice(at=at, text=f"this board is one for the driver {driver}, set 'driver'")]


class Certabo(_Streaming):
    """A board that reads the number of a tag in each man, and knows no men.

    A scan takes 0.22 s of the line. What was never read twice running is left out of a scan, so
    :class:`RawTags` has the tags alone and not the noise of empty squares, and the first scan of
    a connection is not told. That costs no time once a tag is known.
    """

    info = DriverInfo(
        name="certabo",
        title="Certabo, Tabutronic Cerno and Spectrum (RFID)",
        transports=("serial", "ble"),
        line=LineSettings(baud=38400),
        gatt=GattSettings(
            notify=(nordic_uart.NOTIFY,),
            write=nordic_uart.WRITE,
        ),
        fingerprint=Fingerprint(usb_ids=((0x10C4, 0xEA60),), ble_names=("Certabo*",)),
        sensing="raw tags",
        has_clock=False,
        longest_message=LONGEST_LINE,
        silence_limit=3.0,
        evidence="real captures",
        tested=("games by serial", "recordings"),
        sources="vendor's software of 2020; several hosts; recorded scans of two boards",
        lamps=True,
    )

    def __init__(self) -> None:
        super().__init__()
        self._sieve = Sieve()

    def _decode(self, message: bytes, at: float) -> list[Event]:
        if len(message) != TAG_NUMBERS:
            return self._other_kind("sentio", at)
        tags = self._sieve.take(message)
        return [] if tags is None else [RawTags(at=at, tags=tags)]


class Sentio(_Streaming):
    """A board that feels where men stand and knows no more.

    Nothing in a line tells that a digit was lost, so a position counts when it was read twice
    running, one line (some tens of ms) after the first time.
    """

    info = replace(
        Certabo.info,
        name="sentio",
        title="Tabutronic Sentio, Tactum",
        sensing="occupancy",
        evidence="two sources",
        tested=("games by serial",),
        sources="two hosts and their test vectors",
    )

    def __init__(self) -> None:
        super().__init__()
        self._ranks = b""

    def _decode(self, message: bytes, at: float) -> list[Event]:
        if len(message) != RANK_NUMBERS:
            return self._other_kind("certabo", at)
        repeated = message == self._ranks
        self._ranks = message
        if not repeated:
            return []
        return [Snapshot(at=at, cells="".join([_RANK_BITS[byte] for byte in message[::-1]]))]
