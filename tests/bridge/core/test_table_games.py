"""Where games begin and end, and what a lost link does to one."""

import gc
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NoReturn

import chess
import pytest

from bridge.core.inference import doubting
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    GameEnded,
    GameStarted,
    MoveSettled,
    MoveTimed,
    Result,
    Sensing,
    StateExplained,
    TableSetup,
)
from tests.bridge.core.dialogue import ORIENTATION, TIMING, TableTalk
from tests.bridge.core.test_table_senses import Occupancy, Session

ENDGAME = "8/8/4k3/8/8/2K5/8/7R w - - 0 1"


def test_the_array_begins_the_first_game_at_once() -> None:
    TableTalk().shows(0.0).expects("game 1 begins")


def test_men_are_being_set_up() -> None:
    table = TableTalk()
    table.sees(1.0, without="a1 h8").expects()
    table.sees(5.0, white_rook="a1").ticks(50.0).expects()
    table.sees(50.0, black_rook="h8").expects("game 1 begins")


def test_a_board_the_other_way_round() -> None:
    table = TableTalk()
    table.rotated = True
    table.shows(0.0).expects("game 1 begins rotated")
    table.clock(1.0, 300, 280, "right")
    table.sees(4.0, without="e2", white_pawn="e4").clock(4.5, 300, 277, "left")
    table.expects("1. e4 by press", "1. has 277")


def test_a_rotated_board_without_a_running_clock_has_white_on_the_right() -> None:
    table = TableTalk()
    table.rotated = True
    table.shows(0.0).clock(1.0, 300, 280, None, run=False).sees(4.0, without="e2", white_pawn="e4")
    table.ticks(8.0).clock(9.0, 300, 280, "left")
    table.expects("game 1 begins rotated", "1. e4 by rest", "1. has 280")


def of_the_seat(table: TableTalk) -> list[str]:
    """Return what the operator was told of the seat from which the board is read."""
    told = (fact for fact in table.facts if isinstance(fact, AlertRaised | AlertCleared))
    return [type(fact).__name__ for fact in told if fact.code == ORIENTATION]


def test_the_operator_is_told_once_of_a_board_the_other_way_round() -> None:
    table = TableTalk()
    table.rotated = True
    table.shows(0.0)
    alert = next(fact for fact in table.facts if isinstance(fact, AlertRaised))
    assert (alert.code, alert.severity, alert.visibility) == (ORIENTATION, "tech", "O")
    table.clock(1.0, 300, 300, "right", run=False).orders(2.0, "1-0").ticks(3.0)
    table.sees(4.0, without="e2").shows(5.0, chess.STARTING_BOARD_FEN).ticks(10.0)
    table.expects("game 1 begins rotated", "1-0 by arbiter", "game 2 begins rotated")
    assert of_the_seat(table) == ["AlertRaised"]
    table.rotated = False
    table.shows(11.0).ticks(15.0).expects("game 3 begins")
    assert of_the_seat(table) == ["AlertRaised", "AlertCleared"]


@pytest.mark.parametrize("rotated", [False, True])
def test_nobody_is_told_of_a_seat_that_is_configured(rotated: bool) -> None:
    table = TableTalk(TableSetup(orientation="rotated" if rotated else "normal"))
    table.rotated = rotated
    table.shows(0.0).ticks(2.0).expects(f"game 1 begins{' rotated' if rotated else ''}")
    assert of_the_seat(table) == []


@pytest.mark.parametrize("rotated", [False, True])
def test_the_seat_of_a_board_without_names_is_told_with_the_first_move(rotated: bool) -> None:
    board = Occupancy(rotated=rotated)
    session = Session(board)
    session.begin()
    assert not any(isinstance(fact, AlertRaised) for fact in session.facts)
    session.start_clock("right" if rotated else "left")
    session.move(chess.Board(), "e4")
    session.rest(5.0)
    told = [fact.code for fact in session.facts if isinstance(fact, AlertRaised)]
    assert told == [ORIENTATION] * rotated


def test_a_man_set_up_wrong_is_no_first_move_from_the_other_seat() -> None:
    """The pawn on c6 is put back on c7, and White begins at the near side.

    5.046 + 3.0 - 5.046 is less than 3.0.
    """
    table = TableTalk(TableSetup(has_clock=False, sensing="occupancy"))
    table.shows(0.0, "rnbqkbnr/pp1ppppp/2p5/8/8/8/PPPPPPPP/RNBQKBNR").ticks(4.0)
    table.sees(4.5, without="c6").sees(5.046, black_pawn="c7").ticks(20.0)
    table.sees(23.5, without="e2").sees(24.2, white_pawn="e4")
    table.sees(25.4, without="d7").sees(26.1, black_pawn="d5").sees(27.9, without="e4")
    table.sees(30.0, without="d8").sees(32.7, without="b1").sees(33.3, white_knight="c3")
    table.sees(35.0, without="d5").sees(35.7, black_queen="a5").ticks(45.0)
    assert table.moves == "e4 d5 exd5 Qxd5 Nc3 Qa5"
    assert of_the_seat(table) == ["AlertRaised", "AlertCleared"]


def test_moves_of_both_players_while_the_link_was_lost_tell_of_no_other_seat() -> None:
    """As 1.f4 Nf6 from this seat they are 1.Nc3 c5 from the other one."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.link(2.0, "lost").link(5.0, "live")
    table.shows(5.0, "rnbqkb1r/pppppppp/5n2/8/5P2/8/PPPPP1PP/RNBQKBNR").ticks(5.8)
    table.clock(6.0, 296, 298, "left").sees(8.0, without="b1").sees(8.3, white_knight="c3")
    table.clock(9.0, 293, 298, "right").ticks(11.0)
    assert table.moves == "f4 Nf6 Nc3"
    assert not of_the_seat(table)


SAME_FROM_BOTH_SEATS = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


@pytest.mark.parametrize("adjusted", [None, "e4", "d5"])
@pytest.mark.parametrize("rotated", [False, True])
def test_a_victim_taken_up_first_does_not_tell_from_which_seat_white_takes(
    *, rotated: bool, adjusted: str | None
) -> None:
    """The pawn that is gone alone may be White's who took from the other seat."""
    table = TableTalk(TableSetup(start_fen=SAME_FROM_BOTH_SEATS, sensing="occupancy"))
    table.rotated = rotated
    table.shows(0.0, SAME_FROM_BOTH_SEATS.split(maxsplit=1)[0]).ticks(4.0)
    if adjusted:
        table.sees(4.1, without=adjusted).sees(4.4, white_pawn=adjusted).ticks(9.0)
    sides: list[Literal["left", "right"]] = ["left", "right"]
    side, other = reversed(sides) if rotated else sides
    table.clock(9.5, 300, 300, side).sees(11.0, without="d5").ticks(12.0)
    table.sees(12.0, without="e4").sees(12.3, white_pawn="d5").ticks(12.7)
    table.clock(13.0, 298, 300, other).sees(14.0, without="d8").sees(14.5, without="d5")
    table.sees(14.9, black_queen="d5").ticks(15.5).clock(16.0, 298, 297, side).ticks(18.0)
    assert table.moves == "exd5 Qxd5"


