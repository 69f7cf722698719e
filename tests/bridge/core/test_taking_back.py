"""Moves that both players took back, and what is not that."""

import chess
import pytest

from bridge.core.model import MovesCorrected, Sensing, TableSetup
from tests.bridge.core.dialogue import TableTalk
from tests.bridge.core.watching import Watched

PLAYED = ("e4", "e5", "Nf3", "Nc6")
RECORD = " ".join(PLAYED)


def played(*, clock: bool = True) -> TableTalk:
    """A table at which four plies were made; the last one stands since 16 s."""
    setup = None if clock else TableSetup(has_clock=False)
    table = TableTalk.ready(setup, clock=clock)
    table.plays(10.0, *PLAYED)
    assert table.moves == RECORD
    return table


def puts(table: TableTalk, at: float, left: str, man: str, came: str) -> TableTalk:
    """A man goes from one square to another within half a second."""
    return table.sees(at, without=left).sees(at + 0.5, **{man: came}).ticks(at + 1.0)


def reasons(table: TableTalk) -> list[str]:
    return [fact.reason for fact in table.told(MovesCorrected) if isinstance(fact, MovesCorrected)]


def test_a_move_that_the_opponent_gives_back_by_the_clock_is_taken_back() -> None:
    table = puts(played(), 30.0, "c6", "black_knight", "b8")
    table.clock(32.0, 290, 280, "right").ticks(33.0)
    assert table.moves == "e4 e5 Nf3"
    assert len(reasons(table)) == 1
    puts(table, 40.0, "g8", "black_knight", "f6").clock(41.5, 290, 280, "left").ticks(43.0)
    assert table.moves == "e4 e5 Nf3 Nf6"
    assert not any("ILLEGAL" in line or "WRONG_SIDE" in line for line in table.script)


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_a_man_may_be_put_back_just_after_his_move_was_given_back(sensing: Sensing) -> None:
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.plays(10.0, *PLAYED)
    puts(table.clock(30.0, 290, 280, "right"), 30.8, "c6", "black_knight", "b8").ticks(35.0)
    assert table.moves == "e4 e5 Nf3"
    puts(table, 40.0, "g8", "black_knight", "f6").clock(41.5, 290, 280, "left").ticks(43.0)
    assert table.moves == "e4 e5 Nf3 Nf6"
    assert not any("ILLEGAL" in line or "WRONG_SIDE" in line for line in table.script)


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_a_man_who_goes_back_to_answer_a_move_that_is_told_late_is_not_put_back(
    sensing: Sensing,
) -> None:
    """Black's knight is shown 1.4 s after his press; by then White's stands on g1 again."""
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.plays(4.0, "e4", "e5", "Nf3")
    table.clock(20.0, 290, 290, "left").sees(20.3, without="f3").sees(20.6, white_knight="g1")
    table.clock(21.25, 290, 290, "right")
    table.sees(21.4, without="b8").sees(21.6, black_knight="c6").ticks(26.0)
    puts(table, 26.0, "g8", "black_knight", "f6").clock(27.0, 290, 290, "left").ticks(30.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Ng1 Nf6"
    assert not any("WRONG_SIDE" in line for line in table.script)


def test_a_press_without_a_move_takes_nothing_back_while_the_last_position_stands() -> None:
    table = played().clock(32.0, 290, 280, "right").ticks(60.0)
    assert table.moves == RECORD


def test_a_move_of_the_opponent_is_not_taken_back_by_a_press_of_its_player() -> None:
    """The knight is back, but it is White's turn by the clock as before."""
    table = puts(played(), 30.0, "c6", "black_knight", "b8").ticks(60.0)
    assert "e4 e5 Nf3" in table.moves
    assert reasons(table) == []


def test_play_goes_on_from_before_two_plies_where_another_move_is_pressed() -> None:
    table = puts(played(), 30.0, "c6", "black_knight", "b8")
    puts(table, 32.0, "f3", "white_knight", "g1")
    puts(table, 36.0, "b1", "white_knight", "c3").clock(37.5, 280, 300, "right").ticks(40.0)
    assert table.moves == "e4 e5 Nc3"
    assert any("alert RECORD_CORRECTED" in line for line in table.script)
    puts(table, 44.0, "g8", "black_knight", "f6").clock(45.5, 280, 290, "left").ticks(47.0)
    assert table.moves == "e4 e5 Nc3 Nf6"


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_two_plies_taken_back_are_not_moves_the_other_way_round(sensing: Sensing) -> None:
    """Both might have gone back to where they came from, but the last one did it first."""
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.plays(10.0, *PLAYED)
    puts(table, 30.0, "c6", "black_knight", "b8").ticks(33.0)
    puts(table, 33.0, "f3", "white_knight", "g1").ticks(36.0)
    puts(table, 36.0, "b1", "white_knight", "c3").clock(37.5, 280, 300, "right").ticks(40.0)
    assert table.moves == "e4 e5 Nc3"
    puts(table, 44.0, "g8", "black_knight", "f6").clock(45.5, 280, 290, "left").ticks(47.0)
    assert table.moves == "e4 e5 Nc3 Nf6"


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_two_plies_taken_back_while_the_clock_stands_are_withdrawn_as_it_is_started(
    sensing: Sensing,
) -> None:
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.plays(10.0, *PLAYED)
    table.clock(28.0, 280, 290, "left", run=False)
    puts(table, 30.0, "c6", "black_knight", "b8").ticks(32.0)
    puts(table, 32.0, "f3", "white_knight", "g1").ticks(35.0)
    assert table.moves == RECORD
    table.clock(36.0, 280, 290, "left").ticks(37.0)
    assert table.moves == "e4 e5"
    puts(table, 40.0, "b1", "white_knight", "c3").clock(41.5, 276, 290, "right").ticks(43.0)
    assert table.moves == "e4 e5 Nc3"


def test_play_goes_on_from_before_two_plies_while_another_man_is_away() -> None:
    """The rook flickers as the clock is pressed."""
    table = puts(played(), 30.0, "c6", "black_knight", "b8")
    puts(table, 32.0, "f3", "white_knight", "g1").ticks(35.0)
    puts(table, 36.0, "b1", "white_knight", "c3").sees(37.4, without="h8")
    table.clock(37.5, 280, 300, "right").ticks(39.5).sees(39.6, black_rook="h8").ticks(44.0)
    assert table.moves == "e4 e5 Nc3"


def test_moves_to_and_fro_between_two_readings_of_the_clock_are_not_taken_back() -> None:
    """Each was pressed for, but a second tells of none."""
    start = "r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start))
    table.plays(5.0, "h3", "h6")
    at = 20.0
    table.clock(at - 0.3, 290, 290, "left")
    for colour, left, came in (("white", "a1", "a2"), ("black", "a8", "a7")) * 2:
        away, there = (left, came) if at < 21.0 else (came, left)
        table.sees(at, without=away).sees(at + 0.2, **{f"{colour}_rook": there})
        at += 0.5
    table.clock(22.1, 288, 289, "left").ticks(26.0)
    puts(table, 26.0, "a1", "white_rook", "b1").clock(27.5, 284, 289, "right").ticks(30.0)
    assert table.moves == "h3 h6 Ra2 Ra7 Ra1 Ra8 Rb1"


def test_without_a_clock_nothing_is_played_on_while_the_game_is_looked_at() -> None:
    """The knight is shown on f3 again, and Black's pawn moves instead of his knight."""
    table = puts(played(clock=False), 30.0, "c6", "black_knight", "b8").ticks(33.0)
    puts(table, 33.0, "f3", "white_knight", "g1").ticks(36.0)
    puts(table, 36.0, "g1", "white_knight", "f3").ticks(39.0)
    puts(table, 40.0, "d7", "black_pawn", "d6").ticks(50.0)
    assert table.moves == RECORD


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_a_first_move_that_is_taken_back_begins_no_other_game(sensing: Sensing) -> None:
    start = "4k3/pppp4/5n2/8/8/8/PPPP2P1/4K2N w - - 0 1"
    setup = TableSetup(has_clock=False, sensing=sensing, start_fen=start)
    table = TableTalk.ready(setup, clock=False)
    puts(table, 5.0, "g2", "white_pawn", "g3").ticks(12.0)
    assert table.moves == "g3"
    puts(table, 12.0, "g3", "white_pawn", "g2").ticks(20.0)
    puts(table, 20.0, "d2", "white_pawn", "d4").ticks(26.0)
    assert table.moves == "d4"
    assert not any("game 2" in line for line in table.script)


@pytest.mark.parametrize(("anew", "given"), [(False, 13.5), (False, 17.0), (True, 23.5)])
def test_a_first_move_that_is_given_back_by_the_clock_begins_no_other_game(
    anew: bool, given: float
) -> None:
    """A clock that is set anew stands meanwhile: then it is another game."""
    table = TableTalk.ready()
    puts(table, 5.0, "c2", "white_pawn", "c3").clock(6.5, 297, 300, "right").ticks(8.0)
    puts(table, 12.0, "c3", "white_pawn", "c2")
    if anew:
        table.clock(12.5, 297, 294, "right", run=False).ticks(20.0)
    table.ticks(given).clock(given, 300 if anew else 297, 300 if anew else 290, "left").ticks(26.0)
    puts(table, 26.0, "e2", "white_pawn", "e4").clock(27.5, 294, 290, "right").ticks(29.0)
    assert table.moves.endswith("e4")
    assert any("game 2 begins" in line for line in table.script) == anew
    assert (table.moves == "e4") != anew


def test_what_nobody_pressed_for_is_taken_back_once_its_man_is_put_back() -> None:
    """Men of both were knocked over, and put down where they might have gone by moves."""
    table = TableTalk.ready()
    table.plays(10.0, "e4", "e5", "Nf3", "Nc6")
    table.sees(30.0, without="f1").sees(30.1, without="c6").sees(31.0, black_knight="d4")
    table.sees(32.0, white_bishop="e2").ticks(45.0)
    table.sees(45.0, without="d4").sees(45.5, black_knight="c6").sees(46.0, without="e2")
    table.sees(46.5, white_bishop="f1").ticks(50.0)
    puts(table, 50.0, "f1", "white_bishop", "b5").clock(51.5, 280, 290, "right").ticks(53.0)
    assert table.moves == f"{RECORD} Bb5"
    assert not any("ILLEGAL" in line for line in table.script)


def test_without_a_clock_another_man_may_take_once_the_last_ply_was_taken_back() -> None:
    """However long that had stood."""
    start = "4k3/p3q3/3b4/8/8/8/4Q2P/4K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start, has_clock=False), clock=False)
    table.sees(10.0, without="e2").sees(10.6, without="e7").sees(11.0, white_queen="e7")
    table.ticks(20.0).sees(20.0, without="d6").sees(20.5, without="e7").sees(
        21.0, black_bishop="e7"
    )
    table.ticks(40.0)
    assert table.moves == "Qxe7+ Bxe7"
    table.sees(40.0, without="e7").sees(40.6, black_bishop="d6").sees(41.2, white_queen="e7")
    table.sees(43.0, without="e8").sees(43.6, without="e7").sees(44.2, black_king="e7").ticks(50.0)
    assert table.moves == "Qxe7+ Kxe7"


def test_without_names_another_man_may_look_like_him_who_left_the_square() -> None:
    """The knight goes where the pawn had stood, and Black thinks with a man in his hand."""
    start = "4k3/8/8/3p4/4P3/2N5/8/b3K3 b - - 0 1"
    setup = TableSetup(start_fen=start, has_clock=False, sensing="occupancy")
    table = TableTalk.ready(setup, clock=False)
    table.sees(10.0, without="a1").sees(10.5, black_bishop="b2").ticks(16.0)
    puts(table, 16.0, "e1", "white_king", "d1").ticks(22.0)
    table.sees(22.0, without="e4").sees(22.4, without="d5").sees(22.8, black_pawn="e4").ticks(30.0)
    table.sees(30.0, without="c3").sees(30.5, white_knight="d5").ticks(36.0)
    table.sees(36.0, without="b2").ticks(42.0).sees(42.0, black_bishop="a3").ticks(50.0)
    assert table.moves == "Bb2 Kd1 dxe4 Nd5 Ba3"


def test_men_who_go_back_the_other_way_round_play() -> None:
    """Rook and king went there and back: the first of them was not the last to move."""
    board = Watched("8/8/1k6/r7/8/8/2K5/8 b - - 0 1")
    for changes, colour in (("a5 b5r", chess.BLACK), ("c2 d2K", chess.WHITE)) * 2:
        board.shows(changes.split()[0]).waits(0.3).shows(changes.split()[1]).waits(0.5)
        board.presses(colour).runs_for(not colour).waits(1.5)
        if board.moves == "a5b5 c2d2":
            break
    board.shows("b5").waits(0.2).shows("d2").waits(0.1).shows("a5r").waits(0.2).shows("c2K")
    board.waits(0.6).presses(chess.BLACK).presses(chess.WHITE).runs_for(chess.BLACK).waits(0.5)
    board.shows("a5").waits(0.3).shows("a4r").waits(0.5).presses(chess.BLACK)
    board.runs_for(chess.WHITE).waits(5.0)
    assert board.moves == "a5b5 c2d2 b5a5 d2c2 a5a4"


TRIED = (
    ("g1", "white_knight", "f3"),
    ("d7", "black_pawn", "d5"),
    ("g2", "white_pawn", "g3"),
    ("b8", "black_knight", "d7"),
)


def test_a_clock_that_stands_from_the_beginning_is_done_without_once_men_move_in_turn() -> None:
    table = TableTalk.ready().clock(6.0, 294, 300, "left", run=False)
    for number, (left, man, came) in enumerate(TRIED):
        puts(table, 10.0 + 6 * number, left, man, came)
    assert table.ticks(50.0).moves == "Nf3 d5 g3 Nd7"


GOES_ON = (
    ("g1", "white_knight", "f3"),
    ("d7", "black_pawn", "d6"),
    ("g2", "white_pawn", "g3"),
    ("g8", "black_knight", "f6"),
    ("c2", "white_pawn", "c3"),
    ("f6", "black_knight", "h5"),
    ("f3", "white_knight", "h4"),
    ("h5", "black_knight", "f6"),
)


@pytest.mark.parametrize(
    ("plies", "shown", "played"),
    [(2, 4, True), (3, 4, False), (8, 7, False), (8, 8, True), (12, 8, False)],
)
def test_a_clock_that_was_stopped_early_in_a_game_is_done_without_once_play_goes_on(
    plies: int, shown: int, played: bool
) -> None:
    """The later it was, the more tells it from a game that has ended, and is looked at."""
    opening = ("e4", "c5", "Be2", "Nc6", "d3", "g6", "h3", "Bg7", "a3", "a6", "b3", "b6")
    table = TableTalk.ready()
    table.plays(10.0, *opening[:plies])
    at = 10.0 + 8.0 * plies
    table.clock(at, 280, 290, "left", run=False)
    for number, (left, man, came) in enumerate(GOES_ON[plies % 2 :][:shown]):
        puts(table, at + 6.0 + 6 * number, left, man, came)
    table.ticks(at + 80.0)
    played_on = ["Nf3", "d6", "g3", "Nf6", "c3", "Nh5", "Nh4", "Nf6"][:shown] if played else []
    assert table.moves.split() == [*opening[:plies], *played_on]


def test_what_is_tried_while_the_clock_is_stopped_before_the_first_move_is_no_play() -> None:
    table = TableTalk.ready().clock(6.0, 294, 300, "left", run=False)
    for number, (left, man, came) in enumerate(TRIED[:2]):
        puts(table, 10.0 + 6 * number, left, man, came)
    table.ticks(40.0).shows(40.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").ticks(50.0)
    assert table.moves == ""
    table.clock(51.0, 294, 300, "left")
    table.plays(60.0, "d4", "d5")
    assert table.moves == "d4 d5"


def test_a_man_who_stood_long_and_is_taken_up_again_had_not_moved() -> None:
    """Nobody pressed; his player makes up his mind again."""
    table = puts(played(), 30.0, "f1", "white_bishop", "e2").ticks(60.0)
    table.sees(60.0, without="e2").sees(60.6, white_bishop="b5").clock(61.5, 240, 300, "right")
    table.ticks(63.0)
    assert table.moves == f"{RECORD} Bb5"
    assert reasons(table) == []


def test_what_stood_long_was_played_when_another_man_is_taken_up() -> None:
    table = puts(played(), 30.0, "f1", "white_bishop", "e2").ticks(60.0)
    table.sees(60.0, without="g8").ticks(60.1)
    assert table.moves == f"{RECORD} Be2"


def test_two_men_of_one_turn_are_not_read_otherwise_as_one_is_put_back() -> None:
    """The rook had lain across the edge before, and might have been on the other square."""
    board = Watched("2r3k1/p7/6p1/2p4p/2P4P/P5Q1/P4PK1/1R6 w - - 0 1")
    board.shows("b1").waits(0.2).shows("f1R").waits(0.2).shows("g1R").waits(1.3)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(0.3)
    board.shows("c8").waits(0.6).shows("f1 g1").waits(0.2).shows("f1R e8r").waits(0.6)
    board.shows("a7").waits(0.6).shows("a5p").waits(0.7)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(9.3)
    board.shows("a5").waits(0.8).shows("a7p").waits(0.6).shows("e8").waits(0.8)
    board.shows("c8r").waits(3.0)
    assert board.moves == "b1f1"


def test_a_victim_put_beside_may_be_taken_off_after_the_press_of_what_is_played_instead() -> None:
    start = "4k3/8/8/3p3p/8/3B4/8/3QK2R b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start))
    table.clock(0.6, 300, 300, "right")
    puts(table, 5.0, "e8", "black_king", "e7").clock(6.5, 300, 298, "left").ticks(8.0)
    puts(table, 10.0, "h1", "white_rook", "h2").clock(11.5, 296, 298, "right").ticks(13.0)
    puts(table, 15.0, "e7", "black_king", "f7").clock(16.5, 296, 295, "left").ticks(18.0)
    assert table.moves == "Ke7 Rh2 Kf7"
    puts(table, 20.0, "f7", "black_king", "e7")
    puts(table, 22.0, "h2", "white_rook", "h1").ticks(25.0)
    table.sees(25.0, without="d1").sees(25.4, without="h5").sees(25.6, black_pawn="g5")
    table.sees(25.8, white_queen="h5").clock(26.5, 290, 295, "right").sees(26.6, without="g5")
    table.ticks(28.0)
    assert table.moves == "Ke7 Qxh5"


FEW = "4k3/pppp4/5n2/8/8/8/PPPP2P1/4K2N w - - 0 1"


def test_what_was_unexplained_is_explained_once_the_first_move_is_taken_back() -> None:
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=FEW), clock=False)
    puts(table, 5.0, "g2", "white_pawn", "g3").ticks(12.0)
    table.sees(12.0, without="f6").sees(12.4, black_knight="f5").ticks(23.0)
    table.sees(23.0, without="f5").sees(23.4, black_knight="f6")
    table.sees(24.0, without="g3").sees(24.4, white_pawn="g2").ticks(40.0)
    raised = [line.split()[-2] for line in table.script if " alert " in line]
    cleared = [line.split()[-1] for line in table.script if " cleared " in line]
    assert table.moves == ""
    assert "ILLEGAL_MOVE" in raised
    assert "ILLEGAL_MOVE" in cleared


