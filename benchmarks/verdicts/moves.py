"""Groups of moves: what is legal, why something is not, and what follows an illegal move."""

from collections.abc import Sequence
from typing import Any

import chess

from benchmarks.verdicts.cases import Answer, Case
from benchmarks.verdicts.rules import Rules, by_rules
from benchmarks.verdicts.sense import Words
from benchmarks.verdicts.written import sans, ucis
from bridge.core.inference.lines import Line, lines_to
from bridge.core.inference.position import Position
from bridge.core.laws.attempts import judge_move, tried_cells
from bridge.core.laws.endings import status, winner
from bridge.core.laws.illegal import judge
from bridge.core.laws.remedies import Remedy, remedy
from bridge.core.laws.touch import Obligation, obligation
from bridge.core.laws.verdict import Verdict
from drivers.cells import cells_of

MOST_PLIES = 4
"""Plies that a gap may have."""


# -- what is legal -----------------------------------------------------------------------------


def _legal_moves(case: Case, _: Rules) -> list[str] | int:
    moves = ucis(case.board().legal_moves)
    return len(moves) if isinstance(case.expect["legal_moves"], int) else moves


def _ep_legal(case: Case, _: Rules) -> list[str]:
    return ucis(case.board().generate_legal_ep())


def _perft(case: Case, _: Rules) -> list[int]:
    board = case.board()
    return [_leaves(board, depth) for depth in range(1, len(case.expect["perft"]) + 1)]


def _leaves(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in list(board.legal_moves):
        board.push(move)
        leaves += _leaves(board, depth - 1)
        board.pop()
    return leaves


def _winner(case: Case, _: Rules) -> str | None:
    board = case.board()
    won = winner(board, status(board))
    return None if won is None else chess.COLOR_NAMES[won]


# -- what was tried ----------------------------------------------------------------------------


def _verdict(case: Case) -> Verdict | None:
    board, attempt = case.board(), case.given["attempt"]
    cells = _cells(attempt["placement"]) if "placement" in attempt else None
    if cells is not None and "uci" not in attempt:
        return judge(board, cells, board.move_stack)
    return judge_move(board, chess.Move.from_uci(attempt["uci"]), cells, board.move_stack)


def _cells(placement: str) -> str:
    return cells_of(chess.BaseBoard(placement))


def _alerts(case: Case, _: Rules) -> list[str]:
    verdict = _verdict(case)
    return [] if verdict is None else [verdict.code]


def _reason(case: Case, _: Rules) -> str | None:
    verdict = _verdict(case)
    return None if verdict is None else verdict.reason


def _decision(case: Case, rules: Rules) -> Any:
    """Return the remedy in the case's own shape: its parts, or a sentence."""
    verdict = _verdict(case)
    if verdict is None:
        return None
    board, attempt = case.board(), case.given["attempt"]
    if "placement" in attempt:
        cells = _cells(attempt["placement"])
    else:
        cells = tried_cells(board, chess.Move.from_uci(attempt["uci"]))
    found = remedy(board, cells, verdict, rules.values)
    if isinstance(by_rules(case.expect["decision"], rules.name), str):
        return Words(found.text)
    return _parts(found, rules)


def _parts(found: Remedy, rules: Rules) -> dict[str, Any]:
    parts: dict[str, Any] = {"restore": found.action == "restore"}
    if found.obligation is not None:
        parts |= {"obligation": found.obligation.bound, "allowed": _allowed(found.obligation)}
    if rules.values.illegal_move_completed_by == "press":
        parts["before_press"] = Words("wait, no offence")
        parts["after_press"] = Words(f"illegal move completed: {found.text}")
    return parts


# -- touching ----------------------------------------------------------------------------------


def _touched(case: Case, _: Rules) -> dict[str, Any]:
    touched = [chess.parse_square(name) for name in case.given["touched"]]
    duty = obligation(case.board(), touched)
    return {"obligation": duty.bound, "allowed": _allowed(duty)}


def _allowed(duty: Obligation) -> str | list[str]:
    return "any_legal" if duty.free else ucis(duty.moves)


# -- gaps --------------------------------------------------------------------------------------


def _lines(case: Case) -> tuple[int, Sequence[Line]]:
    """Return the fewest plies that lead to what stands, and the lines of so many."""
    position, shown = Position(case.board()), _cells(case.given["placement"])
    for plies in range(1, MOST_PLIES + 1):
        lines = lines_to(position, shown, plies)
        if lines:
            return plies, lines
    return 0, []


def _gap(case: Case, _: Rules) -> dict[str, Any]:
    plies, lines = _lines(case)
    told = sorted(sans(case.board(), line) for line in lines)
    return {"half_moves": plies, "candidates": len(lines), "lines": told}


def _record(case: Case, _: Rules) -> list[str] | None:
    lines = _lines(case)[1]
    return sans(case.board(), lines[0]) if len(lines) == 1 else None


_POSITION: dict[str, Answer] = {
    "legal_moves": _legal_moves,
    "castling_legal": lambda case, _: ucis(case.board().generate_castling_moves()),
    "ep_legal": _ep_legal,
    "check": lambda case, _: case.board().is_check(),
    "status": lambda case, _: status(case.board()),
    "winner": _winner,
    "perft": _perft,
    "san": lambda case, _: sans(case.start(), case.board().move_stack),
    "final_fen": lambda case, _: case.board().fen(),
    "placement": lambda case, _: case.board().board_fen(),
}

MOVES: dict[str, Answer] = {
    **_POSITION,
    "legal": lambda case, _: _verdict(case) is None,
    "reason": _reason,
    "alerts": _alerts,
    "decision": _decision,
}
"""Groups moves, check, castling, en_passant, promotion and chess960."""

TOUCH: dict[str, Answer] = {**_POSITION, "decision": _touched}
GAP: dict[str, Answer] = {"record": _record, "decision": _gap}
