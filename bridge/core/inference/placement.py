"""Placements as 64-letter strings (a1 b1 … h8) and what a legal move changes in them."""

from collections.abc import Iterable

import chess

BIT = tuple(1 << square for square in range(64))
_BYTE = tuple(0xFF << 8 * square for square in range(64))
EMPTY = "."

Change = tuple[int, str]
"""A square and the letter it shows afterwards."""


def cells_of(board: chess.BaseBoard) -> str:
    """Return the placement of *board* as cells."""
    letters = [EMPTY] * 64
    for square, piece in board.piece_map().items():
        letters[square] = piece.symbol()
    return "".join(letters)


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


def difference(cells: str, other: str) -> int:
    """Return the mask of squares in which two placements differ."""
    letters = int.from_bytes(cells.encode("ascii"), "little")
    unlike = letters ^ int.from_bytes(other.encode("ascii"), "little")
    mask = 0
    while unlike:
        square = (unlike & -unlike).bit_length() - 1 >> 3
        mask |= BIT[square]
        unlike &= ~_BYTE[square]
    return mask


def shows(cells: str, changes: Iterable[Change]) -> bool:
    """Whether *cells* shows what *changes* say, on their squares."""
    return all(cells[square] == letter for square, letter in changes)


def with_changes(cells: str, changes: Iterable[Change]) -> str:
    """Return *cells* after *changes*."""
    letters = list(cells)
    for square, letter in changes:
        letters[square] = letter
    return "".join(letters)


def changes_of(board: chess.Board, move: chess.Move) -> tuple[Change, ...]:
    """Return what the legal *move* changes: 2 squares, 3 for en passant, up to 4 for castling."""
    if board.is_castling(move):
        return _castling_changes(board, move)
    origin, target = move.from_square, move.to_square
    letter = chess.piece_symbol(move.promotion or board.piece_type_at(origin) or chess.PAWN)
    if board.turn:
        letter = letter.upper()
    if board.is_en_passant(move):
        victim = target - 8 if board.turn else target + 8
        return ((origin, EMPTY), (target, letter), (victim, EMPTY))
    return ((origin, EMPTY), (target, letter))


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


def mask_of(changes: Iterable[Change]) -> int:
    """Return the mask of the squares in *changes*."""
    mask = 0
    for square, _ in changes:
        mask |= BIT[square]
    return mask
