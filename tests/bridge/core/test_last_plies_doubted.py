"""The last plies, doubted when the board shows what they do not explain."""

import chess
import pytest

from bridge.core.inference.course import Course
from bridge.core.inference.doubting import doubt
from bridge.core.inference.findings import Settled, Unexplained, Withdrawn
from bridge.core.inference.timing import Timing
from bridge.core.inference.weighing import is_pressed_better
from bridge.core.model import MovesCorrected, TableSetup
from drivers.cells import cells_of
from tests.bridge.core.dialogue import TableTalk
from tests.bridge.core.watching import Watched


def test_a_man_that_went_on_as_the_clock_was_pressed_is_followed() -> None:
    """He was read as the other king for a while; the opponent replies while nothing is clear."""
    board = Watched("8/8/8/k7/8/8/8/1K6 w - - 0 1")
    board.waits(5.0).shows("b1").waits(0.5).shows("a2K").waits(0.5)
    board.shows("a2k").waits(1.9)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(0.02)
    board.shows("a2 a3k").waits(0.02).shows("a5 c1K").waits(0.7).shows("a3")
    board.waits(0.6).shows("b5k").waits(0.4)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(0.5).shows("c1").waits(1.0)
    assert board.moves.startswith("b1c1")


def test_a_man_that_stood_for_a_moment_and_went_on_as_the_reply_came_made_one_move() -> None:
    board = Watched("2r3k1/8/8/8/8/8/8/5RK1 w - - 0 1")
    board.waits(5.0).shows("f1 e1R").waits(0.25).shows("e1 d1R c8 c7r").waits(1.0)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(0.5)
    board.shows("c7").waits(0.25).shows("c4r").waits(0.75).shows("c4 c5r").waits(0.3)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(3.0)
    assert board.moves == "f1d1 c8c5"


def test_a_man_that_was_put_back_made_no_move() -> None:
    board = Watched("5bk1/5pp1/2p1r1qp/p3p3/2Ppn2P/Pr1P2P1/R3QPK1/2BR4 w - - 0 1")
    board.waits(5.0).shows("g6").waits(0.35).shows("g3").waits(0.35).shows("g5q").waits(0.45)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(0.25).shows("g3P").waits(3.0)
    assert board.moves == ""


def test_men_of_both_players_that_are_gone_took_each_other() -> None:
    """Two bishops went to d6, which shows nothing, and were looked past; a knight came last."""
    board = Watched("r2q1rk1/pp2bppp/2p1n3/3p4/3Pn3/3Q1N1P/PPP1RPPB/R4NK1 w - - 0 1")
    board.waits(5.0).shows("f1").waits(0.2).shows("d2N").waits(0.5)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(0.4)
    board.shows("e7").waits(0.5).shows("h2").waits(0.1)
    board.engine.sight.excuse(chess.BB_E7 | chess.BB_H2)
    board.shows("e4").waits(0.4).shows("d6n").waits(0.5)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(0.5)
    board.shows("g2").waits(0.25).shows("g3P").waits(0.35)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(6.0)
    board.shows("f8").waits(0.4).shows("e8r").waits(0.5)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(3.0)
    assert board.moves == "f1d2 e7d6 h2d6 e4d6 g2g3"


def test_what_was_put_right_is_no_part_of_what_was_shown_since() -> None:
    """Castling with a bishop in between, taken back, is no move of the rook."""
    board = Watched("r1b1k2r/1pqp1pQ1/p3p3/7p/4Pb2/2N4P/PPP1B1P1/R4R1K b kq - 0 1")
    board.waits(6.5).shows("e8").waits(0.6).shows("g8k").waits(0.2).shows("h8").waits(0.2)
    board.shows("f8r").waits(0.4).presses(chess.BLACK).waits(5.4).shows("a1").waits(0.2)
    board.shows("a1R").waits(10.2).shows("g7").waits(0.2).shows("f8").waits(0.4).shows("h8r")
    board.waits(0.2).shows("g8").waits(0.2).shows("g7Q").waits(0.2).shows("e8k").waits(5.8)
    board.shows("c7").waits(0.4).shows("e5q").waits(0.8).presses(chess.BLACK).waits(11.4)
    board.shows("g7").waits(2.2).shows("e5Q").waits(0.4).presses(chess.WHITE).waits(0.2)
    board.shows("e5").waits(1.8).presses(chess.BLACK).waits(0.4).shows("e5b").waits(2.0)
    assert board.moves.startswith("c7e5 g7e5")


