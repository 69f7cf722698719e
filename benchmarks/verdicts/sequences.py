"""The group of sequences: what hands and clock do at a real table, and what it tells.

The events of a case reach the table as those of a board would: square by square, with a clock
that is polled every second, and with its deadlines answered when they come.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import chess
import msgspec

from benchmarks.verdicts.cases import Answer, Case
from benchmarks.verdicts.rules import Rules, by_rules
from benchmarks.verdicts.sense import Words, decides
from bridge.core.laws.endings import status
from bridge.core.model import (
    AlertRaised,
    Fact,
    GameEnded,
    LinkChange,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    Payload,
    Reading,
    ResultOrder,
    TableSetup,
)
from bridge.core.table import Table
from drivers.cells import cells_of
from drivers.events import EMPTY, ClockReading, Side, Snapshot, SquareChange

TIME_MS = 2 * 60 * 60 * 1000
"""What both clocks show at the beginning: nobody is short of time in a case that says nothing."""
EVERY_MOVE = 4.0
"""Seconds from one of the moves before the events to the next, and to the events."""
POLL = 1.0
"""Seconds between two readings of the clock."""
AFTERWARDS = 9.5
"""Seconds in which nothing happens any more: time enough for a verdict."""

_SIDES: dict[str, Side] = {"w": "left", "b": "right"}


class Sequence(NamedTuple):
    """What came of a case: the alerts of its events, the record they gained, the men that stand.

    ``pending`` is the move that stands and is not completed.
    """

    raised: tuple[AlertRaised, ...]
    record: tuple[str, ...]
    pending: str | None
    result: str | None
    cells: str

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes raised at any moment, each once."""
        return tuple(dict.fromkeys(alert.code for alert in self.raised))

    @property
    def made(self) -> list[str]:
        """The moves made, completed or not: a scoresheet takes a move when it is made."""
        return [*self.record, *([] if self.pending is None else [self.pending])]


class _Clock:
    """A chess clock: White's time is at its left."""

    def __init__(self, turn: Side) -> None:
        self.left = self.right = TIME_MS
        self.turn: Side = turn
        self.running = True
        self.flags: set[Side] = set()
        self._at = 0.0

    def read(self, at: float) -> ClockReading:
        passed = round(1000 * (at - self._at)) if self.running else 0
        self._at = at
        if self.turn == "left":
            self.left = max(0, self.left - passed)
        else:
            self.right = max(0, self.right - passed)
        return ClockReading(
            at=at,
            left_ms=self.left,
            right_ms=self.right,
            running=self.running,
            turn=self.turn,
            left_flag="left" in self.flags,
            right_flag="right" in self.flags,
        )

    def falls(self, side: Side) -> None:
        self.flags.add(side)
        if side == "left":
            self.left = 0
        else:
            self.right = 0


