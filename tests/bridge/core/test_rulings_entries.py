"""What only people know: offers, colours and scoresheets, entered, judged and undone."""

from typing import get_args

import pytest
from msgspec import to_builtins

from bridge.config.rulesets import rule_set
from bridge.core.audience import Audience, for_audience
from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    ClaimDraw,
    CompareScoresheet,
    CorrectMoves,
    DrawOffered,
    NoteDrawOffer,
    NoteReversedColours,
    Order,
    SetResult,
    TableSetup,
    Undo,
)
from bridge.core.table.rulings.audit import audit
from tests.bridge.core.arbiter import Arbiter, played


def standing(table: Arbiter) -> dict[str, AlertRaised]:
    """Return the alerts that stand and only ask or tell the arbiter something."""
    alerts: dict[str, AlertRaised] = {}
    for fact in table.facts:
        if isinstance(fact, AlertRaised):
            alerts[fact.code] = fact
        elif isinstance(fact, AlertCleared):
            alerts.pop(fact.code, None)
    return alerts


def offers(table: Arbiter) -> list[str]:
    return [ply.numbered for ply in table.record.plies if ply.draw_offer]


def test_every_entry_of_the_catalogue_is_an_order() -> None:
    orders = {cls.__name__ for cls in get_args(Order)}
    assert {entry for kind in CATALOGUE.values() for entry in kind.entries} <= orders


# -- draw offers -----------------------------------------------------------------------------------


def test_an_offer_is_noted_with_the_move_of_who_made_it() -> None:
    table = played("e4", "e5", "Nf3")
    assert table.rules(NoteDrawOffer(colour="white")) == ["ruling 1"]
    assert table.text().startswith("white offers a draw with 2. Nf3; it stands until")
    assert (offers(table), standing(table)) == (["2. Nf3"], {})
    table.rules(Undo(ruling=1))
    assert offers(table) == []
    table.rules(Undo(ruling=2))
    assert offers(table) == ["2. Nf3"]


def test_an_offer_with_a_move_that_stands_unpressed_is_that_moves() -> None:
    table = played("e4", "e5")
    table.sees(30.0, without="g1", white_knight="f3").ticks(31.0)
    table.rules(NoteDrawOffer(colour="white"))
    assert "with the move to come" in table.text()
    table.clock(32.0, 300, 300, "right").ticks(34.0)
    assert offers(table) == ["2. Nf3"]


def test_an_offer_needs_a_move() -> None:
    table = played("e4")
    assert table.refuses(NoteDrawOffer(colour="black")) == (
        "black has made no move with which a draw can be offered"
    )


@pytest.mark.parametrize(
    ("colour", "moment", "noted"),
    [
        ("white", "opponents_time", ["2. Nf3"]),
        ("black", "before_moving", ["2... Nc6"]),
        ("white", "before_moving", ["3. Bb5"]),
    ],
)
def test_an_offer_out_of_order_is_valid_and_told(
    colour: str, moment: str, noted: list[str]
) -> None:
    table = played("e4", "e5", "Nf3")
    table.rules(NoteDrawOffer(colour=colour, moment=moment))  # type: ignore[arg-type]  # from the table above
    alert = standing(table)["DRAW_OFFER_OUT_OF_ORDER"]
    assert (alert.by, alert.severity, alert.article) == (colour, "notice", "9.1.2.1, 11.5")
    table.plays(table.now + 2, "Nc6", "Bb5")
    assert offers(table) == noted
    table.rules(Undo(ruling=1))
    assert (offers(table), standing(table)) == ([], {})


def test_a_third_offer_with_none_of_the_opponent_between_is_told() -> None:
    table = played("e4", "e5", "Nf3", "Nc6")
    for _ in range(2):
        table.rules(NoteDrawOffer(colour="white"))
    assert standing(table) == {}
    table.rules(NoteDrawOffer(colour="white"))
    assert "3 times" in standing(table)["REPEATED_OFFERS"].text
    table.rules(Undo(ruling=3))
    table.rules(NoteDrawOffer(colour="black"))
    table.rules(NoteDrawOffer(colour="white"))
    assert standing(table) == {}


def test_undoing_an_earlier_entry_leaves_the_alert_of_a_later_one() -> None:
    table = played("e4", "e5")
    for _ in range(2):
        table.rules(NoteDrawOffer(colour="black", moment="opponents_time"))
    table.rules(Undo(ruling=1))
    assert list(standing(table)) == ["DRAW_OFFER_OUT_OF_ORDER"]
    table.rules(Undo(ruling=2))
    assert standing(table) == {}