def test_a_man_whose_square_was_guessed_and_who_stands_where_he_came_from_made_no_move() -> None:
    board = Watched("4k3/8/8/8/8/8/8/R5K1 w - - 0 1")
    board.waits(5.0).shows("g1").waits(1.2).presses(chess.WHITE).runs_for(chess.BLACK).waits(5.0)
    assert board.moves.startswith("g1")
    board.shows("g1K").waits(3.0)
    assert board.moves == ""


def test_a_man_that_lay_across_an_edge_stands_where_he_is_seen_at_last() -> None:
    """He was told on d2, since the opponent replied at once; c2 showed him all the time."""
    board = Watched("3r2k1/8/5n2/8/8/2N5/4Q3/6K1 w - - 0 1")
    board.waits(5.0).shows("e2").waits(0.09).presses(chess.WHITE).runs_for(chess.BLACK).waits(0.02)
    board.shows("d2Q").waits(0.03).shows("c2Q").waits(0.43).shows("d7r").shows("d8")
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(0.05).shows("d2").waits(0.3)
    board.shows("c3").waits(0.14).shows("e4N").waits(0.1)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(0.2).shows("f6").waits(0.2)
    board.shows("h7n").waits(0.1).presses(chess.BLACK).runs_for(chess.WHITE).waits(3.0)
    assert board.moves == "e2c2 d8d7 c3e4 f6h7"


def test_a_scramble_is_followed_though_men_that_were_taken_look_as_if_they_were_in_a_hand() -> None:
    """A pawn on both squares hides a capture; half a second a ply, and nobody presses."""
    board = Watched("r1bqkb1r/pppp1ppp/2n1pn2/8/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq - 1 4")
    board.waits(5.0)
    for changes in (
        *("b1", "c3N", "", "f8 b4b", "d1", "c2Q", "d7 d6p", "a4P a3P a2", "", "b4 c3", "c3b", ""),
        *("c3", "a4 c2", "c3Q", "", "e8", "g8k", "h8 c3", "f8r d3Q", "", "a7", "a6p", "d3", "d1Q"),
        *("", "b7 b6p", "c4", "c5P", "d6", "c5p", "e2", "e3P"),
    ):
        board.shows(changes).waits(0.25)
    board.waits(8.0)
    assert "d1c2 d7d6 a2a3 b4c3 c2c3 e8g8 c3d3 a7a6 d3d1 b7b6 c4c5" in board.moves


def test_men_of_both_players_that_have_gone_took_each_other_where_a_third_stands() -> None:
    """Three captures on f4 within a second: only the last is a legal move from the record."""
    board = Watched("6k1/8/7b/4p3/5P2/6P1/4N3/6K1 b - - 0 1")
    board.waits(5.0).shows("e5").waits(0.17).shows("f4").waits(0.33).shows("e2").waits(0.1)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(0.06).shows("f4N").waits(0.17)
    board.shows("h6 f4b").waits(0.34).shows("f4").waits(0.17).shows("f4P g3").waits(3.0)
    assert board.moves.startswith("e5f4 e2f4 h6f4")


def test_a_man_on_the_way_to_one_that_was_taken_off_before_does_not_stand_yet() -> None:
    board = Watched("4k3/8/8/3p4/8/8/6B1/4K3 w - - 0 1")
    board.waits(5.0).shows("d5").waits(0.35).shows("e4B g2").waits(0.15)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(0.06).shows("d5B e4").waits(3.0)
    assert [each.move.uci() for each in board.found if isinstance(each, Settled)] == ["g2d5"]


