"""Draw claims: what the record says of them, move by move."""

import pytest
from msgspec import structs, to_builtins

from bridge.core.laws.rulesets import RuleSet
from bridge.core.laws.standard import STANDARD
from bridge.core.model import (
    AddNote,
    ClaimChecked,
    ClaimDraw,
    Colour,
    LetStand,
    RestorePosition,
    SetResult,
    TableSetup,
    Undo,
)
from tests.bridge.core.arbiter import Arbiter, played

SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")


def claim(claimant: Colour, announced: str | None = None, on: str = "threefold") -> ClaimDraw:
    return ClaimDraw(
        claimant=claimant, on="moves" if on == "moves" else "threefold", announced=announced
    )


def asked(table: Arbiter, order: ClaimDraw) -> ClaimChecked:
    assert table.rules(order)[0].startswith("ruling")
    fact = table.facts[-1]
    assert isinstance(fact, ClaimChecked)
    return fact


def test_a_third_occurrence_is_shown_move_by_move() -> None:
    table = played(*SHUFFLE, *SHUFFLE)
    answer = asked(table, claim("white"))
    assert (answer.verdict, answer.reason) == ("right", "the position stood 3 times")
    assert (answer.halfmoves, answer.touched, answer.number) == (8, False, 1)
    assert [step.san for step in answer.steps] == ["", *SHUFFLE, *SHUFFLE]
    assert [step.occurrence for step in answer.steps] == [1, 0, 0, 0, 2, 0, 0, 0, 3]
    assert [step.halfmoves for step in answer.steps] == [*range(9)]
    assert table.text().endswith("the game is drawn: set the result")
    assert table.rules(SetResult(result="1/2-1/2", because="claim"))[-1] == "1/2-1/2 by claim"


def test_an_announced_move_is_the_last_step() -> None:
    table = played(*SHUFFLE, *SHUFFLE[:3])
    answer = asked(table, claim("black", "Ng8"))
    assert answer.verdict == "right"
    assert (answer.steps[-1].san, answer.steps[-1].occurrence) == ("Ng8", 3)
    assert asked(table, claim("black")).verdict == "wrong"


def test_only_moves_since_the_last_capture_or_pawn_move_are_shown() -> None:
    table = played("e4", "e5", *SHUFFLE, *SHUFFLE)
    answer = asked(table, claim("white"))
    assert answer.verdict == "right"
    assert [step.ply for step in answer.steps] == [*range(2, 11)]


def test_the_move_of_the_opponent_that_stands_counts() -> None:
    table = played(*SHUFFLE, *SHUFFLE[:3])
    table.sees(60.0, without="f6", black_knight="g8").ticks(61.0)
    answer = asked(table, claim("white"))
    assert (answer.verdict, answer.steps[-1].san) == ("right", "Ng8")
    assert table.sans.split() == [*SHUFFLE, *SHUFFLE[:3]]


def test_a_move_of_the_claimant_that_stands_does_not_count_and_is_told_with() -> None:
    table = played(*SHUFFLE, *SHUFFLE)
    table.sees(60.0, without="e2", white_pawn="e4").ticks(62.0)
    answer = asked(table, claim("white"))
    assert (answer.verdict, answer.touched, answer.steps[-1].san) == ("right", True, "Ng8")


def test_a_move_that_was_taken_back_does_not_count() -> None:
    table = played(*SHUFFLE, *SHUFFLE)
    table.rules(RestorePosition(ply=7))
    assert asked(table, claim("black")).steps[-1].san == "Ng1"


def test_what_a_wrong_claim_costs_is_said() -> None:
    table = played(*SHUFFLE)
    answer = asked(table, claim("white"))
    assert (answer.verdict, answer.reason) == ("wrong", "the position stood 2 times")
    assert table.text().endswith("game continues, +2 minutes to the opponent")


