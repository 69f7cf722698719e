"""Killed, out of space, damaged: nothing called durable is lost, nothing is written over."""

import os
import random
import re
import shutil
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge.core.model import LinkChange
from bridge.store.backup import back_up, check
from bridge.store.errors import JournalError, JournalRowError, JournalTooNewError
from bridge.store.journal import Journal
from bridge.store.rows import read_journal, table_names
from tests.bridge.journal_kills import killed_again_and_again, seqs, writer
from tests.bridge.journal_writer import READINGS_PAST_THE_LIMIT
from tests.bridge.readings import reading, run

PATIENCE = 30


def test_a_killed_process_loses_nothing_it_called_durable(tmp_path: Path) -> None:
    killed_again_and_again(tmp_path / "journal.sqlite", kills=12)


def test_a_disk_that_refuses_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with writer("limit", path) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        said = []
        for line in child.stdout:
            said.append(line.strip())
            if line.startswith("trouble"):
                break
        before = len(seqs(path))
        assert before == len(said) - 1 < READINGS_PAST_THE_LIMIT
        child.stdin.write("go on\n")
        child.stdin.flush()
        said += [line.strip() for line in child.stdout]
    assert child.returncode == 0
    troubles = [line for line in said if line.startswith("trouble")]
    assert re.match(
        "trouble: journal .* the disk (refuses to write|is full).* wait in memory", troubles[0]
    )
    assert troubles[-1] == "trouble: None"
    everything = list(range(1, READINGS_PAST_THE_LIMIT + 1))
    assert [int(line) for line in said if line.isdigit()] == everything
    assert seqs(path) == everything


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_loses_nothing(small_disk: Path) -> None:
    path = small_disk / "journal.sqlite"
    said: list[str | None] = []
    over, durable, answered = threading.Event(), threading.Event(), threading.Event()

    def on_trouble(text: str | None) -> None:
        said.append(text)
        (over if text is None else answered).set()

    with Journal.open(path, on_trouble=on_trouble, retry=0.02) as journal:
        ballast = small_disk / "ballast"
        ballast.write_bytes(bytes(600_000))
        last = 0
        while not said:
            answered.clear()
            journal.submit(run(range(last + 1, last + 51)), answered.set)
            last += 50
            assert answered.wait(PATIENCE)
        assert "the disk is full: free some space" in str(journal.trouble)
        journal.submit(run(range(last + 1, last + 11)), lambda: None)
        assert journal.waiting == 60
        ballast.unlink()
        assert over.wait(PATIENCE)
        journal.submit([], durable.set)
        assert durable.wait(PATIENCE)
        assert (journal.trouble, journal.waiting, len(said), said[-1]) == (None, 0, 2, None)
    assert seqs(path) == list(range(1, last + 11))


def write_protect(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)


def test_a_journal_on_a_disk_that_nobody_may_write_is_read(
    small_disk: Path, tmp_path: Path
) -> None:
    path = small_disk / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.submit(run(range(1, 51)), lambda: None)
    backup = back_up([path], [], small_disk)
    write_protect(small_disk)
    assert seqs(path) == list(range(1, 51))
    assert check(backup)[1] == []
    assert seqs(back_up([path], [], tmp_path) / path.name) == list(range(1, 51))
    with pytest.raises(JournalError, match="Read-only file system"):
        Journal.open(path)


def test_a_journal_that_was_not_closed_is_not_read_without_its_log(
    small_disk: Path, tmp_path: Path
) -> None:
    path, durable = tmp_path / "journal.sqlite", threading.Event()
    with Journal.open(path) as journal:
        journal.submit(run(range(1, 51)), durable.set)
        assert durable.wait(PATIENCE)
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", small_disk)
    write_protect(small_disk)
    with pytest.raises(JournalError, match=r"copy it with journal.sqlite-wal to another disk"):
        table_names(small_disk / path.name)


def test_closing_on_a_full_disk_says_what_is_lost(small_disk: Path) -> None:
    path = small_disk / "journal.sqlite"
    journal = Journal.open(path, retry=0.02)
    (small_disk / "ballast").write_bytes(bytes(600_000))
    journal.submit(run(range(1, 20_001)), lambda: None)
    with pytest.raises(JournalError, match=r"20000 readings were never written: .*disk is full"):
        journal.close(patience=0.1)
    (small_disk / "ballast").unlink()
    assert seqs(path) == []
    Journal.open(path).close()


def test_a_full_disk_gives_no_half_journal(small_disk: Path) -> None:
    path = small_disk / "journal.sqlite"
    ballast = small_disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        while True:
            try:
                file.write(bytes(4096))
            except OSError:
                break
    with pytest.raises(JournalError, match=r"cannot be (begun|used)"):
        Journal.open(path)
    assert not path.exists()
    ballast.unlink()
    Journal.open(path).close()


# --- damage -------------------------------------------------------------------------------------


Harm = Callable[[Path], None]


