"""Moves in writing: the group of notations, and how the other groups list moves."""

from collections.abc import Iterable

import chess

from benchmarks.verdicts.cases import Case
from benchmarks.verdicts.rules import Rules
from bridge.core.scoresheet.notation.writing import STYLES, notation


def written(case: Case, _: Rules) -> dict[str, str]:
    """Return the case's move in each style there is."""
    board, move = case.board(), chess.Move.from_uci(case.given["move"])
    return {style: notation(board, move, style) for style in STYLES}


def ucis(moves: Iterable[chess.Move]) -> list[str]:
    """Return *moves* as cases list them where their order does not matter."""
    return sorted(move.uci() for move in moves)


def sans(start: chess.Board, line: Iterable[chess.Move]) -> list[str]:
    """Return the moves of a *line* from *start* as cases list them."""
    board, told = start.copy(stack=False), []
    for move in line:
        told.append(board.san(move))
        board.push(move)
    return told
