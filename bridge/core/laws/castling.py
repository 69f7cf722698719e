"""Castling that went wrong: recognised by what king and rook did, explained by what barred it.

FIDE Laws 3.8.2, Guidelines II.3 for Chess960; reasons are those of the alert catalogue.
"""

from collections.abc import Sequence
from typing import NamedTuple

import chess

from bridge.core.laws.verdict import Verdict, differing, letter_at, restore

CASTLING_REACH = 2
KING_STARTS = 4
"""File on which kings stand before the first move of ordinary chess."""
KING_FILES = {True: 6, False: 2}
"""File where the king ends, by whether castling is short; the rook ends beside it."""
ROOK_FILES = {True: 5, False: 3}


class _Tried(NamedTuple):
    """Where king and rook stood and stand; ``rook_now`` is ``None`` while it is in the hand."""

    king: chess.Square
    king_now: chess.Square
    rook: chess.Square
    rook_now: chess.Square | None

    @property
    def short(self) -> bool:
        return self.rook > self.king

    @property
    def king_to(self) -> chess.Square:
        return chess.square(KING_FILES[self.short], chess.square_rank(self.king))

    @property
    def rook_to(self) -> chess.Square:
        return chess.square(ROOK_FILES[self.short], chess.square_rank(self.king))


def judge_castling(
    board: chess.Board, cells: str, history: Sequence[chess.Move] = ()
) -> Verdict | None:
    """Return why the castling that *cells* shows is illegal, or None if it shows none.

    *history* are the moves that led to *board*; with them a lost right is told with the move
    that lost it.
    """
    tried = _tried(board, cells)
    if tried is None:
        return None
    reason, text = _fault(board, tried, history)
    complete = reason == "CASTLING_INCOMPLETE"
    move = chess.Move(tried.king, tried.rook if board.chess960 else tried.king_now)
    return Verdict(
        "CASTLING_ILLEGAL", reason, text,
        "O-O" if tried.short else "O-O-O",
        "complete the castling" if complete else restore(board), move,
    )  # fmt: skip


def _tried(board: chess.Board, cells: str) -> _Tried | None:
    king = board.king(board.turn)
    if king is None:
        return None
    changed = differing(board, cells)
    rank = range(king & ~7, (king & ~7) + 8)
    if any(square not in rank for square in changed):
        return None
    man, rook_letter = letter_at(board, king), "R" if board.turn else "r"
    kings = [square for square in rank if cells[square] == man]
    left = [square for square in changed if letter_at(board, square) == rook_letter]
    came = [square for square in changed if cells[square] == rook_letter]
    if len(kings) != 1 or len(left) > 1 or len(came) > len(left):
        return None
    if left:
        tried = _Tried(king, kings[0], left[0], came[0] if came else None)
    else:
        rook = _rook_beyond(board, king, kings[0])
        if rook is None:
            return None
        tried = _Tried(king, kings[0], rook, rook)
    return tried if _means_castling(board, tried) else None


def _rook_beyond(
    board: chess.Board, king: chess.Square, king_now: chess.Square
) -> chess.Square | None:
    """Return the rook towards which the king went: the one with the right, else the outermost."""
    if board.chess960:
        short = chess.square_file(king_now) == KING_FILES[True]
        beyond = range(king + 1, (king | 7) + 1) if short else range(king & ~7, king)
    else:
        short = king_now > king
        beyond = range(king_now + 1, (king | 7) + 1) if short else range(king & ~7, king_now)
    rooks = board.pieces_mask(chess.ROOK, board.turn)
    found = [square for square in beyond if rooks & chess.BB_SQUARES[square]]
    if not found:
        return None
    with_right = [s for s in found if board.clean_castling_rights() & chess.BB_SQUARES[s]]
    return with_right[0] if with_right else found[-1 if short else 0]


def _means_castling(board: chess.Board, tried: _Tried) -> bool:
    rook_moved = tried.rook_now not in (None, tried.rook)
    if tried.king_now == tried.king:  # only in Chess960 may the king stand where it would go
        return board.chess960 and rook_moved and _is_completed(tried)
    if rook_moved:
        return True
    if not _is_on_first_rank(board, tried):
        return False
    if board.chess960:
        far = chess.square_distance(tried.king, tried.king_now) > 1
        return tried.king_now == tried.king_to and (far or tried.rook_now is None)
    return abs(tried.king_now - tried.king) == CASTLING_REACH