def test_what_rests_unexplained_for_long_is_gone_through_once_more() -> None:
    """A queen that lay on c7 and c8 took on c8: only her next move tells, and not at once."""
    board = Watched("1Qb2bnr/4pkpq/5p1r/7p/7P/4P3/PPPP1PP1/RNB1KBNR w KQ - 0 9")
    board.waits(5.0).shows("c8").waits(0.24).shows("b8").waits(0.46).shows("c7Q").waits(0.25)
    board.shows("c8Q").waits(0.15).shows("c8").waits(0.08)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(0.03).shows("c8Q").waits(0.64)
    board.shows("f7").waits(0.31).shows("g6k").waits(0.3).shows("c7").waits(1.0)
    board.runs_for(chess.BLACK).waits(2.3)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(6.0)
    board.shows("c8").waits(0.55).shows("e6Q").waits(0.67)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(4.0)
    assert board.moves == "b8c8 f7g6 c8e6"


def test_a_man_who_went_on_before_the_reply_came_made_one_move() -> None:
    """Whether he stood on b8 first says nothing: nobody answers what has not come yet."""
    board = Watched("3qk3/8/8/8/8/8/8/R3K3 b - - 0 1")
    board.waits(5.0).shows("d8 c8q").waits(0.2).shows("c8 b8q").waits(0.2).shows("a1").waits(0.2)
    board.shows("b8 a8q c1R").waits(0.07).presses(chess.BLACK).runs_for(chess.WHITE).waits(0.6)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(2.0)
    assert board.moves == "d8a8 a1c1"


def test_a_man_who_stood_elsewhere_as_the_clock_was_pressed_stands_on_no_guessed_square() -> None:
    """The knight went to e7, which he cannot, and is taken up again for his next move."""
    board = Watched("1n2k3/p2p3p/8/8/8/3P1Q2/P6P/4K3 b - - 0 1")
    board.waits(5.0).shows("b8").waits(0.5).shows("e7n").waits(0.5)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(1.5)
    board.shows("f3").waits(0.3).shows("e2Q").waits(0.5)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(1.5)
    board.shows("e7").waits(0.3).shows("g6n").waits(3.0)
    assert board.moves == "b8e7 f3e2"


@pytest.mark.parametrize("passing", [0.2, 0.7])
def test_a_victim_that_was_taken_off_before_his_taker_left_makes_no_reply(passing: float) -> None:
    """He is put down on the next square, and his taker shows on another one on the way."""
    board = Watched("4k3/8/2b5/8/8/8/6B1/4K3 w - - 0 1")
    board.waits(5.0).shows("c6").waits(0.4).shows("d7b").waits(0.2).shows("g2 e4B").waits(passing)
    board.shows("e4 c6B").waits(0.7).presses(chess.WHITE).runs_for(chess.BLACK).waits(0.3)
    board.shows("d7").waits(2.0)
    assert board.moves == "g2c6"


def test_a_pressed_move_that_the_opponent_takes_at_once_by_an_illegal_one_was_made() -> None:
    board = Watched("8/8/8/3b4/3r2k1/4K3/8/8 b - - 0 1")
    board.waits(5.0).shows("d4 e4r").waits(0.25).presses(chess.BLACK).runs_for(chess.WHITE)
    board.waits(0.1).shows("e4").waits(0.35).shows("e3 e4K").waits(0.3).presses(chess.WHITE)
    board.runs_for(chess.BLACK).waits(4.0)
    assert board.moves == "d4e4"
    assert any(isinstance(each, Unexplained) for each in board.found)


@pytest.mark.parametrize(("stood", "settled"), [(11.0, ""), (13.0, "a1a8")])
def test_a_move_that_stood_for_long_was_played_though_the_clock_runs_on(
    stood: float, settled: str
) -> None:
    """It is not completed as long as it stands; taking it up again later makes no other move."""
    board = Watched("3qk3/8/8/8/8/8/8/R3K3 w - - 0 1")
    board.waits(5.0).shows("a1 a8R").waits(stood)
    unsettled = board.moves
    board.shows("e1").waits(0.5)
    assert (unsettled, board.moves) == ("", settled)


def test_the_king_who_moved_last_and_was_not_pressed_for_may_show_the_result() -> None:
    """The clock is stopped only when he has left his square for the centre."""
    board = Watched("6k1/8/8/8/8/8/8/6K1 w - - 0 1")
    board.waits(5.0).shows("g1 h1K").waits(8.0).shows("h1").waits(0.2).runs_for(None).waits(0.2)
    board.shows("d4K").waits(1.8).shows("g8").waits(0.2).shows("e5k").waits(6.0)
    assert board.moves == "g1h1"