def test_a_board_is_not_turned_while_the_first_move_stands_and_its_reply_comes_slowly() -> None:
    """Seen from the other seat, g7 to g5 is White's first move."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="e2").sees(4.1, white_pawn="e4").sees(4.5, black_pawn="g5")
    table.sees(5.2, without="g7").clock(6.0, 299, 300, "right").ticks(8.0)
    table.clock(9.0, 299, 298, "left").ticks(11.0)
    assert table.moves == "e4 g5"
    told = [fact.code for fact in table.facts if isinstance(fact, AlertRaised)]
    assert ORIENTATION not in told


@pytest.mark.parametrize("orientation", ["normal", "rotated"])
def test_a_configured_orientation_is_not_guessed(orientation: str) -> None:
    setup = TableSetup(orientation="normal" if orientation == "normal" else "rotated")
    table = TableTalk(setup)
    table.rotated = orientation != "rotated"
    table.shows(0.0).ticks(10.0).expects()
    table.rotated = not table.rotated
    table.shows(11.0)
    rotated = " rotated" if orientation == "rotated" else ""
    table.expects(f"game 1 begins{rotated}")


def test_a_board_turned_round_before_the_first_move_begins_anew() -> None:
    table = TableTalk.ready(clock=False)
    table.rotated = True
    table.shows(5.0).ticks(9.0).expects("game 2 begins rotated")


def test_the_set_up_may_come_after_the_men() -> None:
    table = TableTalk(board=ENDGAME)
    table.shows(0.0).ticks(5.0).expects()
    table.setup(6.0, TableSetup(start_fen=ENDGAME)).expects("game 1 begins")


@pytest.mark.parametrize("plies", [1, 2])
def test_joining_after_the_first_plies(plies: int) -> None:
    placement = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    if plies == 2:
        placement = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR"
    table = TableTalk()
    table.clock(0.5, 280, 300, "right" if plies == 1 else "left").shows(1.0, placement).expects()
    table.ticks(3.0)
    table.expects("game 1 begins", *(["1. e4 by gap"] if plies == 2 else []))
    if plies == 1:
        table.sees(4.0, without="c7", black_pawn="c5").ticks(4.0 + TIMING.glance)
        table.expects("1. e4 by reply")
    table.clock(5.0, 280, 296, "left")
    table.sees(7.0, without="g1", white_knight="f3").clock(7.5, 277, 296, "right")
    assert table.moves == "e4 c5 Nf3"
    timed = {f.ply: f.clk_ms // 1000 for f in table.told(MoveTimed) if isinstance(f, MoveTimed)}
    assert timed[3] == 277


def test_a_game_that_went_on_too_long_is_not_joined() -> None:
    table = TableTalk()
    table.shows(1.0, "rnbqkbnr/pp2pppp/3p4/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R").ticks(60.0).expects()


def test_a_game_joined_after_three_plies_says_what_it_cannot_know() -> None:
    table = TableTalk()
    table.shows(1.0, "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R").ticks(10.0)
    raised = [fact for fact in table.facts if isinstance(fact, AlertRaised)]
    assert [fact.code for fact in raised] == ["SCORESHEET_GAP"]
    assert "1. Nf3 c5 2. e4" in raised[0].text
    assert "1. e4 c5 2. Nf3" in raised[0].text
    moves = [fact.san for fact in table.facts if isinstance(fact, MoveSettled)]
    assert sorted(moves) == ["Nf3", "c5", "e4"]


# -- the result by kings -----------------------------------------------------------------------

CENTRE = {"light": ("e4", "d5"), "dark": ("d4", "e5")}
LIGHT, DARK = CENTRE["light"], CENTRE["dark"]
GESTURES: list[tuple[str, str, Result]] = [
    *((w, b, "1-0") for w, b in [LIGHT, LIGHT[::-1]]),
    *((w, b, "0-1") for w, b in [DARK, DARK[::-1]]),
    *((w, b, "1/2-1/2") for w in LIGHT for b in DARK),
    *((w, b, "1/2-1/2") for w in DARK for b in LIGHT),
]


@pytest.mark.parametrize("put_down", [True, False])
def test_kings_in_the_centre_show_nothing_while_other_men_are_moved(put_down: bool) -> None:
    """The game is looked at; a man who is only taken up is cleared away."""
    table = TableTalk.ready()
    table.plays(4.0, "d4", "d5", "c4", "dxc4")
    table.clock(19.0, 300, 300, "left", run=False)
    table.sees(25.0, without="d4 d5 e1 e8", white_king="d4").sees(26.0, black_king="d5")
    table.sees(28.0, without="b1")
    if put_down:
        table.sees(29.0, white_knight="c3")
    table.ticks(32.0)
    assert bool(table.told(GameEnded)) != put_down
    table.ticks(35.0)
    assert table.told(GameEnded)


@pytest.mark.parametrize(("white", "black", "result"), GESTURES)
@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("others", ["all", "some", "none"])
def test_the_kings_show_the_result(
    white: str, black: str, result: Result, clock: bool, others: str
) -> None:
    table = TableTalk.ready(clock=clock)
    table.plays(4.0, "e4", "e5", "Nf3")
    if clock:
        table.clock(19.0, 300, 300, "right", run=False)
    moves = table.moves
    gone = {"all": "e4 e5", "some": "e4 e5 f3 a1 b1 h8 d7", "none": "e4 e5"}[others]
    table.sees(25.0, without=f"{gone} e1 e8", white_king=white)
    if others == "none":
        rest = [f"{f}{r}" for f in "abcdefgh" for r in "1278"]
        table.sees(25.5, without=" ".join(rest))
    table.sees(26.0, black_king=black).ticks(30.9)
    assert table.told(GameEnded) == []
    table.ticks(31.0)
    ended = table.told(GameEnded)[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.result, ended.by) == (result, "kings")
    assert table.moves == moves == "e4 e5 Nf3"


@pytest.mark.parametrize("pressed", [True, False])
def test_a_move_that_was_pressed_for_counts_however_soon_the_kings_show_the_result(
    pressed: bool,
) -> None:
    """A link that told all of it late, and nothing is known to have stood for a while."""
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(20.0, without="g1", white_knight="f3")
    if pressed:
        table.clock(20.0, 300, 300, "right")
    table.clock(20.0, 300, 300, "right" if pressed else "left", run=False)
    table.sees(20.0, without="e1 e4", white_king="e4").sees(21.0, without="e8 e5")
    table.sees(21.5, black_king="e5").ticks(30.0)
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1/2-1/2"]
    assert table.moves == ("e4 e5 Nf3" if pressed else "e4 e5")


def test_kings_that_meet_for_a_moment_are_nothing() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.expects("1. e4 by press", "1. has 300")
    table.sees(20.0, without="e1 e8 e4").sees(21.0, white_king="e4", black_king="d5")
    table.ticks(25.9).sees(25.9, without="d5").ticks(60.0).expects()
    table.sees(61.0, without="e4", white_king="e1", black_king="e8", white_pawn="e4")
    table.plays(63.0, "e5")
    table.expects("2. e5 by press", "2. has 300")


def test_other_men_may_be_cleared_while_the_kings_stand() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e1 e8", white_king="e4", black_king="d5")
    for at, square in ((5.0, "a1"), (6.0, "b1"), (7.0, "c8"), (8.5, "d8")):
        table.sees(at, without=square)
    table.ticks(9.0).expects("1-0 by kings")


def test_kings_that_change_their_squares_begin_anew() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e1 e8", white_king="e4", black_king="d5")
    table.sees(7.0, without="d5", black_king="e5").ticks(11.9).expects()
    table.ticks(12.0).expects("1/2-1/2 by kings")


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("later", [TIMING.gesture, 0.5 + TIMING.rest + TIMING.gesture])
def test_a_legal_step_of_a_king_belongs_to_the_signal(clock: bool, later: float) -> None:
    """A step into the centre is waited for; one that was believed after all is taken back."""
    table = TableTalk.ready(TableSetup(start_fen="8/8/8/4k3/8/3K4/8/7R b - - 0 1"), clock=False)
    if clock:
        table.clock(1.0, 300, 300, "right")
    believed = not clock and later > TIMING.gesture
    table.sees(4.0, without="e5", black_king="d5").ticks(4.0 + later)
    table.expects(*(["1. Kd5 by rest"] if believed else []))
    table.sees(4.0 + later, without="d3", white_king="e4").ticks(4.0 + later + TIMING.gesture)
    table.expects(*(["withdrawn 1 from 1."] if believed else []), "1-0 by kings")
    assert table.moves == ""


def test_a_king_who_stood_in_the_centre_for_long_before_the_other_one_came_had_moved_there() -> (
    None
):
    table = TableTalk.ready(TableSetup(start_fen="8/8/8/4k3/8/3K4/8/7R b - - 0 1"), clock=False)
    table.sees(4.0, without="e5", black_king="d5").ticks(14.5)
    table.sees(14.5, without="d3", white_king="e4").ticks(30.0)
    table.expects("1. Kd5 by rest", "1-0 by kings")
    assert table.moves == "Kd5"


def test_a_king_who_goes_on_in_the_centre_for_the_signal_had_moved_there() -> None:
    """The other one is in a hand meanwhile, so that no move is shown any more."""
    table = TableTalk.ready(TableSetup(start_fen="8/8/4k3/6P1/5K2/8/8/8 b - - 0 1"), clock=False)
    table.sees(4.0, without="e6", black_king="d5").ticks(12.0)
    table.sees(12.0, without="f4").sees(12.7, without="f4 d5")
    table.sees(13.9, black_king="e5").sees(14.4, white_king="d4").ticks(30.0)
    table.expects("1. Kd5 by end", "0-1 by kings")
    assert table.moves == "Kd5"


def test_the_last_move_settles_before_the_signal() -> None:
    table = TableTalk.ready(TableSetup(start_fen=ENDGAME))
    table.sees(4.0, without="h1", white_rook="h8").ticks(6.0).expects()
    table.sees(6.0, without="e6", black_king="e5").ticks(6.0 + TIMING.carried)
    table.expects("1. Rh8 by reply")
    table.sees(7.0, without="c3", white_king="d4").ticks(20.0)
    table.expects("1. has about 300", "0-1 by kings")
    assert table.moves == "Rh8"


def test_the_last_move_settles_with_the_signal_when_no_reply_was_shown() -> None:
    table = TableTalk.ready(TableSetup(start_fen=ENDGAME))
    table.sees(4.0, without="h1", white_rook="h8").ticks(6.0).expects()
    table.sees(6.0, without="e6 c3", black_king="e5", white_king="d4").ticks(20.0)
    table.expects("1. Rh8 by end", "1. has about 300", "0-1 by kings")


def test_a_slide_that_a_signal_interrupts_is_no_move() -> None:
    table = TableTalk.ready(TableSetup(start_fen=ENDGAME))
    table.sees(4.0, without="h1", white_rook="h2").sees(4.2, without="h2", white_rook="h1")
    table.sees(5.0, without="h1", white_rook="h2")
    table.sees(5.3, without="e6 c3", black_king="e5", white_king="d4").ticks(20.0)
    table.expects("0-1 by kings")


# -- other ends --------------------------------------------------------------------------------


@pytest.mark.parametrize("pressed", [True, False])
def test_mate_ends_the_game(pressed: bool) -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "f3", "e5", "g4")
    table.facts.clear()
    table.sees(end + 1, without="d8", black_queen="h4").ticks(end + 1.5)
    assert table.moves == ""
    if pressed:
        table.clock(end + 1.5, 300, 299, "left")
    table.ticks(end + 5.0)
    assert table.moves == "Qh4#"
    last = table.told(GameEnded)
    assert [(f.result, f.by) for f in last if isinstance(f, GameEnded)] == [("0-1", "checkmate")]
    times = table.told(MoveTimed)[-1]
    assert isinstance(times, MoveTimed)
    assert (times.ply, times.estimated) == (4, not pressed)


def test_stalemate_ends_the_game() -> None:
    table = TableTalk.ready(TableSetup(start_fen="7k/8/8/5Q2/8/8/8/K7 w - - 0 1"))
    table.sees(4.0, without="f5", white_queen="g6").ticks(6.9).expects()
    table.ticks(7.0).expects("1. Qg6 by end", "1. has about 300", "1/2-1/2 by stalemate")


@pytest.mark.parametrize("how", ["order", "piece"])
def test_a_result_is_entered_or_set_down(how: str) -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.expects("1. e4 by press", "1. has 300")
    table.sees(20.0, without="e7", black_pawn="e5").ticks(20.5)
    if how == "order":
        table.sees(21.0, without="g1").orders(22.0, "0-1")
    else:
        table.result_piece(22.0, "0-1")
    by = "arbiter" if how == "order" else "piece"
    table.expects("2. e5 by end", "2. has about 300", f"0-1 by {by}")
    table.orders(23.0, "1-0").result_piece(24.0, "1-0").expects("alert RESULT_CONFLICT")


def test_a_move_that_did_not_stand_is_not_counted_at_the_end() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").orders(4.5, "1-0").expects("1-0 by arbiter")


def test_a_move_that_was_taken_back_is_not_counted_at_the_end() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").sees(8.0, without="a2 e4", white_pawn="e2")
    table.orders(9.0, "1-0").expects("1-0 by arbiter")


def test_a_move_in_the_air_at_the_end_is_not_counted() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2").orders(8.0, "1-0").expects("1-0 by arbiter")


def test_an_order_that_finds_a_mate_on_the_board_ends_with_the_mate() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "f3", "e5", "g4")
    table.facts.clear()
    table.sees(end + 1, without="d8", black_queen="h4").orders(end + 2, "1-0")
    ended = [(f.result, f.by) for f in table.told(GameEnded) if isinstance(f, GameEnded)]
    assert ended == [("0-1", "checkmate")]


@contextmanager
def no_garbage_is_collected() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def test_nothing_is_left_of_a_game_when_another_one_is_begun() -> None:
    """In a hall the collector looks seldom: what waited for it was 2 KB a ply."""
    with no_garbage_is_collected():
        table = TableTalk.ready()
        table.plays(4.0, "e4", "e5")
        table.link(10.0, "lost").link(70.0, "live")
        table.shows(70.0, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").ticks(72.0)
        table.sees(73.0, without="f1", white_bishop="f6").clock(74.0, 280, 290, "right").ticks(80.0)
        engine = table.table.engine
        assert engine is not None
        left = weakref.ref(engine)
        del engine
        table.orders(90.0, "1-0").shows(100.0, chess.STARTING_BOARD_FEN).ticks(120.0)
        assert table.table.game == 2
        assert left() is None


def test_analysis_after_the_end_is_ignored_until_the_array_is_held() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.orders(10.0, "1-0").expects("1. e4 by press", "1. has 300", "1-0 by arbiter")
    table.sees(11.0, without="e7", black_pawn="e5").ticks(20.0)
    table.clock(21.0, 290, 290, "right").clock(25.0, 290, 280, "left", run=False).expects()
    table.sees(30.0, without="e5 e4", black_pawn="e7", white_pawn="e2")
    table.ticks(30.9).sees(30.9, without="g1").ticks(40.0).expects()
    table.sees(41.0, white_knight="g1").ticks(41.99).expects()
    table.ticks(42.0).expects("game 2 begins")
    table.clock(45.0, 290, 290, "left").plays(50.0, "d4", clock=290)
    table.expects("1. d4 by press", "1. has 290")


def test_what_is_done_after_the_clock_was_stopped_is_no_move() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.clock(10.0, 300, 300, "right", run=False)
    table.sees(11.0, without="e7", black_pawn="e5").ticks(13.0)
    table.orders(13.5, "1-0").expects("1. e4 by press", "1. has 300", "1-0 by arbiter")


def test_the_array_in_the_middle_of_a_game_abandons_it() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "e4", "e5")
    table.facts.clear()
    table.sees(20.0, without="e4 e5", white_pawn="e2", black_pawn="e7").ticks(22.9)
    assert end < 20.0
    assert table.told(GameEnded) == []
    table.ticks(23.0)
    ended, started = table.told(GameEnded)[0], table.told(GameStarted)[0]
    assert isinstance(ended, GameEnded)
    assert (ended.result, ended.by, ended.game) == ("*", "abandoned", 1)
    assert started.game == 2


OPENING = ["d4", "d5", "c4", "e6", "Nc3", "Nf6", "Nf3", "Be7", "Bg5", "O-O", "e3", "h6"]


@pytest.mark.parametrize(
    ("shown", "another"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPR/RNBQKBNR", True),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR", True),
        ("rnbqkbnr/2pppppp/8/8/8/8/PPPPPPPR/RNBQKBNR", False),
    ],
)
def test_the_array_with_a_misread_man_abandons_a_game_that_is_far_from_it(
    shown: str, another: bool
) -> None:
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.shows(200.0, shown).ticks(210.0)
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == another


@pytest.mark.parametrize(
    ("shown", "another"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR", True),
        ("rnbqkbnr/2pppppp/8/8/8/8/PPPPPPPP/R1BQKBNR", False),
    ],
)
def test_the_array_that_the_clock_is_started_for_abandons_a_game_at_once(
    shown: str, another: bool
) -> None:
    """One man is not seen; the position need not stand still, it has been set up."""
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.clock(190.0, 290, 280, "left", run=False)
    table.shows(200.0, shown).clock(200.4, 300, 300, "left").ticks(201.0)
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == another


@pytest.mark.parametrize("runs", [True, False])
def test_the_array_with_a_misread_man_begins_a_game_sooner_while_the_clock_runs(runs: bool) -> None:
    """The next game was put up, and its clock started, while the link was lost."""
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.link(190.0, "lost").link(199.9, "live").shows(
        200.0, "rnbqkbrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    )
    table.clock(200.2, 60, 60, "left", run=runs).clock(200.8, 60, 60, "left", run=runs)
    table.sees(201.6, without="d2").sees(201.9, white_pawn="d4")
    table.clock(202.2, 59, 60, "right", run=runs).ticks(203.0)
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == runs


@pytest.mark.parametrize(("black", "begins"), [(600, True), (590, False)])
def test_the_array_with_a_misread_man_is_put_up_if_the_clock_is_set(
    black: int, begins: bool
) -> None:
    """It shows the same time for both: nobody puts men up any more."""
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.clock(99.0, 290, 280, "left", run=False).orders(100.0, "1/2-1/2")
    table.clock(101.0, 600, black, "left", run=False).clock(102.0, 600, black, "left", run=False)
    table.shows(200.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPpPPPP/RNBQKBNR").ticks(204.0)
    table.sees(204.0, without="e2").sees(204.5, white_pawn="e4").ticks(208.0)
    table.sees(208.0, without="e7").sees(208.5, black_pawn="e6").ticks(212.0)
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == begins


SPARE_QUEEN = "rnbqkbnr/pppppppp/8/6q1/8/8/PPPPPPPP/RNBQKBNR"
EXCHANGED = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR"


@pytest.mark.parametrize("shown", [SPARE_QUEEN, EXCHANGED])
@pytest.mark.parametrize("runs", [False, True])
def test_men_put_up_with_a_fault_abandon_a_game_whose_clock_stands(shown: str, runs: bool) -> None:
    """Its result was never told; the arbiter is told of the fault before the next one begins."""
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.clock(190.0, 290, 280, "left", run=runs)
    table.shows(200.0, shown).ticks(220.0)
    ended = [fact.by for fact in table.told(GameEnded) if isinstance(fact, GameEnded)]
    assert ended == ([] if runs else ["abandoned"])
    wrong = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert ("WRONG_SETUP" in [fact.code for fact in wrong]) != runs


def test_the_next_game_is_followed_though_a_spare_queen_stands_on_the_board() -> None:
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.clock(190.0, 290, 280, "left", run=False)
    table.shows(200.0, SPARE_QUEEN).ticks(206.0)
    table.clock(207.0, 300, 300, "left", run=False).clock(210.0, 300, 300, "left")
    table.sees(212.0, without="e2", white_pawn="e4").clock(212.5, 299, 300, "right").ticks(214.0)
    table.sees(215.0, without="d7", black_pawn="d5").clock(215.5, 299, 299, "left").ticks(217.0)
    second = [f for f in table.told(MoveSettled) if isinstance(f, MoveSettled) and f.game == 2]
    assert [fact.san for fact in second] == ["e4", "d5"]


@pytest.mark.parametrize(("stood", "another"), [(0.9, False), (1.2, True)])
def test_the_next_game_may_begin_as_soon_as_the_men_stand(stood: float, another: bool) -> None:
    table = TableTalk.ready()
    table.plays(4.0, *OPENING)
    table.shows(200.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").sees(
        200.0 + stood, without="e2"
    )
    assert any(fact.game == 2 for fact in table.told(GameStarted)) == another


def test_a_game_in_which_nobody_has_moved_is_not_ended_by_a_set_up_with_a_fault() -> None:
    """Another position of the 960 is drawn and put up, king and queen exchanged at first."""
    table = TableTalk.ready(TableSetup(chess960=True))
    table.clock(1.0, 300, 300, "left", run=False)
    table.shows(10.0, "nrqkbbrn/pppppppp/8/8/8/8/PPPPPPPP/NRKQBBRN").ticks(30.0)
    assert not table.told(GameEnded)


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_the_next_game_without_a_clock_begins_soon_after_a_set_up_with_a_fault(
    sensing: Sensing,
) -> None:
    table = TableTalk.ready(TableSetup(sensing=sensing, has_clock=False), clock=False)
    at = table.plays(4.0, *OPENING) + 20.0
    table.shows(at, SPARE_QUEEN).ticks(at + 4.0)
    table.sees(at + 6.0, without="e2", white_pawn="e4").ticks(at + 20.0)
    second = [f for f in table.told(MoveSettled) if isinstance(f, MoveSettled) and f.game == 2]
    assert [fact.san for fact in second] == ["e4"]


def test_the_next_game_has_an_increment_of_its_own() -> None:
    """A reading shows two presses of 10 s, not four of the 5 s of the game before."""
    table = TableTalk.ready()
    table.sees(0.8, without="e2").sees(1.0, white_pawn="e4").clock(1.4, 305, 300, "right")
    table.sees(1.6, without="e7").sees(1.8, black_pawn="e5").clock(2.4, 305, 304, "left")
    table.orders(10.0, "1/2-1/2").clock(11.0, 600, 600, "left", run=False)
    table.shows(20.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").ticks(22.0)
    table.clock(30.0, 600, 600, "left")
    table.sees(30.2, without="d2").sees(30.4, white_pawn="d3")
    table.sees(30.6, without="f7").sees(30.8, black_pawn="f5").clock(31.0, 609, 609, "left")
    table.ticks(31.4).sees(31.6, without="a2").sees(32.0, white_pawn="b3").ticks(34.0)
    assert not [f for f in table.told(AlertRaised) if isinstance(f, AlertRaised) and f.illegal]


def test_a_board_that_is_disturbed_in_the_opening_begins_no_other_game() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(20.0, without="e4 e5 h2", white_pawn="e2", black_pawn="e7").ticks(40.0)
    assert all(fact.game == 1 for fact in table.told(GameStarted))


# -- the link ----------------------------------------------------------------------------------


def test_an_opening_that_is_looked_at_after_the_end_begins_no_other_game() -> None:
    """The clock runs on, and the result is entered later: it is that of the game played."""
    table = TableTalk.ready()
    line = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5"
    at = table.plays(4.0, *line.split())
    boards = [chess.Board()]
    for san in line.split():
        boards.append(boards[-1].copy())
        boards[-1].push_san(san)
    for board in boards[-2:2:-1]:
        at += 0.5
        table.shows(at, board.board_fen())
    table.clock(at + 1.2, 250, 300, "left").ticks(at + 4.0).orders(at + 9.0, "1-0")
    assert not table.told(GameStarted)
    assert [fact.game for fact in table.told(GameEnded)] == [1]


@pytest.mark.parametrize("runs_before_it_is_back", [True, False])
def test_the_next_game_is_found_though_it_began_while_the_link_was_lost(
    runs_before_it_is_back: bool,
) -> None:
    """Nothing told that the last one was over, and the array stood for a moment only."""
    table = TableTalk.ready()
    at = table.plays(4.0, "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "Bg4")
    table.clock(at + 2.0, 290, 290, "left", run=False).shows(at + 10.0, "8/8/8/8/8/8/8/8")
    table.shows(at + 40.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").link(at + 40.4, "lost")
    if runs_before_it_is_back:
        table.clock(at + 44.0, 600, 600, "left")
    table.link(at + 50.0, "live")
    table.shows(at + 50.0, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR")
    table.clock(at + 50.4, 595, 596, "left").clock(at + 51.4, 594, 596, "left").ticks(at + 53.0)
    table.sees(at + 54.0, without="g1").sees(at + 54.4, white_knight="f3")
    table.clock(at + 55.4, 591, 596, "right").ticks(at + 60.0)
    assert [fact.game for fact in table.told(GameStarted)] == [2]
    assert table.moves.endswith("dxc6 O-O Bg4 e4 c5 Nf3")


def test_two_plies_are_missed_while_the_link_is_lost() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.expects("1. e4 by press", "1. has 300", "2. e5 by press", "2. has 300")
    table.link(10.0, "lost").expects("link lost", "alert BOARD_DISCONNECTED")
    table.link(11.0, "lost").expects("link lost")
    table.link(70.0, "live").expects("link live", "cleared BOARD_DISCONNECTED")
    table.shows(70.0, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").expects()
    table.ticks(70.6).expects("3. Nf3 by gap", "alert SCORESHEET_GAP")
    table.clock(72.0, 290, 280, "left")  # both were pressed since the last reading
    table.expects("4. Nc6 by press", "4. has 280", "3. has about 290")
    table.plays(80.0, "Bb5", clock=280)
    table.expects("5. Bb5 by press", "5. has 280")


def test_three_plies_are_missed_while_the_link_is_lost() -> None:
    table = TableTalk.ready()
    table.link(10.0, "lost").link(70.0, "live")
    table.shows(70.0, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").ticks(71.0)
    assert table.moves == ""  # the clock will tell more
    table.clock(71.2, 280, 275, "right").ticks(71.3)
    assert table.moves in ("e4 e5 Nf3", "Nf3 e5 e4")  # nothing tells which came first


def test_a_move_that_stood_before_the_link_was_lost_is_part_of_the_line() -> None:
    """Qe6, Ng5, Qe7 and Qe7, Ng5 look the same in the end: what stood decides."""
    fen = "4k3/8/3q4/8/8/5N2/8/K7 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without="d6", black_queen="e6").ticks(8.0)
    table.link(8.0, "lost").link(30.0, "live").shows(30.0, "4k3/4q3/8/6N1/8/8/8/K7").ticks(40.0)
    assert table.moves == "Qe6 Ng5"


def test_what_is_unexplained_after_the_link_came_back_waits_for_agreement() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    board = table.cells
    table.link(10.0, "lost").link(20.0, "live").shows(20.0, "8/8/8/8/8/8/8/8").ticks(30.0)
    table.cells = board
    table.shows(31.0)
    table.plays(32.0, "Nf3")
    assert table.moves == "e4 e5 Nf3"


def test_the_link_is_lost_between_games() -> None:
    table = TableTalk()
    table.link(1.0, "lost").expects("link lost")
    table.link(2.0, "stale").link(3.0, "live").expects(
        "link stale", "alert SNAPSHOT_STALE", "link live", "cleared SNAPSHOT_STALE"
    )
    table.shows(3.0).expects("game 1 begins")


def test_a_lost_link_outlives_the_end_of_the_game() -> None:
    table = TableTalk.ready()
    table.link(4.0, "lost").orders(5.0, "1/2-1/2")
    table.expects("link lost", "alert BOARD_DISCONNECTED", "1/2-1/2 by arbiter")
    table.link(9.0, "live").expects("link live", "cleared BOARD_DISCONNECTED")


def test_men_that_are_cleared_away_are_not_gone_through_for_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hundreds of boards are cleared at the same time, mostly before anybody told the results."""

    def begins(*given: object) -> NoReturn:
        pytest.fail(f"what was shown is gone through at {given[2]}")

    monkeypatch.setattr(doubting, "Retracing", begins)
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.shows(20.0, "4k3/8/8/8/8/8/8/4K3")
    men = [square for square in chess.SQUARE_NAMES if square[1] in "3456"]
    for number in range(len(men)):
        table.sees(21.0 + number, white_pawn=" ".join(men[: number + 1]))


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("away", ["", "h1"])
def test_white_is_who_moved_first_also_where_the_reply_had_begun_by_then(
    rotated: bool, away: str
) -> None:
    """A board without names: both men are in the air together, and White's is put down first."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.rotated = rotated
    if away:
        table.sees(2.0, without=away)
    table.sees(4.0, without="e2 c7").sees(4.3, white_pawn="e4").sees(4.6, black_pawn="c5")
    table.clock(5.5, 299, 300, "right").clock(6.5, 299, 299, "left").ticks(9.0)
    assert table.moves == "e4 c5"
    assert table.table.rotated is rotated


def test_a_man_who_is_away_for_a_moment_does_not_turn_a_board_with_a_dead_square() -> None:
    table = TableTalk(TableSetup(sensing="occupancy"))
    table.shows(0.0, "rnbqkbnr/pppppp1p/8/8/8/8/PPPPPPPP/RNBQKBNR").ticks(2.0)
    table.clock(3.0, 300, 300, "left").ticks(4.0)
    table.sees(5.0, without="a7").sees(5.2, black_pawn="a7")
    table.sees(8.0, without="e2").sees(8.4, white_pawn="e4").clock(9.0, 299, 300, "right")
    table.ticks(12.0)
    assert table.moves == "e4"
    assert not table.table.rotated


def test_a_board_on_which_white_was_seen_to_begin_is_not_turned_by_a_man_in_the_air() -> None:
    """Without a clock nothing is settled yet when the pawn of the first move goes on."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="e2").sees(4.2, white_pawn="e4")
    table.sees(4.5, without="a7").sees(4.8, black_pawn="a6").sees(5.1, without="e4")
    table.sees(5.4, white_pawn="e5").sees(5.7, without="h7").sees(6.0, black_pawn="h6").ticks(12.0)
    assert table.moves == "e4 a6 e5"
    assert not table.table.rotated


