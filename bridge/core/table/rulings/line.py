"""The moves of one game as they stand in its record, so that they can be gone through again."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import chess

from bridge.core.model import Basis, Colour
from bridge.core.scoresheet.plies import numbered
from bridge.core.scoresheet.record import GameRecord


class Step(NamedTuple):
    """A ply and the position after it; without a ``move``, a position from which play goes on.

    ``san`` is empty then, and ``because`` the reason.
    """

    move: chess.Move | None
    san: str
    fen: str
    basis: Basis
    because: str

    @property
    def colour(self) -> Colour:
        """Whose ply it is."""
        return "white" if self.fen.split()[1] == "b" else "black"

    @property
    def is_legal_move(self) -> bool:
        """Whether it has to be legal where it is played."""
        return self.move is not None and self.basis != "stands"


class Line:
    """The settled plies of a game from ``start`` on, and the positions adopted between them."""

    def __init__(self, start: chess.Board) -> None:
        self.start = start.copy(stack=False)
        self.steps: list[Step] = []

    @property
    def plies(self) -> list[Step]:
        """The plies alone, in their order."""
        return [step for step in self.steps if step.move is not None]

    @property
    def moves(self) -> list[chess.Move] | None:
        """Its moves, if all of them are legal from the start; else None."""
        moves = [step.move for step in self.steps if step.move and step.is_legal_move]
        return moves if len(moves) == len(self.steps) else None

    def settled(self, step: Step) -> None:
        """Enter a ply."""
        self.steps.append(step)

    def withdrawn(self, plies: int) -> None:
        """Take back the last *plies* plies, and what was adopted after them."""
        del self.steps[index_of(self.steps, count_plies(self.steps) - plies) :]

    def adopted(self, fen: str, reason: str) -> None:
        """Go on from a position to which no moves are known; it takes the place of another one."""
        if self.steps and self.steps[-1].move is None:
            self.steps.pop()
        self.steps.append(Step(None, "", fen, "gap", reason))

    def begins_otherwise(self, start: chess.Board) -> None:
        """Let the same plies, which are legal from there, have begun from *start*."""
        self.start = start.copy(stack=False)
        self.steps[:] = relaid(start, self.steps)

    def after(self, steps: Sequence[Step]) -> chess.Board:
        """Return the position that *steps* lead to."""
        if not steps:
            return self.start.copy(stack=False)
        return chess.Board(steps[-1].fen, chess960=self.start.chess960)


def line_of(record: GameRecord) -> Line:
    """Return the moves of a scoresheet; what settled them it does not say."""
    line = Line(chess.Board(record.fen, chess960=record.setup.chess960))
    adopted = {each.ply: each for each in record.adoptions}
    for number in range(len(record.plies) + 1):
        if number:
            ply = record.plies[number - 1]
            basis: Basis = "stands" if ply.stands else "rest"
            line.settled(Step(chess.Move.from_uci(ply.uci), ply.san, ply.fen_after, basis, ""))
        if number in adopted:
            line.adopted(adopted[number].fen, adopted[number].reason)
    return line


def count_plies(steps: Iterable[Step]) -> int:
    """Return how many of *steps* are plies."""
    return sum(step.move is not None for step in steps)


def index_of(steps: Sequence[Step], plies: int) -> int:
    """Return where the step after so many *plies* is, behind what was adopted after them."""
    left = plies
    for index, step in enumerate(steps):
        if step.move is not None:
            if not left:
                return index
            left -= 1
    return len(steps)


def named(step: Step) -> str:
    """Return a step with its number, as players write it."""
    if step.move is None:
        return f"(play goes on from {step.fen})"
    return numbered(step.san, step.fen)


def relaid(board: chess.Board, steps: Sequence[Step]) -> list[Step]:
    """Return *steps* played again from *board*, up to the first that cannot follow.

    Legal moves must be legal still. An illegal one that stands needs a man to move, and after an
    adopted position it is as it was.
    """
    board = board.copy(stack=False)
    again: list[Step] = []
    for step in steps:
        if step.move is None:
            board.set_fen(step.fen)
            again.append(step)
            continue
        if step.is_legal_move:
            if step.move not in board.legal_moves:
                break
            san = board.san_and_push(step.move)
        else:
            if board.color_at(step.move.from_square) != board.turn:
                break
            san = step.san
            _go_illegally(board, step.move)
        again.append(step._replace(san=san, fen=board.fen()))
    return again


def _go_illegally(board: chess.Board, move: chess.Move) -> None:
    """Move the man as an illegal move that stands does."""
    kind = move.promotion or board.piece_type_at(move.from_square) or chess.PAWN
    board.remove_piece_at(move.from_square)
    board.set_piece_at(move.to_square, chess.Piece(kind, board.turn))
    board.castling_rights = board.clean_castling_rights()
    board.ep_square = None
    board.fullmove_number += not board.turn
    board.turn = not board.turn
