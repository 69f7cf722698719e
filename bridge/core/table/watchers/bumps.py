"""Watching for men that stand elsewhere and nobody moved: bumps of the board, and what they leave.

A single man on a wrong square is a move that is not done yet, unless it came there while the board
was not seen, or together with many others.
"""

import math
from collections import deque

import chess

from bridge.core.inference.findings import Settled
from bridge.core.table.rulings.line import named
from bridge.core.table.watchers.watcher import Desk, Watcher
from drivers.events import EMPTY

TOGETHER = 0.5
"""Squares that change within this time change together (s)."""
BUMPED = 6
"""More squares than this, with men of both colours, are no move: the board was bumped."""
QUIET = 1.0
"""How long the board must be quiet to be compared (s)."""
MOST_WRONG = 12
"""With more wrong squares the men are being cleared away, or put up anew."""
FOUND_AFTER = 10.0
"""How long a displaced man must have stood to be told (s)."""


class Bumps(Watcher):
    """Tells that the board was bumped and not put right, and of men that are found displaced."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._changes: deque[tuple[float, int]] = deque()
        self._bumped_at: float | None = None
        self._moved = self._found = 0
        self._since = math.inf

    def changed(self, cells: str, squares: int) -> None:  # noqa: ARG002 - where it changed will do
        """Note what changed, and whether it did so unseen or together."""
        at = self.desk.told.at
        if self.desk.blind:
            self._suspect(squares)
            return
        self._changes.append((at, squares))
        while self._changes[0][0] < at - TOGETHER:
            self._changes.popleft()
        together = 0
        for _, changed in self._changes:
            together |= changed
        if together.bit_count() > BUMPED and self._of_both(together):
            self._bumped_at = at
            self._suspect(together)
        if self._moved:
            self.desk.due(at + QUIET)

    def _of_both(self, squares: int) -> bool:
        white, black = (self.desk.board.occupied_co[colour] for colour in chess.COLORS)
        return bool(squares & white and squares & black)

    def _suspect(self, squares: int) -> None:
        self._moved |= squares
        self._since = self.desk.told.at
        self.desk.due(self._since + FOUND_AFTER)

    def settled(self, finding: Settled) -> None:  # noqa: ARG002 - any move will do
        """A move was made from the position of the record: the men stand right."""
        self._forget("a move was made")

    def adopted(self, board: chess.Board) -> None:  # noqa: ARG002 - whatever stands
        """Play goes on from what stands."""
        self._forget("play goes on from what stands")

    def ruled(self) -> None:
        """The arbiter has ruled what stands."""
        self._forget("the arbiter has ruled")

    def _forget(self, why: str) -> None:
        self._bumped_at, self._moved, self._found, self._since = None, 0, 0, math.inf
        for code in ("BOARD_BUMPED", "PIECE_DISPLACED_FOUND"):
            self.desk.alerts.clear(code, why)

    def look(self) -> None:
        """Compare the board when it is quiet."""
        if not self._moved:
            return
        sight = self.desk.engine.sight
        if not self.desk.due(sight.changed_at + QUIET):
            return
        wrong = sight.differs(self.desk.engine.position.shown)
        if wrong.bit_count() > MOST_WRONG:
            self._forget("the men are put up anew")
        elif self.desk.engine.explains:
            self._forget("the men stand right")
        else:
            self._tell(wrong)

    def _tell(self, wrong: int) -> None:
        desk = self.desk
        if self._bumped_at is not None:
            self._bumped_at = None
            desk.alerts.raise_(
                "BOARD_BUMPED",
                None,
                f"many squares changed at once, and {_names(wrong)} show other men than before",
                remedy=f"compare the board with the last certain position: {desk.board.fen()}",
                restore=desk.board.fen(),
            )
        since = max(self._since, desk.engine.sight.last_change(wrong))
        if desk.due(since + FOUND_AFTER) and wrong != self._found and self._are_displaced(wrong):
            self._found = wrong
            self._tell_displaced(wrong)

    def _are_displaced(self, wrong: int) -> bool:
        """Whether the same men stand on other squares, and no other alert tells of it."""
        position, shown = self.desk.engine.position, self.desk.engine.cells
        if position.sensing != "identity" or wrong & ~self._moved or self.desk.alerts.of_moves():
            return False
        squares = [*chess.scan_forward(wrong)]
        gone = sorted(position.shown[square] for square in squares)
        there = sorted(shown[square] for square in squares)
        return gone == there != [EMPTY] * len(squares)

    def _tell_displaced(self, wrong: int) -> None:
        desk, board = self.desk, self.desk.board
        steps = desk.line.steps
        last = named(steps[-1]) if steps else "the start"
        desk.alerts.raise_(
            "PIECE_DISPLACED_FOUND",
            None,
            f"on {_names(wrong)} stand other men than in the record, and nobody saw them moved",
            remedy=f"the last certain position is that after {last}: {board.fen()}",
            restore=board.fen(),
            confidence="medium",
        )


def _names(squares: int) -> str:
    return ", ".join(chess.square_name(square) for square in chess.scan_forward(squares))
