"""Set-ups: what stands before the first move, and in words what is wrong with it.

Cells are in White's coordinates here unless said otherwise. Codes and sub-codes are those of the
alert catalogue.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import chess

from bridge.core.laws.articles import ARTICLES, Book
from bridge.core.laws.drawn import (
    INNER,
    MOST_NAMED,
    PAWNS_ONLY,
    drawn_faults,
    drawn_in_words,
    drawn_positions,
)
from bridge.core.laws.exchanges import (
    Exchange,
    differing_squares,
    exchange_in_words,
    exchanges,
    needed,
)
from bridge.core.laws.verdict import EMPTY
from drivers.cells import cells_of
from drivers.events import PIECES

FEWEST_MEN, MOST_MEN = 30, 34
"""So many men are a set-up: a few are missing at most, or both spare queens stand by."""
FEW_SQUARES = 4
"""With so many wrong squares it is a slip, although a Chess960 position may stand."""

SetupCode = Literal["WRONG_SETUP", "CHESS960_SETUP_MISMATCH", "BOARD_ROTATED"]
Standing = Literal[
    "OK",
    "CHESS960_OK",
    "BOARD_ORIENTATION_AUTO",
    "CASTLING_LOST_BY_SETUP",
    "NOT_READY_AT_START",
    SetupCode,
]
"""What a set-up is: right, right from the other seat, a wrong one that stands, or none yet."""
SetupReason = Literal[
    "KING_QUEEN_SWAPPED", "BISHOP_KNIGHT_SWAPPED", "WRONG_PIECE", "MISSING", "EXTRA", ""
]

_GRAVEST_FIRST: dict[SetupReason, str] = {
    "KING_QUEEN_SWAPPED": "king and queen are exchanged",
    "BISHOP_KNIGHT_SWAPPED": "bishop and knight are exchanged",
    "WRONG_PIECE": "a wrong man stands in the array",
    "MISSING": "a square of the array is empty",
    "EXTRA": "a man stands where none belongs",
}
_SWAPPED = ("KING_QUEEN_SWAPPED", "BISHOP_KNIGHT_SWAPPED")
_BEHIND = (0, 1, 2, 5, 6, 7)
"""Ranks on which a man that is not on its square is still near it."""


class Wrong(NamedTuple):
    """A set-up that is complete and wrong: alert code, gravest sub-code, squares and words.

    ``kinds`` are all sub-codes, each with the side or the squares it is of; ``swaps`` the fewest
    exchanges that put right what stands on wrong squares. ``squares`` are White's. ``board`` is
    what stands as a position to play from if nobody puts it right, with the castling that is left
    to kings and rooks on their squares (A.5.1.2); ``None`` where it is no position, the board
    cannot name men, or which castling is left is unknown because the position was to be drawn.
    """

    code: SetupCode
    reason: SetupReason
    squares: tuple[chess.Square, ...]
    text: str
    rotated: bool
    board: chess.Board | None
    kinds: tuple[str, ...] = ()
    swaps: tuple[Exchange, ...] = ()

    @property
    def article(self) -> str:
        """The articles of FIDE's Laws that it rests on."""
        return self.article_under("fide")

    def article_under(self, book: Book) -> str:
        """Return the articles of *book* that it rests on."""
        return ARTICLES[self.code].under(book)


class Classified(NamedTuple):
    """What a set-up is; ``castling`` is the FEN field of rights if it is played from."""

    setup: Standing
    wrong: Wrong | None = None
    castling: str = ""


class _Fault(NamedTuple):
    reason: SetupReason
    words: str
    squares: tuple[chess.Square, ...]


