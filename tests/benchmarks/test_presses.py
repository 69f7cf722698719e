"""The benchmark of illegal moves commits what it names, and the daemon tells it."""

import asyncio
import math
from pathlib import Path

import chess
import pytest

from benchmarks.presses import OFFENCES, Offence, measure, report
from bridge.core.laws.illegal import judge
from drivers.cells import cells_of


@pytest.mark.parametrize("offence", OFFENCES, ids=lambda offence: offence.code)
def test_what_is_committed_is_what_is_named(offence: Offence) -> None:
    board = chess.Board()
    for san in offence.moves.split():
        board.push_san(san)
    moved = chess.BaseBoard(board.board_fen())
    man = moved.remove_piece_at(chess.parse_square(offence.lifted))
    moved.set_piece_at(chess.parse_square(offence.put), man)
    verdict = judge(board, cells_of(moved))
    assert verdict is not None
    assert verdict.code == offence.code


def test_the_daemon_tells_an_illegal_move_after_its_press(tmp_path: Path) -> None:
    found = asyncio.run(measure(tmp_path, 1))
    (delay,) = found["ILLEGAL_MOVE"]
    assert 0 < delay < math.inf


def test_the_table_has_what_came_and_what_did_not() -> None:
    rows = report({"ILLEGAL_MOVE": [0.2, 0.4, 0.3], "KING_LEFT_IN_CHECK": [math.inf]}).rows
    assert rows[0] == ("ILLEGAL_MOVE", "3", "0.30", "0.30", "0.40")
    assert rows[2] == ("all", "4", "0.40", "0.40", "inf")
