"""Illegal moves as players make them: which, and why each is illegal.

The names of the reasons are those of the alert catalogue.
"""

from dataclasses import dataclass
from random import Random

import chess

NEAR = 3
"""Players misplace a piece by a few squares, not across the board."""

ATTEMPTS = 20


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """An illegal *move* and the reason why it is."""

    move: chess.Move
    reason: str


def mistake(board: chess.Board, rng: Random) -> Mistake | None:
    """Return a mistake that the side to move of *board* may make, or ``None`` if none is found.

    The rarer kinds come first where the position has them: they would hardly ever be seen.
    """
    kinds = [_leaves_king_in_check(board), _castles_wrongly(board), _leaves_pawn(board)]
    kinds = [found for found in kinds if found]
    if kinds and rng.random() < 0.6:
        return rng.choice(rng.choice(kinds))
    return misplacement(board, rng)


def standing_mistake(board: chess.Board, rng: Random) -> Mistake | None:
    """Return a mistake after which the position still is one that can be played on."""
    for _ in range(ATTEMPTS):
        found = misplacement(board, rng)
        if found is not None:
            then = after(board, found.move)
            if then.is_valid() and any(then.legal_moves):
                return found
    return None


def misplacement(board: chess.Board, rng: Random) -> Mistake | None:
    """Return a piece put on an empty square near it that it cannot go to."""
    possible = {(move.from_square, move.to_square) for move in board.pseudo_legal_moves}
    found = [
        chess.Move(origin, target)
        for origin in chess.SquareSet(board.occupied_co[board.turn])
        for target in chess.SquareSet(~board.occupied & chess.BB_ALL)
        if (origin, target) not in possible
        and chess.square_distance(origin, target) <= NEAR
        and not _ends_or_jumps_as_no_pawn_does(board, origin, target)
        and not _looks_like_castling(board, origin, target)
    ]
    return Mistake(move=rng.choice(found), reason="ILLEGAL_MOVE") if found else None


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    """Return the position when the illegal *move* stands and the opponent is to move."""
    result = board.copy(stack=False)
    piece = result.piece_at(move.from_square)
    result.push(chess.Move.null())
    result.remove_piece_at(move.from_square)
    result.set_piece_at(move.to_square, piece)
    result.castling_rights = result.clean_castling_rights()
    result.clear_stack()
    return result


def _leaves_king_in_check(board: chess.Board) -> list[Mistake]:
    return [
        Mistake(move=move, reason="KING_LEFT_IN_CHECK")
        for move in board.pseudo_legal_moves
        if not board.is_legal(move)
        and not board.is_castling(move)
        and not board.is_en_passant(move)
        and move.promotion is None
    ]


def _castles_wrongly(board: chess.Board) -> list[Mistake]:
    """Castling over free squares from the usual squares, but without the right or over a check."""
    rank = 0 if board.turn == chess.WHITE else 7
    king = chess.Piece(chess.KING, board.turn)
    rook = chess.Piece(chess.ROOK, board.turn)
    home = chess.square(4, rank)
    if board.chess960 or board.piece_at(home) != king:
        return []
    moves = []
    for corner_file, king_file in ((7, 6), (0, 2)):
        corner, target = chess.square(corner_file, rank), chess.square(king_file, rank)
        free = not chess.between(home, corner) & board.occupied
        move = chess.Move(home, target)
        if free and board.piece_at(corner) == rook and not board.is_legal(move):
            moves.append(Mistake(move=move, reason="CASTLING_ILLEGAL"))
    return moves


def _leaves_pawn(board: chess.Board) -> list[Mistake]:
    return [
        Mistake(move=chess.Move(move.from_square, move.to_square), reason="PROMOTION_NOT_REPLACED")
        for move in board.legal_moves
        if move.promotion == chess.QUEEN
    ]


def _ends_or_jumps_as_no_pawn_does(
    board: chess.Board, origin: chess.Square, target: chess.Square
) -> bool:
    """Say whether a pawn would go to a first or last rank, or back, as nobody puts one."""
    if board.piece_type_at(origin) != chess.PAWN:
        return False
    ahead = chess.square_rank(target) - chess.square_rank(origin)
    forward = ahead > 0 if board.turn == chess.WHITE else ahead < 0
    return not forward or chess.square_rank(target) in (0, 7)


def _looks_like_castling(board: chess.Board, origin: chess.Square, target: chess.Square) -> bool:
    """Say whether this is a king going more than one file aside."""
    aside = abs(chess.square_file(origin) - chess.square_file(target))
    return board.piece_type_at(origin) == chess.KING and aside > 1
