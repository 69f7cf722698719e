"""Letters for men that a board shows but cannot name, as far as one move tells them."""

import chess

from bridge.core.laws.castling import KING_FILES, ROOK_FILES
from bridge.core.laws.verdict import EMPTY, letter_at

UNNAMED = {"?": (chess.WHITE, chess.BLACK), "W": (chess.WHITE,), "w": (chess.BLACK,)}
"""Colours that a man may have, by how a board shows it."""
_CASTLED = tuple((ROOK_FILES[short], KING_FILES[short]) for short in (True, False))
"""Files of rook and king after castling."""


def named(board: chess.Board, cells: str) -> str:
    """Return *cells* with the letters of unnamed men, where at most one man of a side moved.

    A man on its square is taken for itself; on a square that no move explains it stays unnamed.
    A pawn on its last rank is taken for a queen. That a man was taken shows only where the board
    tells colours.
    """
    letters = list(cells)
    arrived = []
    for square, shown in enumerate(cells):
        if shown not in UNNAMED:
            continue
        if board.color_at(square) in UNNAMED[shown]:
            letters[square] = letter_at(board, square)
        else:
            arrived.append(square)
    for square, letter in _arrivals(board, cells, arrived):
        letters[square] = letter
    return "".join(letters)


def _arrivals(
    board: chess.Board, cells: str, arrived: list[chess.Square]
) -> list[tuple[chess.Square, str]]:
    for colour in (board.turn, not board.turn):
        men = chess.SquareSet(board.occupied_co[colour])
        gone = [square for square in men if cells[square] == EMPTY]
        if gone:
            break
    if len(gone) == len(arrived) == 1:
        return [(arrived[0], _letter_on(board, gone[0], arrived[0]))]
    kinds = sorted(letter_at(board, square).lower() for square in gone)
    if kinds != ["k", "r"]:
        return []
    arrived = arrived if len(arrived) > 1 else _with_man_on_the_way(cells, arrived)
    kings = [square for square in arrived if chess.square_file(square) in KING_FILES.values()]
    if len(arrived) != len(gone) or len(kings) != 1:
        return []
    return [(s, chess.Piece(_castled(s == kings[0]), colour).symbol()) for s in arrived]


def _with_man_on_the_way(cells: str, arrived: list[chess.Square]) -> list[chess.Square]:
    """Return both squares of a castling of which one was occupied, so that one is new alone."""
    pairs = ((rank + rook, rank + king) for rank in (0, chess.A8) for rook, king in _CASTLED)
    found = [pair for pair in pairs if arrived and arrived[0] in pair]
    return list(found[0]) if found and all(cells[s] in UNNAMED for s in found[0]) else []


def _castled(king: bool) -> chess.PieceType:
    return chess.KING if king else chess.ROOK


def _letter_on(board: chess.Board, origin: chess.Square, target: chess.Square) -> str:
    letter = letter_at(board, origin)
    if letter in "Pp" and chess.square_rank(target) in (0, 7):
        return "Q" if letter == "P" else "q"
    return letter
