"""Hands that play a game on a board: what is lifted, put down and pressed, and when.

Pure and deterministic: a game, a :class:`Style` and a ``random.Random`` give a list of timed
actions in true chess squares (a1 = 0). A put sets what stands on a square, whatever stood there:
a piece slid over the border of two squares is sensed on both for a moment.

The habits are those seen in recorded games: most captures leave the target empty for no longer
than a scan, the taken piece may touch a neighbour square on its way off, sliding pieces ghost
over the squares they pass, the pawn taken en passant goes early or late.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, TypeVar

import chess

Span = tuple[float, float]
"""Shortest and longest time (s); a value between is drawn evenly."""

CaptureOrder = Literal["victim first", "swap"]
CastlingOrder = Literal["king first", "rook first", "both"]
_Habit = TypeVar("_Habit")

RESULT_SQUARES: Mapping[str, tuple[chess.Square, chess.Square]] = {
    "1-0": (chess.E4, chess.D5),
    "0-1": (chess.D4, chess.E5),
    "1/2-1/2": (chess.E4, chess.E5),
}
"""Where both kings are put to tell the result: light squares, dark squares, one of each."""


@dataclass(frozen=True, slots=True)
class Lift:
    """A piece leaves a square."""

    at: float
    square: chess.Square


@dataclass(frozen=True, slots=True)
class Put:
    """A piece comes to stand on a square."""

    at: float
    square: chess.Square
    piece: chess.Piece


@dataclass(frozen=True, slots=True)
class Press:
    """A player presses the clock."""

    at: float
    colour: chess.Color


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody stops the clock."""

    at: float


