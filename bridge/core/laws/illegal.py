"""Why a completed move is illegal: what was attempted, which article it breaks, what to do.

Codes and reasons are those of the alert catalogue, articles those of the FIDE Laws in force
from 1 January 2023. The verdict needs the position before and what stands on the board; it is
asked for only after the mover completed his move and no legal line explains the board.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import chess

from bridge.core.laws.castling import judge_castling
from bridge.core.laws.naming import named
from bridge.core.laws.verdict import EMPTY, Verdict, differing, letter_at, restore

MOST_CHANGED = 6
"""Squares that differ by a move and another man's; with more no attempt can be told."""
MEN_OF_PROMOTION = "nbrq"


class _Attempt(NamedTuple):
    """One man moved from ``origin`` to ``target``; ``shown`` is what stands there now."""

    origin: chess.Square
    target: chess.Square
    shown: str

    @property
    def move(self) -> chess.Move:
        """From and to; :func:`_move_of` adds the letter of a piece that a pawn became."""
        return chess.Move(self.origin, self.target)


def judge(board: chess.Board, cells: str, history: Sequence[chess.Move] = ()) -> Verdict | None:
    """Return why *cells* is no legal result of one move, or None if no single move explains it.

    *history* are the moves that led to *board*, where they are known: a lost right to castle is
    explained by them. Men that the board cannot name are named by the move they made.
    """
    cells = named(board, cells)
    if legal_move(board, cells) is not None:
        return None
    castling = judge_castling(board, cells, history)
    if castling is not None:
        return castling
    attempt = _single_attempt(board, cells)
    if attempt is not None:
        return _judge_attempt(board, attempt, cells)
    return _wrong_side(board, cells) or _extra_change(board, cells)


def judge_man(board: chess.Board, move: chess.Move, cells: str) -> Verdict:
    """Return why the man that went by the illegal *move* of the side to move may not go there.

    *cells* are what stands after it; they need not tell that the man moved, as when he took one
    of his own kind and colour.
    """
    attempt = _Attempt(move.from_square, move.to_square, cells[move.to_square])
    return _judge_attempt(board, attempt, cells)


