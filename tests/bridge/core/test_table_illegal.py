"""Completed illegal moves at a table: told once, after the press, and cleared."""

from collections.abc import Callable
from functools import partial
from typing import Any

import chess
import pytest
import yaml

from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    GameEnded,
    MovesCorrected,
    MoveSettled,
    Sensing,
    TableSetup,
)
from tests.bridge.core.cases import position
from tests.bridge.core.dialogue import TIMING, TableTalk
from tests.shared import shared

GROUPS = {"moves", "check", "castling", "en_passant", "promotion"}


def attempts() -> list[dict[str, Any]]:
    cases = yaml.safe_load(shared("laws/positions.yaml").read_text())["cases"]
    return [case for case in cases if case["group"] in GROUPS and case.get("attempt")]


MAY_BE_PUT_RIGHT = {"GEOMETRY", "PAWN_GEOMETRY", "PATH_BLOCKED"}
"""Their men may have been put down beside where they may go."""


STILL_AT_IT = {"PROMOTION_NOT_REPLACED": 6.3, "EN_PASSANT_INCOMPLETE": 6.01}
"""When these are told, as the hand that has pressed may still be at the pawn."""


def test_every_attempt_is_told_once_after_the_press_and_cleared_when_restored() -> None:
    for case in attempts():
        board = position(case)
        table = TableTalk.ready(TableSetup(start_fen=board.fen(en_passant="fen")), clock=False)
        table.clock(1.0, 300, 300, "left" if board.turn else "right")
        table.shows(4.0, case["attempt"]["placement"]).ticks(4.2)
        table.clock(4.5, 300, 300, "right" if board.turn else "left")
        table.ticks(4.59).expects()
        code, reason = case["expect"]["alerts"][0], case["expect"]["reason"]
        soon = STILL_AT_IT.get(code, 5.7)
        table.ticks(12.6).expects(f"alert {code} {reason}")
        table.ticks(30.0).expects()
        alert = table.told(AlertRaised)[0]
        assert isinstance(alert, AlertRaised)
        assert alert.illegal
        assert alert.at <= (12.5 if reason in MAY_BE_PUT_RIGHT else soon)
        assert alert.severity == "critical"
        assert alert.restore == board.fen(), case["id"]
        wrong_side = reason == "WRONG_SIDE"
        assert alert.by == chess.COLOR_NAMES[board.turn != wrong_side]
        table.shows(31.0, board.board_fen()).expects_soon(f"cleared {code}")


def in_check() -> TableTalk:
    return TableTalk.ready(TableSetup(start_fen="4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1"))


def test_a_king_left_in_check_is_told_once_and_the_game_goes_on() -> None:
    table = in_check()
    table.sees(4.0, without="a2", white_pawn="a4").ticks(9.0).expects()
    table.clock(9.5, 295, 300, "right").ticks(9.59).expects()
    table.ticks(9.6).expects("alert KING_LEFT_IN_CHECK KING_LEFT_IN_CHECK")
    table.clock(12.0, 295, 298, "right", run=False).ticks(30.0).expects()
    table.sees(31.0, without="a4").sees(32.0, white_pawn="a2")
    table.expects_soon("cleared KING_LEFT_IN_CHECK")
    table.clock(40.0, 295, 420, "left").clock(41.0, 294, 420, "left").sees(
        45.0, without="e1", white_king="f2"
    ).expects()
    table.clock(46.0, 289, 420, "right").expects_soon("1. Kf2 by press", "1. has 289")


def test_a_second_illegal_move_is_told_again() -> None:
    table = in_check()
    for at in (4.0, 24.0):
        table.sees(at, without="a2", white_pawn="a4").clock(at + 1, 295, 300, "right")
        table.ticks(at + 5).expects("alert KING_LEFT_IN_CHECK KING_LEFT_IN_CHECK")
        table.clock(at + 6, 295, 300, "left").sees(at + 8, without="a4", white_pawn="a2")
        table.expects_soon("cleared KING_LEFT_IN_CHECK")


@pytest.mark.parametrize(
    ("fen", "left", "came", "told"),
    [
        (
            "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1",
            "h1",
            {"white_rook": "h8"},
            "KING_LEFT_IN_CHECK",
        ),
        ("4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", "a2", {"white_pawn": "a4"}, "KING_LEFT_IN_CHECK"),
    ],
)
def test_what_rested_before_the_press_is_told_as_soon_as_it_is_heard(
    fen: str, left: str, came: dict[str, str], told: str
) -> None:
    """The clock is read once a second; the alert is due 1.2 s after the press, not its report."""
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without=left, **came)
    table.clock(4.0 + TIMING.verdict, 298, 300, "right").expects()
    table.ticks(4.0 + TIMING.verdict + TIMING.glance).expects(f"alert {told} {told}")


@pytest.mark.parametrize("completed", [True, False])
def test_the_rook_that_castles_may_follow_the_press(completed: bool) -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    table.sees(4.0, without="e1").sees(4.3, white_king="g1").clock(4.9, 298, 300, "right")
    table.ticks(8.0).expects()
    if completed:
        table.sees(8.0, without="h1").sees(8.5, white_rook="f1").ticks(10.0)
        table.expects("1. O-O by press", "1. has 298")
    else:
        table.ticks(8.4).expects("alert CASTLING_ILLEGAL CASTLING_INCOMPLETE")


def test_castling_completed_after_its_alert_is_no_illegal_move_that_stands() -> None:
    """The rook comes as the opponent moves, and a square shows a king that is none."""
    table = TableTalk.ready(TableSetup(start_fen="4k2r/8/8/8/8/8/1P6/4K3 b k - 0 1"), clock=False)
    table.clock(1.0, 300, 300, "right").sees(4.0, without="e8").sees(4.3, black_king="g8")
    table.clock(4.9, 300, 298, "left").ticks(9.0)
    table.expects("alert CASTLING_ILLEGAL CASTLING_INCOMPLETE")
    table.sees(9.1, without="h8").sees(9.6, without="b2", black_rook="f8", white_pawn="b3")
    table.sees(9.6, black_king="h8").clock(10.6, 297, 298, "right").ticks(13.0)
    table.sees(13.5, without="h8").ticks(15.0)
    assert table.moves == "O-O b3"
    assert table.table.engine is not None
    assert table.table.engine.position.board.board_fen() == "5rk1/8/8/8/8/1P6/8/4K3"


def test_after_a_lost_link_nothing_is_told_sooner_than_the_press_is_heard() -> None:
    """Moves may have been made unseen, and a line of them may still be found."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    table.link(2.0, "lost").link(3.0, "live").sees(4.0, without="e1", white_king="g1")
    table.clock(5.2, 298, 300, "right").ticks(5.4)
    assert "CASTLING_ILLEGAL" not in "".join(table.script)
    table.ticks(10.0)
    assert "CASTLING_ILLEGAL" in "".join(table.script)


def test_after_a_link_was_lost_for_long_nobody_is_accused_where_more_was_done() -> None:
    table = TableTalk.ready(TableSetup(start_fen="b3k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    table.link(2.0, "lost").link(6.0, "live").shows(6.1, "1b2k3/8/8/8/8/8/6R1/4K3")
    table.clock(9.0, 298, 300, "right").ticks(12.0)
    told = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [alert.code for alert in told] == ["BOARD_DISCONNECTED", "POSITION_UNRESOLVED"]
    assert (told[1].severity, "perhaps" in told[1].text) == ("warning", True)


def test_a_board_that_is_back_as_it_was_lost_hides_no_illegal_move() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    table.link(2.0, "lost").link(6.0, "live").shows(6.1, "4k3/8/8/8/8/8/8/4K2R")
    table.sees(8.0, without="h1", white_rook="g2").clock(9.0, 298, 300, "right").ticks(18.0)
    told = [fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert told == ["BOARD_DISCONNECTED", "ILLEGAL_MOVE"]


def test_an_illegal_move_whose_man_is_misread_is_told_once_though_he_is_seen_later() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/p7/8/8/8/8/8/Q3K3 w - - 0 1"))
    table.sees(4.0, without="a1").sees(4.4, white_knight="b3").clock(5.0, 298, 300, "right")
    table.ticks(7.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]
    table.sees(7.0, white_queen="b3").ticks(9.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_a_man_who_was_never_read_as_the_record_has_him_makes_no_illegal_move() -> None:
    """The record may be wrong about him: a rook who went as rooks go is no knight who did not."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/p7/8/8/8/8/8/N3K3 w - - 0 1"))
    table.sees(3.0, white_rook="a1").ticks(8.0)
    table.sees(8.0, without="a1").sees(8.4, white_rook="b1").clock(9.0, 298, 300, "right")
    assert ("ILLEGAL_MOVE", "critical") not in grave(table.ticks(12.0))


@pytest.mark.parametrize("after", [0.8, 3.0])
def test_what_was_just_found_to_have_been_played_accuses_nobody(after: float) -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.link(20.0, "lost").link(21.0, "live")
    table.shows(21.1, "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R")
    table.clock(21.2, 290, 290, "left").ticks(22.5)
    assert table.moves == "e4 e5 Nf3 Nf6"
    found = next(fact.at for fact in table.facts if isinstance(fact, MoveSettled) and fact.ply == 3)
    table.sees(found + 0.1, without="a1", white_rook="a5")
    table.clock(found + after, 289, 290, "right").ticks(found + after + 10)
    alert = table.told(AlertRaised)[-1]
    assert isinstance(alert, AlertRaised)
    assert (alert.code, alert.severity) == ("ILLEGAL_MOVE", "critical")
    assert alert.at >= found + 1.5


def test_a_slip_put_right_before_the_press_is_never_told() -> None:
    table = in_check()
    table.sees(4.0, without="a2", white_pawn="a4").ticks(14.0)
    table.sees(14.0, without="a4", white_pawn="a2").sees(15.0, without="e1", white_king="d2")
    table.clock(16.0, 290, 300, "right").expects_soon("1. Kd2 by press", "1. has 290")
    assert table.told(AlertRaised) == []


def test_a_slip_put_right_as_the_clock_is_pressed_is_not_told() -> None:
    table = in_check()
    table.sees(4.3, without="e1", white_king="e2").clock(4.5, 299, 300, "right")
    table.sees(4.7, without="e2", white_king="f2").ticks(9.0)
    table.expects("1. Kf2 by press", "1. has 299")


def test_an_illegal_move_replaced_by_a_legal_one_without_another_press() -> None:
    """On its way the man may rest on legal squares for less than a verdict's time."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/R3K3 w - - 0 1"))
    table.sees(4.0, without="a1", white_rook="b3").clock(4.5, 299, 300, "right").ticks(13.0)
    table.expects("alert ILLEGAL_MOVE GEOMETRY")
    table.sees(13.0, without="b3").sees(13.5, white_rook="a3").ticks(14.5).expects()
    table.sees(14.5, without="a3").sees(15.0, white_rook="a4").ticks(24.0)
    table.expects("cleared ILLEGAL_MOVE", "1. Ra4 by press", "1. has 299")


def test_en_passant_completed_late_is_told_and_settles() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1"), clock=False)
    table.clock(1.0, 300, 300, "right")
    table.sees(4.0, without="c4", black_pawn="b3").clock(4.5, 300, 297, "left").ticks(8.0)
    table.expects("alert EN_PASSANT_INCOMPLETE EP_PAWN_NOT_REMOVED")
    table.sees(8.0, without="b4").ticks(20.0)
    table.expects("cleared EN_PASSANT_INCOMPLETE", "1. cxb3 by press", "1. has 297")


def test_a_man_in_the_air_when_the_clock_is_pressed_is_waited_for() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2").clock(4.5, 299, 300, "right").ticks(7.0).expects()
    table.sees(7.0, white_pawn="e4").ticks(9.0).expects("1. e4 by press", "1. has 299")


def test_a_clock_pressed_with_a_man_in_the_air() -> None:
    """Its move is assumed and not told; it is another one when the man is put down."""
    table = TableTalk.ready()
    table.sees(4.0, without="e2").clock(4.5, 299, 300, "right").ticks(4.49 + TIMING.in_hand)
    table.expects()
    table.ticks(4.5 + TIMING.in_hand).expects("alert AMBIGUOUS_MOVE")
    table.sees(9.0, white_pawn="e4").ticks(11.0).expects("1. e4 by press", "1. has 299")


def test_a_man_who_is_not_put_down_may_have_gone_to_any_square() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2").clock(4.5, 299, 300, "right").ticks(9.0)
    table.expects("alert AMBIGUOUS_MOVE")
    table.ticks(60.0).expects("1. e3 by press", "1. has 299")


def test_an_illegal_move_is_told_though_a_man_of_the_opponent_has_long_been_off_the_board() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/P2R4/4K3 b - - 0 1"), clock=False)
    table.clock(1.0, 300, 300, "right").sees(2.0, without="a2").ticks(6.0)
    table.sees(9.0, without="e8").sees(9.5, black_king="d7").clock(10.0, 300, 299, "left")
    table.ticks(13.0).expects("alert KING_LEFT_IN_CHECK KING_INTO_CHECK")


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
    alerts = [fact for fact in table.facts if isinstance(fact, AlertRaised)]
    assert [alert.code for alert in alerts if alert.illegal] == []


def test_men_put_up_again_without_a_clock_are_no_illegal_move() -> None:
    """The record was lost after two moves; the men that come home last are no moves."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(2.0, "e4", "Nf6")
    table.shows(20.0, "8/8/2k5/8/8/2K5/8/8").ticks(30.0)
    table.shows(31.0, "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").ticks(32.0)
    table.sees(32.0, black_knight="g8").ticks(40.0)
    alerts = [fact for fact in table.facts if isinstance(fact, AlertRaised)]
    assert [alert.code for alert in alerts if alert.illegal] == []
    ended = [fact.by for fact in table.facts if isinstance(fact, GameEnded)]
    assert ended == ["abandoned"]


