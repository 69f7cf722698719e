"""Ways of single men over a board on which the others stand still: distances in moves."""

from collections.abc import Iterable
from typing import NamedTuple

import chess

FAR = 99
"""The distance of a square that a man cannot reach."""

Distances = list[int]


class Ground(NamedTuple):
    """What a side's men move over.

    ``barred`` squares are never entered. Men on ``leaving`` squares, of the same side, will step
    off when asked, which costs a move. Men of the ``enemy`` are taken. ``forbidden`` are squares
    that its king may not enter.
    """

    barred: chess.Bitboard
    leaving: chess.Bitboard
    enemy: chess.Bitboard
    forbidden: chess.Bitboard


def ground(board: chess.Board, colour: chess.Color) -> Ground:
    """Return what men of *colour* move over: only pawns that stand before a pawn never step off.

    Kings are kept away by pawns alone; other men will make way.
    """
    own, enemy = board.occupied_co[colour], board.occupied_co[not colour]
    stuck = own & board.pawns & (board.pawns >> 8 if colour else board.pawns << 8)
    forbidden = 0
    for square in chess.scan_forward(board.pawns & enemy):
        forbidden |= chess.BB_PAWN_ATTACKS[not colour][square]
    return Ground(stuck, own & ~stuck, enemy & ~board.kings, forbidden)


def attacks(kind: chess.PieceType, square: chess.Square, occupied: chess.Bitboard) -> int:
    """Return the squares that a man other than a pawn attacks."""
    if kind == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if kind == chess.KING:
        return chess.BB_KING_ATTACKS[square]
    found = 0
    if kind in (chess.BISHOP, chess.QUEEN):
        found = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
    if kind in (chess.ROOK, chess.QUEEN):
        found |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        found |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return found


def distances(
    kind: chess.PieceType, ground: Ground, starts: Iterable[tuple[chess.Square, int]]
) -> Distances:
    """Return for each square in how many moves a man gets there from the nearest of *starts*.

    A start is a square and the moves already made on it. A man that is no pawn goes back the way
    it came, so these are the distances to *starts* as well.
    """
    found = [FAR] * 64
    waves: dict[int, chess.Bitboard] = {}
    for square, moves in starts:
        waves[moves] = waves.get(moves, 0) | chess.BB_SQUARES[square]
    barred = ground.barred | (ground.forbidden if kind == chess.KING else 0)
    occupied = ground.barred | ground.leaving | ground.enemy
    seen = moves = 0
    while waves:
        wave = waves.pop(moves, 0) & ~seen
        seen |= wave
        steps = 0
        for square in chess.scan_forward(wave):
            found[square] = moves
            steps |= attacks(kind, square, occupied)
        steps &= ~(barred | seen)
        for cost, entered in ((1, steps & ~ground.leaving), (2, steps & ground.leaving)):
            if entered:
                waves[moves + cost] = waves.get(moves + cost, 0) | entered
        moves += 1
    return found


def pawn_distances(
    board: chess.Board, colour: chess.Color, ground: Ground, queen: Distances
) -> Distances:
    """Return for each square how far a pawn is from where it is wanted as a queen.

    *queen* are the distances of a queen to that place. Only pawns bar a pawn's way.
    """
    found = [FAR] * 64
    last = 7 if colour else 0
    forward = 8 if colour else -8
    for rank in range(6, 0, -1) if colour else range(1, 7):
        for square in range(8 * rank, 8 * rank + 8):
            steps = chess.BB_PAWN_ATTACKS[colour][square] & ground.enemy
            steps |= chess.BB_SQUARES[square + forward] & ~board.pawns
            table = queen if (square + forward) // 8 == last else found
            best = min((table[step] for step in chess.scan_forward(steps)), default=FAR)
            found[square] = min(FAR, best + 1)
    return found


def promotions(
    board: chess.Board, square: chess.Square, colour: chess.Color, ground: Ground
) -> list[tuple[chess.Square, int]]:
    """Return where the pawn on *square* may become a queen and after how many moves."""
    reached = chess.BB_SQUARES[square]
    last = chess.BB_RANK_8 if colour else chess.BB_RANK_1
    for moves in range(1, 7):
        taking = 0
        for pawn in chess.scan_forward(reached):
            taking |= chess.BB_PAWN_ATTACKS[colour][pawn]
        ahead = reached << 8 if colour else reached >> 8
        reached = ahead & ~board.pawns | taking & ground.enemy
        if reached & last:
            return [(target, moves) for target in chess.scan_forward(reached)]
    return []
