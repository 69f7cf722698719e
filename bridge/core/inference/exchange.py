"""What captures win: the men that are taken one after the other, on one square or anywhere.

Pure, and bounded: nothing but captures is looked at, and of these only so many.
"""

import chess

VALUE = {
    chess.PAWN: 1.0,
    chess.KNIGHT: 3.0,
    chess.BISHOP: 3.3,
    chess.ROOK: 5.0,
    chess.QUEEN: 9.0,
    chess.KING: 100.0,
}
"""In pawns. People rather take a bishop than a knight."""
MOST_LOOKED = 12
"""Positions looked at to tell what is taken by force."""
DEEPEST = 4
"""Plies of captures, one after the other."""


def won_by(board: chess.Board, move: chess.Move) -> float:
    """Return what *move* wins in pawns if both sides then take on its square while it pays."""
    square, colour = move.to_square, not board.turn
    standing = _value_at(board, move.from_square)
    swings = [victim_of(board, move) if board.is_capture(move) else 0.0]
    occupied = board.occupied & ~chess.BB_SQUARES[move.from_square]
    while taker := _least_taker(board, square, colour, occupied):
        man, occupied = taker
        swings.append(standing - swings[-1])
        standing, colour = VALUE[man], not colour
    for number in range(len(swings) - 2, -1, -1):
        swings[number] = -max(-swings[number], swings[number + 1])
    return swings[0]


def _least_taker(
    board: chess.Board, square: chess.Square, colour: chess.Color, occupied: int
) -> tuple[chess.PieceType, int] | None:
    """Return the cheapest man of *colour* that takes on *square*, and who is left then."""
    takers = board.attackers_mask(colour, square, occupied) & occupied
    for man in chess.PIECE_TYPES:
        if fitting := takers & board.pieces_mask(man, colour):
            left = occupied & ~(fitting & -fitting)
            into_check = man == chess.KING and board.attackers_mask(not colour, square, left) & left
            return None if into_check else (man, left)
    return None


def victim_of(board: chess.Board, capture: chess.Move) -> float:
    """Return what the man is worth that *capture* takes, a pawn en passant."""
    return _value_at(board, capture.to_square)


def _value_at(board: chess.Board, square: chess.Square) -> float:
    return VALUE[board.piece_type_at(square) or chess.PAWN]


def taken_by_force(board: chess.Board) -> float:
    """Return what the side to move wins in pawns if both sides take as long as it pays, anywhere.

    *board* is left as it is. After :data:`MOST_LOOKED` positions nothing more is taken.
    """
    return _Taking(board).best(-VALUE[chess.KING], VALUE[chess.KING], DEEPEST)


class _Taking:
    """Goes through captures on *board*, the most valuable victim of the cheapest man first."""

    def __init__(self, board: chess.Board) -> None:
        self._board = board
        self._left = MOST_LOOKED

    def best(self, least: float, most: float, depth: int) -> float:
        """Return what the side to move wins, as far as that is between *least* and *most*."""
        self._left -= 1
        best = 0.0
        if best >= most or not depth or self._left <= 0:
            return best
        for won, capture in self._captures():
            at_least = max(best, least)
            if won <= at_least:
                continue
            self._board.push(capture)
            best = max(best, won - self.best(won - most, won - at_least, depth - 1))
            self._board.pop()
            if best >= most:
                break
        return best

    def _captures(self) -> list[tuple[float, chess.Move]]:
        board = self._board
        captures = [(victim_of(board, move), move) for move in board.generate_legal_captures()]
        return sorted(captures, key=lambda each: (-each[0], _value_at(board, each[1].from_square)))