def test_men_who_come_within_one_scan_tell_no_seat() -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="d2").sees(4.2, without="g8")
    table.sees(4.5, black_knight="f6", white_pawn="d4").ticks(5.0)
    table.clock(5.5, 299, 300, "right").clock(6.5, 299, 299, "left").ticks(9.0)
    assert table.moves == "d4 Nf6"
    assert not table.table.rotated


def test_a_reply_told_before_the_first_man_is_put_down_turns_no_board_round() -> None:
    """From the other seat, e7 to e6 is White's first move, made while e2 was in a hand."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="e2").sees(4.47, without="e7").sees(4.48, black_pawn="e6")
    table.sees(4.53, white_pawn="e4").sees(4.8, black_pawn="e5").sees(4.86, without="e6")
    table.clock(5.3, 299, 300, "right").clock(5.4, 299, 299, "left").ticks(7.0)
    table.sees(8.0, without="g1").sees(8.3, white_knight="f3").clock(9.0, 297, 299, "right")
    table.ticks(10.0)
    assert table.moves == "e4 e5 Nf3"
    assert not table.table.rotated


@pytest.mark.parametrize("begins", [True, False])
def test_a_first_move_that_is_put_back_leaves_the_seat_open(*, begins: bool) -> None:
    """Black slips, or adjusts a man, before White moves; or White hesitates at the other seat."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="d7").sees(4.3, black_pawn="d5").ticks(5.3)
    table.sees(5.4, without="d5").sees(5.8, black_pawn="d7").ticks(7.0)
    one, other = ("e2", "e4"), ("e7", "e5")
    if not begins:
        one, other = other, one
    table.sees(8.0, without=one[0]).sees(8.4, white_pawn=one[1]).clock(9.0, 296, 300, "right")
    table.sees(11.0, without=other[0]).sees(11.4, white_pawn=other[1])
    table.clock(12.0, 296, 298, "left").ticks(15.0)
    assert table.moves == ("e4 e5" if begins else "d4 d5")
    assert table.table.rotated != begins


