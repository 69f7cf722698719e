"""What hands do to men: one move comes out of it, and only one."""

import pytest

from bridge.core.inference.scans import TOLD_WITH_IT
from bridge.core.model import (
    AlertRaised,
    GameEnded,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    Sensing,
    TableSetup,
)
from tests.bridge.core.dialogue import TIMING, TableTalk


def from_position(fen: str, *, clock: bool = True, sensing: Sensing = "identity") -> TableTalk:
    return TableTalk.ready(TableSetup(start_fen=fen, sensing=sensing), clock=clock)


def test_a_slid_pawn_is_one_move() -> None:
    table = TableTalk.ready()
    table.sees(4.02, without="e2").sees(4.18, white_pawn="e3")
    table.sees(4.39, without="e3", white_pawn="e4").expects()
    table.clock(4.9, 302, 300, "right").expects_soon("1. e4 by press", "1. has 302")
    table.ticks(20.0).expects()


def test_a_press_may_be_known_before_a_slide_has_ended() -> None:
    """The pawn is seen on e3 when its press is told; a scan later it is seen where it went."""
    table = TableTalk.ready()
    table.sees(4.0, without="e2").sees(4.15, white_pawn="e3")
    table.clock(4.5, 302, 300, "right").expects()
    table.sees(4.7, without="e3", white_pawn="e4").ticks(9.0)
    table.expects("1. e4 by press", "1. has 302")


def test_a_man_who_stood_before_the_press_is_not_waited_for_as_if_he_slid() -> None:
    """The pawn made one step, as quickly as one slides, and stood for longer than a scan."""
    table = TableTalk.ready()
    table.sees(4.0, without="e2").sees(4.15, white_pawn="e3")
    table.clock(4.15 + TIMING.gap, 302, 300, "right").ticks(4.15 + TIMING.gap + TOLD_WITH_IT)
    table.expects("1. e3 by press", "1. has 302")


def test_a_board_that_has_shown_nothing_quickly_may_tell_the_next_step_later() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e3").clock(4.4, 302, 300, "right").expects()
    table.sees(4.8, without="e3", white_pawn="e4").ticks(9.0)
    table.expects("1. e4 by press", "1. has 302")


def test_a_man_who_wobbled_before_the_press_is_waited_for_until_he_is_still() -> None:
    """The queen is put back from her square by a step, pressed for, and moved on again."""
    table = from_position("4k3/8/8/8/8/8/3Q4/6K1 w - - 0 1")
    table.sees(4.0, without="d2").sees(4.25, white_queen="d8").sees(4.5, without="d8")
    table.sees(4.5, white_queen="d7").clock(5.15, 299, 300, "right").expects()
    table.sees(5.25, without="d7", white_queen="d8").ticks(9.0)
    table.expects("1. Qd8+ by press", "1. has 299")


def test_a_square_that_is_told_right_after_the_press_had_changed_before_it() -> None:
    """The queen is shown on d2 when her press is heard; her next square is told 12 ms later."""
    table = from_position("4k3/8/8/8/8/8/1Q6/6K1 w - - 0 1")
    table.sees(4.0, white_queen="d2").sees(4.02, without="b2").clock(5.0, 299, 300, "right")
    table.sees(5.012, white_queen="g2").sees(5.03, without="d2").ticks(6.5)
    table.expects("1. Qg2 by press", "1. has 299")


def test_a_press_before_the_board_is_still_waits_for_it() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2").sees(4.27, white_pawn="e4")
    table.clock(4.3, 302, 300, "right").expects()
    table.ticks(4.27 + TIMING.still - 0.01).expects()
    table.ticks(4.27 + TIMING.still).expects("1. e4 by press", "1. has 302")


def test_a_man_that_slides_on_right_after_the_press_is_followed_to_its_end() -> None:
    table = from_position("8/8/8/8/5Q2/k7/8/7K w - - 0 1")
    table.sees(4.0, without="f4", white_queen="e5").sees(4.1, without="e5")
    table.sees(4.2, white_queen="c7").clock(4.25, 302, 300, "right").expects()
    table.sees(4.4, without="c7", white_queen="b8").expects()
    table.expects_soon("1. Qb8 by press", "1. has 302")


def test_a_man_seen_on_two_squares_went_to_the_one_that_it_does_not_leave() -> None:
    """The link is lost in the middle of a slide, when the queen seems to stand twice."""
    table = from_position("5Q2/1k1rpp1B/2n5/1p5q/5B2/5P2/P3QP2/1N2R1K1 b - - 0 22")
    table.sees(4.0, without="h5", black_queen="h6").sees(4.03, black_queen="h7").ticks(4.7)
    table.link(4.7, "lost").link(4.8, "live").clock(4.8, 300, 302, "left")
    table.shows(4.8, "5Q2/1k1rpp1q/2n5/1p6/5B2/5P2/P3QP2/1N2R1K1")
    table.sees(5.2, without="b5").sees(5.3, without="e2").sees(5.5, white_queen="b5")
    table.clock(7.0, 305, 302, "right").ticks(9.0)
    assert table.moves == "Qxh7 Qxb5+"


def test_a_clock_that_ran_for_the_opponent_before_the_move_presses_nothing() -> None:
    """Nf3 was not pressed, and a hand rests the knight on h6 on its way to f6."""
    table = TableTalk.ready()
    table.sees(4.0, without="g1", white_knight="f3").clock(4.5, 298, 300, "left")
    table.clock(5.5, 297, 300, "left").sees(6.0, without="g8").sees(6.3, black_knight="h6")
    table.ticks(6.5).clock(6.6, 296, 300, "left").clock(7.6, 295, 300, "left")
    table.expects("1. Nf3 by reply")
    table.sees(8.0, without="h6").sees(8.3, black_knight="f6")
    table.clock(8.6, 294, 300, "left").expects()
    table.clock(9.4, 297, 300, "right").expects("1. has 297")
    table.clock(10.2, 297, 302, "left").expects("2. Nf6 by press", "2. has 302")


def test_a_press_may_be_known_before_the_last_square_is_scanned() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2")
    table.clock(4.3, 302, 300, "right").sees(4.45, white_pawn="e4").expects()
    table.ticks(4.8).expects("1. e4 by press", "1. has 302")


def test_a_press_may_be_known_before_anything_was_scanned() -> None:
    table = TableTalk.ready()
    table.clock(4.0, 302, 300, "right").expects()
    table.sees(4.2, without="e2", white_pawn="e4").ticks(4.6)
    table.expects("1. e4 by press", "1. has 302")
    table.sees(6.0, without="e7", black_pawn="e5").clock(6.5, 302, 299, "left")
    table.expects_soon("2. e5 by press", "2. has 299")


