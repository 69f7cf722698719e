"""What the clock tells: whose press, for which ply, and whether there is a clock at all."""

import chess
import pytest

from bridge.core.model import (
    AlertRaised,
    BoardChanged,
    ClockUpdated,
    MovesCorrected,
    MoveTimed,
    StateExplained,
    TableSetup,
)
from drivers.events import Side
from tests.bridge.core.dialogue import TIMING, TableTalk

SCRAMBLE = "8/p5p1/3p2k1/3P1p2/1R5r/P7/1P3QKP/2q5 b - - 4 33"
"""Black takes on b4; both have half a minute left."""


def test_a_forgotten_press_and_a_late_one() -> None:
    """White forgets to press; Black replies; White's press comes for the first move."""
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").ticks(10.0).expects()
    table.sees(11.0, without="e7").sees(11.4, black_pawn="e5").ticks(11.4 + TIMING.glance)
    table.expects("1. e4 by reply")
    table.clock(12.0, 288, 300, "right").expects("1. has 288")
    table.ticks(20.0).expects()
    table.clock(20.5, 288, 292, "left").expects_soon("2. e5 by press", "2. has 292")


def test_a_press_that_was_never_made_is_estimated() -> None:
    """White never presses for his first move, his own next press is for the second."""
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4")
    table.clock(9.0, 292, 300, "left")
    table.sees(11.0, without="e7", black_pawn="e5").ticks(11.0 + TIMING.glance)
    table.expects("1. e4 by reply")
    table.clock(15.0, 286, 300, "left").expects("2. e5 by press", "2. has 300")
    table.sees(16.0, without="g1", white_knight="f3")
    table.clock(17.6, 284, 300, "right")
    table.expects_soon("3. Nf3 by press", "3. has 284", "1. has about 292")


def test_reports_a_second_late_in_a_time_scramble_go_to_their_own_plies() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4")
    table.sees(4.6, without="e7", black_pawn="e5").ticks(4.6 + TIMING.glance)
    table.expects("1. e4 by reply")
    table.sees(5.3, without="g1", white_knight="f3").ticks(5.3 + TIMING.glance)
    table.expects("2. e5 by reply")
    table.clock(5.4, 297, 300, "right").expects("1. has 297")
    table.clock(6.0, 297, 298, "left").expects("2. has 298")
    table.clock(6.7, 296, 298, "right").expects_soon("3. Nf3 by press", "3. has 296")


def test_both_presses_between_two_readings_are_estimated() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").sees(4.5, without="e7", black_pawn="e5")
    table.ticks(4.5 + TIMING.glance).expects("1. e4 by reply")
    table.clock(5.0, 297, 299, "left")
    table.expects("1. has about 297", "2. e5 by press", "2. has 299")


def test_a_paused_clock_lets_a_move_settle_by_rest() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").ticks(10.0)
    table.clock(10.0, 293, 300, "left", run=False).expects("1. e4 by rest")
    table.ticks(19.0).expects("alert CLOCK_STOPPED_BY_PLAYER")
    table.clock(20.0, 293, 300, "right").expects("cleared CLOCK_STOPPED_BY_PLAYER", "1. has 293")


def test_a_pause_between_moves_changes_nothing() -> None:
    table = TableTalk.ready()
    table.clock(3.0, 298, 300, None, run=False).clock(60.0, 298, 300, "left").expects()
    table.plays(61.0, "e4")
    table.expects("1. e4 by press", "1. has 300")


def test_a_clock_that_starts_against_the_opponent_confirms_the_move() -> None:
    table = TableTalk.ready(clock=False)
    table.clock(1.0, 300, 300, "left", run=False)
    table.sees(4.0, without="e2", white_pawn="e4").clock(4.5, 300, 300, "right")
    table.expects_soon("1. e4 by press", "1. has 300")


