"""What watchers of a game tell the arbiter, and what they must not say too soon."""

import math

import chess
import msgspec
import pytest

from bridge.config.rulesets import rule_set
from bridge.core.laws.winnability import is_proved_dead
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    ConfirmOffence,
    LetStand,
    MoveSettled,
    Ruling,
    TableSetup,
)
from bridge.core.table.watchers import draws
from bridge.core.table.watchers.draws import may_be_dead
from drivers.events import Battery, ClockReading, Side
from tests.bridge.core.accusing import raised
from tests.bridge.core.dialogue import TableTalk

MATE = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR"


def under(name: str, **fields: object) -> TableSetup:
    return TableSetup(rules=msgspec.to_builtins(rule_set(name)), **fields)  # type: ignore[arg-type]  # fields of a setup


def codes(table: TableTalk) -> list[str]:
    return [alert.code for alert in raised(table)]


def loud(table: TableTalk) -> list[str]:
    return [alert.code for alert in raised(table) if alert.severity != "silent"]


def cleared(table: TableTalk) -> list[tuple[str, str]]:
    facts = [fact for fact in table.told(AlertCleared) if isinstance(fact, AlertCleared)]
    return [(fact.code, fact.how) for fact in facts]


def of(table: TableTalk, code: str) -> AlertRaised:
    (alert,) = (alert for alert in raised(table) if alert.code == code)
    return alert


def reads(
    table: TableTalk, at: float, left_ms: int, right_ms: int, turn: Side, *, flags: bool = False
) -> None:
    """Let the clock be read, in milliseconds; with *flags* it shows both as fallen."""
    reading = ClockReading(
        at=at,
        left_ms=left_ms,
        right_ms=right_ms,
        running=True,
        turn=turn,
        left_flag=flags and not left_ms,
        right_flag=flags and not right_ms,
    )
    table._hear("clock", at, reading)


# -- illegal moves -----------------------------------------------------------------------------


def test_an_illegal_move_comes_with_the_numbers_of_its_penalty() -> None:
    table = TableTalk.ready(
        under("fide_std", start_fen="4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", time_control="5400+30")
    )
    table.sees(4.0, without="a2", white_pawn="a4").clock(4.5, 295, 300, "right").ticks(9.0)
    alert = of(table, "KING_LEFT_IN_CHECK")
    assert (alert.visibility, alert.until, alert.count) == ("A", "the game ends", 1)
    assert "+2:00 for Black" in alert.remedy
    assert "take back 30 s from White" in alert.remedy
    assert "White 4:25, Black 7:00" in alert.remedy
    assert "illegal move number 1 of White" in alert.remedy


def test_the_second_confirmed_illegal_move_loses() -> None:
    table = TableTalk.ready(under("fide_std", start_fen="4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1"))
    table.sees(4.0, without="a2", white_pawn="a4").clock(4.5, 295, 300, "right").ticks(9.0)
    order = Ruling(by="Arbiter", reason="seen", order=ConfirmOffence(colour="white", ply=0), game=1)
    table._hear("confirm", 9.0, order)
    table.sees(10.0, without="a4", white_pawn="a2").clock(10.5, 295, 420, "left").ticks(14.0)
    table.sees(15.0, without="a2", white_pawn="a3").clock(15.5, 290, 420, "right").ticks(19.0)
    last = raised(table)[-1]
    assert (last.code, last.count) == ("KING_LEFT_IN_CHECK", 2)
    assert "illegal move number 2 of White" in last.remedy
    assert "White loses the game" in last.remedy


@pytest.mark.parametrize(
    ("name", "stands", "article"),
    [
        ("fide_std", False, "3.9.2, 7.5.1"),
        ("rapid_a5", True, "3.9.2, 7.5.1, A.5.2"),
        ("classic", False, "piece moves 10; impossible positions"),
    ],
)
def test_an_illegal_move_that_is_played_on(name: str, stands: bool, article: str) -> None:
    table = TableTalk.ready(under(name, start_fen="4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1"))
    table.sees(4.0, without="e2", white_knight="c3").clock(4.5, 295, 300, "right").ticks(7.0)
    table.sees(8.0, without="g8", black_king="f8").clock(9.0, 295, 298, "left").ticks(12.0)
    assert of(table, "KING_LEFT_IN_CHECK").article == article
    assert ("ILLEGAL_MOVE_STANDS" in codes(table)) == stands
    assert (("KING_LEFT_IN_CHECK", "over") in cleared(table)) == stands


def test_a_pawn_left_on_the_last_rank_draws_after_one_more_move() -> None:
    table = TableTalk.ready(under("rapid_a5", start_fen="8/P3k3/8/8/8/7p/8/4K2R w - - 0 1"))
    table.sees(4.0, without="a7", white_pawn="a8").clock(4.5, 295, 300, "right").ticks(7.0)
    table.sees(8.0, without="e7", black_king="d7").clock(9.0, 295, 298, "left").ticks(12.0)
    assert codes(table) == ["PROMOTION_NOT_REPLACED", "ILLEGAL_MOVE_STANDS", "PAWN_ON_LAST_RANK"]
    table.sees(13.0, without="h1", white_rook="g1").clock(14.0, 290, 298, "right").ticks(17.0)
    told = [a.severity for a in raised(table) if a.code == "PAWN_ON_LAST_RANK"]
    assert told == ["warning", "critical"]


