"""Rulings on results, interruptions, penalties, offences, alerts, clocks and notes."""

from typing import Literal, get_args

import pytest

from bridge.core.model import (
    AcceptAlert,
    AddNote,
    Adjourn,
    AlertCleared,
    AlertRaised,
    ConfirmOffence,
    CorrectMoves,
    DismissAlert,
    OffencesCounted,
    Order,
    Penalise,
    Penalty,
    RestorePosition,
    Result,
    Resume,
    Ruling,
    RulingRefused,
    SetClocks,
    SetResult,
    TableSetup,
    Undo,
)
from tests.bridge.core.arbiter import Arbiter, played

OPENING = ("e4", "e5", "Nf3", "Nc6")

# -- results ---------------------------------------------------------------------------------------


def test_a_result_ends_the_game_and_stands_on_the_sheet() -> None:
    table = played(*OPENING)
    assert table.rules(SetResult(result="1/2-1/2", because="agreement")) == [
        "ruling 1",
        "1/2-1/2 by agreement",
    ]
    assert (table.record.result, table.record.ended_by) == ("1/2-1/2", "agreement")
    assert table.table.engine is None


@pytest.mark.parametrize(
    ("because", "reason"),
    [
        ("agreement", "players agree on a draw: that is 1/2-1/2, not 1-0"),
        ("dead", "a dead position is drawn: that is 1/2-1/2, not 1-0"),
    ],
)
def test_what_can_only_be_drawn_is_not_won(
    because: Literal["agreement", "dead"], reason: str
) -> None:
    table = played("e4", "e5")
    assert table.refuses(SetResult(result="1-0", because=because)) == reason
    assert table.record.result == "*"


@pytest.mark.parametrize("result", ["0-0", "1/2-0", "0-1/2"])
def test_a_result_may_take_points_from_one_side_or_both(result: Result) -> None:
    table = played(*OPENING)
    table.rules(SetResult(result=result))
    assert table.record.result == result


def test_the_move_that_stood_belongs_to_the_game() -> None:
    table = played(*OPENING)
    table.sees(20.0, without="f1", white_bishop="c4").ticks(25.0)
    assert table.rules(SetResult(result="0-1", because="resignation"))[1:] == [
        "5. Bc4 by end",
        "5. has about 300",
        "0-1 by resignation",
    ]


def test_mate_that_stood_does_not_overrule_the_arbiter() -> None:
    table = played("f3", "e5", "g4")
    table.sees(20.0, without="d8", black_queen="h4").ticks(20.2)
    assert table.rules(SetResult(result="1/2-1/2"))[1:] == [
        "4. Qh4# by end",
        "4. has about 300",
        "0-1 by checkmate",
        "1/2-1/2 by arbiter",
    ]


def test_a_second_result_contradicts_the_first_until_that_is_undone() -> None:
    table = played(*OPENING)
    table.rules(SetResult(result="1-0"))
    for order in (SetResult(result="0-1"), SetResult(result="1-0")):
        assert table.refuses(order) == "ruling 1 set the result 1-0: undo it first"
    assert table.refuses(Resume()) == "ruling 1 set the result 1-0: undo it first"
    assert table.rules(Undo(ruling=1)) == ["ruling 5", "1 undone by 5", "goes on"]
    assert table.record.result == "*"
    assert table.goes_on("Bc4") == "e4 e5 Nf3 Nc6 Bc4"
    assert table.rules(SetResult(result="0-1"))[-1] == "0-1 by arbiter"


def test_a_result_that_the_kings_showed_is_replaced_and_given_back() -> None:
    table = played(*OPENING)
    table.orders(30.0, "1-0")
    assert table.refuses(SetResult(result="1-0")) == "the result is 1-0 already"
    assert table.rules(SetResult(result="1/2-1/2")) == ["ruling 2", "1/2-1/2 by arbiter"]
    assert table.rules(Undo(ruling=2)) == ["ruling 3", "2 undone by 3", "1-0 by arbiter"]


