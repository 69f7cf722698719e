"""From which seat White plays: boards that stand the other way round."""

from typing import Literal

import chess
import pytest

from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    TableSetup,
)
from tests.bridge.core.dialogue import ORIENTATION, TableTalk
from tests.bridge.core.test_table_senses import Occupancy, Session


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
