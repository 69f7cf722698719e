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
    MovesCorrected,
    MoveSettled,
    Sensing,
    TableSetup,
)
from tests.bridge.core.accusing import accusations, accused, grave, loud
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


def test_a_board_that_is_back_as_it_was_lost_hides_no_illegal_move() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    table.link(2.0, "lost").link(6.0, "live").shows(6.1, "4k3/8/8/8/8/8/8/4K2R")
    table.sees(8.0, without="h1", white_rook="g2").clock(9.0, 298, 300, "right").ticks(18.0)
    told = [fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert told == ["BOARD_DISCONNECTED", "ILLEGAL_MOVE"]


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


def test_a_king_put_far_away_is_an_illegal_move_if_somebody_pressed() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/6b1/8/8/3K4/8/2P5/8 w - - 0 1"))
    table.sees(4.0, without="d4").sees(4.5, white_king="h6").clock(5.0, 299, 300, "right")
    table.ticks(12.0).expects("alert ILLEGAL_MOVE GEOMETRY")


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
    assert not accused(table)


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
    assert not accused(table)


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


def test_a_man_that_came_long_after_the_press_made_two_moves() -> None:
    """The king went to a square that sees nothing, and on from there when Black had moved."""
    table = TableTalk.ready(TableSetup(start_fen="4R3/8/8/3k3p/7r/3p4/8/3K4 w - - 0 1"))
    table.sees(4.0, without="d1").clock(5.0, 299, 300, "right")
    table.sees(7.0, without="h4").sees(9.0, black_rook="d4").sees(9.8, white_king="e3")
    table.ticks(20.0)
    assert "ILLEGAL_MOVE" not in [code for code, _ in grave(table)]


def test_a_man_taken_up_as_the_move_before_is_finished_makes_an_illegal_move() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/7p/8/4P3/3p4/8/8/4K3 b - - 0 1"))
    table.clock(1.0, 300, 300, "right")
    table.sees(2.0, without="d4").sees(2.3, black_pawn="d3").sees(2.43, without="e5")
    table.clock(2.75, 300, 298, "left").sees(2.87, white_pawn="c4")
    table.clock(3.45, 299, 298, "right").ticks(6.0)
    assert grave(table)[-1] == ("ILLEGAL_MOVE", "critical")


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


def test_a_second_move_before_the_press_is_told() -> None:
    table = TableTalk.ready(TableSetup(start_fen="7k/7p/8/8/8/8/4P3/K2Q4 w - - 0 1"))
    table.sees(4.0, without="e2").sees(4.3, white_pawn="e4").ticks(5.0)
    table.sees(6.0, without="d1").sees(6.6, white_queen="d6").clock(7.5, 299, 300, "right")
    table.ticks(12.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]
    assert table.moves == ""


def test_who_had_stood_where_he_is_taken_went_nowhere_else() -> None:
    """The pawn on d4 is put down on b3 as it is taken, and taken off the board later."""
    fen = "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"
    table = TableTalk.ready(TableSetup(start_fen=fen, has_clock=False), clock=False)
    table.sees(5.0, without="d2").sees(5.03, white_pawn="d4").ticks(6.6)
    table.sees(6.68, without="d4").sees(9.3, white_pawn="b3").sees(9.9, without="c5")
    table.sees(9.92, black_pawn="d4").ticks(11.4).sees(11.4, without="b3").ticks(17.0)
    assert loud(table) == []
    assert table.moves == "d4 cxd4"


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
    assert accusations(table) == told


def test_who_touches_a_bad_square_on_his_way_after_an_early_press_makes_no_illegal_move() -> None:
    table = TableTalk.ready(TableSetup())
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without="f1").sees(at + 0.5, white_bishop="d2").clock(
        at + 0.9, 290, 290, "right"
    )
    table.sees(at + 1.1, without="d2").sees(at + 1.3, white_bishop="c4").ticks(at + 5.0)
    assert table.moves == "e4 e5 Bc4"
    assert grave(table) == []


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
