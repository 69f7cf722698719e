"""Illegal moves where no clock tells that a move is complete."""

import pytest

from bridge.core.model import (
    GameEnded,
    MoveSettled,
    TableSetup,
)
from tests.bridge.core.accusing import accusations, accused, unresolved
from tests.bridge.core.dialogue import TableTalk

NO_PLAY = {
    "a king put anywhere": (("d4", "h6", "white_king"), ("g7", "f6", "black_bishop")),
    "answered by a king put anywhere": (("c2", "e4", "white_pawn"), ("e8", "a4", "black_king")),
    "two men of the opponent": (
        *(("g7", "b7", "black_bishop"), ("c2", "e4", "white_pawn"), ("e8", "e7", "black_king")),
    ),
}


@pytest.mark.parametrize("name", NO_PLAY)
def test_men_put_anywhere_without_a_clock_are_no_illegal_move(name: str) -> None:
    """Nobody told that the game is over: what stands is looked into, or shown to somebody."""
    start = TableSetup(start_fen="4k3/6b1/8/8/3K4/8/2P5/8 w - - 0 1", has_clock=False)
    table, at = TableTalk.ready(start, clock=False), 4.0
    for left, came, man in NO_PLAY[name]:
        table.sees(at, without=left).sees(at + 0.5, **{man: came})
        at += 2.0
    table.ticks(at + 9.0)
    assert accusations(table) == []


def test_men_put_up_again_without_a_clock_are_no_illegal_move() -> None:
    """The record was lost after two moves; the men that come home last are no moves."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(2.0, "e4", "Nf6")
    table.shows(20.0, "8/8/2k5/8/8/2K5/8/8").ticks(30.0)
    table.shows(31.0, "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").ticks(32.0)
    table.sees(32.0, black_knight="g8").ticks(40.0)
    assert accusations(table) == []
    ended = [fact.by for fact in table.facts if isinstance(fact, GameEnded)]
    assert ended == ["abandoned"]


def test_an_illegal_move_is_told_when_the_answer_was_begun_where_no_clock_is() -> None:
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    at = table.plays(4.0, "e4", "e5")
    table.sees(at, without="g1").sees(at + 0.4, white_knight="g3").ticks(at + 3.0)
    assert not unresolved(table)
    table.sees(at + 3.0, without="b8").ticks(at + 4.0)
    assert not accused(table)
    table.sees(at + 4.2, black_knight="b8").ticks(at + 6.0)
    (alert,) = accused(table)
    assert alert.san_tried == "Ng3"
    table.sees(at + 6.0, without="g3").sees(at + 6.4, white_knight="f3").ticks(at + 11.0)
    sans = [f.san for f in table.told(MoveSettled) if isinstance(f, MoveSettled)]
    assert sans == ["e4", "e5", "Nf3"]


def test_what_is_left_of_a_castling_that_is_taken_back_is_no_move_where_no_clock_is() -> None:
    setup = TableSetup(start_fen="4k3/8/8/8/8/8/2b5/R3K3 w Q - 0 1", has_clock=False)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="e1").sees(4.2, white_king="c1")
    table.sees(4.5, without="a1").sees(4.7, white_rook="d1").ticks(10.0)
    table.sees(10.0, without="c1").sees(10.3, white_king="e1").ticks(12.0)
    table.sees(12.0, without="d1").sees(12.3, white_rook="a1").ticks(16.0)
    assert not table.told(MoveSettled)


def test_men_who_are_put_up_while_no_clock_runs_make_no_reply() -> None:
    """A bishop comes from the box: the queen who goes home made no move, nor did the rook."""
    fen = "6k1/ppqr3p/2p1r1p1/4Pp2/2PP4/P7/1Q1R2PP/4R2K b - - 14 32"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.sees(10.0, without="c7").sees(10.05, white_bishop="f1").sees(10.3, black_queen="d8")
    table.sees(10.35, without="e1").sees(10.65, white_rook="a1").sees(10.71, without="e6")
    table.ticks(10.8).sees(10.85, without="h1").sees(11.0, black_rook="h8").ticks(12.0)
    assert table.moves == ""


def test_a_pawn_waits_on_its_last_rank_for_the_man_that_is_fetched_where_no_clock_is() -> None:
    start = TableSetup(start_fen="8/5P1k/8/8/8/8/8/4K3 w - - 0 1", has_clock=False)
    table = TableTalk.ready(start, clock=False)
    table.sees(10.0, without="f7").sees(10.4, white_pawn="f8").ticks(40.0).expects()
    table.sees(40.0, without="f8").sees(40.8, white_rook="f8").ticks(46.0)
    assert table.moves == "f8=R"


def test_a_pawn_that_was_answered_before_it_was_replaced_is_told_where_no_clock_is() -> None:
    start = TableSetup(start_fen="8/5P1k/8/8/8/8/8/4K3 w - - 0 1", has_clock=False)
    table = TableTalk.ready(start, clock=False)
    table.sees(10.0, without="f7").sees(10.4, white_pawn="f8").ticks(20.0)
    table.sees(20.0, without="h7").sees(20.6, black_king="g7").ticks(40.0)
    assert any("PROMOTION_NOT_REPLACED" in line for line in table.script)