def test_a_clock_that_starts_for_the_mover_confirms_nothing() -> None:
    table = TableTalk.ready(clock=False)
    table.clock(1.0, 300, 300, "left", run=False)
    table.sees(3.9, without="e2", white_pawn="e4").clock(4.5, 300, 300, "left").expects()
    table.clock(5.0, 300, 300, "right").expects_soon("1. e4 by press", "1. has 300")


def test_a_reversed_clock_is_recognised() -> None:
    table = TableTalk.ready(clock=False)
    table.clock(1.0, 250, 200, "right")
    table.sees(4.0, without="e2", white_pawn="e4").clock(4.5, 250, 197, "left")
    table.expects_soon("1. e4 by press", "1. has 197")
    last = table.told(ClockUpdated)[-1]
    assert isinstance(last, ClockUpdated)
    assert (last.white_ms, last.black_ms, last.turn) == (197_000, 250_000, "black")


def test_a_reversed_clock_is_recognised_by_the_first_press_alone() -> None:
    """White's first man was in his hand already when the clock was heard of."""
    table = TableTalk.ready(clock=False)
    table.sees(1.0, without="e2").clock(1.5, 250, 200, "right")
    table.sees(4.0, white_pawn="e4").clock(4.5, 250, 197, "left")
    table.expects_soon("1. e4 by press", "1. has 197")


def test_who_starts_a_clock_that_stood_did_not_press_after_a_move() -> None:
    """Its lever lies as the last game left it, and White moves at once."""
    table = TableTalk.ready(clock=False)
    table.clock(1.0, 300, 300, "right", run=False).clock(4.0, 300, 300, "left")
    table.sees(4.3, without="e2", white_pawn="e4").clock(5.2, 299, 300, "right")
    table.expects_soon("1. e4 by press", "1. has 299")


@pytest.mark.parametrize("last_turn", ["left", "right"])
def test_a_clock_that_is_started_after_the_first_move_without_a_press_runs_for_its_mover(
    last_turn: Side,
) -> None:
    """It was set anew for the game, with White at the right; the jump is confirmed as it starts."""
    table = TableTalk.ready(clock=False)
    table.clock(1.0, 30, 40, last_turn, run=False).clock(2.0, 300, 300, "right", run=False)
    table.sees(4.0, without="e2", white_pawn="e4").clock(4.3, 300, 300, "right")
    table.clock(8.3, 300, 296, "right").ticks(9.2).expects()
    table.clock(9.3, 300, 295, "left").expects_soon("1. e4 by press", "1. has 295")


def test_a_clock_started_on_the_wrong_side_and_put_right() -> None:
    table = TableTalk.ready(clock=False)
    table.clock(1.0, 300, 250, "right").clock(4.0, 300, 247, "left").clock(6.0, 298, 247, "left")
    table.sees(8.0, without="e2", white_pawn="e4").clock(8.5, 296, 247, "right")
    table.expects_soon("1. e4 by press", "1. has 296")
    table.sees(12.0, without="e7", black_pawn="e5").clock(12.5, 296, 244, "left")
    table.expects_soon("2. e5 by press", "2. has 244")


@pytest.mark.parametrize(
    ("lifted", "pressed", "white_ms"),
    [(5.0, 6.0, 200_000), (4.7, 5.3, 200_000), (4.4, 6.0, 250_000)],
)
def test_a_clock_turned_before_the_first_man_is_taken_up_ran_for_the_wrong_player(
    lifted: float, pressed: float, white_ms: int
) -> None:
    """Less than 0.6 s before, it may have been pressed early, after a move that is yet to come."""
    table = TableTalk.ready(clock=False)
    table.clock(1.0, 250, 200, "left").clock(3.0, 250, 200, "left").clock(4.0, 250, 200, "right")
    table.sees(lifted, without="e2").sees(lifted + 0.3, white_pawn="e4")
    table.clock(pressed, 250, 200, "left").ticks(8.0)
    assert table.moves == "e4"
    last = table.told(ClockUpdated)[-1]
    assert isinstance(last, ClockUpdated)
    assert last.white_ms == white_ms


