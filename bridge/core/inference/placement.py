"""Placements as 64-letter strings (a1 b1 … h8) and what a legal move changes in them."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

import chess

from bridge.core.model import Sensing
from drivers.events import PIECES, UNNAMED, UNNAMED_BLACK, UNNAMED_WHITE, UNREADABLE

BIT = tuple(1 << square for square in range(64))
EMPTY = "."
_AS_DIGIT = b"0" + b"1" * 255
_MAN_AS_DIGIT = bytes(ord("01"[letter != ord(EMPTY)]) for letter in range(256))
_LETTERS = ".pnbrqk", ".PNBRQK"
"""By colour and kind of man."""
_SHOWN_AS: dict[Sensing, dict[int, int]] = {
    "identity": {},
    "occupancy": str.maketrans(PIECES, UNNAMED * 12),
    "colour": str.maketrans(PIECES, UNNAMED_WHITE * 6 + UNNAMED_BLACK * 6),
}

PAIRS_KEPT = 64
"""Pairs of placements of which it is kept where they differ: one reading compares them often."""

Change = tuple[int, str]
"""A square and the letter it shows afterwards."""


def placement_of(cells: str) -> str:
    """Return *cells* as the first FEN field; what no FEN can say (``?``, ``*``) is left as it is.

    >>> placement_of("RNBQKBNRPPPPPPPP" + "." * 32 + "pppppppprnbqkbnr")
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
    """
    ranks = []
    for start in range(56, -1, -8):
        text, empty = "", 0
        for letter in cells[start : start + 8]:
            if letter == EMPTY:
                empty += 1
                continue
            text += (str(empty) if empty else "") + letter
            empty = 0
        ranks.append(text + (str(empty) if empty else ""))
    return "/".join(ranks)


def cells_from_placement(placement: str) -> str:
    """Return the cells of a first FEN field; any letter stands for itself.

    Raises:
        ValueError: not eight ranks of eight squares.
    """
    ranks = placement.split("/")
    if len(ranks) != 8:
        raise ValueError(f"a placement has eight ranks, not {len(ranks)}: {placement!r}")
    rows = []
    for rank in ranks:
        row = "".join(EMPTY * int(c) if c.isdigit() else c for c in rank)
        if len(row) != 8:
            raise ValueError(f"rank {rank!r} has {len(row)} squares: {placement!r}")
        rows.append(row)
    return "".join(reversed(rows))


def turned(cells: str) -> str:
    """Return *cells* of a board seen from the other seat."""
    return cells[::-1]


def turned_squares(squares: int) -> int:
    """Return the mask of *squares* of a board seen from the other seat."""
    return chess.flip_horizontal(chess.flip_vertical(squares))


@lru_cache(maxsize=PAIRS_KEPT)
def difference(cells: str, other: str) -> int:
    """Return the mask of squares in which two placements differ."""
    if cells == other:
        return 0
    letters = int.from_bytes(cells.encode("ascii"), "little")
    unlike = letters ^ int.from_bytes(other.encode("ascii"), "little")
    return int(unlike.to_bytes(64, "big").translate(_AS_DIGIT), 2)


def shown_by(cells: str, sensing: Sensing) -> str:
    """Return what a board of the given *sensing* shows where *cells* stand.

    >>> shown_by("PNBRQKpnbrqk....", "colour")
    'WWWWWWwwwwww....'
    """
    return cells if sensing == "identity" else cells.translate(_SHOWN_AS[sensing])


@cache
def letter_shown_by(letter: str, sensing: Sensing) -> str:
    """Return what a square on which *letter* stands shows, as :func:`shown_by`."""
    return shown_by(letter, sensing)


@cache
def reach(man: str, square: chess.Square) -> int:
    """Return the squares on which *man* might take from *square*, were he alone on the board."""
    alone = chess.BaseBoard.empty()
    alone.set_piece_at(square, chess.Piece.from_symbol(man))
    return int(alone.attacks_mask(square))


def fits(shown: str, man: str) -> bool:
    """Whether a square that shows *shown*, as far as its board can tell, may hold *man*."""
    match shown:
        case str() if shown == UNREADABLE:
            return True
        case str() if shown == UNNAMED:
            return man != EMPTY
        case str() if shown == UNNAMED_WHITE:
            return man.isupper()
        case str() if shown == UNNAMED_BLACK:
            return man.islower()
    return shown == man


@lru_cache(maxsize=PAIRS_KEPT)
def occupied(shown: str) -> int:
    """Return the mask of squares on which a man is shown."""
    return int(shown[::-1].encode("ascii").translate(_MAN_AS_DIGIT), 2)


def with_changes(cells: str, changes: Iterable[Change]) -> str:
    """Return *cells* after *changes*."""
    letters = list(cells)
    for square, letter in changes:
        letters[square] = letter
    return "".join(letters)


def but_for_one(cells: str, shown: str, gone: int, origins: int) -> Iterator[str]:
    """Yield *cells* as if all who are *gone* were back but one, for each of *origins* in turn.

    ``shown``: what their squares show when they are there.
    """
    for origin in chess.scan_forward(origins):
        back = chess.scan_forward(gone & ~BIT[origin])
        yield with_changes(cells, [(square, shown[square]) for square in back])


def changes_of(board: chess.Board, move: chess.Move) -> tuple[Change, ...]:
    """Return what the legal *move* changes: 2 squares, 3 for en passant, up to 4 for castling."""
    origin, target = move.from_square, move.to_square
    man = board.piece_type_at(origin) or chess.PAWN
    if man == chess.KING and board.is_castling(move):
        return _castling_changes(board, move)
    letter = _LETTERS[board.turn][move.promotion or man]
    if target == board.ep_square and board.is_en_passant(move):
        victim = target - 8 if board.turn else target + 8
        return ((origin, EMPTY), (target, letter), (victim, EMPTY))
    return ((origin, EMPTY), (target, letter))


def lands_on(board: chess.Board, move: chess.Move) -> chess.Square:
    """Return where the man of *move* comes to stand.

    Castling of Chess960, also against the rules, is written as the king's move to his rook.
    """
    rooks = board.rooks & board.occupied_co[board.turn] if board.chess960 else 0
    if not (rooks & BIT[move.to_square] and board.kings & BIT[move.from_square]):
        return move.to_square
    file = 6 if move.to_square > move.from_square else 2
    return chess.square(file, chess.square_rank(move.from_square))


def way(move: chess.Move) -> int:
    """Return the squares over which a man is slid by *move*: those beside a knight's line too."""
    origin, target = move.from_square, move.to_square
    if chess.BB_KNIGHT_ATTACKS[origin] & BIT[target]:
        return chess.BB_KING_ATTACKS[origin] & chess.BB_KING_ATTACKS[target]
    return chess.between(origin, target)


def _castling_changes(board: chess.Board, move: chess.Move) -> tuple[Change, ...]:
    after = board.copy(stack=False)
    after.push(move)
    rank = range(move.from_square & ~7, (move.from_square & ~7) + 8)
    changed = []
    for square in rank:
        piece = after.piece_at(square)
        if piece != board.piece_at(square):
            changed.append((square, piece.symbol() if piece else EMPTY))
    return tuple(changed)
