"""The outbox: what was put is there until it was delivered, in order, whoever is killed."""

import logging
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from bridge.store.errors import OutboxError
from bridge.store.outbox import VERSION, Entry, Outbox, Pause, read_notes

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "outbox.sqlite3"


def texts(outbox: Outbox, output: str = "a", limit: int = 100) -> list[tuple[str, str]]:
    return [(entry.key, entry.content.decode()) for entry in outbox.waiting(output, limit)]


def test_what_was_put_waits_in_order(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1", "y": b"2"})
        outbox.put("b", {"x": b"other"})
        outbox.put("a", {"z": b"3"})
        assert texts(outbox) == [("x", "1"), ("y", "2"), ("z", "3")]
        assert texts(outbox, limit=2) == [("x", "1"), ("y", "2")]
        assert texts(outbox, "b") == [("x", "other")]
    with Outbox(path) as outbox:
        assert texts(outbox) == [("x", "1"), ("y", "2"), ("z", "3")]


def test_the_latest_replaces_what_waits_and_keeps_its_place(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1", "y": b"2"})
        outbox.put("a", {"x": b"3"})
        assert texts(outbox) == [("x", "3"), ("y", "2")]
        assert (outbox.count("a"), outbox.count("b")) == (2, 0)


def test_what_was_delivered_is_gone_and_not_queued_again(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1", "y": b"2"})
        outbox.delivered("a", outbox.waiting("a", 1))
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1"})
        assert texts(outbox) == [("y", "2")]
        outbox.put("a", {"x": b"4"})
        assert texts(outbox) == [("y", "2"), ("x", "4")]


def test_what_was_replaced_while_it_was_sent_stays(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1"})
        sent = outbox.waiting("a")
        outbox.put("a", {"x": b"2"})
        outbox.delivered("a", sent)
        assert texts(outbox) == [("x", "2")]
        # It may have been received by now, so the older content has to be sent once more.
        outbox.put("a", {"x": b"1"})
        assert texts(outbox) == [("x", "1")]


def test_what_was_never_queued_can_be_delivered(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.delivered("a", [Entry("x", b"1")])
        assert texts(outbox) == []


def test_what_is_forgotten_is_new_again(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1", "y": b"2"})
        outbox.delivered("a", outbox.waiting("a", 1))
        outbox.forget("a", ["x", "y", "z"])
        assert texts(outbox) == []
        outbox.put("a", {"x": b"1"})
        assert texts(outbox) == [("x", "1")]


def test_of_too_many_the_oldest_are_forgotten(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1", "y": b"2", "z": b"3", "w": b"4"})
        outbox.put("b", {"x": b"other"})
        outbox.delivered("a", [Entry("w", b"4")])
        assert outbox.trim("a", 3) == []
        assert sorted(outbox.trim("a", 1)) == ["x", "y"]
        assert texts(outbox) == [("z", "3")]
        assert texts(outbox, "b") == [("x", "other")]
        outbox.put("a", {"w": b"4", "v": b"5"})
        assert texts(outbox) == [("z", "3"), ("v", "5")], "what was delivered is still known"


def test_a_pause_outlives_a_restart_and_ends_with_a_delivery(path: Path) -> None:
    with Outbox(path) as outbox:
        assert outbox.pause("a") == Pause(0, 0.0)
        outbox.failed("a", retry_at=100.0)
        outbox.failed("a", retry_at=200.0)
        outbox.failed("b", retry_at=50.0)
    with Outbox(path) as outbox:
        assert outbox.pause("a") == Pause(2, 200.0)
        outbox.delivered("a", [])
        assert outbox.pause("a") == Pause(0, 0.0)
        assert outbox.pause("b") == Pause(1, 50.0)


def test_notes_are_written_with_what_they_speak_of(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1"}, notes={"far": "1", "round": "AbCd"})
        outbox.delivered("a", outbox.waiting("a"), notes={"far": "2"})
    with Outbox(path) as outbox:
        assert outbox.notes("a") == {"far": "2", "round": "AbCd"}
        assert outbox.notes("b") == {}


def test_nothing_is_half_done_where_the_disk_refuses(path: Path) -> None:
    with Outbox(path) as outbox, closing(sqlite3.connect(path, isolation_level=None)) as other:
        outbox.put("a", {"x": b"1"})
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON notes"
            " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
        with pytest.raises(OutboxError, match="the disk is full"):
            outbox.put("a", {"x": b"2", "y": b"3"}, notes={"far": "1"})
        assert texts(outbox) == [("x", "1")]
        other.execute("DROP TRIGGER full")
        outbox.put("a", {"x": b"2"}, notes={"far": "1"})
        assert texts(outbox) == [("x", "2")]


def test_a_closed_outbox_says_so(path: Path) -> None:
    outbox = Outbox(path)
    outbox.close()
    with pytest.raises(OutboxError, match="closed"):
        outbox.waiting("a")


def test_a_damaged_file_is_set_aside(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database, but rather long enough to be one" * 100)
    with caplog.at_level(logging.WARNING), Outbox(path) as outbox:
        outbox.put("a", {"x": b"1"})
    (kept,) = path.parent.glob("outbox.sqlite3.damaged-*")
    assert kept.read_bytes().startswith(b"no database")
    assert "what was sent may be sent again" in caplog.text
    with Outbox(path) as outbox:
        assert texts(outbox) == [("x", "1")]


def test_files_that_are_damaged_in_the_same_second_are_all_kept(path: Path) -> None:
    path.parent.mkdir()
    for number in range(3):
        path.write_bytes(b"no database %d" % number * 100)
        Outbox(path).close()
    assert len(list(path.parent.glob("outbox.sqlite3.damaged-*"))) == 3


def test_a_file_with_names_that_are_no_text_is_set_aside(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1"})
    content = path.read_bytes()
    for name in (b"CREATE INDEX", b"entries_waiting"):
        content = content.replace(name, b"\xaa" * len(name))
    path.write_bytes(content)
    with pytest.raises(OutboxError, match="cannot be read"):
        read_notes(path, "a")
    with Outbox(path) as outbox:
        assert texts(outbox) == []
    assert len(list(path.parent.glob("outbox.sqlite3.damaged-*"))) == 1


def test_a_file_with_damaged_pages_is_set_aside(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {str(number): bytes(3000) for number in range(50)})
    content = bytearray(path.read_bytes())
    content[8192:20000] = b"\x55" * (20000 - 8192)
    path.write_bytes(content)
    with Outbox(path) as outbox:
        assert texts(outbox) == []
    assert len(list(path.parent.glob("outbox.sqlite3.damaged-*"))) == 1


def test_a_file_of_a_later_version_is_left_alone(path: Path) -> None:
    Outbox(path).close()
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(OutboxError, match="install the later eboard-bridge"):
        Outbox(path)


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(OutboxError, match=r"outbox .*outbox\.sqlite3 cannot be opened"):
        Outbox(tmp_path / "data" / "outbox.sqlite3")


def test_threads_share_it(path: Path) -> None:
    with Outbox(path) as outbox:

        def put(thread: int) -> None:
            for number in range(20):
                outbox.put("a", {f"{thread}-{number}": b""})

        threads = [threading.Thread(target=put, args=(thread,)) for thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        keys = [entry.key for entry in outbox.waiting("a")]
    assert len(keys) == 80
    for number in range(4):
        mine = [key for key in keys if key.startswith(f"{number}-")]
        assert mine == [f"{number}-{count}" for count in range(20)]


def test_a_killed_process_loses_nothing_and_repeats_only_what_it_was_sending(path: Path) -> None:
    rng = random.Random()
    sending, sent, put = Counter[str](), set[str](), set[str]()
    kills = 8
    for _ in range(kills):
        command = [sys.executable, "-m", "tests.bridge.outbox_sender", str(path)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            first = child.stdout.readline()
            time.sleep(rng.random() * 0.1)
            child.send_signal(signal.SIGKILL)
            said = [line.split() for line in [first, *child.stdout] if line.endswith("\n")]
        sending.update(key for word, key in said if word == "sending")
        sent |= {key for word, key in said if word == "sent"}
        put |= {key for word, key in said if word == "put"}
    with Outbox(path) as outbox:
        waiting = [int(entry.key) for entry in outbox.waiting("test")]
        last = int(outbox.notes("test")["put"])
    assert waiting == sorted(waiting)
    assert not {str(key) for key in waiting} & sent
    assert put <= {str(number) for number in range(1, last + 1)}
    everything = set(sending) | {str(key) for key in waiting}
    assert everything == {str(number) for number in range(1, last + 1)}
    assert max(sending.values()) <= 1 + kills


def test_notes_can_be_read_beside_who_writes_them(path: Path) -> None:
    with pytest.raises(OutboxError, match="cannot be read"):
        read_notes(path, "a")
    with Outbox(path) as outbox:
        outbox.put("a", {}, notes={"far": "1"})
        assert read_notes(path, "a") == {"far": "1"}


def test_an_output_is_forgotten_as_a_whole(path: Path) -> None:
    with Outbox(path) as outbox:
        outbox.put("a", {"x": b"1"}, notes={"n": "1"})
        outbox.failed("a", retry_at=5.0)
        outbox.put("b", {}, notes={"n": "2"})
        assert outbox.outputs() == ["a", "b"]
        outbox.forget_output("a")
        assert outbox.outputs() == ["b"]
        assert (texts(outbox), outbox.notes("a"), outbox.pause("a")) == ([], {}, Pause(0, 0.0))
        assert outbox.notes("b") == {"n": "2"}