def test_which_of_two_ways_led_to_the_same_position_is_not_read_again() -> None:
    """The queen stood on f4 as a press was read; later a victim is put beside his square."""
    board = Watched("4r1k1/8/2b5/8/8/5Q2/6B1/6K1 w - - 0 1")
    board.waits(5.6).shows("f3").waits(0.48).shows("c6").waits(0.08).shows("f5Q").waits(0.16)
    board.shows("d7b").waits(0.25).presses(chess.WHITE).presses(chess.BLACK).runs_for(chess.WHITE)
    board.waits(0.23).shows("f5 f4Q").waits(0.16).presses(chess.WHITE).runs_for(chess.BLACK)
    for changes in ("f3Q", "f4", "c6b", "d7", "f3", "f5Q"):
        board.waits(0.08).shows(changes)
    board.waits(0.3).presses(chess.BLACK).presses(chess.WHITE).runs_for(chess.BLACK)
    board.waits(0.25).shows("e8").waits(0.08).shows("e6r").waits(0.44).presses(chess.BLACK)
    board.runs_for(chess.WHITE).waits(0.04).shows("f1B").waits(0.08).shows("g2").waits(0.4)
    board.shows("c6").waits(0.08).shows("c7b").waits(0.08).shows("f1").waits(0.24).shows("c6B")
    board.waits(2.0)
    assert board.moves == "f3f5 c6d7 f5f3 d7c6 f3f5 e8e6"
    assert not any(isinstance(each, Withdrawn) for each in board.found)


def test_a_victim_put_beside_his_square_answered_no_move_that_nobody_pressed() -> None:
    """The rook rested on c5 first; one press tells of one move, not of the first of three."""
    board = Watched("6k1/8/8/4b2p/3R3P/8/8/6K1 w - - 0 1")
    board.waits(2.0).shows("h5").waits(0.1)
    board.shows("h5p").waits(2.0).shows("d4").waits(0.3).shows("d5R").waits(1.0)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(3.0).shows("g8").waits(0.3)
    board.shows("g7k").waits(0.5).presses(chess.BLACK).runs_for(chess.WHITE).waits(4.0)
    board.shows("d5").waits(0.25).shows("c5R").waits(0.12).shows("c5").waits(0.12).shows("c5R")
    board.waits(1.5).shows("e5").waits(0.36).shows("f6b").waits(0.26).shows("d5R").waits(0.12)
    board.shows("c5").waits(0.13).shows("d5 e5R").waits(0.54).presses(chess.WHITE)
    board.runs_for(chess.BLACK).waits(0.9).shows("f6").waits(3.0)
    assert board.moves == "d4d5 g8g7 d5e5"


def test_a_man_who_stands_elsewhere_for_long_tells_that_other_moves_were_made() -> None:
    """The bishop is last seen on its way; three moves later scans are no longer missed.

    The first of its moves was not pressed for, and five plies would lead there as well as three.
    """
    board = Watched("1r3rk1/pppq2b1/3p1nnp/1P1Np1p1/1NP2p2/3P2Pb/P2BPPBP/1RQ2RK1 w - - 8 18")
    board.runs_for(chess.BLACK).waits(4.27).shows("d5").waits(0.4).shows("f6").waits(0.2)
    board.shows("f6N").waits(0.6)
    board.shows("f8").waits(0.4).shows("f6").waits(0.2).shows("f6r").waits(0.6)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(2.8).shows("f3B g2").waits(0.3)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(1.6)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(1.1)
    board.shows("g8 h8k d5B f3 f1").waits(0.2).shows("e1R").waits(0.5)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(15.0)
    board.shows("g6").waits(0.4).shows("e7n").waits(0.4)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(2.0)
    assert board.moves == "d5f6 f8f6 g2d5 g8h8 f1e1 g6e7"


