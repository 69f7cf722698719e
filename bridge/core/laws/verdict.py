"""What a verdict on a completed move consists of, and how a position and a board are compared."""

from typing import NamedTuple

import chess

from bridge.core.laws.articles import ARTICLES, Book

EMPTY = "."
_MEN = [
    (chess.Piece(kind, colour).symbol(), kind, colour)
    for colour in chess.COLORS
    for kind in chess.PIECE_TYPES
]


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


def letters_of(board: chess.BaseBoard) -> str:
    """Return the 64 letters of *board*, a1 b1 … h8."""
    letters = [EMPTY] * 64
    for letter, kind, colour in _MEN:
        for square in chess.scan_forward(board.pieces_mask(kind, colour)):
            letters[square] = letter
    return "".join(letters)


def differing(board: chess.BaseBoard, cells: str) -> list[chess.Square]:
    """Return the squares on which *cells* shows something else than *board*."""
    letters = letters_of(board)
    if cells == letters:
        return []
    return [square for square in chess.SQUARES if cells[square] != letters[square]]


def restore(board: chess.Board) -> str:
    """Return the remedy of most illegal moves (7.5.1)."""
    return f"restore the position before the move: {board.fen()}"
