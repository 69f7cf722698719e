"""The codec of a board that speaks the ChessLink protocol."""

from collections.abc import Collection

from drivers.boards.millennium.framing import content, measure
from drivers.boards.millennium.protocol import (
    IDENTIFICATION,
    IDENTIFY,
    LONGEST,
    SCAN_UNIT,
    SUITABLE,
    cells_of,
    lamps_of,
)
from drivers.boards.millennium.requests import Requests
from drivers.codec import DriverInfo, Fingerprint, GattSettings, LineSettings, Outgoing
from drivers.events import Event, Identity, Notice, Snapshot
from drivers.framing import FramedCodec, Framer

SLOW_SCAN = 0.25
"""A scan takes 0.04 s; from this on (s) the board is slow enough to be told of."""

SET_SCANNING = "suitable registers"

_LAST_EXCLUSIVE, _LAST_PERFORMANCE = "010F", "01FF"
"""The versions up to which a board may be one of these. One host's rule; a real Exclusive has
0103, a Supreme Tournament 55 is said to have 3130."""

_FEELS_ONLY = "e-one"


class Millennium(FramedCodec):
    """A ChessLink board or module, by cable or Bluetooth LE.

    Parity is made and masked here and no transport need know of it. The check of a message
    ignores the order of its characters, and a spliced position passes it: so a position is told
    when it was read twice running. That takes one scan (41 ms) more where the board reports
    every scan, and at most 0.4 s from the change where it has to be asked; a slower scan adds
    its own time. Letters may have been guessed by the board, which nothing in a message tells.
    """

    info = DriverInfo(
        name="millennium",
        title="Millennium ChessLink (Exclusive, King Performance, Supreme Tournament 55, eONE)",
        transports=("serial", "ble"),
        line=LineSettings(baud=38400),
        gatt=GattSettings(
            notify=("49535343-1e4d-4bd9-ba61-23c647249616",),
            write="49535343-8841-43f4-a8d4-ecbe34729bb3",
            pace=0.1,
        ),
        fingerprint=Fingerprint(usb_ids=((0x0403, None),), ble_names=("MILLENNIUM CHESS*",)),
        sensing="identity",
        has_clock=False,
        longest_message=LONGEST,
        silence_limit=5.0,
        evidence="two sources",
        tested=("games by serial", "games in QEMU"),
        sources="vendor's protocol note of 2017; two hosts; a recorded version exchange",
        lamps=True,
    )
    commands = (SET_SCANNING,)

    def __init__(self) -> None:
        super().__init__(Framer(measure, longest=LONGEST))
        self._requests = Requests()
        self._letters = ""
        self._registers: dict[str, str] = {}
        self._told: set[str] = set()

    def greet(self, *, at: float) -> None:
        """Queue the start-up sequence: version, position, and how the board is set."""
        self._requests.greet(at)

    def poll(self, *, at: float) -> Outgoing:
        """Return the command that is due, one at a time, and when to ask again."""
        return self._requests.next(at)

    def light(self, squares: Collection[int]) -> None:
        """Light the corners of these *squares* and no others."""
        self._requests.show(lamps_of(squares))

    def _command(self, _name: str) -> None:
        """Queue ``suitable registers``: reports on any change, at the usual scan time.

        The board remembers them without power, and other programs may want others. Registers that
        are known to be right are not written.
        """
        for register, value in SUITABLE.items():
            if self._registers.get(register) != value:
                self._requests.ask(f"W{register}{value}")

    def _decode(self, message: bytes, at: float) -> list[Event]:
        self._requests.heard(at)
        text = content(message)
        match text[0]:
            case "s":
                return self._status(text[1:], at)
            case "v":
                return self._version(text[1:].upper(), at)
            case "i":
                return self._name(text[len(IDENTIFICATION) :].strip(), at)
            case "r" | "w":
                return self._register(text[1:3], text[3:].upper(), at)
            case _:
                return []  # lamps were heard of

    def _status(self, letters: str, at: float) -> list[Event]:
        confirmed = letters == self._letters
        self._letters = letters
        self._requests.seen(at, confirmed=confirmed)
        return [Snapshot(at=at, cells=cells_of(letters))] if confirmed else []

    def _version(self, version: str, at: float) -> list[Event]:
        self._requests.identified()
        events: list[Event] = [
            Identity(at=at, field="version", value=f"{version[:2]}.{version[2:]}")
        ]
        if version <= _LAST_EXCLUSIVE:
            model = "perhaps an Exclusive"
        elif version <= _LAST_PERFORMANCE:
            model = "perhaps a King Performance"
        else:
            self._requests.ask(IDENTIFY)  # older boards do not know this command
            return events
        return [*events, Identity(at=at, field="hardware", value=model)]

    def _name(self, name: str, at: float) -> list[Event]:
        events: list[Event] = [Identity(at=at, field="hardware", value=name)]
        if name.lower().startswith(_FEELS_ONLY):
            events += self._tell_once(
                "this board feels that a piece stands there and guesses which it is: "
                "set 'sensing: occupancy' for it",
                at,
            )
        return events

    def _register(self, register: str, value: str, at: float) -> list[Event]:
        self._registers[register] = value
        number = int(value, 16)
        if register == "00" and number & 1:
            return self._tell_once("the board is set not to check what it is sent", at)
        if register == "01" and number * SCAN_UNIT >= SLOW_SCAN:
            return self._tell_once(
                f"the board is set to read its squares every {number * SCAN_UNIT:.2f} s only", at
            )
        return []

    def _tell_once(self, text: str, at: float) -> list[Event]:
        if text in self._told:
            return []
        self._told.add(text)
        return [Notice(at=at, text=text)]
