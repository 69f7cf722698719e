"""A journal with damaged pages: what can be read is gone on with, and what cannot is told."""

import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge.core.model import LinkChange, Reading
from bridge.store.errors import JournalError
from bridge.store.journal import Journal
from bridge.store.rows import row_of, table_names
from bridge.store.salvage import UNTOLD
from bridge.store.schema import create
from tests.bridge.readings import reading, run

PAGE = 4096
TABLES = 4
EACH = 600


def of_table(number: int, seqs: range) -> list[Reading]:
    return run(seqs, table=f"{number}", link=f"table {number}")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal in which the readings of four tables take turns."""
    path = tmp_path_factory.mktemp("whole") / "journal.sqlite"
    with Journal.open(path) as journal:
        for seq in range(1, EACH + 1):
            for number in range(1, TABLES + 1):
                journal.submit(of_table(number, range(seq, seq + 1)), lambda: None)
    return path


def harmed(whole: Path, folder: Path, harm: dict[int, bytes]) -> Path:
    """Return a copy of a journal with other bytes at some places."""
    content = bytearray(whole.read_bytes())
    for place, data in harm.items():
        content[place : place + len(data)] = data
    path = folder / "journal.sqlite"
    path.write_bytes(content)
    return path


def pages_of(path: Path, name: str) -> list[int]:
    """Return the pages of a table or an index, from 0, its root being the first."""
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        (root,) = connection.execute(query, (name,)).fetchone()
    return [int(root) - 1]


def leaves(path: Path) -> list[int]:
    """Return the pages on which rows stand: those of SQLite's kind 13."""
    content = path.read_bytes()
    return [n for n in range(1, len(content) // PAGE) if content[n * PAGE] == 13]


def opened(path: Path) -> tuple[list[tuple[int, Reading]], list[str], dict[str, int]]:
    """Return what a journal holds when it is used, what was told, and the last numbers of links."""
    notes: list[str] = []
    with Journal.open(path, note=notes.append) as journal:
        rows = list(journal.read())
        lasts = {f"table {n}": journal.last_seq(f"table {n}") for n in range(1, TABLES + 1)}
    return rows, notes, lasts


def original(position: int) -> Reading:
    seq, number = divmod(position - 1, TABLES)
    return reading(seq + 1, table=f"{number + 1}", link=f"table {number + 1}")


def is_marker(found: Reading) -> bool:
    return isinstance(found.payload, LinkChange)


@pytest.mark.parametrize("seed", range(12))
def test_only_what_stood_on_the_damaged_pages_is_lost(
    whole: Path, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    chosen = rng.sample(leaves(whole)[1:-1], k=rng.choice([1, 2, 3]))
    path = harmed(whole, tmp_path, {page * PAGE: rng.randbytes(PAGE) for page in chosen})
    rows, notes, lasts = opened(path)
    kept = {position: found for position, found in rows if not is_marker(found)}
    lost = TABLES * EACH - len(kept)
    assert 0 < lost <= 60 * len(chosen)
    assert all(found == original(position) for position, found in kept.items())
    assert lasts == dict.fromkeys(lasts, EACH)
    (note,) = notes
    assert f"{len(kept)} readings of it could be read" in note
    assert re.search(rf", {lost} are lost, of table \d \(", note)
    assert note.endswith("look at the games of table 1, 2, 3, 4")


def test_a_table_that_lost_readings_hears_of_a_lost_link(whole: Path, tmp_path: Path) -> None:
    page = leaves(whole)[5]
    path = harmed(whole, tmp_path, {page * PAGE: bytes(PAGE)})
    rows, _, _ = opened(path)
    for number in range(1, TABLES + 1):
        told = [found for _, found in rows if found.table == f"{number}"]
        seqs = [found.seq for found in told]
        assert seqs == sorted(set(seqs))
        states = [found.payload.state for found in told if isinstance(found.payload, LinkChange)]
        assert states == ["lost", "live"]
        times = [found.at for found in told]
        assert times == sorted(times)


def test_the_journal_goes_on_behind_what_it_had(whole: Path, tmp_path: Path) -> None:
    page = leaves(whole)[-1]
    path = harmed(whole, tmp_path, {page * PAGE: b"\xa5" * PAGE})
    with Journal.open(path) as journal:
        assert journal.last_seq("table 1") == EACH
        assert journal.last_position() == TABLES * EACH
        journal.submit(of_table(1, range(EACH + 1, EACH + 2)), lambda: None)
    rows, notes, lasts = opened(path)
    assert rows[-1] == (TABLES * EACH + 1, of_table(1, range(EACH + 1, EACH + 2))[0])
    assert (notes, lasts["table 1"]) == ([], EACH + 1)


def test_a_damaged_index_costs_no_reading(whole: Path, tmp_path: Path) -> None:
    (page,) = pages_of(whole, "readings_by_table")
    path = harmed(whole, tmp_path, {page * PAGE: bytes(PAGE)})
    rows, (note,), _ = opened(path)
    assert [found for _, found in rows] == [original(n) for n in range(1, TABLES * EACH + 1)]
    assert "as far as can be known none is lost" in note


def test_where_the_ends_of_links_are_lost_no_number_is_given_twice(
    whole: Path, tmp_path: Path
) -> None:
    (page,) = pages_of(whole, "links")
    path = harmed(whole, tmp_path, {page * PAGE: bytes(PAGE)})
    rows, _, lasts = opened(path)
    assert len(rows) == TABLES * EACH
    assert lasts == dict.fromkeys(lasts, EACH + UNTOLD)


def test_pages_that_lead_to_others_cost_no_reading(whole: Path, tmp_path: Path) -> None:
    (page,) = pages_of(whole, "readings")
    path = harmed(whole, tmp_path, {page * PAGE: bytes(PAGE)})
    rows, (note,), lasts = opened(path)
    assert [found for _, found in rows] == [original(n) for n in range(1, TABLES * EACH + 1)]
    assert "as far as can be known none is lost" in note
    assert lasts == dict.fromkeys(lasts, EACH)


def test_a_file_whose_beginning_is_gone_is_read(whole: Path, tmp_path: Path) -> None:
    path = harmed(whole, tmp_path, {0: bytes(PAGE)})
    rows, (note,), lasts = opened(path)
    assert [found for _, found in rows] == [original(n) for n in range(1, TABLES * EACH + 1)]
    assert f"{TABLES * EACH} readings of it could be read" in note
    assert note.endswith("what came behind the last of them nobody knows: look at all games")
    assert lasts == dict.fromkeys(lasts, EACH + UNTOLD)


def test_names_in_the_schema_that_are_no_text_are_no_mistake(whole: Path, tmp_path: Path) -> None:
    """SQLite says what is damaged in the bytes that stand there, which Python cannot read."""
    content = whole.read_bytes()
    for name in (b"CREATE INDEX", b"readings_by_table"):
        content = content.replace(name, b"\xaa" * len(name))
    path = tmp_path / "journal.sqlite"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="cannot be read"):
        table_names(path)
    rows, (note,), _ = opened(path)
    assert [found for _, found in rows] == [original(n) for n in range(1, TABLES * EACH + 1)]
    assert "could not be used: its schema is damaged" in note


def test_a_journal_without_a_page_that_can_be_read(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"\xa5" * whole.stat().st_size)
    rows, (note,), lasts = opened(path)
    assert rows == []
    assert ".recover" in note
    assert set(lasts.values()) == {0}


@pytest.mark.parametrize("seed", range(20))
def test_any_bytes_anywhere_give_nothing_that_was_not_there(
    whole: Path, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(100 + seed)
    size = whole.stat().st_size
    harm = {rng.randrange(PAGE, size): rng.randbytes(rng.choice([1, 8, 300])) for _ in range(3)}
    rows, notes, _ = opened(harmed(whole, tmp_path, harm))
    if not notes:
        return  # nothing was noticed: within a text, or in what is free
    right = sum(found == original(position) for position, found in rows)
    assert right >= len(rows) - 3 - sum(is_marker(found) for _, found in rows)
    assert right > TABLES * EACH / 2 or ".recover" in notes[0]
    assert re.search(r"It is kept as \S+damaged-", notes[0])


def test_of_many_links_the_first_are_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    begun(path, [reading(n // 50 + 1, table=f"{n % 50}", link=f"{n % 50}") for n in range(900)])
    page = leaves(path)[3]
    _, (note,), _ = opened(harmed(path, tmp_path, {page * PAGE: bytes(PAGE)}))
    assert re.search(r"are lost, of (\d+ \(\d+\), ){10}\d+ more; look at the games", note)


def begun(path: Path, readings: list[Reading]) -> None:
    def fill(connection: sqlite3.Connection) -> None:
        insert = (
            "INSERT INTO readings (board_table, link, seq, at, wall, payload)"
            " VALUES (?, ?, ?, ?, ?, ?)"
        )
        connection.executemany(insert, map(row_of, readings))

    create(path, fill)


def test_what_is_said_of_arbiters_names_no_table(tmp_path: Path) -> None:
    """Their orders are of many tables, and nobody knows of which those were that are lost."""
    path = tmp_path / "journal.sqlite"
    begun(path, [reading(n, table=f"{n % 3}", link="arbiter") for n in range(1, 401)])
    page = leaves(path)[3]
    rows, (note,), _ = opened(harmed(path, tmp_path, {page * PAGE: bytes(PAGE)}))
    assert not any(is_marker(found) for _, found in rows)
    assert re.search(r"are lost, of arbiter \(\d+\)$", note)