def test_black_moves_first() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e7", black_pawn="e5").ticks(6.9)
    assert not codes(table)
    table.ticks(8.0)
    alert = of(table, "STARTED_WITH_BLACK")
    assert (alert.severity, alert.illegal, alert.by) == ("critical", False, "black")


def test_a_move_of_the_wrong_side_is_told_after_another_difference_has_rested() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="a2 h7").ticks(12.0)
    table.clock(13.0, 291, 300, "left").clock(14.0, 290, 300, "left")
    assert not codes(table)
    table.sees(15.0, white_pawn="a2").sees(15.5, black_pawn="h5").ticks(22.0)
    assert codes(table) == ["STARTED_WITH_BLACK"]


def test_a_second_move_in_a_row_is_a_warning_until_it_is_pressed() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "e4")
    table.sees(9.0, without="d2", white_pawn="d4").ticks(13.0)
    table.clock(14.0, 300, 290, "left").ticks(18.0)
    told = [(a.severity, a.illegal, a.count, a.by) for a in raised(table)]
    assert told == [("warning", False, 1, "white"), ("critical", True, 1, "white")]


def test_a_pawn_taken_in_passing_is_removed_after_the_press() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1"), clock=False)
    table.clock(1.0, 300, 300, "right")
    table.sees(4.0, without="c4", black_pawn="b3").clock(4.5, 300, 297, "left")
    table.sees(5.2, without="b4").ticks(8.0)
    alert = of(table, "EN_PASSANT_INCOMPLETE")
    assert (alert.severity, alert.illegal) == ("warning", False)
    assert "0.7 s after the press" in alert.text


@pytest.mark.parametrize(("removed", "severity"), [(6.3, "warning"), (6.5, "critical")])
def test_a_pawn_that_goes_soon_after_the_press_is_no_illegal_move(
    removed: float, severity: str
) -> None:
    """However long before the press the taker had come."""
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1"), clock=False)
    table.clock(1.0, 300, 300, "right")
    table.sees(2.0, without="c4", black_pawn="b3").clock(4.9, 300, 297, "left")
    table.ticks(6.29).expects()
    table.sees(removed, without="b4").ticks(9.0)
    assert [alert.severity for alert in raised(table)] == [severity]


def test_a_pawn_taken_in_passing_before_the_press_is_nothing_to_tell() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1"))
    table.sees(4.0, without="b2", white_pawn="b4").clock(6.0, 295, 300, "right").ticks(9.0)
    table.sees(10.0, without="c4", black_pawn="b3").sees(12.0, without="b4")
    table.clock(15.0, 295, 290, "left").ticks(17.0)
    assert table.moves == "b4 cxb3"
    assert not codes(table)


# -- presses -----------------------------------------------------------------------------------


def after_two_moves(setup: TableSetup | None = None) -> TableTalk:
    table = TableTalk.ready(setup)
    table.plays(4.0, "e4", "e5")
    table.facts.clear()
    return table


def test_a_press_without_a_move() -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "right").ticks(16.9)
    assert not codes(table)
    table.ticks(17.1)
    alert = of(table, "CLOCK_PRESSED_WITHOUT_MOVE")
    assert (alert.severity, alert.by, alert.illegal) == ("critical", "white", False)
    assert "start the clock of the player who pressed" in alert.remedy


def test_a_press_is_taken_back_at_once() -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "right").clock(15.8, 290, 299, "left").ticks(30.0)
    assert not codes(table)


def test_a_press_with_a_man_touched_before_is_not_empty() -> None:
    table = after_two_moves()
    table.sees(14.0, without="g1").sees(14.2, white_knight="g1")
    table.clock(15.0, 290, 300, "right").ticks(30.0)
    assert "CLOCK_PRESSED_WITHOUT_MOVE" not in codes(table)


def test_a_move_soon_after_the_press_is_one() -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "right").sees(16.0, without="g1").sees(16.5, white_knight="f3")
    table.ticks(30.0)
    assert "CLOCK_PRESSED_WITHOUT_MOVE" not in codes(table)


def test_players_who_go_on_pressing_move_unseen() -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "right").ticks(18.0)
    table.clock(20.0, 290, 295, "left").clock(25.0, 285, 295, "right").ticks(40.0)
    assert codes(table) == ["CLOCK_PRESSED_WITHOUT_MOVE"]
    assert cleared(table) == [("CLOCK_PRESSED_WITHOUT_MOVE", "withdrawn")]


