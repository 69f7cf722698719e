"""What ends a game on the board, without a claim and without a word of the players.

FIDE Laws 5.1.1, 5.2.1, 5.2.2 and 9.6.
"""

from typing import Literal

import chess

Status = Literal["checkmate", "stalemate", "dead", "fivefold", "seventy_five", "ongoing"]

FIVEFOLD = 5
SEVENTY_FIVE = 75


def status(
    board: chess.Board,
    *,
    occurrences: int = 1,
    dead: bool = False,
    automatic_repetitions: int | None = FIVEFOLD,
    automatic_moves: int | None = SEVENTY_FIVE,
) -> Status:
    """Return whether the move that led to *board* ended the game, and by what.

    Mate goes before every draw (9.6.2), stalemate and a ``dead`` position, which has been proved,
    before the counts. ``automatic_repetitions`` and ``automatic_moves`` are ``None`` where the
    rules know only claims.
    """
    if not any(board.legal_moves):
        return "checkmate" if board.is_check() else "stalemate"
    if dead:
        return "dead"
    if automatic_repetitions is not None and occurrences >= automatic_repetitions:
        return "fivefold"
    if automatic_moves is not None and board.halfmove_clock >= 2 * automatic_moves:
        return "seventy_five"
    return "ongoing"


def winner(board: chess.Board, status: Status) -> chess.Color | None:
    """Return who has won with *status*, ``None`` for a draw or a game that goes on."""
    return not board.turn if status == "checkmate" else None
