"""The cases of ``positions.yaml`` and boards to judge, for the tests of the Laws."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import chess
import yaml

from drivers.cells import cells_of

CASES: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("positions.yaml").read_text(encoding="utf-8")
)["cases"]


def position(case: dict[str, Any]) -> chess.Board:
    """Return the position after the moves of a case."""
    board = chess.Board(case["fen"])
    for uci in case.get("moves") or []:
        board.push_uci(uci)
    return board


def placed(placement: str) -> str:
    """Return the cells of the first FEN field."""
    return cells_of(chess.BaseBoard(placement))


def walked(choices: Iterable[int], *, chess960: bool) -> chess.Board:
    """Return where legal moves lead that *choices* pick, until they or the game end."""
    board = chess.Board.from_chess960_pos(356 if chess960 else 518)
    board.chess960 = chess960
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
    return board