def test_an_offer_stays_with_its_ply_when_the_moves_are_corrected() -> None:
    table = played("e4", "e5", "Nf3")
    table.rules(NoteDrawOffer(colour="white"))
    table.rules(CorrectMoves(first=3, count=1, moves=("Nc3",)))
    assert offers(table) == ["2. Nc3"]


def test_a_claim_is_an_offer_and_is_told_with_its_answer() -> None:
    table = played("Nf3", "Nf6", "Ng1", "Ng8")
    table.rules(ClaimDraw(claimant="white", on="threefold"))
    alert = standing(table)["DRAW_CLAIM_CHECK"]
    assert (alert.by, alert.until) == ("white", "the arbiter rules")
    assert "is wrong" in alert.text
    assert "+2 minutes to the opponent" in alert.remedy
    table.plays(table.now + 2, "e4")
    assert offers(table) == ["3. e4"]
    table.rules(Undo(ruling=1))
    assert (offers(table), standing(table)) == ([], {})


def test_no_draw_is_agreed_before_a_move_of_each() -> None:
    table = played("e4")
    table.rules(SetResult(result="1/2-1/2", because="agreement"))
    assert table.text().endswith("before each player has made 1 moves")
    later = played("e4", "e5")
    later.rules(SetResult(result="1/2-1/2", because="agreement"))
    assert later.text() == "the game is over: 1/2-1/2"


# -- resigning -------------------------------------------------------------------------------------

BARE = "7k/8/8/8/8/8/5Q2/7K w - - 0 1"


def test_resigning_to_somebody_who_cannot_mate_is_a_draw() -> None:
    table = played("Qf3", setup=TableSetup(start_fen=BARE))
    table.rules(SetResult(result="0-1", because="resignation"))
    alert = standing(table)["RESIGNATION_DRAWN"]
    assert (alert.severity, alert.by, alert.article) == ("warning", "white", "5.1.2")
    assert alert.remedy == "1/2-1/2 (5.1.2)"
    table.rules(Undo(ruling=1))
    assert standing(table) == {}


@pytest.mark.parametrize(
    ("result", "because", "rules"),
    [("1-0", "resignation", "fide_std"), ("0-1", "arbiter", "fide_std"),
     ("0-1", "resignation", "classic"), ("0-1", "flag", "fide_std")],
)  # fmt: skip
def test_other_ends_say_nothing_of_a_resignation(result: str, because: str, rules: str) -> None:
    setup = TableSetup(start_fen=BARE, rules=to_builtins(rule_set(rules)))
    table = played("Qf3", setup=setup)
    table.rules(SetResult(result=result, because=because))  # type: ignore[arg-type]  # from the table above
    assert "RESIGNATION_DRAWN" not in standing(table)


def test_where_nobody_knows_who_can_mate_only_the_ruling_says_so() -> None:
    table = played("Nh3")
    table.rules(SetResult(result="0-1", because="resignation"))
    assert standing(table) == {}
    assert "look again" in table.text()


# -- colours ---------------------------------------------------------------------------------------


def test_reversed_colours_begin_anew_or_stay_by_the_moves_made() -> None:
    table = played("e4", "e5", "Nf3")
    table.rules(NoteReversedColours())
    alert = standing(table)["COLOURS_REVERSED"]
    assert alert.remedy == "a new game; made are 2 by White and 1 by Black, fewer than 10"
    assert alert.until == "both players have made 10 moves"
    assert table.refuses(NoteReversedColours()) == "it was entered already for this game"
    table.rules(Undo(ruling=1))
    assert standing(table) == {}


@pytest.mark.parametrize(
    ("control", "clock", "says"),
    [
        ("40/600", 300, "50 % of the time to the control have passed: the game goes on"),
        ("40/320+2", 300, "7 % of the time to the control have passed: the arbiter may"),
        ("1/600:600", 300, "the arbiter judges"),
        ("?", 300, "the arbiter judges"),
    ],
)
def test_the_classic_code_asks_for_the_time_that_is_gone(
    control: str, clock: int, says: str
) -> None:
    setup = TableSetup(time_control=control, rules=to_builtins(rule_set("classic")))
    table = Arbiter(setup)
    table.shows(0.0)
    table.clock(0.5, clock, clock, "left")
    table.plays(2.0, "e4", "e5", clock=clock)
    table.rules(NoteReversedColours())
    assert standing(table)["COLOURS_REVERSED"].remedy.startswith(says)


