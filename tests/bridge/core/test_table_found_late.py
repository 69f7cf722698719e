"""Illegal moves that were answered at once, so that only play that went on shows them."""

import msgspec
import pytest

from bridge.config.rulesets import rule_set
from bridge.core.model import AlertRaised, TableSetup
from drivers.events import Side
from tests.bridge.core.dialogue import TableTalk

BEFORE = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
PLAY = [
    ("b2", "b5", "white_pawn"),
    ("g8", "f6", "black_knight"),
    ("f1", "e2", "white_bishop"),
    ("f8", "e7", "black_bishop"),
    ("e1", "f1", "white_king"),
    *(("a7", "a6", "black_pawn"), ("h2", "h3", "white_pawn")),
    *(("h7", "h6", "black_pawn"), ("g2", "g3", "white_pawn")),
    *(("g7", "g6", "black_pawn"), ("f1", "g2", "white_king")),
    *(("e8", "f8", "black_king"), ("d2", "d3", "white_pawn")),
    *(("f8", "g7", "black_king"), ("c1", "e3", "white_bishop")),
    *(("d7", "d6", "black_pawn"), ("d1", "d2", "white_queen")),
]


def played(rules: str, pace: float, *, unseen: bool = False) -> TableTalk:
    """Men without names: a pawn goes three squares, and four plies follow at *pace* seconds.

    *unseen*: the link is lost meanwhile.
    """
    set_ = msgspec.to_builtins(rule_set(rules))
    table = TableTalk.ready(TableSetup(sensing="occupancy", orientation="normal", rules=set_))
    table.plays(4.0, "e4", "e5", "Nf3", "Nc6")
    at = 20.0
    if unseen:
        table.link(at, "lost").link(at + 0.2, "live")
        table.shows(at + 0.2, "r1bqkbnr/pppp1ppp/2n5/1P2p3/4P3/5N2/P1PP1PPP/RNBQKB1R")
    for number, (left, came, man) in enumerate(PLAY):
        if number or not unseen:
            table.sees(at, without=left).sees(at + 0.2, **{man: came})
        turn: Side = "left" if number % 2 else "right"
        table.clock(at + 0.5, 280 - number, 280 - number, turn)
        at += pace if number < 4 else 4.0
    return table.ticks(at + 30.0)


def told(table: TableTalk) -> list[AlertRaised]:
    """Return the alerts that call the arbiter to the table."""
    alerts = [fact for fact in table.facts if isinstance(fact, AlertRaised)]
    return [alert for alert in alerts if alert.severity in ("critical", "warning")]


@pytest.mark.parametrize("pace", [0.5, 0.8, 1.1])
def test_it_is_told_where_the_position_before_it_can_still_be_put_up(pace: float) -> None:
    table = played("fide_std", pace)
    assert table.moves.startswith("e4 e5 Nf3 Nc6 b5 Nf6 Be2 Be7 Kf1 a6 h3 h6 g3 g6 Kg2 Kf8")
    (alert,) = told(table)
    assert (alert.code, alert.reason) == ("ILLEGAL_MOVE", "PAWN_GEOMETRY")
    assert (alert.by, alert.restore, alert.confidence) == ("white", BEFORE, "medium")
    assert alert.text.endswith("; it was ply 5, and only play that went on has shown it")


def test_nobody_is_accused_late_of_a_move_that_was_not_seen() -> None:
    table = played("fide_std", 0.8, unseen=True)
    assert table.moves.startswith("e4 e5 Nf3 Nc6 b5 Nf6 Be2 Be7 Kf1 a6 h3 h6 g3 g6 Kg2 Kf8")
    assert "ILLEGAL_MOVE" not in {alert.code for alert in told(table)}


def test_one_that_was_told_when_it_was_made_is_not_told_again() -> None:
    (alert,) = told(played("fide_std", 1.4))
    assert (alert.code, alert.confidence) == ("ILLEGAL_MOVE", "high")


def test_where_it_stands_once_it_is_answered_that_alone_is_told() -> None:
    table = played("rapid_a5", 0.8)
    assert told(table) == []
    assert "ILLEGAL_MOVE_STANDS" in {f.code for f in table.facts if isinstance(f, AlertRaised)}
