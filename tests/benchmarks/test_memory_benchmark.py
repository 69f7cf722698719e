"""What the games of a tournament take: the measurement, in short."""

from pathlib import Path

import pytest

from benchmarks.memory import measured, report


def test_every_round_is_told_and_measured(tmp_path: Path) -> None:
    kept = measured(tmp_path, boards=2, rounds=2, plies=6)
    assert len(kept) == 2
    assert 0 < kept[0] < kept[1]
    for number in (1, 2):
        assert len(list((tmp_path / f"games/{number}").glob("?-?.pgn"))) == 2
        assert (tmp_path / f"cloud/round-{number}/game-2.pgn").exists()


def test_the_report_tells_what_each_round_added(capsys: pytest.CaptureFixture[str]) -> None:
    report([20480, 30720], boards=1, plies=10).show()
    said = capsys.readouterr().out
    assert "30" in said
    assert "1024" in said
