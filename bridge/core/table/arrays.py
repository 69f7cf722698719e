"""Finding a game's beginning: the start position, in either orientation."""

import chess

from bridge.core.inference.lines import Position, lines_to
from bridge.core.inference.placement import difference, turned
from bridge.core.model import TableSetup

TWO_PLIES = 8
"""Most squares that two plies change: two castlings."""


class StartArray:
    """The position from which games at a table start."""

    def __init__(self, setup: TableSetup) -> None:
        self.board = chess.Board(setup.start_fen or chess.STARTING_FEN, chess960=setup.chess960)
        self._position = Position(self.board)
        self._seats = {"auto": (False, True), "normal": (False,), "rotated": (True,)}[
            setup.orientation
        ]

    def stands(self, cells: str) -> bool | None:
        """Return whether the array stands turned in *cells*; None if it does not stand."""
        for rotated in self._seats:
            if (turned(cells) if rotated else cells) == self._position.cells:
                return rotated
        return None

    def was_left(self, cells: str) -> bool | None:
        """Return the orientation in which one or two plies lead from the array to *cells*."""
        for rotated in self._seats:
            seen = turned(cells) if rotated else cells
            mask = difference(seen, self._position.cells)
            if mask.bit_count() > TWO_PLIES:
                continue
            one = self._position.move_shown(seen, mask)
            if one is not None or len(lines_to(self._position, seen, 2)) == 1:
                return rotated
        return None
