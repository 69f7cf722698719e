"""Men beside where they may go, pushed or knocked over, who may be put right after the press."""

import pytest

from bridge.core.model import (
    AlertRaised,
    MoveSettled,
    TableSetup,
)
from tests.bridge.core.accusing import accused, grave, loud
from tests.bridge.core.dialogue import TIMING, TableTalk


def test_a_man_in_the_air_when_the_clock_is_pressed_is_waited_for() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2").clock(4.5, 299, 300, "right").ticks(7.0).expects()
    table.sees(7.0, white_pawn="e4").ticks(9.0).expects("1. e4 by press", "1. has 299")


def test_a_clock_pressed_with_a_man_in_the_air() -> None:
    """Its move is assumed and not told; it is another one when the man is put down."""
    table = TableTalk.ready()
    table.sees(4.0, without="e2").clock(4.5, 299, 300, "right").ticks(4.49 + TIMING.in_hand)
    table.expects()
    table.ticks(4.5 + TIMING.in_hand).expects("alert AMBIGUOUS_MOVE")
    table.sees(9.0, white_pawn="e4").ticks(11.0).expects("1. e4 by press", "1. has 299")


def test_a_man_that_is_missing_while_an_illegal_move_is_put_right_is_no_move() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="g1").sees(14.4, white_knight="g3").clock(15.0, 290, 300, "right")
    table.ticks(17.0).sees(17.5, without="e1").clock(18.0, 290, 297, "right", run=False)
    table.sees(20.0, without="g3").sees(20.4, white_knight="g1").ticks(40.0)
    table.clock(41.0, 290, 297, "left").ticks(60.0)
    assert table.moves == "e4 e5"
    assert "AMBIGUOUS_MOVE" not in [code for code, _ in grave(table)]


def test_a_king_taken_up_while_a_slide_is_waited_for_is_not_looked_past() -> None:
    """He left his square before the press of the move before was believed."""
    setup = TableSetup(start_fen="3r2k1/8/8/8/8/7b/8/6K1 b - - 0 1")
    table = TableTalk.ready(setup, clock=False).clock(0.5, 300, 300, "right")
    table.sees(4.0, without="d8", black_rook="d6").sees(4.12, without="d6", black_rook="d5")
    table.sees(4.24, without="d5", black_rook="d4").sees(4.98, without="g1")
    table.clock(5.39, 300, 299, "left").ticks(5.7).sees(5.84, white_king="g2")
    table.clock(6.5, 299, 299, "right").ticks(8.5)
    alerts = [fact.code for fact in table.facts if isinstance(fact, AlertRaised)]
    assert alerts == ["KING_LEFT_IN_CHECK"]


def displaced() -> TableTalk:
    """A rook is moved, and the queen knocked over to the next square; the clock is pressed."""
    table = TableTalk.ready(TableSetup(start_fen="r1q1k3/8/8/8/8/8/8/4K3 b - - 0 1"))
    table.clock(1.0, 300, 300, "right")
    table.sees(2.0, without="a8").sees(2.3, black_rook="b8")
    table.sees(2.4, without="c8").sees(2.41, black_queen="d8")
    return table.clock(3.0, 300, 298, "left").ticks(4.2)


def test_a_man_knocked_to_the_next_square_may_be_put_right_after_the_press() -> None:
    table = displaced().sees(4.3, without="d8").sees(4.8, black_queen="c8").ticks(9.0)
    assert (grave(table), table.moves) == ([], "Rb8")


def test_two_men_who_went_elsewhere_are_told_when_neither_is_put_right() -> None:
    assert grave(displaced().ticks(10.3)) == []
    assert grave(displaced().ticks(11.0)) == [("ILLEGAL_MOVE", "critical")]


def test_a_man_who_is_adjusted_after_the_press_was_not_taken_by_his_own_side() -> None:
    fen = "1r3k2/3r1p1Q/8/4n1N1/8/7P/8/6K1 w - - 0 57"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"))
    table.sees(4.0, without="g5").clock(4.8, 299, 300, "right").ticks(5.6)
    table.sees(5.8, without="h3").sees(6.5, white_pawn="h3").ticks(9.0)
    assert "ILLEGAL_MOVE" not in [code for code, _ in grave(table)]