def test_a_king_put_far_away_is_an_illegal_move_if_somebody_pressed() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/6b1/8/8/3K4/8/2P5/8 w - - 0 1"))
    table.sees(4.0, without="d4").sees(4.5, white_king="h6").clock(5.0, 299, 300, "right")
    table.ticks(12.0).expects("alert ILLEGAL_MOVE GEOMETRY")


def doubtful(without: str, move: str) -> TableTalk:
    """A move on a board that shows too much wrongly for the record to be certain."""
    table = TableTalk.ready()
    table.sees(2.0, without="a2 h2 d2").ticks(3.0)
    assert table.table.engine is not None
    table.table.engine.sight.excuse(chess.BB_A2 | chess.BB_D2 | chess.BB_H2)
    table.sees(5.0, without=without).sees(5.5, white_knight=move)
    return table.clock(6.0, 299, 300, "right").ticks(8.0)


def test_a_man_that_goes_as_none_ever_may_makes_an_illegal_move_whatever_the_record() -> None:
    doubtful("b1", "b5").expects("alert ILLEGAL_MOVE GEOMETRY")
    doubtful("b1", "d2").expects("alert POSITION_UNRESOLVED")


def test_the_end_of_the_game_ends_the_alert() -> None:
    table = in_check()
    table.sees(4.0, without="a2", white_pawn="a4").clock(4.5, 295, 300, "right").ticks(9.0)
    table.orders(10.0, "0-1")
    table.expects(
        "alert KING_LEFT_IN_CHECK KING_LEFT_IN_CHECK",
        "cleared KING_LEFT_IN_CHECK",
        "0-1 by arbiter",
    )


def test_a_wrong_sides_move_is_told_when_the_clock_is_pressed() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.expects("1. e4 by press", "1. has 300")
    table.sees(9.0, without="d2", white_pawn="d4").ticks(9.5).expects()
    table.clock(9.8, 300, 288, "left").ticks(14.0).expects("alert WRONG_SIDE_MOVED WRONG_SIDE")


@pytest.mark.parametrize("pressed", [True, False])
def test_a_man_moved_in_his_players_time_is_no_wrong_sides_move(pressed: bool) -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.link(9.0, "lost").clock(9.5, 280, 290, "right").link(10.0, "live").shows(10.0)
    table.sees(11.0, without="b8").sees(11.5, black_knight="c6")
    if pressed:
        table.clock(12.0, 280, 288, "left")
    table.ticks(20.0)
    told = {fact.code for fact in table.facts if isinstance(fact, AlertRaised)}
    assert "WRONG_SIDE_MOVED" not in told


def test_garbage_with_a_press_is_unresolved_not_illegal() -> None:
    table = TableTalk.ready()
    table.shows(4.0, "8/8/8/3k4/8/8/5K2/8").clock(5.0, 299, 300, "right").ticks(9.0)
    table.expects("alert POSITION_UNRESOLVED")
    alert = table.told(AlertRaised)[0]
    assert isinstance(alert, AlertRaised)
    assert (alert.severity, alert.illegal) == ("notice", False)
    table.ticks(20.5)
    again = table.told(AlertRaised)[-1]
    assert isinstance(again, AlertRaised)
    assert (again.code, again.severity, again.count) == ("POSITION_UNRESOLVED", "warning", 1)
    assert (again.text, again.restore) == (alert.text, alert.restore)


def unresolved(table: TableTalk) -> list[str]:
    told = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    return [alert.severity for alert in told if alert.code == "POSITION_UNRESOLVED"]


def test_a_board_that_play_explains_calls_nobody() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    array = table.cells
    table.sees(14.0, without="g1 b1 a2").sees(14.1, white_rook="a4").clock(15.0, 290, 290, "right")
    table.ticks(20.0)
    assert unresolved(table) == ["notice"]
    table.shows(21.0, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").ticks(23.0)
    table.clock(24.0, 290, 280, "left").ticks(60.0)
    assert table.moves == "e4 e5 Nf3"
    assert table.cells != array
    assert unresolved(table) == ["notice"]


@pytest.mark.parametrize(
    ("sensing", "runs", "replied", "not_by", "by"),
    [
        ("identity", True, False, 16.0, 22.0),
        ("occupancy", True, False, 32.0, 40.0),
        ("occupancy", True, True, 22.5, 24.0),
        ("occupancy", False, False, 16.0, 22.0),
    ],
)
def test_a_reply_is_waited_for_where_men_have_no_names(
    sensing: Sensing, runs: bool, replied: bool, not_by: float, by: float
) -> None:
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.shows(4.0, "8/8/8/3k4/8/8/5K2/8").clock(5.0, 299, 300, "right").ticks(8.0)
    if not runs:
        table.clock(9.0, 299, 297, "right", run=False)
    if replied:
        table.clock(20.0, 299, 290, "left")
    table.ticks(not_by)
    assert unresolved(table) == ["notice"]
    table.ticks(by)
    assert unresolved(table) == ["notice", "warning"]


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_presses_for_earlier_plies_complete_no_move_that_is_begun_between_them(
    sensing: Sensing,
) -> None:
    """Nobody pressed for two plies; White takes up his next man while both catch up."""
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.plays(4.0, "e4")
    table.sees(6.0, without="e7").sees(6.3, black_pawn="e5")
    table.sees(7.6, without="g1").sees(7.9, white_knight="f3")
    table.sees(9.2, without="b8").sees(9.5, black_knight="c6").ticks(10.8)
    table.clock(11.0, 300, 294, "left").clock(11.5, 300, 294, "right")
    table.sees(11.9, without="b1").clock(12.0, 300, 294, "left")
    table.sees(12.5, white_knight="b3").clock(13.0, 299, 294, "left").ticks(13.9)
    table.sees(14.0, without="b3").sees(14.3, white_knight="c3").clock(14.8, 298, 294, "right")
    table.ticks(18.0)
    assert [f.san for f in table.told(MoveSettled) if isinstance(f, MoveSettled)][-1] == "Nc3"
    assert not [f for f in table.told(AlertRaised) if isinstance(f, AlertRaised) and f.illegal]


def test_the_order_of_two_moves_tells_an_illegal_one_where_men_have_no_names_and_no_clock_is() -> (
    None
):
    table = TableTalk.ready(TableSetup(sensing="occupancy", has_clock=False), clock=False)
    at = table.plays(4.0, "e4", "e5")
    table.sees(at, without="d2").sees(at + 0.4, white_pawn="d5").ticks(at + 6.0)
    assert not unresolved(table)
    table.sees(at + 7.0, without="b8").sees(at + 7.4, black_knight="c6").ticks(at + 9.0)
    (alert,) = [f for f in table.told(AlertRaised) if isinstance(f, AlertRaised) and f.illegal]
    assert alert.san_tried == "d5"
    table.ticks(at + 13.0)
    table.sees(at + 14.0, without="g1").sees(at + 14.3, white_knight="f3").ticks(at + 19.0)
    sans = [f.san for f in table.told(MoveSettled) if isinstance(f, MoveSettled)]
    assert sans == ["e4", "e5", "d5", "Nc6", "Nf3"]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (("e1", "white_king", "g1"), ("b8", "black_knight", "c6")),  # the rook comes later
        (("e4", "white_pawn", "e2"), ("e5", "black_pawn", "e7")),  # the men are put up again
    ],
)
def test_no_order_of_men_without_names_tells_of_what_may_be_no_whole_move(
    mine: tuple[str, str, str], theirs: tuple[str, str, str]
) -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy", has_clock=False), clock=False)
    at = table.plays(4.0, "e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5")
    for left, man, came in (mine, theirs):
        table.sees(at + 1.0, without=left).sees(at + 1.4, **{man: came}).ticks(at + 3.0)
        at += 3.0
    table.ticks(at + 6.0)
    assert not [f for f in table.told(AlertRaised) if isinstance(f, AlertRaised) and f.illegal]


def test_an_illegal_move_is_told_when_the_answer_was_begun_where_no_clock_is() -> None:
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    at = table.plays(4.0, "e4", "e5")
    table.sees(at, without="g1").sees(at + 0.4, white_knight="g3").ticks(at + 3.0)
    assert not unresolved(table)
    table.sees(at + 3.0, without="b8").ticks(at + 4.0)
    assert not [f for f in table.told(AlertRaised) if isinstance(f, AlertRaised) and f.illegal]
    table.sees(at + 4.2, black_knight="b8").ticks(at + 6.0)
    (alert,) = [f for f in table.told(AlertRaised) if isinstance(f, AlertRaised) and f.illegal]
    assert alert.san_tried == "Ng3"
    table.sees(at + 6.0, without="g3").sees(at + 6.4, white_knight="f3").ticks(at + 11.0)
    sans = [f.san for f in table.told(MoveSettled) if isinstance(f, MoveSettled)]
    assert sans == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize(
    ("fen", "mine", "gone", "man"),
    [
        # he takes up whom he will take
        ("4k3/8/8/8/4p3/2N5/8/4K3 w - - 0 1", ("c3", "white_knight", "f5"), "e4", "black_pawn"),
        # he had hardly put it down
        ("4k3/8/8/8/4p3/2N5/8/4K3 w - - 0 1", ("e1", "white_king", "e3"), "e8", "black_king"),
        # the men are cleared away
        ("6k1/5ppp/8/8/8/8/8/1r4K1 w - - 0 1", ("g1", "white_king", "h2"), "g7", ""),
    ],
)
def test_a_man_who_is_taken_up_may_be_no_answer(
    fen: str, mine: tuple[str, str, str], gone: str, man: str
) -> None:
    table = TableTalk.ready(TableSetup(start_fen=fen, has_clock=False), clock=False)
    left, who, came = mine
    soon = 1.0 if came == "e3" else 3.0
    table.sees(4.0, without=left).sees(4.4, **{who: came}).ticks(4.4 + soon)
    table.sees(4.4 + soon, without=gone).ticks(5.0 + soon)
    if man:
        table.sees(5.0 + soon, **{man: gone})
    table.ticks(6.5 + soon)
    assert not [f for f in table.told(AlertRaised) if isinstance(f, AlertRaised) and f.illegal]


def test_an_illegal_castling_is_no_move_of_its_rook_when_the_clock_is_pressed_back() -> None:
    """King and rook go back one after the other."""
    fen = "4k3/8/8/8/8/8/2b5/R3K3 w Q - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without="e1").sees(4.2, white_king="c1")
    table.sees(4.5, without="a1").sees(4.7, white_rook="d1").clock(5.0, 299, 300, "right").ticks(
        9.0
    )
    alerts = [f for f in table.told(AlertRaised) if isinstance(f, AlertRaised) and f.illegal]
    assert [alert.code for alert in alerts] == ["CASTLING_ILLEGAL"]
    table.clock(10.0, 299, 297, "left").ticks(11.4)
    table.sees(11.5, without="c1").sees(11.8, white_king="e1").ticks(12.8)
    table.sees(13.0, without="d1").sees(13.3, white_rook="a1").ticks(16.0)
    assert not table.told(MoveSettled)


@pytest.mark.parametrize(
    ("sensing", "fen"),
    [
        ("identity", "4k2r/7p/8/8/8/8/2b5/R3K3 w Q - 0 1"),
        ("occupancy", "4k2r/7p/8/8/8/8/2b5/R3K3 w Q - 0 1"),
        ("identity", "4k2r/7p/8/8/8/8/8/R3K3 w - - 0 1"),
    ],
)
def test_an_illegal_castling_that_is_played_on_has_moved_the_rook_too(
    sensing: Sensing, fen: str
) -> None:
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing=sensing))
    table.sees(4.0, without="e1").sees(4.2, white_king="c1")
    table.sees(4.5, without="a1").sees(4.7, white_rook="d1").clock(5.0, 299, 300, "right").ticks(
        9.0
    )
    table.sees(9.0, without="h7").sees(9.3, black_pawn="h6").clock(10.0, 299, 297, "left")
    table.ticks(15.0).sees(16.0, without="d1").sees(16.3, white_rook="d5")
    table.clock(17.0, 297, 297, "right").ticks(22.0)
    settled = [f for f in table.told(MoveSettled) if isinstance(f, MoveSettled)]
    assert [f.san for f in settled] == ["O-O-O", "h6", "Rd5"]
    engine = table.table.engine
    assert engine is not None
    assert engine.position.board.board_fen().startswith("4k2r/8/7p/3R4")


def test_castling_that_was_lost_is_no_kings_step_beside_men_who_are_misread() -> None:
    """Men without names: the king might have gone to d1, the rook be away and c1 show wrong."""
    setup = TableSetup(start_fen="4k2r/7p/8/8/8/8/1P6/R3K3 w - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup)
    table.sees(4.0, without="e1").sees(4.2, white_king="c1")
    table.sees(4.5, without="a1").sees(4.7, white_rook="d1").clock(5.0, 299, 300, "right")
    table.ticks(9.0)
    assert [f.code for f in table.told(AlertRaised) if isinstance(f, AlertRaised)] == [
        "CASTLING_ILLEGAL"
    ]


def test_what_is_left_of_a_castling_that_is_taken_back_is_no_move_where_no_clock_is() -> None:
    setup = TableSetup(start_fen="4k3/8/8/8/8/8/2b5/R3K3 w Q - 0 1", has_clock=False)
    table = TableTalk.ready(setup, clock=False)
    table.sees(4.0, without="e1").sees(4.2, white_king="c1")
    table.sees(4.5, without="a1").sees(4.7, white_rook="d1").ticks(10.0)
    table.sees(10.0, without="c1").sees(10.3, white_king="e1").ticks(12.0)
    table.sees(12.0, without="d1").sees(12.3, white_rook="a1").ticks(16.0)
    assert not table.told(MoveSettled)


def test_nobody_is_called_to_a_board_that_is_not_seen() -> None:
    table = TableTalk.ready()
    table.shows(4.0, "8/8/8/3k4/8/8/5K2/8").clock(5.0, 299, 300, "right").ticks(9.0)
    table.link(10.0, "lost").ticks(60.0)
    assert unresolved(table) == ["notice"]


def test_out_of_turn_is_only_who_moves_while_the_others_clock_runs() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.clock(9.0, 300, 290, "left")  # Black has pressed, and nobody has seen his move
    table.sees(9.3, without="d2").sees(9.6, white_pawn="d4").ticks(14.0)
    told = {fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)}
    assert "WRONG_SIDE_MOVED" not in told


