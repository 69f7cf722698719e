"""Groups of who can still win: mate, stalemate, dead positions, flags and resignation."""

from collections.abc import Mapping
from typing import Any

import chess

from benchmarks.verdicts.cases import Answer, Case
from benchmarks.verdicts.counts import COUNTS, fide, status_of, status_under
from benchmarks.verdicts.rules import Rules
from benchmarks.verdicts.sense import Words
from bridge.config.rulesets import rule_set
from bridge.core.laws.forfeits import flag_fall, resignation
from bridge.core.laws.rulesets import RuleSet
from bridge.core.laws.winnability import is_dead, winnability

_COLOURS = {"white": chess.WHITE, "black": chess.BLACK}


def _ended_on_board(case: Case, rules: Rules) -> dict[str, Any]:
    """Return what becomes of the game if the last mover's clock runs out unpressed."""
    board = case.board()
    after = flag_fall(board, not board.turn, status_of(case, rules), rules.values.flag_draw)
    return {
        "clock_not_pressed": after.kind.replace("_", " "),
        "flag_after": "ignored" if after.kind.endswith("_stands") else "decides",
    }


def _material_by_python_chess(case: Case, _: Rules) -> dict[str, bool]:
    board = case.board()
    by_colour = {name: board.has_insufficient_material(colour) for name, colour in _COLOURS.items()}
    return {"both": board.is_insufficient_material(), **by_colour}


def _helpmate(case: Case, _: Rules) -> dict[str, list[str]]:
    """Return, for each side asked for, the line of the case if ours is a proof as good."""
    return {
        name: line if _mates(case.board(), _COLOURS[name]) else []
        for name, line in case.expect["helpmate"].items()
    }


def _mates(board: chess.Board, side: chess.Color) -> bool:
    """Whether the line that is found for a side is legal and ends in its mate."""
    line = winnability(board, side).line
    for move in line:
        if move not in board.legal_moves:
            return False
        board.push(move)
    return board.is_checkmate() and board.turn != side


def _flag(case: Case, rules: Rules) -> Mapping[str, str]:
    fallen = case.expect["flag"]["fallen"]

    def kind(values: RuleSet) -> str:
        ended = status_under(case, values)
        return flag_fall(case.board(), _COLOURS[fallen], ended, values.flag_draw).kind

    return {
        "fallen": fallen,
        "fide": kind(fide(rules)),
        "classic": kind(rule_set("classic")),
    }


def _resigned(case: Case, rules: Rules) -> Mapping[str, str]:
    resigns = case.expect["decision"]["resigns"]

    def result(values: RuleSet) -> Words:
        found = resignation(case.board(), _COLOURS[resigns], values.resignation_draw)
        return Words(f"{found.result or 'undetermined'}; {found.reason}")

    return {
        "resigns": resigns,
        "fide": result(fide(rules)),
        "classic": result(rule_set("classic")),
    }


def _dead_result(case: Case, _: Rules) -> str | None:
    return "1/2-1/2" if is_dead(case.board()) else None


ENDS: dict[str, Answer] = {
    **COUNTS,
    "decision": _ended_on_board,
    "insufficient_material_py": _material_by_python_chess,
    "flag": _flag,
}
"""Groups mate, stalemate and flag_fall."""

DEAD: dict[str, Answer] = {
    "dead": lambda case, _: is_dead(case.board()),
    "result": _dead_result,
    "helpmate": _helpmate,
    "insufficient_material_py": _material_by_python_chess,
}
RESIGNATION: dict[str, Answer] = {**ENDS, "decision": _resigned}