def victim_square(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Return the square of the man that the pseudo-legal *move* takes, or None."""
    if board.is_en_passant(move):
        return _passed(board, move.to_square)
    return move.to_square if board.color_at(move.to_square) == (not board.turn) else None


def _moves_between(board: chess.Board, squares: list[chess.Square]) -> Iterator[chess.Move]:
    """Yield the legal moves that change no squares but *squares*, and some that do."""
    mask = sum(chess.BB_SQUARES[square] for square in squares)
    enemy_king = board.kings & board.occupied_co[not board.turn]
    targets = (mask | board.castling_rights) & ~enemy_king
    yield from board.generate_legal_moves(mask | board.kings, targets)


def legal_move(board: chess.Board, cells: str) -> chess.Move | None:
    """Return the legal move that leads to *cells*; taking a king is none."""
    changed = differing(board, cells)
    if len(changed) > MOST_CHANGED:
        return None
    for move in _moves_between(board, changed):
        if not differing(_after(board, move), cells):
            return move
    return None


def _after(board: chess.Board, move: chess.Move) -> chess.Board:
    after = board.copy(stack=False)
    after.push(move)
    return after


# -- one man -----------------------------------------------------------------------------------


def _single_attempt(board: chess.Board, cells: str) -> _Attempt | None:
    """Return the one move of a man of the side to move that *cells* differs by, if it is one."""
    changed = differing(board, cells)
    origins = [s for s in changed if board.color_at(s) == board.turn and cells[s] == EMPTY]
    targets = [s for s in changed if cells[s] != EMPTY]
    if len(origins) != 1 or len(targets) != 1:
        return None
    origin, target = origins[0], targets[0]
    if any(not _en_passant_victim(board, s, target) for s in set(changed) - {origin, target}):
        return None
    if cells[target] == letter_at(board, origin) or _on_last_rank(board, origin, target):
        return _Attempt(origin, target, cells[target])
    return None


def _en_passant_victim(board: chess.Board, square: chess.Square, target: chess.Square) -> bool:
    victim = board.piece_at(square)
    if victim is None or victim.piece_type != chess.PAWN or victim.color == board.turn:
        return False
    return square == _passed(board, target)


def _on_last_rank(board: chess.Board, origin: chess.Square, target: chess.Square) -> bool:
    last = 7 if board.turn else 0
    return board.piece_type_at(origin) == chess.PAWN and chess.square_rank(target) == last


def _judge_attempt(board: chess.Board, attempt: _Attempt, cells: str) -> Verdict:
    tried = _san_tried(board, attempt)
    if board.piece_type_at(attempt.target) == chess.KING and _takes(board, attempt):
        return _king_captured(board, attempt, tried)
    if _on_last_rank(board, attempt.origin, attempt.target):
        verdict = _promotion(board, attempt, tried)
        if verdict is not None:
            return verdict
    if _is_en_passant_try(board, attempt, cells):
        return _en_passant(board, attempt, tried)
    if board.is_pseudo_legal(attempt.move) or _promotes(board, attempt.move):
        return _king_in_check(board, attempt, tried)
    return _bad_geometry(board, attempt, tried)


def _takes(board: chess.Board, attempt: _Attempt) -> bool:
    return board.color_at(attempt.target) == (not board.turn)


def _king_captured(board: chess.Board, attempt: _Attempt, tried: str) -> Verdict:
    square = chess.square_name(attempt.target)
    return Verdict(
        "KING_CAPTURED", "KING_CAPTURED",
        f"the king on {square} was taken; before that it was left in check", tried,
        restore(board), _move_of(board, attempt),
    )  # fmt: skip


def _promotes(board: chess.Board, move: chess.Move) -> bool:
    return board.is_pseudo_legal(chess.Move(move.from_square, move.to_square, chess.QUEEN))


def _is_promoted(board: chess.Board, attempt: _Attempt) -> bool:
    return attempt.shown.isupper() == board.turn and attempt.shown.lower() in MEN_OF_PROMOTION


def _move_of(board: chess.Board, attempt: _Attempt) -> chess.Move:
    """Return the attempt as a move, with the letter of the piece that a pawn became."""
    if _on_last_rank(board, attempt.origin, attempt.target) and _is_promoted(board, attempt):
        kind = chess.PIECE_SYMBOLS.index(attempt.shown.lower())
        return chess.Move(attempt.origin, attempt.target, kind)
    return attempt.move


def _promotion(board: chess.Board, attempt: _Attempt, tried: str) -> Verdict | None:
    """Judge what stands on the square of promotion, where the pawn itself may go there."""
    legal = board.is_legal(chess.Move(attempt.origin, attempt.target, chess.QUEEN))
    if not legal or _is_promoted(board, attempt):
        return None
    square = chess.square_name(attempt.target)
    if attempt.shown == letter_at(board, attempt.origin):
        return Verdict(
            "PROMOTION_NOT_REPLACED", "PROMOTION_NOT_REPLACED",
            f"the pawn on {square} was not replaced before the clock was pressed", tried,
            f"the pawn becomes a queen on {square}; the opponent gets the additional time",
            attempt.move,
        )  # fmt: skip
    return Verdict(
        "PROMOTION_INVALID", "PROMOTION_BAD_PIECE",
        f"a pawn cannot become what stands on {square}", tried,
        "restore the position before; the pawn must promote to a piece of its own colour",
        attempt.move,
    )  # fmt: skip


def _is_en_passant_try(board: chess.Board, attempt: _Attempt, cells: str) -> bool:
    """Whether it was legal but for the pawn still standing, or a pawn was taken without right."""
    if not _is_diagonal_to_empty(board, attempt):
        return False
    if board.is_pseudo_legal(attempt.move):
        return board.is_legal(attempt.move)
    passed = _passed(board, attempt.target)
    return cells[passed] != letter_at(board, passed)


def _is_diagonal_to_empty(board: chess.Board, attempt: _Attempt) -> bool:
    """Whether a pawn stepped diagonally to an empty square; on the edge ranks nothing is passed."""
    sideways = chess.square_file(attempt.origin) != chess.square_file(attempt.target)
    return (
        board.piece_type_at(attempt.origin) == chess.PAWN
        and sideways
        and chess.square_distance(attempt.origin, attempt.target) == 1
        and board.piece_at(attempt.target) is None
        and 0 <= _passed(board, attempt.target) < len(chess.SQUARES)
    )


def _passed(board: chess.Board, target: chess.Square) -> chess.Square:
    """Return the square of the pawn that is taken by a pawn going to *target*."""
    return target - 8 if board.turn else target + 8


def _en_passant(board: chess.Board, attempt: _Attempt, tried: str) -> Verdict:
    if board.is_legal(attempt.move):
        victim = chess.square_name(_passed(board, attempt.target))
        return Verdict(
            "EN_PASSANT_INCOMPLETE", "EP_PAWN_NOT_REMOVED",
            f"the pawn on {victim} was not removed", tried, f"remove the pawn on {victim}",
            attempt.move,
        )  # fmt: skip
    return Verdict(
        "EN_PASSANT_ILLEGAL", "EP_NOT_AVAILABLE",
        "no pawn may be taken en passant there", tried, restore(board), attempt.move,
    )  # fmt: skip


def _king_in_check(board: chess.Board, attempt: _Attempt, tried: str) -> Verdict:
    if board.piece_type_at(attempt.origin) == chess.KING:
        enemy = board.king(not board.turn)
        if enemy is not None and chess.square_distance(enemy, attempt.target) <= 1:
            reason, text = "KINGS_ADJACENT", "the kings would stand beside each other"
        else:
            reason, text = "KING_INTO_CHECK", "the king was moved into check"
    elif board.is_check():
        reason, text = "KING_LEFT_IN_CHECK", "the king was left in check"
    else:
        reason, text = "KING_EXPOSED", "the move exposes its own king"
    return Verdict(
        "KING_LEFT_IN_CHECK", reason, text, tried, restore(board),
        _move_of(board, attempt),
    )  # fmt: skip


def _bad_geometry(board: chess.Board, attempt: _Attempt, tried: str) -> Verdict:
    man = letter_at(board, attempt.origin)
    square = chess.square_name(attempt.target)
    if board.color_at(attempt.target) == board.turn:
        reason, text = "OWN_PIECE_ON_TARGET", f"a man of the same colour stood on {square}"
    elif man in "Pp":
        reason, text = "PAWN_GEOMETRY", f"the pawn cannot go to {square}"
    elif _alone_reaches(man, attempt):
        reason, text = "PATH_BLOCKED", f"the way to {square} is blocked"
    else:
        name = chess.piece_name(chess.Piece.from_symbol(man).piece_type)
        reason, text = "GEOMETRY", f"the {name} does not move to {square} like that"
    return Verdict(
        "ILLEGAL_MOVE", reason, text, tried, restore(board),
        _move_of(board, attempt),
    )  # fmt: skip


def _alone_reaches(man: str, attempt: _Attempt) -> bool:
    alone = chess.BaseBoard(None)
    alone.set_piece_at(attempt.origin, chess.Piece.from_symbol(man))
    return bool(alone.attacks_mask(attempt.origin) & chess.BB_SQUARES[attempt.target])


# -- more than one man, or another's -----------------------------------------------------------


def _wrong_side(board: chess.Board, cells: str) -> Verdict | None:
    other = board.copy(stack=False)
    other.turn = not board.turn
    other.ep_square = None
    move = legal_move(other, cells)
    if move is not None:
        tried = other.san(move)
    else:
        attempt = _single_attempt(other, cells)
        if attempt is None or not other.is_pseudo_legal(attempt.move):
            return None
        move, tried = attempt.move, _san_tried(other, attempt)
    side = "White" if other.turn else "Black"
    return Verdict(
        "WRONG_SIDE_MOVED", "WRONG_SIDE",
        f"{side} moved although it was not {side}'s turn", tried, restore(board), move,
    )  # fmt: skip


def _extra_change(board: chess.Board, cells: str) -> Verdict | None:
    """Judge a legal move with which another man of the mover went to another square.

    An opponent's man that stands elsewhere is not the mover's second move: it was knocked over,
    or the reply has begun.
    """
    found = legal_parts(board, cells)
    if not found:
        return None
    move, (origin, target) = found[0]
    man = chess.piece_name(board.piece_type_at(origin) or chess.PAWN)
    text = f"with the move the {man} of {chess.square_name(origin)} went to "
    return Verdict(
        "ILLEGAL_MOVE", "EXTRA_CHANGE", text + chess.square_name(target),
        " and ".join(board.san(move) for move, _ in found), restore(board),
        move if len(found) == 1 else None,
    )  # fmt: skip


def legal_parts(
    board: chess.Board, cells: str
) -> list[tuple[chess.Move, tuple[chess.Square, chess.Square]]]:
    """Return the legal moves that are in *cells* beside one more man that went elsewhere.

    With each come the squares from which and to which that man went.
    """
    changed = differing(board, cells)
    if len(changed) > MOST_CHANGED:
        return []
    found = []
    for move in _moves_between(board, changed):
        moved = _displaced(board, _after(board, move), cells)
        if moved is not None:
            found.append((move, moved))
    return found


def _displaced(
    board: chess.Board, after: chess.Board, cells: str
) -> tuple[chess.Square, chess.Square] | None:
    """Return from where and to where one more man went, if nothing else differs from *after*.

    It is a man of the mover that the move did not touch, on a square that was empty.
    """
    rest = differing(after, cells)
    if len(rest) != 2:
        return None
    origin, target = rest if cells[rest[0]] == EMPTY else reversed(rest)
    man = letter_at(board, origin) if board.color_at(origin) == board.turn else EMPTY
    went = cells[origin] == EMPTY and letter_at(after, origin) == man
    came = cells[target] == man and after.piece_at(target) is None
    return (origin, target) if went and came else None


def _san_tried(board: chess.Board, attempt: _Attempt) -> str:
    """Return the attempted move in short notation, without any claim that it is legal."""
    piece_type = board.piece_type_at(attempt.origin) or chess.PAWN
    captures = board.piece_at(attempt.target) is not None
    target = chess.square_name(attempt.target)
    if piece_type == chess.PAWN:
        sideways = chess.square_file(attempt.origin) != chess.square_file(attempt.target)
        return f"{chess.square_name(attempt.origin)[0]}x{target}" if sideways else target
    return f"{chess.piece_symbol(piece_type).upper()}{'x' if captures else ''}{target}"
