"""The power goes while games are on: what was told stays true, and games go on."""

from pathlib import Path
from random import Random

from tests.bridge.power_cuts import cuts
from tests.hall_power_cuts import bring_config, comes_back, play

POINTS = 25


def test_games_go_on_after_a_power_cut(tmp_path: Path) -> None:
    source, left, rng = tmp_path / "hall", tmp_path / "left", Random(5)
    evening = play(source)
    exact = 0
    for words in cuts(evening.taken, source, left, points=POINTS, seed=len(evening.taken)):
        bring_config(source, left)
        exact += comes_back(evening, words, left, rng)
    assert exact > POINTS / 2
