"""A disk that takes its time to write: games are followed all the same, only later."""

from pathlib import Path

from tests.slow_disk import follow


def test_a_game_is_followed_over_a_slow_disk(tmp_path: Path) -> None:
    assert follow(tmp_path, 0.3).troubles == []
