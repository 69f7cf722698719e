"""Whether the board surely shows a last position, in which no legal move is left."""

from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import Settled
from bridge.core.inference.position import standing_board

SEEN_TAKEN = 10.0
"""A victim whose square changed so long (s) before his taker left was seen to be taken."""


def is_certain(engine: Engine, last: Settled) -> bool:
    """Whether the position after the *last* move leaves no legal move, whatever is not known.

    Men with names must leave none as they are shown, and not only as they are recorded. Where men
    have none, it must not be open who was taken, what a pawn became, or who began where.
    """
    if engine.position.sensing == "identity":
        board = engine.position.board
        shown = standing_board(engine.cells, board, board.turn)
        return shown is not None and not any(shown.generate_legal_moves())
    if engine.may_go_on:
        return False
    move, changed = last.move, engine.sight.changed
    if move.promotion is not None:
        return False
    seen = changed[move.to_square] > changed[move.from_square] - SEEN_TAKEN
    return seen or not last.before.is_capture(move)