def test_who_is_put_back_after_a_first_move_from_the_other_seat_was_none() -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="e2").sees(4.5, without="d7").sees(4.8, black_pawn="d5")
    table.sees(5.1, white_pawn="e2").clock(5.5, 299, 300, "right").ticks(7.0)
    assert table.moves == "e4"
    assert table.table.rotated


def test_both_first_moves_told_in_one_scan_the_reply_first_turn_no_board_round() -> None:
    """The reply alone would be White's first move from the other seat."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    for at, change in ((4.0, "c7"), (4.005, "c5x"), (4.01, "e4x"), (4.012, "e2")):
        men = {"without": change} if len(change) == len("c7") else {"white_pawn": change[:2]}
        table.sees(at, **men)
    table.clock(5.0, 299, 300, "right").clock(6.0, 299, 299, "left").ticks(9.0)
    assert table.moves == "e4 c5"
    assert not table.table.rotated


def test_of_first_moves_told_in_one_look_that_is_whites_whose_man_left_long_before() -> None:
    """From this seat the reply would have begun a second before the move."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="d7").sees(5.0, without="b2", white_pawn="b3 d5").ticks(6.0)
    table.clock(7.0, 299, 300, "right").clock(8.0, 299, 299, "left").ticks(9.0)
    assert table.moves == "e4 g6"
    assert table.table.rotated


