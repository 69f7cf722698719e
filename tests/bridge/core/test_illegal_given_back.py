"""Illegal moves that are put back, or for which the clock is stopped or turned back."""

import pytest

from bridge.core.model import (
    AlertCleared,
    MoveSettled,
    TableSetup,
)
from tests.bridge.core.accusing import accusations, grave
from tests.bridge.core.dialogue import TableTalk


def test_an_illegal_castling_is_no_move_of_its_rook_when_the_clock_is_pressed_back() -> None:
    """King and rook go back one after the other."""
    fen = "4k3/8/8/8/8/8/2b5/R3K3 w Q - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without="e1").sees(4.2, white_king="c1")
    table.sees(4.5, without="a1").sees(4.7, white_rook="d1").clock(5.0, 299, 300, "right").ticks(
        9.0
    )
    assert accusations(table) == ["CASTLING_ILLEGAL"]
    table.clock(10.0, 299, 297, "left").ticks(11.4)
    table.sees(11.5, without="c1").sees(11.8, white_king="e1").ticks(12.8)
    table.sees(13.0, without="d1").sees(13.3, white_rook="a1").ticks(16.0)
    assert not table.told(MoveSettled)


def test_a_clock_that_is_given_back_to_the_mover_was_pressed_by_nobody() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="g1").sees(14.4, white_knight="g3").clock(15.0, 290, 300, "right")
    table.ticks(17.0).clock(18.0, 290, 297, "right", run=False)
    table.sees(20.0, without="g3").sees(20.4, white_knight="g1").ticks(24.0)
    table.clock(25.0, 290, 297, "left")
    table.sees(25.0, without="g1").sees(25.2, white_knight="f3").clock(25.6, 290, 297, "right")
    table.sees(25.8, without="b8").sees(26.2, black_knight="c6").ticks(32.0)
    assert table.moves == "e4 e5 Nf3"


def test_what_is_left_of_castling_that_is_taken_back_is_no_move() -> None:
    fen = "4k2r/1pq5/5n1p/p3p1p1/Pb3p2/1Q1P1N2/1Pr1PPP1/R2K1B1R b k - 3 22"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="e8").sees(4.4, black_king="g8", without="h8")
    table.sees(4.8, black_rook="f8").clock(5.5, 300, 300, "left").ticks(8.0)
    table.sees(12.0, without="g8").sees(12.5, black_king="e8")
    table.sees(13.0, without="f8").sees(13.7, black_rook="h8").ticks(18.0)
    assert grave(table) == [("CASTLING_ILLEGAL", "critical")]
    assert not table.told(MoveSettled)


def test_a_pawn_replaced_after_the_clock_was_stopped_was_promoted() -> None:
    fen = "2bqr3/2pp1Pk1/r4p2/Pp5B/4P2p/3P3N/RPnN1P1P/2B2RK1 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="e8").sees(4.6, without="f7").sees(4.9, white_pawn="e8")
    table.clock(7.1, 304, 300, "right").ticks(8.7).clock(8.8, 304, 299, "right", run=False)
    table.sees(9.9, without="e8").sees(10.5, white_queen="e8").ticks(12.0)
    table.clock(12.8, 304, 299, "right").sees(13.0, without="d8 e8").sees(13.4, black_queen="e8")
    table.clock(14.0, 304, 302, "left").ticks(16.0)
    assert grave(table) == [("PROMOTION_NOT_REPLACED", "critical")]
    assert table.moves == "fxe8=Q Qxe8"


def moved_two(missing: str = "", *, stopped: bool = True) -> TableTalk:
    """White plays e4, and moves the queen to the next square before the press."""
    table = TableTalk.ready(TableSetup(start_fen="7k/7p/8/8/8/8/4P2P/K2Q4 w - - 0 1"))
    table.clock(1.0, 300, 300, "left").sees(1.5, without=missing)
    table.sees(4.0, without="e2").sees(4.3, white_pawn="e4")
    table.sees(6.0, without="d1").sees(6.6, white_queen="d2").clock(7.5, 299, 300, "right")
    return table.clock(13.0, 299, 296, "right", run=False) if stopped else table.ticks(12.0)


@pytest.mark.parametrize("missing", ["", "h2"])
def test_a_second_man_moved_to_the_next_square_is_told_when_the_clock_is_stopped_for_it(
    missing: str,
) -> None:
    table = moved_two(missing)
    assert (grave(table.ticks(14.0)), table.moves) == ([("ILLEGAL_MOVE", "critical")], "")


