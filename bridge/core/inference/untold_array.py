"""Which of the 960 start positions a game may have begun from, where nobody told.

On a board that does not name its men all of them look the same. But a man shows by how he goes
what he may be: who leaps is a knight, who slants a bishop or queen, or the king by one step, and
two men who castle are king and rook.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import chess

from bridge.core.inference.placement import BIT, occupied, reach
from bridge.core.inference.position import Position
from bridge.core.inference.reachable import within_reach

_ARRAYS = 960
_ALL = (1 << _ARRAYS) - 1
_ANYBODY = frozenset("KQRBN")
_CASTLERS = frozenset("KR")
_HOME = {chess.WHITE: chess.BB_RANK_1, chess.BLACK: chess.BB_RANK_8}


class Home(NamedTuple):
    """Where a man of a back rank began."""

    colour: chess.Color
    file: int


@cache
def back_ranks() -> tuple[str, ...]:
    """Return White's men in each array, by its number, from the a-file on: ``RNBQKBNR``."""
    boards = map(chess.BaseBoard.from_chess960_pos, range(_ARRAYS))
    return tuple(board.board_fen().rsplit("/", 1)[1] for board in boards)


@cache
def arrays_with(file: int, men: frozenset[str]) -> int:
    """Return the arrays, a bit each, in which one of *men* begins on *file*."""
    return sum(1 << number for number, rank in enumerate(back_ranks()) if rank[file] in men)


def numbers_of(arrays: int) -> list[int]:
    """Return the numbers of *arrays*, which are a bit each."""
    return [number for number in range(_ARRAYS) if arrays >> number & 1]


def goers(origin: chess.Square, targets: int) -> set[str]:
    """Return the men of a back rank who may go from *origin* to *targets*, nobody in their way."""
    return {man for man in _ANYBODY if reach(man, origin) & targets}


def _takers(origin: chess.Square, victims: int, occupied_squares: int) -> set[str]:
    """Return who may take one of *victims* from *origin*, with men on *occupied_squares*."""
    return {man for man in _ANYBODY if within_reach(man, origin, occupied_squares) & victims}


class Begun:
    """Where the men of both back ranks have got by *moves*, and who they may be by that.

    Castling is written as the king's move to his rook. ``homes``: who stands on a square.
    """

    def __init__(self, moves: Iterable[chess.Move]) -> None:
        self.homes = {
            square: Home(colour, square & 7)
            for colour in chess.COLORS
            for square in chess.scan_forward(_HOME[colour])
        }
        self._men = [_ANYBODY] * 8
        for move in moves:
            self._go(move)

    @property
    def arrays(self) -> int:
        """The arrays, a bit each, from which such men may have begun."""
        arrays = _ALL
        for file, men in enumerate(self._men):
            arrays &= arrays_with(file, men)
        return arrays

    def explaining(self, position: Position, shown: str, touched: int) -> int:
        """Return the arrays whose men may have left the squares of *position* that *shown* misses.

        They went to squares that show a man now, or took one on a square that was *touched*. Who
        can have done neither may have taken somebody else, or is held in a hand.
        """
        arrays, board = self.arrays, position.board
        empty = chess.BB_ALL & ~occupied(shown)
        came = occupied(shown) & ~board.occupied
        for square, home in self.homes.items():
            if not BIT[square] & empty & board.occupied:
                continue
            rank = _HOME[home.colour]
            men = set(_CASTLERS if BIT[square] & rank and came & rank else ())
            men |= goers(square, came | touched)
            men = men or _takers(square, board.occupied_co[not home.colour], board.occupied)
            may = self._men[home.file] & men
            if may:
                arrays &= arrays_with(home.file, may)
        return arrays

    def castling(self, position: Position, shown: str) -> int:
        """Return the arrays of which a king may have castled, who is gone from his first rank."""
        arrays, came = 0, occupied(shown) & ~position.board.occupied
        for square, home in self.homes.items():
            rank = _HOME[home.colour]
            gone = BIT[square] & rank & position.board.occupied & ~occupied(shown)
            if gone and came & rank and "K" in self._men[home.file]:
                arrays |= arrays_with(home.file, frozenset("K"))
        return arrays

    def _go(self, move: chess.Move) -> None:
        home, other = self.homes.pop(move.from_square, None), self.homes.get(move.to_square)
        if home is not None and other is not None and other.colour == home.colour:
            self._castle(home, other, move)
            return
        self.homes.pop(move.to_square, None)
        if home is not None:
            self._men[home.file] &= goers(move.from_square, BIT[move.to_square])
            self.homes[move.to_square] = home

    def _castle(self, king: Home, rook: Home, move: chess.Move) -> None:
        del self.homes[move.to_square]
        self._men[king.file] &= {"K"}
        self._men[rook.file] &= {"R"}
        short = move.to_square > move.from_square
        rank = move.from_square & 56
        self.homes[rank + (6 if short else 2)] = king
        self.homes[rank + (5 if short else 3)] = rook
