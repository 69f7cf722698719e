"""What the clock shows against the event, the record, the rulings and our own time."""

from typing import Any

import pytest
from msgspec import structs, to_builtins

from bridge.config.rulesets import rule_set
from bridge.core.model import (
    AcceptAlert,
    AlertRaised,
    ClaimDraw,
    ConfirmOffence,
    DismissAlert,
    Order,
    Penalise,
    Penalty,
    SetClocks,
    TableSetup,
    Undo,
)
from tests.bridge.core.dialogue import TableTalk
from tests.bridge.core.sitting import OPENING, Sitting


def event(control: str, name: str = "fide_std", **changed: Any) -> TableSetup:
    rules = structs.replace(rule_set(name), **changed)
    return TableSetup(time_control=control, rules=to_builtins(rules))


# -- the setting of the clock ----------------------------------------------------------------------


@pytest.mark.parametrize("more", [0, 30])
def test_a_clock_that_is_set_as_the_event_says_raises_nothing(more: int) -> None:
    """The time for the first move may be on the clock before it, or come with it."""
    table = Sitting(event("5400+30"), white=5400 + more, black=5400 + more, adds=30)
    table.waits(20).start().makes(*OPENING)
    assert table.loud == []


def test_wrong_times_at_the_start_are_told_with_the_right_ones() -> None:
    table = Sitting(event("5400+30"), white=5400, black=3600, adds=30)
    table.waits(30)
    assert table.loud == []
    table.start().waits(1.9)
    assert table.loud == []
    table.waits(0.2)
    assert table.loud == [("CLOCK_SETTING_MISMATCH", "critical")]
    alert = table.alert("CLOCK_SETTING_MISMATCH")
    assert alert.text.endswith("Black starts with 1:00:00, should be 1:30:00")
    assert alert.remedy == "set it right: White 1:29:58, Black 1:30:00"
    assert alert.article == "6.10.1, 6.10.2, 7.1"
    table.makes(*OPENING)
    assert len(table.loud) == 1


def test_a_clock_that_is_set_before_it_starts_is_judged_as_it_started() -> None:
    table = Sitting(event("900"), white=5400, black=5400)
    table.waits(30)
    table.left = dict.fromkeys(table.left, 900.0)
    table.waits(10).start().makes(*OPENING)
    assert table.loud == []


def test_a_clock_that_was_not_seen_to_start_is_not_judged_by_its_times() -> None:
    table = TableTalk.ready(event("5400+30"))
    table.ticks(10.0)
    assert not table.told(AlertRaised)


def test_a_pause_before_the_first_move_is_no_start() -> None:
    table = TableTalk.ready(event("300"))
    table.clock(5.0, 292, 300, "left", run=False).clock(20.0, 292, 300, "left").ticks(30.0)
    raised = [fact.code for fact in table.facts if isinstance(fact, AlertRaised)]
    assert "CLOCK_SETTING_MISMATCH" not in raised


def test_after_a_lost_link_nobody_knows_what_the_clock_began_with() -> None:
    table = Sitting(event("900"), white=700, black=700)
    table.link(1.5, "lost")
    table.moment = 2.0
    table.start().waits(10)
    assert "CLOCK_SETTING_MISMATCH" not in [code for code, _ in table.loud]


@pytest.mark.parametrize(
    ("control", "adds", "times"),
    [("900", 5, "White 14:43, Black 14:46"), ("900+30", 10, "White 16:4")],
)
def test_another_increment_than_the_events_is_told_after_three_moves(
    control: str, adds: int, times: str
) -> None:
    table = Sitting(event(control), white=900, black=900, adds=adds).start()
    table.makes(*OPENING[:6])
    assert table.loud == []
    table.makes(*OPENING[6:8]).waits(3)
    assert table.loud == [("CLOCK_SETTING_MISMATCH", "warning")]
    alert = table.alert("CLOCK_SETTING_MISMATCH")
    assert f"{adds} s a move, should be" in alert.text
    assert times in alert.remedy