def test_a_mans_own_player_was_not_to_move_when_he_was_taken_up_before_the_press() -> None:
    """The clock is read once a second: the press may have come before he stood, but not before."""
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.clock(9.0, 290, 290, "left").sees(9.5, without="d7").clock(10.0, 289, 290, "left")
    table.sees(10.9, black_pawn="d5").clock(11.0, 288, 290, "right")
    table.clock(12.0, 288, 289, "left").ticks(15.0)
    told = {fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)}
    assert "WRONG_SIDE_MOVED" in told


def test_a_man_that_was_put_where_the_board_sees_nothing_may_stand_on_several_squares() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="g1").clock(15.0, 290, 290, "right").ticks(40.0)
    raised = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(fact.code, fact.severity, fact.by) for fact in raised] == [
        ("AMBIGUOUS_MOVE", "notice", "white")
    ]
    assert "Nh3 or Nf3 or Ne2" in raised[0].text
    table.orders(50.0, "1-0")


def test_squares_that_might_hold_an_unseen_man_do_not_hide_an_illegal_move() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="g1").clock(15.0, 290, 290, "right").ticks(30.0)
    table.sees(31.0, without="g7").sees(31.5, black_pawn="g4").clock(33.0, 290, 280, "left")
    table.ticks(44.0)
    told = [fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert told[-1] == "ILLEGAL_MOVE"


def test_a_press_after_a_forgotten_one_completes_the_illegal_move_that_stands() -> None:
    """Black forgot to press after Nf6; the next press is not the late one."""
    table = TableTalk.ready()
    table.plays(4.0, "e4", "d6", "d4")
    table.sees(24.0, without="g8").sees(24.5, black_knight="f6")
    table.sees(27.0, without="b1").sees(27.5, white_knight="c3")
    table.sees(31.0, without="g7").sees(31.5, black_pawn="h4").clock(32.4, 290, 280, "left")
    table.ticks(41.0)
    assert table.moves == "e4 d6 d4 Nf6 Nc3"
    told = {fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)}
    assert "ILLEGAL_MOVE" in told


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
@pytest.mark.parametrize(("came", "pressed"), [(5.5, 6.0), (5.9, 6.0), (6.3, 7.0), (6.6, 7.0)])
def test_where_presses_add_no_time_two_may_be_missed_before_an_illegal_move(
    sensing: Sensing, came: float, pressed: float
) -> None:
    """Between two readings Black presses for e5, and White answers and presses as well."""
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.clock(1.0, 300, 300, "left").clock(2.0, 299, 300, "left")
    table.sees(2.2, without="e2").sees(2.4, white_pawn="e4")
    table.clock(3.0, 298, 300, "right").clock(4.0, 298, 299, "right")
    table.sees(4.05, without="e7").sees(4.2, black_pawn="e5")
    table.sees(4.35, without="g1").sees(4.5, white_knight="f3").clock(5.0, 298, 298, "right")
    table.ticks(came - 0.3).sees(came - 0.2, without="b8").sees(came, black_knight="d4")
    if pressed > 6.0:
        table.clock(6.0, 298, 297, "right")
    for second in range(4):
        table.clock(pressed + second, 298 - second, 296, "left")
    told = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [fact.san_tried for fact in told if fact.illegal] == ["Nd4"]


def test_a_king_that_is_taken_is_told_and_play_can_be_followed() -> None:
    fen = "4k3/4r2p/8/8/8/8/3N4/R3K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without="d2").sees(4.5, white_knight="b3").clock(5.0, 299, 300, "right")
    table.ticks(8.0).expects("alert KING_LEFT_IN_CHECK KING_LEFT_IN_CHECK")
    table.sees(9.0, without="e7 e1").sees(9.5, black_rook="e1").clock(10.0, 299, 296, "left")
    table.sees(14.0, without="a1").sees(14.5, white_rook="a8").clock(15.0, 295, 296, "right")
    table.ticks(20.0)
    assert table.moves == "Nb3 Rxe1 Ra8+"
    assert not table.told(AlertCleared)  # it can be put right until the game ends
    told = {fact.code: fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)}
    assert told.keys() >= {"KING_LEFT_IN_CHECK", "KING_CAPTURED"}
    taken = told["KING_CAPTURED"]
    assert (taken.severity, taken.illegal, taken.by) == ("critical", True, "black")


def test_an_illegal_move_that_is_answered_between_two_readings_of_the_clock() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5", "Nf3", "Nc6")
    at = table.table.clock.turned_at + 10
    table.clock(at, 280, 280, "left").sees(at + 0.1, without="f1").sees(at + 0.3, white_bishop="h5")
    table.sees(at + 0.4, without="g8").sees(at + 0.6, black_knight="f6")
    table.clock(at + 1, 285, 285, "left").ticks(at + 8)
    told = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(alert.code, alert.by, alert.san_tried) for alert in told] == [
        ("ILLEGAL_MOVE", "white", "Bh5")
    ]


def test_a_clock_that_is_given_back_to_the_mover_was_pressed_by_nobody() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="g1").sees(14.4, white_knight="g3").clock(15.0, 290, 300, "right")
    table.ticks(17.0).clock(18.0, 290, 297, "right", run=False)
    table.sees(20.0, without="g3").sees(20.4, white_knight="g1").ticks(24.0)
    table.clock(25.0, 290, 297, "left")
    table.sees(25.0, without="g1").sees(25.2, white_knight="f3").clock(25.6, 290, 297, "right")
    table.sees(25.8, without="b8").sees(26.2, black_knight="c6").ticks(32.0)
    assert table.moves == "e4 e5 Nf3"


def grave(table: TableTalk) -> list[tuple[str, str]]:
    told = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    return [(alert.code, alert.severity) for alert in told]


def loud(table: TableTalk) -> list[tuple[str, str]]:
    return [each for each in grave(table) if each[1] != "silent"]


def accused(table: TableTalk) -> list[AlertRaised]:
    """The alerts of illegal moves, whatever was looked at already."""
    return [fact for fact in table.facts if isinstance(fact, AlertRaised) and fact.illegal]


def test_a_man_whose_own_stood_in_its_way_long_gone_shows_a_record_that_is_wrong() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="d2").ticks(24.0)
    table.sees(24.0, without="c1").sees(24.4, white_bishop="d2").clock(25.0, 280, 290, "right")
    table.ticks(30.0)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]
    table.ticks(40.0)
    assert grave(table)[1:] == [("POSITION_UNRESOLVED", "warning")]


def test_a_man_moved_before_it_was_its_players_turn_shows_a_record_that_is_wrong() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5", "Nf3")
    table.sees(14.0, without="f3").sees(14.5, white_knight="f4")
    table.sees(15.0, without="b8").sees(15.4, black_knight="c6").clock(16.0, 290, 290, "left")
    table.ticks(18.0).clock(19.0, 288, 290, "right").ticks(24.0)
    assert ("ILLEGAL_MOVE", "critical") not in grave(table)


@pytest.mark.parametrize(
    ("came", "held", "home", "told"),
    [
        pytest.param(7.6, 9.9, "f7", [("KING_LEFT_IN_CHECK", "critical")], id="put back"),
        pytest.param(7.6, 9.2, "f7", [], id="in the hand for most of the time"),
        pytest.param(9.6, 9.9, "f7", [], id="stood for a moment"),
        pytest.param(7.6, 9.9, "e8", [], id="put where he may go"),
    ],
)
def test_who_stood_amiss_until_his_press_was_about_to_be_told_had_moved_there(
    came: float, held: float, home: str, told: list[tuple[str, str]]
) -> None:
    """The clock is read once a second: by then he is in the hand again."""
    table = TableTalk.ready(TableSetup(start_fen="8/5k2/5P2/8/8/8/8/4K3 b - - 0 50"), clock=False)
    table.clock(6.0, 300, 295, "right").sees(7.2, without="f7")
    happens: dict[float, Callable[[], TableTalk]] = {
        came: lambda: table.sees(came, black_king="g7"),
        held: lambda: table.sees(held, without="g7"),
        **{at: partial(table.clock, at, 300, 301 - int(at), "right") for at in (8.0, 9.0)},
    }
    for at in sorted(happens):
        happens[at]()
    table.clock(10.0, 300, 292, "left").sees(10.6, black_king=home).ticks(14.0)
    assert grave(table) == told


def test_a_king_read_as_another_man_hides_no_illegal_move() -> None:
    """No bishop has left a square: the king is where he was, and the rook went amiss."""
    table = TableTalk.ready(TableSetup(start_fen="2kr4/8/5b2/8/8/8/P7/4K3 w - - 0 1"))
    table.sees(4.0, without="a2").sees(4.3, white_pawn="a3").clock(5.0, 298, 300, "right")
    table.sees(7.0, black_bishop="c8").sees(8.2, without="d8").clock(9.4, 298, 296, "left")
    table.sees(9.6, black_rook="c5").ticks(18.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_a_man_who_is_seen_elsewhere_did_not_go_where_a_square_shows_wrong() -> None:
    """The pawn on d4 is read as a knight; the one from c6 stands on e8, and took nobody there."""
    table = TableTalk.ready(TableSetup(start_fen="6k1/8/2n5/8/3P4/8/P7/4K3 w - - 0 1"))
    table.sees(3.0, white_knight="d4").sees(4.0, without="a2").sees(4.3, white_pawn="a3")
    table.clock(5.0, 298, 300, "right").sees(8.0, without="c6").sees(8.4, black_knight="e8")
    table.clock(9.0, 298, 297, "left").ticks(17.0)
    assert table.moves == "a3"
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_a_man_that_came_before_any_other_left_is_misread() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, white_bishop="d2").sees(15.0, without="c1").clock(16.0, 290, 290, "right")
    table.ticks(18.5)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]


JUMPED = "r1bqkb1r/ppp2ppp/2n2n2/1B1pp3/P2PP3/2N2N2/1PP2PPP/R1BQK2R"


def jumped() -> TableTalk:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.shows(14.0, JUMPED)
    return table.clock(15.0, 290, 290, "right").ticks(17.0)


def test_a_position_that_is_taken_for_the_game_leaves_nothing_unresolved() -> None:
    table = jumped()
    table.sees(17.2, without="a7").sees(17.5, black_pawn="a6").clock(18.0, 290, 288, "left")
    table.sees(20.2, without="h2").sees(20.5, white_pawn="h3").clock(21.0, 287, 288, "right")
    table.ticks(60.0)
    assert [code for code, _ in grave(table)] == ["POSITION_UNRESOLVED", "SCORESHEET_GAP"]
    cleared = [fact.code for fact in table.told(AlertCleared) if isinstance(fact, AlertCleared)]
    assert cleared == ["POSITION_UNRESOLVED"]


def test_presses_without_anything_that_is_done_for_them_tell_that_scans_are_missed() -> None:
    table = jumped()
    for at in range(18, 40, 3):
        table.clock(at, 290, 290, "right" if at % 2 else "left").ticks(at + 2.0)
    assert "SCORESHEET_GAP" not in [code for code, _ in grave(table)]


def test_what_stands_is_not_taken_for_the_game_as_soon_as_fast_play_is_not_explained() -> None:
    """A bishop is read as a queen, h1 shows nothing, and the rook castles after two replies."""
    fen = "r1bqk2r/1pp2ppp/p1np1n2/2b1p3/P1B1P3/2NPBN2/1PP2PPP/R2QK2R b KQkq - 0 7"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.sees(1.5, without="h1", black_queen="c8").clock(4.34, 300, 297, "right")
    table.sees(4.88, without="e8").clock(5.07, 300, 301, "left").sees(5.08, black_king="g8")
    table.sees(5.48, without="e3").sees(5.88, white_bishop="c5").clock(6.09, 303, 301, "right")
    table.clock(6.96, 303, 305, "left").sees(7.08, without="d6", black_pawn="c5")
    table.sees(7.88, without="h8").sees(8.28, black_rook="f8").clock(8.34, 302, 305, "left")
    table.ticks(12.0)
    assert "SCORESHEET_GAP" not in [code for code, _ in grave(table)]


def test_a_man_moved_in_the_turn_before_the_last_press_is_no_wrong_sides_move() -> None:
    """White's move is not seen at all, though he pressed."""
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.clock(13.0, 280, 290, "left").clock(14.0, 280, 290, "right")
    table.sees(15.0, without="b8").sees(15.5, black_knight="c6").clock(16.0, 280, 288, "left")
    table.ticks(20.0)
    assert "WRONG_SIDE_MOVED" not in [code for code, _ in grave(table)]