@pytest.mark.parametrize("other", [False, True])
def test_white_may_sit_at_the_other_side_once_the_first_move_is_taken_back(*, other: bool) -> None:
    table = TableTalk.ready(TableSetup(has_clock=False, sensing="occupancy"), clock=False)
    puts(table, 5.0, "e2", "white_pawn", "e4").ticks(12.0)
    puts(table, 12.0, "e4", "white_pawn", "e2").ticks(20.0)
    table.rotated = other
    for at, left, man, came in (
        (20.0, "d2", "white_pawn", "d4"),
        (26.0, "d7", "black_pawn", "d5"),
        (32.0, "c2", "white_pawn", "c4"),
    ):
        puts(table, at, left, man, came).ticks(at + 5.5)
    assert table.moves == "d4 d5 c4"
    assert not any("game 2" in line for line in table.script)


def test_plies_that_were_taken_back_are_not_read_as_moves_there_and_back_later() -> None:
    """Black takes his queen back, and White his. White's rook lies across the edge of b4 and a4."""
    fen = "7k/prq4p/1pn2prp/3pp3/8/1RPPP2N/1P3P1P/Q2K1B2 w - - 2 24"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 5362, 5349, "left")
    table.sees(12.3, without="d1").sees(12.4, white_king="c2").ticks(16.0)
    table.sees(16.6, without="c7", black_queen="c8")
    table.sees(26.4, white_queen="a2").sees(26.45, without="a1")
    for at in (28.5, 29.5, 30.5, 31.5, 32.5, 33.5):
        table.clock(at, 5361 - round(at - 28.5), 5349, "left")
        if at == 29.5:
            table.sees(29.7, without="a2")
    table.sees(33.6, white_queen="a1").sees(33.8, without="c8").clock(33.9, 5356, 5349, "right")
    table.sees(34.5, black_queen="c7").ticks(38.0)
    assert table.moves == "Kc2"
    table.sees(38.0, without="c6").sees(38.7, black_knight="d8").clock(39.0, 5356, 5349, "left")
    table.sees(46.2, without="b3").sees(46.3, white_rook="a4").clock(47.1, 5356, 5349, "right")
    table.sees(48.8, without="a4", white_rook="b4").ticks(60.0)
    assert table.moves == "Kc2 Nd8 Rb4"