def test_a_press_before_the_man_has_landed() -> None:
    table = after_two_moves()
    table.sees(14.0, without="g1").clock(15.0, 290, 300, "right")
    table.sees(16.5, white_knight="f3").ticks(20.0)
    alert = of(table, "CLOCK_PRESSED_BEFORE_MOVE")
    assert (alert.severity, alert.by, alert.confidence) == ("warning", "white", "low")
    assert "Nf3 came to stand 1.5 s after the press" in alert.text
    assert codes(table) == ["CLOCK_PRESSED_BEFORE_MOVE"]


def unnamed_after_two_moves() -> TableTalk:
    table = TableTalk.ready(TableSetup(sensing="occupancy", orientation="normal"))
    table.plays(4.0, "e4", "d5")
    return table


def test_a_man_that_the_reply_takes_at_once_had_landed() -> None:
    table = unnamed_after_two_moves()
    table.sees(14.0, without="c2").sees(14.4, white_pawn="c4").sees(14.9, without="c4")
    table.clock(15.0, 290, 290, "right").sees(16.9, black_pawn="c4").sees(17.0, without="d5")
    table.clock(18.0, 290, 285, "left").ticks(25.0)
    assert "CLOCK_PRESSED_BEFORE_MOVE" not in codes(table)


def test_a_man_that_took_another_unseen_had_landed() -> None:
    fen = "7k/3Q4/5n2/3P4/8/8/7P/4K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy", orientation="normal"))
    table.plays(4.0, "h3")
    table.sees(13.0, without="f6").clock(14.2, 290, 290, "left")
    table.sees(14.6, without="d7").sees(15.1, white_queen="g4").ticks(15.3)
    table.clock(16.3, 285, 290, "right").ticks(25.0)
    assert "CLOCK_PRESSED_BEFORE_MOVE" not in codes(table)


def test_a_man_not_yet_touched_at_the_press() -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "right").sees(16.0, without="g1")
    table.sees(17.0, white_knight="f3").ticks(20.0)
    assert "Nf3 came to stand 2.0 s after the press" in of(table, "CLOCK_PRESSED_BEFORE_MOVE").text


def test_a_man_that_a_missed_scan_tells_late_is_in_time() -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "right").sees(15.8, without="g1")
    table.sees(16.2, white_knight="f3").ticks(20.0)
    assert not codes(table)


def test_a_man_that_is_shown_where_it_came_from_for_a_while_is_in_time() -> None:
    table = unnamed_after_two_moves()
    table.clock(15.0, 290, 300, "right").sees(15.1, white_bishop="c4").sees(17.0, without="f1")
    table.ticks(25.0)
    assert table.moves == "e4 d5 Bc4"
    assert "CLOCK_PRESSED_BEFORE_MOVE" not in codes(table)


@pytest.mark.parametrize(
    ("touched", "pressed", "code"),
    [
        (14.2, 15.0, "ILLEGAL_MOVE"),
        (14.2, 18.5, "POSITION_UNRESOLVED"),  # the queen is not seen, and another man was adjusted
        (16.0, 15.0, "POSITION_UNRESOLVED"),
    ],
)
def test_a_man_is_taken_only_just_before_the_press(
    touched: float, pressed: float, code: str
) -> None:
    table = unnamed_after_two_moves()
    table.sees(14.0, without="d1")
    if touched > pressed:
        table.clock(pressed, 290, 300, "right")
    table.sees(touched, without="d8").sees(touched + 0.5, black_queen="d8")
    if touched < pressed:
        table.clock(pressed, 290, 300, "right")
    table.ticks(pressed + 6.0)
    assert codes(table) == [code]


def test_a_move_that_nobody_saw_is_in_time() -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "right").link(15.1, "lost").link(17.0, "live")
    table.shows(17.0, "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").ticks(30.0)
    assert "gap" in {fact.basis for fact in table.facts if isinstance(fact, MoveSettled)}
    assert "CLOCK_PRESSED_BEFORE_MOVE" not in codes(table)


def test_a_man_that_lands_with_the_press_is_in_time() -> None:
    table = after_two_moves()
    table.sees(14.0, without="g1").clock(15.0, 290, 300, "right")
    table.sees(15.4, white_knight="f3").ticks(20.0)
    assert not codes(table)


def test_the_first_press_of_black_starts_the_game() -> None:
    table = TableTalk.ready(TableSetup(white_clock="left"), clock=False)
    table.clock(1.0, 300, 300, "right").clock(3.0, 300, 300, "left").ticks(10.0)
    assert not codes(table)


def test_a_forgotten_press_is_noted_silently_until_it_comes() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").ticks(14.0)
    assert not codes(table)
    table.ticks(15.0)
    alert = of(table, "CLOCK_NOT_PRESSED")
    assert (alert.severity, alert.visibility, alert.by) == ("silent", "A", "white")
    table.clock(20.0, 280, 300, "right")
    assert cleared(table) == [("CLOCK_NOT_PRESSED", "over")]


def test_a_move_played_by_long_rest_has_its_time_from_the_press_that_comes_late() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e4").ticks(17.0).expects()
    table.sees(17.0, without="a1").expects("1. e4 by rest")
    table.sees(17.5, white_rook="a1").ticks(19.0).expects()
    table.clock(20.0, 280, 300, "right").ticks(22.0).expects("1. has 280")
    assert cleared(table) == [("CLOCK_NOT_PRESSED", "over")]
    assert not loud(table)