def test_a_man_that_is_missing_while_an_illegal_move_is_put_right_is_no_move() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="g1").sees(14.4, white_knight="g3").clock(15.0, 290, 300, "right")
    table.ticks(17.0).sees(17.5, without="e1").clock(18.0, 290, 297, "right", run=False)
    table.sees(20.0, without="g3").sees(20.4, white_knight="g1").ticks(40.0)
    table.clock(41.0, 290, 297, "left").ticks(60.0)
    assert table.moves == "e4 e5"
    assert "AMBIGUOUS_MOVE" not in [code for code, _ in grave(table)]


def test_a_move_that_only_men_bar_that_are_not_seen_is_no_illegal_one() -> None:
    """The board lost sight of d2 long before the game came to this position."""
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.sees(14.0, without="d2").sees(14.5, without="g1").sees(15.0, white_knight="f3")
    table.clock(16.0, 290, 290, "right").ticks(18.0)
    table.sees(19.0, without="b8").sees(19.4, black_knight="c6").clock(20.0, 290, 287, "left")
    table.ticks(22.0)
    assert table.moves == "e4 e5 Nf3 Nc6"
    table.sees(24.0, without="c1").sees(24.4, white_bishop="g5").clock(25.0, 286, 287, "right")
    table.ticks(30.0)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]


def test_a_man_that_came_long_after_the_press_made_two_moves() -> None:
    """The king went to a square that sees nothing, and on from there when Black had moved."""
    table = TableTalk.ready(TableSetup(start_fen="4R3/8/8/3k3p/7r/3p4/8/3K4 w - - 0 1"))
    table.sees(4.0, without="d1").clock(5.0, 299, 300, "right")
    table.sees(7.0, without="h4").sees(9.0, black_rook="d4").sees(9.8, white_king="e3")
    table.ticks(20.0)
    assert "ILLEGAL_MOVE" not in [code for code, _ in grave(table)]


def test_a_man_whose_last_move_was_guessed_may_only_have_been_held_there() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4", "e5")
    table.link(20.0, "lost").link(21.0, "live")
    table.shows(21.1, "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R")
    table.clock(21.2, 290, 290, "left").ticks(23.0)
    table.sees(23.0, without="f3").sees(23.4, white_knight="g3").clock(24.0, 287, 290, "right")
    table.ticks(33.0)
    assert grave(table)[-1] == ("POSITION_UNRESOLVED", "notice")


def test_a_king_taken_up_while_a_slide_is_waited_for_is_not_looked_past() -> None:
    """He left his square before the press of the move before was believed."""
    setup = TableSetup(start_fen="3r2k1/8/8/8/8/7b/8/6K1 b - - 0 1")
    table = TableTalk.ready(setup, clock=False).clock(0.5, 300, 300, "right")
    table.sees(4.0, without="d8", black_rook="d6").sees(4.12, without="d6", black_rook="d5")
    table.sees(4.24, without="d5", black_rook="d4").sees(4.98, without="g1")
    table.clock(5.39, 300, 299, "left").ticks(5.7).sees(5.84, white_king="g2")
    table.clock(6.5, 299, 299, "right").ticks(8.5)
    alerts = [fact.code for fact in table.facts if isinstance(fact, AlertRaised)]
    assert alerts == ["KING_LEFT_IN_CHECK"]


@pytest.mark.parametrize("lifted", ["", "f1"])
def test_who_stood_there_before_is_not_the_man_that_is_taken_up_later(lifted: str) -> None:
    """Without names, a knight on d1 is not Black's bishop, nor White's rook that goes up then."""
    setup = TableSetup(start_fen="4k3/8/8/8/4n3/8/3B4/5RK1 b - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup, clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="e4").sees(4.4, black_knight="d1").clock(5.0, 300, 297, "left")
    if lifted:
        table.sees(6.1, without=lifted).sees(7.7, white_rook=lifted)
    table.ticks(14.0)
    told = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(fact.code, fact.san_tried) for fact in told if fact.illegal] == [
        ("ILLEGAL_MOVE", "Nd1")
    ]
    assert not table.told(MoveSettled)


def displaced() -> TableTalk:
    """A rook is moved, and the queen knocked over to the next square; the clock is pressed."""
    table = TableTalk.ready(TableSetup(start_fen="r1q1k3/8/8/8/8/8/8/4K3 b - - 0 1"))
    table.clock(1.0, 300, 300, "right")
    table.sees(2.0, without="a8").sees(2.3, black_rook="b8")
    table.sees(2.4, without="c8").sees(2.41, black_queen="d8")
    return table.clock(3.0, 300, 298, "left").ticks(4.2)


def test_a_man_knocked_to_the_next_square_may_be_put_right_after_the_press() -> None:
    table = displaced().sees(4.3, without="d8").sees(4.8, black_queen="c8").ticks(9.0)
    assert (grave(table), table.moves) == ([], "Rb8")


def test_two_men_who_went_elsewhere_are_told_when_neither_is_put_right() -> None:
    assert grave(displaced().ticks(10.3)) == []
    assert grave(displaced().ticks(11.0)) == [("ILLEGAL_MOVE", "critical")]


def test_a_king_without_a_name_pushed_by_his_rook_has_not_castled() -> None:
    """The rook goes from h1 to c1 and pushes the king from b1 to a1 as the board looks."""
    fen = "4k3/7p/8/8/8/8/8/1K5R w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"))
    table.clock(1.0, 300, 300, "left").sees(2.0, without="h1")
    table.sees(2.6, without="b1", white_king="a1", white_rook="c1").clock(3.0, 298, 300, "right")
    table.ticks(4.3).sees(4.4, without="a1").sees(5.5, white_king="b1").ticks(9.0)
    assert (grave(table), table.moves) == ([], "Rc1")


def test_a_man_taken_up_as_the_move_before_is_finished_makes_an_illegal_move() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/7p/8/4P3/3p4/8/8/4K3 b - - 0 1"))
    table.clock(1.0, 300, 300, "right")
    table.sees(2.0, without="d4").sees(2.3, black_pawn="d3").sees(2.43, without="e5")
    table.clock(2.75, 300, 298, "left").sees(2.87, white_pawn="c4")
    table.clock(3.45, 299, 298, "right").ticks(6.0)
    assert grave(table)[-1] == ("ILLEGAL_MOVE", "critical")


@pytest.mark.parametrize(("knight", "codes"), [("f3", {"ILLEGAL_MOVE"}), ("d5", set())])
def test_one_man_who_went_elsewhere_while_nobody_watched_was_moved_illegally(
    knight: str, codes: set[str]
) -> None:
    """Any other way of the bishop to a5 takes five plies; not so if the knight has gone too."""
    fen = "4k3/8/b7/8/8/5N2/8/4K3 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.ticks(4.0).link(4.1, "lost").link(12.0, "live")
    shown = chess.Board(fen)
    for gone in (chess.A6, chess.F3):
        shown.remove_piece_at(gone)
    shown.set_piece_at(chess.A5, chess.Piece.from_symbol("b"))
    shown.set_piece_at(chess.parse_square(knight), chess.Piece.from_symbol("N"))
    table.shows(12.1, shown.board_fen()).clock(12.2, 300, 292, "left").ticks(16.0)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert {fact.code for fact in alerts if fact.illegal} == codes


def test_who_was_looked_past_and_is_seen_elsewhere_went_there_and_not_another_of_his_kind() -> None:
    """One bishop goes to a6; the other, on d3, is not read for a moment, and may go there."""
    fen = "6r1/1b1k3p/5P2/8/8/B1PB1q2/P4PPP/3R2K1 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(5.1, without="a3", white_bishop="a4").sees(5.3, white_bishop="a5")
    table.sees(5.33, without="a4").sees(5.35, without="d3").sees(5.41, white_bishop="a6")
    table.sees(5.42, without="a5").sees(5.63, white_bishop="d3", without="b7")
    table.sees(5.93, black_bishop="b7").clock(6.5, 300, 300, "right").ticks(7.4)
    table.expects("alert ILLEGAL_MOVE GEOMETRY")
    table.sees(7.5, without="g8").sees(7.8, black_rook="g5").sees(8.4, without="g5").expects()
    table.sees(8.6, black_rook="h8").clock(9.5, 300, 297, "left").expects_soon(
        "1. Ba6 by stands", "1. has 300", "2. Rh8 by press", "2. has 297"
    )


UNNAMED_ILLEGAL = [
    pytest.param(  # the board scans g5 just before a5; it is no ghost beside an unseen capture
        "8/7r/1Q2p1kp/r2p4/4p3/N6P/P4K1P/8 b - - 0 45",
        "0.0 +g5 0.04 -a5",
        ("ILLEGAL_MOVE", "Rg5"),
        id="who came as a man left is that man",
    ),
    pytest.param(  # the queen on b6 might have gone to g1, but it is there still
        "r4rk1/p3b1pp/1qp1b3/1p2Pp2/4p3/1P3P2/PBP1B1PP/R2Q1R1K b - - 2 16",
        "0.0 -f1 0.3 +g1",
        ("WRONG_SIDE_MOVED", "Rg1"),
        id="who came from elsewhere is not who has not left",
    ),
    pytest.param(  # f2 was only touched: it stood there again before the rook left
        "r1b1k3/pp5p/n3p2n/1Np5/P1B1p2q/2P5/1B3rPP/Q4RK1 w q - 0 18",
        "0.0 -f2 0.5 +f2 2.2 -f1 2.7 +h1",
        ("ILLEGAL_MOVE", "Rh1"),
        id="who is back before a man left was not taken by him",
    ),
    pytest.param(  # b3 was emptied for the rook; he is not on a8, which shows nothing
        "1rbq1rk1/ppp4p/n2p2pn/5p2/2P1PP2/1Pb1B2N/P3PKPP/R2Q1B1R b - - 1 13",
        "0.0 -b8 0.2 -b3 0.4 +b3",
        ("ILLEGAL_MOVE", "Rxb3"),
        id="a man seen nowhere took where a square was filled again",
    ),
    pytest.param(  # as before, and the press is heard 2.5 s later
        "r2qkb1r/p3p3/n1p1bnpp/1N1p1p2/1P1P1P2/P3P1PN/2PB3P/2RQKB1R b Kkq - 0 12",
        "0.0 -h8 0.2 -h3 0.6 +h3 2.6",
        ("ILLEGAL_MOVE", "Rxh3"),
        id="though the press is heard late",
    ),
    pytest.param(  # a slow board shows the king on e2 a third of a second before d2 is empty
        "N2k2nr/n7/2p2pp1/p2P3p/b5q1/8/R2K4/1R6 w - - 0 32",
        "0.0 +e2 0.35 -d2",
        ("KING_LEFT_IN_CHECK", "Ke2"),
        id="a man on his way to the next square is on both",
    ),
    pytest.param(  # a3 has shown nothing for long when the rook goes to d8
        "2q3kr/6n1/1p2p3/1Np3P1/8/PR4Q1/8/BR4K1 b - - 3 28",
        "0.0 -a3 8.0 -h8 8.7 +d8",
        ("ILLEGAL_MOVE", "Rd8"),
        id="a man who has long been gone does not hide it",
    ),
    pytest.param(  # two men are away together: which one the knight took is not known
        "r1bq1kr1/1p1p4/p7/2p1pn2/PnPb4/5BP1/1P1N1P2/R1B1QR1K b - - 2 19",
        "0.0 -f5 1.0 -f3 1.0 -f2 3.0 +f3 3.0 +f2",
        ("POSITION_UNRESOLVED", None),
        id="of two men away together none is accused to be taken",
    ),
    pytest.param(  # his own man on g3 was taken off for the pawn, who is seen nowhere else
        "rn2k2r/ppp2ppp/4pn2/5b2/2BP3q/6NP/PPP2PP1/R1BQ1RK1 w kq - 0 11",
        "0.0 -g3 0.6 -f2 0.9 +g3",
        ("ILLEGAL_MOVE", "fxg3"),
        id="a man took one of his own side",
    ),
    pytest.param(  # a scan shows that the rook is gone from a8 and that a7 is filled
        "r3r1k1/pp1qbppp/3pnn2/2pNp3/2P1P2N/1P1P2P1/PB2QP1P/R4RK1 b - - 0 14",
        "0.0 -a7 0.6 -a8 +a7",
        ("ILLEGAL_MOVE", "Rxa7"),
        id="a man took one of his own side within one scan",
    ),
    pytest.param(  # the knight on g3 was adjusted before the pawn was taken up
        "rn2k2r/ppp2ppp/4pn2/5b2/2BP3q/6NP/PPP2PP1/R1BQ1RK1 w kq - 0 11",
        "0.0 -g3 0.3 +g3 0.9 -f2",
        ("POSITION_UNRESOLVED", None),
        id="a man adjusted before another one left was not taken by him",
    ),
]


@pytest.mark.parametrize(("fen", "steps", "told"), UNNAMED_ILLEGAL)
def test_illegal_moves_of_men_without_names(
    fen: str, steps: str, told: tuple[str, str | None]
) -> None:
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"), clock=False)
    white = chess.Board(fen).turn
    table.clock(1.0, 300, 300, "left" if white else "right").ticks(4.0)
    at = 0.0
    for step in steps.split():
        if step[0] == "+":
            table.sees(4.0 + at, white_pawn=step[1:])
        elif step[0] == "-":
            table.sees(4.0 + at, without=step[1:])
        else:
            at = float(step)
    table.clock(4.5 + at, 300, 300, "right" if white else "left").ticks(9.0 + at)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(alert.code, alert.san_tried) for alert in alerts] == [told]
    assert not table.told(MoveSettled)