def test_without_a_clock_nobody_knows_how_much_time_is_gone() -> None:
    setup = TableSetup(has_clock=False, rules=to_builtins(rule_set("classic")))
    table = Arbiter(setup)
    table.shows(0.0)
    table.plays(2.0, "e4")
    table.rules(NoteReversedColours())
    assert standing(table)["COLOURS_REVERSED"].remedy.startswith("the arbiter judges")


# -- scoresheets -----------------------------------------------------------------------------------

NOT_LEGAL = (
    "the scoresheet of black has Nxf7 as ply 3, which is not legal there, the board showed 2. Nf3"
)


@pytest.mark.parametrize("move", ["Nf3", "g1f3"])
def test_a_scoresheet_that_agrees_raises_nothing(move: str) -> None:
    table = played("e4", "e5", "Nf3")
    table.rules(CompareScoresheet(colour="white", ply=3, move=move))
    assert table.text() == "the scoresheet of white agrees with the record: 2. Nf3"
    assert standing(table) == {}
    table.rules(Undo(ruling=1))


@pytest.mark.parametrize(
    ("ply", "move", "says"),
    [
        (3, "Nc3", "the scoresheet of black has 2. Nc3, the board showed 2. Nf3"),
        (3, "Nxf7", NOT_LEGAL),
        (4, "Nc6", "the scoresheet of black is ahead of the board: it has 2... Nc6 already"),
    ],
)  # fmt: skip
def test_a_scoresheet_that_differs_is_told(ply: int, move: str, says: str) -> None:
    table = played("e4", "e5", "Nf3")
    table.rules(CompareScoresheet(colour="black", ply=ply, move=move))
    alert = standing(table)["SCORESHEET_MISMATCH"]
    assert (alert.text, alert.by, alert.article) == (says, "black", "8.1.2")
    table.rules(Undo(ruling=1))
    assert standing(table) == {}


def test_a_scoresheet_has_no_plies_beyond_the_coming_one() -> None:
    table = played("e4")
    for ply in (0, 3):
        assert table.refuses(CompareScoresheet(colour="white", ply=ply, move="e4")) == (
            f"the record has 1 plies: there is no ply {ply}"
        )


def test_an_illegal_move_that_stands_is_compared_as_it_was_written() -> None:
    table = played("e4", setup=TableSetup(rules=to_builtins(rule_set("rapid_a5"))))
    table.sees(table.now + 2, without="g8", black_knight="g6")
    table.clock(table.now + 1, 300, 300, "left").ticks(table.now + 4)
    table.sees(table.now + 1, without="d2", white_pawn="d4")
    table.clock(table.now + 1, 300, 300, "right").ticks(table.now + 4)
    assert table.sans == "e4 Ng6 d4"
    table.rules(CompareScoresheet(colour="black", ply=2, move="Ng6"))
    assert "agrees" in table.text()


def test_entries_are_in_the_audit() -> None:
    table = played("e4", "e5")
    table.rules(NoteDrawOffer(colour="black"))
    table.rules(NoteReversedColours())
    table.rules(Undo(ruling=1))
    assert [(entry.order, entry.state) for entry in audit(table.facts)] == [
        ("NoteDrawOffer", "undone"),
        ("NoteReversedColours", "made"),
        ("Undo", "made"),
    ]


def test_an_offer_is_told_as_a_fact() -> None:
    table = played("e4")
    table.rules(NoteDrawOffer(colour="white"))
    (fact,) = (fact for fact in table.facts if isinstance(fact, DrawOffered))
    assert (fact.ply, fact.colour, fact.void) == (1, "white", False)


@pytest.mark.parametrize("audience", ["operator", "players", "public"])
def test_an_offer_is_told_to_the_arbiter_alone(audience: Audience) -> None:
    table = played("e4")
    table.rules(NoteDrawOffer(colour="white"))
    offers_told = [fact for fact in table.facts if isinstance(fact, DrawOffered)]
    assert [for_audience(fact, "arbiter") for fact in offers_told] == offers_told
    assert [for_audience(fact, audience) for fact in offers_told] == [None]
