"""Why a completed move is illegal: what was attempted, which article it breaks, what to do.

Codes and reasons are those of the alert catalogue, articles those of the FIDE Laws in force
from 1 January 2023. The verdict needs the position before and what stands on the board; it is
asked for only after the mover completed his move and no legal line explains the board.
"""

from typing import NamedTuple

import chess

CASTLING_REACH = 2


class Attempt(NamedTuple):
    """One man moved from ``origin`` to ``target``; ``shown`` is what stands there now."""

    origin: chess.Square
    target: chess.Square
    shown: str


class Verdict(NamedTuple):
    """An alert's content: code and reason of the catalogue, article, and words for people."""

    code: str
    reason: str
    article: str
    text: str
    san_tried: str | None
    remedy: str


def judge(board: chess.Board, cells: str) -> Verdict | None:
    """Return why *cells* is no legal result of one move, or None if no single move explains it."""
    castling = _castling(board, cells)
    if castling is not None:
        return castling
    attempt = _single_attempt(board, cells)
    if attempt is not None:
        return _judge_attempt(board, attempt, cells)
    return _wrong_side(board, cells)


def _differing(board: chess.Board, cells: str) -> list[chess.Square]:
    return [s for s in chess.SQUARES if cells[s] != _letter(board, s)]


def _letter(board: chess.Board, square: chess.Square) -> str:
    piece = board.piece_at(square)
    return piece.symbol() if piece else "."


def _is_man_of(letter: str, colour: chess.Color) -> bool:
    return letter.isalpha() and letter.isupper() == colour


def _single_attempt(board: chess.Board, cells: str) -> Attempt | None:
    """Return the one move of a man of the side to move that *cells* differs by, if it is one."""
    differing = _differing(board, cells)
    origins = [
        s for s in differing if _is_man_of(_letter(board, s), board.turn) and cells[s] == "."
    ]
    targets = [s for s in differing if cells[s] != "."]
    if len(origins) != 1 or len(targets) != 1:
        return None
    origin, target = origins[0], targets[0]
    others = set(differing) - {origin, target}
    if any(not _en_passant_victim(board, s, target) for s in others):
        return None
    same_man = cells[target] == _letter(board, origin)
    pawn_on_last_rank = board.piece_type_at(origin) == chess.PAWN and chess.square_rank(target) == (
        7 if board.turn else 0
    )
    return Attempt(origin, target, cells[target]) if same_man or pawn_on_last_rank else None


def _en_passant_victim(board: chess.Board, square: chess.Square, target: chess.Square) -> bool:
    victim = board.piece_at(square)
    if victim is None or victim.piece_type != chess.PAWN or victim.color == board.turn:
        return False
    return square == _passed(board, target)


def _judge_attempt(board: chess.Board, attempt: Attempt, cells: str) -> Verdict:
    piece_type = board.piece_type_at(attempt.origin)
    tried = _san_tried(board, attempt)
    if piece_type == chess.PAWN and chess.square_rank(attempt.target) in (0, 7):
        verdict = _promotion(board, attempt, tried)
        if verdict is not None:
            return verdict
    move = chess.Move(attempt.origin, attempt.target)
    if _is_en_passant_try(board, attempt, cells):
        return _en_passant(board, attempt, tried)
    if board.is_pseudo_legal(move) or _promotes(board, move):
        return _king_in_check(board, move, tried)
    return _bad_geometry(board, attempt, tried)


def _promotes(board: chess.Board, move: chess.Move) -> bool:
    return board.is_pseudo_legal(chess.Move(move.from_square, move.to_square, chess.QUEEN))


