"""Rulings on the moves: each goes through the whole record, or changes nothing."""

import chess
import pytest

from bridge.core.model import (
    CorrectMoves,
    LetStand,
    MoveSettled,
    RestorePosition,
    TableSetup,
    Undo,
)
from bridge.core.table.rulings.line import Line, Step
from tests.bridge.core.arbiter import Arbiter, played

OPENING = ("e4", "e5", "Nf3", "Nc6")


def instead(first: int, count: int, *moves: str, drop: bool = False) -> CorrectMoves:
    return CorrectMoves(first=first, count=count, moves=moves, rest="drop" if drop else "keep")


# -- correcting ------------------------------------------------------------------------------------


def test_a_corrected_move_keeps_what_followed_and_the_times() -> None:
    table = played(*OPENING)
    assert table.rules(instead(3, 1, "Nc3")) == [
        "ruling 1",
        "withdrawn 2 from 3.",
        "3. Nc3 by arbiter",
        "4. Nc6 by press",
        "3. has 300",
        "4. has 300",
    ]
    assert table.text() == "from ply 3 on: 2. Nc3 2... Nc6"
    assert table.sans == "e4 e5 Nc3 Nc6"
    assert table.record.corrections[-1].reason == "by ruling 1"
    assert table.goes_on("Bc4") == "e4 e5 Nc3 Nc6 Bc4"


def test_moves_may_be_written_in_uci() -> None:
    table = played(*OPENING)
    table.rules(instead(1, 1, "d2d4", drop=True))
    assert table.sans == "d4"
    assert table.record.plies[0].clk_ms == 300_000


def test_a_correction_that_makes_a_later_move_illegal_is_refused_with_both_versions() -> None:
    table = played(*OPENING, "Nxe5")
    assert table.refuses(instead(3, 1, "Nc3")) == (
        "ply 5, Nxe5, is not legal any more: nothing was changed"
    )
    refusal = table.refusal()
    assert refusal.breaks == 5
    assert refusal.kept == ("2. Nf3", "2... Nc6", "3. Nxe5")
    assert refusal.corrected == ("2. Nc3", "2... Nc6")
    assert table.sans == "e4 e5 Nf3 Nc6 Nxe5"
    assert table.goes_on("Nxe5") == "e4 e5 Nf3 Nc6 Nxe5 Nxe5"


def test_the_rest_may_be_dropped() -> None:
    table = played(*OPENING, "Nxe5")
    assert table.rules(instead(3, 1, "Nc3", drop=True))[1:3] == [
        "withdrawn 3 from 3.",
        "3. Nc3 by arbiter",
    ]
    assert table.goes_on("Nf6") == "e4 e5 Nc3 Nf6"


def test_moves_are_inserted_without_times() -> None:
    table = played(*OPENING)
    table.rules(instead(3, 0, "d3", "d6"))
    assert table.sans == "e4 e5 d3 d6 Nf3 Nc6"
    assert [ply.clk_ms for ply in table.record.plies] == [300_000] * 2 + [None] * 2 + [300_000] * 2
    assert table.goes_on("Be2") == "e4 e5 d3 d6 Nf3 Nc6 Be2"


def test_moves_are_deleted() -> None:
    table = played("e4", "e5", "h3", "h6", "Nf3", "Nc6")
    table.rules(instead(3, 2))
    assert table.sans == "e4 e5 Nf3 Nc6"
    assert table.goes_on("Bc4") == "e4 e5 Nf3 Nc6 Bc4"


def test_moves_are_added_at_the_end() -> None:
    table = played("e4")
    assert table.rules(instead(2, 0, "e5"))[1:] == ["2. e5 by arbiter"]
    assert table.goes_on("Nf3") == "e4 e5 Nf3"


