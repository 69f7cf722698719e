"""The benchmark of winnability asks for what it says it asks for."""

from pathlib import Path

import pytest

from benchmarks.winnability import UNUSABLE, ask, main, measure, positions

GAMES = """\
[Event "?"]
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
[SetUp "1"]

1. Rh8+ Kd7 2. Rh7+ *

[Event "?"]

1. e4 *
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    file = tmp_path / "games.pgn"
    file.write_text(GAMES, encoding="utf-8")
    return file


def test_every_position_of_the_games_is_known(games: Path) -> None:
    assert [board.ply() for board in positions(games)] == [1, 2, 3, 1]


def test_both_sides_are_asked_for(games: Path) -> None:
    answers = list(ask([next(positions(games))]))
    assert [(each.side, each.found.verdict) for each in answers] == [
        (True, "can"),
        (False, "cannot"),
    ]


def test_rows_hold_positions_by_their_men(games: Path) -> None:
    report = measure(games, count=9)
    assert [(row[0], row[1]) for row in report.rows] == [
        ("all", "8"),
        ("17 to 32 men", "2"),
        ("2 to 7 men", "6"),
    ]
    assert sum(int(cell) for cell in report.rows[0][2:5]) == 8


def test_the_table_is_printed(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(games), "--positions", "1"]) == 0
    assert "1 positions of games.pgn" in capsys.readouterr().out


@pytest.mark.parametrize("text", [None, ""])
def test_without_positions_nothing_is_measured(
    text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.pgn"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert main([str(file)]) == UNUSABLE
    assert str(file) in capsys.readouterr().err
