"""The daemon in this process, without any board: what it journals and says of itself."""

import asyncio
import contextlib
import logging
import re
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bridge.config import load
from bridge.config.loading import parse
from bridge.core.model import AlertCleared, AlertRaised, LinkChange, Reading, TableSetup
from bridge.daemon import clock, log_lines
from bridge.daemon.changes import left, taken
from bridge.daemon.recent import RecentLog
from bridge.daemon.service import Service
from bridge.store.errors import JournalError
from bridge.store.journal import Journal
from bridge.store.rows import read_journal

CONFIG = """\
event: {{name: Test, round: {round}, date: 2026-11-20}}
tables:
  - {{table: "1", board: {{port: /dev/absent-1}}, white: "Kramer, Anna"}}
  - {{table: "2", board: {{port: /dev/absent-2}}}}
"""


def reading_of(seq: int, payload: LinkChange) -> Reading:
    at = seq / 10
    return Reading(table="1", link="table 1", seq=seq, at=at, wall=time.time(), payload=payload)


def served(
    folder: Path, *, round_: int = 1, config: str = CONFIG, until: Callable[[Service], object]
) -> Service:
    """Run the daemon until something is true of it."""
    path = folder / "hall.yaml"
    path.write_text(config.format(round=round_))
    service = Service(load(path))

    async def run() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(service.run(stop))
        while not until(service) and not task.done():  # noqa: ASYNC110 - threads make it true
            await asyncio.sleep(0.01)
        stop.set()
        await task

    asyncio.run(run())
    return service


def links_are_known(service: Service) -> bool:
    return all(view.link is not None for view in service.overview.tables.values())


def payloads(folder: Path, kind: type[TableSetup] | type[LinkChange]) -> list[tuple[str, object]]:
    journal = read_journal(folder / "data" / "journal.sqlite3", None, 0)
    return [(r.table, r.payload) for _, r in journal if isinstance(r.payload, kind)]


def dates(folder: Path) -> list[str]:
    setups = (each for _, each in payloads(folder, TableSetup))
    return [each.date for each in setups if isinstance(each, TableSetup)]


def test_a_table_is_set_up_once_and_again_when_something_changed(tmp_path: Path) -> None:
    for round_ in (1, 1, 2, 2, 2):
        served(tmp_path, round_=round_, until=links_are_known)
    setups = payloads(tmp_path, TableSetup)
    assert [(table, setup.round) for table, setup in setups if isinstance(setup, TableSetup)] == [
        ("1", "1"),
        ("2", "1"),
        ("1", "2"),
        ("2", "2"),
    ]


def test_a_changed_configuration_is_taken_while_it_runs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "hall.yaml"
    path.write_text(CONFIG.format(round=1))
    changed = CONFIG.format(round=2).replace("Kramer", "Sample").replace("absent-2", "absent-3")
    later = parse(changed + '  - {table: "9", board: {port: /dev/absent-9}}\n', path)
    taken = False

    def until(service: Service) -> bool:
        nonlocal taken
        if links_are_known(service) and not taken:
            service.take(later)
            taken = True
        return taken

    with caplog.at_level("INFO"):
        service = served(tmp_path, until=until)
    assert [table.board.port for table in service.config.tables] == [
        "serial:/dev/absent-1",
        "serial:/dev/absent-2",
    ]
    setups = [setup for _, setup in payloads(tmp_path, TableSetup)]
    told = [(each.round, each.white) for each in setups if isinstance(each, TableSetup)]
    assert told == [("1", "Kramer, Anna"), ("1", "?"), ("2", "Sample, Anna"), ("2", "?")]
    assert service.overview.tables["1"].white == "Sample, Anna"
    assert "table 9 is new: that needs a restart" in caplog.messages
    assert "table 2 has another board or clock: that needs a restart" in caplog.messages
    assert "the configuration is taken: 2 tables change" in caplog.messages


def test_a_clock_that_is_right_late_dates_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    really, behind = time.time, 20 * 365 * 86_400.0
    monkeypatch.setattr(time, "time", lambda: really() - behind)
    monkeypatch.setattr(clock, "CLOCK_EVERY", 0.01)
    before = time.strftime("%Y.%m.%d", time.localtime(time.time()))

    def until(service: Service) -> bool:
        nonlocal behind
        if not links_are_known(service):
            return False
        behind = 0.0
        return len(dates(tmp_path)) == 4

    service = served(tmp_path, config=CONFIG.replace(", date: 2026-11-20", ""), until=until)
    now = time.strftime("%Y.%m.%d", time.localtime(really()))
    assert dates(tmp_path) == [before, before, now, now]
    assert service.config.event.date is None
    said = [each for each in caplog.messages if "the clock of this machine was set" in each]
    assert said == [f"the clock of this machine was set by +{20 * 365 * 86_400} s"]