def _promotion(board: chess.Board, attempt: Attempt, tried: str) -> Verdict | None:
    move = chess.Move(attempt.origin, attempt.target, chess.QUEEN)
    if not board.is_legal(move):
        return None
    square = chess.square_name(attempt.target)
    if attempt.shown.lower() == "p":
        return Verdict(
            "PROMOTION_NOT_REPLACED", "PROMOTION_NOT_REPLACED", "7.5.2",
            f"the pawn on {square} was not replaced before the clock was pressed", tried,
            f"the pawn becomes a queen on {square}; the opponent gets the additional time",
        )  # fmt: skip
    return Verdict(
        "PROMOTION_INVALID", "PROMOTION_BAD_PIECE", "3.7.3.3, 7.5.1",
        f"a pawn cannot become what stands on {square}", tried,
        "restore the position before; the pawn must promote to a piece of its own colour",
    )  # fmt: skip


def _is_en_passant_try(board: chess.Board, attempt: Attempt, cells: str) -> bool:
    """Whether it was legal but for the pawn still standing, or a pawn was taken without right."""
    if not _is_diagonal_to_empty(board, attempt):
        return False
    move = chess.Move(attempt.origin, attempt.target)
    if board.is_pseudo_legal(move):
        return board.is_legal(move)
    return cells[_passed(board, attempt.target)] != _letter(board, _passed(board, attempt.target))


def _is_diagonal_to_empty(board: chess.Board, attempt: Attempt) -> bool:
    sideways = chess.square_file(attempt.origin) != chess.square_file(attempt.target)
    return (
        board.piece_type_at(attempt.origin) == chess.PAWN
        and sideways
        and chess.square_distance(attempt.origin, attempt.target) == 1
        and board.piece_at(attempt.target) is None
    )


def _passed(board: chess.Board, target: chess.Square) -> chess.Square:
    """Return the square of the pawn that is taken by a pawn going to *target*."""
    return target - 8 if board.turn else target + 8


def _en_passant(board: chess.Board, attempt: Attempt, tried: str) -> Verdict:
    if board.is_legal(chess.Move(attempt.origin, attempt.target)):
        victim = chess.square_name(_passed(board, attempt.target))
        return Verdict(
            "EN_PASSANT_INCOMPLETE", "EP_PAWN_NOT_REMOVED", "3.7.3, 4.7.1, 7.5.1",
            f"the pawn on {victim} was not removed", tried, f"remove the pawn on {victim}",
        )  # fmt: skip
    return Verdict(
        "EN_PASSANT_ILLEGAL", "EP_NOT_AVAILABLE", "3.7.3, 7.5.1",
        "no pawn may be taken en passant there", tried, _restore(board),
    )  # fmt: skip


def _king_in_check(board: chess.Board, move: chess.Move, tried: str) -> Verdict:
    if board.piece_type_at(move.from_square) == chess.KING:
        enemy = board.king(not board.turn)
        if enemy is not None and chess.square_distance(enemy, move.to_square) <= 1:
            reason, text = "KINGS_ADJACENT", "the kings would stand beside each other"
        else:
            reason, text = "KING_INTO_CHECK", "the king was moved into check"
    elif board.is_check():
        reason, text = "KING_LEFT_IN_CHECK", "the king was left in check"
    else:
        reason, text = "KING_EXPOSED", "the move exposes its own king"
    return Verdict("KING_LEFT_IN_CHECK", reason, "3.9.2, 7.5.1", text, tried, _restore(board))


def _bad_geometry(board: chess.Board, attempt: Attempt, tried: str) -> Verdict:
    target = board.piece_at(attempt.target)
    piece = board.piece_at(attempt.origin)
    square = chess.square_name(attempt.target)
    if piece is None:
        raise ValueError(f"no man stands on {chess.square_name(attempt.origin)} in {board.fen()}")
    if target is not None and target.color == board.turn:
        reason, text = "OWN_PIECE_ON_TARGET", f"a man of the same colour stood on {square}"
    elif piece.piece_type == chess.PAWN:
        reason, text = "PAWN_GEOMETRY", f"the pawn cannot go to {square}"
    elif _alone_reaches(piece, attempt):
        reason, text = "PATH_BLOCKED", f"the way to {square} is blocked"
    else:
        name = chess.piece_name(piece.piece_type)
        reason, text = "GEOMETRY", f"the {name} does not move to {square} like that"
    return Verdict("ILLEGAL_MOVE", reason, "3.1, 7.5.1", text, tried, _restore(board))