def test_a_quick_reply_to_a_move_whose_press_was_known_first_exchanges_no_sides() -> None:
    table = TableTalk.ready()
    table.clock(4.0, 302, 300, "right").sees(4.05, without="e2", white_pawn="e4")
    table.sees(4.15, without="e7").clock(4.3, 302, 302, "left").sees(4.45, black_pawn="e5")
    told = table.ticks(6.0)
    told.expects("1. e4 by press", "1. has 302", "2. e5 by press", "2. has 302")


CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    "steps",
    [
        [("e1", {}), ("", {"white_king": "g1"}), ("h1", {}), ("", {"white_rook": "f1"})],
        [("h1", {}), ("", {"white_rook": "f1"}), ("e1", {}), ("", {"white_king": "g1"})],
        [("e1", {}), ("h1", {}), ("", {"white_rook": "f1"}), ("", {"white_king": "g1"})],
        [("", {"white_king": "g1"}), ("e1 h1", {}), ("", {"white_rook": "f1"})],
    ],
    ids=["king first", "rook first", "both lifted", "new square before old"],
)
@pytest.mark.parametrize("pace", [0.2, 1.0, 2.5])
def test_castling_in_any_order(steps: list[tuple[str, dict[str, str]]], pace: float) -> None:
    table = from_position(CASTLING)
    at = 4.0
    for without, men in steps:
        table.sees(at, without=without, **men)
        at += pace
    table.expects()
    table.clock(at + 0.5, 299, 300, "right").expects_soon("1. O-O by press", "1. has 299")


def test_slow_castling_rook_first_without_a_clock() -> None:
    """The rook rested long enough to be believed; then the king follows."""
    table = from_position(CASTLING, clock=False)
    table.sees(4.0, without="h1", white_rook="f1").ticks(4.0 + TIMING.rest)
    table.expects("1. Rf1 by rest")
    table.sees(11.0, without="e1", white_king="g1").ticks(11.0 + TIMING.rest)
    table.expects("withdrawn 1 from 1.", "alert RECORD_CORRECTED", "1. O-O by rest")


@pytest.mark.parametrize("order", ["taken first", "taken last", "seconds later"])
def test_en_passant_in_either_order(order: str) -> None:
    table = from_position("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1")
    table.plays(4.0, "b4")
    table.expects("1. b4 by press", "1. has 300")
    if order == "taken first":
        table.sees(6.0, without="b4").sees(6.3, without="c4").sees(6.6, black_pawn="b3")
    else:
        table.sees(6.0, without="c4").sees(6.3, black_pawn="b3")
        table.sees(6.6 if order == "taken last" else 9.0, without="b4")
    table.expects()
    table.clock(9.6, 300, 298, "left").expects_soon("2. cxb3 by press", "2. has 298")


@pytest.mark.parametrize("piece", ["queen", "rook", "bishop", "knight"])
def test_a_pawn_left_standing_is_replaced(piece: str) -> None:
    table = from_position("7k/3P4/7K/8/8/8/8/8 w - - 6 55")
    table.sees(4.0, without="d7", white_pawn="d8").ticks(8.0)
    table.sees(8.5, without="d8").sees(9.5, **{f"white_{piece}": "d8"}).expects()
    table.clock(10.0, 290, 300, "right").ticks(10.0 + TIMING.still)
    san = {"queen": "d8=Q#", "rook": "d8=R#", "bishop": "d8=B", "knight": "d8=N"}[piece]
    told = [f"1. {san} by press", "1. has 290"]
    table.expects(*told, "1-0 by checkmate" if san.endswith("#") else "alert DEAD_POSITION")


def test_mate_is_not_told_before_the_man_may_be_seen_to_go_on() -> None:
    """The scan that shows it is told a moment after the press that it preceded."""
    table = from_position("6k1/5ppp/8/8/8/8/r7/3R2K1 w - - 0 1", sensing="occupancy")
    table.sees(4.0, without="d1").sees(4.5, white_rook="d8").clock(5.2, 290, 300, "right")
    table.sees(5.23, without="d8").sees(5.5, white_rook="d7").ticks(9.0)
    assert table.moves == "Rd7"
    assert not table.told(GameEnded)


def test_a_move_taken_back_before_the_press_leaves_no_trace() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").ticks(6.0)
    assert table.shown == ["e4"]
    table.sees(6.5, without="e4").sees(7.0, white_pawn="e2").expects_soon()
    assert table.shown == ["e4", None]
    table.sees(8.0, without="d2", white_pawn="d4").clock(9.0, 299, 300, "right")
    table.expects_soon("1. d4 by press", "1. has 299")


def test_a_capture_never_shows_the_target_empty() -> None:
    table = from_position("4k3/3p4/2B5/8/8/8/8/4K3 b - - 0 1")
    table.sees(4.0, without="d7").sees(4.4, black_pawn="c6")
    table.clock(5.0, 300, 300, "right").expects_soon("1. dxc6 by press", "1. has 300")


def test_a_taken_man_may_appear_on_a_neighbour_square() -> None:
    table = from_position("4k3/4n3/8/8/4Q3/8/8/4K3 w - - 0 1")
    table.sees(4.0, without="e4").sees(4.2, white_queen="e7").sees(4.4, black_knight="e6")
    table.sees(4.6, without="e6").expects()
    table.clock(5.1, 300, 300, "right").expects_soon(
        "1. Qxe7+ by press", "1. has 300", "alert DEAD_POSITION"
    )


def test_a_rook_is_seen_on_passing_squares() -> None:
    table = from_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    table.sees(4.0, without="a1").sees(4.2, white_rook="d1").sees(4.4, without="d1")
    table.sees(4.6, white_rook="e1").sees(4.8, without="e1").sees(5.0, white_rook="f1")
    table.clock(5.4, 300, 300, "right").expects_soon("1. Rf1 by press", "1. has 300")


def test_an_adjusted_man_is_nothing() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g1").sees(4.6, white_knight="g1")
    table.sees(5.0, without="d7").sees(5.5, black_pawn="d7").ticks(30.0).expects()


@pytest.mark.parametrize("clock", [True, False])
def test_men_knocked_over_and_restored_are_nothing(clock: bool) -> None:
    table = TableTalk.ready(clock=clock)
    table.sees(4.0, without="e2 d2 d1").sees(5.0, white_queen="d2", white_pawn="e2")
    table.sees(7.0, without="d2").sees(7.5, white_pawn="d2").sees(12.0, white_queen="d1")
    table.ticks(30.0).expects()
    table.plays(31.0, "e4")
    assert table.moves == "e4"