def test_games_of_another_day_are_dated_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A night passes, and nobody sets the clock."""
    really, since, later = time.time, time.clock_gettime, 0.0
    monkeypatch.setattr(time, "time", lambda: really() + later)
    monkeypatch.setattr(time, "clock_gettime", lambda which: since(which) + later)
    monkeypatch.setattr(clock, "CLOCK_EVERY", 0.01)
    days = [time.strftime("%Y.%m.%d", time.localtime(really() + more)) for more in (0, 86_400)]

    def until(service: Service) -> bool:
        nonlocal later
        if not links_are_known(service):
            return False
        later = 86_400.0
        return len(dates(tmp_path)) == 4

    served(tmp_path, config=CONFIG.replace(", date: 2026-11-20", ""), until=until)
    assert dates(tmp_path) == [days[0], days[0], days[1], days[1]]
    assert not [each for each in caplog.messages if "was set" in each]


def test_what_is_taken_before_the_start_is_there_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "hall.yaml"
    path.write_text(CONFIG.format(round=1))
    service = Service(load(path))
    service.take(parse(CONFIG.format(round=2), path))
    assert service.config.event.round == "2"


def test_what_waits_for_the_next_start_is_named(tmp_path: Path) -> None:
    path = tmp_path / "hall.yaml"
    now, later = CONFIG.format(round=1), CONFIG.format(round=1).replace('"2"', '"3"')
    served_now = parse(now, path)
    changed = parse(later + "log: {level: debug}\nports: [/dev/x*]\n", path)
    assert list(left(served_now, changed)) == [
        "table 3 is new",
        "table 2 is gone",
        "'ports' is changed",
        "'log' is changed",
    ]
    assert list(left(served_now, served_now)) == []
    kept = taken(served_now, changed)
    assert [table.table for table in kept.tables] == ["1", "2"]
    assert kept.log == served_now.log


def test_groups_that_come_apart_have_cloud_files_from_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "hall.yaml"
    now, later = (
        parse(CONFIG.format(round=1) + f"groups: [{{group: A{own}}}]\ncloud: {{folder: x}}\n", path)
        for own in ("", ", round: 2")
    )
    assert list(left(now, later)) == ["which groups have cloud files of their own"]


def test_a_missing_port_is_journaled_once_a_run(tmp_path: Path) -> None:
    service = served(tmp_path, until=links_are_known)
    link = service.overview.tables["2"].link
    assert link is not None
    assert (link.state, "there is no such port" in link.detail) == ("lost", True)
    assert [table for table, _ in payloads(tmp_path, LinkChange)] in (["1", "2"], ["2", "1"])
    assert service.troubles() == []
    assert service.journal_note is None


def test_what_is_wrong_with_the_journal_is_known(tmp_path: Path) -> None:
    """Another program holds the file for longer than SQLite waits for it."""
    served(tmp_path, until=links_are_known)
    troubles: list[str] = []
    with contextlib.closing(
        sqlite3.connect(tmp_path / "data" / "journal.sqlite3", isolation_level=None)
    ) as other:
        other.execute("BEGIN IMMEDIATE")

        def troubled(service: Service) -> bool:
            if found := service.troubles():
                troubles.extend(found)
                other.execute("ROLLBACK")
            return bool(troubles)

        service = served(tmp_path, round_=2, until=troubled)
    assert "another program holds the file: close it" in troubles[0]
    assert service.troubles() == []
    assert len(payloads(tmp_path, TableSetup)) == 4, "it was written in the end"


def test_a_foreign_file_is_set_aside_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "journal.sqlite3").write_text("no journal at all\n" * 100)
    service = served(tmp_path, until=links_are_known)
    assert service.journal_note is not None
    assert [path.read_text() for path in tmp_path.glob("data/*damaged*")] != []
    assert len(payloads(tmp_path, TableSetup)) == 2


def damaged(path: Path) -> int:
    """Destroy a page in the middle of a journal on which readings stand; return their number."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (before,) = connection.execute("SELECT count(*) FROM readings").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    leaves = [n for n in range(0, len(content), 4096) if n and content[n] == 13]
    middle = leaves[len(leaves) // 2]
    content[middle : middle + 4096] = bytes(4096)
    path.write_bytes(content)
    return int(before)


def test_after_a_damaged_page_the_hall_goes_on_and_says_what_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "data" / "journal.sqlite3"
    path.parent.mkdir()
    with Journal.open(path) as journal:
        for seq in range(1, 401):
            change = LinkChange(state="lost" if seq % 2 else "live", detail=f"{seq}")
            journal.submit([reading_of(seq, change)], lambda: None)
    before = damaged(path)
    service = served(tmp_path, until=links_are_known)
    assert service.journal_note is not None
    assert " are lost, of table 1 (" in service.journal_note
    assert service.troubles() == [service.journal_note], "until somebody has looked"
    found = [reading.seq for _, reading in read_journal(path) if reading.link == "table 1"]
    assert found == sorted(set(found))
    assert before - 60 < len(found)
    assert found[-1] > before
    assert served(tmp_path, until=links_are_known).troubles() == []


def test_a_reading_that_is_damaged_keeps_nobody_from_being_followed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    served(tmp_path, until=links_are_known)
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "journal.sqlite3")) as other:
        other.execute("UPDATE readings SET payload = '{' WHERE position = 1")
        other.commit()
    service = served(tmp_path, until=links_are_known)
    assert service.overview.tables["2"].link is not None
    assert re.search(r"position 1 .*; it is passed over", caplog.text)


def test_a_journal_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(JournalError, match="cannot be used"):
        served(tmp_path, until=links_are_known)


def test_operators_are_not_shown_arbiters_alerts_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    log, told = RecentLog(), {"table": "1", "game": 1, "at": 1.0, "wall": 1.0, "evidence": (1, 1)}
    logging.getLogger().addHandler(log)
    try:
        for code, visibility in (("KING_LEFT_IN_CHECK", "A"), ("BOARD_DISCONNECTED", "O")):
            fields = {"code": code, "severity": "critical", "text": "x", "visibility": visibility}
            log_lines.log(msgspec.convert({**told, **fields}, AlertRaised))
            log_lines.log(msgspec.convert({**told, "code": code, "text": "x"}, AlertCleared))
    finally:
        logging.getLogger().removeHandler(log)
    assert len(log.lines("arbiter")) == 4
    assert [line.text for line in log.lines("operator")] == [
        "table 1: BOARD_DISCONNECTED: x",
        "table 1: BOARD_DISCONNECTED is over: x",
    ]
