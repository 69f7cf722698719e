"""What the texts of Square Off boards say; both generations write squares in the same way."""

import chess

from drivers.events import EMPTY, UNNAMED, Event, Lift, Place

NEW_GAME = b"14#1*"
SQUARES = 64


def hand(text: str, at: float) -> Event:
    """Return what *text* such as ``e2u`` or ``e4d`` tells."""
    square = chess.parse_square(text[:2])
    return Lift(at=at, square=square) if text[2] == "u" else Place(at=at, square=square)


def cells_of(digits: str) -> str:
    """Return the cells that 64 digits tell: a1 a2 … a8, b1 …; 1 is occupied."""
    return "".join(
        UNNAMED
        if digits[chess.square_file(square) * 8 + chess.square_rank(square)] == "1"
        else EMPTY
        for square in chess.SQUARES
    )


def digits_of(cells: str) -> str:
    """Return the 64 digits that tell which of *cells* are occupied."""
    return "".join(
        "0" if cells[chess.square(file, rank)] == EMPTY else "1"
        for file in range(8)
        for rank in range(8)
    )


ARRAY = "".join("?" if square < 16 or square >= 48 else EMPTY for square in chess.SQUARES)
"""Cells of a board on which a game may begin."""