def test_under_a5_a_setting_stands_after_ten_moves() -> None:
    table = Sitting(event("900", "rapid_a5", clock_setting_moves=3), white=900, black=900, adds=5)
    table.start().makes(*OPENING)
    assert "the setting stands" in table.alert("CLOCK_SETTING_MISMATCH").remedy


@pytest.mark.parametrize("control", ["?", "-", "*180"])
def test_without_a_known_setting_nothing_is_compared(control: str) -> None:
    table = Sitting(event(control), white=77, black=78, adds=3).start().makes(*OPENING[:6])
    assert table.loud == []


# -- the counter of the clock ----------------------------------------------------------------------

TWO_MOVES = "2/600:300"


def test_a_period_that_comes_with_its_move_raises_nothing() -> None:
    table = Sitting(event(TWO_MOVES), white=600, black=600).start().makes("e4", "e5")
    table.makes("Nf3", adds=300).makes("Nc6", adds=300).makes("Bb5", "a6")
    assert table.loud == []


def test_a_period_that_comes_too_early_or_too_late_is_told() -> None:
    table = Sitting(event(TWO_MOVES), white=600, black=600).start()
    table.makes("e4", adds=300).makes("e5", "Nf3", "Nc6", "Bb5")
    assert table.loud == [("MOVE_COUNT_MISMATCH", "warning")]
    alert = table.alert("MOVE_COUNT_MISMATCH")
    assert alert.text == "White's period was added: the clock counts 2 moves, completed are 1"
    assert (alert.by, alert.visibility, alert.confidence) == ("white", "A", "high")
    table.makes("a6", adds=300).waits(3)
    assert table.alert("MOVE_COUNT_MISMATCH").text.endswith("completed are 3")


def test_a_period_that_is_added_when_the_time_runs_out_tells_no_number() -> None:
    table = Sitting(event("9/20:300"), white=20, black=20).start().makes("e4", "e5")
    table.waits(14)
    table.left[True] += 300
    table.waits(10)
    assert table.loud == []


# -- scoresheets at the end of a period ------------------------------------------------------------


def test_scoresheets_are_completed_when_a_flag_has_fallen() -> None:
    table = Sitting(event("9/310:600"), white=310, black=310).start().waits(20)
    table.makes("e4").waits(20).makes("e5")
    assert table.loud == [("RECORDING_EXEMPT", "notice")] * 2
    table.left[True] = 8.0
    table.waits(3)
    table.left[True] = 603.0
    table.waits(3)
    assert ("RECORD_UPDATE_DUE", "warning") in table.loud
    alert = table.alert("RECORD_UPDATE_DUE")
    assert alert.text == "White's period is over, and both players have stopped recording"
    assert alert.remedy.startswith("stop the clocks; both complete")
    assert ("RECORDING_EXEMPT", "expired") in table.cleared


def test_who_got_his_period_by_the_counter_completes_his_sheet_alone() -> None:
    table = Sitting(event("2/310:600"), white=310, black=310).start().waits(20)
    table.makes("e4").waits(20).makes("e5").makes("Nf3", adds=600).waits(3)
    alert = table.alert("RECORD_UPDATE_DUE")
    assert alert.text == "White's period is over, and White has stopped recording"
    assert (alert.by, alert.remedy[:20]) == ("white", "white completes his ")
    table.makes("Nc6", adds=600).waits(3)
    assert table.alert("RECORD_UPDATE_DUE").by == "black"
    assert ("RECORDING_EXEMPT", "expired") in table.cleared


def test_who_never_stopped_recording_owes_nothing() -> None:
    table = Sitting(event("W2/310:600-B2/900:600"), white=310, black=900).start().waits(20)
    table.makes("e4", "e5", "Nf3").makes("Nc6", adds=600).waits(3)
    assert table.loud == [("RECORDING_EXEMPT", "notice")]


# -- quickplay -------------------------------------------------------------------------------------


