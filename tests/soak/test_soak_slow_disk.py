"""A disk that stands still for seconds whenever it has to be sure."""

from pathlib import Path

from tests.slow_disk import follow
from tests.soak.conftest import Tell

SYNC_SECONDS = 1.5


def test_slow_disks_keep_the_event_loop_waiting_for_nothing(tmp_path: Path, figure: Tell) -> None:
    status = follow(tmp_path, SYNC_SECONDS)
    assert status.lag < SYNC_SECONDS
    figure(
        f"each sync took {SYNC_SECONDS:g} s: the game exact, the loop late by "
        f"{1e3 * status.lag:.0f} ms at worst"
    )
