"""The nouns of the core: readings that come in, facts that go out.

A :class:`Reading` is what the journal keeps: an event of a device or an order of a person,
with the time it came. A fact is what the core concluded, in the past tense. Both are msgspec
structs, so their JSON form is fixed by these classes; the names are listed in ``docs/names.md``.

Times: ``at`` is journal time, seconds that never go back, also across restarts; ``wall`` is
Unix time for people. Clock times are milliseconds. Sides are chess colours here, no longer
physical sides.
"""

from typing import Any, Literal

import msgspec

from drivers.events import Event

Colour = Literal["white", "black"]
LinkState = Literal["live", "stale", "lost"]
Result = Literal["1-0", "0-1", "1/2-1/2", "*", "0-0", "1/2-0", "0-1/2"]
"""``*``: none. In the last three an arbiter has taken points from one side or both."""
Basis = Literal["press", "reply", "rest", "end", "gap", "stands", "arbiter"]
"""What settled a move."""
Severity = Literal["critical", "warning", "notice", "silent", "tech"]
CALLS: tuple[Severity, ...] = ("critical", "warning")
"""Alerts of these severities call somebody to the board."""
Visibility = Literal["A", "O", "P", "X"]
"""Who may see something: the arbiter, the operator too, the players too, or everybody."""
Penalty = Literal[
    "warning",
    "more_time",
    "less_time",
    "more_points",
    "fewer_points",
    "loss",
    "fine",
    "rounds",
    "expulsion",
]
"""What 12.9 lists: more is for the opponent, less and fewer for the offender."""
Confidence = Literal["high", "medium", "low"]
"""How sure it is that what the sensors showed is what happened."""
Clearing = Literal["over", "withdrawn", "expired"]
"""How an alert ends: its condition is over, it should not have been raised, or the Laws end it."""
Hindered = Literal["BROADCAST_HELD", "BROADCAST_STALLED", "DISK_OR_LOG_FAULT"]
"""Alerts about what the program does, and not about what happens at a table."""
Orientation = Literal["auto", "normal", "rotated"]
Sensing = Literal["identity", "occupancy", "colour"]
"""What a board knows of a man: its kind and colour, nothing but that it is there, or its colour."""

# --- what comes in ------------------------------------------------------------------------------


