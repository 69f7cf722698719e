"""How people handle pieces.

The habits are those seen in recorded games: most captures leave the target empty for no longer
than a scan, the taken piece may touch a neighbour square on its way off, sliding pieces ghost
over the squares they pass, the pawn taken en passant goes early or late.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Span = tuple[float, float]
"""Shortest and longest time (s); a value between is drawn evenly."""

CaptureOrder = Literal["victim first", "attacker first", "swap"]
CastlingOrder = Literal["king first", "rook first", "both"]


@dataclass(frozen=True, kw_only=True)
class Style:
    """How people handle pieces: spans in seconds, chances from 0 to 1, habits with weights.

    Attributes:
        think: from the opponent's press to the first lift.
        travel: from a lift to the put.
        regrip: between two pieces of one move.
        swap: from taking the victim off to putting the attacker in its place.
        dwell: from the last put to the press.
        ghost: how long a slid piece is on a square it passes.
        straddle: how long a slid piece is sensed on two squares at once.
        dawdling: between the halves of a castling, an exchange or a capture en passant, when
            the player dawdles.
        slide: chance that a piece is slid instead of carried.
        carry_off: chance that the taken piece touches a square beside the target.
        exchange_promoted: chance that the pawn is put on the last rank first.
        en_passant_late: chance that the pawn taken en passant goes last.
        early_reply: chance that the reply begins before the opponent has pressed.
        dawdle: chance that the second half of a move in two halves comes late.
        captures: weights of the orders of a capture. With *attacker first* the attacker is in
            the hand while the victim is put aside, with *swap* it is down at once.
        castlings: weights of the orders of castling.
    """

    think: Span = (1.0, 5.0)
    travel: Span = (0.25, 0.7)
    regrip: Span = (0.2, 0.6)
    swap: Span = (0.05, 0.2)
    dwell: Span = (0.15, 0.6)
    ghost: Span = (0.05, 0.25)
    straddle: Span = (0.0, 0.04)
    dawdling: Span = (0.8, 3.0)
    slide: float = 0.3
    carry_off: float = 0.15
    exchange_promoted: float = 0.4
    en_passant_late: float = 0.6
    early_reply: float = 0.0
    dawdle: float = 0.0
    captures: Mapping[CaptureOrder, float] = field(
        default_factory=lambda: {"victim first": 0.35, "swap": 0.65}
    )
    castlings: Mapping[CastlingOrder, float] = field(
        default_factory=lambda: {"king first": 0.7, "rook first": 0.1, "both": 0.2}
    )


BLITZ = Style(
    think=(0.02, 0.9),
    travel=(0.12, 0.35),
    regrip=(0.1, 0.3),
    swap=(0.03, 0.1),
    dwell=(0.15, 0.3),
    ghost=(0.03, 0.1),
    slide=0.4,
)
"""Fast replies: the next piece is in the hand as soon as the clock has been pressed."""
