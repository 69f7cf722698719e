"""To which moves presses are given that come late."""

import chess
import pytest

from bridge.core.inference.clock import Clock
from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import Settled, Unexplained
from bridge.core.inference.placement import BIT, with_changes
from bridge.core.inference.position import Position
from tests.bridge.core.watching import Watched


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


@pytest.mark.parametrize(
    "heard", [(chess.BLACK, chess.WHITE), (chess.WHITE, chess.BLACK, chess.WHITE)]
)
def test_a_press_told_with_the_one_that_began_a_turn_but_made_before_it_completes_none_of_it(
    heard: tuple[chess.Color, ...],
) -> None:
    """Black pressed before White did; his rook rests beside its square while his time runs."""
    board = Watched("3rk3/8/8/8/8/8/8/3RK3 w - - 0 1")
    board.waits(1.0).shows("d1").waits(0.3).shows("c1R").waits(0.7).shows("d8").waits(0.1)
    board.hears_together(*heard).waits(0.1).shows("c7r").waits(1.5)
    board.shows("c7").waits(0.3).shows("c8r").waits(0.5)
    assert board.presses(chess.BLACK).runs_for(chess.WHITE).waits(1.0).moves == "d1c1 d8c8"
    assert not any(isinstance(each, Unexplained) for each in board.found)


def test_a_man_put_back_after_an_illegal_move_has_not_gone_where_nothing_is_seen() -> None:
    """While he is in the air, a dead square that he might have gone to tells nothing."""
    board = Watched("8/8/2rk4/8/8/K7/8/8 b - - 0 1")
    board.engine.sight.blindfold(BIT[chess.C2])
    board.waits(5.0).shows("c6").waits(0.3).shows("d1r").waits(0.4).presses(chess.BLACK).waits(8.0)
    assert any(isinstance(each, Unexplained) for each in board.found)
    board.shows("d1").waits(0.3).shows("c6r").waits(3.0)
    assert not any(isinstance(each, Settled) for each in board.found)


def test_presses_that_are_told_next_are_heard_already_unless_the_clock_is_stopped() -> None:
    clock = Clock()
    clock.shows_presses = True
    clock.read(runs=True, at=1.0, turn=chess.WHITE)
    clock.press(chess.WHITE, at=2.0, first=False, counted=True, coming=2)
    heard = [(press.colour, press.following) for press in clock.heard]
    assert heard == [(chess.WHITE, 2), (chess.BLACK, 1), (chess.WHITE, 0)]
    clock.becomes("stopped", 3.0)
    assert [press.colour for press in clock.heard] == [chess.WHITE, None]


@pytest.mark.parametrize(("stood", "moves"), [(1.2, "h1h8"), (0.6, "")])
def test_mate_whose_man_is_taken_up_as_the_clock_is_stopped_was_played(
    stood: float, moves: str
) -> None:
    board = Watched("4k3/R7/8/8/8/8/8/4K2R w - - 0 1")
    board.waits(1.0).shows("h1").waits(0.1).shows("h8R").waits(stood)
    assert board.shows("h8").waits(0.1).runs_for(None).waits(1.0).moves == moves


def test_of_four_plies_told_at_once_three_were_pressed_and_the_last_man_only_rests() -> None:
    """The times of the clock tell of three presses while the link was lost."""
    board = Watched("3Q4/6R1/2r5/8/5Q2/2k5/K7/8 w - - 0 1")
    board.shows("f4").waits(0.3).shows("g3Q").waits(0.5)
    board.presses(chess.WHITE, counted=True).runs_for(chess.BLACK).waits(3.0)
    board.misses("c3 b4k d8 d1Q c6 b6r g7 g8R").waits(0.5)
    board.hears_together(chess.BLACK, chess.WHITE, chess.BLACK).waits(5.0)
    assert board.moves == "f4g3 c3b4 d8d1 c6b6"
    board.shows("g8").waits(0.6).shows("c7R").waits(0.5).presses(chess.WHITE, counted=True)
    board.runs_for(chess.BLACK).waits(3.0)
    assert board.moves == "f4g3 c3b4 d8d1 c6b6 g7c7"