def test_a_king_knocked_over_beside_a_pawn_that_steps_did_not_move() -> None:
    """On e2 the king might have moved there, but then the pawn would not stand on d4."""
    table = from_position("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1")
    table.sees(4.0, without="d2").sees(4.2, without="e1").sees(4.4, white_pawn="d4")
    table.sees(4.41, white_king="e2").clock(4.52, 302, 300, "right").ticks(5.2).expects()
    table.sees(5.2, without="e2").sees(5.6, white_king="e1").ticks(9.0)
    table.expects("1. d4 by press", "1. has 302")


def test_a_knocked_man_put_back_elsewhere_first() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="b1 c1").sees(5.0, white_bishop="b1", white_knight="c1").ticks(9.0)
    table.sees(9.0, without="b1 c1").sees(10.0, white_knight="b1", white_bishop="c1")
    table.ticks(30.0).expects()


def test_without_a_clock_long_rest_settles() -> None:
    table = TableTalk.ready(clock=False)
    table.sees(4.0, without="e2").sees(4.4, white_pawn="e4").ticks(4.39 + TIMING.rest).expects()
    table.ticks(4.4 + TIMING.rest).expects("1. e4 by rest")


def test_without_a_clock_a_man_may_rest_and_move_on() -> None:
    table = TableTalk.ready(clock=False)
    table.sees(4.0, without="e2", white_pawn="e3").ticks(4.0 + TIMING.rest)
    table.expects("1. e3 by rest")
    table.sees(16.0, without="e3", white_pawn="e4").ticks(15.99 + TIMING.correction).expects()
    table.ticks(16.0 + TIMING.correction)
    table.expects("withdrawn 1 from 1.", "alert RECORD_CORRECTED")
    table.ticks(16.0 + TIMING.rest).expects("1. e4 by rest")


def test_without_a_clock_a_man_taken_up_for_his_answer_has_made_his_move() -> None:
    """The queen leaves e3 before the rook, who goes to c2 meanwhile, and goes on to d3."""
    fen = "5nk1/1p2qpp1/1Qp4p/4P3/1P6/P1N4P/2Pr2P1/4R1K1 w - - 1 29"
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=fen), clock=False)
    table.sees(4.0, without="b6").sees(4.7, white_queen="e3").sees(7.0, without="d2")
    table.sees(7.25, without="e3").sees(7.65, black_rook="c2").sees(7.75, white_queen="d3")
    table.ticks(15.0)
    assert table.moves == "Qe3 Rxc2 Qd3"


def test_without_a_clock_a_move_may_be_taken_back_after_rest() -> None:
    quiet = TableTalk.ready(clock=False)
    quiet.sees(4.0, without="e2", white_pawn="e4").ticks(8.0).expects("1. e4 by rest")
    quiet.sees(9.0, without="e7", black_pawn="e6").ticks(13.0).expects("2. e6 by rest")
    quiet.sees(14.0, without="e6", black_pawn="e7").ticks(16.0).expects()
    quiet.sees(17.0, without="c7", black_pawn="c5").ticks(21.0)
    quiet.expects("withdrawn 1 from 2.", "alert RECORD_CORRECTED", "2. c5 by rest")


def test_a_man_put_right_just_after_the_press() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g1", white_knight="f3").clock(4.5, 301, 300, "right")
    table.expects_soon("1. Nf3 by press", "1. has 301")
    table.sees(5.5, without="f3", white_knight="h3").ticks(5.49 + TIMING.gap).expects()
    table.ticks(5.5 + TIMING.gap)
    table.expects("withdrawn 1 from 1.", "alert RECORD_CORRECTED", "1. Nh3 by press", "1. has 301")


def test_another_square_long_after_the_press_is_not_put_right() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g1", white_knight="f3").clock(4.5, 301, 300, "right")
    table.expects_soon("1. Nf3 by press", "1. has 301")
    table.sees(8.0, without="f3", white_knight="h3").ticks(30.0).expects()
    table.sees(31.0, without="h3", white_knight="f3").ticks(33.0).expects()
    assert table.moves == "Nf3"


def test_another_man_after_the_press_is_not_put_right() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g1", white_knight="f3").clock(4.5, 301, 300, "right")
    table.sees(5.0, without="f3", white_knight="g1").sees(5.2, without="e2", white_pawn="e4")
    table.ticks(9.0).expects("1. Nf3 by press", "1. has 301")


def test_a_reply_begun_after_the_press_settles_at_once() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").clock(4.05, 302, 300, "right").expects()
    table.sees(4.2, without="e7").ticks(4.2 + TIMING.scan).expects("1. e4 by press", "1. has 302")


def test_a_reply_in_the_same_scan_is_found() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2 e7", white_pawn="e4", black_pawn="e5").expects()
    table.ticks(4.0 + TIMING.gap).expects("1. e4 by reply")
    table.clock(5.0, 300, 299, "left")
    table.expects_soon("2. e5 by press", "2. has 299", "1. has about 300")


def test_replies_that_begin_before_the_move_has_settled() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4")
    table.sees(4.35, without="e7").sees(4.5, black_pawn="e5").expects()
    table.ticks(4.5 + TIMING.glance).expects("1. e4 by reply")
    table.sees(4.7, without="g1").sees(4.9, white_knight="f3").expects()
    table.ticks(4.9 + TIMING.glance).expects("2. e5 by reply")


def test_a_capture_whose_victim_is_carried_over_a_square_is_one_move() -> None:
    table = TableTalk.ready()
    at = table.plays(4.0, "e3", "b6", "Nf3", "Ba6", "h3") + 1.0
    table.sees(at, without="a6", black_bishop="d3").sees(at + 0.2, black_bishop="e2")
    table.sees(at + 0.21, without="d3").sees(at + 0.25, without="f1")
    table.sees(at + 0.45, white_bishop="e2").sees(at + 0.47, black_bishop="f1")
    table.sees(at + 0.65, without="e2").ticks(at + 1.0)
    assert table.moves == "e3 b6 Nf3 Ba6 h3"
    (*_, last) = (fact for fact in table.facts if isinstance(fact, MoveProvisional))
    assert last.san == "Bxf1"


def test_a_passing_square_that_was_taken_for_the_move_is_corrected() -> None:
    table = TableTalk.ready()
    at = table.plays(4.0, "e3", "b6", "Nf3", "Ba6", "h3") + 1.0
    table.sees(at, without="a6", black_bishop="e2").sees(at + 0.4, without="f1")
    at += 0.6 + TIMING.in_hand
    table.sees(at - TIMING.in_hand, white_bishop="e2").ticks(at)
    assert table.moves == "e3 b6 Nf3 Ba6 h3 Be2"
    table.sees(at + 0.7, black_bishop="f1").sees(at + 0.9, without="e2").ticks(at + 2.4)
    assert table.moves == "e3 b6 Nf3 Ba6 h3"
    (corrected,) = (fact for fact in table.facts if isinstance(fact, MovesCorrected))
    assert (corrected.ply, corrected.count) == (6, 1)
    (*_, last) = (fact for fact in table.facts if isinstance(fact, MoveProvisional))
    assert last.san == "Bxf1"