def test_what_is_left_of_two_men_while_they_are_put_back_is_not_the_move() -> None:
    table = moved_two().sees(20.0, without="d2").sees(20.7, white_queen="d1").ticks(22.0)
    table.sees(22.1, without="e4").sees(22.6, white_pawn="e2").ticks(26.0)
    assert table.moves == ""


def test_two_men_who_are_put_back_one_after_the_other_make_no_move_meanwhile() -> None:
    table = moved_two(stopped=False).sees(12.3, without="d2").clock(13.0, 299, 295, "left")
    table.sees(13.1, white_queen="d1").sees(13.4, without="e4").sees(13.9, white_pawn="e2")
    assert table.ticks(17.0).moves == ""
    assert not table.told(MoveSettled)


@pytest.mark.parametrize("stopped", [True, False])
def test_who_is_seen_nowhere_on_a_good_square_did_not_go_there_if_it_is_called_off(
    *, stopped: bool
) -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    at = table.plays(4.0, "c4", "e5", "Nc3", "Nc6", "Nf3")
    table.sees(at + 2, without="a8").clock(at + 3.0, 290, 280, "left")
    table.clock(at + 4.0, 290, 280, "left", run=not stopped).ticks(at + 9.0)
    assert table.moves.endswith("Rb8") != stopped


@pytest.mark.parametrize(
    ("man", "left", "came", "soon", "code"),
    [
        ("black_queen", "d8", "h4", 0.8, "WRONG_SIDE_MOVED"),
        ("white_bishop", "f1", "f4", 0.05, "ILLEGAL_MOVE"),
    ],
)
def test_what_is_put_back_soon_after_the_press_is_told_all_the_same(
    man: str, left: str, came: str, soon: float, code: str
) -> None:
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without=left).sees(at + 0.5, **{man: came})
    table.clock(at + 1.1, 290, 290, "right").sees(at + 1.1 + soon, without=came)
    table.sees(at + 1.4 + soon, **{man: left}).ticks(at + 6.0)
    assert (code, "critical") in grave(table)
    assert table.moves == "e4 e5"


def test_a_pawn_on_its_last_rank_that_goes_back_soon_after_the_press_was_not_replaced() -> None:
    fen = "8/1P6/8/8/1k6/8/8/5K2 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="b7").sees(4.2, white_pawn="b8").ticks(4.4)
    table.clock(4.45, 300, 300, "right").ticks(5.5).sees(5.6, without="b8")
    table.sees(6.0, white_pawn="b7").clock(6.2, 300, 299, "left").ticks(10.0)
    assert grave(table) == [("PROMOTION_NOT_REPLACED", "critical")]
    assert table.moves == ""


