"""Which squares a board marks for its players as wrong, in games at home."""

import chess

from bridge.core.inference.placement import EMPTY
from bridge.core.laws.standard import rules_of
from bridge.core.model import SquaresMarked, TableSetup
from bridge.core.table.arrays import StartArray
from bridge.core.table.beginnings import EXPLAIN_AFTER
from bridge.core.table.game import Game
from bridge.core.table.shown import Shown
from bridge.core.table.told import Told

MOST_MARKED = 16
"""With more wrong squares it is no slip: something else is done with the men."""

MOST_MARKED_BETWEEN = 6
"""The same while no game is on, so that only the last squares of a set-up are marked."""


class Feedback:
    """Tells which squares are marked; ``squares`` are those now, as White sees them.

    Marks come when the board has rested and go at once.
    """

    def __init__(self, told: Told) -> None:
        self.squares: tuple[str, ...] = ()
        self._told = told

    def follow(self, game: Game, *, since: float) -> None:
        """Mark what differs from a game that is on; the board has rested from *since* on."""
        if may_help(game.setup):
            if self.squares or self._told.at >= since + EXPLAIN_AFTER:
                self._mark(game.wrong_squares(marked=bool(self.squares)), MOST_MARKED)
        else:
            self.clear()

    def set_up(self, array: StartArray, shown: Shown) -> None:
        """Mark what is missing of the start position."""
        if not shown.cells.strip(EMPTY):
            self.clear()
        elif self.squares or self._told.at >= shown.since + EXPLAIN_AFTER:
            wrong = array.wrong_squares(shown.cells)
            seen = chess.flip_horizontal(chess.flip_vertical(wrong)) if shown.rotated else wrong
            self._mark(seen, MOST_MARKED_BETWEEN)

    def clear(self) -> None:
        """Mark nothing."""
        self._mark(0, MOST_MARKED)

    def _mark(self, wrong: chess.Bitboard, most: int) -> None:
        few = wrong if wrong.bit_count() <= most else 0
        squares = tuple(map(chess.square_name, chess.scan_forward(few)))
        if squares != self.squares:
            self.squares = squares
            self._told.state(SquaresMarked, squares=squares)


def may_help(setup: TableSetup) -> bool:
    """Whether players may be shown where men stand wrong: it is wished, and no tournament."""
    return setup.feedback and rules_of(setup).home