class _Play:
    """One table, and who plays at it."""

    def __init__(self, case: Case, rules: Rules) -> None:
        self.table = Table(case.id)
        self.facts: list[Fact] = []
        self.cells = cells_of(case.start())
        self._clock = _Clock(_first_to_run(case))
        self.at = 0.0
        self._polled = 0.0
        self._seq = 0
        self._linked = True
        self._hear(
            TableSetup(
                start_fen=None if case.start() == chess.Board() else case.given["fen"],
                chess960=bool(case.given.get("chess960")),
                white_clock="left",
                two_hands=True,
                rules=msgspec.to_builtins(rules.values),
            )
        )
        self._hear(Snapshot(at=self.at, cells=self.cells))
        self._hear(self._clock.read(self.at))

    def wait(self, at: float) -> None:
        """Let time come to *at*; the clock is read and deadlines are answered meanwhile."""
        while self._linked and self._polled + POLL <= at:
            self._polled += POLL
            self._pass(self._polled)
            self._hear(self._clock.read(self.at))
        self._pass(at)

    def _pass(self, at: float) -> None:
        while self.table.wake_at <= at:
            self.facts += self.table.tick(self.table.wake_at)
        self.at = at

    def _hear(self, payload: Payload) -> None:
        self._seq += 1
        reading = Reading(
            table=self.table.name,
            link="board",
            seq=self._seq,
            at=self.at,
            wall=self.at,
            payload=payload,
        )
        self.facts += self.table.apply(reading)

    def moves(self, board: chess.Board) -> None:
        """Play the moves of *board* properly, each pressed."""
        replayed = board.root()
        for move in board.move_stack:
            replayed.push(move)
            self.wait(self.at + EVERY_MOVE / 2)
            self.cells = cells_of(replayed)
            self._hear(Snapshot(at=self.at, cells=self.cells))
            self.wait(self.at + 0.5)
            self._presses("right" if replayed.turn else "left")
            self.wait(self.at + EVERY_MOVE / 2)

    def happens(self, what: list[str]) -> None:
        """Let one event of a case happen, now."""
        match what:
            case ["lift", square]:
                self._changes(square, EMPTY)
            case ["put", man, square]:
                self._changes(square, man)
            case ["clock", side]:
                self._presses(_SIDES[side])
            case ["flag", side]:
                self._clock.read(self.at)
                self._clock.falls(_SIDES[side])
                self._hear(self._clock.read(self.at))
            case ["pause"]:
                self._clock.read(self.at)
                self._clock.running = False
                self._hear(self._clock.read(self.at))
            case ["lost"]:
                self._linked = False
                self._hear(LinkChange(state="lost", detail="the cable was pulled"))
            case ["reconnect"]:
                self._linked, self._polled = True, self.at
                self._hear(LinkChange(state="live"))
                self._hear(Snapshot(at=self.at, cells=self.cells))
                self._hear(self._clock.read(self.at))
            case ["tick"]:
                pass
            case _:
                raise ValueError(f"unknown event: {' '.join(what)}")

    def finish(self) -> None:
        """Have the result known, before men are moved for other reasons."""
        self._hear(ResultOrder(result="1/2-1/2"))

    def _changes(self, name: str, man: str) -> None:
        square = chess.parse_square(name)
        self.cells = self.cells[:square] + man + self.cells[square + 1 :]
        if self._linked:
            self._hear(SquareChange(at=self.at, square=square, piece=man, cells=self.cells))

    def _presses(self, side: Side) -> None:
        self._clock.read(self.at)
        self._clock.turn = "right" if side == "left" else "left"
        self._clock.running = True
        if self._linked:
            self._hear(self._clock.read(self.at))


def _first_to_run(case: Case) -> Side:
    """Return whose clock runs first: where no move came before, that of who presses first."""
    if not case.given.get("moves"):
        for event in case.given["events"]:
            found = re.fullmatch(r"\d+ clock ([wb])", event)
            if found:
                return _SIDES[found[1]]
    return "left" if case.start().turn else "right"


def play(case: Case, rules: Rules) -> Sequence:
    """Play a sequence at a table and return what came of it.

    Raises:
        ValueError: an event is of no known kind.
    """
    playing = _Play(case, rules)
    playing.wait(EVERY_MOVE / 2)
    playing.moves(case.board())
    if _is_finished(case):
        playing.finish()
    before, began = len(playing.facts), playing.at
    for event in case.given["events"]:
        milliseconds, *what = event.split()
        playing.wait(began + int(milliseconds) / 1000)
        playing.happens(what)
    playing.wait(playing.at + AFTERWARDS)
    return _told(playing, before)


def _is_finished(case: Case) -> bool:
    decision = case.expect.get("decision")
    return isinstance(decision, Mapping) and decision.get("precondition") == "game state finished"


def _told(playing: _Play, before: int) -> Sequence:
    events = playing.facts[before:]
    record: list[str] = []
    pending = result = None
    for fact in events:
        match fact:
            case MoveSettled():
                record.append(fact.san)
                pending = None
            case MovesCorrected():
                del record[len(record) - fact.count :]
            case MoveProvisional():
                pending = fact.san
            case _:
                pass
    for fact in playing.facts:
        if isinstance(fact, GameEnded):
            result = fact.result
            pending = None
    raised = tuple(fact for fact in events if isinstance(fact, AlertRaised))
    return Sequence(raised, tuple(record), pending, result, playing.cells)


