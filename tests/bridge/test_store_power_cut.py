"""The power goes: what was called durable is there, and the rest does no harm."""

from pathlib import Path

from tests.bridge.power_cuts import cuts, see_nothing_lost, trace_writer

COMMITS = 40
POINTS = 80


def test_a_power_cut_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    taken = trace_writer(tmp_path / "disk", COMMITS)
    seen = [
        see_nothing_lost(words, tmp_path / "left")
        for words in cuts(
            taken, tmp_path / "disk", tmp_path / "left", points=POINTS, seed=len(taken)
        )
    ]
    assert len(seen) == POINTS