def test_the_first_position_played_back_to_is_no_new_game() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "Nf3", "Nf6", "Ng1", "Ng8")
    table.ticks(end + 30.0)
    assert table.moves == "Nf3 Nf6 Ng1 Ng8"
    table.plays(end + 31.0, "e4")
    assert table.moves == "Nf3 Nf6 Ng1 Ng8 e4"


def test_a_square_that_cannot_be_read_is_waited_for() -> None:
    table = TableTalk.ready()
    board = table.cells
    table.cells = board[:12] + "*" + board[13:]
    table.shows(4.0)
    table.cells = board
    table.shows(5.0).ticks(30.0).expects()


def test_a_man_that_cannot_be_named_is_waited_for() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2")
    table.cells = table.cells[:28] + "?" + table.cells[29:]
    table.shows(4.2).ticks(5.0).expects()
    table.sees(5.5, white_pawn="e4").clock(6.0, 300, 300, "right")
    table.expects_soon("1. e4 by press", "1. has 300")


def test_somebody_pushed_while_a_man_slides_by_did_not_answer_him() -> None:
    table = TableTalk.ready(TableSetup(start_fen="6k1/8/8/8/8/8/r7/4R1K1 w - - 0 1"))
    table.sees(2.0, without="e1").sees(2.08, white_rook="d1").sees(2.2, without="d1")
    table.sees(2.22, without="a2").sees(2.24, white_rook="c1").sees(2.28, black_rook="a3")
    table.sees(2.33, without="c1").sees(2.37, white_rook="b1").ticks(3.4)
    table.sees(3.6, without="a3").sees(3.9, black_rook="a2").clock(4.4, 297, 300, "right")
    table.ticks(8.0)
    assert table.moves == "Rb1"


def test_men_passing_by_at_once_are_no_three_moves() -> None:
    """The rook slides over e6 to take on e5, and the queen is read on f4 for a moment."""
    table = from_position("4r1k1/8/8/4Q3/8/8/8/6K1 b - - 0 1")
    table.sees(4.0, black_rook="e6").sees(4.04, without="e8").sees(4.16, white_queen="f4")
    table.sees(4.18, without="e5").sees(4.2, without="e6").sees(4.38, black_rook="e5")
    table.sees(4.56, without="f4").clock(5.0, 298, 300, "right").ticks(8.0)
    assert table.moves == "Rxe5"


