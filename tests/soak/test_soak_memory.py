"""What a daemon keeps of nine rounds, with everything configured that keeps games."""

from pathlib import Path

from benchmarks.memory import measured
from tests.soak.conftest import Tell

BOARDS, ROUNDS, PLIES = 20, 9, 80
LAST = 4
"""In the first rounds the pages gather messages, of which they keep so many."""

MOST = 700
"""Bytes a ply. Kept as they are played, games took 2200."""


def test_nine_rounds_in_memory(tmp_path: Path, figure: Tell) -> None:
    kept = measured(tmp_path, BOARDS, ROUNDS, PLIES)
    more = (kept[-1] - kept[-1 - LAST]) / (LAST * BOARDS * PLIES)
    figure(f"{more:.0f} bytes a ply; after each round {' '.join(f'{each:,}' for each in kept)}")
    assert more < MOST
