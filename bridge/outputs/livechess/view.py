"""What a feed tells of one board, frame by frame: changes only, and moves one at a time.

Programs take from ``san`` as many moves from its end as it has grown, and overlook a move that
changed while the length stayed. So it grows by one move a frame, and after a correction it first
shrinks to what still holds.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bridge.core.inference.placement import cells_from_placement
from bridge.core.model import ClockUpdated
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.livechess.seat import Seat, cells_after, placement, seen_from
from drivers.events import PIECES

CLOCK_EVERY = 1.0
"""Seconds between two frames that tell no more than that time goes by."""
CLOCK_JUMP = 1000
"""A time that is so many ms off what a program works out by itself is told at once."""

_MEN = frozenset(PIECES + ".")
_LONGEST_FEN = 120


@dataclass(frozen=True, slots=True)
class Start:
    """A position that a program gave, from which moves are to be found."""

    fen: str
    cells: str
    turn: str

    @classmethod
    def parse(cls, fen: str) -> "Start":
        """Take a FEN; only what stands and who moves is looked at.

        Raises:
            ValueError: it is none, in words.
        """
        fields = fen.split()
        if not fields or len(fen) > _LONGEST_FEN:
            raise ValueError("'fen' is no position")
        cells = cells_from_placement(fields[0])
        if not _MEN.issuperset(cells):
            raise ValueError(f"'fen' has a man that is none: {fields[0]}")
        turn = fields[1] if len(fields) > 1 else "w"
        if turn not in ("w", "b"):
            raise ValueError(f"'fen' does not say who moves: {turn}")
        return cls(fen, cells, turn)

    def stands_in(self, record: GameRecord) -> bool:
        """Whether it is the position after the last settled move of a game."""
        fen = record.position(len(record.plies))
        return fen.split()[1] == self.turn and cells_after(record) == self.cells


@dataclass(frozen=True, slots=True)
class _Moves:
    """The moves found since ``start``, and whether the board shows where they lead."""

    start: str
    san: tuple[str, ...]
    match: bool


class View:
    """One way to see a board; all feeds that see it the same way share the frames.

    ``start``: where moves begin, if a program said so. Moves that were made before it stood are
    not told. ``flip``: the orientation that a program set.
    """

    def __init__(self, seat: Seat, start: Start | None = None, flip: bool | None = None) -> None:
        self.seat = seat
        self.start = start
        self.flip = flip
        self._since: tuple[int, int] | None = None
        self._flipped = False
        self._board: str | None = None
        self._clock: ClockUpdated | None = None
        self._moves: _Moves | None = None
        self.look()

    @property
    def told(self) -> tuple[object, ...]:
        """What was told, and how it goes on: views of equal ``told`` can take each other's place.

        A clock that differs is told again within :data:`CLOCK_EVERY`.
        """
        moves = self.start, self._since, self._moves
        return self.seat.name, self.flip, self._flipped, self._board, *moves

    def snapshot(self) -> dict[str, Any]:
        """Return the event that tells everything, and take it for told."""
        self._keep()
        self._clock = self.seat.clock
        return {**self._whole(), **_told(self._moves)}

    def set_up(self, start: Start) -> tuple["View", dict[str, Any]]:
        """Return the view with moves from *start* on, and the event that begins it."""
        view = View(self.seat, start, self.flip)
        whole = view.snapshot()
        return view, {key: whole[key] for key in ("serialnr", "board", "start", "san", "match")}

    def turned(self, flip: bool) -> tuple["View", dict[str, Any]]:
        """Return the view with another orientation, and the event that begins it."""
        view = copy.copy(self)
        view.flip = flip
        whole = view.snapshot()
        return view, {key: whole[key] for key in ("serialnr", "flipped", "board")}

    def resume(self) -> list[dict[str, Any]]:
        """Return the events after a board that was away is back: all is told again."""
        return self._events(self._whole())

    def changes(self) -> list[dict[str, Any]]:
        """Return the events for what has changed since the last time."""
        self.look()
        if self.seat.state != "ACTIVE":
            return []
        changed: dict[str, Any] = {}
        if self._seen_flipped() != self._flipped:
            changed["flipped"] = self._seen_flipped()
        if self._seen_board() != self._board:
            changed["board"] = self._seen_board()
        if (changed and self.seat.clock != self._clock) or self._clock_is_news():
            changed["clock"] = self.seat.times()
        return self._events(changed)

    def _events(self, changed: dict[str, Any]) -> list[dict[str, Any]]:
        """Return events with *changed* in the first, and the moves one by one."""
        steps = list(_steps(self._moves, self._found()))
        if not changed and not steps:
            return []
        if "clock" in changed:
            self._clock = self.seat.clock
        self._keep()
        events = steps or [{}]
        events[0] = {**changed, **events[0]}
        return [{"serialnr": self.seat.serialnr, **event} for event in events]

    def _keep(self) -> None:
        self._flipped, self._board = self._seen_flipped(), self._seen_board()
        self._moves = self._found()

    def _whole(self) -> dict[str, Any]:
        return {
            "serialnr": self.seat.serialnr,
            "flipped": self._seen_flipped(),
            "board": self._seen_board(),
            "clock": self.seat.times(),
        }

    # -- what is seen ------------------------------------------------------------------------------

    def _seen_flipped(self) -> bool:
        return self.seat.rotated if self.flip is None else self.flip

    def _seen_board(self) -> str | None:
        turn = self._seen_flipped() != self.seat.rotated
        return placement(seen_from(self.seat.shown(), turn=turn))

    def _clock_is_news(self) -> bool:
        """Whether a clock has to be told of although nothing else is."""
        now, told = self.seat.clock, self._clock
        if now is None or told is None:
            return now is not told
        if (now.running, now.turn) != (told.running, told.turn):
            return True
        passed = now.wall - told.wall
        if passed >= CLOCK_EVERY:
            return now.running or (now.white_ms, now.black_ms) != (told.white_ms, told.black_ms)
        white, black = told.white_ms, told.black_ms
        return max(abs(now.white_ms - white), abs(now.black_ms - black)) > CLOCK_JUMP

    # -- what was played ---------------------------------------------------------------------------

    def look(self) -> None:
        """Find out since when moves count: which game, and after how many plies.

        To be called after each fact where the next events wait for several.
        """
        record = self.seat.record
        if record is None:
            self._since = None
        elif self.start is None:
            self._since = record.game, 0
        else:
            since = self._since
            if since is not None and (since[0] != record.game or since[1] > len(record.plies)):
                self._since = None
            if self._since is None and self.start.stands_in(record):
                self._since = record.game, len(record.plies)

    def _found(self) -> _Moves | None:
        record, start = self.seat.record, self.start
        if record is None or self._since is None:
            return None if start is None else _Moves(start.fen, (), self.seat.agrees(start.cells))
        after = self._since[1]
        base = max(after, *_breaks(record), after)
        fen = start.fen if start is not None and base == after else record.position(base)
        san = tuple(ply.san for ply in record.plies[base:])
        return _Moves(fen, san, self.seat.agrees(cells_after(record)))


def _breaks(record: GameRecord) -> Iterator[int]:
    """Yield the plies behind which the next one is no legal move: something is missing or wrong."""
    yield 0
    yield from (adoption.ply for adoption in record.adoptions)
    yield from (number for number, ply in enumerate(record.plies, start=1) if ply.stands)


def _told(moves: _Moves | None) -> dict[str, Any]:
    if moves is None:
        return {}
    return {"start": moves.start, "san": moves.san, "match": moves.match}


def _steps(old: _Moves | None, new: _Moves | None) -> Iterator[dict[str, Any]]:
    """Yield what to tell of the moves until *new* is told."""
    if new is None or old == new:
        return
    if old is not None and (old.start, old.san) == (new.start, new.san):
        yield {"match": new.match}
        return
    told = old.san if old is not None and old.start == new.start else None
    common = 0 if told is None else _common(told, new.san)
    shorter = [] if told is not None and common == len(told) else [common]
    for length in (*shorter, *range(common + 1, len(new.san) + 1)):
        is_all = length == len(new.san)
        yield _told(_Moves(new.start, new.san[:length], new.match and is_all))


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Return how many moves both begin with."""
    for number, (mine, yours) in enumerate(zip(one, other, strict=False)):
        if mine != yours:
            return number
    return min(len(one), len(other))