def test_a_forgotten_press_in_a_hurry_is_noted_sooner() -> None:
    table = TableTalk.ready(clock=False)
    table.clock(0.5, 50, 50, "left").sees(4.0, without="e2", white_pawn="e4").ticks(8.0)
    assert codes(table) == ["CLOCK_NOT_PRESSED"]


# -- flags and stopped clocks ------------------------------------------------------------------


def in_trouble(fen: str | None = None, control: str = "300", rules: str = "fide_std") -> TableTalk:
    table = TableTalk.ready(under(rules, start_fen=fen, time_control=control), clock=False)
    reads(table, 0.5, 2500, 5000, "left")
    table.sees(0.6, without="h2", white_pawn="h3")
    reads(table, 1.5, 1500, 5000, "left")
    return table


def test_a_flag_falls_and_the_opponent_can_mate() -> None:
    table = in_trouble("4k2q/8/8/8/8/8/7P/4K3 w - - 0 1")
    reads(table, 2.5, 500, 5000, "left")
    assert not codes(table)
    reads(table, 3.1, 0, 5000, "left")
    alert = of(table, "FLAG_FALL")
    assert (alert.severity, alert.reason, alert.by) == ("critical", "LOSS", "white")
    assert alert.remedy.startswith("0-1")


def test_a_flag_falls_and_the_opponent_has_a_bare_king() -> None:
    table = in_trouble("4k3/8/8/8/8/8/7P/4K3 w - - 0 1")
    reads(table, 3.1, 0, 5000, "left")
    alert = of(table, "FLAG_FALL")
    assert (alert.reason, alert.remedy[:7]) == ("DRAW_NO_MATE", "1/2-1/2")


def test_a_clock_that_is_switched_off_is_no_fallen_flag() -> None:
    table = TableTalk.ready(under("fide_std", time_control="300"))
    table.plays(4.0, "e4")
    reads(table, 8.0, 0, 0, "right")
    reads(table, 9.0, 0, 0, "right")
    table.ticks(20.0)
    assert not codes(table)


def test_zero_before_the_next_period_is_waited_for() -> None:
    table = in_trouble(control="40/300:300")
    reads(table, 3.1, 0, 5000, "left")
    reads(table, 4.0, 0, 5000, "left")
    assert not loud(table)
    reads(table, 6.0, 0, 5000, "left")
    assert "0 of 40 moves" in of(table, "FLAG_FALL").text
    reads(table, 7.0, 40_000, 5000, "left")
    assert cleared(table) == [("FLAG_FALL", "over")]


def test_a_period_whose_moves_are_made_is_met() -> None:
    table = TableTalk.ready(under("fide_std", time_control="1/300:300"), clock=False)
    reads(table, 0.5, 2500, 5000, "left")
    table.sees(0.6, without="h2", white_pawn="h3")
    reads(table, 1.5, 1500, 5000, "right")
    table.ticks(3.0).sees(3.0, without="h7", black_pawn="h6")
    reads(table, 3.5, 1500, 4000, "left")
    reads(table, 5.1, 0, 4000, "left")
    reads(table, 8.0, 0, 4000, "left")
    alert = of(table, "FLAG_FALL")
    assert (alert.severity, alert.reason) == ("notice", "PERIOD_MET")


def test_mate_that_stands_goes_before_the_flag() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    table = TableTalk.ready(TableSetup(start_fen=fen, white_clock="left"), clock=False)
    reads(table, 0.5, 5000, 2500, "right")
    table.sees(0.8, without="d8", black_queen="h4").ticks(1.2)
    reads(table, 3.1, 5000, 0, "right")
    table.ticks(20.0)
    assert "FLAG_FALL" not in codes(table)


def test_both_flags_at_once_and_one_after_the_other() -> None:
    table = in_trouble()
    reads(table, 3.0, 0, 0, "left", flags=True)
    assert loud(table) == ["BOTH_FLAGS"]
    assert "else draw" in of(table, "BOTH_FLAGS").remedy
    table = in_trouble()
    reads(table, 3.1, 0, 5000, "left")
    reads(table, 4.1, 0, 0, "right", flags=True)
    assert loud(table) == ["FLAG_FALL"]


def test_a_stopped_clock_with_a_pawn_on_the_last_rank() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1"))
    table.sees(4.0, without="a7", white_pawn="a8").clock(5.0, 295, 300, "left", run=False)
    table.ticks(6.4)
    assert not codes(table)
    table.ticks(6.6)
    alert = of(table, "CLOCK_STOPPED_BY_PLAYER")
    assert (alert.severity, alert.remedy) == ("warning", "needs a piece for the promotion")


