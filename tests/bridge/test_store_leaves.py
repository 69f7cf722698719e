"""Rows read from pages are those that SQLite reads."""

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bridge.store.leaves import LARGEST_ROW, Stored, rows_on_pages
from bridge.store.rows import INSERT, SELECT, Row
from bridge.store.schema import create

PAGE = 4096


def row(number: int, payload: str = "") -> Row:
    return f"{number % 7}", f"link {number % 7}", number, number / 8, 1.79e9 + number, payload


def begun(path: Path, rows: Sequence[Row]) -> None:
    def fill(connection: sqlite3.Connection) -> None:
        connection.executemany(INSERT, rows)

    create(path, fill)


def by_sqlite(path: Path) -> list[Stored]:
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        return connection.execute(f"{SELECT} ORDER BY position").fetchall()


@pytest.mark.parametrize("longest", [0, 300, 5_000, 40_000])
def test_rows_of_any_length(tmp_path: Path, longest: int) -> None:
    rng = random.Random(longest)
    path = tmp_path / "journal"
    begun(path, [row(n, "ä" * rng.randint(0, longest // 2)) for n in range(1, 60)])
    assert list(rows_on_pages(path)) == by_sqlite(path)


def test_lengths_around_what_fits_on_a_page(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    begun(path, [row(n, "x" * (4000 + n)) for n in range(1, 100)])
    assert list(rows_on_pages(path)) == by_sqlite(path)


def test_numbers_of_any_size(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    sizes = [0, 1, 2, 127, 128, 1 << 15, 1 << 23, 1 << 31, 1 << 47, (1 << 63) - 1]
    rows = [("1", "1", sign * size, -float(size), 0.1, "") for size in sizes for sign in (1, -1)]
    begun(path, rows)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE readings SET position = ? WHERE position = 20", ((1 << 62),))
        connection.commit()
    assert list(rows_on_pages(path)) == by_sqlite(path)


def test_what_stands_in_the_log_counts_up_to_its_last_commit(tmp_path: Path) -> None:
    path, copy = tmp_path / "journal", tmp_path / "copy"
    begun(path, [row(n) for n in range(1, 100)])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA cache_size = 2")  # so that what is not committed is written too
        for first in (100, 400):
            connection.execute("BEGIN")
            connection.executemany(INSERT, [row(n) for n in range(first, first + 300)])
            connection.execute("COMMIT")
        expected = connection.execute("SELECT max(position) FROM readings").fetchone()
        connection.execute("BEGIN")
        connection.executemany(INSERT, [row(n) for n in range(700, 3000)])
        for end in ("", "-wal"):
            copy.with_name(f"copy{end}").write_bytes(path.with_name(f"journal{end}").read_bytes())
        connection.execute("ROLLBACK")
    frames = copy.with_name("copy-wal").read_bytes()
    assert len(frames) > 20 * PAGE
    assert [found[3] for found in rows_on_pages(copy)] == [*range(1, 700)]
    assert expected == (699,)
    copy.with_name("copy-wal").write_bytes(frames[: len(frames) // 3])
    cut = [found[3] for found in rows_on_pages(copy)]
    assert cut == [*range(1, len(cut) + 1)]


def test_pages_that_tell_of_the_same_positions_count_once(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    begun(path, [row(n, "x" * 50) for n in range(1, 400)])
    content = path.read_bytes()
    leaf = next(n for n in range(1, len(content) // PAGE) if content[n * PAGE] == 13)
    path.write_bytes(content + content[leaf * PAGE : (leaf + 1) * PAGE])
    assert [found[0] for found in rows_on_pages(path)] == [*range(1, 400)]


@pytest.mark.parametrize("seed", range(30))
def test_any_bytes_give_increasing_positions(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    path = tmp_path / "journal"
    begun(path, [row(n, "x" * rng.choice([10, 100, 9000])) for n in range(1, 200)])
    content = bytearray(path.read_bytes())
    for _ in range(rng.choice([3, 30, 300])):
        content[rng.randrange(len(content))] = rng.randrange(256)
    path.write_bytes(content)
    positions = [found[0] for found in rows_on_pages(path)]
    assert positions == sorted(set(positions))
    assert all(len(found[6]) <= LARGEST_ROW for found in rows_on_pages(path))