def test_what_follows_from_the_result_is_said() -> None:
    bare = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
    table = played(setup=TableSetup(start_fen=bare))
    table.rules(SetResult(result="0-1", because="flag"))
    assert "it may be 1/2-1/2: the opponent cannot mate" in table.text()
    table = played(setup=TableSetup(start_fen=bare))
    table.rules(SetResult(result="0-1", because="resignation"))
    assert "it may be 1/2-1/2: the opponent cannot mate" in table.text()
    table = played(setup=TableSetup(start_fen=bare))
    table.rules(SetResult(result="1-0", because="flag"))
    assert table.text() == "the game is over: 1-0"
    table = played(setup=TableSetup(start_fen=bare))
    table.rules(SetResult(result="0-1"))
    assert table.text() == "the game is over: 0-1"


def next_game(*sans: str) -> Arbiter:
    """A table at which a game was won and another one has begun."""
    table = played(*OPENING)
    table.orders(30.0, "1-0")
    table.stands("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    table.ticks(50.0)
    assert table.table.game == 2
    if sans:
        table.goes_on(*sans)
    return table


def test_the_result_of_an_earlier_game_can_be_set() -> None:
    table = next_game()
    assert table.rules(SetResult(result="0-1"), game=1) == ["ruling 1", "0-1 by arbiter"]
    assert table.facts[-1].game == 1
    assert table.record.result == "*"
    table.rules(Undo(ruling=1))
    assert table.facts[-1].game == 1
    assert table.refuses(SetResult(result="0-1"), game=3) == "there is no game 3"
    assert table.goes_on("d4").endswith("d4")


def test_nothing_else_of_an_earlier_game_can_be_changed() -> None:
    table = next_game()
    wrong = CorrectMoves(first=1, count=1, moves=("d4",))
    assert table.refuses(wrong, game=1) == "game 1 is not the one at this table: that is 2"


def test_a_ruling_on_a_game_is_not_undone_when_another_has_begun() -> None:
    table = played(*OPENING)
    table.rules(CorrectMoves(first=4, count=1, moves=("d6",)))
    table.rules(SetResult(result="1-0"))
    table.stands("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    table.ticks(50.0)
    assert table.table.game == 2
    for number in (1, 2):
        assert table.refuses(Undo(ruling=number)) == "another game has begun since"
    assert table.rules(SetResult(result="1-0")) == ["ruling 5", "1-0 by arbiter"]


# -- what the author saw ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guards", "reason"),
    [
        ({"game": 2}, "game 2 is not the one at this table: that is 1"),
        ({"ply": 3}, "the position after ply 3 is gone: 4 were played"),
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "the position stands no longer: it is r1bq"),
    ],
)
def test_a_ruling_on_what_stands_no_longer_is_refused(
    guards: dict[str, int | str], reason: str
) -> None:
    table = played(*OPENING)
    assert table.refuses(CorrectMoves(first=4, count=1, moves=("d6",)), **guards).startswith(reason)
    assert table.refuses(Adjourn(), **guards).startswith(reason)


def test_a_ruling_on_what_stands_is_carried_out() -> None:
    table = played(*OPENING)
    seen = table.record.plies[-1].fen_after
    assert table.rules(SetResult(result="1-0"), game=1, ply=4, fen=seen)[0] == "ruling 1"


def test_author_and_reason_must_be_named() -> None:
    table = played(*OPENING)
    for ruling in (
        Ruling(by=" ", reason="seen", order=Adjourn()),
        Ruling(by="A. Arbiter", order=Adjourn()),
    ):
        table._hear("ruling", 30.0, ruling)
    refused = [fact for fact in table.facts if isinstance(fact, RulingRefused)]
    assert [fact.reason for fact in refused] == ["nobody is named who rules", "no reason is given"]


def test_there_must_be_something_to_undo() -> None:
    table = played(*OPENING)
    table.refuses(Resume())
    for number in (0, 1, 2, 9):
        assert table.refuses(Undo(ruling=number)) == (
            f"there is no ruling {number} that was carried out"
        )