def test_what_a_wrong_claim_costs_is_said_without_a_clock() -> None:
    table = Arbiter(TableSetup(has_clock=False))
    table.shows(0.0)
    table.plays(2.0, "Nf3")
    assert asked(table, claim("black")).verdict == "wrong"
    assert table.text().endswith("2 minutes are due")


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (claim("black"), "the claimant is not to move"),
        (claim("white", "Nf5"), "the announced move is not legal"),
        (claim("white", "e2e5"), "the announced move is not legal"),
        (claim("white", "e4"), "the announced move is a capture or pawn move"),
        (claim("white", on="moves"), "4 of 100 half-moves"),
        (claim("white", "Nf3", on="moves"), "5 of 100 half-moves"),
    ],
)
def test_a_wrong_claim_says_why(order: ClaimDraw, reason: str) -> None:
    answer = asked(played(*SHUFFLE), order)
    assert answer.verdict == "wrong"
    assert answer.reason.startswith(reason)


def test_an_announced_move_must_be_one() -> None:
    table = played(*SHUFFLE)
    assert table.refuses(claim("white", "what")).startswith("what is no move, or not the only one")


FIFTY = TableSetup(start_fen="4k3/8/8/8/8/8/8/R3K3 w - - 98 80")


def test_moves_without_progress_are_counted_through_the_start() -> None:
    table = played("Ra2", "Ke7", setup=FIFTY)
    answer = asked(table, claim("white", on="moves"))
    assert (answer.verdict, answer.halfmoves) == ("right", 100)
    assert [(step.halfmoves, step.occurrence) for step in answer.steps] == [
        (98, 0),
        (99, 0),
        (100, 0),
    ]


def test_a_claim_touched_men_are_told_with() -> None:
    table = played(*SHUFFLE, *SHUFFLE)
    table.sees(60.0, without="e2").ticks(62.0)
    assert asked(table, claim("white")).touched
    assert not asked(table, claim("black")).touched


def test_moves_that_are_missing_leave_a_claim_open() -> None:
    table = played(*SHUFFLE)
    found = "r1bqkbnr/pppppppp/2n5/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 4"
    table.stands(found)
    table.rules(LetStand(stands=found))
    table.goes_on("Nf3", "Nf6", "Ng1", "Ng8")
    answer = asked(table, claim("white"))
    assert answer.verdict == "incomplete"
    assert table.text().endswith("the players' scoresheets decide")


def test_an_illegal_move_that_stands_begins_the_counts_anew() -> None:
    table = Arbiter(TableSetup(start_fen="4r1k1/7p/8/8/8/8/P7/4K3 w - - 0 1"))
    table.shows(0.0)
    table.clock(0.5, 300, 300, "left")
    table.sees(4.0, without="a2", white_pawn="a4").clock(6.0, 295, 300, "right").ticks(10.0)
    table.rules(LetStand())
    answer = asked(table, claim("black"))
    assert [step.san for step in answer.steps] == ["a4"]


def under(rules: RuleSet) -> Arbiter:
    return played(*SHUFFLE, *SHUFFLE, setup=TableSetup(rules=to_builtins(rules)))


def test_rules_may_know_no_announced_move_and_charge_the_claimant() -> None:
    table = under(
        structs.replace(
            STANDARD, draw_claims="on_demand", wrong_claim_minutes=5, wrong_claim_clock="claimant"
        )
    )
    answer = asked(table, claim("white", "Nf3"))
    assert (answer.verdict, answer.reason) == ("wrong", "under these rules no move is announced")
    assert table.text().endswith("claimant loses on time")
    assert asked(table, claim("white")).verdict == "right"


def test_a_claim_entered_by_mistake_is_undone() -> None:
    table = played(*SHUFFLE)
    asked(table, claim("white"))
    assert table.rules(Undo(ruling=1)) == ["ruling 2", "1 undone by 2"]
    table.rules(Undo(ruling=2))
    again = table.facts[-1]
    assert isinstance(again, ClaimChecked)
    assert again.number == 1


def test_no_claim_after_the_end() -> None:
    table = played(*SHUFFLE)
    table.rules(SetResult(result="1-0"))
    table.rules(AddNote(text="White claims a draw"))
    assert table.refuses(claim("white")) == "the game is over: let it go on first"
