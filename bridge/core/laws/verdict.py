"""What a verdict on a completed move consists of, and how a position and a board are compared."""

from typing import NamedTuple

import chess

from bridge.core.laws.articles import ARTICLES, Book
from drivers.cells import cells_of

EMPTY = "."


class Verdict(NamedTuple):
    """An alert's content: code and reason of the catalogue, and words for people.

    ``attempt`` is the move that was tried, from and to, with the letter where a pawn became a
    piece; it lets an illegal move that stands be entered. Castling is the king's way, in Chess960
    king takes rook. It is ``None`` where two men moved and either may have been the move, and
    where none did.
    """

    code: str
    reason: str
    text: str
    san_tried: str | None
    remedy: str
    attempt: chess.Move | None

    @property
    def article(self) -> str:
        """The articles of FIDE's Laws that it rests on."""
        return self.article_under("fide")

    def article_under(self, book: Book) -> str:
        """Return the articles of *book* that it rests on."""
        return ARTICLES[self.reason].under(book)


def letter_at(board: chess.BaseBoard, square: chess.Square) -> str:
    """Return the letter of the man on *square*, or a dot."""
    piece = board.piece_at(square)
    return piece.symbol() if piece else EMPTY


def differing(board: chess.BaseBoard, cells: str) -> list[chess.Square]:
    """Return the squares on which *cells* shows something else than *board*."""
    letters = cells_of(board)
    if cells == letters:
        return []
    return [square for square in chess.SQUARES if cells[square] != letters[square]]


def restore(board: chess.Board) -> str:
    """Return the remedy of most illegal moves (7.5.1)."""
    return f"restore the position before the move: {board.fen()}"