class _Payload(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    pass


class LinkChange(_Payload, tag=True, frozen=True, kw_only=True):
    """A link to the table's board came, fell silent or went.

    ``twice``: the board says the number of one that another link has.
    """

    state: LinkState
    detail: str = ""
    twice: bool = False


class Hindrance(_Payload, tag=True, frozen=True, kw_only=True):
    """What the program does for a table does not go as it should, and why; empty: it does again."""

    code: Hindered
    detail: str = ""


class TableSetup(_Payload, tag=True, frozen=True, kw_only=True):
    """What the configuration says of a table; journaled so that the fold needs nothing else.

    ``start_fen`` is the position games start from. ``orientation`` and ``white_clock`` are
    ``auto`` unless somebody knows better than the evidence. ``rules`` are all values of the rule
    set that is played under (``bridge.core.laws.rulesets.RuleSet``), overrides of the event
    included; what is missing is as in standard play under FIDE's Laws. ``two_hands``: whether to
    look for men that were moved with both hands, which no sensor can prove. ``tag_letters``: which
    men carry the tags that were calibrated. ``feedback``: whether the board marks squares that are
    wrong, in games at home. ``section``: the group of the event whose games are kept apart from
    those of others, empty where there is none. ``undated``: nobody wrote the ``date``, it is the
    day on which this was said; games that are played then keep theirs.
    """

    event: str = "?"
    section: str = ""
    site: str = "?"
    round: str = "?"
    date: str = "????.??.??"
    undated: bool = False
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
    two_hands: bool = False
    feedback: bool = False
    tag_letters: dict[str, str] = {}
    rules: dict[str, Any] = {}


class ResultOrder(_Payload, tag=True, frozen=True, kw_only=True):
    """An arbiter entered the result of the game in progress."""

    result: Result
    by: str = "arbiter"


# --- what an arbiter orders ---------------------------------------------------------------------


class _Order(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="kind",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """What is not understood of an order may change its meaning: then it is none."""


class AcceptAlert(_Order, tag=True, frozen=True, kw_only=True):
    """The alert ``code`` is right and has been dealt with."""

    code: str


class DismissAlert(_Order, tag=True, frozen=True, kw_only=True):
    """The alert ``code`` was raised for nothing."""

    code: str


class ConfirmOffence(_Order, tag=True, frozen=True, kw_only=True):
    """``colour`` made an illegal move after ``ply`` plies; only what is confirmed counts."""

    colour: Colour
    ply: int


class RestorePosition(_Order, tag=True, frozen=True, kw_only=True):
    """The game goes back to the position after ``ply`` plies; the later ones are withdrawn."""

    ply: int


class LetStand(_Order, tag=True, frozen=True, kw_only=True):
    """Play goes on from what stands on the board; ``stands`` is its FEN.

    It may be left out where a single illegal move led there.
    """

    stands: str | None = None


class CorrectMoves(_Order, tag=True, frozen=True, kw_only=True):
    """In place of ``count`` plies from ply ``first`` on, ``moves`` were played.

    ``moves`` are in SAN or UCI. None of them deletes, no ``count`` inserts. What follows is kept
    if it is still legal, unless ``rest`` is ``drop``.
    """

    first: int
    count: int
    moves: tuple[str, ...] = ()
    rest: Literal["keep", "drop"] = "keep"


class SetResult(_Order, tag=True, frozen=True, kw_only=True):
    """The result of the game, and what ended it."""

    result: Result
    because: Literal[
        "arbiter",
        "agreement",
        "resignation",
        "claim",
        "flag",
        "dead",
        "illegal",
        "forfeit",
        "adjudication",
        "abandoned",
    ] = "arbiter"


class SetClocks(_Order, tag=True, frozen=True, kw_only=True):
    """The clock is set to these times."""

    white_ms: int
    black_ms: int


class Adjourn(_Order, tag=True, frozen=True, kw_only=True):
    """The game is interrupted: what happens on the board is not part of it."""


class Resume(_Order, tag=True, frozen=True, kw_only=True):
    """The game that was adjourned, or was ended by mistake, goes on."""


class ClaimDraw(_Order, tag=True, frozen=True, kw_only=True):
    """``claimant`` claims a draw, by the moves made or with the ``announced`` one.

    ``on``: the position stood, or would stand, for the third time, or the moves are enough.
    """

    claimant: Colour
    on: Literal["threefold", "moves"]
    announced: str | None = None


class Penalise(_Order, tag=True, frozen=True, kw_only=True):
    """A penalty of 12.9 for ``colour``.

    ``minutes`` belong to the penalties in time, ``points`` to those in points and ``result`` to
    the loss of the game, as the opponent's points are the arbiter's choice.
    """

    colour: Colour
    penalty: Penalty
    minutes: int | None = None
    points: float | None = None
    result: Result | None = None


class ScheduleStart(_Order, tag=True, frozen=True, kw_only=True):
    """The round begins at ``starts`` (Unix time); this is also how a start is put off.

    ``default_minutes``: who comes later loses; ``None``: as the rules say (6.7.1).
    """

    starts: float
    default_minutes: int | None = None


class NotePresence(_Order, tag=True, frozen=True, kw_only=True):
    """A person has seen that ``colour`` is there, or is not."""

    colour: Colour
    present: bool = True


class NoteDrawOffer(_Order, tag=True, frozen=True, kw_only=True):
    """``colour`` offered a draw: with the move he has made, before it, or in the opponent's time.

    The last two are out of order, and valid all the same (9.1.2.1).
    """

    colour: Colour
    moment: Literal["with_move", "before_moving", "opponents_time"] = "with_move"


class NoteReversedColours(_Order, tag=True, frozen=True, kw_only=True):
    """The players have each other's colours."""


class CompareScoresheet(_Order, tag=True, frozen=True, kw_only=True):
    """On the scoresheet of ``colour`` stands ``move`` (SAN or UCI) as ply ``ply``."""

    colour: Colour
    ply: int
    move: str


class AddNote(_Order, tag=True, frozen=True, kw_only=True):
    """Something to be kept with the game."""

    text: str


class Undo(_Order, tag=True, frozen=True, kw_only=True):
    """The ruling number ``ruling`` is taken back."""

    ruling: int


Order = (
    AcceptAlert
    | DismissAlert
    | ConfirmOffence
    | RestorePosition
    | LetStand
    | CorrectMoves
    | SetResult
    | SetClocks
    | Adjourn
    | Resume
    | ClaimDraw
    | Penalise
    | ScheduleStart
    | NotePresence
    | NoteDrawOffer
    | NoteReversedColours
    | CompareScoresheet
    | AddNote
    | Undo
)


class Ruling(_Payload, tag=True, frozen=True, kw_only=True):
    """An arbiter orders something: ``by`` whom and for what ``reason``.

    ``game``, ``ply`` and ``fen`` are what he saw when he decided: the game, how many plies were
    settled and the position after them. Where they are given and hold no longer, nothing is done.
    """

    by: str
    order: Order
    reason: str = ""
    game: int | None = None
    ply: int | None = None
    fen: str | None = None


Said = LinkChange | Hindrance | TableSetup | ResultOrder | Ruling
"""What is said here and now; everything else was brought by a line, with its time."""
Payload = Event | Said


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


class StartFound(_Fact, tag=True, frozen=True, kw_only=True):
    """The game began from ``fen``: its plies are the same, made by other men.

    Which of the 960 positions of Chess960 stands cannot be told by a board that names no men, until
    play shows it; and a wrong set-up may be put right after the first moves.
    """

    fen: str


class SetupCorrected(_Fact, tag=True, frozen=True, kw_only=True):
    """The game that was begun last is that of ``setup``: names, ratings or its board."""

    setup: TableSetup


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
    """The mover's remaining time after ``ply``.

    ``estimated``: no press was seen for it, or it may be another ply's.
    """

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

    ``illegal`` is true exactly when a completed illegal move is reported. ``visibility`` is the
    widest class of people who may see it, ``until`` when it lapses, in words. ``count``: how often
    it was raised in this game, this time included. ``confidence``: how sure the sensors are.
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
    visibility: Visibility = "A"
    until: str = ""
    count: int = 1
    confidence: Confidence = "high"


class AlertCleared(_Fact, tag=True, frozen=True, kw_only=True):
    """An alert stands no longer; ``text`` says why and ``how`` in one word."""

    code: str
    text: str = ""
    how: Clearing = "over"


class GameEnded(_Fact, tag=True, frozen=True, kw_only=True):
    """The game is over. ``by``: ``checkmate``, ``stalemate``, ``kings``, ``arbiter`` or others."""

    result: Result
    by: str


class GameAdjourned(_Fact, tag=True, frozen=True, kw_only=True):
    """The game is interrupted; until it is resumed nothing on the board is part of it."""


class GameResumed(_Fact, tag=True, frozen=True, kw_only=True):
    """The game goes on: it was adjourned, or its end is withdrawn."""


class RulingMade(_Fact, tag=True, frozen=True, kw_only=True):
    """An order of the arbiter was carried out; the facts that follow say how.

    ``number`` counts the rulings of a table from 1, those that were refused included. ``text``
    says in words what it means, with the numbers the rules give.
    """

    number: int
    ruling: Ruling
    text: str


class RulingRefused(_Fact, tag=True, frozen=True, kw_only=True):
    """An order of the arbiter cannot be carried out, and nothing of it was.

    Where a correction makes a later move illegal, ``kept`` are the moves of the record from the
    first corrected ply on, ``corrected`` those asked for up to the last legal one, and ``breaks``
    is the ply of the record that does not follow on them.
    """

    number: int
    ruling: Ruling
    reason: str
    breaks: int | None = None
    kept: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()


class RulingUndone(_Fact, tag=True, frozen=True, kw_only=True):
    """Ruling ``number`` holds no longer, because of ruling ``undone_by``."""

    number: int
    undone_by: int


class OffencesCounted(_Fact, tag=True, frozen=True, kw_only=True):
    """How many illegal moves of ``colour`` are confirmed now in this game."""

    colour: Colour
    count: int


class ClaimStep(msgspec.Struct, frozen=True, kw_only=True):
    """A move of the record on which a claim is verified, and the position after it.

    ``halfmoves``: those without capture or pawn move; ``occurrence``: the how manieth time the
    position claimed for stands, 0 for another one. The first step may be a position with no
    move, an announced move comes last.
    """

    ply: int
    san: str
    halfmoves: int
    occurrence: int
    fen: str


class ClaimChecked(_Fact, tag=True, frozen=True, kw_only=True):
    """What the record says of a claim: the arbiter decides."""

    number: int
    verdict: Literal["right", "wrong", "incomplete"]
    reason: str
    halfmoves: int
    steps: tuple[ClaimStep, ...]
    touched: bool


class DrawOffered(_Fact, tag=True, frozen=True, kw_only=True):
    """``colour`` offered a draw, to be noted with ``ply``, which may be the one to come.

    ``void``: no, he did not; it was entered by mistake.
    """

    ply: int
    colour: Colour
    void: bool = False


class BoardChanged(_Fact, tag=True, frozen=True, kw_only=True):
    """What stands on the board now: 64 cells in White's coordinates."""

    cells: str


class LinkChanged(_Fact, tag=True, frozen=True, kw_only=True):
    """The link to the board changed its state."""

    state: LinkState
    detail: str = ""


class SquaresMarked(_Fact, tag=True, frozen=True, kw_only=True):
    """The board shows its players that men stand wrong on these squares (``e4``), as White sees.

    Without any, nothing is shown any more. Only in games at home, and where it is wished.
    """

    squares: tuple[str, ...]


class StateExplained(_Fact, tag=True, frozen=True, kw_only=True):
    """What the engine waits for or cannot explain, in words."""

    text: str


Fact = (
    GameStarted
    | StartFound
    | SetupCorrected
    | MoveProvisional
    | MoveSettled
    | MoveTimed
    | MovesCorrected
    | PositionAdopted
    | ClockUpdated
    | AlertRaised
    | AlertCleared
    | GameEnded
    | GameAdjourned
    | GameResumed
    | RulingMade
    | RulingRefused
    | RulingUndone
    | OffencesCounted
    | ClaimChecked
    | DrawOffered
    | BoardChanged
    | LinkChanged
    | SquaresMarked
    | StateExplained
)
