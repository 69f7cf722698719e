"""The result when a side loses by its flag or by resigning, and the draws the Laws make of it.

FIDE Laws 5.1.2 and 6.9; the classic code's game end and finished-game table.
"""

from typing import Literal, NamedTuple

import chess

from bridge.core.laws.endings import Status
from bridge.core.laws.points import Outcome, win_for
from bridge.core.laws.winnability import Winnability, is_proved_dead, winnability

FlagKind = Literal["win_for_opponent", "draw", "mate_stands", "draw_stands", "undetermined"]


class Forfeit(NamedTuple):
    """What a flag or a resignation leads to; ``result`` is ``None`` where the arbiter must judge.

    ``winnability`` of the opponent is given where the rule asks for it.
    """

    kind: FlagKind
    result: Outcome | None
    reason: str
    winnability: Winnability | None = None


def flag_fall(
    board: chess.Board,
    fallen: chess.Color,
    status: Status,
    flag_draw: Literal["bare_king", "any_series"],
) -> Forfeit:
    """Return what the fallen flag of a side leads to, the moves of the period being too few.

    *status* is that after the last move made: a game that it ended was over before the flag.
    """
    if status == "checkmate":
        return Forfeit("mate_stands", win_for(not board.turn), "mate was made before the flag fell")
    if status not in ("ongoing", "dead"):
        return Forfeit("draw_stands", "1/2-1/2", "the draw was made before the flag fell")
    return _unless_drawn(board, fallen, flag_draw, "the time ran out")


def resignation(
    board: chess.Board, resigner: chess.Color, resignation_draw: Literal["never", "any_series"]
) -> Forfeit:
    """Return what resigning in a game that goes on leads to.

    In the classic code it always loses; against a bare king the reason says what speaks for a
    draw, for the arbiter to decide.
    """
    if resignation_draw == "any_series":
        return _unless_drawn(board, resigner, resignation_draw, "resigned")
    reason = "resigned"
    if _is_bare(board, not resigner):
        reason = "resigned; the opponent has a bare king, which the material table calls a draw"
    return Forfeit("win_for_opponent", win_for(not resigner), reason)


def _unless_drawn(
    board: chess.Board,
    loser: chess.Color,
    rule: Literal["bare_king", "any_series"],
    lost: str,
) -> Forfeit:
    opponent = not loser
    if rule == "bare_king":
        if _is_bare(board, opponent):
            return Forfeit("draw", "1/2-1/2", "the opponent has a bare king")
        if is_proved_dead(board):
            return Forfeit("draw", "1/2-1/2", "the position was dead: the game was over before")
        return Forfeit("win_for_opponent", win_for(opponent), lost)
    found = winnability(board, opponent)
    if found.verdict == "can":
        return Forfeit("win_for_opponent", win_for(opponent), lost, found)
    if found.verdict == "cannot":
        return Forfeit("draw", "1/2-1/2", f"the opponent cannot mate: {found.reason}", found)
    return Forfeit("undetermined", None, found.reason, found)


def _is_bare(board: chess.Board, side: chess.Color) -> bool:
    return not board.occupied_co[side] & ~board.kings
