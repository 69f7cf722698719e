"""What a board or clock says, decoded: the vocabulary between drivers and everything else.

Every event carries ``at`` (seconds on a monotonic clock that the caller chose) and ``unit``
(which board on a shared line; ``None`` where a line carries only one).

Squares are python-chess's (a1 = 0, b1 = 1 … h8 = 63) **in the board's own numbering**: a board
that stands the other way round is turned back later, by the core. Cells are letters:
``PNBRQKpnbrqk`` a piece, ``.`` empty, ``?`` a piece the board cannot name, ``W`` and ``w`` a white
and a black piece of unknown kind, ``*`` a square it cannot read or has not told yet.

The classes are msgspec structs: immutable, and written to and read from JSON without help.
``kind`` in JSON is the class name; these names are part of the journal's format.
"""

from typing import Literal

import msgspec

Side = Literal["left", "right"]
"""A side of a clock, as the board reports it; which player sits there is decided by the core."""

EMPTY = "."
UNNAMED = "?"
UNNAMED_WHITE = "W"
UNNAMED_BLACK = "w"
UNREADABLE = "*"
PIECES = "PNBRQKpnbrqk"
UNKNOWN_CELLS = UNREADABLE * 64


class _Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    at: float
    unit: str | None = None


class Snapshot(_Event, tag=True, frozen=True, kw_only=True):
    """The whole board at once: 64 cells, a1 b1 … h8."""

    cells: str


class SquareChange(_Event, tag=True, frozen=True, kw_only=True):
    """One square changed to ``piece``; ``cells`` is the whole board after it, as far as known."""

    square: int
    piece: str
    cells: str


class Lift(_Event, tag=True, frozen=True, kw_only=True):
    """A man was lifted, from a board that tells only what is lifted and placed."""

    square: int


class Place(_Event, tag=True, frozen=True, kw_only=True):
    """A man was placed, on a board that tells only what is lifted and placed."""

    square: int
    piece: str = UNNAMED


class Touch(_Event, tag=True, frozen=True, kw_only=True):
    """A man was touched, told by a board that feels it; no evidence that he was moved.

    ``square`` is ``None`` when he was let go.
    """

    square: int | None


class BoardMove(_Event, tag=True, frozen=True, kw_only=True):
    """A move that the board itself made out; evidence, never authority.

    ``verdict``: ``legal`` by the board's own rules, which never report an illegal move
    (ChessUp, Novag); ``unjudged`` by a board that leaves judging to the host (BLE chess
    protocol); ``undone`` on the board, ``uci`` being empty where it does not say which move.
    Castling is the king's move. A promotion may come without its letter, and then once more
    with it. What stands on the board is told beside it, in snapshots.
    """

    uci: str
    verdict: Literal["legal", "unjudged", "undone"]


class RawTags(_Event, tag=True, frozen=True, kw_only=True):
    """What the 64 antennas read in one scan, a1 b1 … h8: tag numbers in hexadecimal, or ``None``.

    The board does not know which man carries which tag, and antennas of empty squares may read
    numbers that no tag has.
    """

    tags: tuple[str | None, ...]


class ClockReading(_Event, tag=True, frozen=True, kw_only=True):
    """Both clock times by physical side, in milliseconds.

    ``turn`` is the side whose time runs, or would run if the clock were not stopped.
    ``*_flag``: that side has fallen and the clock is blocked at zero. ``*_mark``: a flag is shown
    although the clock may go on (next period). ``bonus``: increment or delay is active.
    """

    left_ms: int
    right_ms: int
    running: bool
    turn: Side | None
    left_flag: bool = False
    right_flag: bool = False
    left_mark: bool = False
    right_mark: bool = False
    bonus: bool = False
    low_battery: bool = False


class ClockFault(_Event, tag=True, frozen=True, kw_only=True):
    """The clock said something that is no time.

    ``absent``: no clock is connected. ``null``: an all-zero message. ``invalid``: digits that
    are no time; the times in it are not to be used.
    """

    fault: Literal["absent", "null", "invalid"]
    detail: str = ""


class ClockAck(_Event, tag=True, frozen=True, kw_only=True):
    """The clock answered a command (``ok``), or reported ``ready``; ``command`` is its number."""

    command: int
    ok: bool
    detail: str = ""


class Button(_Event, tag=True, frozen=True, kw_only=True):
    """A button of the clock was pressed."""

    button: str


class Battery(_Event, tag=True, frozen=True, kw_only=True):
    """Battery of a board; ``minutes_left`` is ``None`` where the board does not know."""

    percent: int
    charging: bool
    minutes_left: int | None = None


class Identity(_Event, tag=True, frozen=True, kw_only=True):
    """Something a board says about itself, such as ``serial`` or ``version``."""

    field: Literal[
        "serial",
        "long_serial",
        "version",
        "hardware",
        "trademark",
        "bus_address",
        "clock_version",
    ]
    value: str


class ResultPiece(_Event, tag=True, frozen=True, kw_only=True):
    """A result piece stands on a square (newer DGT sets have them)."""

    square: int
    result: Literal["1-0", "0-1", "1/2-1/2"]


class BoardLog(_Event, tag=True, frozen=True, kw_only=True):
    """A board's own memory of what happened, oldest first, one readable entry a tag."""

    entries: tuple[str, ...]
    complete: bool


class Notice(_Event, tag=True, frozen=True, kw_only=True):
    """Something an operator should read; never evidence about a game."""

    text: str


class Presence(_Event, tag=True, frozen=True, kw_only=True):
    """A board on a shared line began to answer, or answers no more; ``detail`` is for people.

    Every board that a line looks for is told of, one that has never answered as well.
    """

    present: bool
    detail: str = ""


class Noise(_Event, tag=True, frozen=True, kw_only=True):
    """Bytes that made no message, in hexadecimal, and why."""

    data: str
    why: str

    @property
    def size(self) -> int:
        """How many bytes they are."""
        return len(bytes.fromhex(self.data))


Event = (
    Snapshot
    | SquareChange
    | Lift
    | Place
    | Touch
    | BoardMove
    | RawTags
    | ClockReading
    | ClockFault
    | ClockAck
    | Button
    | Battery
    | Identity
    | ResultPiece
    | BoardLog
    | Notice
    | Presence
    | Noise
)