def test_an_illegal_move_of_a_man_without_a_name_is_told_though_the_reply_is_made_soon() -> None:
    """What is done after the press is not his, and the press is not waited on any longer."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4", "e5")
    table.sees(10.0, without="b1").sees(10.3, white_knight="d3").clock(10.6, 299, 300, "right")
    table.sees(11.2, without="g7").sees(11.4, black_pawn="g6").ticks(13.0)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(alert.code, alert.san_tried) for alert in alerts] == [("ILLEGAL_MOVE", "Nd3")]
    table.clock(13.5, 299, 298, "left").ticks(15.0)
    assert table.moves == "e4 e5 Nd3 g6"


def test_what_a_reply_that_was_begun_before_the_press_was_told_changes_is_none_of_it() -> None:
    """The knight on c3 is taken up 0.1 s before the clock tells the press, and stands on b1 soon.

    The order in which the men went tells whose the squares are.
    """
    fen = "rnb2rk1/ppp1qp1p/5npQ/4p3/2P5/2N2N2/PP2PPPP/3RKB1R b K - 3 10"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"), clock=False)
    table.clock(1.0, 300, 300, "right").sees(4.0, without="b8").sees(4.5, black_knight="c5")
    table.sees(9.3, without="c3").clock(9.4, 300, 297, "left").sees(9.9, white_knight="b1")
    table.clock(10.4, 300, 297, "right").ticks(12.5)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(alert.code, alert.san_tried) for alert in alerts] == [("ILLEGAL_MOVE", "Nc5")]


@pytest.mark.parametrize(
    ("told_after", "code"), [(0.02, "WRONG_SIDE_MOVED"), (0.5, "POSITION_UNRESOLVED")]
)
def test_a_man_told_to_have_gone_together_with_the_press_had_gone_before_it(
    told_after: float, code: str
) -> None:
    """White moved Black's queen, which a slow board tells a moment after the press.

    Later she is Black's own move, in his time, and White's is missing.
    """
    fen = "r1bqr1k1/1p3ppp/4pn2/p1b1R3/2Pp4/PP1P2P1/1B3PBP/RN1Q2K1 w - - 1 15"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"), clock=False)
    table.clock(1.0, 300, 300, "left").sees(3.0, without="h2").sees(3.4, white_pawn="h3")
    table.clock(4.0, 299, 300, "right").sees(7.0, without="d8").sees(7.4, black_queen="d6")
    table.clock(8.0, 299, 297, "left").ticks(10.0).clock(15.0, 293, 297, "right")
    table.sees(15.0 + told_after, without="d6", white_pawn="c6").ticks(20.0)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [alert.code for alert in alerts] == [code]


def test_a_reply_of_a_man_without_a_name_is_his_players_however_quick() -> None:
    """The bishop is taken up 0.15 s after the move that he answers stands."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4", "e5")
    table.sees(10.0, without="g1").sees(10.3, white_knight="f3").sees(10.45, without="f8")
    table.sees(10.8, black_bishop="g6").clock(10.7, 299, 300, "right").ticks(11.5)
    table.clock(11.6, 299, 299, "left").ticks(14.0)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(alert.code, alert.san_tried) for alert in alerts] == [("ILLEGAL_MOVE", "Bg6")]


def test_a_man_who_is_adjusted_after_the_press_was_not_taken_by_his_own_side() -> None:
    fen = "1r3k2/3r1p1Q/8/4n1N1/8/7P/8/6K1 w - - 0 57"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"))
    table.sees(4.0, without="g5").clock(4.8, 299, 300, "right").ticks(5.6)
    table.sees(5.8, without="h3").sees(6.5, white_pawn="h3").ticks(9.0)
    assert "ILLEGAL_MOVE" not in [code for code, _ in grave(table)]


def test_who_may_have_been_taken_unseen_was_not_taken_by_his_own_side() -> None:
    """The queen took on c2 and not on a1, as is thought, and is taken there."""
    fen = "6k1/6pp/8/8/q7/8/2P3PP/RN1Q2K1 b - - 0 30"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"), clock=False)
    table.clock(1.0, 300, 300, "right").sees(4.0, without="a4").clock(5.0, 300, 297, "left")
    table.ticks(6.5).sees(6.8, without="d1").sees(7.2, without="c2").sees(7.4, white_queen="c2")
    table.clock(7.8, 299, 297, "right").ticks(12.0)
    assert "ILLEGAL_MOVE" not in [code for code, _ in grave(table)]


def test_what_is_left_of_castling_that_is_taken_back_is_no_move() -> None:
    fen = "4k2r/1pq5/5n1p/p3p1p1/Pb3p2/1Q1P1N2/1Pr1PPP1/R2K1B1R b k - 3 22"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="e8").sees(4.4, black_king="g8", without="h8")
    table.sees(4.8, black_rook="f8").clock(5.5, 300, 300, "left").ticks(8.0)
    table.sees(12.0, without="g8").sees(12.5, black_king="e8")
    table.sees(13.0, without="f8").sees(13.7, black_rook="h8").ticks(18.0)
    assert grave(table) == [("CASTLING_ILLEGAL", "critical")]
    assert not table.told(MoveSettled)


def test_a_move_that_was_put_right_while_the_clock_stood_is_none_of_the_game() -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="d8").sees(4.4, black_queen="f5").clock(4.9, 300, 300, "left")
    table.ticks(7.0).clock(8.0, 300, 300, "left", run=False).sees(9.0, without="f5")
    table.sees(9.6, black_queen="d8").ticks(17.0).sees(17.1, without="h7")
    table.clock(17.15, 300, 300, "right").sees(17.9, black_pawn="h5").ticks(18.2)
    table.clock(18.3, 300, 300, "left").ticks(19.0)
    assert [fact.san for fact in table.told(MoveSettled) if isinstance(fact, MoveSettled)] == ["h5"]


def test_a_king_read_on_two_squares_by_a_slow_board_went_to_the_second() -> None:
    table = TableTalk.ready(TableSetup(start_fen="8/7R/6K1/8/8/6k1/8/5Q2 b - - 0 1"), clock=False)
    table.clock(1.0, 300, 300, "right").sees(4.0, black_king="h2").sees(4.35, without="g3")
    table.clock(5.0, 300, 300, "left").ticks(8.0)
    assert grave(table) == [("KING_LEFT_IN_CHECK", "critical")]


def test_a_man_of_his_own_who_is_not_read_does_not_hide_an_illegal_move() -> None:
    fen = "3krb1r/7p/pP2pp1n/8/5P1q/NP2P3/1B6/1RQK4 w - - 0 29"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="a3").sees(5.0, without="b2", white_bishop="h8")
    table.clock(5.5, 300, 300, "right").ticks(9.5)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


@pytest.mark.parametrize("stood", [0.7, 1.4])
def test_who_pressed_too_early_may_slide_on(stood: float) -> None:
    """From b1 the knight comes to c1, and 0.3 s after the press to d2."""
    fen = "3k4/7p/8/8/8/8/7P/1N2K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="b1").sees(4.25, white_knight="c1")
    table.clock(4.25 + stood, 300, 300, "right").sees(4.55 + stood, without="c1")
    table.sees(4.8 + stood, white_knight="d2").ticks(9.0)
    assert not grave(table)
    assert table.moves == "Nd2"


def test_a_pawn_replaced_after_the_clock_was_stopped_was_promoted() -> None:
    fen = "2bqr3/2pp1Pk1/r4p2/Pp5B/4P2p/3P3N/RPnN1P1P/2B2RK1 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="e8").sees(4.6, without="f7").sees(4.9, white_pawn="e8")
    table.clock(7.1, 304, 300, "right").ticks(8.7).clock(8.8, 304, 299, "right", run=False)
    table.sees(9.9, without="e8").sees(10.5, white_queen="e8").ticks(12.0)
    table.clock(12.8, 304, 299, "right").sees(13.0, without="d8 e8").sees(13.4, black_queen="e8")
    table.clock(14.0, 304, 302, "left").ticks(16.0)
    assert grave(table) == [("PROMOTION_NOT_REPLACED", "critical")]
    assert table.moves == "fxe8=Q Qxe8"


@pytest.mark.parametrize(("replaced", "alerts"), [(1.5, 0), (4.0, 1)])
def test_a_hand_that_is_still_at_the_promoted_pawn_is_waited_for(
    replaced: float, alerts: int
) -> None:
    fen = "4k3/P6p/8/8/8/8/8/4K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="a7").sees(4.3, white_pawn="a8").clock(5.0, 300, 300, "right")
    table.sees(4.5 + replaced, without="a8").sees(5.0 + replaced, white_queen="a8").ticks(12.0)
    assert len(grave(table)) == alerts
    assert table.moves == "a8=Q+"


def test_an_opponents_man_who_flickers_does_not_make_a_wobbling_man_illegal() -> None:
    fen = "r2qkbnr/pppb1pp1/2n1p2p/8/3P1N2/6P1/PPP2P1P/RNBQKB1R b KQkq - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="c6").sees(4.7, black_knight="d4")
    table.sees(5.0, black_knight="c5").sees(5.03, without="d4")
    table.sees(5.33, without="c5").sees(5.37, black_knight="d4")
    table.sees(5.66, black_knight="c5").sees(5.7, without="d4").clock(5.99, 300, 300, "left")
    table.sees(6.36, without="c5").sees(6.4, black_knight="d4").ticks(10.0)
    assert (grave(table), table.moves) == ([], "Nxd4")


def test_a_man_who_jumped_over_another_one_was_not_exchanged_for_it() -> None:
    """The bishop could be taken on d3, but it stands on e2, and the pawn on d3 never left."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/b7/8/8/3P4/4P3/4K3 b - - 0 1"))
    table.sees(4.0, without="a6").sees(4.4, without="e2").sees(4.75, black_bishop="e2")
    table.clock(6.2, 300, 298, "right").ticks(8.0).expects("alert ILLEGAL_MOVE PATH_BLOCKED")


def test_an_illegal_move_is_told_beside_a_man_who_is_not_seen_on_his_square() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/6p1/8/8/8/8/7P/4K2R w - - 0 1"))
    table.sees(3.0, without="g7").sees(4.2, without="h1").sees(4.5, white_rook="h3")
    table.clock(5.2, 297, 300, "right").ticks(8.0).expects("alert ILLEGAL_MOVE PATH_BLOCKED")


def test_a_pawn_that_was_replaced_after_it_was_told_is_never_one_again() -> None:
    """Nobody plays on from a pawn on its last rank when the queen has taken its place."""
    table = TableTalk.ready(TableSetup(start_fen="8/2P2k2/4b3/8/8/8/3K4/8 w - - 0 1"))
    table.sees(4.0, without="c7").sees(4.3, white_pawn="c8").clock(5.0, 299, 300, "right")
    table.ticks(8.0).clock(9.0, 299, 296, "right", run=False)
    table.sees(10.0, without="c8").sees(10.4, white_queen="c8").ticks(12.5)
    table.sees(13.0, without="e6").clock(13.3, 299, 296, "right").ticks(13.4)
    table.sees(13.5, black_bishop="c8").clock(15.0, 299, 294, "left").ticks(16.0)
    assert table.moves == "c8=Q Bxc8"
    assert not table.told(MovesCorrected)


def put_down_beside() -> TableTalk:
    """The knight is put down so far from f3 that g3 shows him, and White has pressed."""
    table = TableTalk.ready()
    table.sees(4.0, without="g1").sees(4.3, white_knight="g3")
    return table.clock(4.8, 299, 300, "right").ticks(7.0)


def test_a_man_put_down_beside_where_he_may_go_may_be_put_right_after_the_press() -> None:
    table = put_down_beside()
    table.sees(7.5, without="g3", white_knight="f3").sees(7.7, without="b8").ticks(9.0)
    assert table.moves == "Nf3"
    assert not grave(table)


def test_a_king_shown_two_squares_away_may_be_put_right_where_he_cannot_have_castled() -> None:
    table = TableTalk.ready(TableSetup(start_fen="7k/8/8/4K3/8/8/7r/8 w - - 0 1"))
    table.sees(3.0, without="e5").sees(3.3, white_king="e7").clock(4.0, 299, 300, "right")
    table.ticks(6.5).sees(6.5, without="e7", white_king="e6").ticks(9.0)
    assert (grave(table), table.moves) == ([], "Ke6")


@pytest.mark.parametrize(
    ("put_right", "codes"), [(5.6, []), (6.6, [("KING_LEFT_IN_CHECK", "critical")])]
)
def test_a_king_put_down_in_check_beside_where_he_may_go_may_be_put_right_for_a_moment(
    put_right: float, codes: list[tuple[str, str]]
) -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k2r/8/8/8/8/8/6K1/8 w - - 0 1"))
    table.sees(3.0, without="g2").sees(3.3, white_king="h2").clock(5.0, 299, 300, "right")
    table.ticks(put_right).sees(put_right, without="h2", white_king="g3").ticks(9.0)
    assert (grave(table), table.moves) == (codes, "Kg3")


def test_a_man_put_down_beside_where_he_may_go_is_told_when_he_is_put_back() -> None:
    table = put_down_beside()
    table.sees(7.2, without="g3").sees(7.6, white_knight="g1").ticks(8.0)
    table.expects("alert ILLEGAL_MOVE GEOMETRY", "cleared ILLEGAL_MOVE")
    table.clock(8.5, 299, 300, "left").sees(9.0, without="g1").sees(9.3, white_knight="f3")
    table.clock(10.0, 299, 300, "right").ticks(11.0)
    assert table.moves == "Nf3"


def test_a_man_put_down_beside_where_he_may_go_is_told_when_the_reply_begins() -> None:
    table = put_down_beside()
    table.sees(7.2, without="b8").ticks(7.4).expects()
    table.ticks(7.6).expects("alert ILLEGAL_MOVE GEOMETRY")


@pytest.mark.parametrize(("sensing", "pressed"), [("occupancy", 4.8), ("identity", 4.2)])
def test_who_has_no_name_or_came_after_the_press_may_be_put_right_as_long(
    sensing: Sensing, pressed: float
) -> None:
    """The knight comes to g3 at 4.9 s and is taken to f3 3.5 s later, within the time he has."""
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.sees(4.0, without="g1").clock(pressed, 299, 300, "right")
    table.sees(4.9, white_knight="g3").ticks(8.3).expects()
    table.sees(8.4, without="g3").sees(8.5, white_knight="f3").ticks(10.0)
    assert table.moves == "Nf3"
    assert grave(table) == []


def test_a_man_who_only_flickers_is_no_reply_to_a_man_put_down_beside_where_he_may_go() -> None:
    table = put_down_beside()
    table.sees(7.2, without="b8").sees(7.4, black_knight="b8").ticks(8.0).expects()
    table.sees(8.2, without="g3").sees(8.3, white_knight="f3").ticks(9.5)
    assert table.moves == "Nf3"
    assert grave(table) == []


def test_a_man_put_down_beside_where_he_may_go_is_told_when_he_is_about_to_be_taken() -> None:
    """The pawn on h7 stands beside g6 as well, but White's pawn may not take it there."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/7p/8/8/5P2/8/8/4K3 w - - 0 1"))
    table.sees(4.0, without="f4").sees(4.3, white_pawn="g6").clock(4.8, 299, 300, "right")
    table.ticks(7.0).expects()
    table.sees(7.2, without="h7").ticks(7.6).expects("alert ILLEGAL_MOVE PAWN_GEOMETRY")