@pytest.mark.parametrize("lifted", ["", "e1"])
def test_a_clock_that_nothing_tells_why_it_stands_is_a_notice(lifted: str) -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "left", run=False)
    if lifted:
        table.sees(16.0, without=lifted)
    table.ticks(40.0)
    alert = of(table, "CLOCK_STOPPED_BY_PLAYER")
    assert (alert.severity, bool(lifted) == ("over" in alert.remedy)) == ("notice", True)


def test_a_stopped_clock_is_critical_in_the_classic_code() -> None:
    table = after_two_moves(under("classic"))
    table.clock(15.0, 290, 300, "left", run=False).ticks(24.0)
    alert = of(table, "CLOCK_STOPPED_BY_PLAYER")
    assert alert.severity == "critical"
    assert "unless by a misunderstanding" in alert.text
    table.clock(30.0, 290, 300, "left")
    assert cleared(table) == [("CLOCK_STOPPED_BY_PLAYER", "over")]


def test_nobody_is_called_when_the_kings_tell_the_result() -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "left", run=False)
    table.sees(17.0, without="e1 e8 e4 e5", white_king="e4", black_king="d5").ticks(40.0)
    assert codes(table) == ["RESULT_BY_KINGS"]


def test_a_clock_stopped_before_the_first_move_is_nobodys_concern() -> None:
    table = TableTalk.ready()
    table.clock(5.0, 295, 300, "left", run=False).ticks(60.0)
    assert not codes(table)


# -- draws -------------------------------------------------------------------------------------

SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")


def test_a_third_occurrence_is_silent_and_the_fifth_ends_the_game() -> None:
    table = TableTalk.ready(under("fide_std"))
    table.plays(4.0, *SHUFFLE * 2)
    alert = of(table, "THREEFOLD_CLAIMABLE")
    assert (alert.severity, alert.by) == ("silent", "white")
    assert "1., 3., 5." in alert.text
    table.plays(60.0, *SHUFFLE * 2)
    assert of(table, "FIVEFOLD").severity == "critical"
    table.plays(120.0, "e4")
    assert of(table, "MOVE_AFTER_GAME_END").severity == "warning"
    assert ("THREEFOLD_CLAIMABLE", "expired") in cleared(table)


def test_a_press_after_the_end_says_nothing_while_the_board_is_not_seen() -> None:
    table = TableTalk.ready(under("fide_std"))
    table.plays(4.0, "f3", "e5", "g4", "Qh4")
    assert of(table, "CHECKMATE").severity == "notice"
    table.link(30.0, "lost").clock(30.2, 290, 290, "left").clock(31.0, 289, 290, "right")
    assert "MOVE_AFTER_GAME_END" not in codes(table)


def test_the_classic_code_knows_no_fivefold() -> None:
    table = TableTalk.ready(under("classic"))
    table.plays(4.0, *SHUFFLE * 4)
    assert "FIVEFOLD" not in codes(table)


def test_a_fifth_occurrence_counts_when_it_is_made() -> None:
    table = TableTalk.ready(under("fide_std"))
    end = table.plays(4.0, *(SHUFFLE * 4)[:-1])
    table.sees(end + 1, without="f6", black_knight="g8").ticks(end + 2.5)
    assert "FIVEFOLD" not in codes(table)
    table.ticks(end + 4.0)
    assert "FIVEFOLD" in codes(table)


@pytest.mark.parametrize(
    ("name", "count", "code"),
    [
        ("fide_std", 99, "FIFTY_CLAIMABLE"),
        ("fide_std", 149, "SEVENTY_FIVE"),
        ("classic", 149, "CLASSIC75_CLAIMABLE"),
        ("classic", 99, None),
    ],
)
def test_moves_without_progress(name: str, count: int, code: str | None) -> None:
    table = TableTalk.ready(under(name, start_fen=f"4k3/8/8/8/8/3K4/Q7/5nn1 w - - {count} 90"))
    table.plays(4.0, "Qa3")
    assert codes(table) == ([] if code is None else [code])


def test_a_dead_position_is_told_with_the_reason() -> None:
    table = TableTalk.ready(TableSetup(start_fen="4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"))
    table.plays(4.0, "Kxd2")
    assert of(table, "DEAD_POSITION").text.startswith("neither side can mate any more: ")


def standing_dead() -> TableTalk:
    """The king has taken the last piece, and his player has not pressed yet."""
    table = TableTalk.ready(TableSetup(start_fen="8/8/8/4k3/5Q2/8/8/4K3 b - - 0 1"))
    table.clock(1.0, 300, 300, "right").sees(3.0, without="e5").sees(3.5, without="f4")
    table.sees(3.9, black_king="f4").ticks(8.0)
    assert codes(table) == ["DEAD_POSITION"]
    return table


def test_the_move_that_ended_the_game_as_it_stood_is_none_after_its_end() -> None:
    table = standing_dead().clock(8.5, 300, 294, "left").ticks(12.0)
    assert codes(table) == ["DEAD_POSITION"]
    assert table.moves == "Kxf4"