# -- answers -----------------------------------------------------------------------------------


def _in_order_of(expected: Any, codes: tuple[str, ...]) -> list[str]:
    named = [code for code in expected or () if code in codes]
    return named + [code for code in codes if code not in named]


def _alerts(case: Case, rules: Rules) -> list[str]:
    expected = by_rules(case.expect["alerts"], rules.name)
    return _in_order_of(expected, play(case, rules).codes)


def _never(case: Case, rules: Rules) -> list[str]:
    raised = play(case, rules).codes
    return [code for code in case.expect["never"] if code not in raised]


def _record(case: Case, rules: Rules) -> list[str] | None:
    """Return the moves; a sign of check that a case leaves out need not be written."""
    made, expected = play(case, rules).made, case.expect["record"]
    if expected is not None and len(made) == len(expected):
        return [_as_written(*pair) for pair in zip(made, expected, strict=True)]
    return made if made or expected is not None else None


def _as_written(san: str, expected: str) -> str:
    return expected if san.rstrip("+#") == expected else san


def _board_after(case: Case, rules: Rules) -> chess.Board:
    board = case.board()
    for san in play(case, rules).made:
        board.push_san(san)
    return board


def _placement(case: Case, rules: Rules) -> str:
    board = chess.BaseBoard(None)
    for square, letter in enumerate(play(case, rules).cells):
        if letter != EMPTY:
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return board.board_fen()


def _decision(case: Case, rules: Rules) -> Any:
    """Judge what can be judged of words for the arbiter; the others are returned as they are."""
    expected = by_rules(case.expect["decision"], rules.name)
    if not isinstance(expected, Mapping):
        return _as_offered(expected, case, rules)
    return {key: _judged(key, value, case, rules) for key, value in expected.items()}


def _judged(key: str, value: Any, case: Case, rules: Rules) -> Any:
    if key == rules.name:
        return _as_offered(value, case, rules)
    return _JUDGED[key](value, case, rules) if key in _JUDGED else value


def _as_offered(expected: Any, case: Case, rules: Rules) -> Any:
    """Return *expected* if what it says first is among what the alerts offer, else that."""
    offered = Words("; ".join(f"{a.text}; {a.remedy}" for a in play(case, rules).raised))
    first = re.split(r"[(;]", str(expected), maxsplit=1)[0]
    return expected if decides(first) <= decides(offered) else offered


def _restore(_: Any, case: Case, rules: Rules) -> bool:
    return any(alert.restore for alert in play(case, rules).raised)


def _confidence(expected: str, case: Case, rules: Rules) -> str:
    named = {alert.confidence for alert in play(case, rules).raised}
    return expected if expected.split(":", maxsplit=1)[0] in named else " ".join(sorted(named))


def _visible(expected: str, case: Case, rules: Rules) -> str:
    hidden = all(alert.visibility == "A" for alert in play(case, rules).raised)
    return expected if hidden or expected != "arbiter only" else "others too"


def _never_conclude(expected: str, case: Case, rules: Rules) -> str | None:
    return expected if play(case, rules).result is None else None


_JUDGED: dict[str, Callable[[Any, Case, Rules], Any]] = {
    "restore": _restore,
    "confidence": _confidence,
    "visible": _visible,
    "never_conclude": _never_conclude,
}

SEQUENCE: dict[str, Answer] = {
    "alerts": _alerts,
    "never": _never,
    "record": _record,
    "pending": lambda case, rules: play(case, rules).pending,
    "status": lambda case, rules: status(_board_after(case, rules)),
    "result": lambda case, rules: play(case, rules).result,
    "placement": _placement,
    "final_fen": lambda case, rules: _board_after(case, rules).fen(en_passant="fen"),
    "decision": _decision,
}
