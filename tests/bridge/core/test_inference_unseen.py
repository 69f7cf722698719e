"""A man that was put down where the board sees nothing, after it was seen on its way there."""

import chess

from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import Ambiguous, Finding, Settled
from bridge.core.inference.placement import cells_of


def test_a_man_that_was_only_on_its_way_is_not_believed_there_when_the_reply_is_made() -> None:
    board = chess.Board("r1bqkbnr/1pp2ppp/p1p5/4p3/4P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 5")
    engine, cells = Engine(board.copy()), list(cells_of(board))
    engine.clock(runs=True, at=0.0, turn=chess.BLACK)
    found: list[Finding] = []

    def shows(at: float, square: str, letter: str) -> None:
        cells[chess.parse_square(square)] = letter
        found.extend(engine.sees("".join(cells), at=at))

    shows(1.0, "e7", "b")
    shows(1.1, "f8", ".")
    shows(1.6, "e7", ".")  # it went on to d6, which sees nothing
    found += engine.press(chess.BLACK, at=2.5)
    shows(2.52, "c1", ".")
    shows(2.64, "e3", "B")
    found += engine.tick(at=2.7)
    (settled,) = (each for each in found if isinstance(each, Settled))
    (ambiguous,) = (each for each in found if isinstance(each, Ambiguous))
    seen_by_nobody = {chess.Move.from_uci(uci) for uci in ("f8d6", "f8c5", "f8b4", "f8a3")}
    assert settled.move in seen_by_nobody
    assert seen_by_nobody <= {*ambiguous.moves}