# -- interruptions ---------------------------------------------------------------------------------


def test_an_adjourned_game_ignores_the_board_until_it_is_resumed() -> None:
    table = played(*OPENING)
    assert table.rules(Adjourn()) == ["ruling 1", "adjourned"]
    table.stands("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    table.clock(70.0, 60, 60, "right").clock(72.0, 58, 60, "left").ticks(100.0)
    table.link(101.0, "lost").link(102.0, "live")
    table.stands("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R")
    assert table.table.game == 1
    assert table.rules(Resume()) == ["ruling 2", "goes on"]
    assert table.goes_on("Bc4", "Bc5") == "e4 e5 Nf3 Nc6 Bc4 Bc5"


def test_a_game_is_adjourned_once_and_resumed_once() -> None:
    table = played(*OPENING)
    assert table.refuses(Resume()) == "the game is on"
    table.rules(Adjourn())
    assert table.refuses(Adjourn()) == "the game is adjourned already"
    table.rules(Resume())
    assert table.refuses(Undo(ruling=2)) == "the game is on"
    assert table.rules(Undo(ruling=4)) == ["ruling 6", "4 undone by 6", "adjourned"]
    assert table.rules(Undo(ruling=6)) == ["ruling 7", "6 undone by 7", "goes on"]


def test_an_adjournment_is_undone() -> None:
    table = played(*OPENING)
    table.rules(Adjourn())
    assert table.rules(Undo(ruling=1)) == ["ruling 2", "1 undone by 2", "goes on"]
    assert table.goes_on("Bc4") == "e4 e5 Nf3 Nc6 Bc4"


def test_the_move_that_stood_is_entered_when_the_game_is_adjourned() -> None:
    table = played(*OPENING)
    table.sees(20.0, without="f1", white_bishop="c4").ticks(25.0)
    assert table.rules(Adjourn())[1:] == ["5. Bc4 by end", "adjourned"]


def test_a_mate_that_stood_ends_the_game_instead() -> None:
    table = played("f3", "e5", "g4")
    table.sees(20.0, without="d8", black_queen="h4").ticks(20.5)
    engine = table.table.engine
    assert engine is not None
    assert engine.position.board.turn is False
    table._at = 20.3
    assert "0-1 by checkmate" in table.rules(Adjourn())
    assert "adjourned" not in table.script


def test_an_adjourned_game_is_decided_and_that_undone() -> None:
    table = played(*OPENING)
    table.rules(Adjourn())
    table.rules(SetResult(result="1/2-1/2", because="agreement"))
    assert table.rules(Undo(ruling=2))[1:] == ["2 undone by 3", "goes on", "adjourned"]
    table.stands("8/8/8/8/8/8/8/8")
    table.rules(Resume())
    assert table.goes_on("Bc4") == "e4 e5 Nf3 Nc6 Bc4"


def test_a_game_that_was_ended_by_mistake_goes_on() -> None:
    table = played(*OPENING)
    table.orders(30.0, "1-0")
    assert table.rules(Resume()) == ["ruling 1", "goes on"]
    assert table.goes_on("Bc4") == "e4 e5 Nf3 Nc6 Bc4"
    assert table.rules(Undo(ruling=1))[-1] == "1-0 by arbiter"
    assert table.refuses(Undo(ruling=1)).startswith("ruling 1 was undone")
    table.rules(Resume())
    table.orders(90.0, "0-1")
    assert table.refuses(Undo(ruling=4)) == "the game is not on"


def test_a_mated_king_does_not_go_on() -> None:
    table = played("f3", "e5", "g4", "Qh4#")
    assert table.refuses(Resume()) == "no move is left on the board: correct the moves instead"


# -- penalties -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (Penalise(colour="white", penalty="warning"), "penalty for white: warning"),
        (
            Penalise(colour="white", penalty="more_time", minutes=2),
            "penalty for white: more time, 2 min for black: set white 5:00, black 7:00",
        ),
        (
            Penalise(colour="black", penalty="less_time", minutes=1),
            "penalty for black: less time, 1 min for black: set white 5:00, black 4:00",
        ),
        (
            Penalise(colour="black", penalty="fewer_points", points=0.5),
            "penalty for black: fewer points, 0.5 for black",
        ),
        (
            Penalise(colour="black", penalty="more_points", points=0.5),
            "penalty for black: more points, 0.5 for white",
        ),
    ],
)
def test_a_penalty_is_noted_with_its_numbers(order: Penalise, text: str) -> None:
    table = played(*OPENING)
    assert table.rules(order) == ["ruling 1"]
    assert table.text() == text
    table.rules(Undo(ruling=1))
    assert table.text() == f"ruling 1 is undone: no longer: {text}"