def test_a_quickplay_claim_is_possible_silently_below_two_minutes() -> None:
    setup = event("300", guidelines_iii="announced")
    table = Sitting(setup, white=300, black=300).start().makes("e4", "e5").waits(175)
    assert [alert.code for alert in table.raised if alert.severity == "silent"] == []
    table.waits(10)
    silent = [alert for alert in table.raised if alert.severity == "silent"]
    assert [(alert.code, alert.by, alert.remedy) for alert in silent] == [
        ("QUICKPLAY_CLAIM_POSSIBLE", "white", "")
    ]


@pytest.mark.parametrize(
    ("control", "name", "announced"),
    [("130+2", "fide_std", "announced"), ("130", "fide_std", "not_announced"),
     ("9/130:600", "fide_std", "announced"), ("130", "blitz_b3", "announced")],
)  # fmt: skip
def test_no_quickplay_claim_is_possible(control: str, name: str, announced: str) -> None:
    setup = event(control, name, guidelines_iii=announced)
    table = Sitting(setup, white=130, black=130).start().makes("e4", "e5").waits(40)
    assert "QUICKPLAY_CLAIM_POSSIBLE" not in [alert.code for alert in table.raised]


# -- penalties -------------------------------------------------------------------------------------


def playing() -> Sitting:
    return Sitting(event("900"), white=900, black=900).start().makes("e4", "e5")


def rule(table: Sitting, order: Order) -> None:
    table.rules(order)
    table.moment += 0.6


ORDERS: list[tuple[Order, bool, float]] = [
    (ConfirmOffence(colour="white", ply=0), False, 120),
    (Penalise(colour="white", penalty="more_time", minutes=3), False, 180),
    (Penalise(colour="white", penalty="less_time", minutes=3), True, -180),
    (ClaimDraw(claimant="white", on="threefold"), False, 120),
    (SetClocks(white_ms=1_200_000, black_ms=895_000), True, 308),
]


@pytest.mark.parametrize(("order", "colour", "seconds"), ORDERS)
def test_a_time_that_is_not_given_is_told_after_a_minute(
    order: Order, colour: bool, seconds: float
) -> None:
    table = playing()
    rule(table, order)
    table.waits(58)
    assert "PENALTY_NOT_APPLIED" not in [code for code, _ in table.loud]
    table.waits(4)
    alert = table.alert("PENALTY_NOT_APPLIED")
    assert (alert.severity, alert.by) == ("notice", "white" if colour else "black")
    assert "by ruling 1 is not on the clock after a minute" in alert.text
    table.left[colour] += seconds
    table.waits(3)
    assert ("PENALTY_NOT_APPLIED", "over") in table.cleared


@pytest.mark.parametrize(("order", "colour", "seconds"), ORDERS)
@pytest.mark.parametrize("before", [True, False])
def test_a_time_that_is_given_raises_nothing(
    order: Order, colour: bool, seconds: float, before: bool
) -> None:
    """The arbiter may set the clock first and enter the ruling then."""
    if before and isinstance(order, SetClocks):
        seconds = 300
    table = playing()
    for sets in (before, not before):
        if sets:
            table.stop().waits(3)
            table.left[colour] += seconds
            table.waits(2).start()
        else:
            rule(table, order)
    table.waits(20).makes("Nf3", "Nc6").waits(60)
    assert "PENALTY_NOT_APPLIED" not in [code for code, _ in table.loud]


def test_a_time_that_the_wrong_player_got_is_told_so() -> None:
    table = playing()
    rule(table, ConfirmOffence(colour="white", ply=0))
    table.stop()
    table.left[True] += 120
    table.waits(2).start().waits(61)
    assert table.alert("PENALTY_NOT_APPLIED").text.endswith(": white was given it")