@pytest.mark.parametrize(("left", "came", "whole"), [("g8", "f6", True), ("b1", "c3", False)])
def test_first_moves_told_in_one_look_leave_the_seat_to_the_third(
    left: str, came: str, whole: bool
) -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="f7").sees(4.005, white_pawn="f5 d3").sees(4.01, without="d2")
    table.clock(5.0, 299, 300, "right").clock(6.0, 299, 299, "left").ticks(9.0)
    assert table.moves == "d3 f5"
    table.sees(10.0, without=left).sees(10.4, white_knight=came).clock(11.0, 295, 299, "right")
    table.ticks(14.0)
    assert table.moves == ("c4 e6 Nc3" if whole else "d3 f5 Nc3")
    assert table.table.rotated == whole
    assert not [fact for fact in table.told(AlertRaised) if getattr(fact, "illegal", False)]


def test_a_first_man_who_is_told_late_leaves_the_seat_to_who_pressed_after_him() -> None:
    """1.Na3 d5 looks like 1.e4 from the other seat until the knight is told."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="b1").clock(5.0, 297, 300, "right")
    table.sees(5.7, without="d7").sees(5.8, black_pawn="d6").sees(6.0, without="d6")
    table.sees(6.1, black_pawn="d5").clock(6.9, 297, 298, "left").sees(7.0, white_knight="a3")
    table.clock(8.0, 296, 298, "left").ticks(10.0)
    assert table.moves == "Na3 d5"
    assert not table.table.rotated


@pytest.mark.parametrize(("shown", "guessed"), [("g6", "g5"), ("g5", "g6")])
def test_a_square_that_showed_a_man_in_the_last_game_is_not_dead(shown: str, guessed: str) -> None:
    table = TableTalk.ready()
    table.plays(2.0, "e4", shown)
    table.orders(6.0, "1-0").ticks(8.0)
    table.shows(9.0, chess.STARTING_BOARD_FEN).clock(9.5, 300, 300, "left").ticks(15.0)
    table.plays(16.0, "e4")
    table.sees(20.0, without="g7").clock(21.0, 300, 298, "left").ticks(80.0)
    assert table.moves.split()[-2:] == ["e4", guessed]


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_without_a_clock_a_king_may_show_the_result_where_the_last_man_came_from(
    sensing: Sensing,
) -> None:
    """The move before had stood, though not for long."""
    start = "6k1/8/8/3q4/8/8/8/6K1 b - - 0 1"
    setup = TableSetup(has_clock=False, start_fen=start, sensing=sensing)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="d5").sees(4.3, black_queen="a5").ticks(6.5)
    table.sees(6.6, without="g1").sees(7.3, white_king="d5").ticks(9.5)
    table.sees(9.6, without="g8").sees(10.3, black_king="e4").ticks(20.0)
    assert table.moves == "Qa5"
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1-0"]


@pytest.mark.parametrize(("stood", "moves"), [(7.5, "Kd4"), (2.5, "")])
def test_without_a_clock_a_king_who_stood_in_the_centre_before_he_shows_it_elsewhere_had_moved(
    stood: float, moves: str
) -> None:
    """Black's king comes to d4, and shows the draw from e4, where a pawn stood."""
    start = "8/p5r1/7R/4k3/4Pp2/1B2nP2/P3K2P/8 b - - 2 39"
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=start), clock=False)
    at = 4.3 + stood
    table.sees(4.0, without="e5").sees(4.3, black_king="d4")
    table.sees(at, without="e4").sees(at + 0.2, without="d4").sees(at + 0.8, black_king="e4")
    table.sees(at + 1.5, without="e2").sees(at + 2.0, white_king="e5").ticks(at + 12.0)
    assert table.moves == moves
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1/2-1/2"]


