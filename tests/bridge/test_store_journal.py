"""The journal keeps what it said it kept, in order, and tells it again."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge.core.model import Reading
from bridge.store.errors import (
    JournalBusyError,
    JournalClosedError,
    JournalError,
    JournalRowError,
)
from bridge.store.journal import Journal
from bridge.store.rows import read_journal, table_names
from bridge.store.schema import VERSION
from tests.bridge.fixtures import make_journal_1
from tests.bridge.readings import reading, run

PATIENCE = 20
LONG = 3600.0
PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "halls" / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as opened:
        yield opened


def keep(journal: Journal, readings: list[Reading]) -> None:
    """Submit and wait until durable."""
    durable = threading.Event()
    journal.submit(readings, durable.set)
    assert durable.wait(PATIENCE)


def kept(journal: Journal) -> list[Reading]:
    return [reading for _, reading in journal.read()]


def test_what_is_submitted_is_read_back_with_positions(journal: Journal) -> None:
    keep(journal, run(range(1, 4)))
    keep(journal, run([4]))
    assert list(journal.read()) == list(enumerate(run(range(1, 5)), 1))
    assert journal.waiting == 0


def test_reading_can_begin_anywhere_and_keep_to_one_table(journal: Journal) -> None:
    both = [reading(s, table=t, link=t) for s in range(1, 4) for t in ("A", "B")]
    keep(journal, both)
    assert [(p, r.table, r.seq) for p, r in journal.read("B", after=2)] == [
        (4, "B", 2),
        (6, "B", 3),
    ]
    assert [p for p, _ in journal.read(after=4)] == [5, 6]
    assert list(journal.read("C")) == []
    assert journal.tables() == ["A", "B"]


def test_long_journals_are_read_in_parts(journal: Journal) -> None:
    keep(journal, run(range(1, 2501)))
    positions = journal.read()
    assert next(positions) == (1, reading(1))
    keep(journal, run([2501]))
    assert [r.seq for _, r in positions] == list(range(2, 2502))


def test_an_empty_journal(journal: Journal) -> None:
    assert list(journal.read()) == []
    assert journal.tables() == []
    assert journal.last_at() is None
    assert journal.last_seq("dgt-1") == 0


def test_what_came_last_is_known_after_opening_again(path: Path) -> None:
    with Journal.open(path) as first:
        first.submit(run([1, 2], link="a"), lambda: None)
        first.submit(run([7], link="b"), lambda: None)
        assert first.last_seq("a") == 2
    with Journal.open(path) as second:
        assert (second.last_seq("a"), second.last_seq("b"), second.last_seq("c")) == (2, 7, 0)
        assert second.last_at() == (0.7, 1_790_000_000.7)
        second.submit(run([3], link="a"), lambda: None)
        assert second.last_at() == (0.7, 1_790_000_000.7)
    with Journal.open(path) as third:
        assert [(r.link, r.seq) for r in kept(third)] == [("a", 1), ("a", 2), ("b", 7), ("a", 3)]


def test_those_who_wait_are_told_in_order_and_not_before_it_is_durable(path: Path) -> None:
    told: list[tuple[int, int]] = []
    done = threading.Event()

    def tell(number: int) -> None:
        told.append((number, sum(1 for _ in read_journal(path))))

    with Journal.open(path, batch=3) as journal:
        for number in range(1, 21):
            journal.submit(run([number]), lambda n=number: tell(n))  # type: ignore[misc]
        journal.submit([], done.set)
        assert done.wait(PATIENCE)
    assert [number for number, _ in told] == list(range(1, 21))
    assert all(durable >= number for number, durable in told)


def test_nothing_submitted_is_a_barrier(journal: Journal) -> None:
    done = threading.Event()
    order: list[str] = []
    journal.submit([], lambda: order.append("first"))
    journal.submit(run([1]), lambda: order.append("reading"))
    journal.submit([], done.set)
    assert done.wait(PATIENCE)
    assert order == ["first", "reading"]
    assert kept(journal) == run([1])


def test_readings_share_a_commit_until_there_are_enough(path: Path) -> None:
    done = threading.Event()
    with Journal.open(path, window=LONG, batch=4) as journal:
        for seq in (1, 2, 3):
            journal.submit(run([seq]), lambda: None)
        assert journal.waiting == 3
        assert kept(journal) == []
        journal.submit(run([4]), done.set)
        assert done.wait(PATIENCE)
        assert kept(journal) == run([1, 2, 3, 4])


def test_a_lone_reading_does_not_wait_for_company(path: Path) -> None:
    with Journal.open(path, window=0.001, batch=1000) as journal:
        keep(journal, run([1]))


def test_closing_writes_what_was_submitted(path: Path) -> None:
    told: list[int] = []
    journal = Journal.open(path, window=LONG)
    for seq in range(1, 1201):
        journal.submit(run([seq]), lambda seq=seq: told.append(seq))  # type: ignore[misc]
    journal.close()
    journal.close()
    assert told == list(range(1, 1201))
    assert [r.seq for _, r in read_journal(path)] == told
    with pytest.raises(JournalClosedError, match="no longer writes"):
        journal.submit([], lambda: None)


def test_many_threads_may_submit(journal: Journal) -> None:
    def work(link: str) -> None:
        for seq in range(1, 101):
            journal.submit(run([seq], link=link), lambda: None)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    keep(journal, [])
    for name in "abcd":
        assert [r.seq for r in kept(journal) if r.link == name] == list(range(1, 101))


def test_asyncio_waits_until_durable(journal: Journal) -> None:
    async def main() -> None:
        await asyncio.gather(*(journal.append(run([seq], link=f"{seq}")) for seq in range(1, 31)))
        assert sum(1 for _ in journal.read()) == 30
        await journal.append([])

    asyncio.run(main())


def test_who_stopped_waiting_disturbs_nobody(path: Path) -> None:
    async def main(journal: Journal) -> None:
        hasty = asyncio.create_task(journal.append(run([1])))
        await asyncio.sleep(0)
        hasty.cancel()
        done = asyncio.create_task(journal.append(run([2])))
        await asyncio.sleep(0)
        journal.close()
        await done

    journal = Journal.open(path, window=LONG)
    asyncio.run(main(journal))
    assert [r.seq for _, r in read_journal(path)] == [1, 2]


def test_a_loop_that_ended_is_no_reason_to_stop(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main(journal: Journal) -> None:
        task = asyncio.create_task(journal.append(run([1])))
        await asyncio.sleep(0)
        task.cancel()

    journal = Journal.open(path, window=LONG)
    asyncio.run(main(journal))
    journal.close()
    assert [r.seq for _, r in read_journal(path)] == [1]
    assert caplog.records == []


def test_a_failing_caller_does_not_stop_the_recorder(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise LookupError("a mistake of the caller")

    journal.submit(run([1]), fail)
    keep(journal, run([2]))
    assert kept(journal) == run([1, 2])
    assert "a mistake of the caller" in caplog.text


def test_a_mistake_in_the_writer_is_said_and_ends_it(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    said: list[str | None] = []
    stopped = threading.Event()

    def on_trouble(text: str | None) -> None:
        said.append(text)
        stopped.set()

    journal = Journal.open(path, on_trouble=on_trouble)
    journal.submit(run([2**63]), lambda: None)  # more than SQLite can hold
    assert stopped.wait(PATIENCE)
    journal._writer.join(PATIENCE)
    assert "mistake in eboard-bridge" in str(said[0])
    assert "OverflowError" in caplog.text
    with pytest.raises(JournalClosedError):
        journal.submit(run([2**63 + 1]), lambda: None)
    with pytest.raises(JournalError, match="1 readings were never written"):
        journal.close()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (run([2]), "link dgt-1: seq 2 after 2"),
        (run([3, 3]), "seq 3 after 3"),
        (run([0], link="new"), "link new: seq 0 after 0"),
        (
            [
                Reading(
                    table="1",
                    link="l",
                    seq=1,
                    at=float("nan"),
                    wall=1.0,
                    payload=reading(1).payload,
                )
            ],
            "seq 1 without",
        ),
        (
            [
                Reading(
                    table="1",
                    link="l",
                    seq=1,
                    at=1.0,
                    wall=float("inf"),
                    payload=reading(1).payload,
                )
            ],
            "seq 1 without",
        ),
    ],
)
def test_readings_that_cannot_be_kept_are_refused_whole(
    journal: Journal, wrong: list[Reading], said: str
) -> None:
    keep(journal, run([1, 2]))
    with pytest.raises(ValueError, match=said):
        journal.submit([reading(1, link="other"), *wrong], lambda: None)
    assert journal.last_seq("other") == 0
    keep(journal, run([3]))
    assert kept(journal) == run([1, 2, 3])


def test_a_row_nobody_understands_is_named(journal: Journal) -> None:
    keep(journal, run([1, 2, 3]))
    with closing(sqlite3.connect(journal.path)) as other, other:
        other.execute('UPDATE readings SET payload = \'{"kind":"Telepathy"}\' WHERE position = 2')
    positions = journal.read()
    assert next(positions)[0] == 1
    with pytest.raises(JournalRowError, match=r"position 2 \(link .*dgt-1.*, seq 2\).*Telepathy"):
        next(positions)


def test_text_that_is_no_text_is_named(journal: Journal) -> None:
    keep(journal, run([1]))
    with closing(sqlite3.connect(journal.path)) as other, other:
        other.execute("UPDATE readings SET board_table = CAST(X'FF' AS TEXT)")
    with pytest.raises(JournalRowError, match=r"position 1 .*can't decode byte 0xff"):
        list(journal.read())


@pytest.mark.parametrize("damage", ["seq = 'x'", "at = X'00'"])
def test_values_of_another_type_are_named(journal: Journal, damage: str) -> None:
    keep(journal, run([1]))
    with closing(sqlite3.connect(journal.path)) as other, other:
        other.execute(f"UPDATE readings SET {damage}")  # noqa: S608 - of this test
    with pytest.raises(JournalRowError, match=r"position 1 .*values of another type"):
        list(journal.read())


def test_a_name_that_is_no_text_is_told(path: Path) -> None:
    with Journal.open(path) as journal:
        keep(journal, run([1]))
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE readings SET board_table = CAST(X'FF' AS TEXT)")
    with pytest.raises(JournalError, match="cannot be read"):
        table_names(path)


def test_a_table_that_comes_again_and_again_is_told(path: Path) -> None:
    """One letter of the schema, and texts are compared with numbers."""
    with Journal.open(path) as journal:
        keep(journal, run([1]))
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_master SET sql = replace(sql, 'table TEXT', 'table TXET')")
    with pytest.raises(JournalError, match="its index is damaged"):
        table_names(path)


def test_a_position_that_comes_again_is_told(path: Path) -> None:
    with Journal.open(path) as journal:
        keep(journal, run([1, 2, 3]))
    with path.open("r+b") as file:
        file.seek(PAGE)
        page = file.read(PAGE)
        third = int.from_bytes(page[12:14], "big")  # where the third row of the page begins
        place = page.index(b"\x03", third)  # behind its length is its position
        file.seek(PAGE + place)
        file.write(b"\x01")
    with pytest.raises(JournalRowError, match="behind position 2: 1 is next"):
        list(read_journal(path))


@pytest.mark.parametrize("damage", ["link = CAST(X'FF' AS TEXT)", "link = X'00'", "seq = 'x'"])
def test_a_damaged_list_of_links_is_told(path: Path, damage: str) -> None:
    with Journal.open(path) as journal:
        keep(journal, run([1]))
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(f"UPDATE links SET {damage}")  # noqa: S608 - of this test
    for _ in range(2):  # nobody holds it afterwards
        with pytest.raises(JournalError, match="cannot be read"):
            Journal.open(path)


def test_reading_what_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be opened"):
        list(read_journal(tmp_path / "none.sqlite", after=5))
    with pytest.raises(JournalError, match="cannot be opened"):
        table_names(tmp_path / "none.sqlite")


def test_a_journal_has_one_process(journal: Journal) -> None:
    with pytest.raises(JournalBusyError, match=r"in use by another eboard-bridge \(process \d+\)"):
        Journal.open(journal.path)
    code = (
        "import sys; from pathlib import Path; from bridge.store.journal import Journal\n"
        "Journal.open(Path(sys.argv[1]))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, journal.path], capture_output=True, text=True, check=False
    )
    assert other.returncode == 1
    assert "JournalBusyError" in other.stderr
    keep(journal, run([1]))
    assert kept(journal) == run([1])


def test_another_may_read_while_one_writes(journal: Journal) -> None:
    keep(journal, run([1, 2]))
    code = (
        "import sys; from pathlib import Path; from bridge.store.rows import read_journal\n"
        "print(*(reading.seq for _, reading in read_journal(Path(sys.argv[1]))))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, journal.path], capture_output=True, text=True, check=True
    )
    assert other.stdout == "1 2\n"
    keep(journal, run([3]))


def test_the_file_is_durable_and_says_its_version(journal: Journal) -> None:
    keep(journal, run([1]))
    with closing(sqlite3.connect(journal.path)) as other:
        assert other.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_version_1_is_read_for_ever(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    copy = tmp_path / "journal.sqlite"
    shutil.copy(make_journal_1.PATH, copy)
    with Journal.open(copy) as journal:
        assert kept(journal) == make_journal_1.READINGS
        assert journal.tables() == ["Table 1", "Tisch Süd"]
        assert (journal.last_seq("dgt/0"), journal.last_seq("dgt/1")) == (16, 15)
        assert journal.last_at() == (12.0, 1_790_000_016.5)
        keep(journal, run([17], link="dgt/0"))
        assert [p for p, _ in journal.read(after=16)] == [17]
    assert caplog.get_records("call") == []


def test_the_fixture_is_what_its_script_makes(tmp_path: Path) -> None:
    made = tmp_path / "made.sqlite"
    make_journal_1.make(made)

    def dump(path: Path) -> list[str]:
        shutil.copy(path, tmp_path / "dumped.sqlite")
        with closing(sqlite3.connect(tmp_path / "dumped.sqlite")) as connection:
            return list(connection.iterdump())

    assert dump(made) == dump(make_journal_1.PATH)