@pytest.mark.parametrize("order", [order for order, _, _ in ORDERS])
def test_a_ruling_that_is_undone_gives_no_time(order: Order) -> None:
    table = playing()
    rule(table, order)
    rule(table, Undo(ruling=1))
    table.waits(80)
    assert "PENALTY_NOT_APPLIED" not in [code for code, _ in table.loud]
    rule(table, Undo(ruling=2))
    table.waits(80)
    assert "PENALTY_NOT_APPLIED" in [code for code, _ in table.loud]
    rule(table, Undo(ruling=3))
    assert ("PENALTY_NOT_APPLIED", "over") in table.cleared


@pytest.mark.parametrize("penalty", ["warning", "fine"])
def test_other_penalties_give_no_time(penalty: Penalty) -> None:
    table = playing()
    rule(table, Penalise(colour="white", penalty=penalty))
    table.waits(80)
    assert table.loud == []


def test_a_right_claim_costs_nothing() -> None:
    table = Sitting(event("900"), white=900, black=900).start()
    table.makes(*OPENING[:4], *OPENING[:4])
    rule(table, ClaimDraw(claimant="white", on="threefold"))
    table.waits(80)
    assert [code for code, _ in table.loud] == ["DRAW_CLAIM_CHECK"]


def test_in_the_classic_code_the_claimant_pays() -> None:
    table = Sitting(event("900", "classic"), white=900, black=900).start().makes("e4", "e5")
    rule(table, ClaimDraw(claimant="white", on="threefold"))
    table.waits(70)
    assert table.alert("PENALTY_NOT_APPLIED").text.startswith("-5:00 for white")


# -- our own time ----------------------------------------------------------------------------------


def test_a_clock_that_keeps_time_raises_nothing_in_an_hour() -> None:
    table = Sitting(event("5400+30"), white=5400, black=5400, adds=30).start()
    table.makes(*OPENING, think=60).waits(1500, every=3.0)
    assert table.loud == []


@pytest.mark.parametrize(("rate", "how"), [(1.01, "ahead of"), (0.99, "behind")])
def test_a_clock_that_goes_at_another_rate_is_told(rate: float, how: str) -> None:
    table = Sitting(event("5400+30"), white=5400, black=5400, adds=30).start()
    table.rate = rate
    table.makes(*OPENING, think=70)
    assert table.loud == [("CLOCK_BOARD_SKEW", "tech")]
    assert how in table.alert("CLOCK_BOARD_SKEW").text
    table.rate = 1.0
    table.waits(1300, every=5.0)
    assert ("CLOCK_BOARD_SKEW", "over") in table.cleared


def test_a_rate_is_not_measured_across_a_pause() -> None:
    table = Sitting(event("5400+30"), white=5400, black=5400, adds=30).start()
    table.rate = 1.01
    for _ in range(3):
        table.makes("Nf3", "Nf6", "Ng1", "Ng8", think=60).stop().waits(5).start()
    assert "CLOCK_BOARD_SKEW" not in [code for code, _ in table.loud]


@pytest.mark.parametrize("jump", [20, -20])
def test_a_running_display_that_jumps_is_told_when_it_lasts(jump: int) -> None:
    table = Sitting(event("900"), white=900, black=900).start().makes("e4", "e5")
    table.left[True] += jump
    table.waits(5)
    assert table.loud == []
    table.waits(10)
    assert table.loud == [("CLOCK_FAULT", "warning")]
    table.makes("Nf3").waits(15)
    assert ("CLOCK_FAULT", "over") in table.cleared


def test_a_reading_that_comes_late_is_no_fault() -> None:
    table = Sitting(event("900"), white=900, black=900).start().makes("e4", "e5")
    table.left[True] += 6
    table.waits(4)
    table.left[True] -= 6
    table.waits(30)
    assert table.loud == []


def test_two_presses_between_readings_are_no_fault() -> None:
    table = Sitting(event("900+30"), white=900, black=900, adds=30).start().makes("e4", "e5")
    table.waits(5)
    table.left = {colour: left + 30 for colour, left in table.left.items()}
    table.waits(40)
    assert table.loud == []


