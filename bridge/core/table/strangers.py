"""Men that no start position has taught: what the game says of them."""

import chess

from drivers.events import EMPTY, UNNAMED

_PAWNS_FROM = {0: (chess.BLACK, chess.BB_RANK_2), 7: (chess.WHITE, chess.BB_RANK_7)}


def promoted(board: chess.Board, seen: str) -> tuple[chess.Square, str] | None:
    """Return the square of an unknown man that a pawn has become, and the letter of a queen.

    A spare queen is the one man that comes to a board in the middle of a game; rooks, bishops
    and knights were captured before, and are known. *board* is the last position of the record,
    *seen* are the cells as White sees them.
    """
    for square, letter in enumerate(seen):
        colour, seventh = _PAWNS_FROM.get(chess.square_rank(square), (chess.WHITE, chess.BB_EMPTY))
        if letter != UNNAMED or not seventh:
            continue
        near = board.pieces_mask(chess.PAWN, colour) & seventh & chess.BB_KING_ATTACKS[square]
        if any(seen[origin] == EMPTY for origin in chess.scan_forward(near)):
            return square, chess.Piece(chess.QUEEN, colour).symbol()
    return None
