"""The codecs of Chessnut boards."""

import math
from collections.abc import Callable, Collection, Mapping
from typing import ClassVar

from drivers.boards.chessnut.framing import Framer
from drivers.boards.chessnut.protocol import (
    BATTERY,
    CLASSIC,
    HEADER,
    LONGEST,
    MOVE,
    MOVE_BATTERY,
    PACE,
    SQUARE_BYTES,
    Reply,
    Shape,
    Transfer,
    cells_of,
    lamps_of,
    move_lamps_of,
)
from drivers.boards.chessnut.requests import Requests
from drivers.boards.chessnut.stored import StoredGame
from drivers.codec import DriverInfo, Fingerprint, GattSettings, HidSettings, Outgoing
from drivers.events import Battery, BoardLog, Event, Identity, Notice, Snapshot
from drivers.framing import FramedCodec

ASK_BATTERY, ASK_STORED_GAME = "battery", "stored game"

REPORTS_STOPPED = 1.0
"""Seconds between two reports of a Move from which on it is said that motors may have run: they
come five times a second, and not while men are driven."""

_FIRMWARE = {0: "Bluetooth", 1: "MCU"}
_GATT = GattSettings(
    notify=(
        "1b7e8262-2877-41c3-b46e-cf057c562023",
        "1b7e8273-2877-41c3-b46e-cf057c562023",
    ),
    write="1b7e8272-2877-41c3-b46e-cf057c562023",
    pace=PACE,
    mtu=41,
)
"""Positions, answers and commands (maker's page). A position is 38 bytes, and 3 are the radio's."""


class Chessnut(FramedCodec):
    """A Chessnut Air, Air+, Pro or Go: reports the whole position five times a second.

    The mode in which it reports is lost with the connection, so it is asked for at every greeting
    and whenever reports stop.
    """

    info = DriverInfo(
        name="chessnut",
        title="Chessnut Air, Air+, Pro, Go",
        transports=("usb", "ble"),
        hid=HidSettings(usage_page=0xFF00, pace=PACE),
        gatt=_GATT,
        fingerprint=Fingerprint(
            usb_ids=((0x2D80, None),),
            ble_names=("Chessnut Air*", "Chessnut Pro*", "Chessnut Go*", "Smart Chess*"),
        ),
        sensing="identity",
        has_clock=False,
        longest_message=LONGEST,
        silence_limit=3.0,
        evidence="two sources",
        tested=("games by USB", "games in QEMU"),
        sources="maker's EasyLinkSDK and page Chessnut_eBoards; three hosts and an emulator",
        lamps=True,
    )
    shapes: ClassVar[Mapping[int, Shape]] = CLASSIC
    asks_battery: ClassVar[bytes] = BATTERY
    restart_after: ClassVar[float] = 1.0
    commands: ClassVar[tuple[str, ...]] = (ASK_BATTERY, ASK_STORED_GAME)

    def __init__(self) -> None:
        super().__init__(Framer(self.shapes))
        self._requests = Requests(self.asks_battery, self.restart_after)
        self._stored: StoredGame | None = None
        self._versions: dict[str, str] = {}
        self._decoders: dict[int, Callable[[bytes, float], list[Event]]] = {
            Reply.POSITION: self._position,
            Reply.CONFIRMED: self._confirmed,
            Reply.VERSION: self._version,
            Reply.BATTERY: _battery,
            Reply.STORED_GAMES: self._stored_games,
            Reply.TRANSFER: self._transfer,
            Reply.MOVE: _move_battery,
        }

    def greet(self, *, at: float) -> None:
        """Queue the start-up sequence: reports, battery, versions."""
        self._requests.greet(at)

    def poll(self, *, at: float) -> Outgoing:
        """Return the command that is due, one at a time, and when to ask again."""
        return self._requests.next(at)

    def light(self, squares: Collection[int]) -> None:
        """Light these *squares* and no others."""
        self._requests.show(self._lamps(squares))

    def _decode(self, message: bytes, at: float) -> list[Event]:
        return self._decoders[message[0]](message[HEADER:], at)

    def _command(self, name: str) -> None:
        """Queue ``battery`` or, of a board on which that is known, ``stored game``.

        A stored game is uploaded and stays in the board. Until it is here, for up to two minutes,
        nothing is seen of what stands on the board. The next game can be had only when this one was
        deleted, which is never done from here. A board that falls silent meanwhile is opened anew
        by whoever keeps the link, and reports again.
        """
        if name == ASK_BATTERY:
            self._requests.ask_battery()
        else:
            self._requests.ask_stored_game()

    def _lamps(self, squares: Collection[int]) -> bytes:
        return lamps_of(squares)

    def _position(self, payload: bytes, at: float) -> list[Event]:
        cells = cells_of(payload[:SQUARE_BYTES])
        if self._stored is not None:
            events = self._stored.add(cells, at)
            return events + (self._end_upload(at, complete=False) if self._stored.full else [])
        if self._requests.uploading:
            return []  # the last reports, or a transfer whose begin was lost
        self._requests.reported(at)
        return [Snapshot(at=at, cells=cells)]

    def _stored_games(self, payload: bytes, at: float) -> list[Event]:
        games = payload[0]
        if not self._requests.counted(games):
            return []
        if games == 0:
            return [BoardLog(at=at, entries=(), complete=True)]
        text = f"{games} stored: the first is read" if games > 1 else "1 stored: it is read"
        return [Notice(at=at, text=f"games of the board's own: {text}, and none is deleted")]

    def _transfer(self, payload: bytes, at: float) -> list[Event]:
        """Take the begin or the end of a stored game, also of one that nobody here asked for."""
        if payload[0] == Transfer.END:
            return self._end_upload(at, complete=True)
        self._stored = StoredGame(at)
        self._requests.transferred()
        return []

    def _confirmed(self, payload: bytes, at: float) -> list[Event]:
        """The mode was set; a transfer that this interrupted says no more."""
        del payload
        return [] if self._stored is None else self._end_upload(at, complete=False)

    def _end_upload(self, at: float, *, complete: bool) -> list[Event]:
        stored, self._stored = self._stored, None
        self._requests.uploaded(at)
        return [] if stored is None else [stored.ended(at, complete=complete)]

    def _version(self, payload: bytes, at: float) -> list[Event]:
        """Tell the versions of all parts that have answered; the text is behind the part."""
        part = _FIRMWARE.get(payload[0], "firmware")
        self._versions[part] = payload[1:].decode("ascii").replace("\0", " ").strip()
        value = ", ".join(f"{part} {version}" for part, version in self._versions.items())
        return [Identity(at=at, field="version", value=value)]