@pytest.mark.parametrize(
    ("scan", "soon", "told"), [(0.4, "e4", "e4 Rb5"), (0.2, "e4 Rb6", "e4 Rb6")]
)
def test_a_man_who_slides_is_waited_for_as_long_as_the_board_scans(
    scan: float, soon: str, told: str
) -> None:
    """The pawn has shown how long a scan takes; the rook comes to b5 one slow scan after b6."""
    table = from_position("1r2k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    table.sees(2.0, without="e2", white_pawn="e3").sees(2.0 + scan, without="e3", white_pawn="e4")
    table.clock(4.0, 299, 300, "right").ticks(5.0)
    table.clock(8.0, 299, 298, "left").sees(8.01, without="b8", black_rook="b6").ticks(8.4)
    assert table.moves == soon
    if soon != told:
        table.sees(8.41, without="b6", black_rook="b5").ticks(10.0)
    assert table.moves == told
    assert not table.told(MovesCorrected)


@pytest.mark.parametrize("scan", [0.45, 0.65])
def test_who_crosses_several_squares_between_slow_scans_is_waited_for(scan: float) -> None:
    """The press is known at once, the last square a scan later, which Bluetooth tells late."""
    table = from_position("1r2k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    table.sees(2.0, without="e2", white_pawn="e3").sees(2.0 + scan, without="e3", white_pawn="e4")
    table.clock(4.0, 299, 300, "right").ticks(5.0)
    table.sees(8.0, without="b8", black_rook="b5").clock(8.3, 299, 298, "left")
    table.sees(8.0 + scan * 1.2, without="b5", black_rook="b3").ticks(12.0)
    assert table.moves == "e4 Rb3"
    assert not table.told(MovesCorrected)


def test_a_man_who_rests_where_it_would_be_stalemate_may_go_on_while_the_clock_runs() -> None:
    table = from_position("7k/8/8/5Q2/8/8/8/K7 w - - 0 1")
    table.sees(4.0, without="f5", white_queen="g6").ticks(6.4).expects()
    table.sees(6.5, without="g6").sees(6.8, white_queen="g5").ticks(20.0).expects()


@pytest.mark.parametrize("pressed", [4.6, 4.25, 4.1])
@pytest.mark.parametrize("slid", [True, False])
def test_a_king_may_follow_his_rook_after_an_early_press(*, pressed: float, slid: bool) -> None:
    """Something flickers as if the reply had begun; a rook who does not castle is soon believed."""
    table = from_position("4k3/2n5/8/8/8/8/5PPP/4K2R w K - 0 1")
    table.sees(4.0, without="h1")
    if slid:
        table.sees(4.0, white_rook="g1").sees(4.05, without="g1")
    if pressed < 4.2:
        table.clock(pressed, 299, 300, "right")
    table.sees(4.2, white_rook="f1")
    if pressed > 4.2:
        table.clock(pressed, 299, 300, "right")
    table.sees(4.85, without="c7").sees(4.9, without="e1").sees(5.0, white_king="g1")
    table.sees(5.3, black_knight="c7").ticks(9.0)
    assert table.moves == "O-O"
    assert not table.told(MovesCorrected)
    alone = from_position("4k3/2n5/8/8/8/8/5PPP/4K2R w K - 0 1")
    alone.sees(4.0, without="h1").sees(4.2, white_rook="f1").clock(4.6, 299, 300, "right")
    assert alone.ticks(4.6 + TIMING.carried).moves == "Rf1"


def test_a_king_who_rested_beside_his_square_while_his_rook_waits_for_the_reply_castles() -> None:
    """Seen on f1 for a scan, he looks as if he had moved there and on."""
    table = from_position("4k3/8/2n5/8/8/8/5PPP/4K2R w K - 0 1")
    table.sees(4.0, without="e1", white_king="f1")
    table.sees(4.2, without="f1", white_king="g1")
    table.sees(4.4, without="c6").sees(4.6, black_knight="e5").ticks(6.5)
    table.sees(6.6, without="h1").sees(6.8, white_rook="f1")
    table.clock(7.4, 299, 300, "right").clock(7.6, 299, 302, "left").ticks(12.0)
    assert table.moves == "O-O Ne5"
    assert not table.told(MovesCorrected)


def test_a_man_who_stood_and_is_pushed_beside_his_square_by_his_taker_was_taken() -> None:
    """In one scan the taker stands on e5 and his victim on e6; then it is taken back, twice."""
    fen = "rn1q1rk1/pppbppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 2 8"
    table = from_position(fen, clock=False)
    table.sees(4.0, without="e7", black_pawn="e6").sees(4.2, without="e6", black_pawn="e5")
    table.sees(5.0, without="d4").sees(5.2, white_pawn="e5", black_pawn="e6")
    table.sees(5.4, without="e6").ticks(6.1)
    assert table.moves == "e5"
    table.sees(6.2, without="d6").sees(6.4, black_pawn="e5")
    table.sees(7.0, without="e5").sees(7.2, without="f3").sees(7.4, white_knight="e5").ticks(13.0)
    assert table.moves == "e5 dxe5 dxe5 Nxe5"
    assert not table.told(MovesCorrected)


def test_a_victim_whom_his_taker_puts_down_beside_his_square_did_not_go_there() -> None:
    """He might have gone to e2 at once as well; the taker was taken up before he left d3."""
    table = from_position("4k3/8/8/4n3/5N2/8/7P/6K1 w - - 0 1", clock=False)
    table.sees(4.0, without="f4").sees(4.6, white_knight="d3").sees(7.3, without="e5")
    table.sees(8.0, without="d3").sees(8.05, white_knight="e2").sees(8.15, black_knight="d3")
    table.sees(8.95, without="e2").ticks(14.0)
    assert table.moves == "Nd3 Nxd3"
    assert not table.told(MovesCorrected)


def test_a_victim_whom_a_slow_board_shows_beside_him_who_took_him_did_not_go_there() -> None:
    table = from_position("4k3/4q3/8/8/8/8/2Q4P/6K1 w - - 0 1", clock=False)
    table.sees(4.0, without="c2", white_queen="c5").sees(7.5, without="e7 c5")
    table.sees(8.0, black_queen="c5", white_queen="c4").sees(8.5, without="c4").ticks(14.0)
    assert table.moves == "Qc5 Qxc5+"
    assert not table.told(MovesCorrected)


def test_a_man_who_had_moved_before_is_not_another_one_that_is_read_wrongly() -> None:
    """On his way to take the bishop the knight passes f2, where the pawn had stood."""
    table = from_position("4k3/8/8/8/3n4/8/4BP2/3QK3 w - - 0 1", clock=False)
    table.sees(4.0, without="f2").sees(4.3, white_pawn="f3")
    table.sees(8.0, without="e2").sees(8.1, without="d4").sees(8.2, black_knight="f2")
    table.sees(8.3, without="f2").sees(8.4, black_knight="e2").ticks(13.0)
    assert table.moves == "f3 Nxe2"
    assert not table.told(MovesCorrected)


@pytest.mark.parametrize("scan", [0.33, 0.66])
def test_a_board_that_only_shows_changes_of_a_slow_scan_is_waited_for_after_a_press(
    scan: float,
) -> None:
    """By its first moves: no square has changed twice within a scan yet."""
    table = TableTalk.ready()
    table.sees(4.0, without="e2").sees(4.0 + scan, white_pawn="e4").clock(4.8, 302, 300, "right")
    table.sees(6.0, without="e7").sees(6.0 + scan, black_pawn="e5").clock(6.8, 302, 302, "left")
    table.sees(8.0, without="g1").sees(8.0 + scan, white_knight="f3").clock(8.8, 304, 302, "right")
    table.sees(10.0, without="b8").sees(10.0 + scan, black_knight="c6")
    table.clock(10.8, 304, 304, "left").sees(12.0, without="f1", white_bishop="d3")
    table.clock(12.0 + scan * 0.8, 306, 304, "right")
    table.sees(12.0 + scan, without="d3", white_bishop="b5").ticks(16.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Bb5"
    assert not table.told(MovesCorrected)


def test_a_king_on_his_way_while_his_rook_is_in_the_hand_castles() -> None:
    """The rook was taken up long before he stood, as a man who was knocked over is."""
    table = from_position(CASTLING)
    table.sees(4.0, without="e1").sees(4.1, without="h1").sees(5.0, white_king="f1")
    table.clock(5.4, 299, 300, "right").ticks(5.5).expects()
    table.sees(5.6, without="f1", white_king="g1", white_rook="f1").ticks(8.0)
    assert table.moves == "O-O"
    assert not table.told(MovesCorrected)


def test_a_man_seen_on_the_way_to_a_victim_that_left_in_the_same_scan_goes_on_to_it() -> None:
    table = from_position("1r2k3/8/8/8/8/1P6/8/4K3 b - - 0 1")
    table.sees(4.0, without="b8 b3", black_rook="b5").clock(4.47, 300, 299, "left").ticks(4.49)
    table.sees(4.5, without="b5", black_rook="b3").ticks(8.0)
    assert table.moves == "Rxb3"
    assert not table.told(MovesCorrected)


def test_a_pawn_that_is_replaced_after_the_press_was_not_exchanged_on_the_next_square() -> None:
    """It could take on f8 as well, and be taken there by the rook that is gone from d8."""
    table = from_position("2kr1r2/4P3/8/8/8/8/8/4K3 w - - 0 1")
    table.sees(4.0, without="e7").sees(4.4, without="d8").sees(5.0, white_pawn="d8")
    table.clock(5.2, 300, 300, "right").ticks(6.1)
    table.sees(6.2, without="d8").ticks(6.5).sees(6.6, white_queen="d8").ticks(9.0)
    assert table.moves == "exd8=Q+"
    assert not table.told(MovesCorrected)


def test_a_king_knocked_by_a_move_that_stands_and_put_back_elsewhere_first_made_none() -> None:
    """He stands on c5 for a second; the bishop had stood on e3 before the press."""
    table = from_position("4kr2/8/8/8/3K4/8/3B4/8 w - - 0 1")
    table.sees(4.0, without="d2").sees(4.2, white_bishop="e3").sees(4.22, without="d4")
    table.sees(4.25, white_king="e4").sees(4.65, without="e4").clock(4.8, 299, 300, "right")
    table.sees(5.9, white_king="c5").ticks(7.0).sees(7.1, without="c5")
    table.sees(7.3, white_king="d4").ticks(9.0)
    assert table.moves == "Be3"
    assert not table.told(MovesCorrected)
    assert not table.told(AlertRaised)


def test_a_man_beside_the_square_of_a_victim_who_went_with_him_may_be_put_right() -> None:
    """The pawn leaves c4 as the queen comes, who is moved there three seconds later."""
    table = from_position("4k3/8/8/8/Q1p5/8/8/4K3 w - - 0 1")
    table.sees(4.0, without="a4 c4", white_queen="b4").clock(5.0, 299, 300, "right").ticks(7.5)
    assert table.moves == ""
    table.sees(7.6, without="b4", white_queen="c4").ticks(9.0)
    assert table.moves == "Qxc4"
    assert not table.told(MovesCorrected)


def test_a_pawn_pushed_back_by_its_taker_as_the_press_is_heard_went_where_it_stood() -> None:
    """The pawn on d4 is shown on d3 for a moment, where it might have gone as well."""
    table = from_position("4k3/8/8/2p5/8/4P3/3P4/4K3 w - - 0 1")
    table.sees(4.0, without="d2").sees(4.2, white_pawn="d4").sees(5.15, without="c5")
    table.sees(5.3, without="d4").sees(5.32, white_pawn="d3").sees(5.35, black_pawn="d4")
    table.clock(5.53, 299, 300, "right").sees(5.67, without="d3").ticks(7.5)
    assert table.moves == "d4"
    table.clock(7.6, 299, 298, "left").ticks(9.0)
    assert table.moves == "d4 cxd4"
    assert not table.told(MovesCorrected)


def test_a_man_who_stood_and_is_carried_over_another_square_was_taken_where_he_stood() -> None:
    """Without a clock: the rook stood on e5, and is shown on d6 as he is taken off."""
    table = from_position("4k3/8/4r3/3R4/8/8/8/4K3 b - - 0 1", clock=False)
    table.sees(4.0, without="e6").sees(4.4, black_rook="e5").sees(
        5.4, without="e5", black_rook="d6"
    )
    table.sees(5.65, without="d6").sees(5.9, without="d5").sees(6.6, white_rook="e5").ticks(14.0)
    assert table.moves == "Re5+ Rxe5+"
    assert not table.told(MovesCorrected)


def changes(table: TableTalk, told: str) -> TableTalk:
    """Squares of a board without names, emptied with a minus, at their times."""
    for each in told.split(", "):
        at, squares = each.split(" ", 1)
        left = " ".join(square[1:] for square in squares.split() if square[0] == "-")
        came = " ".join(square for square in squares.split() if square[0] != "-")
        table.sees(float(at), without=left, black_pawn=came)
    return table


def test_men_of_both_sides_who_may_have_met_are_not_looked_past() -> None:
    """The knight taken on d5 is carried over e4, and what takes back there is not seen to come."""
    fen = "r1bq1rk1/pp2npb1/2np2pp/2p1p3/2P4P/1PNP2PN/PB1QPPB1/R3K2R w KQ - 0 11"
    table = from_position(fen, clock=False, sensing="occupancy")
    changes(table, "4.11 -c3, 4.44 d5, 4.9 -e7, 5.31 -d5, 5.39 e4, 5.67 -e4, 5.81 d5, 7.57 -c4")
    changes(table, "8.51 -c6, 8.67 d4, 9.79 -e2, 9.99 e3, 10.56 -d4, 11.37 f5, 12.61 -h3, 12.88 g1")
    changes(table, "13.79 -a7, 14.44 a5, 15.7 -g1, 16.08 e2, 17.09 -b7, 17.71 b5").ticks(26.0)
    assert table.moves == "Nd5 Nxd5 cxd5 Nd4 e3 Nf5 Ng1 a5 Ne2 b5"
    assert not table.told(MovesCorrected)


def test_while_men_are_away_that_may_have_been_taken_no_move_is_told() -> None:
    """Between two readings of the clock the pawns take each other on g5."""
    fen = "2r1r1k1/5ppn/p2qb2p/1p1pN3/3P2PP/P1N2P2/1P1QR3/4R1K1 w - - 3 33"
    table = from_position(fen, sensing="occupancy")
    changes(table, "4.29 -g4, 4.49 g5").clock(4.81, 299, 300, "right")
    changes(table, "5.09 -g5, 5.49 -h6, 5.69 g5, 5.69 -h4").clock(5.81, 299, 299, "right")
    table.clock(6.81, 299, 298, "right")
    changes(table, "7.29 -d6, 7.49 d8").clock(7.81, 299, 297, "left")
    changes(table, "8.49 -e2, 8.69 g2").clock(8.81, 298, 297, "right")
    changes(table, "9.49 -f7 f6").clock(9.81, 298, 296, "right")
    changes(table, "9.89 -h7 -g5 g6, 10.09 f8, 10.69 -e5 d3").clock(10.81, 298, 296, "right")
    changes(table, "11.09 -e6, 11.49 h3").clock(11.81, 297, 296, "left")
    changes(table, "11.89 -g2, 12.09 g3, 12.29 -e8, 12.29 -e1, 12.49 -d2, 12.69 e1")
    table.clock(12.81, 297, 295, "right").ticks(20.0)
    assert table.moves.startswith("g5 hxg5 hxg5 Qd8 Rg2 f6 g6 Nf8 Nd3 Bh3 Rg3")
    assert not table.told(MovesCorrected)


def test_men_with_names_who_may_have_met_are_not_looked_past_either() -> None:
    """The pawn rests on a4, takes on b4, and is taken there before a scan shows him."""
    table = from_position("1rb2rk1/5ppp/2np4/p2Np1q1/1p2P3/P5P1/1PP2PBP/R2Q1RK1 w - - 0 17")
    table.sees(4.05, without="a3").sees(4.65, white_pawn="a4").clock(4.91, 300, 300, "left")
    table.clock(5.91, 299, 300, "left").sees(6.25, without="a4").sees(6.85, without="b4")
    table.clock(6.91, 298, 300, "left").sees(7.45, without="a5").clock(7.91, 297, 300, "right")
    table.sees(8.05, black_pawn="b4").sees(8.25, without="d1").sees(8.65, white_queen="d3")
    table.sees(8.85, without="d3").clock(8.91, 297, 299, "left").sees(9.05, white_queen="c3")
    table.sees(9.45, without="c3", white_queen="d3").clock(9.91, 296, 299, "right").ticks(14.0)
    assert table.moves == "axb4 axb4 Qd3"
    assert not table.told(MovesCorrected)


def test_a_man_taken_soon_after_he_came_is_followed_though_he_is_carried_over_the_next_square() -> (
    None
):
    fen = "4r1k1/Q4pp1/2p4p/1r1n4/7P/P1qN1P2/2P3P1/2KRR3 b - - 5 30"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "right").sees(6.76, without="e8").sees(7.13, black_rook="b8")
    table.sees(7.26, without="a7").sees(7.63, white_queen="b8", black_rook="c8")
    table.sees(7.88, without="c8").clock(8.53, 300, 299, "right").ticks(13.0)
    table.sees(14.26, without="b8").sees(14.63, without="b5").sees(14.88, black_rook="b8")
    table.clock(16.5, 300, 296, "left").ticks(20.0)
    assert table.moves == "Reb8 Qxb8+ Rxb8"
    assert not table.told(MovesCorrected)


def test_who_went_on_from_where_he_was_seen_was_taken_where_the_reply_came() -> None:
    """The rook leaves c4 for c7, and is taken there before a slow scan shows him."""
    table = from_position("5rk1/5q2/4R3/3Q1n2/6p1/6P1/5P2/2R3K1 w - - 1 42")
    table.sees(4.89, white_rook="c4").sees(5.01, without="c1").sees(5.39, without="c4")
    table.sees(5.79, without="f7").clock(6.04, 298, 300, "right").sees(6.27, black_queen="c7")
    table.clock(9.23, 298, 297, "left").ticks(12.0)
    table.expects("1. Rc7 by press", "1. has 298", "2. Qxc7 by press", "2. has 297")


def test_a_man_who_comes_elsewhere_as_the_reply_is_made_made_one_move() -> None:
    """The queen rests on c5, and is taken up before the reply stands: no queen goes on to a4."""
    table = from_position("6k1/Qp3r2/2p2rpq/3p1n1p/3Pp3/P3P1PN/5PKP/R4R2 w - - 2 32")
    table.sees(5.3, without="a7").sees(8.3, white_queen="c5")
    table.sees(9.46, without="h6").sees(9.57, without="c5").sees(9.68, black_queen="g7")
    table.sees(9.77, white_queen="a4").clock(10.13, 296, 300, "right")
    table.clock(11.13, 296, 299, "left").ticks(13.0)
    assert table.moves == "Qa4 Qg7"
    assert not table.told(MovesCorrected)


@pytest.mark.parametrize(("gone", "moves"), [(2.0, "Qb7"), (5.5, "")])
def test_nobody_holds_his_king_for_long_while_he_moves_another_man(gone: float, moves: str) -> None:
    """The king's square shows nothing; so does it where he is in the other hand, for a while."""
    table = TableTalk.ready(TableSetup(start_fen="8/8/4k3/8/8/8/7K/1Q6 w - - 0 1"))
    table.sees(gone, without="h2").sees(6.0, without="b1").sees(6.3, white_queen="b7")
    table.clock(7.0, 299, 300, "right").ticks(8.3)
    assert table.moves == moves


def test_a_king_who_falls_as_a_bishop_lands_does_not_move_to_where_the_bishop_stands() -> None:
    """He is put up on e7 and then taken up once more, as the press is heard."""
    table = TableTalk.ready(
        TableSetup(start_fen="r1bqk2r/ppp2ppp/8/8/8/8/PPP2PPP/R1BQK2R b KQkq - 0 1")
    )
    table.clock(1.0, 300, 300, "right").sees(4.0, without="c8")
    table.sees(4.95, without="e8", black_bishop="d7").ticks(5.6).sees(5.65, black_king="e7")
    table.ticks(6.3).sees(6.35, without="e7").clock(7.0, 300, 298, "left")
    table.sees(7.1, black_king="e8").ticks(9.0)
    assert table.moves == "Bd7"
    assert not table.told(MovesCorrected)


@pytest.mark.parametrize("scan", [0.0, 0.01])
def test_who_took_and_is_set_aside_as_he_is_taken_has_not_gone_on(scan: float) -> None:
    """The rook takes on d1, is taken there and rests on d2; only then the press is told."""
    fen = "3rk3/2p2pp1/r1p1p1n1/p1R1P2p/P4P2/1P2B1PP/2P1K3/3R4 b - - 0 24"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "right").clock(2.0, 300, 299, "right")
    table.sees(3.0, without="d8").sees(3.2, black_rook="d1").sees(5.2, black_rook="d2")
    table.sees(5.2 + scan, without="d1").clock(5.22, 300, 298, "left").sees(5.9, without="e2")
    table.sees(6.1, white_king="d1").clock(6.5, 299, 298, "right").sees(6.8, without="d2")
    table.ticks(12.0)
    assert table.moves == "Rxd1 Kxd1"
    assert not table.told(MovesCorrected)
    assert [fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)] == []


