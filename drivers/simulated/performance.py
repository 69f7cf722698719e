"""A game as it happens at one table: board, clock and hands, advanced by time alone.

It knows the truth: which moves were completed with the clock, and what the clock showed then.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import chess
import chess.pgn

from drivers.codec import Outgoing
from drivers.events import Side
from drivers.simulated.clock import Clock, TimeControl, other
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.hands import Action, Lift, Press, Put, Stop, Style, play, show_result
from drivers.simulated.line import Faults

SETTLING = 3.0
"""A performance is finished this long (s) after its last action, so that all of it was seen."""

STOP_AFTER = (0.8, 2.0)
GESTURE_AFTER = (1.0, 3.0)
GESTURE_HELD = 8.0
"""Hosts take the kings for a result after they have stood five seconds."""


@dataclass(frozen=True, kw_only=True)
class Truth:
    """What was really played so far.

    ``clock_ms[n]`` is what the mover's side showed right after the press that completed ply
    ``n + 1``, in milliseconds. ``result`` is ``*`` until the performance is finished.
    """

    moves: tuple[str, ...]
    clock_ms: tuple[int, ...]
    result: str
    finished: bool


class Performance:
    """One game on one board; it answers a host all the time and plays from :meth:`begin` on.

    *actions* have times relative to the beginning and *moves* are the game they play: the n-th
    press completes the n-th move. *white_side* is where White's clock time is.
    """

    def __init__(
        self,
        board: DgtBoard,
        clock: Clock,
        *,
        moves: Sequence[chess.Move],
        actions: Sequence[Action],
        white_side: Side,
        result: str,
        lasts: float,
    ) -> None:
        self.board = board
        self.clock = clock
        self.lasts = lasts
        self.begun_at: float | None = None
        self.finished = False
        self._moves = moves
        self._actions = actions
        self._next = 0
        self._white_side = white_side
        self._result = result
        self._clock_ms: list[int] = []

    def begin(self, *, at: float) -> None:
        """Start White's clock and play from now on."""
        self.board.advance(at=at)
        self.begun_at = at
        self.clock.start(at=at)
        self.board.advance(at=at)

    def receive(self, data: bytes, *, at: float) -> None:
        """Take the bytes a host sent to the board, after playing on to time *at*."""
        self._advance(at)
        self.board.receive(data, at=at)

    def poll(self, *, at: float) -> Outgoing:
        """Play on to time *at*; return what the board sent and when to poll again."""
        self._advance(at)
        data, wake_at = self.board.poll(at=at)
        return Outgoing(data, min(wake_at, self._due()))

    def truth(self) -> Truth:
        """Return what has been played and completed up to now."""
        played = len(self._clock_ms)
        return Truth(
            moves=tuple(move.uci() for move in self._moves[:played]),
            clock_ms=tuple(self._clock_ms),
            result=self._result if self.finished else "*",
            finished=self.finished,
        )

    def _due(self) -> float:
        if self.begun_at is None or self.finished:
            return math.inf
        if self._next < len(self._actions):
            return self.begun_at + self._actions[self._next].at
        return self.begun_at + self.lasts

    def _advance(self, at: float) -> None:
        while (due := self._due()) <= at:
            self.board.advance(at=due)
            if self._next == len(self._actions):
                self.finished = True
                continue
            self._do(self._actions[self._next], due)
            self._next += 1
            self.board.advance(at=due)

    def _do(self, action: Action, at: float) -> None:
        match action:
            case Lift(square=square):
                self.board.lift(square, at=at)
            case Put(square=square, piece=piece):
                self.board.put(square, piece, at=at)
            case Press(colour=colour):
                side = self._white_side if colour == chess.WHITE else other(self._white_side)
                self.clock.press(side, at=at)
                self._clock_ms.append(self.clock.reading(at=at).seconds(side) * 1000)
            case Stop():  # pragma: no branch - all actions are named
                self.clock.stop(at=at)


def stage(
    game: chess.pgn.Game,
    *,
    passport: Passport,
    control: TimeControl,
    style: Style,
    seed: int,
    rotated: bool = False,
    white_side: Side | None = None,
    gesture: bool = False,
    faults: Faults | None = None,
) -> Performance:
    """Set up a board, a clock and hands for *game*; the start position stands at time 0.

    The clock stands where hosts expect it, White's time on the left of a board that is not
    rotated, unless *white_side* says otherwise. With *gesture* the kings tell the result.
    """
    rng = Random(seed)
    start = game.board()
    moves = list(game.mainline_moves())
    actions = play(start, moves, style, rng)
    ended_at = actions[-1].at
    actions.append(Stop(ended_at + rng.uniform(*STOP_AFTER)))
    lasts = actions[-1].at + SETTLING
    result = game.headers["Result"]
    if gesture:
        at = actions[-1].at + rng.uniform(*GESTURE_AFTER)
        actions += show_result(game.end().board(), result, style, rng, at=at)
        lasts = actions[-1].at + GESTURE_HELD
    side: Side = white_side or ("right" if rotated else "left")
    clock = Clock(control, turn=side if start.turn == chess.WHITE else other(side))
    board = DgtBoard(
        passport, clock=clock, rotated=rotated, faults=faults, seed=rng.randrange(1 << 32)
    )
    board.set_up(start.piece_map(), at=0.0)
    return Performance(
        board,
        clock,
        moves=moves,
        actions=actions,
        white_side=side,
        result=result,
        lasts=lasts,
    )
