from typing import Any

import pytest

from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    BoardChanged,
    ClockUpdated,
    Colour,
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    LinkChanged,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    PositionAdopted,
    SetupCorrected,
    TableSetup,
)
from bridge.outputs.overview import Overview, TableView


def fact(kind: type[Any], **fields: object) -> Fact:
    made: Fact = kind(table="7", game=1, at=1.0, wall=2.0, evidence=(1, 2), **fields)
    return made


def started(white: str = "Kramer, Anna", black: str = "Okafor, Ben") -> Fact:
    return fact(GameStarted, setup=TableSetup(white=white, black=black), fen="", rotated=False)


def settled(ply: int, san: str, fen: str | None = None, basis: str = "press") -> Fact:
    colour: Colour = "white" if ply % 2 else "black"
    fen = fen or f"8/8/8/8/8/8/8/8 {'b' if ply % 2 else 'w'} - - 0 {ply // 2 + 1}"
    return fact(MoveSettled, ply=ply, uci="", san=san, colour=colour, fen=fen, basis=basis)


def view(*facts: Fact) -> TableView:
    overview = Overview([TableView("6"), TableView("7")])
    for one in facts:
        overview.apply(one)
    assert overview.tables["6"] == TableView("6"), "another table is not concerned"
    return overview.tables["7"]


def test_nothing_is_known_at_first() -> None:
    seen = view()
    assert (seen.white, seen.black, seen.last_move, seen.standing) == ("?", "?", "", None)


@pytest.mark.parametrize(
    ("moves", "shown"),
    [(["e4"], "1. e4"), (["e4", "e5"], "1... e5"), (["e4", "e5", "Nf3"], "2. Nf3")],
)
def test_the_last_move_is_written_as_players_do(moves: list[str], shown: str) -> None:
    seen = view(started(), *(settled(ply, san) for ply, san in enumerate(moves, start=1)))
    assert seen.last_move == shown
    assert len(seen.moves) == len(moves)


def test_moves_keep_their_numbers_after_moves_that_are_missing_or_illegal() -> None:
    found = "4k3/8/8/8/8/8/8/4K2R b K - 3 41"
    moves = [settled(1, "e4"), settled(2, "Ke6", basis="stands")]
    moves += [fact(PositionAdopted, ply=2, fen=found, reason="the cable was out")]
    moves += [settled(3, "Kd7", "8/3k4/8/8/8/8/8/4K2R w K - 4 42")]
    assert view(started(), *moves).moves == ["1. e4", "1... Ke6", "41... Kd7"]
    assert view(started(), *moves).last_move == "41... Kd7"


def test_a_standing_move_until_it_settles_goes_or_the_game_ends() -> None:
    stands = fact(MoveProvisional, ply=1, uci="e2e4", san="e4")
    gone = fact(MoveProvisional, ply=1, uci=None, san=None)
    ended = fact(GameEnded, result="1-0", by="kings")
    assert view(started(), stands).standing == "e4"
    assert view(started(), stands, settled(1, "e4")).standing is None
    assert view(started(), stands, gone).standing is None
    assert view(started(), stands, ended).standing is None
    assert view(started(), stands, ended).result == ended


def test_corrected_names_leave_the_moves() -> None:
    better = TableSetup(white="Kramer, Anne", black="Okafor, Ben")
    seen = view(started(), settled(1, "e4"), fact(SetupCorrected, setup=better))
    assert (seen.white, seen.black, seen.last_move) == ("Kramer, Anne", "Okafor, Ben", "1. e4")


def test_corrected_moves_are_taken_back() -> None:
    moves = [settled(1, "e4"), settled(2, "e5"), settled(3, "Nf3")]
    withdrawn = fact(MovesCorrected, ply=2, count=2, reason="the pawn was slid on")
    assert view(started(), *moves, withdrawn).moves == ["1. e4"]


def test_a_new_game_forgets_the_old_one() -> None:
    ended = fact(GameEnded, result="1-0", by="kings")
    seen = view(started(), settled(1, "e4"), ended, started("Ito, Yui", "Kramer, Anna"))
    assert (seen.white, seen.moves, seen.result, seen.standing) == ("Ito, Yui", [], None, None)


def test_a_game_that_goes_on_has_no_result() -> None:
    ended = fact(GameEnded, result="1-0", by="kings")
    seen = view(started(), settled(1, "e4"), ended, fact(GameResumed))
    assert (seen.moves, seen.result) == (["1. e4"], None)


def test_clock_link_and_alerts_are_the_latest() -> None:
    clock = fact(ClockUpdated, white_ms=1, black_ms=2, running=True, turn="white")
    link = fact(LinkChanged, state="lost", detail="the cable")
    raised = fact(AlertRaised, code="CLOCK_DISCONNECTED", severity="warning", text="no clock")
    cleared = fact(AlertCleared, code="CLOCK_DISCONNECTED")
    seen = view(started(), clock, link, raised)
    assert (seen.clock, seen.link) == (clock, link)
    assert seen.alerts == {"CLOCK_DISCONNECTED": raised}
    assert view(started(), raised, cleared, cleared).alerts == {}


def test_what_stands_on_the_board_is_kept() -> None:
    assert view(started()).cells == ""
    assert view(started(), fact(BoardChanged, cells="." * 64)).cells == "." * 64


def test_other_facts_change_nothing() -> None:
    assert view(started(), fact(GameAdjourned)) == view(started())