def test_time_is_given_without_knowing_the_clock() -> None:
    table = Arbiter(TableSetup(has_clock=False))
    table.shows(0.0)
    table.plays(2.0, "e4")
    table.rules(Penalise(colour="white", penalty="more_time", minutes=2))
    assert table.text() == "penalty for white: more time, 2 min for black"


def test_a_warning_contradicts_no_result() -> None:
    table = played(*OPENING)
    table.rules(Penalise(colour="white", penalty="warning"))
    assert table.rules(SetResult(result="1-0"))[-1] == "1-0 by arbiter"


def test_losing_the_game_as_a_penalty_ends_it() -> None:
    table = played(*OPENING)
    lost = Penalise(colour="white", penalty="loss", result="0-1")
    assert table.rules(lost) == ["ruling 1", "0-1 by infraction"]
    assert table.refuses(SetResult(result="1-0")) == (
        "ruling 1 declared the game lost: undo it first"
    )
    assert table.rules(Undo(ruling=1))[-1] == "goes on"


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (Penalise(colour="white", penalty="more_time"), "more_time needs minutes"),
        (Penalise(colour="white", penalty="more_points"), "more_points needs points"),
        (Penalise(colour="white", penalty="loss"), "loss needs result"),
        (Penalise(colour="white", penalty="fine", points=1), "points are not for fine"),
        (
            Penalise(colour="white", penalty="less_time", minutes=0),
            "minutes must be more than nothing",
        ),
        (
            Penalise(colour="white", penalty="loss", result="1-0"),
            "white does not lose with 1-0",
        ),
        (Penalise(colour="white", penalty="loss", result="*"), "white does not lose with *"),
    ],
)
def test_a_penalty_without_its_measure_is_refused(order: Penalise, reason: str) -> None:
    assert played(*OPENING).refuses(order) == reason


def test_a_penalty_takes_the_points_of_a_loser_only() -> None:
    table = played(*OPENING)
    assert table.rules(Penalise(colour="black", penalty="loss", result="1/2-0"))[0] == "ruling 1"
    assert get_args(Penalty)[5] == "loss"


# -- offences and alerts ---------------------------------------------------------------------------


def offender() -> Arbiter:
    """White has pressed although his king stays in check."""
    setup = TableSetup(start_fen="4r1k1/7p/8/8/8/8/P7/4K3 w - - 0 1", time_control="300+2")
    table = Arbiter(setup)
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.sees(4.0, without="a2", white_pawn="a4").clock(6.0, 295, 300, "right").ticks(10.0)
    assert alert_stands(table)
    return table


def alert_stands(table: Arbiter) -> bool:
    stands = False
    for fact in table.facts:
        if isinstance(fact, AlertRaised | AlertCleared) and fact.code == "KING_LEFT_IN_CHECK":
            stands = isinstance(fact, AlertRaised)
    return stands


