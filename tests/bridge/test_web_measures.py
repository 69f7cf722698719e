"""What is offered about an alert."""

import pytest

from bridge.core.model import AlertRaised, Colour, Severity
from bridge.core.scoresheet.record import GameRecord, Scorebook
from bridge.web.measures import measures
from tests.bridge.scoresheets import line

SEVERITY: Severity = "critical"


def alert(
    code: str, by: Colour | None = None, *, illegal: bool = False, restore: str | None = None
) -> AlertRaised:
    return AlertRaised(
        table="1",
        game=1,
        at=1.0,
        wall=1.0,
        evidence=(1, 1),
        code=code,
        severity=SEVERITY,
        text="x",
        by=by,
        illegal=illegal,
        restore=restore,
    )


def record(sans: str) -> GameRecord:
    book = Scorebook()
    for fact in line(sans):
        book.apply(fact)
    return book.records()[0]


def offered(raised: AlertRaised, game: GameRecord | None = None) -> list[str]:
    return [each.text for each in measures(raised, game)][:-2]


ALWAYS = ["dealt with", "raised for nothing"]


def test_every_alert_can_be_accepted_or_dismissed() -> None:
    assert [each.text for each in measures(alert("BOARD_DISCONNECTED"), None)] == ALWAYS


def test_an_illegal_move_is_counted_restored_or_let_stand() -> None:
    game = record("e4 e5")
    after = alert("ILLEGAL_MOVE", "white", illegal=True, restore=game.position(2))
    assert offered(after, game) == [
        "count an illegal move of white",
        "go back to the position after 1... e5",
        "let it stand and play on",
    ]
    at_start = alert("ILLEGAL_MOVE", illegal=True, restore=game.position(0))
    assert offered(at_start, game) == [
        "go back to the start position",
        "let it stand and play on",
    ]
    gone = alert("ILLEGAL_MOVE", illegal=True, restore="8/8/8/8/8/8/8/8 w - - 0 1")
    assert offered(gone, game) == ["let it stand and play on"]
    assert offered(gone, None) == []


@pytest.mark.parametrize(
    ("code", "by", "texts"),
    [
        ("FLAG_FALL", "white", ["black wins on time", "draw"]),
        ("BOTH_FLAGS", None, ["draw"]),
        ("FIVEFOLD", None, ["draw"]),
        ("DEAD_POSITION", None, ["draw"]),
        ("DRAW_CLAIM_CHECK", "white", ["draw by claim"]),
        ("LATE_ARRIVAL", "black", ["black is there", "black is not there"]),
        ("LATE_ARRIVAL", None, []),
    ],
)
def test_what_the_code_suggests(code: str, by: Colour | None, texts: list[str]) -> None:
    assert offered(alert(code, by)) == texts
