"""Positions that only illegal moves lead to, and that nobody has noticed (FIDE Laws A.5.4).

Without full supervision the arbiter waits for one more completed move; if the position is still
illegal then, he declares the game drawn.
"""

from typing import NamedTuple

import chess

_LAST_RANKS = {chess.WHITE: chess.BB_RANK_8, chess.BLACK: chess.BB_RANK_1}


class Unnoticed(NamedTuple):
    """What is illegal about a position: both kings in check, pawns on their last rank."""

    both_kings: bool
    pawns: frozenset[chess.Square]

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the alerts that it raises; none if nothing is illegal."""
        kings = ("BOTH_KINGS_IN_CHECK",) if self.both_kings else ()
        return (*kings, "PAWN_ON_LAST_RANK") if self.pawns else kings


def unnoticed(board: chess.BaseBoard) -> Unnoticed:
    """Return what no legal game leads to in *board*, whoever is to move."""
    pawns = 0
    for colour, rank in _LAST_RANKS.items():
        pawns |= board.pieces_mask(chess.PAWN, colour) & rank
    both = all(_is_attacked(board, colour) for colour in chess.COLORS)
    return Unnoticed(both, frozenset(chess.scan_forward(pawns)))


def is_drawn(first: Unnoticed, after_next: Unnoticed) -> bool:
    """Whether what was illegal is still so after one more completed move (A.5.4).

    A player who cured his own check has ended it; another pawn on its last rank begins anew.
    """
    kings = first.both_kings and after_next.both_kings
    return kings or bool(first.pawns & after_next.pawns)


def _is_attacked(board: chess.BaseBoard, colour: chess.Color) -> bool:
    king = board.king(colour)
    return king is not None and board.is_attacked_by(not colour, king)
