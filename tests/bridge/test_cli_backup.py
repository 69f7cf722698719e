"""``backup`` and ``restore``: a hall is copied while it runs, examined, and put back."""

import json
import threading
from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.store import backup as backups
from bridge.store.journal import Journal
from bridge.store.rows import read_journal
from tests.bridge.readings import run
from tests.halls import write_config

NAMES = ["accounts.json", "backup.json", "hall.yaml", "journal.sqlite3"]


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    """A configuration whose journal has 30 readings."""
    folder = tmp_path / "hall"
    folder.mkdir()
    config = write_config(folder, ["port: /dev/absent"])
    write(config, range(1, 31))
    (folder / "data" / "accounts.json").write_text("{}", "utf-8")
    return config


def write(config: Path, seqs: range) -> None:
    with Journal.open(journal(config)) as open_journal:
        open_journal.submit(run(seqs), lambda: None)


def journal(config: Path) -> Path:
    return config.parent / "data" / "journal.sqlite3"


def seqs(path: Path) -> list[int]:
    return [reading.seq for _, reading in read_journal(path)]


def make_backup(config: Path, target: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["backup", str(config), str(target)]) == DONE
    return Path(capsys.readouterr().out.strip())


def test_a_backup_holds_the_hall_and_is_for_its_owner_alone(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_backup(hall, tmp_path / "stick", capsys)
    assert sorted(path.name for path in made.iterdir()) == NAMES
    assert [path.name for path in (tmp_path / "stick").iterdir()] == [made.name]
    assert made.stat().st_mode & 0o077 == 0
    assert seqs(made / "journal.sqlite3") == list(range(1, 31))
    assert main(["restore", str(made), "--check"]) == DONE
    assert "all as they were written" in capsys.readouterr().out


def test_a_backup_is_whole_while_somebody_writes(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written, enough = threading.Event(), threading.Event()
    with Journal.open(journal(hall), window=0.0) as busy:

        def go_on() -> None:
            seq = 31
            while not enough.is_set():
                busy.submit(run(range(seq, seq + 5)), written.set)
                seq += 5

        writer = threading.Thread(target=go_on)
        writer.start()
        try:
            assert written.wait(30)
            made = make_backup(hall, tmp_path / "stick", capsys)
        finally:
            enough.set()
            writer.join()
    copied = seqs(made / "journal.sqlite3")
    assert copied == list(range(1, len(copied) + 1))
    assert len(copied) >= 35
    assert len(copied) % 5 == 0, "what was written together is there together"
    assert backups.check(made)[1] == []


def test_what_was_restored_is_gone_on_with_and_what_stood_there_is_kept(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_backup(hall, tmp_path / "stick", capsys)
    write(hall, range(31, 41))
    assert main(["restore", str(made), str(hall)]) == DONE
    assert seqs(journal(hall)) == list(range(1, 31))
    (kept,) = journal(hall).parent.glob("journal.sqlite3.before-*")
    assert seqs(kept) == list(range(1, 41))
    write(hall, range(31, 33))
    assert seqs(journal(hall)) == list(range(1, 33))


def test_a_link_laid_where_it_is_restored_is_not_followed(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_backup(hall, tmp_path / "stick", capsys)
    victim = tmp_path / "victim"
    victim.write_bytes(b"of somebody else")
    (hall.parent / "data" / ".journal.sqlite3.tmp").symlink_to(victim)
    assert main(["restore", str(made), str(hall)]) == DONE
    assert victim.read_bytes() == b"of somebody else"
    assert not journal(hall).is_symlink()
    assert journal(hall).stat().st_mode & 0o077 == 0


def test_a_machine_with_nothing_gets_everything(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_backup(hall, tmp_path / "stick", capsys)
    new = tmp_path / "new" / "hall.yaml"
    new.parent.mkdir()
    assert main(["restore", str(made), str(new)]) == DONE
    assert new.read_bytes() == hall.read_bytes()
    assert seqs(journal(new)) == list(range(1, 31))
    assert (new.parent / "data" / "accounts.json").read_text("utf-8") == "{}"


def test_nothing_is_restored_under_a_daemon(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_backup(hall, tmp_path / "stick", capsys)
    with Journal.open(journal(hall)):
        assert main(["restore", str(made), str(hall)]) == CANNOT
    assert "in use by another eboard-bridge" in capsys.readouterr().err
    assert not list(journal(hall).parent.glob("*.before-*"))


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("accounts.json", None, "accounts.json is missing"),
        ("accounts.json", b"[]", "accounts.json is not what was written"),
        ("journal.sqlite3", b"", "journal.sqlite3 is not what was written"),
    ],
)
def test_a_damaged_backup_is_told_and_not_restored(
    name: str,
    content: bytes | None,
    problem: str,
    hall: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = make_backup(hall, tmp_path / "stick", capsys)
    if content is None:
        (made / name).unlink()
    else:
        (made / name).write_bytes(content)
    assert main(["restore", str(made), str(hall)]) == NO
    assert problem in capsys.readouterr().err
    assert not list(journal(hall).parent.glob("*.before-*"))


def test_a_backup_without_a_journal_is_of_no_use(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = backups.back_up((), (hall,), tmp_path / "stick")
    assert main(["restore", str(made), "--check"]) == NO
    assert "the journal is of no use: there is none" in capsys.readouterr().err


def test_what_is_no_backup_is_said(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_backup(hall, tmp_path / "stick", capsys)
    assert main(["restore", str(made)]) == CANNOT
    assert "--check" in capsys.readouterr().err
    listed = made / backups.LIST
    listed.write_text(json.dumps({**json.loads(listed.read_text("utf-8")), "version": 99}))
    assert main(["restore", str(made), "--check"]) == CANNOT
    assert "another version" in capsys.readouterr().err
    for damaged in (b"{", b'{"version": 1, "made": "\xff"}'):
        listed.write_bytes(damaged)
        assert main(["restore", str(made), "--check"]) == CANNOT
        assert "cannot be read" in capsys.readouterr().err
    listed.unlink()
    assert main(["restore", str(made), "--check"]) == CANNOT
    assert "is no backup" in capsys.readouterr().err


def test_a_backup_that_fails_leaves_nothing(hall: Path, tmp_path: Path) -> None:
    journal(hall).write_bytes(b"no database at all, and long enough to be looked at" * 100)
    assert main(["backup", str(hall), str(tmp_path / "stick")]) == CANNOT
    assert list((tmp_path / "stick").iterdir()) == []