def test_a_victim_beside_his_square_is_waited_for_also_if_he_came_after_the_press() -> None:
    """The queen takes on b3, the pawn rests on a2, where she might have gone as well."""
    table = from_position("4k3/8/8/8/8/1p6/2Q5/4K3 w - - 0 1", sensing="occupancy")
    table.sees(4.0, without="c2").clock(4.1, 299, 300, "right")
    table.sees(4.4, without="b3").sees(4.4, black_pawn="a2").sees(4.6, white_queen="b3")
    table.ticks(5.6).sees(5.6, without="a2").ticks(9.0)
    assert "Qa2" not in [fact.san for fact in table.facts if isinstance(fact, MoveSettled)]
    table.sees(9.5, without="e8").sees(9.8, black_king="e7").clock(10.2, 299, 297, "left")
    assert table.ticks(13.0).moves == "Qxb3 Ke7"


def test_a_man_who_stays_pushed_beside_his_square_does_not_delay_what_follows() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/p7/1p6/8/8/8/P5P1/4K3 w - - 0 1"))
    table.sees(3.0, without="b6").sees(3.02, black_pawn="c6")
    steps = (
        (("white_king", "e1", "e2"), ("black_king", "e8", "e7")),
        (
            ("white_king", "e2", "e3"),
            ("black_king", "e7", "e6"),
        ),
    )
    for number, (man, left, came) in enumerate(step for pair in steps for step in pair):
        at = 4.0 + 2 * number
        table.sees(at, without=left).sees(at + 0.3, **{man: came})
        table.clock(at + 0.8, 300, 300, "left" if number % 2 else "right").ticks(at + 1.6)
    assert table.moves == "Ke2 Ke7 Ke3 Ke6"


