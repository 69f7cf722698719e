"""A pair of hands: the steps every habit is composed of, and the moves of the game."""

from collections.abc import Mapping, MutableMapping, Sequence
from random import Random
from typing import TypeVar

import chess

from drivers.simulated.hands.actions import Lift, Put
from drivers.simulated.hands.style import Span, Style

RESULT_SQUARES: Mapping[str, tuple[chess.Square, chess.Square]] = {
    "1-0": (chess.E4, chess.D5),
    "0-1": (chess.D4, chess.E5),
    "1/2-1/2": (chess.E4, chess.E5),
}
"""Where the white and the black king are put to tell the result: light squares, dark squares,
one of each."""

_Habit = TypeVar("_Habit", bound=str)


class Handling:
    """A pair of hands over *standing* pieces, on a time cursor ``at`` that only grows.

    *standing* is changed as the hands work, so that they never reach through a piece and the
    next hands find what these left. ``rested`` is when the last piece of the last move came to
    rest, ``how`` names the habits that were followed.
    """

    def __init__(
        self,
        standing: MutableMapping[chess.Square, chess.Piece],
        style: Style,
        rng: Random,
        *,
        at: float,
    ) -> None:
        self.at = at
        self.rested = at
        self.actions: list[Lift | Put] = []
        self.how: list[str] = []
        self.standing = standing
        self._style = style
        self._rng = rng

    # --- steps ----------------------------------------------------------------------------------

    def wait(self, span: Span) -> None:
        """Let a time drawn from *span* pass."""
        self.at += self._rng.uniform(*span)

    def lift(self, square: chess.Square) -> chess.Piece:
        """Take what stands on *square* away; an empty square is a mistake (``KeyError``)."""
        self.actions.append(Lift(self.at, square))
        return self.standing.pop(square)

    def put(self, square: chess.Square, piece: chess.Piece) -> None:
        """Put *piece* on *square*."""
        self.actions.append(Put(self.at, square, piece))
        self.standing[square] = piece

    # --- moves ----------------------------------------------------------------------------------

    def move(self, board: chess.Board, move: chess.Move) -> None:
        """Carry out *move*, legal or not, in the position *board*."""
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
        piece = self.standing[origin]
        victim = self.standing.get(target)
        order = self._choose(self._style.captures) if victim else None
        if order == "victim first":
            self.lift(target)
            self.wait(self._style.regrip)
        sensed_on = self._approach(origin, target, may_slide=becomes is None)
        if order in ("attacker first", "swap"):
            self.lift(target)
            self.wait(self._style.swap if order == "swap" else self._style.regrip)
        self.put(target, becomes or piece)
        if sensed_on is not None:
            self.wait(self._style.straddle)
            self.lift(sensed_on)
        self.rested = self.at
        if order is not None:
            self.how.append("swap capture" if order == "swap" else order)
        if victim and self._chance(self._style.carry_off):
            self._carry_off(victim, target)

    def snatch(self, origin: chess.Square, target: chess.Square, *, free_at: float) -> None:
        """Take a piece while the opponent's hand is still on the board, put it down after.

        *free_at* is when the opponent's hand has gone.
        """
        piece = self.lift(origin)
        self.wait(self._style.travel)
        self.at = max(self.at, free_at)
        self.wait(self._style.swap)
        if target in self.standing:
            self.lift(target)
            self.wait(self._style.swap)
            self.how.append("swap capture")
        self.put(target, piece)
        self.rested = self.at

    def restore(self, goal: Mapping[chess.Square, chess.Piece], *, pace: Span) -> None:
        """Bring the pieces to where *goal* has them, one after another in any order.

        A piece goes straight to a square that waits for its like; the others leave the board
        first and missing ones come last.
        """
        wrong = [square for square, piece in self.standing.items() if goal.get(square) != piece]
        self._rng.shuffle(wrong)
        for square in wrong:
            piece = self.lift(square)
            self.wait(pace)
            free = (to for to, wanted in goal.items() if wanted == piece)
            target = next((to for to in free if to not in self.standing), None)
            if target is not None:
                self.put(target, piece)
                self.wait(pace)
        missing = [square for square in goal if square not in self.standing]
        self._rng.shuffle(missing)
        for square in missing:
            self.put(square, goal[square])
            self.wait(pace)
        self.rested = self.at

    def show_result(self, white: chess.Square, black: chess.Square) -> None:
        """Put the kings on the squares *white* and *black*, taking away what stands there.

        A king that stands on the other's square already stays: the pair tells the same.
        """
        kings = {colour: self._king(colour) for colour in chess.COLORS}
        goals = {chess.WHITE: white, chess.BLACK: black}
        if any(goals[colour] == kings[not colour] for colour in chess.COLORS):
            goals = {chess.WHITE: black, chess.BLACK: white}
        for colour in chess.COLORS:
            if kings[colour] == goals[colour]:
                continue
            if goals[colour] in self.standing:
                self.lift(goals[colour])
                self.wait(self._style.regrip)
            king = self.lift(kings[colour])
            self.wait(self._style.travel)
            self.put(goals[colour], king)
            self.rested = self.at
            self.wait(self._style.regrip)

    def _castle(self, board: chess.Board, move: chess.Move) -> None:
        king, rook = castling_squares(board, move)
        order = self._choose(self._style.castlings)
        first, second = (king, rook) if order == "king first" else (rook, king)
        in_the_way = first[1] in self.standing and first[1] != first[0]
        if order == "both" or in_the_way:
            self._castle_with_both(king, rook)
            return
        if order == "rook first":
            self.how.append("rook first")
        moving = [way for way in (first, second) if way[0] != way[1]]
        self.bring(*moving[0])
        for way in moving[1:]:
            self._between_halves()
            self.bring(*way)

    def _castle_with_both(self, *ways: tuple[chess.Square, chess.Square]) -> None:
        self.how.append("both lifted")
        pieces = [(self.lift(origin), target) for origin, target in ways]
        self.wait(self._style.travel)
        for piece, target in pieces:
            self.put(target, piece)
            self.rested = self.at
            self.wait(self._style.swap)

    def _take_en_passant(self, move: chess.Move) -> None:
        victim = chess.square(
            chess.square_file(move.to_square), chess.square_rank(move.from_square)
        )
        late = self._chance(self._style.en_passant_late)
        self.how.append("late pawn" if late else "early pawn")
        if not late:
            self.lift(victim)
            self.wait(self._style.regrip)
        self.bring(move.from_square, move.to_square)
        if late:
            self._between_halves()
            self.lift(victim)
            self.rested = self.at

    def _promote(self, move: chess.Move, promoted: chess.Piece) -> None:
        if not self._chance(self._style.exchange_promoted):
            self.bring(move.from_square, move.to_square, becomes=promoted)
            return
        self.how.append("exchange")
        self.bring(move.from_square, move.to_square)
        self._between_halves()
        self.lift(move.to_square)
        self.wait(self._style.travel)
        self.put(move.to_square, promoted)
        self.rested = self.at

    # --- how a piece travels --------------------------------------------------------------------

    def _approach(
        self, origin: chess.Square, target: chess.Square, *, may_slide: bool
    ) -> chess.Square | None:
        """Bring the piece right before *target*; say on which square it still stands, if any."""
        passing = _between(origin, target)
        free = passing is not None and not any(square in self.standing for square in passing)
        if passing is None or not (may_slide and free and self._chance(self._style.slide)):
            self.lift(origin)
            self.wait(self._style.travel)
            return None
        self.how.append("slide")
        sensed_on = origin
        for square in passing:
            self.put(square, self.standing[sensed_on])
            self.wait(self._style.straddle)
            self.lift(sensed_on)
            self.wait(self._style.ghost)
            sensed_on = square
        return sensed_on

    def _carry_off(self, victim: chess.Piece, target: chess.Square) -> None:
        empty = self.empty_beside(target)
        if empty:
            self.how.append("carry off")
            square = self._rng.choice(empty)
            self.wait(self._style.ghost)
            self.put(square, victim)
            self.wait(self._style.ghost)
            self.lift(square)

    # --- helpers --------------------------------------------------------------------------------

    def empty_beside(self, square: chess.Square) -> Sequence[chess.Square]:
        """Return the empty squares that touch *square*."""
        around = chess.SquareSet(chess.BB_KING_ATTACKS[square])
        return [beside for beside in around if beside not in self.standing]

    def _between_halves(self) -> None:
        dawdles = self._chance(self._style.dawdle)
        self.wait(self._style.dawdling if dawdles else self._style.regrip)

    def _chance(self, probability: float) -> bool:
        return probability > 0 and self._rng.random() < probability

    def _choose(self, weights: Mapping[_Habit, float]) -> _Habit:
        return self._rng.choices(list(weights), list(weights.values()))[0]

    def _king(self, colour: chess.Color) -> chess.Square:
        king = chess.Piece(chess.KING, colour)
        return next(square for square, piece in self.standing.items() if piece == king)


def castling_squares(
    board: chess.Board, move: chess.Move
) -> tuple[tuple[chess.Square, chess.Square], tuple[chess.Square, chess.Square]]:
    """Return from where to where king and rook go, in Chess960 as well."""
    rank = chess.square_rank(move.from_square)
    short = board.is_kingside_castling(move)
    takes_rook = board.piece_type_at(move.to_square) == chess.ROOK
    rook = move.to_square if takes_rook else chess.square(7 if short else 0, rank)
    king_to, rook_to = (6, 5) if short else (2, 3)
    return (
        (move.from_square, chess.square(king_to, rank)),
        (rook, chess.square(rook_to, rank)),
    )


def _between(origin: chess.Square, target: chess.Square) -> list[chess.Square] | None:
    """Return the squares a piece passes on a straight line, or ``None`` if it has to jump."""
    if not chess.ray(origin, target):
        return None
    passed = list(chess.SquareSet.between(origin, target))
    return passed if origin < target else passed[::-1]