def test_a_man_put_down_beside_where_he_may_go_is_told_when_the_clock_is_turned_back() -> None:
    table = put_down_beside()
    table.clock(7.2, 299, 300, "left").ticks(7.3).expects("alert ILLEGAL_MOVE GEOMETRY")


def test_a_man_put_down_beside_where_he_may_go_is_told_when_the_link_is_lost() -> None:
    table = put_down_beside()
    table.expects()
    table.link(7.2, "lost")
    assert ("ILLEGAL_MOVE", "critical") in grave(table)


def test_a_man_who_takes_one_of_his_own_side_is_told_though_he_is_taken_at_once() -> None:
    fen = "rnb2rk1/pp3pp1/2pq3p/3p1n2/3P1Q2/2NBPN2/PP3PPP/R3K2R w KQ - 9 13"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without="e3").sees(4.8, without="f4").sees(5.8, white_queen="e3")
    table.clock(6.4, 299, 300, "right").sees(6.85, without="f5").sees(7.5, black_knight="e3")
    table.clock(8.7, 299, 299, "left").sees(9.3, without="e3").sees(10.2, without="f2")
    table.sees(11.2, white_pawn="e3").clock(11.5, 298, 299, "right").ticks(15.0)
    assert ("ILLEGAL_MOVE", "critical") in grave(table)
    assert table.moves == "Qxe3 Nxe3 fxe3"


@pytest.mark.parametrize(
    ("stood", "code"), [(2.0, "POSITION_UNRESOLVED"), (6.0, "ILLEGAL_MOVE GEOMETRY")]
)
def test_who_stood_for_long_was_not_only_held_where_a_second_look_found_him(
    stood: float, code: str
) -> None:
    """A rook that was misread is found on e8, and goes on from there as none may."""
    fen = "r5k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen)).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="a8").sees(4.26, black_rook="e8").sees(4.36, without="e8")
    table.sees(4.43, black_queen="e8").sees(4.6, without="d1").sees(4.8, white_rook="e1")
    table.clock(5.36, 300, 298, "left").clock(5.5, 300, 298, "right")
    table.sees(5.9, black_rook="e8").sees(5.9 + stood, without="e8")
    table.sees(6.4 + stood, black_rook="c7").clock(7.0 + stood, 300, 295, "left").ticks(24.0)
    assert [line for line in table.script if "alert" in line] == [f"{'-> alert ':>29}{code}"]


def test_a_reply_as_quick_as_a_hand_is_not_done_before_the_move_that_it_answers() -> None:
    """The knight is put where none may go 0.15 s after the queen came to rest."""
    fen = "4k3/3q4/8/8/8/5N2/8/4K3 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen)).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="d7").sees(4.2, without="f3").sees(4.3, black_queen="d6")
    table.sees(4.45, white_knight="b8").clock(4.6, 300, 298, "left").clock(5.0, 299, 298, "right")
    table.ticks(12.0).expects("1. Qd6 by press", "1. has 298", "alert ILLEGAL_MOVE GEOMETRY")


def test_who_stood_where_he_may_not_is_told_when_he_is_taken_there() -> None:
    """It was waited for whether he is put right; then the opponent takes him up, and off."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/7n/8/8/5N2/8/4K3 w - - 0 1"))
    table.sees(4.0, without="f3").sees(4.3, white_knight="g4").clock(5.0, 299, 300, "right")
    table.sees(7.5, without="g4").sees(8.4, black_knight="g4").sees(8.45, without="h6").ticks(12.0)
    table.expects("alert ILLEGAL_MOVE GEOMETRY")
    table.clock(12.5, 299, 292, "left").ticks(13.0)
    assert table.moves == "Ng4 Nxg4"


@pytest.mark.parametrize("put_right", [True, False])
def test_who_took_and_lies_beside_his_victims_square_is_waited_for(put_right: bool) -> None:
    """A pawn pushes his victim off and slips on to the next square; the press is heard there."""
    fen = "4k3/8/8/2p5/3P4/8/8/4K3 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="c5").sees(4.3, black_pawn="d4").sees(4.8, without="d4")
    table.sees(4.82, black_pawn="d3").clock(6.0, 300, 298, "left").ticks(7.0).expects()
    if put_right:
        table.sees(7.0, without="d3").sees(7.1, black_pawn="d4").ticks(14.0)
        table.expects("1. cxd4 by press", "1. has 298")
    else:
        table.ticks(14.0).expects("alert ILLEGAL_MOVE PAWN_GEOMETRY")


def test_a_reply_begun_beside_where_a_man_lies_is_no_victim_of_his() -> None:
    """The man that was taken up stands beside, but the knight may not go there."""
    fen = "4k3/8/8/8/8/4p3/8/1N2K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(4.0, without="b1").sees(4.3, white_knight="d4").clock(5.0, 299, 300, "right")
    table.sees(5.5, without="e3").ticks(8.0).expects("alert ILLEGAL_MOVE GEOMETRY")


def test_a_second_move_before_the_press_is_told() -> None:
    table = TableTalk.ready(TableSetup(start_fen="7k/7p/8/8/8/8/4P3/K2Q4 w - - 0 1"))
    table.sees(4.0, without="e2").sees(4.3, white_pawn="e4").ticks(5.0)
    table.sees(6.0, without="d1").sees(6.6, white_queen="d6").clock(7.5, 299, 300, "right")
    table.ticks(12.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]
    assert table.moves == ""


def test_a_man_pushed_to_the_next_square_after_the_move_makes_no_second_move() -> None:
    table = TableTalk.ready(TableSetup(start_fen="7k/7p/8/8/8/8/4P3/K2Q4 w - - 0 1"))
    table.sees(4.0, without="e2").sees(4.3, white_pawn="e4").ticks(5.0)
    table.sees(6.0, without="d1").sees(6.6, white_queen="d2").clock(7.5, 299, 300, "right")
    assert (grave(table.ticks(15.0)), table.moves) == ([], "e4")


def moved_two(missing: str = "", *, stopped: bool = True) -> TableTalk:
    """White plays e4, and moves the queen to the next square before the press."""
    table = TableTalk.ready(TableSetup(start_fen="7k/7p/8/8/8/8/4P2P/K2Q4 w - - 0 1"))
    table.clock(1.0, 300, 300, "left").sees(1.5, without=missing)
    table.sees(4.0, without="e2").sees(4.3, white_pawn="e4")
    table.sees(6.0, without="d1").sees(6.6, white_queen="d2").clock(7.5, 299, 300, "right")
    return table.clock(13.0, 299, 296, "right", run=False) if stopped else table.ticks(12.0)


@pytest.mark.parametrize("missing", ["", "h2"])
def test_a_second_man_moved_to_the_next_square_is_told_when_the_clock_is_stopped_for_it(
    missing: str,
) -> None:
    table = moved_two(missing)
    assert (grave(table.ticks(14.0)), table.moves) == ([("ILLEGAL_MOVE", "critical")], "")


def opened() -> TableTalk:
    """A game on a board without names after two plies; White is to move."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4", "e5")
    return table


@pytest.mark.parametrize("first", ["pawn", "knight"])
def test_two_men_without_names_who_went_to_legal_squares_in_one_turn_were_both_moved(
    first: str,
) -> None:
    """One of them only went to the next square; he was lifted, as nobody is who is pushed."""
    table = opened()
    moves = [("a2", "white_pawn", "a3"), ("g1", "white_knight", "f3")]
    order = moves if first == "pawn" else moves[::-1]
    for at, (left, man, came) in zip((10.0, 11.2), order, strict=True):
        table.sees(at, without=left).sees(at + 0.5, **{man: came})
    table.clock(11.8, 299, 300, "left").clock(12.5, 299, 300, "right").ticks(18.0)
    assert (grave(table), table.moves) == ([("ILLEGAL_MOVE", "critical")], "e4 e5")


def put_right(table: TableTalk) -> TableTalk:
    """White has pressed; his pawn is put from a3 on a2 again, and Black replies."""
    table.clock(11.8, 299, 300, "left").clock(12.5, 299, 300, "right").ticks(17.0)
    table.sees(17.0, without="a3").sees(17.4, white_pawn="a2").ticks(20.0)
    table.sees(20.0, without="b8").sees(20.4, black_knight="c6").clock(21.0, 299, 295, "left")
    return table.ticks(24.0)


@pytest.mark.parametrize("later", [0.1, 0.5, 0.8])
def test_a_man_without_a_name_who_was_pushed_to_the_next_square_was_not_moved(
    later: float,
) -> None:
    table = opened().sees(10.0, without="g1").sees(10.5, white_knight="f3")
    table = put_right(table.sees(10.5 + later, without="a2", white_pawn="a3"))
    assert (grave(table), table.moves) == ([], "e4 e5 Nf3 Nc6")


def test_a_slow_board_shows_one_lifted_who_was_pushed() -> None:
    """It was seen to look every 0.5 s, and shows the pawn on its next square a look later."""
    table = opened().sees(8.0, without="b2").sees(8.5, white_pawn="b2")
    table.sees(9.0, without="g1").sees(9.5, white_knight="f3").sees(10.0, without="a2")
    table = put_right(table.sees(10.5, white_pawn="a3"))
    assert (grave(table), table.moves) == ([], "e4 e5 Nf3 Nc6")


def test_what_is_left_of_two_men_while_they_are_put_back_is_not_the_move() -> None:
    table = moved_two().sees(20.0, without="d2").sees(20.7, white_queen="d1").ticks(22.0)
    table.sees(22.1, without="e4").sees(22.6, white_pawn="e2").ticks(26.0)
    assert table.moves == ""


def test_two_men_who_are_put_back_one_after_the_other_make_no_move_meanwhile() -> None:
    table = moved_two(stopped=False).sees(12.3, without="d2").clock(13.0, 299, 295, "left")
    table.sees(13.1, white_queen="d1").sees(13.4, without="e4").sees(13.9, white_pawn="e2")
    assert table.ticks(17.0).moves == ""
    assert not table.told(MoveSettled)


