"""A hall that starts where an earlier run has come to tells what a fold of the whole would."""

import asyncio
import heapq
import itertools
import sqlite3
import time
import zlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest

from benchmarks.inference import simulated
from bridge.core.model import AddNote, Fact, LinkChange, Reading, Ruling
from bridge.core.stream.reading import StreamReader
from bridge.daemon import resuming
from bridge.daemon.hall import Hall
from bridge.daemon.resuming import Resuming
from bridge.store.backup import LIST, back_up, restore
from bridge.store.checkpoints import Checkpoints, beside
from bridge.store.forgetting import Name, forget_in_journal
from bridge.store.journal import Journal

NO_UTF_8 = b'[{"fact": "AlertCleared", "table": "\xff"}]'
LATER = 10_000.0
"""When all deadlines of the games have passed."""


def played(table: str, seed: int) -> list[Reading]:
    """The readings of a club game at a table."""
    (session,) = simulated(1, seed=seed, profiles=["club"], boards=["identity"])
    lines, _ = session.load()
    reader = StreamReader(table)
    readings = [reading for line in lines for reading in reader.read(line)]
    return [
        msgspec.structs.replace(each, table=table, link=f"link-{table}", seq=number)
        for number, each in enumerate(readings, 1)
    ]


TABLES = {table: played(table, seed) for seed, table in enumerate("12", 1)}


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write checkpoints whenever there is something new."""
    monkeypatch.setattr(resuming, "SHARE", 0.0)
    monkeypatch.setattr(resuming, "LOOK", 0.01)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def record(path: Path, first: int, last: int) -> None:
    """Journal readings of all tables, from so many per cent of them to so many."""
    with Journal.open(path) as journal:
        for readings in TABLES.values():
            part = [len(readings) * each // 100 for each in (first, last)]
            journal.submit(readings[part[0] : part[1]], lambda: None)


def start(path: Path, *, known: bool = True) -> tuple[list[Fact], int]:
    """Start a hall; return what it tells, and how many readings it had to fold for that.

    What follows from nothing coming any more is told as well: the last run may have done so.
    """

    async def run() -> tuple[list[Fact], int]:
        with Journal.open(path) as journal:
            facts: list[Fact] = []
            hall = Hall(journal, now=time.monotonic, publish=facts.append)
            async with Resuming(path if known else None) as resumed:
                begun = resumed.begin
                folded = journal.last_position()

                def begin(name: str) -> resuming.Beginning:
                    nonlocal folded
                    beginning = begun(name)
                    folded -= len(
                        [each for each, _ in journal.read(name) if each <= beginning.position]
                    )
                    return beginning

                resumed.begin = begin  # type: ignore[method-assign]
                hall.restore(journal.tables(), facts.append, resumed)
            for name in journal.tables():
                facts += hall.table(name).tick(LATER)
            return sorted(facts, key=lambda fact: fact.table), folded

    return asyncio.run(run())


def as_bytes(facts: Sequence[Fact]) -> bytes:
    return msgspec.json.encode(facts)


def test_it_tells_the_same_and_folds_what_is_new(path: Path) -> None:
    for first, last in ((0, 30), (30, 31), (31, 80), (80, 100)):
        record(path, first, last)
        whole, all_of_it = start(path, known=False)
        told, folded = start(path)
        assert as_bytes(told) == as_bytes(whole)
        assert (folded < all_of_it) == (first > 0), "only what came since the last start"
        assert start(path) == (told, 0), "nothing is left to fold"
    assert any(fact.game > 0 for fact in told)


@pytest.mark.parametrize("every", [1, 4, 10**9])
def test_a_hall_that_is_killed_is_gone_on_with(
    path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    """Of so many looks at a table one finds a checkpoint due; facts alone are written sooner."""
    looks = itertools.count(1)
    due = property(lambda since: since.last is not None and next(looks) % every == 0)
    monkeypatch.setattr(resuming._Since, "is_due", due)
    monkeypatch.setattr(resuming, "MOST_FACTS", 5)

    async def run() -> None:
        now = 0.0
        with Journal.open(path, window=0.0) as journal:
            facts: list[Fact] = []
            hall = Hall(journal, now=lambda: now, publish=facts.append)
            async with Resuming(path) as resumed:
                hall.restore(TABLES, facts.append, resumed)
                resumed.start()
                for reading in heapq.merge(*TABLES.values(), key=lambda each: each.at):
                    now = reading.at
                    hall.take(reading)
                    await asyncio.sleep(0.001)
                await journal.append(())
            hall.deliver("1", "link-1", LinkChange(state="lost"))
            await journal.append(())
            hall.stop()

    asyncio.run(run())
    whole, all_of_it = start(path, known=False)
    told, folded = start(path)
    assert as_bytes(told) == as_bytes(whole)
    assert 0 < folded <= all_of_it
    assert (folded < all_of_it) == (every < all_of_it), "facts alone spare no fold"
    assert as_bytes(start(path)[0]) == as_bytes(whole)


def test_a_journal_without_a_name_is_understood_anew(path: Path) -> None:
    record(path, 0, 100)
    start(path)
    forget_in_journal(path, Name("Kramer, Anna"))
    assert not beside(path).exists()
    whole, all_of_it = start(path, known=False)
    assert start(path) == (whole, all_of_it)


def test_a_journal_that_was_put_back_is_understood_anew(path: Path, tmp_path: Path) -> None:
    record(path, 0, 50)
    folder = back_up([path], [], tmp_path / "backups")
    assert (folder / LIST).exists()
    record(path, 50, 100)
    start(path)
    restore(folder, {path.name: path})
    whole, all_of_it = start(path, known=False)
    assert start(path) == (whole, all_of_it)


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE tables SET state = x'00'",
        "UPDATE tables SET state = (SELECT facts FROM facts LIMIT 1)",
        "UPDATE facts SET facts = x'00'",
        f"UPDATE facts SET facts = x'{zlib.compress(NO_UTF_8).hex()}'",  # noqa: S608 - hex
        "UPDATE tables SET wall = 0.0",
        "UPDATE tables SET readings = 100000",
        "DROP TABLE facts",
    ],
)
def test_what_is_spoilt_is_understood_anew(path: Path, spoil: str) -> None:
    record(path, 0, 100)
    whole, all_of_it = start(path, known=False)
    start(path)
    with closing(sqlite3.connect(beside(path))) as connection:
        connection.execute(spoil)
        connection.commit()
    assert start(path) == (whole, all_of_it)
    if "DROP" not in spoil:
        assert start(path) == (whole, 0), "from there on it is known again"


def test_where_none_can_be_written_all_is_folded(path: Path) -> None:
    record(path, 0, 100)
    beside(path).mkdir()
    whole, all_of_it = start(path, known=False)
    assert start(path) == (whole, all_of_it)


def test_a_full_disk_is_left_to_the_journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(path, 0, 50)
    start(path)
    record(path, 50, 100)
    full = sqlite3.OperationalError("database or disk is full")
    monkeypatch.setattr(Checkpoints, "write", Mock(side_effect=full))
    whole, all_of_it = start(path, known=False)
    told, _ = start(path)
    assert told == whole
    assert not beside(path).exists()
    assert start(path) == (whole, all_of_it)


def test_a_table_with_a_ruling_is_folded_from_before_it(path: Path) -> None:
    record(path, 0, 50)
    start(path)
    at = TABLES["1"][-1].at
    ruling = Ruling(by="A. Arbiter", order=AddNote(text="the lamp fell"))
    with Journal.open(path) as journal:
        told = Reading(table="1", link="arbiter", seq=1, at=at, wall=at, payload=ruling)
        journal.submit([told], lambda: None)
    whole, _ = start(path, known=False)
    assert start(path) == (whole, 1)
    assert start(path) == (whole, 1)