def test_another_move_than_stood_has_not_ended_the_game() -> None:
    table = standing_dead().sees(8.2, without="f4", white_queen="f4")
    table.sees(8.6, black_king="e6").clock(9.5, 300, 294, "left").ticks(13.0)
    assert table.moves == "Ke6"
    assert ("DEAD_POSITION", "withdrawn") in cleared(table)
    assert "MOVE_AFTER_GAME_END" not in codes(table)


def test_of_plies_that_are_told_together_the_last_one_is_proved_to_be_dead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A proof takes milliseconds, and what is dead stays dead."""
    asked: list[str] = []

    def is_proved_dead(board: chess.Board) -> bool:
        asked.append(board.board_fen())
        return False

    monkeypatch.setattr(draws, "is_proved_dead", is_proved_dead)
    table = TableTalk.ready(TableSetup(start_fen="4k3/7p/8/8/8/8/P7/4K3 w - - 0 1"))
    table.clock(1.0, 300, 300, "left").link(2.0, "lost").link(9.0, "live")
    table.sees(9.1, without="a2 h7", white_pawn="a3", black_pawn="h6")
    table.sees(9.1, without="e1 e8", white_king="d2", black_king="d7")
    table.clock(9.5, 297, 297, "left").ticks(20.0)
    assert len(table.moves.split()) == 4
    assert asked == ["8/3k3p/8/8/8/P7/3K4/8", "8/3k4/7p/8/8/P7/3K4/8"]


def test_moves_that_are_withdrawn_are_not_counted() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, *SHUFFLE * 2)
    table.sees(end + 0.5, without="g8", black_knight="h6").ticks(end + 6.0)
    if "MovesCorrected" in {type(fact).__name__ for fact in table.facts}:
        assert any(code == "THREEFOLD_CLAIMABLE" for code, _ in cleared(table))


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "2b1k3/8/8/8/8/8/8/2B1K2B w - - 0 1",
        "8/8/4k3/1p1p1p1p/pPpPpPpP/P1P1P1P1/4K3/8 w - - 0 1",
    ],
)
def test_positions_that_are_looked_at_for_being_dead(fen: str) -> None:
    board = chess.Board(fen)
    assert may_be_dead(board)
    assert may_be_dead(board) >= is_proved_dead(board)


def test_positions_that_are_not_looked_at() -> None:
    assert not may_be_dead(chess.Board())
    assert not may_be_dead(chess.Board("4k2r/8/8/8/8/8/8/R2QK3 w - - 0 1"))


# -- hands -------------------------------------------------------------------------------------


def test_a_touched_man_that_was_not_moved_is_kept_silent() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g1").sees(5.5, white_knight="g1")
    table.sees(8.0, without="e2", white_pawn="e4").clock(9.0, 290, 300, "right").ticks(10.0)
    alert = of(table, "TOUCH_MOVE_SUSPECTED")
    assert (alert.reason, alert.confidence, alert.visibility) == ("FIRST_MAN", "medium", "A")
    assert alert.remedy == "left by it: Nf3 or Nh3"
    table.plays(14.0, "e5")
    assert ("TOUCH_MOVE_SUSPECTED", "expired") in cleared(table)


def test_a_nudge_and_brushed_men_are_no_touch() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g1").sees(4.2, white_knight="g1")
    table.sees(5.0, without="f2 g2").sees(7.0, white_pawn="f2 g2")
    table.sees(8.0, without="e2", white_pawn="e4").clock(9.0, 290, 300, "right").ticks(10.0)
    assert not codes(table)


def test_many_men_put_back_were_adjusted() -> None:
    table = TableTalk.ready()
    for at, square in enumerate(("a1", "c1", "e1")):
        man = {"a1": "white_rook", "c1": "white_bishop", "e1": "white_king"}[square]
        table.sees(4.0 + 2 * at, without=square).sees(5.0 + 2 * at, **{man: square})
    table.sees(12.0, without="e2", white_pawn="e4").clock(13.0, 290, 300, "right").ticks(14.0)
    assert not codes(table)


def test_the_opponent_adjusts_in_the_movers_time() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g8").sees(5.0, black_knight="g8")
    table.sees(8.0, without="e2", white_pawn="e4").clock(9.0, 290, 300, "right").ticks(10.0)
    alert = of(table, "ADJUST_OUT_OF_TURN")
    assert (alert.severity, alert.by) == ("silent", "black")


def test_a_released_man_is_moved_again() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="e2", white_pawn="e3").sees(6.0, without="e3", white_pawn="e4")
    table.clock(7.0, 290, 300, "right").ticks(9.0)
    assert "e3 stood for 2.0 s before e4" in of(table, "RELEASED_PIECE_MOVED_AGAIN").text


@pytest.mark.parametrize("watched", [True, False])
def test_two_hands_are_looked_for_only_where_it_is_asked_for(watched: bool) -> None:
    start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start, two_hands=watched))
    table.sees(4.0, without="e1").sees(4.04, without="h1")
    table.sees(5.0, white_king="g1").sees(5.5, white_rook="f1")
    table.clock(6.0, 290, 300, "right").ticks(8.0)
    assert codes(table) == (["TWO_HANDS_SUSPECTED"] if watched else [])


def test_men_knocked_over_and_put_back_in_the_opponents_time() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g1").sees(4.5, white_knight="f3").sees(4.6, without="f2 g2")
    table.clock(5.2, 295, 300, "right").ticks(6.0)
    alert = of(table, "PIECES_DISPLACED")
    assert (alert.severity, alert.by) == ("warning", "white")
    assert "f2, g2" in alert.remedy
    table.sees(8.2, white_pawn="f2 g2").ticks(12.0)
    assert cleared(table) == [("PIECES_DISPLACED", "over")]
    assert "KING" not in "".join(codes(table))


def test_men_that_lie_are_not_looked_at_again_and_again() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g1").sees(4.5, white_knight="f3").sees(4.6, without="f2 g2")
    table.clock(5.2, 295, 300, "right").ticks(86_400.0)
    assert "PIECES_DISPLACED" in codes(table)
    assert table.table.wake_at == math.inf


def test_men_that_lie_are_forgotten_when_play_goes_on_without_them() -> None:
    table = TableTalk.ready()
    table.sees(4.0, without="g1").sees(4.5, white_knight="f3").sees(4.6, without="f2 g2")
    table.clock(5.2, 295, 300, "right").ticks(6.0)
    stands = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPP2P/RNBQKB1R b KQkq - 1 1"
    table._hear("ruling", 7.0, Ruling(by="A", reason="seen", order=LetStand(stands=stands)))
    table.ticks(12.0)
    assert cleared(table) == [("PIECES_DISPLACED", "over")]


def test_men_that_may_have_taken_others_unseen_did_not_fall() -> None:
    def knocked(fen: str) -> list[str]:
        setup = TableSetup(start_fen=fen, sensing="occupancy", orientation="normal")
        table = TableTalk.ready(setup)
        table.sees(4.0, without="e1").sees(4.4, white_king="f1").sees(4.5, without="d3 e3")
        table.clock(5.2, 295, 300, "right").ticks(6.0)
        return codes(table)

    assert "PIECES_DISPLACED" in knocked("4k3/8/8/4p3/8/3BN3/8/4K3 w - - 0 1")
    assert "PIECES_DISPLACED" not in knocked("4k3/8/8/3p4/8/3BN3/8/4K3 w - - 0 1")


def test_men_that_were_taken_off_one_after_the_other_did_not_fall() -> None:
    table = TableTalk.ready()
    table.sees(2.0, without="f2").sees(4.0, without="g1").sees(4.5, white_knight="f3")
    table.sees(4.6, without="g2").clock(5.2, 295, 300, "right").ticks(6.0)
    assert "PIECES_DISPLACED" not in codes(table)


def test_a_capture_in_the_opponents_hand_is_no_mishap() -> None:
    start = "4k3/8/8/7r/7P/8/2P5/4K3 w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start))
    table.sees(4.0, without="c2", white_pawn="c3").sees(4.6, without="h5").sees(4.8, without="h4")
    table.clock(5.0, 295, 300, "right").ticks(5.9)
    assert not codes(table)
    table.sees(6.0, black_rook="h4").clock(7.0, 295, 298, "left").ticks(9.0)
    assert not codes(table)


# -- ends --------------------------------------------------------------------------------------


def test_mate_is_told_for_confirmation() -> None:
    table = TableTalk.ready()
    table.plays(4.0, "f3", "e5", "g4", "Qh4#")
    alert = of(table, "CHECKMATE")
    assert (alert.severity, alert.remedy) == ("notice", "confirm 0-1")


def test_a_move_after_mate_is_told_once() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "f3", "e5", "g4", "Qh4#")
    table.shows(end + 5, MATE.replace("RNBQKBNR", "RNBQ1BNR").replace("PPPPP2P", "PPPPPK1P"))
    table.clock(end + 6, 280, 300, "right").clock(end + 20, 280, 290, "left")
    table.clock(end + 21, 280, 290, "right").ticks(end + 30)
    assert codes(table).count("MOVE_AFTER_GAME_END") == 1
    assert of(table, "MOVE_AFTER_GAME_END").by == "white"


def test_men_put_up_again_after_mate_are_no_move() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "f3", "e5", "g4", "Qh4#")
    table.clock(end + 2, 280, 300, "right").clock(end + 4, 280, 290, "left")
    table.shows(end + 5, "8/8/8/8/8/8/8/8").clock(end + 6, 280, 290, "right").ticks(end + 30)
    assert "MOVE_AFTER_GAME_END" not in codes(table)


def test_an_answer_after_an_agreed_draw_is_told() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "e4")
    table.orders(end + 1, "1/2-1/2")
    table.sees(end + 3, without="e7", black_pawn="e5").clock(end + 4, 280, 290, "left")
    assert of(table, "MOVE_AFTER_GAME_END").by == "black"


def test_another_result_than_the_boards_is_a_conflict() -> None:
    table = TableTalk.ready()
    end = table.plays(4.0, "f3", "e5", "g4", "Qh4#")
    table.orders(end + 5, "0-1")
    assert "RESULT_CONFLICT" not in codes(table)
    table.orders(end + 6, "1-0")
    assert "RESULT_CONFLICT" in codes(table)


# -- what a clock adds, and shortage of time -----------------------------------------------------


def incremental(control: str = "5400+30") -> TableTalk:
    return TableTalk.ready(under("fide_std", time_control=control), clock=False)


def test_an_increment_that_is_missing_twice_is_told() -> None:
    table = incremental()
    table.clock(10.0, 5400, 5400, "left")
    left, right, at = 5400, 5400, 10.0
    for number, san in enumerate(("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8")):
        white = number % 2 == 0
        board = table._position()
        move = board.parse_san(san)
        board.push(move)
        table.shows(at + 2.0, board.board_fen())
        left, right = (left - 10, right) if white else (left, right + 20)
        at += 10.0
        table.clock(at, left, right, "right" if white else "left").ticks(at + 1.5)
    alert = of(table, "TIME_NOT_ADDED")
    assert (alert.severity, alert.by) == ("warning", "white")
    assert "30 s was not added" in alert.text
    assert "TIME_ADDED_TWICE" not in codes(table)


def test_increments_that_come_are_nothing_to_tell() -> None:
    table = incremental()
    left, right, at = 5400, 5400, 10.0
    table.clock(at, left, right, "left")
    for number, san in enumerate(("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6")):
        white = number % 2 == 0
        board = table._position()
        board.push_san(san)
        table.shows(at + 2.0, board.board_fen())
        left, right = (left + 20, right) if white else (left, right + 20)
        at += 10.0
        table.clock(at, left, right, "right" if white else "left").ticks(at + 1.5)
    assert not loud(table)


def test_a_player_runs_short_of_time() -> None:
    table = incremental("5400")
    table.clock(10.0, 301, 5400, "left").clock(15.0, 296, 5400, "left")
    exempt = of(table, "RECORDING_EXEMPT")
    assert (exempt.severity, exempt.by) == ("notice", "white")
    table.clock(250.0, 58, 5400, "left").clock(251.0, 57, 5400, "left")
    assert of(table, "TIME_TROUBLE").by == "white"
    assert codes(table) == ["RECORDING_EXEMPT", "TIME_TROUBLE"]


def test_nobody_is_exempt_with_an_increment_of_thirty_seconds() -> None:
    table = incremental("5400+30")
    table.clock(10.0, 301, 5400, "left").clock(15.0, 296, 5400, "left")
    assert not codes(table)


def test_the_wrong_clock_is_started_after_a_pause() -> None:
    table = after_two_moves()
    table.clock(15.0, 290, 300, "left", run=False).ticks(15.5)
    table.clock(17.0, 290, 300, "right").ticks(20.0)
    alert = of(table, "WRONG_CLOCK_RUNNING")
    assert (alert.severity, alert.by) == ("warning", "white")
    table.clock(21.0, 290, 296, "left")
    assert cleared(table) == [("WRONG_CLOCK_RUNNING", "over")]


# -- equipment ---------------------------------------------------------------------------------


def test_batteries_are_for_the_operator() -> None:
    table = TableTalk.ready()
    table._hear("battery", 1.0, Battery(at=1.0, percent=20, charging=False))
    assert not codes(table)
    table._hear("battery", 2.0, Battery(at=2.0, percent=9, charging=False, minutes_left=40))
    alert = of(table, "LOW_BATTERY")
    assert (alert.severity, alert.visibility) == ("tech", "O")
    assert "for 40 minutes" in alert.text
    table._hear("battery", 3.0, Battery(at=3.0, percent=9, charging=True))
    assert cleared(table) == [("LOW_BATTERY", "over")]


def hears_low_battery(table: TableTalk, at: float) -> None:
    reading = ClockReading(
        at=at, left_ms=300_000, right_ms=300_000, running=True, turn="left", low_battery=True
    )
    table._hear("clock", at, reading)


def test_a_clock_with_a_low_battery_is_a_warning_in_play() -> None:
    table = TableTalk.ready()
    hears_low_battery(table, 2.0)
    hears_low_battery(table, 3.0)
    assert of(table, "CLOCK_LOW_BATTERY").severity == "warning"
    table.clock(4.0, 299, 300, "left")
    assert cleared(table) == [("CLOCK_LOW_BATTERY", "over")]


def test_one_damaged_reading_is_no_low_battery() -> None:
    table = TableTalk.ready()
    for at in (2.0, 4.0, 6.0):
        hears_low_battery(table, at)
        table.clock(at + 1, 299, 300, "left")
    assert not codes(table)


def test_a_silent_board_is_told_until_it_answers() -> None:
    table = TableTalk.ready()
    table.link(5.0, "stale")
    assert of(table, "SNAPSHOT_STALE").severity == "tech"
    table.link(6.0, "live")
    assert ("SNAPSHOT_STALE", "over") in cleared(table)