def test_a_move_that_was_put_right_while_the_clock_stood_is_none_of_the_game() -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="d8").sees(4.4, black_queen="f5").clock(4.9, 300, 300, "left")
    table.ticks(7.0).clock(8.0, 300, 300, "left", run=False).sees(9.0, without="f5")
    table.sees(9.6, black_queen="d8").ticks(17.0).sees(17.1, without="h7")
    table.clock(17.15, 300, 300, "right").sees(17.9, black_pawn="h5").ticks(18.2)
    table.clock(18.3, 300, 300, "left").ticks(19.0)
    assert [fact.san for fact in table.told(MoveSettled) if isinstance(fact, MoveSettled)] == ["h5"]


@pytest.mark.parametrize("stood", [0.7, 1.4])
def test_who_pressed_too_early_may_slide_on(stood: float) -> None:
    """From b1 the knight comes to c1, and 0.3 s after the press to d2."""
    fen = "3k4/7p/8/8/8/8/7P/1N2K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="b1").sees(4.25, white_knight="c1")
    table.clock(4.25 + stood, 300, 300, "right").sees(4.55 + stood, without="c1")
    table.sees(4.8 + stood, white_knight="d2").ticks(9.0)
    assert not grave(table)
    assert table.moves == "Nd2"


@pytest.mark.parametrize(("replaced", "alerts"), [(1.5, 0), (4.0, 1)])
def test_a_hand_that_is_still_at_the_promoted_pawn_is_waited_for(
    replaced: float, alerts: int
) -> None:
    fen = "4k3/P6p/8/8/8/8/8/4K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="a7").sees(4.3, white_pawn="a8").clock(5.0, 300, 300, "right")
    table.sees(4.5 + replaced, without="a8").sees(5.0 + replaced, white_queen="a8").ticks(12.0)
    assert len(grave(table)) == alerts
    assert table.moves == "a8=Q+"


def test_an_opponents_man_who_flickers_does_not_make_a_wobbling_man_illegal() -> None:
    fen = "r2qkbnr/pppb1pp1/2n1p2p/8/3P1N2/6P1/PPP2P1P/RNBQKB1R b KQkq - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="c6").sees(4.7, black_knight="d4")
    table.sees(5.0, black_knight="c5").sees(5.03, without="d4")
    table.sees(5.33, without="c5").sees(5.37, black_knight="d4")
    table.sees(5.66, black_knight="c5").sees(5.7, without="d4").clock(5.99, 300, 300, "left")
    table.sees(6.36, without="c5").sees(6.4, black_knight="d4").ticks(10.0)
    assert (grave(table), table.moves) == ([], "Nxd4")


def put_down_beside() -> TableTalk:
    """The knight is put down so far from f3 that g3 shows him, and White has pressed."""
    table = TableTalk.ready()
    table.sees(4.0, without="g1").sees(4.3, white_knight="g3")
    return table.clock(4.8, 299, 300, "right").ticks(7.0)


def test_a_man_put_down_beside_where_he_may_go_may_be_put_right_after_the_press() -> None:
    table = put_down_beside()
    table.sees(7.5, without="g3", white_knight="f3").sees(7.7, without="b8").ticks(9.0)
    assert table.moves == "Nf3"
    assert not grave(table)


def test_a_king_shown_two_squares_away_may_be_put_right_where_he_cannot_have_castled() -> None:
    table = TableTalk.ready(TableSetup(start_fen="7k/8/8/4K3/8/8/7r/8 w - - 0 1"))
    table.sees(3.0, without="e5").sees(3.3, white_king="e7").clock(4.0, 299, 300, "right")
    table.ticks(6.5).sees(6.5, without="e7", white_king="e6").ticks(9.0)
    assert (grave(table), table.moves) == ([], "Ke6")


@pytest.mark.parametrize(
    ("put_right", "codes"), [(5.6, []), (6.6, [("KING_LEFT_IN_CHECK", "critical")])]
)
def test_a_king_put_down_in_check_beside_where_he_may_go_may_be_put_right_for_a_moment(
    put_right: float, codes: list[tuple[str, str]]
) -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k2r/8/8/8/8/8/6K1/8 w - - 0 1"))
    table.sees(3.0, without="g2").sees(3.3, white_king="h2").clock(5.0, 299, 300, "right")
    table.ticks(put_right).sees(put_right, without="h2", white_king="g3").ticks(9.0)
    assert (grave(table), table.moves) == (codes, "Kg3")


