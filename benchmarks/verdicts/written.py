"""The group of notations."""

import chess

from benchmarks.verdicts.cases import Case
from benchmarks.verdicts.rules import Rules
from bridge.core.scoresheet.notation.writing import STYLES, notation


def written(case: Case, _: Rules) -> dict[str, str]:
    """Return the case's move in each style there is."""
    board, move = case.board(), chess.Move.from_uci(case.given["move"])
    return {style: notation(board, move, style) for style in STYLES}
