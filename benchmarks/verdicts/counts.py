"""Groups of counts: repetition, fifty moves and the classic code's balances; what ended a game."""

import chess

from benchmarks.verdicts.cases import Answer, Case
from benchmarks.verdicts.rules import Rules
from benchmarks.verdicts.written import sans, ucis
from bridge.config.rulesets import rule_set
from bridge.core.laws.draws import limit, moves_by, moves_now, threefold_by, threefold_now
from bridge.core.laws.endings import Status, status, winner
from bridge.core.laws.points import win_for
from bridge.core.laws.repetition import Positions
from bridge.core.laws.rulesets import RuleSet

ANY_QUIET_MOVE = "any_non_zeroing"


def _played(case: Case) -> tuple[chess.Board, Positions]:
    board = case.start()
    positions = Positions(board)
    for uci in case.given.get("moves", ()):
        board.push(board.parse_uci(uci))
        positions.played(board)
    return board, positions


def status_under(case: Case, values: RuleSet) -> Status:
    """Return what the case's moves have ended the game by, under one rule set."""
    board, positions = _played(case)
    return status(
        board,
        occurrences=positions.occurrences,
        automatic_repetitions=values.automatic_repetitions,
        automatic_moves=values.automatic_moves,
    )


def fide(rules: Rules) -> RuleSet:
    """Return the rule set that cases call ``fide`` when they are run under this one."""
    return rule_set("fide_std") if rules.name == "classic" else rules.values


def status_of(case: Case, rules: Rules) -> Status:
    """Return the status as cases give it: by the current Laws, also where they are classic."""
    return status_under(case, fide(rules))


def _winner(case: Case, rules: Rules) -> str | None:
    won = winner(case.board(), status_of(case, rules))
    return None if won is None else chess.COLOR_NAMES[won]


def _result(case: Case, rules: Rules) -> str | None:
    ended = status_of(case, rules)
    if ended == "ongoing":
        return None
    won = winner(case.board(), ended)
    return "1/2-1/2" if won is None else win_for(won)


# --- counts and claims --------------------------------------------------------------------------


def _repeats_now(case: Case, _: Rules) -> bool:
    return threefold_now(*_played(case))


def _repeats_by(case: Case, _: Rules) -> list[str]:
    return ucis(threefold_by(*_played(case)))


def _fifty_now(case: Case, rules: Rules) -> bool:
    return moves_now(case.board(), rules.values.claim_moves)


def _fifty_by(case: Case, rules: Rules) -> list[str] | str:
    board = case.board()
    by = moves_by(board, rules.values.claim_moves)
    quiet = [move for move in board.legal_moves if not board.is_zeroing(move)]
    if case.expect["fifty_by"] == ANY_QUIET_MOVE and by and by == quiet:
        return ANY_QUIET_MOVE
    return ucis(by)


def _limit(case: Case, values: RuleSet) -> int:
    return limit(case.board(), values.claim_moves, values.long_balance_moves)


def _claim(case: Case, values: RuleSet) -> dict[str, bool]:
    automatic = status_under(case, values) == "seventy_five"
    due = moves_now(case.board(), _limit(case, values))
    return {"claim": due and not automatic, "automatic_draw": automatic}


COUNTS: dict[str, Answer] = {
    "status": status_of,
    "winner": _winner,
    "result": _result,
    "ends_game": lambda case, rules: status_of(case, rules) != "ongoing",
    "san": lambda case, _: sans(case.start(), case.board().move_stack),
    "legal_moves": lambda case, _: ucis(case.board().legal_moves),
    "occurrences": lambda case, _: _played(case)[1].occurrences,
    "threefold_now": _repeats_now,
    "threefold_by": _repeats_by,
    "halfmove_clock": lambda case, _: case.board().halfmove_clock,
    "fifty_now": _fifty_now,
    "fifty_by": _fifty_by,
    "classic_limit": lambda case, _: _limit(case, rule_set("classic")),
    "classic": lambda case, _: _claim(case, rule_set("classic")),
    "fide": lambda case, rules: _claim(case, fide(rules)),
}
"""Groups repetition, fifty_moves and classic_75."""
