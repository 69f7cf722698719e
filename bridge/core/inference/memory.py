"""What the engine keeps in mind of moves: how long they stood, and what may still be doubted."""

from typing import NamedTuple

import chess

from bridge.core.inference.findings import Basis
from bridge.core.inference.lines import Line, Position, lines_to


class Stood(NamedTuple):
    """A candidate and the time for which the board showed exactly it."""

    move: chess.Move
    position: Position
    since: float
    until: float


class Last(NamedTuple):
    """The last settled move: where it came from, what settled it and when, and its press."""

    before: Position
    move: chess.Move
    basis: Basis
    at: float
    pressed: float | None


class Entered:
    """A settled move that may yet turn out to have been another one by the same hand.

    ``rest`` is the longest time for which the board showed exactly the position after it.
    """

    __slots__ = ("before", "move", "rest")

    def __init__(self, before: Position, move: chess.Move, rest: float) -> None:
        self.before = before
        self.move = move
        self.rest = rest


class Bridged(NamedTuple):
    """Where the last gap began, and how many plies were settled since."""

    base: Position
    plies: int


def same_hand(board: chess.Board, played: chess.Move, shown: chess.Move) -> bool:
    """Whether *shown* is what became of *played*: the same man, or castling after its rook."""
    if played.from_square == shown.from_square:
        return True
    return board.is_castling(shown) and board.piece_type_at(played.from_square) == chess.ROOK


def by_same_hands(base: Position, cells: str, plies: int, doubted: list[Entered]) -> list[Line]:
    """Return the lines in which every doubted move is made by the man that was seen to move."""
    return [
        line
        for line in lines_to(base, cells, plies)
        if all(
            same_hand(each.before.board, each.move, move)
            for each, move in zip(doubted, line, strict=False)
        )
    ]