def test_only_confirmed_offences_count_for_each_player() -> None:
    table = offender()
    assert table.rules(ConfirmOffence(colour="white", ply=0)) == ["ruling 1", "white 1"]
    assert table.text() == (
        "illegal move 1 of white: +2 minutes to the opponent; restore, touch-move; "
        "number 2 loses; set white 4:53, black 7:00"
    )
    assert table.refuses(ConfirmOffence(colour="white", ply=0)) == (
        "ruling 1 counts it: irregularities of one move count once"
    )
    table.rules(RestorePosition(ply=0))
    table.goes_on("Kf2", "h6")
    assert table.rules(ConfirmOffence(colour="black", ply=1)) == ["ruling 4", "black 1"]
    assert table.rules(ConfirmOffence(colour="white", ply=2)) == ["ruling 5", "white 2"]
    assert table.text() == "illegal move 2 of white: loss"
    assert table.rules(Undo(ruling=1)) == ["ruling 6", "1 undone by 6", "white 1"]
    assert table.rules(Undo(ruling=6)) == ["ruling 7", "6 undone by 7", "white 2"]


def test_what_was_dismissed_is_no_offence_and_an_offence_is_not_dismissed() -> None:
    table = offender()
    table.rules(DismissAlert(code="KING_LEFT_IN_CHECK"))
    offence = ConfirmOffence(colour="white", ply=0)
    assert table.refuses(offence) == "ruling 1 dismissed it: undo that first"
    assert table.rules(ConfirmOffence(colour="black", ply=0)) == ["ruling 3", "black 1"]
    table.rules(Undo(ruling=1))
    assert table.rules(offence) == ["ruling 5", "white 1"]
    assert table.refuses(DismissAlert(code="KING_LEFT_IN_CHECK")) == (
        "ruling 5 counts it: irregularities of one move count once"
    )
    table.rules(AcceptAlert(code="KING_LEFT_IN_CHECK"))
    assert not alert_stands(table)


def test_an_offence_without_a_clock_has_no_times() -> None:
    table = Arbiter(TableSetup(has_clock=False))
    table.shows(0.0)
    table.plays(2.0, "e4")
    table.rules(ConfirmOffence(colour="white", ply=0))
    assert table.text().endswith("number 2 loses")
    assert table.refuses(ConfirmOffence(colour="white", ply=2)) == (
        "the record has 1 plies: there is no ply 2"
    )


@pytest.mark.parametrize("control", ["?", "-", "nonsense"])
def test_without_a_time_control_no_increment_is_taken_back(control: str) -> None:
    table = played(*OPENING, setup=TableSetup(time_control=control))
    table.rules(ConfirmOffence(colour="white", ply=4))
    assert table.text().endswith("set white 5:00, black 7:00")


def test_the_increment_taken_back_is_that_of_the_game_and_not_of_a_later_configuration() -> None:
    table = offender()
    later = TableSetup(start_fen="4r1k1/7p/8/8/8/8/P7/4K3 w - - 0 1", time_control="300+30")
    table.rules(RestorePosition(ply=0))
    table.goes_on("Kf2")
    table.setup(table.now + 0.5, later)
    table.rules(ConfirmOffence(colour="white", ply=0))
    assert table.text().endswith("set white 4:58, black 7:00")


def test_offences_of_another_game_do_not_count() -> None:
    table = offender()
    table.rules(ConfirmOffence(colour="white", ply=0))
    table.rules(SetResult(result="0-1"))
    table.stands("4r1k1/7p/8/8/8/8/P7/4K3")
    table.ticks(60.0)
    assert table.table.game == 2
    assert table.rules(ConfirmOffence(colour="white", ply=0)) == ["ruling 3", "white 1"]
    counted = [fact for fact in table.facts if isinstance(fact, OffencesCounted)]
    assert [(fact.game, fact.count) for fact in counted] == [(1, 1), (2, 1)]


