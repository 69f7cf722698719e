"""The start of a round: what is waited for, what is asked, and when it falls silent."""

import pytest

from bridge.core.model import (
    AcceptAlert,
    AlertCleared,
    AlertRaised,
    NotePresence,
    ResultOrder,
    RulingMade,
    ScheduleStart,
    TableSetup,
    Undo,
)
from bridge.core.table.rulings.audit import audit
from tests.bridge.core.arbiter import Arbiter

START = 100.0
"""Journal time at which the round begins; Unix time is a thousand seconds more."""


def table_for(default_minutes: int | None = 30, *, clock: bool = True) -> Arbiter:
    table = Arbiter(TableSetup(has_clock=clock))
    table.rules(ScheduleStart(starts=1000 + START, default_minutes=default_minutes))
    return table


def ready(default_minutes: int | None = 30, *, running: bool = True) -> Arbiter:
    """The array stands, and White's clock is started with the round."""
    table = table_for(default_minutes)
    table.shows(50.0)
    table.clock(60.0, 5400, 5400, "left", run=False)
    if running:
        table.clock(START, 5400, 5400, "left")
    return table


def told(table: Arbiter) -> list[tuple[str, str, str]]:
    return [(f.code, f.reason, f.severity) for f in table.facts if isinstance(f, AlertRaised)]


def cleared(table: Arbiter) -> list[tuple[str, str]]:
    return [(f.code, f.how) for f in table.facts if isinstance(f, AlertCleared)]


def last(table: Arbiter) -> AlertRaised:
    return [fact for fact in table.facts if isinstance(fact, AlertRaised)][-1]


# -- the board and its clock -----------------------------------------------------------------------


def test_a_board_that_is_not_ready_is_told_when_the_round_begins() -> None:
    table = table_for()
    table.ticks(START - 0.1)
    assert told(table) == []
    table.ticks(START)
    assert told(table) == [("NOT_READY_AT_START", "", "notice")]
    table.shows(START + 20)
    assert cleared(table) == [("NOT_READY_AT_START", "over")]
    table.clock(START + 25, 5400, 5400, "left")
    table.plays(START + 30, "e4", "e5", clock=5380)
    assert len(told(table)) == 1


def test_without_a_scheduled_start_nothing_is_waited_for() -> None:
    table = Arbiter()
    table.ticks(5000.0).shows(6000.0).ticks(9000.0)
    assert told(table) == []


def test_a_clock_that_is_not_started_is_told_after_a_minute() -> None:
    table = ready(running=False)
    table.ticks(START + 59)
    assert told(table) == []
    table.ticks(START + 60)
    assert told(table) == [("CLOCK_NOT_STARTED", "", "notice")]
    table.clock(START + 70, 5400, 5400, "left")
    assert cleared(table) == [("CLOCK_NOT_STARTED", "over")]


def test_a_start_that_is_put_off_takes_back_what_was_told() -> None:
    table = table_for()
    table.ticks(START + 1)
    table.rules(ScheduleStart(starts=2000.0))
    assert (
        table.text() == "the round begins in 14:58; who comes 0 minutes later or more loses (6.7.1)"
    )
    assert cleared(table) == [("NOT_READY_AT_START", "withdrawn")]
    table.ticks(999.0)
    assert len(told(table)) == 1
    table.rules(Undo(ruling=2))
    assert told(table)[1:] == [("NOT_READY_AT_START", "", "notice")]
    table.rules(Undo(ruling=1))
    assert cleared(table)[1:] == [("NOT_READY_AT_START", "withdrawn")]


def test_a_start_may_be_entered_when_it_is_past() -> None:
    table = table_for()
    table.shows(50.0)
    table.clock(60.0, 5400, 5400, "left")
    table.ticks(START - 10)
    table.rules(ScheduleStart(starts=1000.0 + 30))
    assert table.text().startswith("the round began 1:00 ago; who comes 0 minutes")
    assert told(table) == [("LATE_ARRIVAL", "WHITE", "notice")]


def test_a_negative_default_time_is_refused() -> None:
    table = Arbiter()
    order = ScheduleStart(starts=0.0, default_minutes=-1)
    assert table.refuses(order) == "the default time is not negative"


# -- the players -----------------------------------------------------------------------------------


def test_it_is_asked_whether_white_is_there_until_he_moves() -> None:
    table = ready()
    table.ticks(START + 59.9)
    assert told(table) == []
    table.ticks(START + 60)
    alert = last(table)
    assert told(table) == [("LATE_ARRIVAL", "WHITE", "notice")]
    assert (alert.by, alert.confidence, alert.visibility) == ("white", "low", "A")
    assert alert.remedy == (
        'ask "present?"; 29:00 until the default time; the time until then is lost to white'
    )
    table.ticks(START + 1800)
    assert told(table)[1:] == [("LATE_ARRIVAL", "WHITE", "warning")]
    assert "0-1 for the arbiter to confirm" in last(table).remedy
    table.plays(START + 1810, "e4", clock=3590)
    assert cleared(table) == [("LATE_ARRIVAL", "over")]


def test_black_is_asked_for_from_whites_move_on() -> None:
    table = ready()
    table.plays(START + 20, "e4", clock=5380)
    table.ticks(START + 75)
    assert told(table) == []
    table.ticks(START + 90)
    assert told(table) == [("LATE_ARRIVAL", "BLACK", "notice")]
    table.plays(START + 95, "e5", clock=5300)
    assert cleared(table) == [("LATE_ARRIVAL", "over")]
    table.ticks(START + 4000)
    assert len(told(table)) == 1