def test_analysis_that_leads_back_to_a_given_position_begins_no_game() -> None:
    start = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start))
    table.sees(2.0, without="a1").sees(2.3, white_rook="a8").ticks(5.5)
    assert "1-0 by checkmate" in "\n".join(table.script)
    table.clock(6.0, 298, 300, None, run=False)
    table.sees(8.0, without="a8").sees(8.3, white_rook="a1").ticks(20.0)
    assert "game 2 begins" not in "\n".join(table.script)
    table.clock(21.0, 300, 300, "left")
    assert "game 2 begins" in "\n".join(table.script)


def test_few_men_begin_a_game_before_its_clock_if_the_last_one_began_from_elsewhere() -> None:
    """No analysis leads there."""
    table = TableTalk.ready()
    table.plays(5.0, "e4", "e5")
    table.clock(12.0, 290, 295, "left", run=False).orders(14.0, "1/2-1/2")
    table.setup(15.0, TableSetup(start_fen="7k/8/6K1/8/8/8/8/R7 w - - 0 1"))
    table.clock(20.0, 300, 300, None, run=False).shows(21.0, "7k/8/6K1/8/8/8/8/R7").ticks(23.0)
    assert "game 2 begins" in "\n".join(table.script)
    table.sees(24.0, without="a1").sees(24.4, white_rook="b1").ticks(30.0)
    assert table.moves == "e4 e5 Rb1"


