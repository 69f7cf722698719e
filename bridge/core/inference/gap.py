"""What happened while nobody looked: legal lines of several plies that lead to a placement.

After a lost link or missed scans only the position before and the placement after are known.
The search goes deeper one ply at a time and counts, for each side, the men that must still
arrive and the men that must still be taken; a line that cannot do both in the plies that are
left is given up at once. Men are moved only if they no longer stand where they stood, so moves
there and back are not considered. Several lines of equal length mostly differ in the order of
one side's moves; what stood or was in the air when sight was lost decides between them.
"""

from typing import NamedTuple

import chess

from bridge.core.inference.placement import BIT

Line = tuple[chess.Move, ...]

BUDGET = 400
"""Positions looked at in one search; some 20 ms at most."""
MOST_LINES = 16


class Bridged(NamedTuple):
    """The likeliest line, and the others of the same length that fit as well."""

    line: Line
    others: tuple[Line, ...]


_Men = dict[chess.PieceType, int]


class _Search:
    """One search from *board* to *cells*."""

    def __init__(self, board: chess.Board, cells: str) -> None:
        self.board = board.copy(stack=False)
        self.target = {colour: _men_in(cells, colour) for colour in chess.COLORS}
        self.found: list[Line] = []
        self.left = BUDGET

    def run(self, plies: int, line: Line = ()) -> None:
        """Collect the lines of exactly *plies* more plies."""
        board = self.board
        mover, other = board.turn, not board.turn
        arriving, missing = self._to_do(mover)
        waiting, gone = self._to_do(other)
        if plies == 0:
            if not (arriving or missing or waiting or gone):
                self.found.append(line)
            return
        own, theirs = (plies + 1) // 2, plies // 2
        slack = own - _moves_for(arriving)
        if slack < 0 or _moves_for(waiting) > theirs:
            return
        if _taken(arriving, missing) > theirs or _taken(waiting, gone) > own:
            return
        targets = _squares(arriving) if slack == 0 else chess.BB_ALL
        if missing.get(chess.KING):
            targets |= board.rooks  # Chess960 writes castling as king takes rook
        for move in list(board.generate_legal_moves(_squares(missing), targets)):
            self.left -= 1
            if self.left <= 0 or len(self.found) >= MOST_LINES:
                return
            board.push(move)
            self.run(plies - 1, (*line, move))
            board.pop()

    def _to_do(self, colour: chess.Color) -> tuple[_Men, _Men]:
        """Return the men that stand on the target only, and those that stand now only."""
        arriving: _Men = {}
        missing: _Men = {}
        for piece, wanted in self.target[colour].items():
            present = self.board.pieces_mask(piece, colour)
            if wanted & ~present:
                arriving[piece] = wanted & ~present
            if present & ~wanted:
                missing[piece] = present & ~wanted
        return arriving, missing


def bridge_gap(
    board: chess.Board, cells: str, *, least: int, most: int, stood: chess.Move | None = None
) -> Bridged | None:
    """Return the shortest line of *least* to *most* plies from *board* to *cells*.

    *stood* is a move that was seen standing before sight was lost: a line that begins with it
    is preferred. None if no line is found within the budget.
    """
    for plies in range(least, most + 1):
        search = _Search(board, cells)
        search.run(plies)
        if search.left <= 0:
            return None
        if search.found:
            began = [line for line in search.found if line[0] == stood]
            fitting = began or search.found
            return Bridged(fitting[0], tuple(fitting[1:]))
    return None


def _men_in(cells: str, colour: chess.Color) -> _Men:
    men: _Men = dict.fromkeys(chess.PIECE_TYPES, 0)
    for square, letter in enumerate(cells):
        if letter.isalpha() and letter.isupper() == colour:
            men[chess.PIECE_SYMBOLS.index(letter.lower())] |= BIT[square]
    return men


def _moves_for(arriving: _Men) -> int:
    """Return the fewest moves that bring these men where they are wanted; castling brings two."""
    moves = sum(mask.bit_count() for mask in arriving.values())
    castles = chess.KING in arriving and chess.ROOK in arriving
    return moves - 1 if castles else moves


def _taken(arriving: _Men, missing: _Men) -> int:
    """Return how many men went and came nowhere again: the other side took them."""
    gone = sum(mask.bit_count() for mask in missing.values())
    return gone - sum(mask.bit_count() for mask in arriving.values())


def _squares(men: _Men) -> int:
    squares = 0
    for mask in men.values():
        squares |= mask
    return squares