@pytest.mark.parametrize("order", [AcceptAlert, DismissAlert])
def test_an_alert_is_dealt_with_once_and_stands_again_when_that_is_undone(
    order: type[AcceptAlert | DismissAlert],
) -> None:
    table = offender()
    deal = order(code="KING_LEFT_IN_CHECK")
    table.rules(deal)
    assert not alert_stands(table)
    assert table.refuses(deal) == "no alert KING_LEFT_IN_CHECK stands"
    table.rules(Undo(ruling=1))
    assert alert_stands(table)
    raised = [fact for fact in table.facts if isinstance(fact, AlertRaised) and fact.illegal]
    assert (raised[0].text, raised[0].restore) == (raised[1].text, raised[1].restore)
    table.rules(Undo(ruling=3))
    assert not alert_stands(table)


def test_how_an_alert_was_dealt_with_is_told() -> None:
    for order, how in ((AcceptAlert, "over"), (DismissAlert, "withdrawn")):
        table = offender()
        table.rules(order(code="KING_LEFT_IN_CHECK"))
        cleared = [fact for fact in table.facts if isinstance(fact, AlertCleared)]
        assert cleared[-1].how == how
        assert "by A. Arbiter: seen" in cleared[-1].text


def test_an_alert_that_was_raised_anew_is_not_restored() -> None:
    table = offender()
    table.rules(AcceptAlert(code="KING_LEFT_IN_CHECK"))
    table.rules(RestorePosition(ply=0))
    table.goes_on()
    table.sees(40.0, without="a2", white_pawn="a3").clock(42.0, 290, 300, "right").ticks(50.0)
    assert alert_stands(table)
    assert table.refuses(Undo(ruling=1)) == "the alert KING_LEFT_IN_CHECK was raised again since"


def test_an_alert_of_an_earlier_game_is_not_restored() -> None:
    table = offender()
    table.rules(AcceptAlert(code="KING_LEFT_IN_CHECK"))
    table.rules(SetResult(result="0-1"))
    table.stands("4r1k1/7p/8/8/8/8/P7/4K3")
    table.ticks(60.0)
    assert table.table.game == 2
    assert table.refuses(Undo(ruling=1)) == "another game has begun since"


@pytest.mark.parametrize("order", [AcceptAlert, DismissAlert])
def test_an_alert_between_games_is_dealt_with(order: type[AcceptAlert | DismissAlert]) -> None:
    table = Arbiter()
    assert table.refuses(order(code="WRONG_SETUP")) == "no alert WRONG_SETUP stands"
    table.stands("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    table.ticks(30.0)
    assert table.rules(order(code="WRONG_SETUP")) == ["ruling 2"]


# -- clocks and notes ------------------------------------------------------------------------------


def test_what_the_clock_is_set_to_is_kept() -> None:
    table = played(*OPENING)
    table.rules(SetClocks(white_ms=420_000, black_ms=300_000))
    assert table.text() == (
        "the clock is set: white 7:00, black 5:00; it showed white 5:00, black 5:00"
    )
    table.rules(Undo(ruling=1))
    assert table.text().endswith("not to be set so: it showed white 5:00, black 5:00 before")
    assert table.refuses(SetClocks(white_ms=-1, black_ms=0)) == "a clock shows no negative time"


def test_the_clock_is_set_before_anything_was_played() -> None:
    table = Arbiter()
    assert table.rules(SetClocks(white_ms=420_000, black_ms=0)) == ["ruling 1"]
    assert table.text() == "the clock is set: white 7:00, black 0:00"


def test_notes_are_kept_and_withdrawn() -> None:
    table = Arbiter()
    assert table.rules(AddNote(text="White asked for water")) == ["ruling 1"]
    table.rules(Undo(ruling=1))
    assert table.text() == "ruling 1 is undone: withdrawn: White asked for water"
    assert table.refuses(AddNote(text=" ")) == "the note is empty"


@pytest.mark.parametrize(
    "order",
    [
        Adjourn(),
        Resume(),
        SetResult(result="1-0"),
        ConfirmOffence(colour="white", ply=0),
        RestorePosition(ply=0),
        Penalise(colour="white", penalty="loss", result="0-1"),
    ],
)
def test_before_the_first_game_there_is_nothing_to_rule_on(order: Order) -> None:
    assert Arbiter().refuses(order) == "no game has begun"
