"""Checkpoints on the disk: what is read is what was written, by this code, for this journal."""

import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest

from bridge.store import checkpoints
from bridge.store.checkpoints import Checkpoints, Piece, Place, beside, position_of, remove
from bridge.store.journal import Journal
from tests.bridge.readings import reading, run

PLACE = Place(2, "dgt-1", 5, 1_790_000_000.5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return beside(tmp_path / "data" / "journal.sqlite3")


def written(path: Path, code: str = "this") -> None:
    with closing(Checkpoints(path, code)) as opened:
        opened.write(Piece("1", b"first", Place(1, "dgt-1", 4, 0.0), b"old"))
        opened.write(Piece("2", b"table", PLACE, b"another"))
        opened.write(Piece("1", b"second"))
        opened.write(Piece("1", b"third", PLACE, b"new"))
        opened.write(Piece("1", b"too late"))


def test_the_last_state_and_all_facts_are_read(path: Path) -> None:
    written(path)
    with closing(Checkpoints(path, "this")) as opened:
        assert opened.place("1") == PLACE
        assert opened.state("1") == b"new"
        assert list(opened.facts("1")) == [b"first", b"second", b"third"]
        opened.go_on("1")
        opened.write(Piece("1", b"fourth", PLACE, b"newer"))
        assert list(opened.facts("1")) == [b"first", b"second", b"third", b"fourth"]
        assert opened.place("3") is None
        opened.forget("1")
        assert opened.place("1") is None
        assert list(opened.facts("1")) == []
        assert list(opened.facts("2")) == [b"table"]


def test_what_other_code_has_written_is_not_read(path: Path) -> None:
    written(path)
    with closing(Checkpoints(path, "that")) as opened:
        assert opened.place("1") is None
        assert list(opened.facts("1")) == []


def test_what_has_another_form_is_not_read(path: Path) -> None:
    written(path)
    another = patch.object(checkpoints, "_SCHEMA", checkpoints._SCHEMA + "-- another")
    with another, closing(Checkpoints(path, "this")) as opened:
        assert opened.place("1") is None


@pytest.mark.parametrize("content", [b"no database", b"", b"SQLite format 3\0" + bytes(4080)])
def test_a_damaged_file_is_begun_anew(path: Path, content: bytes) -> None:
    written(path)
    remove(path)
    path.write_bytes(content)
    with closing(Checkpoints(path, "this")) as opened:
        assert opened.place("1") is None
    written(path)


def test_what_cannot_be_a_file_is_told(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises((OSError, sqlite3.Error)):
        Checkpoints(path, "this")


def test_a_place_is_found_in_its_own_journal_alone(tmp_path: Path) -> None:
    journals = [tmp_path / name for name in ("own", "short", "other")]
    told = (
        run(range(1, 5)),
        run([1]),
        [msgspec.structs.replace(each, wall=1.0) for each in run([1, 2])],
    )
    for path, readings in zip(journals, told, strict=True):
        with Journal.open(path) as journal:
            journal.submit([reading(1, table="2", link="dgt-2")], lambda: None)
            journal.submit(readings, lambda: None)
    place = Place(2, "dgt-1", 2, told[0][1].wall)
    assert [position_of(path, "1", place) for path in journals] == [3, None, None]