def test_a_default_time_of_nothing_calls_nobody_for_a_long_first_thought() -> None:
    table = ready(default_minutes=None)
    table.ticks(START + 299)
    assert told(table) == [("LATE_ARRIVAL", "WHITE", "notice")]
    table.ticks(START + 300)
    assert told(table)[1:] == [("LATE_ARRIVAL", "WHITE", "warning")]


def test_who_is_noted_as_there_is_not_asked_for() -> None:
    table = ready()
    table.rules(NotePresence(colour="white"))
    assert table.text() == "white is there, 0:00 after the start"
    table.ticks(START + 3000)
    assert told(table) == []
    table.rules(Undo(ruling=2))
    assert told(table) == [("LATE_ARRIVAL", "WHITE", "warning")]


def test_nobody_is_asked_for_while_his_clock_does_not_run() -> None:
    table = Arbiter(TableSetup(white_clock="left"))
    table.rules(ScheduleStart(starts=1000 + START))
    table.shows(50.0)
    table.clock(START, 5400, 5400, "right")
    table.ticks(START + 3000)
    assert told(table) == []


def test_who_was_seen_to_be_absent_is_told_at_once_and_for_certain() -> None:
    table = table_for()
    table.rules(NotePresence(colour="white", present=False))
    table.rules(NotePresence(colour="black", present=False))
    assert told(table) == []
    table.ticks(START)
    assert told(table)[-1] == ("LATE_ARRIVAL", "BOTH", "notice")
    assert (last(table).text, last(table).by) == ("both players are absent", None)
    assert "is lost to white" not in last(table).text
    table.rules(NotePresence(colour="white"))
    assert told(table)[-1] == ("LATE_ARRIVAL", "BLACK", "notice")
    assert last(table).confidence == "high"
    table.shows(START + 30)
    assert ("LATE_ARRIVAL", "expired") not in cleared(table)
    table.ticks(START + 1801)
    table.rules(NotePresence(colour="black"))
    assert table.text().endswith("the default time of 30 minutes is over (6.7.1)")
    assert cleared(table)[-1] == ("LATE_ARRIVAL", "over")


def test_presence_before_the_start_is_noted_and_can_be_undone() -> None:
    table = table_for()
    table.rules(NotePresence(colour="black"))
    assert table.text() == "black is there"
    table.rules(NotePresence(colour="black", present=False))
    table.rules(Undo(ruling=3))
    table.ticks(START)
    assert [code for code, _, _ in told(table)] == ["NOT_READY_AT_START"]


def test_presence_is_noted_only_where_a_start_is_waited_for() -> None:
    table = Arbiter()
    order = NotePresence(colour="white")
    assert table.refuses(order) == "no start is scheduled, or both players have moved"


@pytest.mark.parametrize("number", [1, 2])
def test_what_the_game_has_overtaken_is_not_undone(number: int) -> None:
    table = ready()
    table.rules(NotePresence(colour="white"))
    table.plays(START + 20, "e4", "e5", clock=5380)
    assert table.refuses(Undo(ruling=number)).startswith("the round has begun")


def test_a_game_that_ends_was_that_of_the_round() -> None:
    table = ready()
    table.ticks(START + 61)
    table._hear("order", START + 70, ResultOrder(result="1-0"))
    assert cleared(table)[0] == ("LATE_ARRIVAL", "over")
    table.ticks(START + 4000)
    assert len(told(table)) == 1


def test_a_game_that_ends_before_the_start_is_another_one() -> None:
    table = table_for()
    table.shows(10.0)
    table.clock(11.0, 300, 300, "left")
    table.plays(12.0, "e4", "e5")
    table._hear("order", 40.0, ResultOrder(result="1-0"))
    table.ticks(START)
    assert told(table) == [("NOT_READY_AT_START", "", "notice")]


def test_without_a_clock_the_moves_alone_tell() -> None:
    table = table_for(clock=False)
    table.shows(50.0)
    table.ticks(START + 60)
    assert told(table) == [("LATE_ARRIVAL", "WHITE", "notice")]


def test_a_board_that_is_lost_tells_nothing_of_players() -> None:
    table = ready()
    table.link(START + 10, "lost")
    table.ticks(START + 3000)
    assert [code for code, _, _ in told(table)] == ["BOARD_DISCONNECTED"]


def test_entries_are_in_the_audit() -> None:
    table = table_for()
    table.rules(NotePresence(colour="white"))
    assert [entry.order for entry in audit(table.facts)] == ["ScheduleStart", "NotePresence"]
    assert all(isinstance(f, RulingMade) for f in table.facts if hasattr(f, "ruling"))


def test_what_the_arbiter_has_dealt_with_is_not_told_again() -> None:
    table = table_for()
    table.ticks(START + 1)
    table.rules(AcceptAlert(code="NOT_READY_AT_START"))
    table.shows(START + 5)
    table.clock(START + 6, 5400, 5400, "left", run=False)
    table.ticks(START + 61)
    table.rules(AcceptAlert(code="CLOCK_NOT_STARTED"))
    table.clock(START + 70, 5400, 5400, "left", run=False)
    table.ticks(START + 80)
    assert [code for code, _, _ in told(table)] == ["NOT_READY_AT_START", "CLOCK_NOT_STARTED"]
