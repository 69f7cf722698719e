"""Whether the moves of a game can be known from a stream at all.

Decided with the truth in hand: after each ply that could be seen, all legal lines are kept that
agree with the board on every square that was read rightly. The moves can be known if one line is
left. Conservative: where the search would be too large, they cannot.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import chess

from drivers.simulated.streams.sensor import BoardKind

MOST_LINES = 200
MOST_UNSEEN = 4
_SPECIAL = 2
"""Squares that castling changes beyond the two of another move."""


@dataclass(frozen=True, kw_only=True)
class Glimpse:
    """What could be seen of the board after one ply.

    ``seen``: the board could be seen at all. ``blind``: squares whose reading was wrong.
    ``emptied``: squares that were seen to change during the ply.
    """

    board: chess.Board
    seen: bool
    blind: int
    emptied: int


def why_unknowable(start: chess.Board, glimpses: list[Glimpse], kind: BoardKind) -> str:
    """Return why the moves cannot be known, or an empty text if they can."""
    lines = [start]
    unseen = 0
    for glimpse in glimpses:
        unseen += 1
        if not glimpse.seen:
            continue
        if unseen > MOST_UNSEEN:
            return f"{unseen} plies were not seen"
        lines = [line for board in lines for line in _reach(board, glimpse, unseen, kind)]
        if kind == "occupancy" and unseen == 1:
            lines = _with_seen_captures(lines, glimpse)
        if not lines:
            return "no legal line explains what was seen"
        if len(lines) > MOST_LINES:
            return f"more than {MOST_LINES} lines fit"
        positions = {(line.board_fen(), line.castling_xfen(), line.ep_square) for line in lines}
        if len(positions) < len(lines):
            return "lines that lead to the same position fit"
        unseen = 0
    if unseen:
        return "the last moves were not seen"
    return "" if len(lines) == 1 else f"{len(lines)} lines fit to the end"


def _reach(
    board: chess.Board, glimpse: Glimpse, plies: int, kind: BoardKind
) -> Iterator[chess.Board]:
    """Yield the positions after all legal lines of *plies* plies that agree with *glimpse*."""
    for move in board.legal_moves:
        then = board.copy(stack=1)
        then.push(move)
        differing = _difference(then, glimpse.board, kind) & ~glimpse.blind
        if plies == 1:
            if not differing:
                yield then
        elif differing.bit_count() <= 2 * (plies - 1) + _SPECIAL:
            yield from _reach(then, glimpse, plies - 1, kind)


def _difference(one: chess.Board, other: chess.Board, kind: BoardKind) -> int:
    if kind == "occupancy":
        return one.occupied ^ other.occupied
    differing = one.occupied_co[chess.WHITE] ^ other.occupied_co[chess.WHITE]
    differing |= one.occupied_co[chess.BLACK] ^ other.occupied_co[chess.BLACK]
    for piece_type in chess.PIECE_TYPES:
        differing |= one.pieces_mask(piece_type, chess.WHITE) ^ other.pieces_mask(
            piece_type, chess.WHITE
        )
        differing |= one.pieces_mask(piece_type, chess.BLACK) ^ other.pieces_mask(
            piece_type, chess.BLACK
        )
    return differing


def _with_seen_captures(lines: list[chess.Board], glimpse: Glimpse) -> list[chess.Board]:
    """Keep the lines whose last move went to a square that was seen to change, if any did."""
    shown = [line for line in lines if chess.BB_SQUARES[line.peek().to_square] & glimpse.emptied]
    return shown or lines
