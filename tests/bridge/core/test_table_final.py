"""A last position that the board does not surely show ends the game only when play has ended."""

from collections.abc import Callable

import pytest

from bridge.core.model import GameEnded, Sensing, TableSetup
from tests.bridge.core.dialogue import TableTalk


def mate(fen: str, sensing: Sensing = "occupancy") -> TableTalk:
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing=sensing))
    table.clock(1.0, 300, 300, "left").ticks(3.0)
    return table


def results(table: TableTalk) -> list[tuple[str, str]]:
    ended = [fact for fact in table.facts if isinstance(fact, GameEnded)]
    return [(fact.result, fact.by) for fact in ended]


def promoted() -> TableTalk:
    """A queen on h8 would be mate, and a rook none."""
    table = mate("5k2/R6P/5K2/8/8/8/8/8 w - - 0 1")
    table.sees(4.0, without="h7").sees(4.5, white_pawn="h8").clock(5.0, 299, 300, "right")
    return table.ticks(7.0)


def taken() -> TableTalk:
    """The queen takes on g7, which is mate, or on b5: nothing but her leaving is seen."""
    table = mate("6k1/5ppp/p7/1p4Q1/8/2B5/1P3PPP/6K1 w - - 0 1")
    table.sees(4.0, without="g5").clock(5.0, 299, 300, "right")
    return table.ticks(7.0)


@pytest.mark.parametrize("begin", [promoted, taken])
def test_a_mate_that_is_open_ends_the_game_when_the_clock_is_stopped(
    begin: Callable[[], TableTalk],
) -> None:
    table = begin()
    assert not results(table)
    table.clock(12.0, 299, 295, "right", run=False).ticks(13.0)
    assert results(table) == [("1-0", "checkmate")]


def test_a_mate_that_is_open_ends_the_game_when_nobody_plays_on() -> None:
    table = promoted().ticks(100.0)
    assert not results(table)
    table.ticks(130.0)
    assert results(table) == [("1-0", "checkmate")]


def test_a_mate_that_is_open_ends_the_game_with_the_stream() -> None:
    assert results(promoted().ends()) == [("1-0", "checkmate")]


def test_play_that_goes_on_tells_that_it_was_no_mate() -> None:
    table = mate("2r2k2/3b1p1P/4p1P1/p5B1/8/1r4b1/8/7K w - - 1 45")
    table.sees(4.0, without="h7").sees(4.5, white_pawn="h8").clock(5.0, 299, 300, "right")
    table.ticks(7.0).sees(8.0, without="f8").sees(8.1, black_king="g7")
    table.clock(8.5, 299, 297, "left").ticks(140.0)
    assert not results(table)


def test_a_mate_that_all_squares_show_ends_the_game_at_once() -> None:
    table = mate("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    table.sees(4.0, without="a1").sees(4.5, white_rook="a8").clock(5.0, 299, 300, "right")
    assert results(table.ticks(6.0)) == [("1-0", "checkmate")]


def test_a_man_who_flickers_puts_off_a_mate_until_he_is_seen_again() -> None:
    """Without the rook on the seventh rank the king could flee."""
    table = mate("6k1/R7/8/8/8/8/8/1R4K1 w - - 0 1", "identity")
    table.sees(4.0, without="b1").sees(4.5, white_rook="b8").sees(4.9, without="a7")
    table.clock(5.0, 299, 300, "right").ticks(8.0)
    assert not results(table)
    table.sees(8.2, white_rook="a7").ticks(9.5)
    assert results(table) == [("1-0", "checkmate")]


def test_who_is_looked_past_and_would_make_it_mate_does_not_end_the_game() -> None:
    """The pawn on e7 is seen nowhere; without it the rook may go between."""
    fen = "4R3/1p1rp3/p5pk/3b1p1p/3B1P1P/P1P5/1PB5/2K5 w - - 0 81"
    table = mate(fen, "identity")
    table.sees(3.5, without="e7").sees(4.5, without="e8").sees(4.9, white_rook="h8")
    table.clock(5.5, 299, 300, "right").ticks(9.0)
    assert table.moves == "Rh8#"
    assert not results(table)
    table.sees(9.7, without="d7").sees(10.1, black_rook="h7").clock(10.6, 299, 297, "left")
    table.sees(11.1, without="h8").sees(11.6, white_rook="h7").clock(12.1, 298, 297, "right")
    table.sees(13.1, without="h6").sees(13.6, black_king="h7").clock(14.1, 298, 295, "left")
    assert not results(table.ticks(140.0))