def test_men_who_were_pushed_beside_the_last_move_are_given_time_to_be_put_right() -> None:
    """Bg7 knocks over three men; one stands again soon, and two stay beside their squares."""
    table = from_position("r1bqk2r/pp2pp1p/3p1npb/8/2P1P3/2N5/PP1QBPPP/R1B1K2R b KQkq - 0 8")
    table.clock(1.0, 300, 300, "right").sees(4.0, without="h6").sees(4.3, black_bishop="g7")
    table.sees(4.5, without="g6").sees(4.52, without="f7 h8")
    table.sees(4.53, black_pawn="h5").sees(4.55, black_rook="g8").clock(5.0, 300, 298, "left")
    table.sees(6.0, black_pawn="f7").ticks(9.0)
    table.sees(9.0, without="h5").sees(9.4, black_pawn="g6").sees(9.6, without="g8")
    table.sees(9.9, black_rook="h8").ticks(12.0)
    assert table.moves == "Bg7"
    assert not table.told(AlertRaised)
    assert not table.told(MovesCorrected)


def test_a_rook_who_slides_on_as_the_other_one_comes_makes_one_move() -> None:
    setup = TableSetup(start_fen="4r1k1/8/8/8/5R2/8/8/6K1 w - - 0 1", has_clock=False)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.75, without="f4", white_rook="d4").sees(5.58, without="d4", white_rook="b4")
    table.sees(5.89, without="e8").sees(5.96, black_rook="e6")
    table.sees(6.01, without="b4", white_rook="a4").sees(6.38, without="e6")
    assert table.sees(6.44, black_rook="e4").ticks(12.0).moves == "Ra4 Re4"


