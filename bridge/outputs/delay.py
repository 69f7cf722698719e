"""A gate in front of an output: what happens in the hall goes through it later.

Pure: journal time is an argument. Facts of a table come out in the order they went in. What is
withdrawn while it is held back was never there for who stands behind the gate: the right moves
come out alone. Of what is withdrawn after it came out, the correction comes out, as late as
everything else. Nothing that comes out says anything of what is younger than the delay but this:
that something was left out, or, where a number of moves is waited for, that they were made.
"""

import math
from collections import deque
from dataclasses import dataclass, field

import msgspec

from bridge.config.delays import Delay
from bridge.core.model import (
    ClockUpdated,
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    SetupCorrected,
    StartFound,
)

_OF_THE_RECORD = (
    GameAdjourned,
    GameEnded,
    GameResumed,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    StartFound,
)


@dataclass(slots=True, eq=False)
class _Course:
    """How far a game has come in the hall; ``left_at``: when another began at its table.

    Where none has ``begun`` there are no moves to wait for. ``over``: its end came out.
    """

    begun: bool
    plies: int = 0
    ended_at: float | None = None
    left_at: float | None = None
    adjourned: bool = False
    over: bool = False


@dataclass(slots=True, eq=False)
class _Held:
    """A fact that belongs to ply ``plies``; ``followed_at``: when enough moves had followed.

    What stands on the board, or how long the clocks run, belongs to the ply that comes of it.
    """

    fact: Fact
    course: _Course
    plies: int
    followed_at: float | None


@dataclass(slots=True, eq=False)
class _Table:
    """What is held back of one table; ``latest``: when the last fact went in or came out."""

    held: deque[_Held] = field(default_factory=deque)
    courses: dict[int, _Course] = field(default_factory=dict)
    latest: float = -math.inf


class Gate:
    """Holds back the facts of all tables for a delay."""

    def __init__(self, delay: Delay) -> None:
        self._delay = delay
        self._tables: dict[str, _Table] = {}

    @property
    def wake_at(self) -> float:
        """When the next fact is due if nothing else happens, ``inf`` if none is."""
        return min(map(self.wake_of, self._tables), default=math.inf)

    def wake_of(self, table: str) -> float:
        """When the next fact of a table that was heard of is due, ``inf`` if none is."""
        held = self._tables[table].held
        return self._ready_at(held[0]) if held else math.inf

    def put(self, fact: Fact) -> list[Fact]:
        """Take the next fact of a table; return which of its facts come out by then.

        A gate that is fed with the same facts again lets the same through.
        """
        table = self._tables.setdefault(fact.table, _Table())
        now = max(fact.at, table.latest)
        out = self._released(table, now)
        self._take(table, fact, now)
        return out + self._released(table, now)

    def due(self, now: float) -> list[Fact]:
        """Return what comes out by *now* (journal time)."""
        return [fact for table in self._tables.values() for fact in self._released(table, now)]

    # --- coming out -----------------------------------------------------------------------------

    def _ready_at(self, held: _Held) -> float:
        course, at = held.course, held.fact.at
        if self._delay.all_at_end and course.ended_at is not None:
            return max(at, course.ended_at)
        if held.followed_at is not None:
            return max(at + self._delay.seconds, held.followed_at)
        overs = (course.ended_at, course.left_at)
        over = min((each for each in overs if each is not None), default=math.inf)
        return max(at, over) + self._delay.seconds

    def _released(self, table: _Table, now: float) -> list[Fact]:
        out = []
        while table.held and (ready := self._ready_at(table.held[0])) <= now:
            table.latest = max(table.latest, ready)
            held = table.held.popleft()
            if isinstance(held.fact, GameEnded | GameResumed):
                held.course.over = isinstance(held.fact, GameEnded)
            out.append(_as_of(held.fact, table.latest))
        return out

    # --- going in -------------------------------------------------------------------------------

    def _take(self, table: _Table, fact: Fact, now: float) -> None:
        table.latest = now
        course = table.courses.get(fact.game)
        if course is None or isinstance(fact, GameStarted):
            course = _begin(table, fact, now)
        shown: Fact | None = fact
        match fact:
            case MoveSettled():
                course.plies = fact.ply
                self._follow(table, course, now)
            case MovesCorrected():
                course.plies = fact.ply - 1
                shown = _withdraw(table, course, fact)
            case GameEnded():
                _drop_end(table, course)
                course.ended_at = now if course.ended_at is None else course.ended_at
            case GameAdjourned():
                course.adjourned = True
            case GameResumed():
                shown = _resume(table, course, fact)
            case _:
                pass
        if shown is not None:
            waits = course.begun and not isinstance(fact, GameStarted | SetupCorrected)
            ply = course.plies if isinstance(fact, _OF_THE_RECORD) else course.plies + 1
            followed = None if waits and self._delay.plies else now
            table.held.append(_Held(shown, course, ply, followed))

    def _follow(self, table: _Table, course: _Course, now: float) -> None:
        """Note which facts enough moves have followed now."""
        for held in table.held:
            enough = held.course is course and held.plies + self._delay.plies <= course.plies
            if enough and held.followed_at is None:
                held.followed_at = now


def _as_of(fact: Fact, now: float) -> Fact:
    """Return *fact*; a clock as if it showed its times only now: who reads it adds its age."""
    if not isinstance(fact, ClockUpdated) or now <= fact.at:
        return fact
    return msgspec.structs.replace(fact, wall=fact.wall + now - fact.at)


def _begin(table: _Table, fact: Fact, now: float) -> _Course:
    """Begin to follow a game: no move follows on those that were played before it.

    What happened before the first one comes out with it, where that is sooner.
    """
    for course in table.courses.values():
        if course.left_at is None:
            course.left_at = now
    course = table.courses[fact.game] = _Course(isinstance(fact, GameStarted))
    for held in table.held:
        if not held.course.begun:
            held.course = course
    return course


def _withdraw(table: _Table, course: _Course, fact: MovesCorrected) -> MovesCorrected | None:
    """Forget the moves that are held back; return the correction of those that came out."""
    kept: deque[_Held] = deque()
    count = fact.count
    for held in table.held:
        if held.course is course and _speaks_of(held.fact, fact.ply):
            count -= isinstance(held.fact, MoveSettled)
        else:
            kept.append(held)
    table.held = kept
    return msgspec.structs.replace(fact, count=count) if count else None


def _speaks_of(fact: Fact, ply: int) -> bool:
    """Whether *fact* is of this ply or a later one."""
    return isinstance(fact, MoveSettled | MoveTimed | PositionAdopted) and fact.ply >= ply


def _drop_end(table: _Table, course: _Course) -> bool:
    """Forget an end of the game that is held back; say whether there was one."""
    kept = deque(
        held
        for held in table.held
        if not (isinstance(held.fact, GameEnded) and held.course is course)
    )
    dropped = len(kept) < len(table.held)
    table.held = kept
    return dropped


def _resume(table: _Table, course: _Course, fact: GameResumed) -> GameResumed | None:
    """Let a game go on; return that it does if it was seen to stop."""
    course.ended_at = None
    unseen = _drop_end(table, course) and not (course.adjourned or course.over)
    course.adjourned = False
    return None if unseen else fact