def test_a_game_begins_also_if_the_clock_is_started_after_the_first_move() -> None:
    """The men of a given position are few: analysis may have led back to it as well."""
    table = TableTalk.ready(TableSetup(start_fen="7k/8/6K1/8/8/8/8/R7 w - - 0 1"))
    table.sees(2.0, without="a1").sees(2.3, white_rook="a8").ticks(5.5)
    table.clock(6.0, 298, 300, None, run=False)
    table.sees(8.0, without="a8").sees(8.3, white_rook="a1").ticks(25.0)
    explained = table.told(StateExplained)[-1]
    assert isinstance(explained, StateExplained)
    assert explained.text == "waiting for the clock to be started: the start position stands"
    table.sees(26.0, without="a1").sees(26.3, white_rook="b1").clock(27.0, 300, 300, "left")
    assert "game 2 begins" not in "\n".join(table.script)
    table.clock(31.0, 300, 300, "right").ticks(33.0)
    assert "game 2 begins" in "\n".join(table.script)
    assert table.moves == "Ra8# Rb1"


@pytest.mark.parametrize(("reply", "moves"), [("", "Rb1"), ("h7", "Rb1 Kh7")])
def test_it_begins_also_if_nobody_was_seen_to_press_when_the_clock_was_started(
    reply: str, moves: str
) -> None:
    """One or two plies were made by then."""
    table = TableTalk.ready(TableSetup(start_fen="7k/8/5K2/8/8/8/8/R7 w - - 0 1"))
    table.sees(2.0, without="f6").sees(2.3, white_king="g6").clock(2.8, 299, 300, "right")
    table.sees(3.0, without="h8").sees(3.3, black_king="g8").clock(3.8, 299, 299, "left")
    table.sees(4.0, without="a1").sees(4.3, white_rook="a8").ticks(7.5)
    table.clock(8.0, 298, 300, "left", run=False)
    table.shows(9.0, "7k/8/5K2/8/8/8/8/R7").ticks(20.0)
    assert "game 2 begins" not in "\n".join(table.script)
    table.sees(26.0, without="a1").sees(26.3, white_rook="b1")
    if reply:
        table.sees(27.0, without="h8").sees(27.3, black_king="h7")
    for at in range(29, 36):
        table.clock(at, 300, 300, "left" if reply else "right")
    assert "game 2 begins" in "\n".join(table.script)
    assert table.moves == f"Kg6 Kg8 Ra8# {moves}"


