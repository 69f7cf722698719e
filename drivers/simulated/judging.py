"""What boards do that judge moves themselves: find the legal move that leads to what stands."""

import chess

from drivers.cells import cells_of

JUDGED_AFTER = 0.3
"""Seconds for which a move must stand to be taken for one; our guess."""


def move_to(board: chess.Board, cells: str) -> chess.Move | None:
    """Return the legal move after which *cells* stand."""
    for move in board.legal_moves:
        board.push(move)
        stands = cells_of(board) == cells
        board.pop()
        if stands:
            return move
    return None
