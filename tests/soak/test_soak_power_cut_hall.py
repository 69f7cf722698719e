"""Games over a thousand power cuts."""

from pathlib import Path
from random import Random

from tests.bridge.power_cuts import cuts
from tests.hall_power_cuts import TABLES, bring_config, comes_back, play
from tests.soak.conftest import Tell

POINTS = 1000


def test_games_go_on_after_a_thousand_power_cuts(tmp_path: Path, figure: Tell) -> None:
    source, left, rng = tmp_path / "hall", tmp_path / "left", Random(1)
    evening = play(source)
    exact = 0
    for words in cuts(evening.taken, source, left, points=POINTS, seed=1):
        bring_config(source, left)
        exact += comes_back(evening, words, left, rng)
    figure(
        f"{POINTS} cuts in {len(evening.taken)} steps of {len(TABLES)} games: what was told stayed "
        f"true, files as the journal; games exact to their end after {exact}, the others in doubt "
        "and told so"
    )