def test_one_move_cannot_be_inserted_before_others() -> None:
    table = played(*OPENING)
    assert table.refuses(instead(3, 0, "d3")).startswith("ply 3, Nf3, is not legal any more")


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (instead(3, 1, "Nf4"), "ply 3, Nf4: not legal in "),
        (instead(3, 2, "Nc3", "Nc3"), "ply 4, Nc3: not legal in "),
        (instead(3, 1, "what"), "ply 3, what: not legal in "),
        (instead(3, 1, "Nf3"), "the record says so already"),
        (instead(3, 0), "the record says so already"),
        (instead(6, 0, "d3"), "the record has 4 plies: there is no ply 5"),
        (instead(0, 1, "d3"), "plies are counted from 1: there is no ply 0"),
        (instead(4, 2, "d6"), "the record has 4 plies: there is no ply 5"),
        (instead(4, -1, "d6"), "fewer than no plies cannot be replaced"),
    ],
)
def test_a_correction_that_cannot_be_changes_nothing(order: CorrectMoves, reason: str) -> None:
    table = played(*OPENING)
    facts = len(table.facts)
    assert table.refuses(order).startswith(reason)
    assert len(table.facts) == facts + 1
    assert table.goes_on("Bc4") == "e4 e5 Nf3 Nc6 Bc4"


def test_a_correction_before_the_first_game_is_refused() -> None:
    table = Arbiter()
    assert table.refuses(instead(1, 0, "e4")) == "no game has begun"


def test_the_move_that_stands_is_believed_after_a_correction() -> None:
    table = played(*OPENING)
    table.sees(20.0, without="f1", white_bishop="c4").ticks(21.0)
    table.rules(instead(1, 0, "h3", "h6"))
    table.shows(25.0, "r1bqkbnr/pppp1pp1/2n4p/4p3/2B1P3/5N1P/PPPP1PP1/RNBQK2R")
    table.clock(26.0, 280, 300, "right").ticks(28.0)
    assert table.moves == "h3 h6 e4 e5 Nf3 Nc6 Bc4"


def test_a_press_that_completed_nothing_yet_is_not_lost_by_a_correction() -> None:
    table = played("Nf3", "Nf6", "Nc3", "Nc6")
    table.clock(20.0, 280, 300, "right")
    table.rules(instead(1, 3, "Nc3", "Nf6", "Nf3"))
    table.sees(21.0, without="e2", white_pawn="e4").ticks(23.0)
    assert table.moves == "Nc3 Nf6 Nf3 Nc6 e4"


def test_what_was_taken_back_is_not_played_again_while_it_still_stands() -> None:
    table = played(*OPENING)
    table.rules(RestorePosition(ply=3))
    table.clock(40.0, 300, 300, "left").clock(41.0, 299, 300, "left").ticks(80.0)
    assert table.moves == "e4 e5 Nf3"
    assert table.goes_on("Nf6") == "e4 e5 Nf3 Nf6"


def test_what_was_taken_back_is_not_entered_when_the_game_ends() -> None:
    table = played(*OPENING)
    table.rules(RestorePosition(ply=3))
    table.orders(60.0, "1-0")
    assert (table.sans, table.record.result) == ("e4 e5 Nf3", "1-0")


def test_the_next_move_of_the_record_that_stands_again_is_entered() -> None:
    table = played(*OPENING)
    table.rules(RestorePosition(ply=3))
    table.puts_up()
    table.sees(60.0, without="b8", black_knight="c6").ticks(62.0)
    table.orders(63.0, "1-0")
    assert (table.sans, table.record.result) == ("e4 e5 Nf3 Nc6", "1-0")


# -- undoing ---------------------------------------------------------------------------------------


def test_a_correction_is_undone_also_after_more_moves() -> None:
    table = played(*OPENING)
    table.rules(instead(3, 1, "Nc3"))
    table.goes_on("a3", "a6")
    assert table.rules(Undo(ruling=1))[:4] == [
        "ruling 2",
        "1 undone by 2",
        "withdrawn 4 from 3.",
        "3. Nf3 by press",
    ]
    assert table.sans == "e4 e5 Nf3 Nc6 a3 a6"
    assert table.goes_on("Bc4") == "e4 e5 Nf3 Nc6 a3 a6 Bc4"


