"""Health is worked out from what links, journal and outputs say."""

import pytest

from bridge.core.model import LinkState
from bridge.daemon.health import health
from bridge.links.keeper import Keeper
from bridge.outputs.health import Health
from bridge.outputs.tally import Report
from drivers.boards.dgt import Dgt

WELL = Report("pgn", 3, 0, 0, "")
ILL = Report("webhook club", 0, 4, 9, "Connection refused")


def link(name: str, state: LinkState, detail: str = "") -> Keeper:
    keeper = Keeper(name, "/dev/absent", Dgt, now=lambda: 0.0, deliver=lambda _: None)
    keeper.state, keeper.detail = state, detail
    return keeper


def test_all_is_well() -> None:
    assert health(None, [link("table 1", "live")], [WELL], []) == Health("ok")
    assert health(None, [], [], []) == Health("ok")


def test_a_board_that_is_away_is_no_failure_of_the_hall() -> None:
    links = [link("table 1", "live"), link("table 2", "lost", "unplugged"), link("row", "stale")]
    found = health(None, links, [WELL], ["lichess: round 1: no such board"])
    reasons = ("table 2: lost (unplugged)", "row: stale", "lichess: round 1: no such board")
    assert found == Health("degraded", reasons)


@pytest.mark.parametrize(
    ("journal", "state", "report", "reason"),
    [
        ("the disk is full", "live", WELL, "the disk is full"),
        (None, "live", ILL, "webhook club: Connection refused"),
        (None, "stale", WELL, "table 1: stale"),
    ],
)
def test_what_stops_the_work(
    journal: str | None, state: LinkState, report: Report, reason: str
) -> None:
    assert health(journal, [link("table 1", state)], [report], []) == Health("failing", (reason,))
