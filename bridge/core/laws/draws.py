"""Draws that players may claim or agree: the third occurrence, many moves without progress.

FIDE Laws 9.2-9.5; the classic code's finished-game table with its five balances.
"""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

import chess

from bridge.core.laws.repetition import Moment, Positions

THIRD = 3
NEW_COUNT = "the announced move is a capture or pawn move: every count begins anew"
MOVES = 50
CLASSIC_BALANCES = ("KRB:KR", "KNN:KP", "KQP7:KQ", "KQ:KNN", "KBB:KB")
"""Balances in which the classic code waits for 75 moves; ``P7`` is a pawn one step from promotion,
``P`` any pawn.

The last one is literal: the historical list of FIDE had a knight against the two bishops.
"""

ClaimKind = Literal["threefold", "moves"]
ClaimVerdict = Literal["right", "wrong", "incomplete"]


class Claim(NamedTuple):
    """The answer to a claim, for the arbiter.

    ``incomplete``: the record does not support the claim, but moves are missing in it that could.
    ``halfmoves`` and ``moments`` are those of the position claimed for, an announced move made;
    in ``moments`` that position itself comes last where it stands on the board.
    """

    verdict: ClaimVerdict
    reason: str
    moments: tuple[Moment, ...]
    halfmoves: int
    last_irreversible: Moment | None


def limit(
    board: chess.Board,
    moves: int = MOVES,
    long_moves: int | None = None,
    balances: Sequence[str] = CLASSIC_BALANCES,
) -> int:
    """Return how many moves by each player without progress let a player claim.

    ``long_moves`` is the number in the classic code's *balances*. The balance is read from the
    present material: a capture or pawn move starts the count again, so it is that of them all.
    """
    if long_moves is None:
        return moves
    present = {
        f"{_material(board, colour)}:{_material(board, not colour)}" for colour in chess.COLORS
    }
    present |= {men.replace("7", "") for men in present}  # a pawn is one wherever it stands
    return long_moves if present & {_sorted(balance) for balance in balances} else moves


def moves_now(board: chess.Board, moves: int = MOVES) -> bool:
    """Return whether *moves* by each player without progress are complete (9.3.2)."""
    return board.halfmove_clock >= 2 * moves and any(board.legal_moves)


def moves_by(board: chess.Board, moves: int = MOVES) -> list[chess.Move]:
    """Return the legal moves that may be announced to complete the count (9.3.1).

    A mating move is among them: the draw is claimed before it is made.
    """
    if board.halfmove_clock + 1 < 2 * moves:
        return []
    return [move for move in board.legal_moves if not board.is_zeroing(move)]


def threefold_now(board: chess.Board, positions: Positions) -> bool:
    """Return whether the side to move may claim the position that stands (9.2.2)."""
    return positions.occurrences >= THIRD and any(board.legal_moves)


def threefold_by(board: chess.Board, positions: Positions) -> list[chess.Move]:
    """Return the legal moves that may be announced to bring the third occurrence (9.2.1)."""
    return [
        move
        for move in board.legal_moves
        if not board.is_zeroing(move) and len(positions.moments_after(board, move)) >= THIRD - 1
    ]


def judge_claim(
    board: chess.Board,
    positions: Positions,
    kind: ClaimKind,
    announced: chess.Move | None = None,
    moves: int = MOVES,
) -> Claim:
    """Answer a claim of the side to move on the position, or on the move it has *announced*.

    *moves* is what :func:`limit` says of the position.
    Touched men, and whether the claimant wrote the move down, are for the arbiter.
    """
    if announced is not None and announced not in board.legal_moves:
        return _answer(board, positions, "wrong", "the announced move is not legal", ())
    if not any(board.legal_moves):
        return _answer(board, positions, "wrong", "the game was over before the claim", ())
    if kind == "threefold":
        return _threefold(board, positions, announced)
    return _progress(board, positions, announced, moves)


def _threefold(board: chess.Board, positions: Positions, announced: chess.Move | None) -> Claim:
    if announced is not None and board.is_zeroing(announced):
        return _answer(board, positions, "wrong", NEW_COUNT, (), announced)
    if announced is None:
        moments = positions.moments
        count = len(moments)
    else:
        moments = positions.moments_after(board, announced)
        count = len(moments) + 1
    times = "once" if count == 1 else f"{count} times"
    reason = f"the position {'stood' if announced is None else 'would have stood'} {times}"
    if count >= THIRD:
        return _answer(board, positions, "right", reason, moments, announced)
    return _answer(board, positions, *_unsupported(positions, reason), moments, announced)


def _progress(
    board: chess.Board, positions: Positions, announced: chess.Move | None, moves: int
) -> Claim:
    count = _halfmoves(board, announced)
    reason = f"{count} of {2 * moves} half-moves without a capture or pawn move"
    if count >= 2 * moves:
        return _answer(board, positions, "right", reason, (), announced)
    if announced is not None and board.is_zeroing(announced):
        return _answer(board, positions, "wrong", NEW_COUNT, (), announced)
    return _answer(board, positions, *_unsupported(positions, reason), (), announced)


def _unsupported(positions: Positions, reason: str) -> tuple[ClaimVerdict, str]:
    if positions.complete:
        return "wrong", reason
    return "incomplete", f"{reason} in the record, in which moves are missing"


def _answer(
    board: chess.Board,
    positions: Positions,
    verdict: ClaimVerdict,
    reason: str,
    moments: tuple[Moment, ...],
    announced: chess.Move | None = None,
) -> Claim:
    halfmoves = _halfmoves(board, announced)
    return Claim(verdict, reason, moments, halfmoves, positions.last_irreversible)


def _halfmoves(board: chess.Board, announced: chess.Move | None) -> int:
    if announced is None:
        return board.halfmove_clock
    return 0 if board.is_zeroing(announced) else board.halfmove_clock + 1


def _material(board: chess.Board, colour: chess.Color) -> str:
    """Return a side's men by the letters of :data:`CLASSIC_BALANCES`, in alphabetical order."""
    seventh = board.pawns & (chess.BB_RANK_7 if colour else chess.BB_RANK_2)
    men = []
    for square in chess.SquareSet(board.occupied_co[colour]):
        kind = board.piece_type_at(square) or chess.PAWN
        near = chess.BB_SQUARES[square] & seventh
        men.append(chess.piece_symbol(kind).upper() + ("7" if near else ""))
    return "".join(sorted(men))


def _sorted(balance: str) -> str:
    sides = (re.findall("[A-Z]7?", side) for side in balance.split(":"))
    return ":".join("".join(sorted(side)) for side in sides)
