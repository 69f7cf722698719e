"""Whose side of the clock is whose, when what was latched before the first move is wrong."""

import chess
import pytest

from bridge.core.model import ClockUpdated, MoveSettled, StateExplained, TableSetup
from drivers.events import Side
from tests.bridge.core.dialogue import TIMING, TableTalk

OTHER: dict[Side, Side] = {"left": "right", "right": "left"}
MOVES = ["e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4"]


def joined(setup: TableSetup | None = None) -> TableTalk:
    """A game joined after White's first move, with White's clock at the right, which is unusual."""
    table = TableTalk(setup)
    table.clock(0.5, 280, 300, "left")
    table.shows(1.0, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR").ticks(3.0)
    table.expects("game 1 begins")
    return table


def latched_wrong() -> TableTalk:
    """White's clock, at the right, is started by turning the lever just before his first move."""
    table = TableTalk()
    table.shows(0.0).clock(1.0, 300, 300, "left").clock(4.0, 297, 300, "right")
    table.sees(4.2, without="e2").sees(4.5, white_pawn="e4").clock(5.0, 297, 299, "left")
    return table.ticks(9.0)


def play(table: TableTalk, at: float, sans: list[str], turn: Side) -> float:
    """Make moves and press, *turn* being the side of who is to move first."""
    board = chess.Board()
    board.push_san("e4")
    for san in sans:
        move = board.parse_san(san)
        board.push(move)
        table.sees(at, without=chess.square_name(move.from_square))
        turn = OTHER[turn]
        table.shows(at + 0.3, board.board_fen()).clock(at + 1.0, 270, 290, turn)
        at += 5.0
    return at


def test_a_press_told_before_its_move_is_the_first_movers_whenever_the_next_one_comes() -> None:
    """The board is slower than the clock, and turned round besides: White sits at the right."""
    table = TableTalk(TableSetup(sensing="occupancy"))
    table.rotated = True
    table.shows(0.0).clock(1.0, 300, 300, "right").sees(4.0, without="e2")
    table.clock(4.2, 300, 299, "left").sees(4.4, white_pawn="e4").ticks(9.0)
    table.sees(10.0, without="c7").clock(10.2, 295, 299, "right").sees(10.4, black_pawn="c5")
    table.ticks(14.0)
    assert table.table.clock.white_side == "right"
    assert table.moves == "e4 c5"


def test_whoever_started_the_clock_by_a_first_move_from_the_other_seat_is_white() -> None:
    """His press is told before his man, whose square tells from which seat he moved."""
    table = TableTalk(TableSetup(sensing="occupancy"))
    table.rotated = True
    table.shows(0.0).clock(1.0, 900, 900, "right", run=False).sees(4.0, without="b1")
    table.clock(4.2, 899, 910, "left").sees(4.4, white_knight="a3").ticks(9.0)
    table.sees(10.0, without="c7").clock(10.2, 903, 910, "right").sees(10.4, black_pawn="c5")
    table.ticks(14.0)
    assert table.table.clock.white_side == "right"
    assert table.moves == "Na3 c5"


def test_presses_that_fit_only_the_other_player_exchange_the_sides() -> None:
    table = latched_wrong()
    play(table, 10.0, MOVES, "left")
    assert table.table.clock.white_side == "right"
    table.ticks(60.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Bb5 a6 Ba4"
    said = [f.text for f in table.told(StateExplained) if isinstance(f, StateExplained)]
    assert [text.partition(":")[0] for text in said] == [
        "White's time is the right one of the clock"
    ]
    last = table.told(ClockUpdated)[-1]
    assert isinstance(last, ClockUpdated)
    assert (last.white_ms, last.black_ms, last.turn) == (290_000, 270_000, "black")


def test_the_press_that_shows_it_is_the_movers() -> None:
    table = latched_wrong()
    play(table, 10.0, MOVES[:3], "left")
    table.ticks(30.0)
    assert table.moves.endswith("Nc6")
    assert "4. Nc6 by press" in "\n".join(table.script)


def test_a_single_press_that_contradicts_changes_nothing() -> None:
    table = latched_wrong()
    play(table, 10.0, MOVES[:1], "left")
    assert table.table.clock.white_side == "left"


def test_where_nothing_told_of_the_sides_the_first_press_does() -> None:
    table = joined()
    play(table, 5.0, MOVES[:1], "left")
    assert table.table.clock.white_side == "right"
    assert table.told(StateExplained) == []
    table.expects("1. e4 by reply", "2. e5 by press", "2. has 270")


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_configured_side_is_not_exchanged(side: Side) -> None:
    table = joined(TableSetup(white_clock=side))
    play(table, 5.0, MOVES, OTHER[side])
    assert table.table.clock.white_side == side


def test_presses_that_fit_leave_the_sides() -> None:
    table = joined()
    play(table, 5.0, MOVES, "right")
    assert table.table.clock.white_side == "left"
    assert table.told(StateExplained) == []


def test_presses_reported_late_in_a_scramble_contradict_nothing() -> None:
    """Each press is told when the reply stands already."""
    table = TableTalk.ready()
    board, at, turn = chess.Board(), 4.0, "left"
    sans = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "d3", "d6"]
    for number, san in enumerate(sans):
        move = board.parse_san(san)
        board.push(move)
        table.sees(at, without=chess.square_name(move.from_square)).shows(at, board.board_fen())
        if number:
            turn = "left" if turn == "right" else "right"
            table.clock(
                at + 0.5, 300 - number, 300 - number, "right" if turn == "right" else "left"
            )
        at += 0.9
    assert table.table.clock.white_side == "left"
    table.clock(at + 1.0, 280, 280, "left").ticks(at + 10.0)
    assert table.moves == " ".join(sans)


def test_forgotten_presses_that_are_made_up_for_contradict_nothing() -> None:
    """White forgets to press and does so when Black has moved: Black presses in time."""
    table = TableTalk.ready()
    board, at = chess.Board(), 4.0
    sans = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"]
    for number, san in enumerate(sans):
        move = board.parse_san(san)
        board.push(move)
        table.sees(at, without=chess.square_name(move.from_square)).shows(at, board.board_fen())
        if number % 2:
            table.clock(at + 2.0, 290, 300, "right").clock(at + 3.0, 290, 299, "left")
        at += 5.0
    table.ticks(at + TIMING.rest)
    assert table.table.clock.white_side == "left"
    assert table.moves == " ".join(sans)


@pytest.mark.parametrize("rests", [0.5, 1.5])
def test_who_starts_a_clock_that_stood_is_known_by_the_time_that_is_added(rests: float) -> None:
    table = TableTalk()
    table.shows(0.0).clock(1.0, 300, 300, None, run=False)
    table.sees(4.2, without="e2").sees(4.5, white_pawn="e4").clock(4.5 + rests, 300, 305, "left")
    table.sees(9.0, without="c7").sees(9.3, black_pawn="c6").clock(10.0, 295, 305, "left")
    table.clock(11.0, 294, 305, "left").sees(11.5, without="c6").sees(11.8, black_pawn="c5")
    table.clock(12.5, 298, 305, "right").ticks(14.0)
    assert table.table.clock.white_side == "right"
    assert table.moves == "e4 c5"
    settled = [fact.uci for fact in table.facts if isinstance(fact, MoveSettled)]
    assert settled == ["e2e4", "c7c5"], "none is taken back"


@pytest.mark.parametrize("shown", [(41, 12), (0, 0), (300, 12)])
def test_a_clock_that_is_set_and_started_between_two_readings_was_not_pressed(
    shown: tuple[int, int],
) -> None:
    table = TableTalk().shows(0.0).clock(1.0, *shown, None, run=False).clock(4.0, 300, 300, "left")
    table.sees(5.0, without="e2").sees(5.3, white_pawn="e4").clock(6.0, 297, 300, "right")
    table.sees(8.0, without="e7").sees(8.3, black_pawn="e5").clock(9.0, 297, 296, "left")
    assert table.ticks(10.0).table.clock.white_side == "left"
    settled = [(fact.san, fact.at) for fact in table.facts if isinstance(fact, MoveSettled)]
    assert settled == [("e4", 6.0), ("e5", 9.0)]


def test_a_clock_that_is_set_anew_on_the_other_side_was_not_pressed() -> None:
    """The last game ended on the other side; what jumps is doubted, and read with a press."""
    table = TableTalk().shows(0.0).clock(1.0, 66, 148, "left", run=False).ticks(10.0)
    table.clock(16.0, 300, 298, "right").sees(16.8, without="b1").sees(16.9, white_knight="c3")
    table.clock(17.6, 298, 301, "left").clock(19.2, 297, 301, "left").ticks(20.0)
    assert table.table.clock.white_side == "right"
    table.sees(20.5, without="c7").sees(20.9, black_pawn="c5").clock(21.2, 300, 301, "right")
    table.sees(21.5, without="a2").sees(21.6, white_pawn="a3").ticks(22.4)
    table.sees(22.5, without="a3").sees(22.6, white_pawn="a4").clock(23.5, 300, 301, "left")
    table.ticks(26.0)
    assert table.moves == "Nc3 c5 a4"
    settled = [fact.uci for fact in table.facts if isinstance(fact, MoveSettled)]
    assert settled == ["b1c3", "c7c5", "a2a4"], "none is taken back"


def test_a_first_move_is_known_though_slow_scans_show_its_man_on_both_squares_for_long() -> None:
    table = TableTalk(TableSetup(sensing="occupancy"))
    table.shows(0.0).clock(2.0, 300, 300, "left")
    table.sees(6.0, white_pawn="e4").sees(6.35, without="e2").ticks(7.4)
    table.sees(7.5, black_pawn="d6").sees(7.5, without="d7")
    table.clock(7.9, 300, 300, "right").clock(8.9, 300, 299, "left").ticks(14.0)
    assert table.moves == "e4 d6"


def test_who_stood_before_the_other_left_was_white_though_a_square_shows_wrong() -> None:
    """From this seat White's pawn goes after Black's had come to stand: that is no reply."""
    table = TableTalk(TableSetup(sensing="occupancy"))
    table.rotated = True
    table.sees(0.0, without="g2").ticks(5.0).clock(9.78, 59, 60, "left")
    table.sees(10.0, without="a2").sees(10.16, without="c8").sees(10.17, white_pawn="a3")
    table.sees(10.33, without="c7", black_pawn="c6").sees(10.5, black_bishop="c8")
    table.clock(10.8, 61, 60, "right").clock(11.5, 61, 61, "left").ticks(14.0)
    assert table.moves == "a3 c6"


@pytest.mark.parametrize(("rotated", "side"), [(False, "right"), (True, "left")])
def test_the_clock_stands_in_the_next_game_as_it_did_in_the_last_one(
    rotated: bool, side: Side
) -> None:
    """It is started late, when nothing tells for whom: White's first move was answered."""
    table = TableTalk().shows(0.0).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="e2").sees(4.3, white_pawn="e4").clock(5.0, 300, 296, "left")
    table.sees(8.0, without="e7").sees(8.3, black_pawn="e5").clock(9.0, 296, 296, "right")
    table.ticks(12.0).orders(13.0, "1/2-1/2").clock(14.0, 296, 295, "right", run=False)
    table.rotated = rotated
    table.shows(20.0, chess.STARTING_BOARD_FEN).clock(21.0, 300, 300, None, run=False).ticks(24.0)
    table.sees(25.0, without="d2").sees(25.3, white_pawn="d4").ticks(26.0)
    table.sees(26.2, without="g8").sees(26.6, black_knight="f6").ticks(28.0)
    table.clock(28.7, 300, 300, side).ticks(29.0)
    assert table.table.clock.white_side == side
    table.sees(29.5, without="g1").sees(30.0, white_knight="f3")
    table.clock(30.7, 299, 299, OTHER[side]).ticks(34.0)
    assert table.moves.endswith("d4 Nf6 Nf3")