@pytest.mark.parametrize("stopped", [True, False])
def test_a_castling_to_wrong_squares_is_told_when_it_is_called_off(*, stopped: bool) -> None:
    """The rook stands where the king had: to castle is no move that stands there in part."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"), clock=False)
    table.clock(1.0, 300, 300, "left").sees(4.0, without="e1").sees(4.4, white_king="g1")
    table.sees(5.2, without="h1").ticks(5.5).sees(5.6, white_rook="e1")
    table.clock(6.8, 300, 300, "right")
    table.clock(8.6, 300, 298, "right" if stopped else "left", run=not stopped)
    table.ticks(8.9).sees(9.2, without="e1").sees(9.6, white_rook="h1").sees(10.0, without="g1")
    table.sees(10.4, white_king="e1").ticks(14.0)
    assert ("CASTLING_ILLEGAL", "critical") in grave(table)
    assert not table.moves


def test_a_half_castling_that_is_given_back_is_told_also_after_a_lost_link() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"), clock=False)
    table.clock(1.0, 300, 300, "left").link(3.0, "lost").link(5.0, "live")
    table.sees(5.0, without="e1", white_king="g1").clock(6.2, 300, 300, "right")
    table.clock(8.7, 300, 298, "left").ticks(9.8)
    table.sees(10.0, without="g1").sees(10.8, white_king="e1").ticks(14.0)
    assert ("CASTLING_ILLEGAL", "critical") in grave(table)


@pytest.mark.parametrize("stopped", [True, False])
def test_a_second_man_who_went_to_the_next_square_is_told_when_it_is_called_off(
    *, stopped: bool
) -> None:
    """He went there after the move stood: a hand that goes by knocks men over before."""
    table = TableTalk.ready(TableSetup(start_fen="7k/7p/8/8/8/8/4P3/K2Q4 w - - 0 1"), clock=False)
    table.clock(1.0, 300, 300, "left").sees(4.0, without="e2").sees(4.3, white_pawn="e4")
    table.ticks(5.0).sees(6.0, without="d1").sees(6.6, white_queen="d2")
    table.clock(7.5, 299, 300, "right").ticks(8.6)
    table.clock(9.2, 299, 298, "right" if stopped else "left", run=not stopped)
    assert grave(table.ticks(11.5)) == [("ILLEGAL_MOVE", "critical")]
    assert not table.moves


def test_a_move_is_taken_back_while_the_clock_is_stopped() -> None:
    """It was made with another man, and called off; the player has to move again by the clock."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/p7/1p6/8/8/8/P3P1P1/1N2K3 w - - 0 1"))
    table.plays(1.0, "a3", "a6")
    table.sees(14.0, without="b1").sees(14.3, without="e2", white_knight="c3")
    table.sees(14.32, white_pawn="e3").clock(15.2, 298, 300, "right").ticks(16.5)
    assert table.moves == "a3 a6 Nc3"
    table.clock(17.0, 298, 299, "right", run=False)
    table.sees(18.0, without="e3").sees(18.3, white_pawn="e2")
    table.sees(18.6, without="c3").sees(18.9, white_knight="b1").ticks(21.5)
    assert table.clock(22.0, 298, 299, "left").ticks(22.4).moves == "a3 a6"
    table.sees(22.5, without="b1").sees(22.8, white_knight="d2").clock(23.5, 297, 299, "right")
    assert (grave(table.ticks(26.0)), table.moves) == ([], "a3 a6 Nd2")


def test_the_clock_may_be_started_while_the_last_man_is_on_his_way_back() -> None:
    """Two plies are taken back, the last one first; Black moves again."""
    table = TableTalk.ready(TableSetup(start_fen="4k2q/p7/1p6/8/8/8/P3P1P1/1N2K3 w - - 0 1"))
    table.plays(1.0, "a3", "Qh1+", "Kd2")
    assert table.moves == "a3 Qh1+ Kd2"
    table.clock(24.0, 290, 290, "right", run=False)
    table.sees(26.0, without="d2").sees(27.0, white_king="e1").sees(28.0, without="h1")
    table.clock(28.4, 290, 290, "right").sees(28.9, black_queen="h8").ticks(33.0)
    assert table.moves == "a3"
    table.sees(33.0, without="h8").sees(33.4, black_queen="h2").clock(34.5, 290, 285, "left")
    assert table.ticks(38.0).moves == "a3 Qh2"
    assert not any("ILLEGAL" in line or "WRONG_SIDE" in line for line in table.script)


def moved_amiss_beside_a_missing_man() -> TableTalk:
    """The pawn of h7 is nudged off; the bishop goes where he may not, which is pressed."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/6pp/6p1/8/8/3B4/8/3QK3 w - - 0 1"))
    table.sees(4.0, without="h7").sees(9.0, without="d3").sees(9.15, white_bishop="c5")
    return table.clock(11.3, 300, 300, "right").ticks(13.0)


def test_who_stands_where_he_may_not_go_took_nobody_on_another_square() -> None:
    table = moved_amiss_beside_a_missing_man()
    assert (grave(table), table.moves) == ([("ILLEGAL_MOVE", "critical")], "")


def test_a_missing_man_does_not_hide_that_an_illegal_move_was_put_back() -> None:
    """The press was made for that one: the queen rests on her way."""
    table = moved_amiss_beside_a_missing_man().clock(17.3, 300, 290, "right", run=False)
    table.sees(20.5, without="c5").sees(20.8, white_bishop="d3").clock(22.5, 300, 290, "left")
    (cleared,) = table.ticks(23.0).told(AlertCleared)
    assert isinstance(cleared, AlertCleared)
    assert cleared.code == "ILLEGAL_MOVE"
    table.sees(23.6, without="d1").sees(24.0, white_queen="b3").ticks(25.6)
    assert table.moves == ""
    table.sees(25.7, without="b3").sees(25.9, white_queen="c2").clock(27.1, 298, 290, "right")
    assert table.ticks(29.0).moves == "Qc2"
