"""One game's inference: placements and presses in, findings out.

The engine holds the last settled position and asks which short legal line leads from there to
what the board shows. A move that fits is only a *candidate*: a sliding pawn is on e3 for a
moment, a hand may rest a man and move on. What settles it is the press of the clock, the reply,
the end of the game, or long rest where no clock runs. Everything is decided by time stamps that
are handed in: :meth:`Engine.tick` must be called at :attr:`Engine.wake_at`.
"""

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

import chess

from bridge.core.inference.gesture import CENTRE, shown_result
from bridge.core.inference.lines import Line, Position, lines_to
from bridge.core.inference.placement import difference
from bridge.core.inference.timing import Timing
from bridge.core.model import Result

EPSILON = 1e-6
"""A deadline that was computed and added again is met in spite of rounding (s)."""

Basis = Literal["press", "reply", "rest", "end", "gap"]


class Provisional(NamedTuple):
    """A legal move stands on the board; ``None``: the one shown before is gone."""

    move: chess.Move | None


class Settled(NamedTuple):
    """A move was played from ``before``."""

    before: chess.Board
    move: chess.Move
    basis: Basis
    because: str


class Withdrawn(NamedTuple):
    """The last settled move was not what was played."""

    reason: str


class Unexplained(NamedTuple):
    """The mover completed his move and no legal line explains the board."""

    cells: str


class Explained(NamedTuple):
    """The board agrees with the record again after something unexplained."""


class ResultShown(NamedTuple):
    """The kings showed a result for long enough."""

    result: Result


Finding = Provisional | Settled | Withdrawn | Unexplained | Explained | ResultShown


class _Stood(NamedTuple):
    """A candidate and the time for which the board showed exactly it."""

    move: chess.Move
    position: Position
    since: float
    until: float


class _Last(NamedTuple):
    """The last settled move: where it came from, what settled it and when."""

    before: Position
    move: chess.Move
    basis: Basis
    at: float