def test_a_correction_is_not_undone_if_later_moves_rest_on_it() -> None:
    table = played(*OPENING)
    table.rules(instead(3, 1, "Nc3"))
    table.goes_on("Nd5")
    assert table.refuses(Undo(ruling=1)) == (
        "what was played since, 3. Nd5, does not follow on the earlier moves"
    )
    assert (table.refusal().breaks, table.refusal().kept) == (5, ("3. Nd5",))
    assert table.sans == "e4 e5 Nc3 Nc6 Nd5"


def test_corrections_are_undone_in_turn() -> None:
    table = played(*OPENING)
    table.rules(instead(3, 1, "Nc3"))
    table.rules(instead(4, 1, "Nf6"))
    assert table.refuses(Undo(ruling=1)) == "the moves were changed since: undo that first"
    table.rules(Undo(ruling=2))
    table.rules(Undo(ruling=1))
    assert table.sans == "e4 e5 Nf3 Nc6"
    assert table.refuses(Undo(ruling=1)) == "ruling 1 was undone by ruling 5 already"


def test_an_undone_correction_is_made_again_by_undoing_that() -> None:
    table = played(*OPENING)
    table.rules(instead(3, 1, "Nc3"))
    table.rules(Undo(ruling=1))
    table.rules(Undo(ruling=2))
    assert table.sans == "e4 e5 Nc3 Nc6"
    table.rules(Undo(ruling=1))
    assert table.sans == "e4 e5 Nf3 Nc6"


# -- going back ------------------------------------------------------------------------------------


def test_the_position_before_an_irregularity_is_restored() -> None:
    table = played(*OPENING)
    assert table.rules(RestorePosition(ply=2)) == ["ruling 1", "withdrawn 2 from 3."]
    assert "after ply 2: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w" in table.text()
    assert "the clock showed 5:00 for white and 5:00 for black" in table.text()
    assert table.goes_on("f4", "exf4") == "e4 e5 f4 exf4"


def test_all_moves_can_be_taken_back_and_that_undone() -> None:
    table = played(*OPENING)
    table.rules(RestorePosition(ply=0))
    assert table.record.plies == []
    table.rules(Undo(ruling=1))
    assert table.sans == "e4 e5 Nf3 Nc6"
    assert [ply.clk_ms for ply in table.record.plies] == [300_000] * 4
    assert table.goes_on("Bc4") == "e4 e5 Nf3 Nc6 Bc4"


def test_there_is_no_way_back_to_a_ply_that_was_not_played() -> None:
    table = played(*OPENING)
    assert table.refuses(RestorePosition(ply=5)) == "the record has 4 plies: there is no ply 5"
    assert table.refuses(RestorePosition(ply=-1)) == "the record has 4 plies: there is no ply -1"


def in_check() -> Arbiter:
    """White has pressed although his king stays in check."""
    fen = "4r1k1/7p/8/8/8/8/P7/4K3 w - - 0 1"
    table = Arbiter(TableSetup(start_fen=fen))
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.sees(4.0, without="a2", white_pawn="a4").clock(6.0, 295, 300, "right").ticks(10.0)
    return table


def test_an_illegal_move_is_put_back_and_the_game_goes_on() -> None:
    table = in_check()
    assert table.rules(RestorePosition(ply=0)) == ["ruling 1"]
    table.ticks(20.0)
    assert table.goes_on("Kf2", "Kf7") == "Kf2 Kf7"


def test_an_illegal_move_stands_by_a_ruling() -> None:
    table = in_check()
    assert table.rules(LetStand()) == ["ruling 1", "1. a4 by stands", "1. has 295"]
    table.plays(20.0, "h6", "Kf2")
    assert table.moves == "a4 h6+ Kf2"
    assert table.record.plies[0].stands