def test_black_may_be_the_first_to_move() -> None:
    fen = "b5nr/1p2kB1p/2p3p1/4p1q1/p1P5/N3RP2/P7/4K3 b KQkq - 0 22"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 250, "right")
    table.sees(4.0, without="e7").sees(4.2, black_king="f7").clock(5.0, 300, 246, "left")
    table.expects_soon("1. Kxf7 by press", "1. has 246")


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_configured_side_is_not_guessed(side: str) -> None:
    white_left = side == "left"
    setup = TableSetup(white_clock="left" if white_left else "right")
    table = TableTalk.ready(setup, clock=False)
    table.clock(1.0, 300, 250, "right" if white_left else "left")  # somebody tries the lever
    table.clock(3.0, 300, 250, "left" if white_left else "right")
    table.sees(4.0, without="e2", white_pawn="e4")
    table.clock(5.0, 300, 250, "right" if white_left else "left")
    table.expects_soon("1. e4 by press", f"1. has {300 if white_left else 250}")


def test_an_absent_clock_is_told_once_and_its_return_too() -> None:
    table = TableTalk.ready()
    table.no_clock(4.0).expects("alert CLOCK_DISCONNECTED")
    table.no_clock(5.0).expects()
    table.sees(6.0, without="e2", white_pawn="e4").ticks(6.0 + TIMING.rest)
    table.expects("1. e4 by rest")
    table.clock(10.0, 290, 300, "right").expects("cleared CLOCK_DISCONNECTED", "1. has 290")
    table.clock(11.0, 290, 299, "right").expects()


def test_a_table_without_a_clock_misses_none() -> None:
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.no_clock(4.0).expects()


def test_a_missing_clock_before_the_game_is_told() -> None:
    table = TableTalk()
    table.no_clock(0.5).expects("alert CLOCK_DISCONNECTED")


@pytest.mark.parametrize("fault", ["null", "invalid"])
def test_a_message_that_is_no_time_is_ignored(fault: str) -> None:
    table = TableTalk.ready()
    table.no_clock(4.0, fault).expects()
    table.plays(5.0, "e4")
    table.expects("1. e4 by press", "1. has 300")