Action = Lift | Put | Press | Stop


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
        slide: chance that a piece is slid instead of carried.
        carry_off: chance that the taken piece touches a square beside the target.
        exchange_promoted: chance that the pawn is put on the last rank first.
        en_passant_late: chance that the pawn taken en passant goes last.
        early_reply: chance that the reply begins before the opponent has pressed.
        captures: weights of the orders of a capture.
        castlings: weights of the orders of castling.
    """

    think: Span = (1.0, 5.0)
    travel: Span = (0.25, 0.7)
    regrip: Span = (0.2, 0.6)
    swap: Span = (0.05, 0.2)
    dwell: Span = (0.15, 0.6)
    ghost: Span = (0.05, 0.25)
    straddle: Span = (0.0, 0.04)
    slide: float = 0.3
    carry_off: float = 0.15
    exchange_promoted: float = 0.4
    en_passant_late: float = 0.6
    early_reply: float = 0.0
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


def play(
    start: chess.Board,
    moves: Sequence[chess.Move],
    style: Style,
    rng: Random,
    *,
    begin: float = 0.0,
) -> list[Action]:
    """Play *moves* from *start*, both players in *style*; White's time runs from *begin*.

    Every move ends with a press, so the n-th press completes the n-th ply. The actions come
    in the order of their times.
    """
    board = start.copy()
    stood = pressed = begin
    actions: list[Action] = []
    for move in moves:
        at = pressed + rng.uniform(*style.think)
        if actions and rng.random() < style.early_reply:
            at = rng.uniform(stood, pressed)
        handling = Handling(board, style, rng, at=at)
        handling.move(board, move)
        actions += handling.actions
        stood = handling.at
        pressed = max(pressed, stood) + rng.uniform(*style.dwell)
        actions.append(Press(pressed, board.turn))
        board.push(move)
    return sorted(actions, key=lambda action: action.at)


def show_result(
    board: chess.Board, result: str, style: Style, rng: Random, *, at: float
) -> list[Action]:
    """Put both kings on the centre squares that tell *result*, clearing these squares first.

    Raises:
        KeyError: *result* is none that kings can tell.
    """
    handling = Handling(board, style, rng, at=at)
    handling.show_result(result)
    return handling.actions


class Handling:
    """A pair of hands over the pieces of *board*, on a time cursor ``at`` that only grows.

    The steps (:meth:`lift`, :meth:`put`, :meth:`wait`) are what a habit is composed of; what
    stands on the board in the meantime is known, so that hands never reach through a piece.
    """

    def __init__(self, board: chess.Board, style: Style, rng: Random, *, at: float) -> None:
        self.at = at
        self.actions: list[Action] = []
        self._standing = board.piece_map()
        self._style = style
        self._rng = rng

    # --- steps ----------------------------------------------------------------------------------

    def wait(self, span: Span) -> None:
        """Let a time drawn from *span* pass."""
        self.at += self._rng.uniform(*span)

    def lift(self, square: chess.Square) -> chess.Piece:
        """Take what stands on *square* away; an empty square is a mistake (``KeyError``)."""
        self.actions.append(Lift(self.at, square))
        return self._standing.pop(square)

    def put(self, square: chess.Square, piece: chess.Piece) -> None:
        """Put *piece* on *square*."""
        self.actions.append(Put(self.at, square, piece))
        self._standing[square] = piece

    # --- moves ----------------------------------------------------------------------------------

    def move(self, board: chess.Board, move: chess.Move) -> None:
        """Carry out the legal *move* in the position *board*."""
        if board.is_castling(move):
            self._castle(board, move)
        elif board.is_en_passant(move):
            self._take_en_passant(move)
        elif move.promotion is not None:
            self._promote(move, chess.Piece(move.promotion, board.turn))
        else:
            self.bring(move.from_square, move.to_square)

    def bring(
        self, origin: chess.Square, target: chess.Square, *, becomes: chess.Piece | None = None
    ) -> None:
        """Bring a piece from *origin* to *target*, taking what stands there.

        With *becomes* another piece is put down in its place.
        """
        piece = self._standing[origin]
        victim = self._standing.get(target)
        swaps = victim is not None and self._choose(self._style.captures) == "swap"
        if victim is not None and not swaps:
            self.lift(target)
            self.wait(self._style.regrip)
        sensed_on = self._approach(origin, target, may_slide=becomes is None)
        if swaps:
            self.lift(target)
            self.wait(self._style.swap)
        self.put(target, becomes or piece)
        if sensed_on is not None:
            self.wait(self._style.straddle)
            self.lift(sensed_on)
        if victim and self._chance(self._style.carry_off):
            self._carry_off(victim, target)

    def show_result(self, result: str) -> None:
        """Put both kings where they tell *result*."""
        goals = dict(zip(chess.COLORS, RESULT_SQUARES[result], strict=True))
        kings = {colour: self._king(colour) for colour in chess.COLORS}
        if any(goals[colour] == kings[not colour] for colour in chess.COLORS):
            goals = {colour: goals[not colour] for colour in chess.COLORS}
        for colour in chess.COLORS:
            if kings[colour] == goals[colour]:
                continue
            if goals[colour] in self._standing:
                self.lift(goals[colour])
                self.wait(self._style.regrip)
            king = self.lift(kings[colour])
            self.wait(self._style.travel)
            self.put(goals[colour], king)
            self.wait(self._style.regrip)

    def _castle(self, board: chess.Board, move: chess.Move) -> None:
        rank = chess.square_rank(move.from_square)
        short = board.is_kingside_castling(move)
        king = (move.from_square, chess.square(6 if short else 2, rank))
        rook = (chess.square(7 if short else 0, rank), chess.square(5 if short else 3, rank))
        order = self._choose(self._style.castlings)
        if order == "both":
            pieces = [(self.lift(origin), target) for origin, target in (king, rook)]
            self.wait(self._style.travel)
            for piece, target in pieces:
                self.put(target, piece)
                self.wait(self._style.swap)
            return
        first, second = (king, rook) if order == "king first" else (rook, king)
        self.bring(*first)
        self.wait(self._style.regrip)
        self.bring(*second)

    def _take_en_passant(self, move: chess.Move) -> None:
        victim = chess.square(
            chess.square_file(move.to_square), chess.square_rank(move.from_square)
        )
        late = self._chance(self._style.en_passant_late)
        if not late:
            self.lift(victim)
            self.wait(self._style.regrip)
        self.bring(move.from_square, move.to_square)
        if late:
            self.wait(self._style.regrip)
            self.lift(victim)

    def _promote(self, move: chess.Move, promoted: chess.Piece) -> None:
        if not self._chance(self._style.exchange_promoted):
            self.bring(move.from_square, move.to_square, becomes=promoted)
            return
        self.bring(move.from_square, move.to_square)
        self.wait(self._style.regrip)
        self.lift(move.to_square)
        self.wait(self._style.travel)
        self.put(move.to_square, promoted)

    # --- how a piece travels --------------------------------------------------------------------

    def _approach(
        self, origin: chess.Square, target: chess.Square, *, may_slide: bool
    ) -> chess.Square | None:
        """Bring the piece right before *target*; say on which square it still stands, if any."""
        passing = _between(origin, target)
        free = passing is not None and not any(square in self._standing for square in passing)
        if passing is None or not (may_slide and free and self._chance(self._style.slide)):
            self.lift(origin)
            self.wait(self._style.travel)
            return None
        sensed_on = origin
        for square in passing:
            self.put(square, self._standing[sensed_on])
            self.wait(self._style.straddle)
            self.lift(sensed_on)
            self.wait(self._style.ghost)
            sensed_on = square
        return sensed_on

    def _carry_off(self, victim: chess.Piece, target: chess.Square) -> None:
        around = chess.SquareSet(chess.BB_KING_ATTACKS[target])
        empty = [square for square in around if square not in self._standing]
        if empty:
            square = self._rng.choice(empty)
            self.wait(self._style.ghost)
            self.put(square, victim)
            self.wait(self._style.ghost)
            self.lift(square)

    # --- helpers --------------------------------------------------------------------------------

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability

    def _choose(self, weights: Mapping[_Habit, float]) -> _Habit:
        return self._rng.choices(list(weights), list(weights.values()))[0]

    def _king(self, colour: chess.Color) -> chess.Square:
        king = chess.Piece(chess.KING, colour)
        return next(square for square, piece in self._standing.items() if piece == king)


def _between(origin: chess.Square, target: chess.Square) -> list[chess.Square] | None:
    """Return the squares a piece passes on a straight line, or ``None`` if it has to jump."""
    if not chess.ray(origin, target):
        return None
    passed = list(chess.SquareSet.between(origin, target))
    return passed if origin < target else passed[::-1]