class ChessnutMove(Chessnut):
    """A Chessnut Move. Its motors are never started from here.

    While they run for somebody else it reports nothing and says nothing when it is done. How
    long that takes is not written anywhere, hence the long silence that is granted.
    """

    info = DriverInfo(
        name="chessnut_move",
        title="Chessnut Move",
        transports=("ble",),
        gatt=_GATT,
        fingerprint=Fingerprint(ble_names=("Chessnut Move*",)),
        sensing="identity",
        has_clock=False,
        longest_message=LONGEST,
        silence_limit=60.0,
        evidence="two sources",
        tested=("games by radio",),
        sources="maker's page chess_move_api; one host",
        lamps=True,
    )
    shapes = MOVE
    asks_battery = MOVE_BATTERY
    restart_after = 10.0
    commands = (ASK_BATTERY,)

    def __init__(self) -> None:
        super().__init__()
        self._reported_at = math.inf

    def _lamps(self, squares: Collection[int]) -> bytes:
        return move_lamps_of(squares)

    def _position(self, payload: bytes, at: float) -> list[Event]:
        quiet, self._reported_at = at - self._reported_at, at
        events = super()._position(payload, at)
        if quiet < REPORTS_STOPPED:
            return events
        text = f"no reports for {quiet:.1f} s: motors may have moved men"
        return [Notice(at=at, text=text), *events]


def _battery(payload: bytes, at: float) -> list[Event]:
    """Read both forms: charging is the first byte's upper bit (API) or a second byte of 1 (PIC).

    A battery at 0 is a spurious answer (SDK, PIC).
    """
    percent, charging = payload[0] & 0x7F, bool(payload[0] & 0x80) or payload[1] == 1
    return _charge(percent, charging, at) if payload[0] else []


def _move_battery(payload: bytes, at: float) -> list[Event]:
    return _charge(payload[2], payload[1] == 1, at)


def _charge(percent: int, charging: bool, at: float) -> list[Event]:
    if percent > 100:
        return [Notice(at=at, text=f"the battery's charge is not known: {percent} %")]
    return [Battery(at=at, percent=percent, charging=charging)]
