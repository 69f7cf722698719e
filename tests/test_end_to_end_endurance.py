"""What the endurance run would find: it must see a journal with a gap and a game that differs."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from benchmarks.endurance import _acknowledged, _game_verdicts, _journal_verdicts
from bridge.store.journal import Journal
from tests.bridge.readings import run

PGN = '[Event "?"]\n[Result "*"]\n\n1. e4 {[%clk 0:05:00]} *\n\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journal = tmp_path / "data" / "journal.sqlite3"
    with Journal.open(journal, window=0.0) as opened:
        opened.submit(run(range(1, 11)), lambda: None)
        opened.submit(run(range(1, 4), link="dgt-2"), lambda: None)
    return tmp_path


def change(folder: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(folder / "data" / "journal.sqlite3")) as database:
        database.execute(statement)
        database.commit()


def test_a_whole_journal(folder: Path) -> None:
    acknowledged = _acknowledged(folder, {})
    assert acknowledged == {"dgt-1": 10, "dgt-2": 3}
    assert list(_journal_verdicts(folder, acknowledged)) == ["journal: exact"]


def test_nothing_is_acknowledged_before_there_is_a_journal(tmp_path: Path) -> None:
    assert _acknowledged(tmp_path, {"dgt-1": 4}) == {"dgt-1": 4}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "journal.sqlite3").touch()
    assert _acknowledged(tmp_path, {"dgt-1": 4}) == {"dgt-1": 4}


def test_a_gap_in_the_numbers(folder: Path) -> None:
    change(folder, "DELETE FROM readings WHERE link = 'dgt-1' AND seq = 5")
    (verdict,) = _journal_verdicts(folder, {})
    assert verdict == "journal: readings are missing on ['dgt-1']"


def test_a_lost_end(folder: Path) -> None:
    (verdict,) = _journal_verdicts(folder, {"dgt-1": 10, "dgt-2": 4, "dgt-3": 1})
    assert verdict == "journal: readings are missing on ['dgt-2', 'dgt-3']"


def test_a_journal_that_was_set_aside(folder: Path) -> None:
    (folder / "data" / "journal.sqlite3.damaged-1").touch()
    assert list(_journal_verdicts(folder, {})) == ["journal: was found damaged", "journal: exact"]


def test_games_are_compared_with_the_truth(tmp_path: Path) -> None:
    board = {"game": "opera", "moves": ["e2e4"], "clock_ms": [300_000], "result": "*"}
    wrong = board | {"moves": ["d2d4"], "game": "special"}
    (tmp_path / "truth.json").write_text(json.dumps({"boards": [board, wrong]}))
    (tmp_path / "games" / "1").mkdir(parents=True)
    for number in (1, 2):
        (tmp_path / "games" / "1" / f"{number}-1.pgn").write_text(PGN)
    assert list(_game_verdicts(tmp_path)) == [
        "opera, 1 plies, 0 times estimated: exact",
        "special, 1 plies, 0 times estimated: ply 1: e2e4 was written, d2d4 was played",
    ]