@pytest.mark.parametrize(("turned", "white"), [(4.8, "left"), (3.0, "right")])
def test_who_turned_a_clock_that_stood_after_the_first_move_had_pressed_it(
    turned: float, white: Side
) -> None:
    """It is started only then; one that was turned before the first move runs for its player."""
    table = TableTalk().shows(0.0).clock(1.0, 300, 300, "left", run=False)
    if turned < 4.0:
        table.clock(turned, 300, 300, "right", run=False)
    table.sees(4.0, without="a2").sees(4.4, white_pawn="a3")
    if turned > 4.0:
        table.clock(turned, 300, 300, "right", run=False)
    table.clock(5.0, 300, 300, "right")
    assert table.table.clock.white_side == white


def test_a_clock_that_is_connected_after_the_first_move_was_turned_by_nobody() -> None:
    """It stands for White, and is started: the first reading tells of no press."""
    table = TableTalk().shows(0.0).sees(4.0, without="e2").sees(4.4, white_pawn="e4")
    table.clock(6.0, 60, 300, "left", run=False).clock(8.0, 60, 300, "left")
    assert table.table.clock.white_side == "left"


def test_a_clock_that_is_put_right_while_the_first_man_is_in_the_hand_was_not_pressed() -> None:
    table = TableTalk().shows(0.0).clock(1.0, 300, 300, "right", run=False)
    table.sees(4.0, without="e2").clock(4.2, 300, 300, "left", run=False)
    table.sees(4.6, white_pawn="e4").clock(6.0, 300, 300, "left").clock(7.0, 299, 300, "left")
    assert table.table.clock.white_side == "left"
