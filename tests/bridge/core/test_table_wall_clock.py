"""The wall clock may be set at any moment: it dates what happened, and decides nothing."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.model import Fact, Reading
from bridge.core.table import Table
from tests.bridge.core.playing import Play, readings_of
from tests.bridge.core.test_table_properties import random_game


def told(readings: list[Reading]) -> list[Fact]:
    """Return what follows, without the dates."""
    table = Table("1")
    facts = [fact for reading in readings for fact in table.apply(reading)]
    facts += table.tick(readings[-1].at + 10.0)
    return [msgspec.structs.replace(fact, wall=0.0) for fact in facts]


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.booleans(), st.lists(st.floats(0, 4e9), min_size=1, max_size=20))
def test_no_conclusion_depends_on_the_wall_clock(
    seed: int, clock: bool, walls: list[float]
) -> None:
    play = Play(clock=clock, think=2.0 if clock else 5.0, seed=seed)
    readings, score = readings_of(random_game(seed, 20), play)
    moved = [
        msgspec.structs.replace(reading, wall=walls[place % len(walls)])
        for place, reading in enumerate(readings)
    ]
    assert told(moved) == told(list(readings))
    assert score.moves
