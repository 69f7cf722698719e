"""What boards do that judge moves themselves: find the legal move that leads to what stands."""

import chess

from drivers.events import EMPTY

JUDGED_AFTER = 0.3
"""Seconds for which a move must stand to be taken for one; our guess."""


def cells_of(board: chess.Board) -> str:
    """Return the 64 cells of a position."""
    pieces = [board.piece_at(square) for square in chess.SQUARES]
    return "".join(piece.symbol() if piece else EMPTY for piece in pieces)


def move_to(board: chess.Board, cells: str) -> chess.Move | None:
    """Return the legal move after which *cells* stand."""
    for move in board.legal_moves:
        board.push(move)
        stands = cells_of(board) == cells
        board.pop()
        if stands:
            return move
    return None