def test_a_jump_upward_needs_a_second_reading() -> None:
    table = TableTalk.ready()
    table.clock(4.0, 9000, 300, "left").clock(5.0, 296, 300, "left").expects()
    times = [(f.white_ms // 1000) for f in table.told(ClockUpdated) if isinstance(f, ClockUpdated)]
    assert times == [296]
    table.clock(6.0, 1796, 300, "left").clock(7.0, 1795, 300, "left")
    times = [(f.white_ms // 1000) for f in table.told(ClockUpdated) if isinstance(f, ClockUpdated)]
    assert times == [296, 1796, 1795]


def test_two_different_jumps_confirm_nothing() -> None:
    table = TableTalk.ready()
    table.clock(4.0, 9000, 300, "left").clock(5.0, 5000, 300, "left").clock(6.0, 100, 300, "left")
    assert table.told(ClockUpdated) == []


def test_an_increment_of_a_new_period_at_the_press_is_believed_with_the_next_reading() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").clock(4.5, 2100, 300, "right").expects()
    table.clock(5.5, 2100, 299, "right").expects_soon("1. e4 by press", "1. has 2100")


def test_a_lever_tried_before_the_game_leaves_no_time_behind() -> None:
    """The first move is settled by the reply: the old press is not its press."""
    table = TableTalk(TableSetup(white_clock="left"))
    table.shows(0.0).clock(1.0, 200, 200, "left").clock(2.0, 199, 200, "right")
    table.clock(4.0, 300, 300, "left", run=False).clock(5.0, 300, 300, "left")
    table.clock(6.0, 299, 300, "left").expects("game 1 begins")
    table.sees(10.0, without="e2", white_pawn="e4").clock(12.0, 293, 300, "left")
    table.sees(13.0, without="e7", black_pawn="e5").ticks(13.0 + TIMING.glance)
    table.expects("1. e4 by reply")


def test_the_clock_before_any_game_says_nothing() -> None:
    table = TableTalk(board="8/8/8/8/8/8/8/8")
    table.shows(0.0).clock(1.0, 300, 300, "left").ticks(30.0).expects()
    told: list[type] = [BoardChanged, StateExplained]
    assert [type(fact) for fact in table.facts] == told


@pytest.mark.parametrize(("increment", "corrected"), [(3, 0), (0, 1)])
def test_where_presses_add_time_none_was_missed_for_a_man_knocked_over(
    increment: int, corrected: int
) -> None:
    """White forgets to press; what he has knocked over is no reply that was pressed as well.

    Where presses add nothing, both may have pressed between two readings.
    """
    table, more = TableTalk.ready(), increment
    table.clock(1.5, 299, 300, "left").sees(2.0, without="e2").sees(2.2, white_pawn="e4")
    table.clock(2.5, 298 + more, 300, "right").clock(3.5, 298 + more, 299, "right")
    table.sees(4.0, without="e7").sees(4.2, black_pawn="e5")
    table.clock(4.5, 298 + more, 298 + more, "left").ticks(5.0)
    table.sees(6.0, without="g1").sees(6.2, white_knight="f3")
    table.sees(6.4, without="h7", black_pawn="h6")
    for second in range(4):
        table.clock(6.5 + second, 296 + more - second, 298 + more, "left")
    table.sees(9.6, without="h6", black_pawn="h7").ticks(13.0)
    assert table.moves == "e4 e5 Nf3"
    assert len(table.told(MovesCorrected)) == corrected


def test_a_late_press_that_adds_time_is_no_later_plys_whatever_its_player_did_since() -> None:
    """Black's press for e5 is heard when White has moved and Black has knocked his knight over."""
    table = TableTalk.ready()
    table.clock(1.5, 299, 300, "left").sees(2.0, without="e2").sees(2.2, white_pawn="e4")
    table.clock(2.5, 301, 300, "right").clock(3.5, 301, 299, "right")
    table.sees(4.0, without="e7").sees(4.2, black_pawn="e5").clock(4.5, 301, 298, "right")
    table.sees(4.7, without="g1").sees(4.9, white_knight="f3").ticks(5.2)
    table.sees(5.3, without="g8", black_knight="g6")
    table.clock(6.0, 301, 300, "left").clock(7.0, 300, 300, "left").clock(8.0, 299, 300, "left")
    table.sees(8.5, without="g6", black_knight="g8").clock(9.0, 300, 300, "right").ticks(11.0)
    assert table.moves == "e4 e5 Nf3"
    assert not table.told(AlertRaised)
    timed = [fact for fact in table.told(MoveTimed) if isinstance(fact, MoveTimed)]
    assert [(fact.ply, fact.at) for fact in timed if fact.ply == 2] == [(2, 6.0)]


def test_of_presses_that_are_counted_together_each_is_that_of_its_own_ply() -> None:
    """White and Black press for e4 and e5 when White has moved again and knocked a pawn over."""
    table = TableTalk.ready()
    table.clock(1.5, 299, 300, "left").sees(2.0, without="d2").sees(2.2, white_pawn="d4")
    table.clock(2.5, 304, 300, "right").clock(3.5, 304, 299, "right")
    table.sees(4.0, without="d7").sees(4.2, black_pawn="d5").clock(4.5, 304, 304, "left")
    table.clock(5.5, 303, 304, "left").sees(6.0, without="e2").sees(6.2, white_pawn="e4")
    table.clock(6.5, 302, 304, "left").sees(7.0, without="e7").sees(7.2, black_pawn="e5")
    table.clock(7.5, 301, 304, "left").ticks(8.0).clock(8.5, 300, 304, "left")
    table.sees(8.6, without="g1").sees(8.9, white_knight="f3", without="h7").sees(
        9.1, black_pawn="g6"
    )
    table.clock(9.5, 309, 309, "right").clock(10.5, 309, 308, "right").ticks(12.5)
    table.sees(12.6, without="g6").sees(12.9, black_pawn="h7").ticks(14.0)
    assert table.moves == "d4 d5 e4 e5 Nf3"
    codes = [fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert codes == ["CLOCK_NOT_PRESSED"]


def test_a_clock_that_the_first_press_starts_runs_for_the_reply() -> None:
    """No lever was seen to turn, so it is taken to run for White until presses contradict that."""
    table = TableTalk.ready(clock=False)
    table.clock(0.4, 303, 303, "right", run=False).sees(0.8, without="c2", white_pawn="c3")
    table.sees(0.9, without="c3", white_pawn="c4")
    table.clock(2.4, 303, 303, "right").sees(3.0, without="g8").sees(3.6, black_knight="f6")
    for second in range(3, 10):
        table.clock(second + 0.4, 303, 305 - second, "right")
    table.clock(10.4, 303, 298, "left").sees(10.93, without="b1").clock(11.4, 302, 298, "left")
    table.sees(11.7, white_knight="c3").clock(12.4, 305, 297, "right").sees(12.7, without="e7")
    table.sees(13.1, black_pawn="e6").clock(13.4, 305, 296, "right").clock(14.4, 304, 299, "left")
    table.sees(14.93, without="e2", white_pawn="e4").clock(15.4, 303, 299, "left")
    table.clock(16.4, 306, 298, "right").sees(16.5, without="c7", black_pawn="c5")
    table.clock(17.4, 305, 301, "left").ticks(19.0)
    last = table.told(ClockUpdated)[-1]
    assert isinstance(last, ClockUpdated)
    assert (last.turn, table.moves) == ("white", "c4 Nf6 Nc3 e6 e4 c5")


def test_the_first_press_that_is_heard_tells_of_the_sides_also_later_in_the_game() -> None:
    """Three plies were made before the clock was heard of, which runs for Black at the left."""
    table = TableTalk.ready(clock=False)
    table.plays(1.0, "e4", "e5", "Nf3")
    table.clock(20.0, 250, 200, "left").clock(21.0, 249, 200, "left")
    table.sees(22.0, without="b8").sees(22.3, black_knight="c6").ticks(22.6)
    table.clock(23.0, 247, 200, "right").expects_soon(
        "1. e4 by rest", "2. e5 by rest", "3. Nf3 by rest", "4. Nc6 by press", "4. has 247"
    )


@pytest.mark.parametrize(("late", "apart"), [(0.7, 0.0), (0.7, 0.05), (0.3, 0.05)])
def test_a_board_that_tells_moves_late_does_not_exchange_the_players(
    late: float, apart: float
) -> None:
    """It is looked at once a second, so that presses are known before the moves they complete."""
    table = TableTalk.ready()
    played = ("e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "c3", "Nf6", "d4", "exd4")
    board = chess.Board()
    sides: list[Side] = ["right", "left"]
    for number, san in enumerate(played):
        at = 4.0 + 5 * number
        move = board.push_san(san)
        table.clock(at, 300 - number, 300 - number, sides[number % 2])
        table.sees(at + late, without=chess.square_name(move.from_square))
        table.shows(at + late + apart, board.board_fen()).ticks(at + 2)
    last = table.ticks(55.0).told(ClockUpdated)[-1]
    assert isinstance(last, ClockUpdated)
    assert (last.turn, table.moves) == ("white", " ".join(played))
    assert not table.told(StateExplained)


def test_two_presses_between_two_readings_are_those_of_two_plies_without_an_increment() -> None:
    """Queen and king go on at once in a scramble: no other queen's move explains it as well."""
    table = TableTalk.ready(TableSetup(start_fen=SCRAMBLE), clock=False)
    table.clock(1.1, 31, 32, "right").clock(2.1, 31, 32, "right")
    table.sees(2.54, without="h4").sees(2.94, black_rook="b4").clock(3.1, 31, 32, "right")
    table.clock(4.13, 30, 32, "left").sees(4.44, without="b4").sees(4.85, without="a3")
    table.sees(5.04, white_pawn="b4").sees(5.11, without="a7").sees(5.12, black_pawn="a6")
    table.clock(5.13, 29, 32, "left").sees(5.67, without="f2").sees(5.95, white_queen="d4")
    table.clock(6.13, 28, 32, "left").sees(6.49, without="c1").sees(6.67, black_queen="c2")
    table.sees(6.99, without="g2").sees(7.08, without="c2").clock(7.13, 28, 31, "left")
    table.sees(7.17, white_king="g3").sees(7.37, without="g3").sees(7.38, black_queen="e2")
    table.sees(7.57, white_king="h3").sees(8.09, without="e2").clock(8.13, 27, 31, "left")
    table.sees(8.17, black_queen="f3").clock(9.16, 27, 30, "left").clock(10.18, 26, 30, "left")
    table.ticks(10.6)
    assert table.moves == "Rxb4 axb4 a6 Qd4 Qc2+ Kg3 Qe2 Kh3 Qf3+"


def test_moves_are_recorded_that_are_pressed_for_though_a_flag_fell_and_the_clock_stands() -> None:
    table = TableTalk.ready()
    table.plays(10.0, "e4", "e5")
    table.clock(20.0, 0, 300, "left", run=False).ticks(25.0)
    table.sees(25.0, without="g1").sees(25.4, white_knight="f3")
    table.clock(26.0, 0, 300, "right", run=False).ticks(27.0)
    table.sees(28.0, without="b8").sees(28.4, black_knight="c6")
    table.clock(29.0, 0, 300, "left", run=False).ticks(30.0)
    assert table.moves == "e4 e5 Nf3 Nc6"


@pytest.mark.parametrize("turn", ["left", "right"])
def test_what_is_looked_at_after_a_flag_fell_is_no_play_though_one_player_pressed(
    turn: Side,
) -> None:
    table = TableTalk.ready()
    table.plays(10.0, "e4", "e5")
    table.clock(20.0, 0, 300, "left", run=False).clock(21.0, 0, 300, turn, run=False)
    for number, (left, man, came) in enumerate(
        (("g1", "white_knight", "f3"), ("b8", "black_knight", "c6"), ("f1", "white_bishop", "b5"))
    ):
        at = 25.0 + 3 * number
        table.sees(at, without=left).sees(at + 0.5, **{man: came}).clock(
            at + 2, 0, 300, turn, False
        )
    table.ticks(60.0)
    assert table.moves == "e4 e5"


def test_a_flag_of_the_last_game_lets_nobody_play_on_a_clock_that_stands() -> None:
    """It is set for the next game, and its lever turned before that begins."""
    table = TableTalk.ready()
    table.plays(10.0, "e4", "e5")
    table.clock(20.0, 0, 300, "left", run=False).orders(22.0, "0-1")
    table.clock(30.0, 300, 300, "left", run=False).clock(31.0, 300, 300, "right", run=False)
    table.clock(32.0, 300, 300, "left", run=False)
    table.shows(40.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").ticks(45.0)
    table.sees(50.0, without="e2").sees(50.5, white_pawn="e4").ticks(56.0)
    table.sees(56.0, without="e4").sees(56.5, white_pawn="e2").ticks(60.0)
    table.clock(61.0, 300, 300, "left").plays(70.0, "d4")
    assert table.moves.split()[-1] == "d4"


def test_play_goes_on_where_a_clock_tells_nothing_more_once_minutes_were_given() -> None:
    """White moved illegally: Black is given two minutes, and the clock is started and falls silent.

    The last of the plies that follow is mate.
    """
    table = TableTalk.ready()
    table.plays(4.0, "f3", "e5")
    table.clock(10.0, 290, 290, "left", run=False).clock(20.0, 290, 410, "left")
    table.sees(22.0, without="g2").sees(22.4, white_pawn="g4")
    table.sees(26.0, without="d8").sees(26.4, black_queen="h4").ticks(40.0)
    assert table.moves == "f3 e5 g4 Qh4#"