def classify(cells: str, array: chess.Board | None, *, claimable: bool = True) -> Classified:
    """Return what the set-up *cells*, as the board numbers its squares, is.

    *array* is the position games start from, None for any of the 960. *claimable* is false once
    the Laws let a wrong set-up stand (A.5.1.2: after ten moves of each player); a king or rook
    that stood wrong has lost its castling then.
    """
    if array is None:
        is_array, wanted = drawn_positions().__contains__, PAWNS_ONLY
    else:
        wanted = cells_of(array)
        is_array = wanted.__eq__
    if is_array(cells):
        return Classified(_right(array), castling=_castling_field(array))
    if is_array(cells[::-1]):
        return Classified("BOARD_ORIENTATION_AUTO", castling=_castling_field(array))
    if quarter_turned(cells, is_array):
        return Classified("BOARD_ROTATED", board_rotated())
    rotated = _unlike(cells[::-1], wanted) < _unlike(cells, wanted)
    seen = cells[::-1] if rotated else cells
    if not is_set_up(seen, cells_of(array or chess.Board())):
        return Classified("NOT_READY_AT_START")
    if array is None:
        wrong = wrong_drawn(seen, rotated=rotated)
    else:
        wrong = wrong_array(seen, array, wanted, rotated=rotated)
    if claimable or wrong.board is None:
        return Classified(wrong.code, wrong)
    return Classified("CASTLING_LOST_BY_SETUP", wrong, _castling_field(wrong.board))


def _right(array: chess.Board | None) -> Standing:
    return "CHESS960_OK" if array is None or array.chess960 else "OK"


def _castling_field(board: chess.Board | None) -> str:
    return "KQkq" if board is None else board.castling_xfen()


def _unlike(cells: str, wanted: str) -> int:
    return len(differing_squares(cells, wanted))


def is_set_up(cells: str, wanted: str) -> bool:
    """Whether *cells* is a set-up that somebody may take for done: most men, near their squares.

    A man in the middle while its square is empty was moved there; a spare man may lie anywhere.
    """
    if not FEWEST_MEN <= len(cells) - cells.count(EMPTY) <= MOST_MEN:
        return False
    away = [s for s, man in enumerate(cells) if man != EMPTY and wanted[s] == EMPTY]
    empty = any(man == EMPTY and wanted[s] != EMPTY for s, man in enumerate(cells))
    return not empty or all(chess.square_rank(square) in _BEHIND for square in away)


def quarter_turned(cells: str, is_array: Callable[[str], bool]) -> bool:
    """Whether an array, or its mirror image, stands on the files a, b, g and h."""
    quarter = _turned_by_quarter(cells)
    return any(is_array(seen) or is_array(_mirrored(seen)) for seen in (quarter, quarter[::-1]))


def board_rotated() -> Wrong:
    """Return the finding for an array that stands a quarter turn."""
    text = "the board lies a quarter turn: the men stand on the files a, b, g and h"
    return Wrong("BOARD_ROTATED", "", (), text, rotated=False, board=None)


def wrong_array(cells: str, array: chess.Board, wanted: str, *, rotated: bool) -> Wrong:
    """Return how *cells* differs from the one right *array*, which the board shows as *wanted*."""
    squares = tuple(differing_squares(cells, wanted))
    code: SetupCode = "CHESS960_SETUP_MISMATCH" if array.chess960 else "WRONG_SETUP"
    swaps, left = exchanges(cells, wanted)
    faults = [
        _Fault(_swapped(swap, cells, wanted), exchange_in_words(swap), (swap.first, swap.second))
        for swap in swaps
    ]
    faults += [
        _Fault(_left_wrong(cells[s], wanted[s]), needed(s, wanted[s], cells[s]), (s,)) for s in left
    ]
    reasons = {fault.reason for fault in faults}
    reason = next(reason for reason in _GRAVEST_FIRST if reason in reasons)
    many = len(squares) > FEW_SQUARES and not array.chess960
    number = drawn_positions().get(cells) if many else None
    prefix = "" if number is None else f"position {number} of Chess960 stands: "
    words = ", ".join(fault.words for fault in faults[:MOST_NAMED])
    more = f" and {len(faults) - MOST_NAMED} more" if len(faults) > MOST_NAMED else ""
    text = f"{prefix}{_GRAVEST_FIRST[reason]}: {words}{more}"
    board = _as_it_stands(cells, array)
    kinds = _kinds(faults, cells, wanted)
    return Wrong(code, reason, squares, text, rotated, board, kinds, tuple(swaps))