def test_a_pawn_taken_in_passing_may_be_removed_as_late_as_with_the_reply() -> None:
    """The reply goes to the square that its taker has left; nobody is seen to press for either."""
    board = Watched("4k3/1p6/p7/P7/8/3P4/8/4K3 b - - 0 1")
    board.waits(3.0).shows("b7").waits(0.2).shows("b5p").waits(1.0)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(3.0)
    board.shows("a5").waits(0.2).shows("b6P").waits(1.6).shows("a6").waits(0.2).shows("a5p b5")
    board.waits(1.0).runs_for(chess.WHITE).waits(1.6).shows("d3").waits(0.2).shows("d4P")
    board.waits(0.5).presses(chess.WHITE).runs_for(chess.BLACK).waits(4.0)
    assert board.moves == "b7b5 a5b6 a6a5 d3d4"
    assert not any(isinstance(each, Withdrawn) for each in board.found)


def test_men_of_both_players_who_fall_at_once_make_no_move_and_reply() -> None:
    """They are put down one after the other, on wrong squares at first."""
    board = Watched("4k3/8/8/2p5/8/8/2R5/4K3 b - - 0 1")
    board.waits(2.0).shows("c2 c5").waits(0.2).shows("c4p").waits(0.4).shows("c3R").waits(0.9)
    board.shows("c4").waits(0.6).shows("c3").waits(0.6).shows("c5p").waits(1.2).shows("c2R")
    assert not any(isinstance(each, Settled) for each in board.waits(3.0).found)


def test_who_stands_where_a_man_was_taken_is_not_that_man_read_wrongly() -> None:
    """The pawn wobbles between c3, where it took, and b3, and is shown on both at the press."""
    board = Watched("4k3/8/8/8/1p6/2N5/8/4K3 b - - 0 1")
    board.waits(2.0).shows("b4").waits(0.4).shows("c3").waits(0.4).shows("c3p").waits(0.2)
    board.shows("c3 b3p").waits(0.2).shows("c3p").waits(0.75)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(0.05).shows("b3").waits(2.0)
    assert [each.move.uci() for each in board.found if isinstance(each, Settled)] == ["b4c3"]


def test_what_the_link_told_late_is_gone_through_as_a_whole() -> None:
    """Six plies are told in one moment: none of their placements can be left out."""
    board = chess.Board("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1")
    course = Course(board.copy(), Timing(), "identity")
    for at, moved in ((2.0, "Kd2"), (5.0, "Kd7 Ke3 Ke6 Kf4 Kf6 a3")):
        for san in moved.split():
            board.push_san(san)
            course.sees(cells_of(board), at)
            course.read()
            course.settle("press", "the clock was pressed", at)
    course.sees(cells_of(chess.BaseBoard("8/8/5k2/8/5K2/P7/8/8")), 8.0)
    course.read()
    assert doubt(course, 9.0)
    assert course.tried.retracing is not None
    assert course.tried.retracing.start.ply == 1


@pytest.mark.parametrize("runs", [True, False])
def test_without_a_clock_fewer_plies_do_not_agree_better_with_presses(*, runs: bool) -> None:
    """Both lines lead to the same board, and nobody pressed."""
    board = chess.Board("8/p3R3/1k6/2p5/1PP5/2K5/8/8 w - - 0 1")
    course = Course(board, Timing(), "identity")
    course.clock.becomes("runs" if runs else "none", 0.0)
    start = course.story.head
    nodes = [start, start]
    for number, line in enumerate(("b4b5 b6a5 e7a7", "e7b7 b6a6 b4b5 a6a5 b7a7")):
        for uci in line.split():
            nodes[number] = nodes[number].then(chess.Move.from_uci(uci))
    shorter, longer = nodes
    assert is_pressed_better(course, shorter, longer, start) == runs
    assert not is_pressed_better(course, longer, shorter, start)


