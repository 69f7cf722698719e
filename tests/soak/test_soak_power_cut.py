"""A thousand power cuts."""

from pathlib import Path

from tests.bridge.power_cuts import cuts, see_nothing_lost, trace_writer
from tests.soak.conftest import Tell

POINTS = 1000
COMMITS = 250
"""Twice as many pages as SQLite writes before it takes its log into the file."""


def test_a_thousand_power_cuts_lose_nothing_that_was_acknowledged(
    tmp_path: Path, figure: Tell
) -> None:
    source, left = tmp_path / "disk", tmp_path / "left"
    taken = trace_writer(source, COMMITS)
    unacknowledged = repeated = 0
    for words in cuts(taken, source, left, points=POINTS, seed=1):
        more, again = see_nothing_lost(words, left)
        unacknowledged += more
        repeated += again
    figure(
        f"{POINTS} cuts in {len(taken)} steps: nothing acknowledged was lost; {unacknowledged} "
        f"readings were there without having been acknowledged, {repeated} messages go out again"
    )
