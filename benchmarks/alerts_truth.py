"""What happened in a game that an arbiter could be called for, from its truth and its stream.

Pure. An alert is true if what it says happened. What never happens at a simulated table, such as a
flag that falls or a clock that adds no time, is told wrongly whenever it is told.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import chess
import msgspec

from benchmarks.judge import TrueGame, TrueIllegal, reportable_until
from bridge.core.model import AlertRaised, Fact, GameStarted, MovesCorrected, MoveSettled
from bridge.core.table.alerts import ILLEGAL_CODES

CALLS_FOR_ILLEGAL = ILLEGAL_CODES | {"POSITION_UNRESOLVED"}
"""Each calls the arbiter to an illegal move, by its name or because nothing explains the men."""
AFTERMATH = frozenset({"CLOCK_PRESSED_WITHOUT_MOVE", "PIECES_DISPLACED"})
"""True while an illegal move is put right: the clock is pressed back, or men are off the board."""
ENDS: dict[str, Callable[[chess.Board], bool]] = {
    "DEAD_POSITION": chess.Board.is_insufficient_material,
    "FIVEFOLD": chess.Board.is_fivefold_repetition,
    "SEVENTY_FIVE": chess.Board.is_seventyfive_moves,
}
"""What ends a game by itself, as python-chess sees it."""
RELINKED = 1.0
"""An alert of a lost link comes within this time of the loss (s)."""
SILENCE = 15.0
"""A running clock that tells nothing for so long is told, at the latest as long after (s)."""
OVER = "the game was over, and its result not shown"


class _Line(msgspec.Struct):
    """What counts here of a line of a board stream."""

    t: float
    kind: str
    turn: str | None = None
    run: bool = False
    state: str = ""


@dataclass
class Shown:
    """What a stream shows of clock and link.

    ``turned``: when another side was first seen to run. ``stops``: when the clock was seen to
    stand, and until when (infinity: the end). ``lost``: when the link went down. ``silent``: when
    a clock that ran was heard for the last time before a silence, while the link was up.
    """

    turned: list[float]
    stops: list[tuple[float, float]]
    lost: list[float]
    silent: list[float] = field(default_factory=list)


def read_shown(lines: Iterable[str | bytes]) -> Shown:
    """Return what *lines* of a board stream show of clock and link."""
    shown = Shown([], [], [])
    decoder = msgspec.json.Decoder(_Line)
    side, ran, heard = None, False, math.inf
    for line in map(decoder.decode, lines):
        if line.kind == "link":
            heard = line.t
            if line.state == "down":
                shown.lost.append(line.t)
        if line.kind != "clock":
            continue
        if ran and line.t >= heard + SILENCE:
            shown.silent.append(heard)
        heard = line.t
        if line.turn != side:
            shown.turned.append(line.t)
        if ran and not line.run:
            shown.stops.append((line.t, math.inf))
        elif shown.stops and line.run and not ran:
            shown.stops[-1] = shown.stops[-1][0], line.t
        side, ran = line.turn, line.run
    if ran:
        shown.silent.append(heard)
    return shown


class Happened:
    """One game: what was true at any time of it."""

    def __init__(self, game: TrueGame, shown: Shown, facts: Sequence[Fact]) -> None:
        self.game = game
        self.rests = [move.rest for move in game.moves]
        self._shown = shown
        self._facts = facts
        self._checks: dict[str, Callable[[float], bool]] = {
            "BOARD_DISCONNECTED": self._is_lost,
            "CLOCK_FAULT": self._is_silent,
            "CLOCK_PRESSED_BEFORE_MOVE": lambda at: "early press" in self._how(at),
            "CLOCK_STOPPED_BY_PLAYER": self._is_stop,
            "MOVE_AFTER_GAME_END": lambda at: any(end <= at for end in self.ends.values()),
            "PIECES_DISPLACED": lambda at: "knock" in self._how(at),
            "POSITION_UNRESOLVED": self._is_unresolved,
            "SCORESHEET_GAP": self._is_gap,
        }

    def says(self, alert: AlertRaised) -> bool:
        """Whether what *alert* tells happened."""
        if alert.code in ENDS:
            return self.ends.get(alert.code, math.inf) <= alert.at
        wrong = alert.code in CALLS_FOR_ILLEGAL | AFTERMATH
        if wrong and any(self._is_about(illegal, alert) for illegal in self.game.illegal):
            return True
        check = self._checks.get(alert.code)
        return check is not None and check(alert.at)

    def tells(self, illegal: TrueIllegal, alert: AlertRaised) -> bool:
        """Whether *alert* came while *illegal* was to be told."""
        return illegal.press <= alert.at <= reportable_until(self.game, illegal)

    def _is_about(self, illegal: TrueIllegal, alert: AlertRaised) -> bool:
        """Whether *alert* calls for *illegal*, in time or late for the position before it."""
        if self.tells(illegal, alert):
            return True
        if not illegal.stands or alert.restore is None or alert.at < illegal.press:
            return False
        before = self._boards[illegal.ply - 1].board_fen()
        return alert.code in ILLEGAL_CODES and alert.restore.split()[0] == before

    @cached_property
    def ends(self) -> dict[str, float]:
        """When the game came to what ends it by itself, by the code that tells it."""
        ends: dict[str, float] = {}
        for rest, board in zip(self.rests, self._boards[1:], strict=True):
            for code, is_over in ENDS.items():
                if code not in ends and is_over(board) and any(board.generate_legal_moves()):
                    ends[code] = rest
        return ends

    def reported(self, press: float) -> float | None:
        """Return when the stream first showed another side to run after *press*."""
        return next((at for at in self._shown.turned if at >= press), None)

    def causes(self, at: float) -> list[str]:
        """Name what went on: the phase of the game, or what touched the plies in progress."""
        if at < self.rests[0]:
            return ["before the first move"]
        if at >= self.game.ended:
            return [OVER if self.game.result == "*" else "after the end"]
        if at > self.rests[-1] and self._stop(at)[1] > self.game.ended:
            return [OVER]
        return sorted(self._how(at)) or ["undisturbed"]

    # -- single kinds ------------------------------------------------------------------------------

    def _is_lost(self, at: float) -> bool:
        return any(lost <= at <= lost + RELINKED for lost in self._shown.lost)

    def _is_silent(self, at: float) -> bool:
        """Whether nothing is heard of a clock that ran, also when nobody plays any more."""
        return any(last + SILENCE <= at <= last + 2 * SILENCE for last in self._shown.silent)

    def _is_stop(self, at: float) -> bool:
        """Whether the clock was stopped in play, or with a draw that could be claimed."""
        board = self._boards[bisect_right(self.rests, at)]
        claimable = board.is_repetition(3) or board.is_fifty_moves()
        return claimable or self._stop(at)[1] < self.game.ended

    def _stop(self, at: float) -> tuple[float, float]:
        before = (stop for stop in self._shown.stops if stop[0] <= at)
        return max(before, default=(-math.inf, math.inf))

    def _is_unresolved(self, at: float) -> bool:
        """Whether nothing could explain the men: whole plies were hidden, or men lay about."""
        stood = any(illegal.stands and illegal.press <= at for illegal in self.game.illegal)
        return stood or bool({"link loss", "knock"} & self._how(at))

    def _is_gap(self, at: float) -> bool:
        """Whether the record lacks a move that was played, besides the one in progress."""
        recorded = 0
        for fact in self._facts:
            if fact.at > at:
                break
            match fact:
                case GameStarted():
                    recorded = 0
                case MoveSettled():
                    recorded += 1
                case MovesCorrected():
                    recorded -= fact.count
        return recorded + 1 < bisect_right(self.rests, at)

    # -- the game as it was ------------------------------------------------------------------------

    @cached_property
    def _boards(self) -> list[chess.Board]:
        """The start, and the position after each ply; illegal ones are made as well."""
        boards = [chess.Board(self.game.start_fen, chess960=self.game.variant == "chess960")]
        for played in self.game.moves:
            board = boards[-1].copy()
            board.push(chess.Move.from_uci(played.uci))
            boards.append(board)
        return boards

    def _how(self, at: float) -> set[str]:
        """Return what touched the ply in progress and the two before it."""
        ahead = bisect_right(self.rests, at)
        near = self.game.moves[max(0, ahead - 2) : ahead + 1]
        return {how for move in near for how in move.how}