def test_a_man_put_down_beside_where_he_may_go_is_told_when_he_is_put_back() -> None:
    table = put_down_beside()
    table.sees(7.2, without="g3").sees(7.6, white_knight="g1").ticks(8.0)
    table.expects("alert ILLEGAL_MOVE GEOMETRY", "cleared ILLEGAL_MOVE")
    table.clock(8.5, 299, 300, "left").sees(9.0, without="g1").sees(9.3, white_knight="f3")
    table.clock(10.0, 299, 300, "right").ticks(11.0)
    assert table.moves == "Nf3"


def test_a_man_put_down_beside_where_he_may_go_is_told_when_the_reply_begins() -> None:
    table = put_down_beside()
    table.sees(7.2, without="b8").ticks(7.4).expects()
    table.ticks(7.6).expects("alert ILLEGAL_MOVE GEOMETRY")


def test_a_man_who_only_flickers_is_no_reply_to_a_man_put_down_beside_where_he_may_go() -> None:
    table = put_down_beside()
    table.sees(7.2, without="b8").sees(7.4, black_knight="b8").ticks(8.0).expects()
    table.sees(8.2, without="g3").sees(8.3, white_knight="f3").ticks(9.5)
    assert table.moves == "Nf3"
    assert grave(table) == []


def test_a_man_put_down_beside_where_he_may_go_is_told_when_he_is_about_to_be_taken() -> None:
    """The pawn on h7 stands beside g6 as well, but White's pawn may not take it there."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/7p/8/8/5P2/8/8/4K3 w - - 0 1"))
    table.sees(4.0, without="f4").sees(4.3, white_pawn="g6").clock(4.8, 299, 300, "right")
    table.ticks(7.0).expects()
    table.sees(7.2, without="h7").ticks(7.6).expects("alert ILLEGAL_MOVE PAWN_GEOMETRY")


def test_a_man_put_down_beside_where_he_may_go_is_told_when_the_clock_is_turned_back() -> None:
    table = put_down_beside()
    table.clock(7.2, 299, 300, "left").ticks(7.3).expects("alert ILLEGAL_MOVE GEOMETRY")


def test_a_man_put_down_beside_where_he_may_go_is_told_when_the_link_is_lost() -> None:
    table = put_down_beside()
    table.expects()
    table.link(7.2, "lost")
    assert ("ILLEGAL_MOVE", "critical") in grave(table)


@pytest.mark.parametrize("put_right", [True, False])
def test_who_took_and_lies_beside_his_victims_square_is_waited_for(put_right: bool) -> None:
    """A pawn pushes his victim off and slips on to the next square; the press is heard there."""
    fen = "4k3/8/8/2p5/3P4/8/8/4K3 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="c5").sees(4.3, black_pawn="d4").sees(4.8, without="d4")
    table.sees(4.82, black_pawn="d3").clock(6.0, 300, 298, "left").ticks(7.0).expects()
    if put_right:
        table.sees(7.0, without="d3").sees(7.1, black_pawn="d4").ticks(14.0)
        table.expects("1. cxd4 by press", "1. has 298")
    else:
        table.ticks(14.0).expects("alert ILLEGAL_MOVE PAWN_GEOMETRY")


def test_a_reply_begun_beside_where_a_man_lies_is_no_victim_of_his() -> None:
    """The man that was taken up stands beside, but the knight may not go there."""
    fen = "4k3/8/8/8/8/4p3/8/1N2K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without="b1").sees(4.3, white_knight="d4").clock(5.0, 299, 300, "right")
    table.sees(5.5, without="e3").ticks(8.0).expects("alert ILLEGAL_MOVE GEOMETRY")


def test_a_man_pushed_to_the_next_square_after_the_move_makes_no_second_move() -> None:
    table = TableTalk.ready(TableSetup(start_fen="7k/7p/8/8/8/8/4P3/K2Q4 w - - 0 1"))
    table.sees(4.0, without="e2").sees(4.3, white_pawn="e4").ticks(5.0)
    table.sees(6.0, without="d1").sees(6.6, white_queen="d2").clock(7.5, 299, 300, "right")
    assert (grave(table.ticks(15.0)), table.moves) == ([], "e4")


def test_who_comes_after_a_man_of_his_own_has_left_is_not_the_taker_in_the_air() -> None:
    """The rook takes on d7 unseen and might have gone to b8, where White's bishop from b5 came."""
    fen = "3rkb1r/p2Rqppp/5n2/1B2p1B1/4P3/1Q6/PPP2PPP/2K4R b k - 0 13"
    table = TableTalk.ready(TableSetup(sensing="occupancy", start_fen=fen))
    table.clock(1.0, 145, 143, "right").sees(3.0, without="d8").clock(5.0, 144, 140, "left")
    table.sees(5.5, without="b5").sees(5.9, white_bishop="b8").clock(6.0, 143, 140, "left")
    table.clock(7.0, 145, 139, "right").clock(8.0, 145, 138, "right").ticks(12.0)
    assert table.moves == "Rxd7"
    assert ("ILLEGAL_MOVE", "critical") in grave(table)