def _alone_reaches(piece: chess.Piece, attempt: Attempt) -> bool:
    alone = chess.BaseBoard(None)
    alone.set_piece_at(attempt.origin, piece)
    return bool(alone.attacks_mask(attempt.origin) & chess.BB_SQUARES[attempt.target])


def _castling(board: chess.Board, cells: str) -> Verdict | None:
    """Judge a king that went two squares along its rank, or that moved together with its rook."""
    king = board.king(board.turn)
    if king is None or board.chess960 or cells[king] == _letter(board, king):
        return None
    differing = _differing(board, cells)
    target = cells.find(_letter(board, king))
    if target < 0 or any(chess.square_rank(s) != chess.square_rank(king) for s in differing):
        return None
    if abs(target - king) != CASTLING_REACH:
        rooks = board.pieces_mask(chess.ROOK, board.turn)
        if not any(rooks & chess.BB_SQUARES[square] for square in differing):
            return None
        reason, text = "CASTLING_WRONG_SQUARES", "king and rook went to wrong squares"
    elif chess.Move(king, target) in board.legal_moves:
        reason, text = "CASTLING_INCOMPLETE", "castling was not completed"
    else:
        reason, text = _castling_bar(board, king, target), "castling is not possible here"
    return Verdict(
        "CASTLING_ILLEGAL", reason, "3.8.2, 7.5.1", text,
        "O-O" if target > king else "O-O-O",
        "complete the castling" if reason == "CASTLING_INCOMPLETE" else _restore(board),
    )  # fmt: skip


def _castling_bar(board: chess.Board, king: chess.Square, target: chess.Square) -> str:
    short = target > king
    rights = board.has_kingside_castling_rights if short else board.has_queenside_castling_rights
    if not rights(board.turn):
        return "CASTLING_RIGHT_LOST"
    corner = chess.square(7 if short else 0, chess.square_rank(king))
    if chess.SquareSet.between(king, corner) & board.occupied:
        return "CASTLING_BLOCKED"
    if board.is_check():
        return "CASTLING_IN_CHECK"
    passed = (king + target) // 2
    if board.is_attacked_by(not board.turn, passed):
        return "CASTLING_THROUGH_ATTACK"
    return "CASTLING_INTO_ATTACK"


def _wrong_side(board: chess.Board, cells: str) -> Verdict | None:
    other = board.copy(stack=False)
    other.turn = not board.turn
    other.ep_square = None
    attempt = _single_attempt(other, cells)
    if attempt is None or not other.is_pseudo_legal(chess.Move(attempt.origin, attempt.target)):
        return None
    side = "White" if other.turn else "Black"
    return Verdict(
        "WRONG_SIDE_MOVED", "WRONG_SIDE", "1.2, 7.5.1",
        f"{side} moved although it was not {side}'s turn", _san_tried(other, attempt),
        _restore(board),
    )  # fmt: skip


def _san_tried(board: chess.Board, attempt: Attempt) -> str:
    """Return the attempted move in short notation, without any claim that it is legal."""
    piece_type = board.piece_type_at(attempt.origin) or chess.PAWN
    captures = board.piece_at(attempt.target) is not None
    target = chess.square_name(attempt.target)
    if piece_type == chess.PAWN:
        sideways = chess.square_file(attempt.origin) != chess.square_file(attempt.target)
        return f"{chess.square_name(attempt.origin)[0]}x{target}" if sideways else target
    return f"{chess.piece_symbol(piece_type).upper()}{'x' if captures else ''}{target}"


def _restore(board: chess.Board) -> str:
    return f"restore the position before the move: {board.fen()}"
