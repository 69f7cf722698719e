"""What the layers above do with the 64 cells of a position (a1 b1 … h8)."""

import chess

from drivers.events import EMPTY, PIECES, UNNAMED, UNNAMED_BLACK, UNNAMED_WHITE

START_CELLS = "RNBQKBNRPPPPPPPP" + EMPTY * 32 + "pppppppprnbqkbnr"
_MEN = [
    (chess.Piece(kind, colour).symbol(), kind, colour)
    for colour in chess.COLORS
    for kind in chess.PIECE_TYPES
]


def cells_of(board: chess.BaseBoard) -> str:
    """Return the 64 cells of *board*."""
    cells = [EMPTY] * 64
    for letter, kind, colour in _MEN:
        for square in chess.scan_forward(board.pieces_mask(kind, colour)):
            cells[square] = letter
    return "".join(cells)


def ranks_from_eighth(cells: str) -> list[str]:
    """Return the ranks of *cells*, the eighth first."""
    return [cells[first : first + 8] for first in range(56, -8, -8)]


def from_eighth_rank(cells: str) -> str:
    """Return *cells* in the order a8 b8 … h8, a7 … h1; or what has that order as cells.

    >>> from_eighth_rank(START_CELLS)[:8]
    'rnbqkbnr'
    """
    return "".join(ranks_from_eighth(cells))


def can_show(cells: str, wanted: str) -> bool:
    """Whether *cells* of a board that may not name its men can be the position *wanted*."""
    return all(_can_be(cell, man) for cell, man in zip(cells, wanted, strict=True))


def _can_be(cell: str, man: str) -> bool:
    if cell == man:
        return True
    if man == EMPTY:
        return False
    unnamed = UNNAMED_WHITE if man.isupper() else UNNAMED_BLACK
    return cell == UNNAMED or (man in PIECES and cell == unnamed)


def promotes(cells: str, origin: chess.Square, target: chess.Square) -> bool:
    """Whether a move takes a pawn to its last rank."""
    return (cells[origin], chess.square_rank(target)) in {("P", 7), ("p", 0)}


def moved(
    cells: str, origin: chess.Square, target: chess.Square, *, becomes: str | None = None
) -> str:
    """Return *cells* after a move, legal or not, with what belongs to it.

    Castling is the king's move of two files. *becomes* is what stands on *target* then; the
    man himself where it is ``None``.

    >>> moved("....K..R" + 56 * ".", chess.E1, chess.G1)[:8]
    '.....RK.'
    """
    man = cells[origin]
    now = list(cells)
    files = chess.square_file(target) - chess.square_file(origin)
    rank = chess.square_rank(origin)
    if man in "Pp" and files and cells[target] == EMPTY:
        now[chess.square(chess.square_file(target), rank)] = EMPTY
    if man in "Kk" and abs(files) == 2:
        corner = chess.square(7 if files > 0 else 0, rank)
        now[(origin + target) // 2], now[corner] = now[corner], EMPTY
    now[origin], now[target] = EMPTY, man if becomes is None else becomes
    return "".join(now)