def test_an_illegal_move_that_was_named_as_what_stands_is_entered() -> None:
    table = in_check()
    assert "1. a4 by stands" in table.rules(LetStand(stands="4r1k1/7p/8/8/P7/8/8/4K3 b - - 0 1"))


def test_an_illegal_move_is_taken_back_by_undoing() -> None:
    table = in_check()
    table.rules(LetStand())
    assert table.rules(Undo(ruling=1)) == ["ruling 2", "1 undone by 2", "withdrawn 1 from 1."]
    assert table.record.plies == []
    assert table.goes_on("Kd2") == "Kd2"


def test_moves_before_one_that_stands_can_be_corrected() -> None:
    table = in_check()
    table.rules(LetStand())
    table.plays(20.0, "h6", "Kf2")
    table.rules(instead(2, 1, "h5"))
    assert table.sans == "a4 h5+ Kf2"
    assert [ply.stands for ply in table.record.plies] == [True, False, False]


def test_an_illegal_move_stands_after_other_moves_too() -> None:
    table = in_check()
    table.rules(LetStand())
    table.plays(20.0, "h6")
    table.rules(instead(1, 0, "Kd1", "Kf8"))
    assert table.sans == "Kd1 Kf8 a4 h6"
    assert [ply.stands for ply in table.record.plies] == [False, False, True, False]
    assert table.record.plies[2].fen_after == "4rk2/7p/8/8/P7/8/8/3K4 b - - 2 2"


def test_a_move_before_one_that_stands_cannot_take_its_man_away() -> None:
    table = in_check()
    table.rules(LetStand())
    assert table.refuses(instead(1, 0, "Kf2")).startswith("ply 1, a4, is not legal any more")


def test_nothing_stands_where_nothing_is_in_dispute() -> None:
    table = played(*OPENING)
    assert table.refuses(LetStand()) == ("no illegal move is in dispute: say which position stands")


FOUND = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/R1BQKB1R w KQkq - 0 3"
"""After the opening, without a knight."""


def test_play_goes_on_from_a_position_that_stands() -> None:
    table = played(*OPENING)
    table.stands(FOUND)
    assert table.rules(LetStand(stands=FOUND)) == ["ruling 1", f"after 4. {FOUND}"]
    assert table.goes_on("Bc4", "Bc5").endswith("Nc6 Bc4 Bc5")
    assert table.refuses(instead(5, 1, "Nd5")).startswith("ply 5, Nd5: not legal")
    table.rules(instead(4, 1, "d6"))
    assert table.sans == "e4 e5 Nf3 d6 Bc4 Bc5"
    assert [adoption.ply for adoption in table.record.adoptions] == [4]


def test_a_position_that_stands_is_adopted_once_after_each_ply() -> None:
    table = played(*OPENING)
    table.stands(FOUND)
    table.rules(LetStand(stands=FOUND))
    other = FOUND.replace(" w ", " b ")
    assert table.rules(LetStand(stands=other)) == [
        "ruling 2",
        f"after 4. {other}",
    ]
    assert [adoption.fen for adoption in table.record.adoptions] == [other]


def test_an_adopted_position_is_given_up_with_the_ply_before_it() -> None:
    table = played(*OPENING)
    table.stands(FOUND)
    table.rules(LetStand(stands=FOUND))
    assert table.rules(Undo(ruling=1))[1:] == [
        "1 undone by 2",
        "withdrawn 1 from 4.",
        "4. Nc6 by press",
        "4. has 300",
    ]
    assert (table.record.adoptions, table.sans) == ([], "e4 e5 Nf3 Nc6")


def test_a_position_adopted_before_the_first_move_is_given_up_by_beginning_anew() -> None:
    table = played()
    found = chess.STARTING_FEN.replace("RNBQKBNR w", "R1BQKBNR w")
    table.stands(found)
    table.rules(LetStand(stands=found))
    table.plays(20.0, "e4")
    assert table.sans == "e4"
    assert table.rules(Undo(ruling=1))[1:] == [
        "1 undone by 2",
        "game 1 begins",
        "1. e4 by press",
        "1. has 300",
    ]
    assert (table.record.adoptions, table.sans) == ([], "e4")