def _is_completed(tried: _Tried) -> bool:
    return (tried.king_now, tried.rook_now) == (tried.king_to, tried.rook_to)


def _is_on_first_rank(board: chess.Board, tried: _Tried) -> bool:
    return chess.square_rank(tried.king) == (0 if board.turn else 7)


def _fault(board: chess.Board, tried: _Tried, history: Sequence[chess.Move]) -> tuple[str, str]:
    if not _is_on_first_rank(board, tried):
        return "CASTLING_NOT_ON_FIRST_RANK", "king and rook do not stand on their first rank"
    if tried.rook_now not in (None, tried.rook) and not _is_completed(tried):
        return "CASTLING_WRONG_SQUARES", "king and rook went to wrong squares"
    if not board.clean_castling_rights() & chess.BB_SQUARES[tried.rook]:
        return _lost_right(board, tried, history)
    return _temporary_bar(board, tried) or (
        "CASTLING_INCOMPLETE",
        "castling was not completed",
    )


def _lost_right(
    board: chess.Board, tried: _Tried, history: Sequence[chess.Move]
) -> tuple[str, str]:
    """Return the permanent bar (3.8.2.1); a man that moved came to its square by some move.

    Without that move the rights and squares tell: a king that may castle on the other side has
    not moved, and in ordinary chess one that stands elsewhere than on his first square has.
    """
    for square, man in ((tried.king, "king"), (tried.rook, "rook")):
        number = _number_of_last_arrival(board, square, history)
        if number is not None:
            name = chess.square_name(square)
            text = f"the {man} had moved: it came to {name} with move {number}"
            return f"CASTLING_{man.upper()}_MOVED", text
    if board.clean_castling_rights() & _rank_of(tried.king):
        return "CASTLING_ROOK_MOVED", "the rook had moved: the right to castle there is lost"
    if not board.chess960 and chess.square_file(tried.king) != KING_STARTS:
        return "CASTLING_KING_MOVED", "the king had moved: the right to castle is lost"
    return "CASTLING_RIGHT_LOST", "the right to castle there is lost"


def _rank_of(square: chess.Square) -> int:
    return chess.BB_RANKS[chess.square_rank(square)]


def _number_of_last_arrival(
    board: chess.Board, square: chess.Square, history: Sequence[chess.Move]
) -> int | None:
    for back, move in enumerate(reversed(history), start=1):
        if move.to_square == square:
            return (board.ply() - back) // 2 + 1
    return None


def _temporary_bar(board: chess.Board, tried: _Tried) -> tuple[str, str] | None:
    """Return what keeps king and rook from castling now (3.8.2.2)."""
    blocked = _ways(tried) & board.occupied
    if blocked:
        name = chess.square_name(chess.lsb(blocked))
        return "CASTLING_BLOCKED", f"a man stood between king and rook, on {name}"
    if board.is_check():
        return "CASTLING_IN_CHECK", "the king was in check"
    alone = board.copy(stack=False)
    alone.remove_piece_at(tried.king)
    passed = chess.SquareSet.between(tried.king, tried.king_to)
    for square in passed:
        if attacker := _attacker(alone, square):
            return "CASTLING_THROUGH_ATTACK", _attacked(square, attacker)
    alone.remove_piece_at(tried.rook)
    alone.set_piece_at(tried.rook_to, chess.Piece(chess.ROOK, board.turn))
    if attacker := _attacker(alone, tried.king_to):
        return "CASTLING_INTO_ATTACK", _attacked(tried.king_to, attacker)
    return None


def _ways(tried: _Tried) -> int:
    """Return the squares that must be empty: the ways of king and rook but for themselves."""
    ways = 0
    for origin, target in ((tried.king, tried.king_to), (tried.rook, tried.rook_to)):
        ways |= chess.between(origin, target) | chess.BB_SQUARES[target]
    return ways & ~(chess.BB_SQUARES[tried.king] | chess.BB_SQUARES[tried.rook])


def _attacker(board: chess.Board, square: chess.Square) -> str | None:
    attackers = board.attackers(not board.turn, square)
    if not attackers:
        return None
    origin = min(attackers)
    kind = board.piece_type_at(origin) or chess.PAWN
    return f"the {chess.piece_name(kind)} on {chess.square_name(origin)}"


def _attacked(square: chess.Square, attacker: str) -> str:
    return f"{chess.square_name(square)} is attacked by {attacker}"
