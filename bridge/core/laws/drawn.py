"""Start positions of Chess960: all 960, and what keeps men from being one of them (II.2)."""

from functools import cache

import chess

from bridge.core.laws.exchanges import needed
from bridge.core.laws.verdict import EMPTY
from drivers.cells import cells_of

MOST_NAMED = 6
"""More wrong squares than this are counted, not named: the men are still being put up."""
_BACK_RANK = sorted("rnbqkbnr")
_BACK_RANKS = ((chess.A1, "White"), (chess.A8, "Black"))
PAWNS_ONLY = EMPTY * 8 + "P" * 8 + EMPTY * 32 + "p" * 8 + EMPTY * 8
INNER = range(8, 56)
_LIGHT = chess.SquareSet(chess.BB_LIGHT_SQUARES)


_Told = tuple[str, tuple[chess.Square, ...]]
"""What is wrong in words, and on which squares."""


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
        (needed(s, PAWNS_ONLY[s], cells[s]), (s,)) for s in INNER if cells[s] != PAWNS_ONLY[s]
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