def test_a_clock_that_was_set_while_it_ran_is_no_fault() -> None:
    table = Sitting(event("900"), white=900, black=900).start().makes("e4", "e5")
    table.left[True] += 120
    table.waits(30)
    assert table.loud == []


def test_a_display_that_stands_while_it_runs_is_told() -> None:
    table = Sitting(event("900+10"), white=900, black=900, adds=10).start().makes("e4", "e5")
    table.rate = 0.0
    table.waits(12)
    assert table.loud == []
    table.waits(15)
    assert table.loud == [("CLOCK_FAULT", "warning")]


def test_a_clock_that_is_never_started_is_told_after_two_moves_of_each() -> None:
    table = Sitting(event("900"), white=900, black=900)
    for san in OPENING[:3]:
        table.plays(table.now + 1, san)
    assert table.loud == []
    idle = Sitting(event("900"), white=900, black=900)
    idle._heard_clock = False
    for number, san in enumerate(OPENING[:6]):
        idle.plays(10.0 + 20 * number, san)
    assert idle.loud == [("CLOCK_FAULT", "warning")]
    assert "4 plies were made" in idle.alert("CLOCK_FAULT").text


def test_who_plays_on_beside_the_clock_of_another_game_is_not_asked_to_start_it() -> None:
    idle = Sitting(event("900+10"), white=926, black=918)
    idle._heard_clock = False
    for number, san in enumerate(OPENING[:6]):
        idle.plays(10.0 + 20 * number, san)
    assert idle.loud == []


def test_an_hourglass_is_no_fault() -> None:
    table = Sitting(event("*60"), white=60, black=60).start()
    table.rate = 0.0
    table.waits(40)
    assert table.loud == []


def test_a_clock_that_falls_silent_is_told_until_it_tells_its_times_again() -> None:
    table = Sitting(event("900+10"), white=900, black=900, adds=10).start().makes("e4", "e5")
    table.waits(12)
    died = table.moment
    table.ticks(died + 24)
    assert table.loud == []
    table.ticks(died + 26)
    assert table.loud == [("CLOCK_FAULT", "warning")]
    assert "has told nothing for 25 s" in table.alert("CLOCK_FAULT").text
    table.ticks(died + 60)
    assert len(table.loud) == 1
    table.moment = died + 61
    table.left[True] -= 61
    table.read()
    assert table.cleared == [("CLOCK_FAULT", "over")]


def test_a_clock_is_not_missed_for_the_time_in_which_its_board_was_lost() -> None:
    table = Sitting(event("900"), white=900, black=900).start().makes("e4", "e5").waits(12)
    died = table.moment
    table.link(died + 1, "lost").link(died + 14, "live")
    table.shows(died + 14.1, table._position().board_fen())
    table.ticks(died + 16)
    assert table.loud == [("BOARD_DISCONNECTED", "warning")]


def test_a_clock_that_tells_presses_alone_is_never_missed() -> None:
    table = TableTalk.ready(event("300"))
    for number in range(0, 20, 2):
        left = 300 - number // 2
        table.clock(2.0 + number, left, left, "left").clock(3.0 + number, left - 1, left, "right")
    table.ticks(200.0)
    raised = [fact.code for fact in table.facts if isinstance(fact, AlertRaised)]
    assert "CLOCK_FAULT" not in raised


@pytest.mark.parametrize("why", ["link", "absent", "stopped"])
def test_a_clock_that_falls_silent_for_a_reason_is_no_fault(why: str) -> None:
    table = Sitting(event("900"), white=900, black=900).start().makes("e4", "e5")
    table.waits(12)
    match why:
        case "link":
            table.link(table.moment + 0.5, "lost")
        case "absent":
            table.no_clock(table.moment + 0.5, "absent")
        case _:
            table.stop()
    table.ticks(table.moment + 60)
    assert "CLOCK_FAULT" not in [code for code, _ in table.loud]