def _kinds(faults: list[_Fault], cells: str, wanted: str) -> tuple[str, ...]:
    """Return the sub-codes, the gravest first, each with its side or its squares.

    A man that stands beside its square leaves one empty and fills one where none belongs.
    """
    where: dict[SetupReason, set[chess.Square]] = {}
    for fault in faults:
        pair = fault.reason in _SWAPPED
        for square in fault.squares:
            reason = fault.reason if pair else _left_wrong(cells[square], wanted[square])
            where.setdefault(reason, set()).add(square)
    return tuple(
        f"{reason} {_side_of(where[reason]) if reason in _SWAPPED else _names_of(where[reason])}"
        for reason in _GRAVEST_FIRST
        if reason in where
    )


def _side_of(squares: set[chess.Square]) -> str:
    whites = {square < chess.A5 for square in squares}
    return "both" if len(whites) > 1 else "white" if True in whites else "black"


def _names_of(squares: set[chess.Square]) -> str:
    return " ".join(chess.square_name(square) for square in sorted(squares))


def wrong_drawn(cells: str, *, rotated: bool) -> Wrong:
    """Return why *cells* is none of the 960 positions."""
    faults = drawn_faults(cells)
    squares = tuple(sorted({square for _, squares in faults for square in squares}))
    reason: SetupReason = "WRONG_PIECE"
    if any(cells[square] == EMPTY for square in squares):
        reason = "MISSING"
    elif any(cells[square] != EMPTY for square in INNER if PAWNS_ONLY[square] == EMPTY):
        reason = "EXTRA"
    text = drawn_in_words(cells)
    code: SetupCode = "CHESS960_SETUP_MISMATCH"
    kinds = (f"{reason} {_names_of(set(squares))}",)
    return Wrong(code, reason, squares, text, rotated, board=None, kinds=kinds)


def _swapped(swap: Exchange, cells: str, wanted: str) -> SetupReason:
    """Return the sub-code of an exchange; only of a pair is it said that two men are exchanged."""
    men = "".join(sorted(man.lower() for man in swap.shown))
    if EMPTY in men:
        return "MISSING"
    pair = swap.shown == (cells[swap.first], cells[swap.second])
    pair = pair and swap.shown == (wanted[swap.second], wanted[swap.first])
    if pair and swap.shown[0].isupper() == swap.shown[1].isupper():
        if men == "kq":
            return "KING_QUEEN_SWAPPED"
        if men == "bn":
            return "BISHOP_KNIGHT_SWAPPED"
    return "WRONG_PIECE"


def _left_wrong(shown: str, wanted: str) -> SetupReason:
    if shown == EMPTY:
        return "MISSING"
    return "EXTRA" if wanted == EMPTY else "WRONG_PIECE"


def _as_it_stands(cells: str, array: chess.Board) -> chess.Board | None:
    """Return *cells* as a position; a king or rook that stands wrong may not castle."""
    if not set(cells) <= {EMPTY, *PIECES}:
        return None
    board = chess.Board(None, chess960=array.chess960)
    for square, letter in enumerate(cells):
        if letter != EMPTY:
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = array.turn
    board.castling_rights = array.castling_rights
    for colour, rank in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8)):
        if board.king(colour) != array.king(colour):
            board.castling_rights &= ~rank
    board.castling_rights = board.clean_castling_rights()
    return board if board.is_valid() else None


def _turned_by_quarter(cells: str) -> str:
    return "".join(cells[(7 - file) * 8 + rank] for rank in range(8) for file in range(8))


def _mirrored(cells: str) -> str:
    return "".join(cells[rank : rank + 8][::-1] for rank in range(0, 64, 8))