def test_what_was_put_right_before_the_first_move_does_not_make_what_follows_unbelievable() -> None:
    """King and queen stood exchanged for long. Black takes a move back, and plays another one."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.sees(2.0, without="d1 e1").sees(2.5, white_queen="e1", white_king="d1")
    table.sees(11.0, without="a2").sees(11.5, white_pawn="a2").ticks(20.0)
    table.sees(20.0, without="d1 e1").sees(21.0, white_king="e1", white_queen="d1")
    table.sees(40.0, without="g1").sees(40.5, white_knight="h3").ticks(46.0)
    table.sees(46.0, without="d7").sees(46.5, black_pawn="d5").ticks(68.0)
    table.sees(68.0, without="d5").sees(70.0, black_pawn="d7")
    table.sees(72.0, without="g8").sees(72.4, black_knight="h6")
    table.sees(73.6, without="h3").sees(74.6, white_knight="g1")
    table.sees(80.5, without="e7").sees(81.0, black_pawn="e5").ticks(90.0)
    assert table.moves == "Nh3 Nh6 Ng1 e5"


def test_what_is_shown_beyond_plies_that_were_read_again_stays_if_nothing_is_likelier() -> None:
    """Three captures whose victims are never seen taken off; the king might take a rook on f3."""
    fen = "8/8/8/4pR1p/6PP/4kP2/r7/6K1 b - - 0 51"
    setup = TableSetup(start_fen=fen, sensing="occupancy", has_clock=False)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="g4").sees(4.05, without="h5").sees(4.2, black_pawn="g4")
    table.sees(4.8, without="f3").sees(5.7, without="a2", black_rook="a4")
    table.sees(6.6, without="f5").sees(7.2, without="e3").sees(7.4, black_king="f3").ticks(70.0)
    assert table.moves == "hxg4 fxg4 Ra4 Rxe5+ Kf3"


@pytest.mark.parametrize(("lay", "moves"), [(0.03, "Kxc3 b4"), (0.4, "Kxc3 b4"), (1.0, "")])
def test_who_answers_may_come_to_the_square_that_was_left_before_he_leaves_his_own(
    lay: float, moves: str
) -> None:
    """For a moment it looks as if the king had been put back."""
    fen = "8/8/8/8/1k6/1PN1K3/P7/8 b - - 0 1"
    setup = TableSetup(start_fen=fen, sensing="occupancy", has_clock=False)
    table = TableTalk.ready(setup, clock=False).sees(5.0, without="b4")
    table.sees(8.8, black_king="b4").sees(8.8 + lay, without="b3").ticks(30.0)
    assert table.moves == moves


@pytest.mark.parametrize(("later", "moves"), [(0.2, "Qxc3 dxc4"), (2.0, "Qc2 Bxd2 Qc3 dxc4")])
def test_who_was_put_down_beside_his_victim_made_no_move_before_he_took_him(
    later: float, moves: str
) -> None:
    """The bishop is taken off while the queen stands beside; he might have taken the knight."""
    fen = "6k1/8/8/3p4/2P5/2bQ4/3N4/6K1 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"))
    table.sees(4.0, without="d3").sees(4.8, white_queen="c2").sees(5.4, without="c3")
    at = 5.4 + later
    table.sees(at, without="c2 c4", white_queen="c3").sees(at + 0.6, without="d5")
    table.sees(at + 1.2, black_pawn="c4").clock(at + 1.35, 296, 300, "right")
    table.clock(at + 3.0, 296, 298, "left").ticks(60.0)
    assert table.moves == moves


@pytest.mark.parametrize("clock", [True, False])
def test_who_was_adjusted_before_a_man_is_taken_off_beside_him_has_taken_nobody(
    *, clock: bool
) -> None:
    """White adjusts his queen, takes the bishop off that attacks her, and takes with the knight."""
    fen = "6k1/p4ppp/5b2/8/3Q2N1/8/5PPP/6K1 w - - 0 1"
    setup = TableSetup(start_fen=fen, sensing="occupancy", has_clock=clock)
    table = TableTalk.ready(setup, clock=clock)
    table.sees(4.0, without="d4").sees(4.8, white_queen="d4").sees(5.1, without="f6").ticks(6.5)
    table.sees(6.6, without="g4").sees(7.0, white_knight="f6")
    if clock:
        table.clock(7.6, 290, 300, "right")
    table.ticks(14.0).sees(15.0, without="g8").sees(15.4, black_king="h8")
    if clock:
        table.clock(16.0, 290, 290, "left")
    assert table.ticks(34.0).moves == "Nxf6+ Kh8"
    assert not table.told(MovesCorrected)
