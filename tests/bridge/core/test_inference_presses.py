"""To which moves presses are given that come late."""

import chess

from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import Settled
from bridge.core.inference.placement import with_changes
from bridge.core.inference.position import Position


def test_a_press_made_before_the_one_that_began_a_turn_completes_no_move_of_it() -> None:
    board = chess.Board()
    engine, cells = Engine(board), Position(board, "identity").shown
    engine.clock(runs=True, at=0.0, turn=chess.WHITE)
    engine.press(chess.BLACK, at=10.0)  # for a move that is settled already
    found = []
    for at, square, man in (
        (11.0, chess.B1, "."),
        (11.4, chess.C3, "N"),
        (13.0, chess.B8, "."),
        (13.4, chess.C6, "n"),
    ):
        cells = with_changes(cells, [(square, man)])
        found += engine.sees(cells, at=at)
    found += engine.press(chess.WHITE, at=16.0)
    found += engine.clock(runs=True, at=16.0, turn=chess.BLACK)
    for tenths in range(160, 220):
        found += engine.tick(at=tenths / 10)
    assert [each.move.uci() for each in found if isinstance(each, Settled)] == ["b1c3"]