class Engine:
    """Follows one game from *board*; cells are in White's normal coordinates."""

    def __init__(self, board: chess.Board, timing: Timing | None = None) -> None:
        self.timing = timing or Timing()
        self.position = Position(board)
        self.cells = self.position.cells
        self.clock_runs = False
        self._mask = 0
        self._changed_at = -math.inf
        self._candidate: chess.Move | None = None
        self._ahead: Position | None = None
        self._stood: _Stood | None = None
        self._presses: dict[chess.Color, float] = {}
        self._last: _Last | None = None
        self._blind = False
        self._shown: chess.Move | None = None
        self._searched = False
        self._blamed: str | None = None
        self._gesture: tuple[Result, float] | None = None
        self._findings: list[Finding] = []
        self.wake_at = math.inf

    # -- input -------------------------------------------------------------------------------------

    def sees(self, cells: str, *, at: float) -> list[Finding]:
        """Take the placement that the board shows from time *at* on."""
        self._blind = False
        if cells != self.cells:
            self._remember(at)
            self.cells = cells
            self._changed_at = at
            self._searched = False
            self._compare()
        return self._decide(at)

    def press(self, colour: chess.Color, *, at: float) -> list[Finding]:
        """Take note that *colour* pressed the clock."""
        self._presses[colour] = at
        return self._decide(at)

    def clock(self, *, runs: bool, at: float) -> list[Finding]:
        """Take note whether a clock runs; a stopped or absent one settles nothing."""
        if runs == self.clock_runs:
            return []
        self.clock_runs = runs
        return self._decide(at)

    def lose_sight(self, *, at: float) -> list[Finding]:
        """The link is gone: what the board shows is not known until it is seen again."""
        self._remember(at)
        self._blind = True
        self.wake_at = math.inf
        return []

    def tick(self, *, at: float) -> list[Finding]:
        """Let time come to *at*."""
        return self._decide(at)

    def is_movers_work(self, colour: chess.Color) -> bool:
        """Whether the board shows anything that *colour*, to move, did since the last move."""
        if self.position.board.turn != colour or not self._mask:
            return False
        own = self.position.board.occupied_co[colour]
        return self._candidate is not None or bool(self._mask & own)

    def standing(self, *, at: float, least: float) -> chess.Move | None:
        """Return the unsettled move that stands, or stood last, for at least *least* seconds."""
        if self._candidate is not None:
            return self._candidate if at - self._changed_at >= least else None
        stood = self._stood
        if stood is not None and stood.until - stood.since >= least:
            return stood.move
        return None

    def settle_standing(self, *, at: float, least: float, because: str) -> list[Finding]:
        """Settle the move that stood when the game ended, if there was one."""
        move = self.standing(at=at, least=least)
        if move is not None:
            self._settle(move, "end", because, at)
        return self._take()

    # -- comparing ---------------------------------------------------------------------------------

    def _remember(self, at: float) -> None:
        """Keep the candidate that now gives way: the reply may begin, or a slide go on."""
        if self._candidate is not None and self._ahead is not None and not self._blind:
            self._stood = _Stood(self._candidate, self._ahead, self._changed_at, at)

    def _compare(self) -> None:
        self._mask = difference(self.cells, self.position.cells)
        move = self.position.move_shown(self.cells, self._mask) if self._mask else None
        if move != self._candidate:
            self._ahead = self.position.after(move) if move is not None else None
        self._candidate = move
        if not self._mask:
            self._stood = None

    # -- deciding ----------------------------------------------------------------------------------

    def _decide(self, at: float) -> list[Finding]:
        if not self._blind:
            while self._step(at):
                pass
            self.wake_at = self._next_deadline(at)
        return self._take()

    def _take(self) -> list[Finding]:
        findings, self._findings = self._findings, []
        return findings

    def _step(self, at: float) -> bool:
        """Decide one thing; true if something settled, so that the rest is looked at anew."""
        self._forget_stale_press(at)
        if self._watch_gesture(at):
            return False
        if not self._mask:
            return self._agree()
        if self._candidate is not None:
            return self._judge_candidate(self._candidate, at)
        return self._judge_unexplained(at)

    def _agree(self) -> bool:
        """The board shows the settled position."""
        if self._shown is not None:
            self._show(None)
        if self._blamed is not None:
            self._blamed = None
            self._findings.append(Explained())
        return False

    def _judge_candidate(self, move: chess.Move, at: float) -> bool:
        age = at - self._changed_at
        pressed = self._presses.get(self.position.board.turn)
        if pressed is not None and age >= self.timing.still - EPSILON:
            return self._settle(move, "press", "the clock was pressed and the board is still", at)
        if age >= self.timing.shown - EPSILON:
            self._show(move)
        if not self.clock_runs and age >= self.timing.rest - EPSILON:
            return self._settle(move, "rest", f"stood for {age:.1f} s and no clock runs", at)
        if age >= self.timing.end - EPSILON and self._ends_game():
            return self._settle(move, "end", "the move ends the game", at)
        return False

    def _ends_game(self) -> bool:
        board = self._ahead.board if self._ahead else self.position.board
        return not any(board.generate_legal_moves())

    def _judge_unexplained(self, at: float) -> bool:
        if self._reply_begun(at) or self._reply_made(at):
            return True
        age = at - self._changed_at
        if age >= self.timing.gap - EPSILON and not self._searched:
            self._searched = True
            if self._search(at):
                return True
        pressed = self._presses.get(self.position.board.turn)
        if (
            pressed is not None
            and self._blamed is None
            and age >= self.timing.gap - EPSILON
            and at - pressed >= self.timing.verdict - EPSILON
        ):
            self._blamed = self.cells
            del self._presses[self.position.board.turn]
            self._findings.append(Unexplained(self.cells))
        return False

    def _reply_begun(self, at: float) -> bool:
        """The clock was pressed and, beside the move, only men of the opponent are in the air."""
        turn = self.position.board.turn
        if turn not in self._presses:
            return False
        air = self.position.lifted(self.cells, self._mask, not turn)
        if not air:
            return False
        move = self.position.move_shown(self.cells, self._mask & ~air)
        if move is None:
            return False
        return self._settle(move, "press", "the clock was pressed and the reply began", at)

    def _reply_made(self, at: float) -> bool:
        """A move that stood was followed by a legal reply: it was played."""
        stood = self._stood
        if stood is None:
            return False
        mask = difference(self.cells, stood.position.cells)
        if not mask or stood.position.move_shown(self.cells, mask) is None:
            return False
        return self._settle(stood.move, "reply", "the reply was made", at)

    def _search(self, at: float) -> bool:
        """Look for what happened while nobody looked, or for a man that was put right late."""
        line = self._line_from_settled() or self._line_from_stood()
        if line is not None:
            for move in line[:-1]:
                self._settle(move, "gap", f"{len(line)} plies fit what is seen", at)
            return True
        return self._put_right(at)

    def _line_from_settled(self) -> Line | None:
        lines = lines_to(self.position, self.cells, 2)
        return lines[0] if len(lines) == 1 else None

    def _line_from_stood(self) -> Line | None:
        if self._stood is None:
            return None
        lines = lines_to(self._stood.position, self.cells, 2)
        return (self._stood.move, *lines[0]) if len(lines) == 1 else None

    def _put_right(self, at: float) -> bool:
        """The mover's man was set down on another legal square just after the move settled."""
        last = self._last
        if last is None or at - last.at > self.timing.correction:
            return False
        mask = difference(self.cells, last.before.cells)
        move = last.before.move_shown(self.cells, mask) if mask else None
        if move is None or move.from_square != last.move.from_square:
            return False
        self._findings.append(Withdrawn("the man was put on another square at once"))
        self.position, self._last = last.before, None
        self._compare()
        return self._settle(move, "press", "the man was put right at once", at)

    def _settle(self, move: chess.Move, basis: Basis, because: str, at: float) -> bool:
        before = self.position
        ahead = self._ahead if move == self._candidate and self._ahead else before.after(move)
        self._findings.append(Settled(before.board, move, basis, because))
        self._presses.pop(before.board.turn, None)
        self._last = _Last(before, move, basis, at)
        self.position, self._candidate, self._ahead = ahead, None, None
        self._stood, self._shown, self._blamed = None, None, None
        self._compare()
        return True

    def _show(self, move: chess.Move | None) -> None:
        if move != self._shown:
            self._shown = move
            self._findings.append(Provisional(move))

    # -- the result by kings -----------------------------------------------------------------------

    def _watch_gesture(self, at: float) -> bool:
        """Report the result that the kings have shown long enough; true while they show one."""
        result = shown_result(self.cells)
        if result is None:
            self._gesture = None
            return False
        if self._gesture is None or self._gesture[0] != result:
            self._gesture = (result, self._changed_at)
        elif at - self._gesture[1] >= self.timing.gesture - EPSILON:
            self._end_by_gesture(result, at)
        return True

    def _end_by_gesture(self, result: Result, at: float) -> None:
        """Settle what stood before the kings were moved; take back a step that was the signal's."""
        stood, last = self._stood, self._last
        if stood is not None and not _enters_centre(self.position, stood.move):
            if stood.until - stood.since >= self.timing.gap:
                self._settle(stood.move, "end", "it stood before the result was shown", at)
        elif last is not None and last.basis == "rest" and _enters_centre(last.before, last.move):
            self._findings.append(Withdrawn("the king's step belongs to the result signal"))
            self.position, self._last = last.before, None
            self._compare()
        self._findings.append(ResultShown(result))

    # -- time --------------------------------------------------------------------------------------

    def _forget_stale_press(self, at: float) -> None:
        turn = self.position.board.turn
        pressed = self._presses.get(turn)
        if pressed is not None and not self._mask and at - pressed >= self.timing.press_life:
            del self._presses[turn]

    def _next_deadline(self, at: float) -> float:
        """Return the next time at which something may be decided without any input."""
        if self._gesture is not None:
            deadline = self._gesture[1] + self.timing.gesture
            return deadline if deadline > at else math.inf
        return min((when for when in self._deadlines() if when > at), default=math.inf)

    def _deadlines(self) -> Iterator[float]:
        timing, changed = self.timing, self._changed_at
        pressed = self._presses.get(self.position.board.turn)
        if not self._mask:
            if pressed is not None:
                yield pressed + timing.press_life
        elif self._candidate is not None:
            yield changed + min(timing.shown, timing.still)
            yield changed + timing.end
            if not self.clock_runs:
                yield changed + timing.rest
        else:
            yield changed + timing.gap
            if pressed is not None and self._blamed is None:
                yield max(changed + timing.gap, pressed + timing.verdict)


def _enters_centre(before: Position, move: chess.Move) -> bool:
    """Whether *move* is a king's step onto one of the four centre squares."""
    king = before.board.piece_type_at(move.from_square) == chess.KING
    return king and move.to_square in CENTRE