def test_a_rook_beside_his_square_may_be_put_right_when_his_king_has_castled() -> None:
    fen = "rnbqk2r/ppp1ppbp/3p1np1/8/3PP3/2NB4/PPP1NPPP/R1BQK2R b KQkq - 4 5"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "right").clock(2.0, 300, 299, "right")
    table.sees(3.0, without="h8").sees(3.4, black_rook="f8").sees(3.8, without="e8")
    table.clock(4.0, 300, 298, "left").sees(4.1, black_king="g8").sees(4.3, black_rook="e8")
    table.sees(4.35, without="f8").ticks(6.5)
    table.sees(6.5, without="e8").sees(6.6, black_rook="f8").ticks(8.0)
    assert (loud(table), table.moves) == ([], "O-O")
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "right").sees(3.0, without="h8").sees(3.4, without="e8")
    table.sees(3.8, black_king="g8", black_rook="e8").clock(4.0, 300, 298, "left").ticks(10.0)
    assert ("CASTLING_ILLEGAL", "critical") in grave(table)


def test_a_man_who_leaps_over_others_after_a_move_was_no_man_knocked_over() -> None:
    """The rook's move stands; then the bishop goes where no bishop can, and Black presses."""
    fen = "bn1k1b1r/2r1p3/pqp2p1p/1p5N/1P1P1PnP/P1PBp2N/QB6/2KRR3 b - - 10 37"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 119, 120, "right").clock(2.0, 119, 119, "right")
    table.sees(2.3, without="c7", black_rook="c8").clock(4.0, 119, 117, "right")
    table.sees(5.9, without="a8").clock(6.5, 119, 115, "right").sees(6.8, black_bishop="f3")
    table.clock(7.5, 119, 117, "left").ticks(12.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_who_is_taken_up_again_is_perhaps_put_right_whatever_else_is_done() -> None:
    """The rook was knocked to d8; the move that was pressed for is told late."""
    table = TableTalk.ready(TableSetup(start_fen="7k/2R5/8/6Pp/5P1P/P1P5/1p6/6K1 w - - 0 1"))
    at = table.plays(4.0, "Kg2", "Kg8", "Kg1", "Kh8") + 4.0
    table.sees(at, without="c7", white_rook="d8").clock(at + 1.0, 280, 290, "right")
    table.ticks(at + 1.9).sees(at + 2.0, without="b2 d8").ticks(at + 2.3)
    table.sees(at + 2.4, without="a3", black_pawn="b2", white_rook="c7")
    table.sees(at + 2.8, white_pawn="a4").sees(at + 4.0, without="h8", black_king="g8")
    table.clock(at + 5.0, 280, 287, "left").ticks(at + 7.0)
    assert table.moves == "Kg2 Kg8 Kg1 Kh8 a4 Kg8"
    assert not accused(table)


def test_a_man_knocked_over_who_is_put_down_beside_his_square_may_be_put_right() -> None:
    """The pawn fell before the rook moved, and stands on c4 as the clock is pressed."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/3p4/8/8/2P5/8/2R1K3 w - - 0 1"))
    at = table.plays(4.0, "Kd1", "Kd8", "Ke1", "Ke8") + 4.0
    table.sees(at, without="c3").sees(at + 0.2, without="c1").sees(at + 0.4, white_rook="c2")
    table.ticks(at + 1.2).sees(at + 1.4, white_pawn="c4").clock(at + 1.7, 290, 290, "right")
    table.ticks(at + 3.0).sees(at + 3.2, without="c4").sees(at + 3.4, white_pawn="c3")
    assert table.ticks(at + 6.0).moves == "Kd1 Kd8 Ke1 Ke8 Rc2"
    assert not accused(table)


def test_who_gives_the_turn_back_for_a_man_of_his_who_was_knocked_over_moved_nothing() -> None:
    """White's knight pushed Black's pawn to e6; Black presses back, so that it is put right."""
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without="g1").sees(at + 0.3, white_knight="f3", without="e5")
    table.sees(at + 0.35, black_pawn="e6").ticks(at + 0.8).clock(at + 0.85, 290, 300, "right")
    table.ticks(at + 1.1).clock(at + 1.15, 290, 300, "left").ticks(at + 1.6)
    table.sees(at + 1.65, without="e6").sees(at + 1.95, black_pawn="e5")
    table.clock(at + 3.0, 289, 300, "right").ticks(at + 7.0)
    assert table.moves == "e4 e5 Nf3"
    assert not accused(table)


def test_a_man_knocked_over_to_where_the_mover_had_stood_may_be_put_right_after_the_press() -> None:
    table = TableTalk.ready(
        TableSetup(start_fen="5k2/5p2/8/8/8/8/5P2/5K2 b - - 0 1"), clock=False
    ).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="f8").sees(4.1, black_king="e8").sees(4.4, without="f7")
    table.sees(4.5, black_pawn="f8").ticks(5.5).clock(5.6, 300, 300, "left").ticks(5.7)
    table.sees(5.75, without="f8").sees(6.2, black_pawn="f7").ticks(10.0)
    assert grave(table) == []
    assert table.moves == "Ke8"


def test_who_lies_across_an_edge_may_be_put_right_also_after_the_answer() -> None:
    """The opponent took him to stand on f4, where he is put before he presses."""
    fen = "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(10.0, without="c1").sees(10.4, white_bishop="g4").clock(11.0, 290, 300, "right")
    table.sees(11.3, without="e7").sees(11.7, black_pawn="e6").ticks(12.7)
    table.sees(12.7, without="g4", white_bishop="f4").clock(13.0, 290, 298, "left").ticks(15.0)
    assert table.moves == "Bf4 e6"
    assert not any("ILLEGAL" in line for line in table.script)


def promoting_after_a_press_unheard() -> TableTalk:
    """Neither the last move of Black's nor the reply was heard to be pressed; a pawn is on g1."""
    table = TableTalk.ready(TableSetup(start_fen="5rk1/8/8/8/8/8/6p1/K7 b - - 0 1"))
    table.clock(1.0, 300, 300, "right").sees(2.0, without="f8").sees(2.3, black_rook="f4")
    table.sees(3.0, without="a1").sees(3.3, white_king="b1")
    return table.sees(4.0, without="g2").sees(4.3, black_pawn="g1")


def test_a_press_heard_late_may_be_that_of_the_players_last_move() -> None:
    """The clock was not read since then: the pawn may be replaced for as long as he thinks."""
    table = promoting_after_a_press_unheard().clock(5.0, 299, 298, "left").ticks(9.0)
    assert not accused(table)
    table.sees(9.0, without="g1").sees(9.3, black_queen="g1")
    table.clock(10.0, 294, 298, "left").ticks(14.0)
    assert table.moves == "Rf4 Kb1 g1=Q+"
    assert not accused(table)


def test_a_pawn_is_not_replaced_where_the_move_before_was_pressed_for() -> None:
    table = TableTalk.ready(TableSetup(start_fen="5rk1/8/8/8/8/8/6p1/K7 b - - 0 1"))
    table.clock(1.0, 300, 300, "right").sees(2.0, without="f8").sees(2.3, black_rook="f4")
    table.clock(2.8, 300, 299, "left").sees(3.0, without="a1").sees(3.3, white_king="b1")
    table.sees(4.0, without="g2").sees(4.3, black_pawn="g1").clock(5.0, 299, 298, "left").ticks(9.0)
    assert [alert.code for alert in accused(table)] == ["PROMOTION_NOT_REPLACED"]