def test_a_game_that_is_begun_anew_keeps_its_result() -> None:
    table = played()
    found = chess.STARTING_FEN.replace("RNBQKBNR w", "R1BQKBNR w")
    table.stands(found)
    table.rules(LetStand(stands=found))
    table.plays(20.0, "e4")
    table.orders(30.0, "1-0")
    table.rules(Undo(ruling=1))
    assert (table.record.adoptions, table.sans, table.record.result) == ([], "e4", "1-0")


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("nonsense", "no position: "),
        (FOUND.replace("K", "Q", 1), "no position: each side has one king"),
        (chess.STARTING_FEN, "another position stands on the board"),
    ],
)
def test_a_position_that_does_not_stand_is_refused(fen: str, reason: str) -> None:
    table = played(*OPENING)
    assert table.refuses(LetStand(stands=fen)).startswith(reason)


def test_a_line_keeps_what_was_adopted_while_its_ply_stands() -> None:
    line = Line(chess.Board())
    line.adopted("one", "missing")
    line.adopted("two", "missing")
    step = Step(chess.Move.from_uci("e2e4"), "e4", "three", "press", "")
    line.settled(step)
    line.adopted("four", "missing")
    assert [each.fen for each in line.steps] == ["two", "three", "four"]
    line.withdrawn(1)
    assert [each.fen for each in line.steps] == ["two"]


# -- mate and no mate ------------------------------------------------------------------------------

MATE = ("f3", "e5", "g4", "Qh4#")


def test_a_game_goes_on_when_a_correction_leaves_no_mate() -> None:
    table = played(*MATE)
    assert table.record.result == "0-1"
    told = table.rules(instead(4, 1, "Qg5"))
    assert told[:3] == ["ruling 1", "withdrawn 1 from 4.", "4. Qg5 by arbiter"]
    assert told[-1] == "goes on"
    assert (table.record.result, table.record.ended_by) == ("*", None)
    table.clock(30.0, 300, 300, "left")
    assert table.goes_on("d3") == "f3 e5 g4 Qg5 d3"


def test_a_correction_to_mate_ends_the_game() -> None:
    table = played("f3", "e5", "g4", "Qg5")
    assert table.rules(instead(4, 1, "Qh4#"))[-1] == "0-1 by checkmate"
    assert table.record.result == "0-1"
    table.rules(Undo(ruling=1))
    assert (table.record.result, table.sans) == ("*", "f3 e5 g4 Qg5")
    table.clock(30.0, 300, 300, "left")
    assert table.goes_on("d3") == "f3 e5 g4 Qg5 d3"


def test_the_record_of_a_game_that_is_over_is_corrected_without_waking_it() -> None:
    table = played(*OPENING)
    table.orders(30.0, "1-0")
    table.rules(instead(4, 1, "Nf6"))
    assert (table.record.result, table.sans) == ("1-0", "e4 e5 Nf3 Nf6")
    assert table.table.engine is None
    assert table.refuses(RestorePosition(ply=2)) == "the game is over: let it go on first"
    assert table.refuses(LetStand()) == "the game is over: let it go on first"


def test_chess960_is_corrected_by_its_own_castling() -> None:
    fen = "4k3/8/8/8/8/8/8/1R1K3R w HB - 0 1"
    table = played("Kc2", "Ke7", setup=TableSetup(start_fen=fen, chess960=True))
    assert table.rules(instead(1, 1, "O-O-O"))[0] == "ruling 1"
    assert table.sans == "O-O-O Ke7"
    settled = [fact for fact in table.facts if isinstance(fact, MoveSettled)]
    assert settled[-2].uci == "d1b1"
