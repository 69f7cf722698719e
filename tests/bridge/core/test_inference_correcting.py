"""A man who goes on after the press: his move was another one, also if the answer is quick."""

import pytest

from bridge.core.model import Sensing, TableSetup
from tests.bridge.core.dialogue import TableTalk

FEN = "rnbqkb1r/pp2pppp/2p2n2/8/2pP4/5N2/PP2PPPP/RNBQKB1R w KQkq - 0 5"


def early(sensing: Sensing) -> TableTalk:
    """White's queen rests on b3 as he presses, at 3.8 s."""
    table = TableTalk(TableSetup(sensing=sensing, start_fen=FEN))
    table.shows(0.0, FEN.partition(" ")[0]).clock(0.5, 300, 300, "left").ticks(2.0)
    table.sees(3.0, without="d1").sees(3.3, white_queen="b3").clock(3.8, 298, 300, "right")
    return table.ticks(4.2)


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
@pytest.mark.parametrize("on", [0.0, 1.5, 2.5])
@pytest.mark.parametrize("reply", [0.1, 0.6, 3.0])
def test_who_goes_on_after_the_press_is_believed_though_the_reply_follows_at_once(
    sensing: Sensing, on: float, reply: float
) -> None:
    table = early(sensing)
    assert table.moves == "Qb3"
    at = 4.2 + on
    table.sees(at, without="b3").sees(at + 0.1, white_queen="a4")
    at += 0.1 + reply
    table.sees(at, without="b8").sees(at + 0.2, black_knight="d7")
    table.clock(at + 1.0, 298, 298, "left").ticks(at + 3.0)
    assert table.moves == "Qa4 Nbd7"


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_who_goes_on_when_the_reply_was_begun_has_moved_again(sensing: Sensing) -> None:
    table = early(sensing).sees(4.3, without="b8").sees(4.5, black_knight="d7").ticks(4.9)
    table.sees(5.0, without="b3").sees(5.2, white_queen="a4").clock(5.6, 298, 299, "left")
    table.clock(6.2, 297, 299, "right").ticks(12.0)
    assert table.moves == "Qb3 Nbd7 Qa4"


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_who_goes_on_long_after_the_press_is_not_taken_for_a_slow_hand(sensing: Sensing) -> None:
    table = early(sensing).ticks(8.0).sees(8.0, without="b3").sees(8.1, white_queen="a4")
    table.sees(8.3, without="b8").sees(8.5, black_knight="d7").ticks(8.9)
    assert table.moves.startswith("Qb3")


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_who_lay_across_the_edge_is_put_right_however_late(sensing: Sensing) -> None:
    """The queen was put on c2 so badly that d2 showed her; Black answers when she was pushed."""
    table = TableTalk(TableSetup(sensing=sensing, start_fen=FEN))
    table.shows(0.0, FEN.partition(" ")[0]).clock(0.5, 300, 300, "left").ticks(2.0)
    table.sees(3.0, without="d1").sees(3.3, white_queen="d2").clock(3.8, 298, 300, "right")
    assert table.ticks(5.0).moves == "Qd2"
    table.sees(9.0, without="d2").sees(9.1, white_queen="c2").ticks(9.4)
    table.sees(9.5, without="b8").sees(9.7, black_knight="d7")
    table.clock(10.5, 298, 298, "left").ticks(13.0)
    assert table.moves == "Qc2 Nbd7"


def test_who_only_rested_where_no_clock_is_goes_on_however_late() -> None:
    """Nobody has pressed: White takes his knight up again before Black answers."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(4.0, "e4", "e5")
    table.sees(20.0, without="g1").sees(20.4, white_knight="f3").ticks(47.0)
    table.sees(47.0, without="f3").sees(47.5, white_knight="h3")
    table.sees(49.6, without="b8").sees(50.1, black_knight="c6").ticks(70.0)
    assert table.moves == "e4 e5 Nh3 Nc6"


def test_who_goes_on_after_the_clock_was_stopped_looks_at_the_game() -> None:
    """Black's rook stood for 5 s by then; it goes another way, and White answers that."""
    start = TableSetup(start_fen="r7/2k5/8/8/3R4/8/1K6/8 w - - 20 44")
    table = TableTalk.ready(start, clock=False).clock(1.0, 300, 300, "left")
    table.sees(2.5, without="b2", white_king="c1").sees(7.6, without="a8")
    table.sees(8.1, black_rook="e8").ticks(13.1).clock(13.1, 288, 300, "left", run=False)
    table.ticks(15.4).sees(15.4, without="e8", black_rook="a8").ticks(22.3).sees(22.3, without="a8")
    table.sees(25.3, black_rook="a2").ticks(28.1).sees(28.1, without="d4")
    table.sees(28.9, white_rook="d8").ticks(60.0)
    assert table.moves == "Kc1 Re8"


def test_who_comes_home_after_he_rested_where_no_clock_is_is_put_back() -> None:
    """Both knights go home after three plies; the next game begins."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.sees(5.0, without="g1").sees(5.8, white_knight="h3").sees(9.0, without="g8")
    table.sees(9.8, black_knight="h6").sees(11.0, without="h3").sees(11.9, white_knight="g5")
    table.ticks(35.0).sees(35.0, without="g5").sees(35.3, white_knight="g1")
    table.sees(36.7, without="h6").sees(37.5, black_knight="g8")
    assert table.ticks(48.0).moves == "Nh3 Nh6 Ng5"
