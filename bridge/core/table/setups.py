"""Wrong set-ups in words: which squares are wrong, and the fewest exchanges that put them right.

Cells are in White's coordinates here. Codes and sub-codes are those of the alert catalogue,
articles those of the FIDE Laws.
"""

from collections import deque
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

import chess

from bridge.core.inference.placement import EMPTY, cells_of
from drivers.events import PIECES, UNNAMED, UNNAMED_BLACK, UNNAMED_WHITE, UNREADABLE

MOST_NAMED = 6
"""More wrong squares than this are counted, not named: the men are still being put up."""
FEWEST_MEN, MOST_MEN = 30, 34
"""So many men are a set-up: a few are missing at most, or both spare queens stand by."""
FEW_SQUARES = 4
"""With so many wrong squares it is a slip, although a Chess960 position may stand."""

SetupCode = Literal["WRONG_SETUP", "CHESS960_SETUP_MISMATCH", "BOARD_ROTATED"]
SetupReason = Literal[
    "KING_QUEEN_SWAPPED", "BISHOP_KNIGHT_SWAPPED", "WRONG_PIECE", "MISSING", "EXTRA", ""
]

_ARTICLES: dict[SetupCode, str] = {
    "WRONG_SETUP": "2.3, 7.2.1",
    "CHESS960_SETUP_MISMATCH": "II.2",
    "BOARD_ROTATED": "2.1, 7.2.2",
}
_GRAVEST_FIRST: dict[SetupReason, str] = {
    "KING_QUEEN_SWAPPED": "king and queen are exchanged",
    "BISHOP_KNIGHT_SWAPPED": "bishop and knight are exchanged",
    "WRONG_PIECE": "a wrong man stands in the array",
    "MISSING": "a square of the array is empty",
    "EXTRA": "a man stands where none belongs",
}
_NAMES = {UNNAMED: "a man", UNNAMED_WHITE: "a white man", UNNAMED_BLACK: "a black man"}
_BEHIND = (0, 1, 2, 5, 6, 7)
"""Ranks on which a man that is not on its square is still near it."""
_BACK_RANK = sorted("rnbqkbnr")
_BACK_RANKS = ((chess.A1, "White"), (chess.A8, "Black"))
_PAWNS_ONLY = EMPTY * 8 + "P" * 8 + EMPTY * 32 + "p" * 8 + EMPTY * 8
_INNER = range(8, 56)
_LIGHT = chess.SquareSet(chess.BB_LIGHT_SQUARES)


_Told = tuple[str, tuple[chess.Square, ...]]
"""What is wrong in words, and on which squares."""


class Wrong(NamedTuple):
    """A set-up that is complete and wrong: alert code, sub-code, article, squares and words.

    ``squares`` are White's. ``board`` is what stands as a position to play from if nobody puts it
    right, with the castling that is left to kings and rooks on their squares (A.5.1.2); ``None``
    where it is no position, the board cannot name men, or which castling is left is unknown
    because the position was to be drawn.
    """

    code: SetupCode
    reason: SetupReason
    article: str
    squares: tuple[chess.Square, ...]
    text: str
    rotated: bool
    board: chess.Board | None


class Exchange(NamedTuple):
    """Two squares whose men are to be exchanged, and what they show; one may be empty."""

    first: chess.Square
    second: chess.Square
    shown: tuple[str, str]


class _Fault(NamedTuple):
    reason: SetupReason
    words: str


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
    return Wrong(
        "BOARD_ROTATED", "", _ARTICLES["BOARD_ROTATED"], (), text, rotated=False, board=None
    )


