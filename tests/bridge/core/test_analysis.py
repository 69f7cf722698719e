"""A game that nothing ended is looked at: its last plies are taken back one after another."""

import pytest

from bridge.core.model import GameEnded, StateExplained, TableSetup
from bridge.core.table.differences import LOOKED_AT
from tests.bridge.core.dialogue import TableTalk

PLAYED = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")
RECORD = " ".join(PLAYED)
BACK = (
    ("a6", "black_pawn", "a7"),
    ("b5", "white_bishop", "f1"),
    ("c6", "black_knight", "b8"),
    ("f3", "white_knight", "g1"),
)


def taken_back(plies: int, *, clock: bool = False, setup: TableSetup | None = None) -> TableTalk:
    """A table at which the last *plies* were taken back from 60 s on, one every two seconds."""
    table = TableTalk.ready(setup, clock=clock)
    if not clock:
        table.no_clock(0.2)
    table.plays(10.0, *PLAYED)
    assert table.moves == RECORD
    for number, (left, man, came) in enumerate(BACK[:plies]):
        moves(table, 60.0 + 2 * number, left, man, came)
        if clock:  # nobody stops it
            table.clock(61.0 + 2 * number, 250 - 2 * number, 300, "left")
    return table


def moves(table: TableTalk, at: float, left: str, man: str, came: str) -> TableTalk:
    """Take a man from one square to another within half a second."""
    return table.sees(at, without=left).sees(at + 0.5, **{man: came}).ticks(at + 1.0)


def is_explained(table: TableTalk) -> bool:
    return LOOKED_AT in [fact.text for fact in table.facts if isinstance(fact, StateExplained)]


@pytest.mark.parametrize("clock", [False, True])
@pytest.mark.parametrize("plies", [2, 3, 4])
def test_what_is_looked_at_after_an_end_that_nothing_shows_is_no_play(
    plies: int, clock: bool
) -> None:
    table = taken_back(plies, clock=clock)
    moves(table, 70.0, "d2", "white_pawn", "d4")
    moves(table, 75.0, "d7", "black_pawn", "d6")
    moves(table, 80.0, "h2", "white_pawn", "h3").ticks(90.0)
    assert table.moves == RECORD
    assert is_explained(table)
    assert table.ends().moves == RECORD


def test_play_goes_on_when_the_last_position_stands_again() -> None:
    table = taken_back(3)
    for number, (came, man, left) in enumerate(reversed(BACK[:3])):
        moves(table, 70.0 + 2 * number, left, man, came)
    moves(table, 80.0, "b5", "white_bishop", "a4").ticks(85.0)
    assert table.moves == f"{RECORD} Ba4"


def test_the_kings_show_the_result_of_a_game_that_was_looked_at() -> None:
    table = taken_back(4)
    table.sees(70.0, without="e1 e8").sees(71.0, without="e4 e5", white_king="e4", black_king="d5")
    table.ticks(80.0)
    assert [fact.result for fact in table.told(GameEnded) if isinstance(fact, GameEnded)] == ["1-0"]
    assert table.moves == RECORD


def test_men_without_names_are_looked_at_too() -> None:
    table = taken_back(3, setup=TableSetup(sensing="occupancy"))
    moves(table, 70.0, "d2", "white_pawn", "d4")
    moves(table, 75.0, "d7", "black_pawn", "d6").ticks(90.0)
    assert table.moves == RECORD
    assert is_explained(table)