def set_aside(square: str, until: float) -> TableTalk:
    """The pawn takes the knight unseen, who is put on *square*; Black has pressed."""
    setup = TableSetup(start_fen="4k3/8/8/4p3/3N4/8/P7/4K3 b - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup).clock(1.0, 300, 300, "right")
    table.sees(3.0, without="e5").sees(3.8, white_knight=square).clock(4.3, 300, 299, "left")
    return table.ticks(until)


@pytest.mark.parametrize("square", ["h2", "g3"])
def test_a_victim_without_a_name_who_is_set_aside_makes_no_illegal_move(square: str) -> None:
    table = set_aside(square, 7.2)
    assert grave(table) == []
    table.sees(7.2, without=square).ticks(9.0)
    table.sees(10.0, without="a2").sees(10.4, white_pawn="a3").clock(11.0, 298, 299, "right")
    assert (grave(table.ticks(13.0)), table.moves) == ([], "exd4 a3")


def test_a_man_without_a_name_who_stays_where_he_may_not_go_went_there() -> None:
    assert ("ILLEGAL_MOVE", "critical") in grave(set_aside("h2", 9.0))


def test_who_comes_after_a_man_of_his_own_has_left_is_not_the_taker_in_the_air() -> None:
    """The rook takes on d7 unseen and might have gone to b8, where White's bishop from b5 came."""
    fen = "3rkb1r/p2Rqppp/5n2/1B2p1B1/4P3/1Q6/PPP2PPP/2K4R b k - 0 13"
    table = TableTalk.ready(TableSetup(sensing="occupancy", start_fen=fen))
    table.clock(1.0, 145, 143, "right").sees(3.0, without="d8").clock(5.0, 144, 140, "left")
    table.sees(5.5, without="b5").sees(5.9, white_bishop="b8").clock(6.0, 143, 140, "left")
    table.clock(7.0, 145, 139, "right").clock(8.0, 145, 138, "right").ticks(12.0)
    assert table.moves == "Rxd7"
    assert ("ILLEGAL_MOVE", "critical") in grave(table)


@pytest.mark.parametrize("square", ["c4", "c2"])
def test_a_man_without_a_name_beside_his_square_may_be_put_right_after_the_press(
    square: str,
) -> None:
    """On b4 the pawn is beside c4; back on c2 it was no slip, and the press is kept."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="c2").sees(4.5, white_pawn="b4").clock(6.0, 298, 300, "right")
    table.ticks(6.5).sees(6.5, without="b4").sees(6.6, white_pawn=square).ticks(9.0)
    assert bool(loud(table)) == (square == "c2")
    assert table.moves == ("" if square == "c2" else "c4")


@pytest.mark.parametrize("stopped", [True, False])
def test_who_stops_the_clock_or_turns_it_back_calls_it_no_victim(*, stopped: bool) -> None:
    table = set_aside("g3", 5.0)
    table.clock(5.2, 299, 299, "left" if stopped else "right", run=not stopped).ticks(5.8)
    assert ("ILLEGAL_MOVE", "critical") in grave(table)


def test_a_rook_beside_his_square_may_be_put_right_when_his_king_has_castled() -> None:
    fen = "rnbqk2r/ppp1ppbp/3p1np1/8/3PP3/2NB4/PPP1NPPP/R1BQK2R b KQkq - 4 5"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "right").clock(2.0, 300, 299, "right")
    table.sees(3.0, without="h8").sees(3.4, black_rook="f8").sees(3.8, without="e8")
    table.clock(4.0, 300, 298, "left").sees(4.1, black_king="g8").sees(4.3, black_rook="e8")
    table.sees(4.35, without="f8").ticks(6.5)
    table.sees(6.5, without="e8").sees(6.6, black_rook="f8").ticks(8.0)
    assert (loud(table), table.moves) == ([], "O-O")
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 300, 300, "right").sees(3.0, without="h8").sees(3.4, without="e8")
    table.sees(3.8, black_king="g8", black_rook="e8").clock(4.0, 300, 298, "left").ticks(10.0)
    assert ("CASTLING_ILLEGAL", "critical") in grave(table)


def test_who_had_stood_where_he_is_taken_went_nowhere_else() -> None:
    """The pawn on d4 is put down on b3 as it is taken, and taken off the board later."""
    fen = "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"
    table = TableTalk.ready(TableSetup(start_fen=fen, has_clock=False), clock=False)
    table.sees(5.0, without="d2").sees(5.03, white_pawn="d4").ticks(6.6)
    table.sees(6.68, without="d4").sees(9.3, white_pawn="b3").sees(9.9, without="c5")
    table.sees(9.92, black_pawn="d4").ticks(11.4).sees(11.4, without="b3").ticks(17.0)
    assert loud(table) == []
    assert table.moves == "d4 cxd4"


def test_after_a_lost_link_what_was_moved_last_alone_accuses_nobody() -> None:
    """The bishop takes a pawn where the record, many moves behind, has a knight of his."""
    table = TableTalk.ready()
    table.plays(4.0, "f4", "Nh6", "e3", "Rg8", "Bd3")
    table.link(16.0, "lost").link(76.0, "live")
    table.shows(76.2, "r1bqkbr1/pp1np2p/2p2p1P/3p4/1P6/P2BP1P1/2PP3P/RNBQK1NR")
    for second in range(77, 93):
        table.clock(float(second), 280, 360 - second, "right")
    table.sees(93.0, without="f8").sees(94.0, without="h6").sees(94.3, black_bishop="h6")
    table.clock(94.8, 280, 268, "left").ticks(96.5)
    assert "ILLEGAL_MOVE" not in {code for code, _ in grave(table)}


@pytest.mark.parametrize("stopped", [True, False])
def test_without_names_too_what_is_called_off_at_once_was_completed(*, stopped: bool) -> None:
    """Black moves a pawn of White's, who turns the clock back and puts it where it was."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4")
    table.clock(7.0, 300, 298, "right").sees(7.0, without="g2").sees(7.3, white_pawn="g4")
    table.clock(8.4, 300, 297, "right").clock(8.6, 300, 297, "left")
    table.clock(9.1, 300, 297, "left" if stopped else "right", run=not stopped)
    table.sees(9.4, without="g4").sees(9.6, white_pawn="g2").ticks(12.0)
    assert ("WRONG_SIDE_MOVED", "critical") in grave(table)
    assert table.moves == "e4"


def test_without_names_too_a_move_of_the_wrong_colour_is_told_though_it_is_put_back() -> None:
    """He is taken up before it can be judged, and is away when that would be."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4")
    table.sees(7.0, without="g2").sees(7.3, white_pawn="g4").clock(8.4, 300, 297, "left")
    table.sees(9.2, without="g4").ticks(10.5).sees(10.6, white_pawn="g2").ticks(14.0)
    assert ("WRONG_SIDE_MOVED", "critical") in grave(table)
    assert table.moves == "e4"


@pytest.mark.parametrize("stopped", [True, False])
def test_who_is_seen_nowhere_on_a_good_square_did_not_go_there_if_it_is_called_off(
    *, stopped: bool
) -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    at = table.plays(4.0, "c4", "e5", "Nc3", "Nc6", "Nf3")
    table.sees(at + 2, without="a8").clock(at + 3.0, 290, 280, "left")
    table.clock(at + 4.0, 290, 280, "left", run=not stopped).ticks(at + 9.0)
    assert table.moves.endswith("Rb8") != stopped


def test_a_man_who_was_taken_where_he_might_not_go_stands_nowhere_unseen() -> None:
    """The knight went to e3 and was pressed for; the queen took him there before it was told."""
    fen = "b2r2k1/3pbrq1/pppnppnp/6p1/PPPPP1P1/1NB2P1P/4Q3/1BKR1R1N b - - 2 19"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 161, 214, "right").clock(2.0, 161, 213, "right").clock(3.0, 161, 212, "right")
    table.sees(3.4, without="d6").sees(3.8, black_knight="e3").clock(4.3, 161, 212, "left")
    table.sees(4.8, without="e2").sees(5.2, white_queen="e3").clock(6.4, 160, 212, "right")
    for second in range(7, 12):
        table.clock(second + 0.4, 160, 219 - second, "right")
    assert table.moves == "Ne3 Qxe3"
    codes = [fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert "ILLEGAL_MOVE" in codes
    assert "AMBIGUOUS_MOVE" not in codes


def test_men_who_are_put_up_while_no_clock_runs_make_no_reply() -> None:
    """A bishop comes from the box: the queen who goes home made no move, nor did the rook."""
    fen = "6k1/ppqr3p/2p1r1p1/4Pp2/2PP4/P7/1Q1R2PP/4R2K b - - 14 32"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.sees(10.0, without="c7").sees(10.05, white_bishop="f1").sees(10.3, black_queen="d8")
    table.sees(10.35, without="e1").sees(10.65, white_rook="a1").sees(10.71, without="e6")
    table.ticks(10.8).sees(10.85, without="h1").sees(11.0, black_rook="h8").ticks(12.0)
    assert table.moves == ""


def test_a_square_that_shows_a_man_too_many_keeps_no_reply_back() -> None:
    """It does so all the time, and no clock runs: nobody puts men up."""
    table = TableTalk.ready(clock=False)
    table.sees(1.0, black_queen="h5").ticks(12.0)
    board = chess.Board()
    for number, san in enumerate(("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")):
        at = 14.0 + 2 * number
        move = board.push_san(san)
        table.sees(at, without=chess.square_name(move.from_square))
        shown = board.copy()
        shown.set_piece_at(chess.H5, chess.Piece.from_symbol("q"))
        table.shows(at + 0.4, shown.board_fen()).ticks(at + 0.9)
    assert table.ticks(60.0).moves == "e4 e5 Nf3 Nc6 Bb5 a6"


def test_a_man_who_leaps_over_others_after_a_move_was_no_man_knocked_over() -> None:
    """The rook's move stands; then the bishop goes where no bishop can, and Black presses."""
    fen = "bn1k1b1r/2r1p3/pqp2p1p/1p5N/1P1P1PnP/P1PBp2N/QB6/2KRR3 b - - 10 37"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.clock(1.0, 119, 120, "right").clock(2.0, 119, 119, "right")
    table.sees(2.3, without="c7", black_rook="c8").clock(4.0, 119, 117, "right")
    table.sees(5.9, without="a8").clock(6.5, 119, 115, "right").sees(6.8, black_bishop="f3")
    table.clock(7.5, 119, 117, "left").ticks(12.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_who_is_taken_up_again_is_perhaps_put_right_whatever_else_is_done() -> None:
    """The rook was knocked to d8; the move that was pressed for is told late."""
    table = TableTalk.ready(TableSetup(start_fen="7k/2R5/8/6Pp/5P1P/P1P5/1p6/6K1 w - - 0 1"))
    at = table.plays(4.0, "Kg2", "Kg8", "Kg1", "Kh8") + 4.0
    table.sees(at, without="c7", white_rook="d8").clock(at + 1.0, 280, 290, "right")
    table.ticks(at + 1.9).sees(at + 2.0, without="b2 d8").ticks(at + 2.3)
    table.sees(at + 2.4, without="a3", black_pawn="b2", white_rook="c7")
    table.sees(at + 2.8, white_pawn="a4").sees(at + 4.0, without="h8", black_king="g8")
    table.clock(at + 5.0, 280, 287, "left").ticks(at + 7.0)
    assert table.moves == "Kg2 Kg8 Kg1 Kh8 a4 Kg8"
    assert not accused(table)


@pytest.mark.parametrize(("scan", "told"), [(0.6, ["WRONG_SIDE_MOVED"]), (0.2, [])])
def test_a_slow_board_may_tell_after_the_press_who_was_moved_out_of_turn(
    scan: float, told: list[str]
) -> None:
    """White moves Black's bishop and presses; a quick board would have told it before."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/4b3/8/8/8/8/4P3/4K3 w - - 0 1"))
    table.sees(4.0, without="e2", white_pawn="e3").sees(4.0 + scan, without="e3", white_pawn="e4")
    table.clock(6.0, 298, 300, "right").ticks(8.0)
    at = table.plays(9.0, "Kd8", "Kd1", "Kc8", "Kc1", "Kd8") + 3.0
    table.clock(at, 290, 290, "right").sees(at + 0.4, without="e7", black_bishop="f6")
    table.ticks(at + 5.0)
    alerts = [fact for fact in table.facts if isinstance(fact, AlertRaised)]
    assert [fact.code for fact in alerts if fact.illegal] == told


def test_a_man_knocked_over_who_is_put_down_beside_his_square_may_be_put_right() -> None:
    """The pawn fell before the rook moved, and stands on c4 as the clock is pressed."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/3p4/8/8/2P5/8/2R1K3 w - - 0 1"))
    at = table.plays(4.0, "Kd1", "Kd8", "Ke1", "Ke8") + 4.0
    table.sees(at, without="c3").sees(at + 0.2, without="c1").sees(at + 0.4, white_rook="c2")
    table.ticks(at + 1.2).sees(at + 1.4, white_pawn="c4").clock(at + 1.7, 290, 290, "right")
    table.ticks(at + 3.0).sees(at + 3.2, without="c4").sees(at + 3.4, white_pawn="c3")
    assert table.ticks(at + 6.0).moves == "Kd1 Kd8 Ke1 Ke8 Rc2"
    assert not accused(table)


@pytest.mark.parametrize(
    ("man", "left", "came", "soon", "code"),
    [
        ("black_queen", "d8", "h4", 0.8, "WRONG_SIDE_MOVED"),
        ("white_bishop", "f1", "f4", 0.05, "ILLEGAL_MOVE"),
    ],
)
def test_what_is_put_back_soon_after_the_press_is_told_all_the_same(
    man: str, left: str, came: str, soon: float, code: str
) -> None:
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without=left).sees(at + 0.5, **{man: came})
    table.clock(at + 1.1, 290, 290, "right").sees(at + 1.1 + soon, without=came)
    table.sees(at + 1.4 + soon, **{man: left}).ticks(at + 6.0)
    assert (code, "critical") in grave(table)
    assert table.moves == "e4 e5"


def test_who_touches_a_bad_square_on_his_way_after_an_early_press_makes_no_illegal_move() -> None:
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without="f1").sees(at + 0.5, white_bishop="d2").clock(
        at + 0.9, 290, 290, "right"
    )
    table.sees(at + 1.1, without="d2").sees(at + 1.3, white_bishop="c4").ticks(at + 5.0)
    assert table.moves == "e4 e5 Bc4"
    assert grave(table) == []


def test_who_gives_the_turn_back_for_a_man_of_his_who_was_knocked_over_moved_nothing() -> None:
    """White's knight pushed Black's pawn to e6; Black presses back, so that it is put right."""
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without="g1").sees(at + 0.3, white_knight="f3", without="e5")
    table.sees(at + 0.35, black_pawn="e6").ticks(at + 0.8).clock(at + 0.85, 290, 300, "right")
    table.ticks(at + 1.1).clock(at + 1.15, 290, 300, "left").ticks(at + 1.6)
    table.sees(at + 1.65, without="e6").sees(at + 1.95, black_pawn="e5")
    table.clock(at + 3.0, 289, 300, "right").ticks(at + 7.0)
    assert table.moves == "e4 e5 Nf3"
    assert not accused(table)


def test_a_pawn_on_its_last_rank_that_goes_back_soon_after_the_press_was_not_replaced() -> None:
    fen = "8/1P6/8/8/1k6/8/8/5K2 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="b7").sees(4.2, white_pawn="b8").ticks(4.4)
    table.clock(4.45, 300, 300, "right").ticks(5.5).sees(5.6, without="b8")
    table.sees(6.0, white_pawn="b7").clock(6.2, 300, 299, "left").ticks(10.0)
    assert grave(table) == [("PROMOTION_NOT_REPLACED", "critical")]
    assert table.moves == ""