def long_journal(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.submit(run(range(1, 2001)), lambda: None)


def set_aside(path: Path) -> Path:
    (kept,) = [
        file
        for file in path.parent.iterdir()
        if re.fullmatch(rf"{path.name}\.damaged-\d{{8}}-\d{{6}}(-\d+)?", file.name)
    ]
    return kept


def overwrite(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 3 * 4096)


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def letter(path: Path) -> None:
    path.write_text("Dear arbiter, this is no database. " * 200)


def other_database(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE players (name TEXT)")


@pytest.mark.parametrize("harm", [overwrite, truncate])
def test_what_is_left_of_a_file_is_gone_on_with(tmp_path: Path, harm: Harm) -> None:
    path = tmp_path / "journal.sqlite"
    long_journal(path)
    harm(path)
    notes: list[str] = []
    Journal.open(path, note=notes.append).close()
    left = seqs(path)
    assert 500 < len(left) <= 2000
    assert left == sorted(left)
    (note,) = notes
    assert f"{len(left)} readings of it could be read" in note
    assert "what came behind the last of them nobody knows" in note
    assert set_aside(path).exists()


@pytest.mark.parametrize("harm", [empty, letter, other_database])
def test_what_cannot_be_used_is_kept_aside_and_a_new_journal_begun(
    tmp_path: Path, harm: Harm, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.sqlite"
    long_journal(path)
    harm(path)
    before = path.read_bytes()
    notes: list[str] = []
    with Journal.open(path, note=notes.append) as journal:
        kept = set_aside(path)
        assert kept.read_bytes() == before
        (note,) = notes
        assert str(kept) in note
        assert "could not be used: " in note
        assert ".recover" in note
        assert note in caplog.text
        assert list(journal.read()) == []
        assert journal.last_seq("dgt-1") == 0
        journal.submit(run([1]), lambda: None)
    assert seqs(path) == [1]


def test_the_log_of_a_damaged_file_is_kept_with_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    long_journal(path)
    # What a crash leaves: a log that has not been taken into the file.
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE links SET wall = 1")
        connection.commit()
        shutil.copy(f"{path}-wal", tmp_path / "wal")
    shutil.copy(tmp_path / "wal", f"{path}-wal")
    overwrite(path)
    before = path.read_bytes(), (tmp_path / "wal").read_bytes()
    Journal.open(path).close()
    kept = set_aside(path)
    assert (kept.read_bytes(), Path(f"{kept}-wal").read_bytes()) == before


def test_a_log_without_its_file_is_not_taken_into_another(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    log = Path(f"{path}-wal")
    log.write_bytes(b"old log")
    notes: list[str] = []
    Journal.open(path, note=notes.append).close()
    (kept,) = tmp_path.glob("*.damaged-*-wal")
    assert kept.read_bytes() == b"old log"
    assert "the file itself is gone" in notes[0]


def test_damaged_files_never_replace_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "strftime", lambda _: "20261003-140000")
    path = tmp_path / "journal.sqlite"
    for text in ("one", "two", "three"):
        path.write_text(text)
        Journal.open(path).close()
    kept = sorted(file.name for file in tmp_path.glob("*.damaged-*"))
    assert kept == [f"journal.sqlite.damaged-20261003-140000{n}" for n in ("", "-2", "-3")]
    assert [(tmp_path / name).read_text() for name in kept] == ["one", "two", "three"]


def test_any_damage_is_noticed_or_harmless(tmp_path: Path) -> None:
    whole = tmp_path / "whole.sqlite"
    long_journal(whole)
    content = whole.read_bytes()
    originals = set(run(range(1, 2001)))
    rng = random.Random(8)
    outcomes = set()
    for number in range(40):
        path = tmp_path / f"{number}" / "journal.sqlite"
        path.parent.mkdir()
        start = rng.randrange(len(content))
        harm = rng.randbytes(rng.choice([1, 16, 512, 4096]))
        path.write_bytes(content[:start] + harm + content[start + len(harm) :])
        notes: list[str] = []
        with Journal.open(path, note=notes.append) as journal:
            try:
                found = {each for _, each in journal.read() if type(each.payload) is not LinkChange}
            except JournalRowError:
                outcomes.add("named")
                continue
            if notes:
                assert found <= originals
                assert set_aside(path).stat().st_size >= len(content)
            outcomes.add("aside" if notes else "whole")
    assert "aside" in outcomes


def test_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    long_journal(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    before = path.read_bytes()
    with pytest.raises(
        JournalTooNewError, match=r"version 2, .* knows version 1: install the later"
    ):
        Journal.open(path)
    assert path.read_bytes() == before
    assert list(tmp_path.glob("*.damaged-*")) == []


def test_a_crash_while_beginning_is_no_obstacle(tmp_path: Path) -> None:
    for name in ("journal.sqlite.new", "journal.sqlite.new-wal"):
        (tmp_path / name).write_text("half a schema")
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        assert list(journal.read()) == []
    assert list(tmp_path.glob("*.new*")) == []


def test_a_folder_where_the_file_should_be(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal.open(path)
    path.rmdir()
    Journal.open(path).close()


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "halls").write_text("")
    with pytest.raises(JournalError, match="cannot be used"):
        Journal.open(tmp_path / "halls" / "journal.sqlite")


def test_a_log_cut_anywhere_leaves_a_prefix(tmp_path: Path) -> None:
    """The stand-in for power loss: the end of the log never reached the disk."""
    source = tmp_path / "source.sqlite"
    with Journal.open(source, batch=1) as journal:
        for seq in range(1, 41):
            journal.submit([reading(seq)], lambda: None)
        done = threading.Event()
        journal.submit([], done.set)
        assert done.wait(PATIENCE)
        file, log = source.read_bytes(), Path(f"{source}-wal").read_bytes()
    lengths = set()
    for cut in range(0, len(log), len(log) // 50):
        path = tmp_path / f"{cut}" / "journal.sqlite"
        path.parent.mkdir()
        path.write_bytes(file)
        Path(f"{path}-wal").write_bytes(log[:cut])
        with Journal.open(path) as journal:
            stored = [r.seq for _, r in journal.read()]
            assert stored == list(range(1, len(stored) + 1))
            assert journal.last_seq("dgt-1") == len(stored)
            lengths.add(len(stored))
    assert len(lengths) > 20


def test_reading_a_damaged_file_in_place_names_the_position(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    long_journal(path)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    with pytest.raises(JournalRowError, match=r"cannot be read behind position 7: .*malformed"):
        list(read_journal(path, after=7))
    with pytest.raises(JournalError, match=r"cannot be read: .*malformed"):
        table_names(path)