def test_who_takes_back_a_single_ply_may_put_another_in_its_place() -> None:
    table = moves(taken_back(1), 62.0, "g8", "black_knight", "f6").ticks(70.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Bb5 Nf6"
    assert not is_explained(table)


def test_men_who_are_put_back_at_once_made_no_plies() -> None:
    """Two men of both players were swept over; play goes on from before them."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(10.0, "e4", "e5", "Nf3", "Nc6")
    table.sees(40.0, without="f1").sees(40.1, white_bishop="d3")
    table.sees(40.3, without="f8").sees(40.4, black_bishop="d6").ticks(45.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Bd3 Bd6"
    moves(table, 45.0, "d6", "black_bishop", "f8")
    moves(table, 46.5, "d3", "white_bishop", "f1")
    moves(table, 50.0, "f1", "white_bishop", "b5").ticks(60.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Bb5"
    assert not is_explained(table)


def test_play_goes_on_if_a_player_presses_for_what_was_put_in_their_place() -> None:
    table = taken_back(2, clock=True).ticks(68.0)
    moves(table, 70.0, "b1", "white_knight", "c3").clock(71.5, 245, 300, "right").ticks(80.0)
    assert table.moves == "e4 e5 Nf3 Nc6 Nc3"
    assert any("alert RECORD_CORRECTED" in line for line in table.script)


def test_a_move_that_stood_long_stays_when_other_men_are_moved_by_its_player() -> None:
    """By men without names his pawn might have gone in its stead; but nobody took the king back."""
    fen = "8/kb1Q4/6P1/2q1P3/pp6/1P6/KP6/8 b - - 13 51"
    table = TableTalk(TableSetup(sensing="occupancy", start_fen=fen, has_clock=False))
    table.shows(0.0).ticks(5.0)
    moves(table, 10.0, "a7", "black_king", "b6").ticks(28.0)
    moves(table, 28.0, "a4", "black_pawn", "a3")
    moves(table, 29.3, "b6", "black_king", "a6")
    moves(table, 31.6, "d7", "white_queen", "g7")
    moves(table, 33.1, "b2", "white_pawn", "b8")
    table.sees(36.6, without="a2").ticks(45.0)
    assert table.moves == "Kb6"
    assert table.ends().moves == "Kb6"


def test_two_plies_put_back_together_are_no_play_where_no_moves_lead_back() -> None:
    """The first two moves are put back, then king and queen are exchanged; a game begins anew."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(4.0, "Nh3", "h5")
    table.sees(30.0, without="h3 h5", white_knight="g1").sees(30.3, black_pawn="h7").ticks(31.5)
    table.sees(31.5, without="e8 d8").sees(32.0, black_king="d8", black_queen="e8").ticks(42.0)
    table.sees(42.0, without="e8 d8").sees(43.0, black_king="e8", black_queen="d8").ticks(50.0)
    assert [fact.by for fact in table.told(GameEnded) if isinstance(fact, GameEnded)]
    assert table.moves == "Nh3 h5"


def test_a_move_that_stood_before_all_was_put_back_was_made() -> None:
    """Nobody tells when the game ended: White's knight had stood before the men came home."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    table.plays(4.0, "e4", "c5")
    table.sees(20.0, without="g1").sees(20.5, white_knight="f3").ticks(22.8)
    table.sees(22.8, without="f3").sees(24.0, without="e4", white_pawn="e2", white_knight="g1")
    table.sees(33.0, without="c5").sees(33.5, black_pawn="c7").ticks(40.0)
    assert table.moves == "e4 c5 Nf3"


def test_two_plies_without_names_that_are_put_back_together_are_played_anew() -> None:
    """Without a clock both take their first moves back, and begin with other ones."""
    table = TableTalk.ready(TableSetup(sensing="occupancy", has_clock=False), clock=False)
    table.sees(2.0, without="e2").sees(2.4, white_pawn="e4").ticks(7.8)
    table.sees(8.0, without="e7").sees(8.4, black_pawn="e5").ticks(13.8)
    table.sees(14.0, without="e4 e5").sees(14.3, white_pawn="e2").sees(14.5, black_pawn="e7")
    table.sees(16.0, without="d2").sees(16.4, white_pawn="d4").ticks(21.8)
    table.sees(22.0, without="d7").sees(22.4, black_pawn="d5").ticks(27.8)
    table.sees(28.0, without="c2").sees(28.4, white_pawn="c4").ticks(40.0)
    assert table.moves == "d4 d5 c4"