def wrong_array(cells: str, array: chess.Board, wanted: str, *, rotated: bool) -> Wrong:
    """Return how *cells* differs from the one right *array*, which the board shows as *wanted*."""
    squares = tuple(_differing(cells, wanted))
    code: SetupCode = "CHESS960_SETUP_MISMATCH" if array.chess960 else "WRONG_SETUP"
    swaps, left = exchanges(cells, wanted)
    faults = [_Fault(_swapped(swap, cells, wanted), _words(swap)) for swap in swaps]
    faults += [
        _Fault(_left_wrong(cells[s], wanted[s]), needed(s, wanted[s], cells[s])) for s in left
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
    return Wrong(code, reason, _ARTICLES[code], squares, text, rotated=rotated, board=board)


def wrong_drawn(cells: str, *, rotated: bool) -> Wrong:
    """Return why *cells* is none of the 960 positions."""
    faults = drawn_faults(cells)
    squares = tuple(sorted({square for _, squares in faults for square in squares}))
    reason: SetupReason = "WRONG_PIECE"
    if any(cells[square] == EMPTY for square in squares):
        reason = "MISSING"
    elif any(cells[square] != EMPTY for square in _INNER if _PAWNS_ONLY[square] == EMPTY):
        reason = "EXTRA"
    text = drawn_in_words(cells)
    code: SetupCode = "CHESS960_SETUP_MISMATCH"
    return Wrong(code, reason, _ARTICLES[code], squares, text, rotated=rotated, board=None)


def exchanges(cells: str, wanted: str) -> tuple[list[Exchange], list[chess.Square]]:
    """Return the fewest exchanges that make *cells* more like *wanted*, and what stays wrong.

    A pair that puts two squares right at once goes first, the nearest pair of several; then the
    shortest rounds of three and more. What stays wrong needs a man that stands on no wrong square.
    """
    shown = list(cells)
    found: list[Exchange] = []
    while round_ := _nearest_pair(shown, wanted) or _shortest_round(shown, wanted):
        for first, second in pairwise(round_):
            found.append(Exchange(first, second, (shown[first], shown[second])))
            shown[first], shown[second] = shown[second], shown[first]
    return found, _differing("".join(shown), wanted)


def _differing(cells: str, wanted: str) -> list[chess.Square]:
    return [square for square in chess.SQUARES if cells[square] != wanted[square]]


def _nearest_pair(shown: list[str], wanted: str) -> list[chess.Square]:
    wrong = _differing("".join(shown), wanted)
    pairs = [
        [first, second]
        for first in wrong
        for second in wrong
        if first < second and shown[first] == wanted[second] and shown[second] == wanted[first]
    ]
    return min(pairs, key=lambda pair: chess.square_distance(*pair), default=[])


def _shortest_round(shown: list[str], wanted: str) -> list[chess.Square]:
    """Return squares of which each shows what the one before it needs, in a closed round."""
    wrong = _differing("".join(shown), wanted)
    rounds = [_round_from(start, wrong, shown, wanted) for start in wrong]
    return min(filter(None, rounds), key=len, default=[])


def _round_from(
    start: chess.Square, wrong: list[chess.Square], shown: list[str], wanted: str
) -> list[chess.Square]:
    waiting, seen = deque([[start]]), {start}
    while waiting:
        path = waiting.popleft()
        if wanted[path[-1]] == shown[start] and len(path) > 1:
            return path
        for square in wrong:
            if square not in seen and shown[square] == wanted[path[-1]]:
                seen.add(square)
                waiting.append([*path, square])
    return []


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


def _words(swap: Exchange) -> str:
    first, second = chess.square_name(swap.first), chess.square_name(swap.second)
    if EMPTY not in swap.shown:
        return f"exchange {first} and {second}"
    if swap.shown[0] == EMPTY:
        first, second = second, first
    return f"move {first} to {second}"


def needed(square: chess.Square, wanted: str, shown: str) -> str:
    """Return what must happen on a square, in words."""
    name = chess.square_name(square)
    if shown == UNREADABLE:
        return f"{name} cannot be read"
    if wanted == EMPTY:
        return f"{name} must be empty, not {shown}" if shown.isalpha() else f"{name} must be empty"
    man = _NAMES.get(wanted, wanted)
    return f"{name} needs {man}" if shown == EMPTY else f"{name} needs {man}, not {shown}"


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


# -- Chess960 ----------------------------------------------------------------------------------


@cache
def drawn_positions() -> dict[str, int]:
    """Return the number of each Chess960 start position by its cells."""
    return {cells_of(chess.Board.from_chess960_pos(number)): number for number in range(960)}


def drawn_in_words(cells: str) -> str:
    """Say what keeps *cells* from being one of the 960 positions."""
    return f"none of the 960 stands: {', '.join(words for words, _ in drawn_faults(cells))}"


def drawn_faults(cells: str) -> list[_Told]:
    """Return in words, with their squares, what keeps *cells* from being one of the 960."""
    faults: list[_Told] = [
        (needed(s, _PAWNS_ONLY[s], cells[s]), (s,)) for s in _INNER if cells[s] != _PAWNS_ONLY[s]
    ]
    if len(faults) > MOST_NAMED:
        squares = tuple(square for _, squares in faults for square in squares)
        faults = [(f"{len(faults)} squares differ", squares)]
    lacking = [
        fault
        for start, side in _BACK_RANKS
        if sorted(_own(cells, start)) != _BACK_RANK
        for fault in [_men_missing(cells, start, side)]
    ]
    if lacking:
        return faults + lacking
    for start, side in _BACK_RANKS:
        faults += _order_faults(_own(cells, start), start, side)
    unlike = [s for s in range(8) if cells[s].lower() != cells[s + chess.A8].lower()]
    if unlike:
        names = ", ".join(f"{chess.square_name(s)}" for s in unlike)
        mirrored = tuple(unlike) + tuple(s + chess.A8 for s in unlike)
        faults.append((f"the ranks 1 and 8 do not mirror each other ({names})", mirrored))
    return faults


def _own(cells: str, start: chess.Square) -> list[str]:
    """Return a first rank in small letters; the other side's men are marked."""
    white = start == chess.A1
    rank = cells[start : start + 8]
    return [man.lower() if man.isupper() == white else f"{man}!" for man in rank]


def _order_faults(own: list[str], start: chess.Square, side: str) -> list[_Told]:
    """Return what breaks the rules of II.2 on a first rank that has its men."""
    where: dict[str, list[chess.Square]] = {}
    for square, man in enumerate(own, start):
        where.setdefault(man, []).append(square)
    faults: list[_Told] = []
    bishops, (left, right), king = where["b"], where["r"], where["k"][0]
    if (bishops[0] in _LIGHT) == (bishops[1] in _LIGHT):
        words = f"{side}'s bishops stand on squares of one colour"
        faults.append((words, tuple(bishops)))
    if not left < king < right:
        faults.append((f"{side}'s king does not stand between the rooks", (left, king, right)))
    return faults


def _men_missing(cells: str, start: chess.Square, side: str) -> _Told:
    left, wrong = list(_BACK_RANK), []
    for square, man in enumerate(_own(cells, start), start):
        if man in left:
            left.remove(man)
        else:
            wrong.append(square)
    lacking = ", ".join(chess.piece_name(chess.PIECE_SYMBOLS.index(man)) for man in left)
    shown = ", ".join(
        f"{chess.square_name(s)} is empty"
        if cells[s] == EMPTY
        else f"{chess.square_name(s)} shows {cells[s]}"
        for s in wrong
    )
    return f"{side} lacks {lacking} ({shown})", tuple(wrong)


def _turned_by_quarter(cells: str) -> str:
    return "".join(cells[(7 - file) * 8 + rank] for rank in range(8) for file in range(8))


def _mirrored(cells: str) -> str:
    return "".join(cells[rank : rank + 8][::-1] for rank in range(0, 64, 8))