def test_castling_to_a_wrong_square_that_is_taken_back_is_no_castling_meanwhile() -> None:
    setup = TableSetup(start_fen="r3k3/p7/8/8/8/8/P7/4K3 b q - 0 1", has_clock=False)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="e8").sees(4.3, black_king="c8").sees(4.6, without="a8")
    table.sees(5.0, black_rook="b8").sees(6.4, without="a7").sees(6.6, black_pawn="a7")
    table.sees(7.9, without="a7").sees(8.2, black_pawn="a7").sees(11.9, without="b8").ticks(13.6)
    table.sees(13.7, black_rook="a8").sees(13.9, without="c8").sees(14.5, black_king="e8")
    assert table.ticks(20.0).moves == ""
    assert not table.told(MoveSettled)


def test_a_move_and_its_reply_seen_whole_are_believed_rather_than_a_capture_in_the_air() -> None:
    """The pawn in the air looked as if it took on a4, and the bishop as if it went to b4."""
    fen = "2r3k1/5ppp/8/b7/p7/1P3B2/5PPP/6K1 w - - 0 1"
    table = TableTalk(TableSetup(sensing="occupancy", start_fen=fen))
    table.shows(0.0).clock(0.5, 300, 300, "left")
    table.sees(10.0, without="b3").sees(10.3, without="a5").sees(10.33, white_pawn="b4")
    table.sees(10.75, black_bishop="c7").clock(10.8, 295, 300, "right").ticks(11.2)
    table.clock(11.5, 295, 299, "left").ticks(13.0)
    assert table.moves == "b4 Bc7"


def test_who_made_room_for_the_kings_had_moved_though_both_kings_are_in_the_air() -> None:
    """Without a clock the king on his way looked as if the bishop had gone there."""
    fen = "5k2/8/5B2/8/8/6K1/8/8 w - - 0 1"
    table = TableTalk(TableSetup(sensing="occupancy", start_fen=fen, has_clock=False))
    table.shows(0.0).ticks(5.0)
    table.sees(10.0, without="f6").sees(10.5, white_bishop="d4").ticks(16.0)
    table.sees(16.0, without="d4").sees(16.6, without="g3").sees(17.4, white_king="e5")
    table.sees(18.5, without="f8").sees(19.3, black_king="d4").ticks(30.0)
    assert table.moves == "Bd4"
    assert [fact.result for fact in table.told(GameEnded) if isinstance(fact, GameEnded)] == ["0-1"]


def test_who_was_pushed_while_the_kings_went_to_the_centre_had_moved_before() -> None:
    """His square was left for a moment, and shows him only for a moment since."""
    start = TableSetup(start_fen="8/7k/8/6p1/8/6P1/8/K1Q5 w - - 0 1", has_clock=False)
    table = TableTalk.ready(start, clock=False)
    table.sees(10.0, without="c1").sees(10.6, white_queen="h1")
    table.sees(11.4, without="g5").sees(11.5, black_pawn="g4").sees(11.6, without="g4")
    table.sees(12.2, without="a1").sees(13.0, white_king="e4").sees(13.1, without="h1")
    table.sees(13.15, white_queen="h2").sees(15.1, without="h2").sees(15.2, white_queen="h1")
    table.sees(15.9, without="h7").sees(16.7, black_king="d5").ticks(30.0)
    assert table.moves == "Qh1+"
    assert [fact.result for fact in table.told(GameEnded) if isinstance(fact, GameEnded)] == ["1-0"]


def test_a_king_who_moved_before_the_clock_was_stopped_shows_the_result_from_elsewhere() -> None:
    table = from_position("8/4k3/4p1B1/8/p3K1Pp/7P/8/8 w - - 0 48")
    table.sees(10.0, without="e4").sees(10.7, white_king="e5").clock(13.0, 287, 300, "left", False)
    table.sees(15.2, without="e5").sees(15.5, white_king="d5").sees(17.2, without="e7")
    table.sees(17.8, black_king="d4").ticks(30.0)
    assert table.moves == "Ke5"


def test_a_king_without_a_name_who_moved_shows_the_result_from_elsewhere() -> None:
    fen = "8/1p4k1/p2P4/P2PQ2p/5P2/7P/1P1n1qPK/8 b - - 16 50"
    table = from_position(fen, clock=False, sensing="occupancy")
    table.sees(10.0, without="g7").sees(10.5, black_king="g8").ticks(13.7)
    table.sees(13.8, without="d5").sees(14.5, without="g8").sees(15.3, black_king="d4")
    table.sees(16.5, without="h2").sees(17.0, white_king="d5").ticks(40.0)
    assert table.moves == "Kg8"


def test_who_took_a_man_that_was_taken_off_did_not_go_where_the_reply_comes() -> None:
    """The pawn may have gone to f4 as well, where the rook comes at once."""
    fen = "5rk1/8/8/8/4p3/5P2/8/6K1 w - - 0 1"
    table = TableTalk(TableSetup(sensing="occupancy", start_fen=fen))
    table.shows(0.0).clock(0.5, 300, 300, "left")
    table.sees(10.0, without="e4").sees(10.1, without="f3")
    table.sees(10.2, white_pawn="e4", black_rook="f7")
    table.sees(10.3, black_rook="f6").sees(10.3, without="f7")
    table.sees(10.4, black_rook="f4").sees(10.4, without="f6 f8")
    table.sees(10.6, without="f4").clock(11.0, 295, 298, "left").sees(11.2, black_rook="f4")
    table.clock(12.0, 294, 298, "left").clock(13.0, 293, 298, "left").ticks(14.0)
    assert table.moves == "fxe4 Rf4"
