"""What stands elsewhere after a press while hands are at work on it: nobody is accused yet."""

import pytest

from bridge.core.model import GameEnded, TableSetup
from tests.bridge.core.accusing import accusations
from tests.bridge.core.dialogue import TableTalk


def set_aside(*, stood: float, answers: bool) -> TableTalk:
    """Black's bishop stands on f5, then on a6, and Black presses; a knight may take him on f5."""
    fen = "4k3/2p5/1pp5/p1P1P2p/3N1r2/P2R1P1b/7P/7K b - - 3 47"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "right")
    table.sees(4.0, without="h3").sees(4.2, black_bishop="f5").sees(4.2 + stood, without="f5")
    table.sees(4.9, black_bishop="a6").clock(5.1, 300, 299, "left")
    return table.sees(5.6, without="d4") if answers else table


def test_who_is_taken_where_he_had_stood_was_only_set_aside() -> None:
    """The victim is put down before his player has pressed, and the taker comes later."""
    table = set_aside(stood=0.4, answers=True).ticks(8.0)
    table.sees(8.0, white_knight="f5").sees(8.2, without="a6").clock(8.6, 298, 299, "right")
    table.ticks(11.0)
    assert (accusations(table), table.moves) == ([], "Bf5 Nxf5")


@pytest.mark.parametrize(
    ("stood", "answers", "told"),
    [(0.4, True, 13.7), (0.4, False, 8.2), (0.1, False, 5.8)],
)
def test_who_stays_where_he_may_not_go_went_there(
    *, stood: float, answers: bool, told: float
) -> None:
    """He is told sooner if nobody takes up a man, and if he had only passed the legal square."""
    table = set_aside(stood=stood, answers=answers).ticks(told - 0.3)
    assert accusations(table) == []
    assert accusations(table.ticks(told)) == ["ILLEGAL_MOVE"]


def test_more_men_than_one_move_puts_elsewhere_were_knocked_over() -> None:
    """Black knocked men over as he moved, and puts up the last one late: after his press."""
    fen = "r4rk1/pp2b2p/2n2pp1/3q1PB1/2pPn3/5N2/PP2QPBP/R4RK1 b - - 1 16"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "right")
    table.sees(4.0, without="a7 b7 c6 c4").sees(4.2, black_pawn="a5 c6 b3", black_knight="b7")
    table.clock(5.0, 300, 299, "left").ticks(7.0).sees(7.1, without="b3")
    table.sees(7.3, without="c6 b7").sees(7.5, black_knight="c6", black_pawn="b7")
    table.sees(8.0, black_pawn="c4").ticks(11.0)
    assert (accusations(table), table.moves) == ([], "a5")


def test_who_is_seen_nowhere_when_he_is_answered_was_put_right() -> None:
    """The king lies across the edge to h3 as he is put down, and is pushed onto h2, unseen."""
    start = TableSetup(start_fen="6k1/8/8/6p1/7P/6P1/P2PP1P1/6K1 w - - 0 1")
    table = TableTalk.ready(start)
    table.sees(4.0, without="g1").sees(5.5, white_king="h3").clock(6.0, 298, 300, "right")
    table.sees(6.3, without="h3").sees(8.1, white_pawn="e3").sees(8.9, without="e3")
    table.sees(11.7, without="g5").sees(11.9, black_pawn="h4").clock(12.0, 298, 294, "left")
    table.sees(13.5, without="a2").sees(13.8, white_pawn="a3").clock(14.5, 296, 294, "right")
    table.sees(17.0, without="g8").sees(17.4, black_king="g7").clock(18.0, 296, 291, "left")
    table.sees(20.0, white_king="h2").ticks(24.0)
    assert (accusations(table), table.moves) == ([], "Kh2 gxh4 a3 Kg7")


@pytest.mark.parametrize(("follows", "codes"), [(True, []), (False, ["ILLEGAL_MOVE"])])
def test_a_king_put_into_the_centre_shows_a_result_if_the_clock_is_stopped(
    *, follows: bool, codes: list[str]
) -> None:
    """The other one comes there three seconds later; he is told if that one does not."""
    start = TableSetup(start_fen="8/3K4/r7/P6R/2k5/8/8/8 b - - 12 60")
    table = TableTalk.ready(start, clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="c4").sees(4.4, black_king="b4").clock(4.5, 300, 299, "left")
    table.clock(4.5, 300, 299, None, run=False).sees(4.5, without="b4").sees(5.1, black_king="e5")
    if follows:
        table.sees(8.1, without="d7").sees(8.6, white_king="d4")
    table.ticks(15.0)
    assert accusations(table) == codes
    assert len(table.told(GameEnded)) == follows


def test_a_pawn_that_goes_back_by_a_square_is_told_without_a_clock() -> None:
    """It is not where pawns begin, and Black plays on."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(2.0, "e4", "e5", "Nf3", "Nc6")
    table.sees(30.0, without="e4").sees(30.3, white_pawn="e3").sees(35.0, without="g8")
    table.sees(35.3, black_knight="f6").ticks(45.0)
    assert (accusations(table), table.moves) == (["ILLEGAL_MOVE"], "e4 e5 Nf3 Nc6 e3 Nf6")


def test_a_pawn_that_is_put_back_where_no_clock_is_was_not_moved() -> None:
    """The game was given up after three plies; White's men are put up again, and Black's late."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(2.0, "e4", "c5")
    table.sees(12.0, without="g1").sees(12.5, white_knight="f3").sees(14.0, without="f3")
    table.sees(15.0, without="e4").sees(15.5, white_pawn="e2").sees(16.0, white_knight="g1")
    table.ticks(27.0).sees(27.0, without="c5").sees(27.5, black_pawn="c7").ticks(40.0)
    assert accusations(table) == []


@pytest.mark.parametrize(("answer", "codes"), [("g6", []), ("", ["ILLEGAL_MOVE"])])
def test_who_is_answered_has_not_been_called_off(answer: str, codes: list[str]) -> None:
    """White's king lies across an edge: he is shown beside his square, and then nowhere.

    Black turns the clock back by his move, or because of White's.
    """
    fen = "6k1/6p1/8/8/8/8/6P1/6K1 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "left").sees(4.0, without="g1").sees(4.2, white_king="h3")
    table.clock(4.7, 299, 300, "right").sees(5.0, without="h3")
    if answer:
        table.sees(6.4, without="g7").sees(6.6, black_pawn=answer)
    assert accusations(table.clock(6.7, 299, 298, "left").ticks(7.6)) == codes


def test_who_moves_after_a_man_of_the_other_side_is_seen_no_more_has_answered() -> None:
    """White's rook stands where the board sees nothing: it left as Black's queen came."""
    setup = TableSetup(start_fen="4k3/4q3/8/8/8/8/5PPP/R5K1 b - - 0 1", has_clock=False)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="a1 e7", black_queen="d8").ticks(20.0)
    table.sees(30.0, without="d8", black_queen="b6").ticks(50.0)
    assert (accusations(table), table.moves) == ([], "Qd8")


def test_who_stood_amiss_before_the_move_has_not_answered_it() -> None:
    """Black's knight was pushed long ago; he turns the clock back for White's king."""
    fen = "4k3/pppppppp/8/8/3n4/8/PPPPPPPP/R3K2R w KQ - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(2.5, without="d4").sees(2.6, black_knight="d5").ticks(3.5)
    table.sees(4.0, without="e1").sees(4.4, white_king="d3").clock(4.8, 297, 300, "right")
    table.sees(5.0, without="d3").clock(6.6, 297, 298, "left").ticks(9.0)
    assert accusations(table) == ["ILLEGAL_MOVE"]