def test_times_that_are_none_are_told_when_they_come_again_and_again() -> None:
    table = Sitting(event("900"), white=900, black=900).start().makes("e4", "e5")
    for number in range(4):
        table.no_clock(table.moment + 0.1 * number, "invalid")
    table.moment += 1
    table.read()
    for number in range(4):
        table.no_clock(table.moment + 0.1 * number, "invalid")
    assert table.loud == []
    for number in range(4, 8):
        table.no_clock(table.moment + 0.1 * number, "invalid")
    assert table.loud == [("CLOCK_FAULT", "warning")]
    table.moment += 2
    table.read()
    assert table.cleared == [("CLOCK_FAULT", "over")]


def test_an_increment_that_is_added_again_clears_the_alert() -> None:
    table = Sitting(event("900+10"), white=900, black=900).start().makes(*OPENING[:6])
    assert ("TIME_NOT_ADDED", "warning") in table.loud
    table.adds = 10
    table.makes(*OPENING[6:], "Nf3", "Nf6", "Ng1", "Ng8")
    assert ("TIME_NOT_ADDED", "over") in table.cleared


def test_what_was_added_while_nothing_was_heard_is_not_missed() -> None:
    table = Sitting(event("900+10"), white=900, black=900, adds=10).start()
    table.makes(*OPENING[:4])
    for _ in range(2):  # each has pressed once, and White's display has fallen all the same
        table.moment += 40
        table.left = {True: table.left[True] - 25, False: table.left[False] + 5}
        table.read()
    table.waits(3).presses().waits(3)
    assert "TIME_NOT_ADDED" not in [code for code, _ in table.loud]


def test_what_was_added_for_several_presses_of_one_reading_is_not_missed() -> None:
    table = Sitting(event("900+10"), white=900, black=900, adds=10).start()
    table.makes(*OPENING[:4])
    table.turn = False
    for white in (19, 9):  # pressed twice, and Black once between; then once each
        table.moment += 1
        table.left = {True: table.left[True] + white, False: table.left[False] + 10}
        table.read()
    table.waits(5).presses().waits(6).presses().waits(1)
    assert "TIME_NOT_ADDED" not in [code for code, _ in table.loud]


def test_a_clock_that_is_set_back_while_it_stands_is_not_pressed() -> None:
    table = Sitting(event("900+10"), white=900, black=900, adds=10).start().makes(*OPENING[:4])
    for _ in range(2):  # pressed by mistake: the arbiter gives White his turn back
        table.waits(2).presses().waits(2).stop()
        table.turn, table.left[True] = True, table.left[True] - 10
        table.moment += 5
        table.start()
    table.makes(*OPENING[4:6])
    assert "TIME_NOT_ADDED" not in [code for code, _ in table.loud]


def test_one_player_may_still_be_in_trouble_when_the_others_period_is_over() -> None:
    table = Sitting(event("2/310:600"), white=310, black=310).start().waits(20).makes("e4")
    table.left = {True: 50.0, False: 45.0}
    table.waits(20)
    assert table.loud.count(("TIME_TROUBLE", "notice")) == 2
    table.makes("e5").makes("Nf3", adds=600).waits(3)
    assert "TIME_TROUBLE" not in [code for code, _ in table.cleared]


@pytest.mark.parametrize("deal", [AcceptAlert, DismissAlert])
def test_what_the_arbiter_has_dealt_with_is_not_told_again(
    deal: type[AcceptAlert | DismissAlert],
) -> None:
    setup = event("300", guidelines_iii="announced")
    table = Sitting(setup, white=300, black=300).start().makes("e4", "e5").waits(190)
    table.left[True] -= 20
    table.waits(15)
    for code in ("QUICKPLAY_CLAIM_POSSIBLE", "CLOCK_FAULT"):
        table.rules(deal(code=code))
        table.moment += 0.6
    table.waits(20)
    codes = [alert.code for alert in table.raised]
    assert (codes.count("QUICKPLAY_CLAIM_POSSIBLE"), codes.count("CLOCK_FAULT")) == (1, 1)
