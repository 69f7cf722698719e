"""Finding a game's beginning: the start position, in either orientation."""

from functools import cache
from typing import NamedTuple

import chess

from bridge.core.inference.lines import Position, lines_to
from bridge.core.inference.placement import cells_of, difference, turned
from bridge.core.model import TableSetup

TWO_PLIES = 8
"""Most squares that two plies change: two castlings."""


class Stand(NamedTuple):
    """A start position that stands on a board, perhaps turned round."""

    board: chess.Board
    rotated: bool


class StartArray:
    """The position from which games at a table start.

    Chess960 without a given position: any of the 960.

    Raises:
        ValueError: the start position of *setup* is no position.
    """

    def __init__(self, setup: TableSetup) -> None:
        self._drawn = setup.chess960 and setup.start_fen is None
        board = chess.Board(setup.start_fen or chess.STARTING_FEN, chess960=setup.chess960)
        self._position = Position(board)
        self._seats = {"auto": (False, True), "normal": (False,), "rotated": (True,)}[
            setup.orientation
        ]

    def stands(self, cells: str) -> Stand | None:
        """Return what stands in *cells* if it is a start position."""
        for rotated in self._seats:
            seen = turned(cells) if rotated else cells
            if self._drawn and seen in _drawn_positions():
                return Stand(chess.Board.from_chess960_pos(_drawn_positions()[seen]), rotated)
            if not self._drawn and seen == self._position.cells:
                return Stand(self._position.board.copy(), rotated)
        return None

    def was_left(self, cells: str) -> Stand | None:
        """Return the start position from which one or two plies lead to *cells*, if one does."""
        if self._drawn:
            return None
        for rotated in self._seats:
            seen = turned(cells) if rotated else cells
            mask = difference(seen, self._position.cells)
            if mask.bit_count() > TWO_PLIES:
                continue
            one = self._position.move_shown(seen, mask)
            if one is not None or len(lines_to(self._position, seen, 2)) == 1:
                return Stand(self._position.board.copy(), rotated)
        return None


@cache
def _drawn_positions() -> dict[str, int]:
    """Return the number of each Chess960 start position by its cells."""
    return {cells_of(chess.Board.from_chess960_pos(number)): number for number in range(960)}