def test_a_man_knocked_over_to_where_the_mover_had_stood_may_be_put_right_after_the_press() -> None:
    table = TableTalk.ready(
        TableSetup(start_fen="5k2/5p2/8/8/8/8/5P2/5K2 b - - 0 1"), clock=False
    ).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="f8").sees(4.1, black_king="e8").sees(4.4, without="f7")
    table.sees(4.5, black_pawn="f8").ticks(5.5).clock(5.6, 300, 300, "left").ticks(5.7)
    table.sees(5.75, without="f8").sees(6.2, black_pawn="f7").ticks(10.0)
    assert grave(table) == []
    assert table.moves == "Ke8"


def test_without_names_a_move_of_the_wrong_colour_is_told_that_began_before_the_last_was_sure() -> (
    None
):
    setup = TableSetup(start_fen="4k2r/8/2b5/8/8/8/1P6/4K3 b - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup, clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="h8").sees(4.4, black_rook="h3").clock(4.5, 300, 299, "left")
    table.sees(4.9, without="c6").sees(5.7, black_bishop="a8").clock(6.4, 298, 299, "right")
    table.ticks(10.0)
    assert table.moves == "Rh3"
    assert ("WRONG_SIDE_MOVED", "critical") in grave(table)


@pytest.mark.parametrize("touched", [True, False])
def test_without_names_who_was_taken_amiss_is_told_when_he_is_put_back(touched: bool) -> None:
    """The queen takes on d7 over her pawn; she may take nobody, so that only d1 shows it."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without="d1").clock(at + 1.0, 290, 290, "right").ticks(at + 6.0)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]
    table.sees(at + 6.5, without="d7" if touched else "")
    table.sees(at + 7.0, white_queen="d1", black_pawn="d7").ticks(at + 9.0)
    assert grave(table)[1:] == [("ILLEGAL_MOVE", "critical")] * touched
    assert table.moves == "e4 e5"


def test_a_square_that_showed_wrong_until_the_press_hides_no_illegal_move() -> None:
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at - 0.5, white_pawn="h4").sees(at, without="f1").sees(at + 0.8, white_bishop="f4")
    table.clock(at + 1.5, 290, 290, "right").sees(at + 1.55, without="h4").ticks(at + 1.9)
    table.sees(at + 2.05, without="f4").sees(at + 2.3, white_bishop="f1").ticks(at + 6.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]
    assert table.moves == "e4 e5"


def test_an_illegal_move_that_was_doubted_is_told_when_the_record_stands_again() -> None:
    """The rook leaves a1 just as Black's comes to a8: was White's move made before his?"""
    setup = TableSetup(start_fen="4k3/7p/r7/8/8/8/7P/R3K3 b - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup, clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="a6").sees(4.3, black_rook="a8").sees(4.3, without="a1")
    table.sees(4.6, white_rook="b3").clock(4.9, 300, 297, "left").clock(5.3, 301, 297, "right")
    table.ticks(10.0)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]
    table.clock(11.0, 301, 296, "right", run=False).sees(12.0, without="b3")
    table.sees(13.0, white_rook="a1").ticks(15.0)
    assert grave(table)[1:] == [("ILLEGAL_MOVE", "critical")]
    assert table.moves == "Ra8"


def test_without_names_who_was_taken_amiss_is_told_once() -> None:
    """The victim was taken off first, so that the capture is told while it stands."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without="d7").sees(at + 0.3, without="d1").sees(at + 0.8, white_queen="d7")
    table.clock(at + 1.5, 290, 290, "right").ticks(at + 6.0)
    table.sees(at + 6.5, without="d7").sees(at + 7.0, white_queen="d1", black_pawn="d7")
    table.ticks(at + 9.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_without_names_a_man_who_comes_long_after_the_press_is_being_put_right() -> None:
    """The knight of d6 was knocked over with the pawn, who is put on d7 and then where he went."""
    setup = TableSetup(start_fen="6k1/8/2PN3p/8/8/8/8/3N2K1 w - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup, clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="c6").sees(4.3, without="d6").clock(4.4, 300, 300, "right").ticks(7.6)
    table.sees(7.7, white_knight="d6").sees(8.0, white_pawn="d7").ticks(10.2)
    table.sees(10.25, without="d7").sees(10.7, white_pawn="c7").ticks(14.0)
    assert table.moves == "c7"
    assert not accused(table)


@pytest.mark.parametrize(
    ("lifted", "touched"),
    [
        ("white_king e1", "black_king e8"),
        ("white_pawn a2", "black_rook h8"),
        ("white_queen d1", "black_pawn a7"),
    ],
)
def test_without_names_nobody_took_whom_he_may_not_reach(lifted: str, touched: str) -> None:
    """As when a king is lifted to resign, and the other one then."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    at = table.plays(4.0, "e4", "e5", "Nf3", "Nc6") + 3.0
    (man, home), (other, square) = lifted.split(), touched.split()
    table.sees(at, without=home).clock(at + 0.5, 290, 290, "right").ticks(at + 2.0)
    table.sees(at + 2.5, without=square).sees(at + 3.0, **{man: home})
    table.sees(at + 3.5, **{other: square}).ticks(at + 6.0)
    assert not accused(table)


def test_a_man_who_was_shown_where_another_is_taken_for_having_gone_accuses_nobody_later() -> None:
    """A rook that is not there is shown on h4 before the one of a1 is taken up, and put back."""
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at - 1.5, white_rook="h4").ticks(at + 3.0).sees(at + 4.0, without="a1")
    table.clock(at + 5.0, 290, 290, "right").ticks(at + 14.0)
    table.sees(at + 15.0, white_rook="a1").sees(at + 16.0, without="h4").ticks(at + 18.0)
    assert not accused(table)


@pytest.mark.parametrize("stopped", [True, False])
def test_a_castling_to_wrong_squares_is_told_when_it_is_called_off(*, stopped: bool) -> None:
    """The rook stands where the king had: to castle is no move that stands there in part."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"), clock=False)
    table.clock(1.0, 300, 300, "left").sees(4.0, without="e1").sees(4.4, white_king="g1")
    table.sees(5.2, without="h1").ticks(5.5).sees(5.6, white_rook="e1")
    table.clock(6.8, 300, 300, "right")
    table.clock(8.6, 300, 298, "right" if stopped else "left", run=not stopped)
    table.ticks(8.9).sees(9.2, without="e1").sees(9.6, white_rook="h1").sees(10.0, without="g1")
    table.sees(10.4, white_king="e1").ticks(14.0)
    assert ("CASTLING_ILLEGAL", "critical") in grave(table)
    assert not table.moves


def test_a_half_castling_that_is_given_back_is_told_also_after_a_lost_link() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"), clock=False)
    table.clock(1.0, 300, 300, "left").link(3.0, "lost").link(5.0, "live")
    table.sees(5.0, without="e1", white_king="g1").clock(6.2, 300, 300, "right")
    table.clock(8.7, 300, 298, "left").ticks(9.8)
    table.sees(10.0, without="g1").sees(10.8, white_king="e1").ticks(14.0)
    assert ("CASTLING_ILLEGAL", "critical") in grave(table)


@pytest.mark.parametrize("stopped", [True, False])
def test_a_second_man_who_went_to_the_next_square_is_told_when_it_is_called_off(
    *, stopped: bool
) -> None:
    """He went there after the move stood: a hand that goes by knocks men over before."""
    table = TableTalk.ready(TableSetup(start_fen="7k/7p/8/8/8/8/4P3/K2Q4 w - - 0 1"), clock=False)
    table.clock(1.0, 300, 300, "left").sees(4.0, without="e2").sees(4.3, white_pawn="e4")
    table.ticks(5.0).sees(6.0, without="d1").sees(6.6, white_queen="d2")
    table.clock(7.5, 299, 300, "right").ticks(8.6)
    table.clock(9.2, 299, 298, "right" if stopped else "left", run=not stopped)
    assert grave(table.ticks(11.5)) == [("ILLEGAL_MOVE", "critical")]
    assert not table.moves


def test_who_was_taken_up_before_the_last_move_was_sure_and_is_put_elsewhere_went_there() -> None:
    """White moves a pawn of Black's, whose empty square was looked past as he pressed."""
    setup = TableSetup(start_fen="7k/8/8/6p1/6n1/8/8/K7 b - - 0 1")
    table = TableTalk.ready(setup, clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="g4").sees(4.5, black_knight="f2").ticks(5.5)
    table.sees(5.9, without="g5").clock(6.4, 300, 298, "left").ticks(7.0)
    table.sees(7.2, black_pawn="g4").clock(7.5, 299, 298, "left").clock(8.9, 298, 298, "right")
    table.ticks(9.0).sees(9.9, without="g4", black_pawn="g5").ticks(12.0)
    assert grave(table) == [("WRONG_SIDE_MOVED", "critical")]
    assert table.moves == "Nf2"


def test_a_move_is_taken_back_while_the_clock_is_stopped() -> None:
    """It was made with another man, and called off; the player has to move again by the clock."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/p7/1p6/8/8/8/P3P1P1/1N2K3 w - - 0 1"))
    table.plays(1.0, "a3", "a6")
    table.sees(14.0, without="b1").sees(14.3, without="e2", white_knight="c3")
    table.sees(14.32, white_pawn="e3").clock(15.2, 298, 300, "right").ticks(16.5)
    assert table.moves == "a3 a6 Nc3"
    table.clock(17.0, 298, 299, "right", run=False)
    table.sees(18.0, without="e3").sees(18.3, white_pawn="e2")
    table.sees(18.6, without="c3").sees(18.9, white_knight="b1").ticks(21.5)
    assert table.clock(22.0, 298, 299, "left").ticks(22.4).moves == "a3 a6"
    table.sees(22.5, without="b1").sees(22.8, white_knight="d2").clock(23.5, 297, 299, "right")
    assert (grave(table.ticks(26.0)), table.moves) == ([], "a3 a6 Nd2")


def test_the_clock_may_be_started_while_the_last_man_is_on_his_way_back() -> None:
    """Two plies are taken back, the last one first; Black moves again."""
    table = TableTalk.ready(TableSetup(start_fen="4k2q/p7/1p6/8/8/8/P3P1P1/1N2K3 w - - 0 1"))
    table.plays(1.0, "a3", "Qh1+", "Kd2")
    assert table.moves == "a3 Qh1+ Kd2"
    table.clock(24.0, 290, 290, "right", run=False)
    table.sees(26.0, without="d2").sees(27.0, white_king="e1").sees(28.0, without="h1")
    table.clock(28.4, 290, 290, "right").sees(28.9, black_queen="h8").ticks(33.0)
    assert table.moves == "a3"
    table.sees(33.0, without="h8").sees(33.4, black_queen="h2").clock(34.5, 290, 285, "left")
    assert table.ticks(38.0).moves == "a3 Qh2"
    assert not any("ILLEGAL" in line or "WRONG_SIDE" in line for line in table.script)


def moved_amiss_beside_a_missing_man() -> TableTalk:
    """The pawn of h7 is nudged off; the bishop goes where he may not, which is pressed."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/6pp/6p1/8/8/3B4/8/3QK3 w - - 0 1"))
    table.sees(4.0, without="h7").sees(9.0, without="d3").sees(9.15, white_bishop="c5")
    return table.clock(11.3, 300, 300, "right").ticks(13.0)


def test_who_stands_where_he_may_not_go_took_nobody_on_another_square() -> None:
    table = moved_amiss_beside_a_missing_man()
    assert (grave(table), table.moves) == ([("ILLEGAL_MOVE", "critical")], "")


def test_a_missing_man_does_not_hide_that_an_illegal_move_was_put_back() -> None:
    """The press was made for that one: the queen rests on her way."""
    table = moved_amiss_beside_a_missing_man().clock(17.3, 300, 290, "right", run=False)
    table.sees(20.5, without="c5").sees(20.8, white_bishop="d3").clock(22.5, 300, 290, "left")
    (cleared,) = table.ticks(23.0).told(AlertCleared)
    assert isinstance(cleared, AlertCleared)
    assert cleared.code == "ILLEGAL_MOVE"
    table.sees(23.6, without="d1").sees(24.0, white_queen="b3").ticks(25.6)
    assert table.moves == ""
    table.sees(25.7, without="b3").sees(25.9, white_queen="c2").clock(27.1, 298, 290, "right")
    assert table.ticks(29.0).moves == "Qc2"


def test_a_king_without_a_name_for_whom_his_player_presses_shows_no_result() -> None:
    setup = TableSetup(start_fen="8/8/8/4k3/2K5/8/P6p/8 w - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup).sees(4.0, without="c4").sees(4.3, white_king="d5")
    table.clock(5.0, 300, 300, "right").ticks(12.0)
    assert grave(table) == [("KING_LEFT_IN_CHECK", "critical")]
    assert not table.told(GameEnded)


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


def test_who_lies_across_an_edge_may_be_put_right_also_after_the_answer() -> None:
    """The opponent took him to stand on f4, where he is put before he presses."""
    fen = "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen))
    table.sees(10.0, without="c1").sees(10.4, white_bishop="g4").clock(11.0, 290, 300, "right")
    table.sees(11.3, without="e7").sees(11.7, black_pawn="e6").ticks(12.7)
    table.sees(12.7, without="g4", white_bishop="f4").clock(13.0, 290, 298, "left").ticks(15.0)
    assert table.moves == "Bf4 e6"
    assert not any("ILLEGAL" in line for line in table.script)
