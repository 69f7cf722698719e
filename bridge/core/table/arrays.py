"""Finding a game's beginning: the start position, in either orientation."""

from functools import cache
from typing import NamedTuple

import chess

from bridge.core.inference.lines import Position, likeliest_first, lines_to
from bridge.core.inference.placement import EMPTY, cells_of, difference, turned
from bridge.core.model import TableSetup

MOST_NAMED = 6
"""More wrong squares than this are counted, not named: the men are still being put up."""
MOST_PLIES = 4
"""A game is joined late up to here; with more, too much would have to be guessed."""


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
        """Return the start position from which one to four plies lead to *cells*, if one does."""
        if self._drawn:
            return None
        for rotated in self._seats:
            seen = turned(cells) if rotated else cells
            for plies in range(1, MOST_PLIES + 1):
                if likeliest_first(self._position, lines_to(self._position, seen, plies)):
                    return Stand(self._position.board.copy(), rotated)
        return None

    def wanting(self, cells: str) -> str:
        """Say in words what keeps *cells* from being a start position, in the nearer seat."""
        if self._drawn:
            return "none of the 960 stands"
        array = self._position.cells
        seats = [turned(array) if rotated else array for rotated in self._seats]
        wanted = min(seats, key=lambda seat: difference(cells, seat).bit_count())
        wrong = [s for s in chess.SQUARES if cells[s] != wanted[s]]
        if len(wrong) > MOST_NAMED:
            return f"{len(wrong)} squares differ"
        return ", ".join(f"{chess.square_name(s)} {_needs(wanted[s], cells[s])}" for s in wrong)


def _needs(wanted: str, shown: str) -> str:
    """Return what must happen on a square; squares and men are as the board names them."""
    if wanted == EMPTY:
        return f"must be empty, not {shown}"
    return f"needs {wanted}" if shown == EMPTY else f"needs {wanted}, not {shown}"


@cache
def _drawn_positions() -> dict[str, int]:
    """Return the number of each Chess960 start position by its cells."""
    return {cells_of(chess.Board.from_chess960_pos(number)): number for number in range(960)}
