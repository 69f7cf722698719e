"""The nouns of the core: readings that come in, facts that go out.

A :class:`Reading` is what the journal keeps: an event of a device or an order of a person,
with the time it came. A fact is what the core concluded, in the past tense. Both are msgspec
structs, so their JSON form is fixed by these classes; the names are listed in ``docs/names.md``.

Times: ``at`` is journal time, seconds that never go back, also across restarts; ``wall`` is
Unix time for people. Clock times are milliseconds. Sides are chess colours here, no longer
physical sides.
"""

from typing import Literal

import msgspec

from drivers.events import Event

Colour = Literal["white", "black"]
LinkState = Literal["live", "stale", "lost"]
Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
Basis = Literal["press", "reply", "rest", "end", "gap", "stands"]
"""What settled a move."""
Severity = Literal["critical", "warning", "notice", "silent", "tech"]
Orientation = Literal["auto", "normal", "rotated"]
Sensing = Literal["identity", "occupancy", "colour"]
"""What a board knows of a man: its kind and colour, nothing but that it is there, or its colour."""

# --- what comes in ------------------------------------------------------------------------------


class _Payload(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    pass


class LinkChange(_Payload, tag=True, frozen=True, kw_only=True):
    """A link to the table's board came, fell silent or went."""

    state: LinkState
    detail: str = ""


class TableSetup(_Payload, tag=True, frozen=True, kw_only=True):
    """What the configuration says of a table; journaled so that the fold needs nothing else.

    ``start_fen`` is the position games start from. ``orientation`` and ``white_clock`` are
    ``auto`` unless somebody knows better than the evidence.
    """

    event: str = "?"
    site: str = "?"
    round: str = "?"
    date: str = "????.??.??"
    board: int | None = None
    white: str = "?"
    black: str = "?"
    time_control: str = "?"
    tags: dict[str, str] = {}
    start_fen: str | None = None
    chess960: bool = False
    orientation: Orientation = "auto"
    white_clock: Literal["auto", "left", "right"] = "auto"
    has_clock: bool = True
    sensing: Sensing = "identity"


class ResultOrder(_Payload, tag=True, frozen=True, kw_only=True):
    """An arbiter entered the result of the game in progress."""

    result: Result
    by: str = "arbiter"


Payload = Event | LinkChange | TableSetup | ResultOrder


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened at a table, in the order it was made durable.

    ``seq`` is strictly increasing per ``link``, also across restarts.
    """

    table: str
    link: str
    seq: int
    at: float
    wall: float
    payload: Payload


# --- what goes out ------------------------------------------------------------------------------


class _Fact(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact", omit_defaults=True):
    """``game`` counts from 1 at a table; ``evidence``: first and last ``seq`` it rests on."""

    table: str
    game: int
    at: float
    wall: float
    evidence: tuple[int, int]


class GameStarted(_Fact, tag=True, frozen=True, kw_only=True):
    """The start position stands: a new game begins."""

    setup: TableSetup
    fen: str
    rotated: bool


class MoveProvisional(_Fact, tag=True, frozen=True, kw_only=True):
    """A legal move stands on the board, not yet settled; ``uci`` is ``None`` when it went."""

    ply: int
    uci: str | None
    san: str | None


class MoveSettled(_Fact, tag=True, frozen=True, kw_only=True):
    """A move was played. ``ply`` counts from 1; ``basis`` says what settled it.

    With the basis ``stands`` it is an illegal move that was played on: ``uci`` and ``san`` are
    what was tried, and the next move is legal from ``fen``, the position after it.
    ``because`` is for people and ``infer --explain``: what was seen, in words.
    """

    ply: int
    uci: str
    san: str
    colour: Colour
    fen: str
    basis: Basis
    because: str = ""


class MoveTimed(_Fact, tag=True, frozen=True, kw_only=True):
    """The mover's remaining time after ``ply``; ``estimated`` where no press was seen for it."""

    ply: int
    clk_ms: int
    estimated: bool = False


class MovesCorrected(_Fact, tag=True, frozen=True, kw_only=True):
    """The last ``count`` settled moves, from ply ``ply`` on, are withdrawn; right ones follow."""

    ply: int
    count: int
    reason: str


class PositionAdopted(_Fact, tag=True, frozen=True, kw_only=True):
    """Moves after ``ply`` were missed for good: the next one is legal from ``fen``.

    Plies count on as if none were missing. It is void once ``ply`` itself is withdrawn, or
    another position is adopted after the same ply.
    """

    ply: int
    fen: str
    reason: str


class ClockUpdated(_Fact, tag=True, frozen=True, kw_only=True):
    """Both times by colour; ``turn`` is whose clock runs or would run."""

    white_ms: int
    black_ms: int
    running: bool
    turn: Colour | None


class AlertRaised(_Fact, tag=True, frozen=True, kw_only=True):
    """Something for the arbiter or operator: code of the alert catalogue, article, remedy.

    ``illegal`` is true exactly when a completed illegal move is reported.
    """

    code: str
    severity: Severity
    text: str
    illegal: bool = False
    reason: str = ""
    article: str = ""
    remedy: str = ""
    by: Colour | None = None
    san_tried: str | None = None
    restore: str | None = None


class AlertCleared(_Fact, tag=True, frozen=True, kw_only=True):
    """The condition of an alert is over."""

    code: str
    text: str = ""


class GameEnded(_Fact, tag=True, frozen=True, kw_only=True):
    """The game is over. ``by``: ``checkmate``, ``stalemate``, ``kings``, ``arbiter`` or others."""

    result: Result
    by: str


class BoardChanged(_Fact, tag=True, frozen=True, kw_only=True):
    """What stands on the board now: 64 cells in White's coordinates."""

    cells: str


class LinkChanged(_Fact, tag=True, frozen=True, kw_only=True):
    """The link to the board changed its state."""

    state: LinkState
    detail: str = ""


class StateExplained(_Fact, tag=True, frozen=True, kw_only=True):
    """What the engine waits for or cannot explain, in words."""

    text: str


Fact = (
    GameStarted
    | MoveProvisional
    | MoveSettled
    | MoveTimed
    | MovesCorrected
    | PositionAdopted
    | ClockUpdated
    | AlertRaised
    | AlertCleared
    | GameEnded
    | BoardChanged
    | LinkChanged
    | StateExplained
)
