"""Touch-move: which moves are left to a player who has touched men (FIDE Laws 4.3-4.5, 4.7).

Computed and kept silent: who touched what on purpose a sensor cannot tell, so an obligation is
material for the arbiter, never an offence. The classic code asks the same of the player.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import chess

from bridge.core.laws.articles import ARTICLES, Book
from bridge.core.laws.castling import KING_FILES
from bridge.core.laws.illegal import victim_square

Bound = Literal[
    "none", "pawn", "knight", "bishop", "rook", "queen", "king", "capture", "castling", "released"
]
"""What a player must do: move that man, take the touched one, castle, or leave it released."""
Breach = Literal["FIRST_MAN", "OPPONENTS_MAN", "ROOK_BEFORE_KING", "AFTER_ILLEGAL"]
"""How a move went outside the obligation, in the alert catalogue's words."""

_NAMES: dict[chess.PieceType, Bound] = {
    chess.PAWN: "pawn",
    chess.KNIGHT: "knight",
    chess.BISHOP: "bishop",
    chess.ROOK: "rook",
    chess.QUEEN: "queen",
    chess.KING: "king",
}


class Obligation(NamedTuple):
    """What the touched men leave to the player: the legal ``moves`` he may make.

    ``reason`` is a key of the articles; it is empty where nothing was touched.
    """

    bound: Bound
    moves: tuple[chess.Move, ...]
    reason: str

    @property
    def free(self) -> bool:
        """Whether any legal move may be made."""
        return self.bound == "none"

    def article_under(self, book: Book) -> str:
        """Return the articles of *book* that it rests on."""
        return ARTICLES[self.reason].under(book) if self.reason else ""


def obligation(
    board: chess.Board,
    touched: Iterable[chess.Square],
    released: chess.Square | None = None,
) -> Obligation:
    """Return what a player to move is bound to after touching the men on *touched*.

    *touched* are in the order of touching; where it is unknown, his own man is named first
    (4.3.3). On *released* he has let go of the man that he moved: if that was part of a legal
    move, another square may no longer be chosen (4.6, 4.7).
    """
    men = tuple(s for s in dict.fromkeys(touched) if board.color_at(s) is not None)
    found = (
        _castling(board, men)
        or _one_with_the_other(board, men)
        or _first_that_can(board, men)
        or Obligation("none", tuple(board.legal_moves), "no move" if men else "")
    )
    if released is None:
        return found
    own = _first_of(board, men, board.turn)
    there = tuple(
        move for move in found.moves if move.from_square == own and _lands(board, move) == released
    )
    return Obligation("released", there, "released") if there else found


def breach(
    board: chess.Board, touched: Sequence[chess.Square], move: chess.Move, *, replaces: bool = False
) -> Breach | None:
    """Return how the legal *move* is outside the obligation of *touched*, or None if it is not.

    With *replaces* it stands for an illegal move, whose men were touched (7.5.1). What is
    returned is a suspicion: touching may have been adjusting.
    """
    duty = obligation(board, touched)
    if move in duty.moves:
        return None
    if replaces:
        return "AFTER_ILLEGAL"
    if board.is_castling(move) and _rook_of(board, move) in touched:
        return "ROOK_BEFORE_KING"
    return "OPPONENTS_MAN" if duty.bound == "capture" else "FIRST_MAN"


# -- castling ----------------------------------------------------------------------------------


def _castling(board: chess.Board, men: tuple[chess.Square, ...]) -> Obligation | None:
    """Judge the king touched first and then a rook with which he might mean to castle (4.4)."""
    if len(men) < 2 or not _means_castling(board, men[0], men[1]):
        return None
    king, rook = men[:2]
    there = tuple(move for move in board.generate_castling_moves() if _rook_of(board, move) == rook)
    if there:
        return Obligation("castling", there, "king, then rook")
    moves = _moves_from(board, king)
    if moves:
        return Obligation("king", moves, "castling barred")
    # 4.4.3 binds to the king alone: the rook was touched only to castle.
    return Obligation("none", tuple(board.legal_moves), "castling barred")


def _means_castling(board: chess.Board, king: chess.Square, rook: chess.Square) -> bool:
    first = 0 if board.turn else 7
    own_king = king == board.king(board.turn) and chess.square_rank(king) == first
    rooks = board.pieces_mask(chess.ROOK, board.turn)
    if not own_king or not rooks & chess.BB_SQUARES[rook] or chess.square_rank(rook) != first:
        return False
    return board.chess960 or (
        chess.square_file(king) == 4 and chess.square_file(rook) in (0, 7)  # e, and a or h
    )


def _rook_of(board: chess.Board, move: chess.Move) -> chess.Square:
    """Return the rook that takes part in a castling *move*."""
    if board.color_at(move.to_square) == board.turn:
        return move.to_square  # noted as king takes rook
    corner = chess.H1 if chess.square_file(move.to_square) == KING_FILES[True] else chess.A1
    return corner if board.turn else corner ^ chess.A8


# -- other men ---------------------------------------------------------------------------------


def _one_with_the_other(board: chess.Board, men: tuple[chess.Square, ...]) -> Obligation | None:
    """Judge men of both colours: the first of one takes the first of the other if it can."""
    own, other = _first_of(board, men, board.turn), _first_of(board, men, not board.turn)
    if own is None or other is None:
        return None
    moves = tuple(move for move in _captures_of(board, other) if move.from_square == own)
    return Obligation("capture", moves, "men of both") if moves else None


def _first_of(
    board: chess.Board, men: tuple[chess.Square, ...], colour: chess.Color
) -> chess.Square | None:
    return next((square for square in men if board.color_at(square) == colour), None)


def _first_that_can(board: chess.Board, men: tuple[chess.Square, ...]) -> Obligation | None:
    """Bind to the first of *men* that can be moved or taken."""
    reason = _reason_of(board, men)
    for place, square in enumerate(men):
        if board.color_at(square) != board.turn:
            moves = _captures_of(board, square)
            if moves:
                return Obligation("capture", moves, reason)
            continue
        before = men[:place]
        moves = tuple(
            move
            for move in _moves_from(board, square)
            if not board.is_castling(move) or _rook_of(board, move) not in before
        )
        if moves:
            kind = board.piece_type_at(square) or chess.PAWN
            return Obligation(_NAMES[kind], moves, reason)
    return None


def _reason_of(board: chess.Board, men: tuple[chess.Square, ...]) -> str:
    colours = {board.color_at(square) for square in men}
    if len(colours) > 1:
        return "men of both"
    if colours == {not board.turn}:
        return "opponent's man"
    king = board.king(board.turn)
    rook_first = king in men and any(
        _means_castling(board, king, square) for square in men[: men.index(king)]
    )
    return "rook, then king" if rook_first else "own man"


def _moves_from(board: chess.Board, square: chess.Square) -> tuple[chess.Move, ...]:
    return tuple(board.generate_legal_moves(chess.BB_SQUARES[square]))


def _captures_of(board: chess.Board, square: chess.Square) -> tuple[chess.Move, ...]:
    """Return the legal moves that take the man on *square*, en passant included."""
    return tuple(move for move in board.legal_moves if victim_square(board, move) == square)


def _lands(board: chess.Board, move: chess.Move) -> chess.Square:
    """Return where the man that moves first is let go; a castling king, not its rook."""
    if not board.is_castling(move):
        return move.to_square
    short = _rook_of(board, move) > move.from_square
    return chess.square(KING_FILES[short], chess.square_rank(move.from_square))