def test_a_man_who_makes_room_for_the_king_of_the_result_took_nobody() -> None:
    """The bishop on e4 is taken off, White's king put there instead, then Black's on d5."""
    start = "8/4k1p1/8/1p2P1Kp/4b2P/8/1P4P1/6N1 w - - 0 1"
    setup = TableSetup(has_clock=False, sensing="occupancy", start_fen=start)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="g1").sees(4.3, white_knight="e2").ticks(9.0)
    table.sees(10.0, without="e4").sees(10.8, without="g5").sees(11.3, white_king="e4")
    table.sees(12.7, without="e7").sees(13.8, black_king="d5").ticks(25.0)
    assert table.moves == "Ne2"
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1-0"]


@pytest.mark.parametrize(("put_back", "moves"), [(False, "d4"), (True, "")])
def test_a_man_who_makes_room_for_a_king_that_shows_the_result_has_moved(
    put_back: bool, moves: str
) -> None:
    setup = TableSetup(start_fen="6k1/7p/8/8/8/8/3P4/6K1 w - - 0 1")
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="d2").sees(4.3, white_pawn="d4").sees(7.0, without="d4")
    if put_back:
        table.sees(7.3, white_pawn="d2")
    table.sees(8.0, without="g1").sees(8.5, white_king="d4")
    table.ticks(10.0).sees(10.0, without="g8").sees(10.5, black_king="e5").ticks(17.0)
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["0-1"]
    assert table.moves == moves


@pytest.mark.parametrize(("stood", "moves"), [(1.2, "c6"), (0.5, "")])
def test_who_stands_still_had_stood_before_the_kings_whatever_else_flickered(
    stood: float, moves: str
) -> None:
    """The knight is not read for most of the time until the kings are taken up."""
    start = TableSetup(start_fen="4n3/1p5p/8/PpP1Bp2/5p2/3K1P1k/7P/8 w - - 0 36", has_clock=False)
    table = TableTalk.ready(start, clock=False)
    table.sees(4.0, without="c5").sees(4.2, without="e8", white_pawn="c6")
    table.sees(4.1 + stood, black_knight="e8").sees(4.2 + stood, without="d3")
    table.sees(4.6 + stood, white_king="e4").sees(6.5, without="h3").sees(7.0, black_king="d5")
    table.ticks(15.0)
    assert table.moves == moves
    assert [fact.result for fact in table.facts if isinstance(fact, GameEnded)] == ["1-0"]


@pytest.mark.parametrize("new_s", [1500, 300])
def test_the_array_begins_another_game_though_play_may_have_led_back_if_the_clock_is_set(
    new_s: int,
) -> None:
    """Two knights come home after a false start, while the clock stands and is set anew."""
    table = TableTalk.ready()
    table.plays(4.0, "Nh3", "Na6", clock=297)
    table.clock(10.0, 297, 297, "left", run=False)
    table.sees(30.0, without="h3 a6").sees(31.0, white_knight="g1").sees(32.0, black_knight="b8")
    table.clock(35.0, new_s, new_s, "left", run=False).clock(36.0, new_s, new_s, "left", run=False)
    table.clock(50.0, new_s, new_s, "left").clock(51.0, new_s, new_s, "left")
    table.plays(52.0, "e4", "e5", clock=new_s)
    told = [(f.game, f.san) for f in table.told(MoveSettled) if isinstance(f, MoveSettled)]
    assert told == [(1, "Nh3"), (1, "Na6"), (2, "e4"), (2, "e5")]


def test_a_clock_that_is_set_anew_begins_another_game_after_one_move_was_put_back() -> None:
    """It never ran: the first move stood for long, and was none of the game for which it is set."""
    table = TableTalk.ready(clock=False).clock(0.5, 1500, 1500, "left", run=False)
    table.sees(4.0, without="d2").sees(4.3, white_pawn="d4").ticks(9.0)
    table.clock(9.0, 5400, 5400, "left", run=False).clock(10.0, 5400, 5400, "left", run=False)
    table.sees(11.0, without="d4").sees(11.5, white_pawn="d2").ticks(12.4)
    assert table.told(GameEnded) == []
    assert [fact.game for fact in table.ticks(12.5).told(GameStarted)] == [2]


@pytest.mark.parametrize(("stood", "begins"), [(5.0, True), (1.0, False)])
def test_a_start_position_of_few_men_with_a_stranger_ends_the_game_before(
    *, stood: float, begins: bool
) -> None:
    """A pawn of the last game stays on b4, or is shown there still; the next one is played on."""
    setup = TableSetup(has_clock=False)
    table = TableTalk.ready(setup, clock=False)
    table.plays(4.0, *OPENING)
    few = "4k3/pp3ppp/8/8/8/8/PP3PPP/4K2R w - - 0 1"
    table.setup(90.0, TableSetup(has_clock=False, start_fen=few))
    table.shows(100.0, "4k3/pp3ppp/8/8/1p6/8/PP3PPP/4K2R").ticks(100.0 + stood)
    table.sees(100.0 + stood, without="h1").sees(100.5 + stood, white_rook="g1").ticks(120.0)
    second = [f for f in table.told(MoveSettled) if isinstance(f, MoveSettled) and f.game == 2]
    assert [fact.san for fact in second] == (["Rg1"] if begins else [])


@pytest.mark.parametrize(("white", "moves"), [("6B1", "Kxg7"), ("7B", "")])
def test_a_king_who_takes_a_man_has_moved_though_he_shows_the_result_soon(
    white: str, moves: str
) -> None:
    """Nobody presses for it, and he stands there for hardly more than a second."""
    place = f"6k1/{white}/5p2/8/8/8/5P2/6K1"
    table = TableTalk.ready(TableSetup(start_fen=f"{place} b - - 0 40"), clock=False)
    table.clock(1.0, 300, 300, "right")
    if moves:
        table.sees(4.0, without="g7")
    table.sees(4.6, without="g8").sees(4.8, black_king="g7").ticks(6.0)
    table.sees(6.0, without="g7").sees(6.6, black_king="d4")
    table.sees(7.5, without="g1").sees(8.0, white_king="e5").ticks(14.0)
    assert [f.result for f in table.told(GameEnded) if isinstance(f, GameEnded)] == ["0-1"]
    assert table.moves == moves


def test_a_king_stood_where_he_had_moved_while_the_other_one_went_to_the_centre() -> None:
    """He wobbled, and is taken up to show the result only then."""
    start = "8/8/8/6k1/8/8/7P/2K5 w - - 0 60"
    table = TableTalk.ready(TableSetup(has_clock=False, start_fen=start), clock=False)
    table.sees(4.0, without="c1").sees(4.6, white_king="d2").sees(4.8, without="d2")
    table.sees(5.0, white_king="d2").sees(5.4, without="g5").sees(6.4, black_king="e4")
    table.sees(9.0, without="d2").sees(9.6, white_king="d5").ticks(20.0)
    assert [f.result for f in table.told(GameEnded) if isinstance(f, GameEnded)] == ["1-0"]
    assert table.moves == "Kd2"
