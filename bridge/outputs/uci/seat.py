"""Who plays on a board against a program: one position at a time, and the move made from it.

Pure: events and times come in, news go out. The program's move has to be made on the board first.
Nobody presses a clock for it, so a move counts when it has rested.
"""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import chess

from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import (
    Adopted,
    Finding,
    Gap,
    Provisional,
    Settled,
    Withdrawn,
)
from bridge.core.inference.placement import difference, turned
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.inference.timing import Timing
from bridge.core.model import Orientation, Sensing
from bridge.core.table.differences import differences, is_man_in_hand
from bridge.core.table.senses import Senses
from drivers.events import UNREADABLE, Event, Lift, Place

REST = 1.5
"""Seconds after which a move that stands was made, unless another time is set."""
PATIENCE = 1.0
"""Seconds for which a wrong placement must stand before anything is said of it."""
PATIENCE_ONCE_BEGUN = 3.0
"""The same once the position stood: hands may still be at work."""


class Stands(NamedTuple):
    """A legal move stands on the board and may still be changed; ``None``: it went again."""

    move: chess.Move | None


class Made(NamedTuple):
    """The move that was asked for is made."""

    move: chess.Move


class Awaited(NamedTuple):
    """What has to be done on the board first, in words."""

    text: str


News = Stands | Made | Awaited


class Seat:
    """Waits for a position on the board and finds the move that is made from it.

    ``wrong`` are the squares, in the board's own numbering, that have to be put right first.

    Args:
        sensing: what the board knows of a man.
        orientation: how the board lies; ``auto`` sees it where a position stands.
        tags: letters of men by their tags, where somebody calibrated them.
    """

    def __init__(
        self,
        sensing: Sensing,
        *,
        orientation: Orientation = "auto",
        tags: Mapping[str, str] | None = None,
    ) -> None:
        self.rest = REST
        self.orientation = orientation
        self.wrong: frozenset[chess.Square] = frozenset()
        self._sensing = sensing
        self._tags = tags or {}
        self._senses = self._new_senses()
        self._rotated = False
        self._position: Position | None = None
        self._engine: Engine | None = None
        self._last = ""
        self._awaited = ""
        self._complain_at = math.inf

    @property
    def wake_at(self) -> float:
        """When time alone may bring news: call :meth:`tick` then."""
        decides_at = math.inf if self._engine is None else self._engine.wake_at
        return min(decides_at, self._complain_at)

    # --- what is asked ----------------------------------------------------------------------------

    def ask(self, board: chess.Board, *, at: float) -> list[News]:
        """Wait for the position of *board*, which is not changed, and a legal move from it."""
        self.leave()
        self._position = Position(board, self._sensing)
        self._awaited = ""
        news = self._look(at)
        return news if self._engine else self._complain()

    def leave(self) -> None:
        """Wait for nothing any more."""
        self._position = self._engine = None
        self._complain_at = math.inf
        self.wrong = frozenset()

    # --- what happens -----------------------------------------------------------------------------

    def take(self, event: Event, *, at: float) -> list[News]:
        """Take what the board says."""
        if isinstance(event, Lift | Place) and self._senses.knows_nothing:
            if self._position is None:
                return []
            # Boards that tell only changes never say from what: from what is asked for, then.
            self._senses.begin(self._seen(self._position.cells))
        if self._senses.take(event) is None:
            return []
        return self._look(at)

    def lose(self) -> None:
        """Forget what stands on the board, because the link to it is lost."""
        self._senses = self._new_senses()
        self._engine = None
        self._last = ""
        self._complain_at = math.inf

    def tick(self, *, at: float) -> list[News]:
        """Let time come to *at*."""
        news = [] if self._engine is None else self._news(self._engine.tick(at=at), at)
        return news + self._complain() if at >= self._complain_at else news

    # --- looking ----------------------------------------------------------------------------------

    def _new_senses(self) -> Senses:
        senses = Senses(self._sensing)
        senses.know(self._tags)
        return senses

    def _seen(self, cells: str) -> str:
        """Return cells of the board as White sees them, or of White as the board has them."""
        return turned(cells) if self._rotated else cells

    def _look(self, at: float) -> list[News]:
        position = self._position
        if position is None or self._senses.knows_nothing:
            return []
        self._senses.learn(self._seen(position.cells))
        if self._engine is None and self._has_come(position):
            timing = Timing(rest=self.rest, gesture=self.rest)
            self._engine = Engine(position.board, timing, self._sensing)
        # Boards repeat what stands there, and that is no reason to wait once more.
        is_new, self._last = self._senses.shown != self._last, self._senses.shown
        if self._engine is None:
            if is_new:
                self._complain_at = at + PATIENCE
            return []
        news = self._news(self._engine.sees(self._seen(self._senses.shown), at=at), at)
        if is_new:
            self._complain_at = self._when_to_complain(at)
        return news

    def _when_to_complain(self, at: float) -> float:
        engine = self._engine
        if engine is None:
            return self._complain_at
        if engine.explains:
            self._awaited = ""
            self.wrong = frozenset()
            return math.inf
        is_thinking = is_man_in_hand(engine.position, engine.sight)
        return math.inf if is_thinking else at + PATIENCE_ONCE_BEGUN

    def _has_come(self, position: Position) -> bool:
        """Whether the position stands on the board, or a legal move from it was made already."""
        ways = {"normal": (False,), "rotated": (True,)}.get(self.orientation)
        for rotated in ways or (self._rotated, not self._rotated):
            shown = turned(self._senses.shown) if rotated else self._senses.shown
            if shown == position.shown:
                self._rotated = rotated
                return True
        shown = self._seen(self._senses.shown)
        return bool(position.moves_shown(shown, difference(shown, position.shown)))

    def _news(self, findings: Iterable[Finding], at: float) -> list[News]:
        news: list[News] = []
        for finding in findings:
            match finding:
                case Provisional(move=move):
                    news.append(Stands(move))
                case Settled(basis="rest" | "end" | "reply", move=move):
                    self.leave()
                    return [Made(move)]
                case Settled() | Gap() | Adopted() | Withdrawn():
                    # These explain what went on unseen. Here one move is asked for, from a
                    # position that has to stand, so it is waited for again.
                    self._engine = None
                    self._complain_at = at
                    return news
        return news

    def _complain(self) -> list[News]:
        self._complain_at = math.inf
        position, shown = self._position, self._seen(self._senses.shown)
        if position is None or UNREADABLE in shown:
            return []
        wrong = chess.scan_forward(difference(shown, position.shown))
        self.wrong = frozenset(63 - square if self._rotated else square for square in wrong)
        text = self._words(position, shown)
        if text == self._awaited:
            return []
        self._awaited = text
        return [Awaited(text)]

    def _words(self, position: Position, shown: str) -> str:
        if position.board.move_stack:
            before = position.board.copy()
            move = before.pop()
            if shown == Position(before, self._sensing).shown:
                return f"make the move {before.san(move)} on the board"
        return differences(position, Sight(shown)).replace("the record", "the position")
