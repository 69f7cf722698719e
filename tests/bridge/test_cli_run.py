"""``run`` as people call it, and the live table they look at."""

import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE
from bridge.cli.live import Display, clock_text, live_table, troubles
from bridge.core.model import (
    AlertRaised,
    ClockUpdated,
    Fact,
    GameEnded,
    GameStarted,
    LinkChanged,
    MoveProvisional,
    MoveSettled,
    StateExplained,
    TableSetup,
)
from bridge.outputs.overview import Overview, TableView
from bridge.store.rows import read_journal
from tests.halls import write_config

CONFIG = "tables: [{table: 1, board: {port: /dev/absent}, white: 'Kramer, Anna'}]\n"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return write_config(tmp_path, ["port: /dev/absent"])


# --- the command ----------------------------------------------------------------------------------


def test_a_wrong_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hall.yaml"
    path.write_text(CONFIG + "colour: red\n")
    assert main(["run", str(path)]) == CANNOT
    assert f"{path}:2:1: unknown key 'colour'" in capsys.readouterr().err


def test_a_journal_that_another_one_writes(config: Path) -> None:
    command = [sys.executable, "-m", "bridge", "run", str(config)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as first:
        assert first.stderr is not None
        assert "there is no such port" in first.stderr.readline()
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        first.send_signal(signal.SIGTERM)
        assert first.wait(timeout=20) == DONE
    assert second.returncode == CANNOT
    assert f"in use by another eboard-bridge (process {first.pid})" in second.stderr
    assert second.stderr.count("\n") == 1


def until_said(process: "subprocess.Popen[str]", words: str) -> str:
    """Return the line of the log that has *words*."""
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return line
    raise AssertionError(f"{words!r} was never said")


def test_a_signal_has_the_configuration_and_its_pairings_read_again(tmp_path: Path) -> None:
    config, pairings = tmp_path / "hall.yaml", tmp_path / "round.csv"
    config.write_text(
        "event: {pairings: round.csv}\n" + CONFIG.replace(", white: 'Kramer, Anna'", "")
    )
    pairings.write_text("white;black\nKramr, Anna;Okafor\n", encoding="utf-8")
    command = [sys.executable, "-m", "bridge", "run", str(config)]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    ) as process:
        until_said(process, "there is no such port")
        pairings.write_text("white;blck\nKramer, Anna;Okafor\n", encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        said = until_said(process, "nothing is changed: ")
        assert f"{pairings}:1: there is no column 'black'" in said
        pairings.write_text("white;black;points\nKramer, Anna;Okafor\n", encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        until_said(process, f"{pairings}:1:3: column 'points' is passed over")
        until_said(process, "the configuration is taken: 1 tables change")
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        process.stderr.read()
        assert process.wait(timeout=20) == DONE
    readings = read_journal(tmp_path / "data" / "journal.sqlite3", None, 0)
    setups = [each.payload for _, each in readings if isinstance(each.payload, TableSetup)]
    assert [(setup.white, setup.black, setup.board) for setup in setups] == [
        ("Kramr, Anna", "Okafor", 1),
        ("Kramer, Anna", "Okafor", 1),
    ]


def test_a_terminal_that_is_closed_ends_the_program(config: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bridge", "run", str(config)]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdin=theirs, text=True, start_new_session=True
    ) as process:
        os.close(theirs)
        until_said(process, "there is no such port")
        process.send_signal(signal.SIGHUP)
        until_said(process, "the configuration is taken: 0 tables change")
        os.close(ours)
        process.send_signal(signal.SIGHUP)
        assert process.stderr is not None
        process.stderr.read()
        assert process.wait(timeout=20) == -signal.SIGHUP


def test_what_was_set_aside_is_said_at_the_end(config: Path) -> None:
    (config.parent / "data").mkdir()
    (config.parent / "data" / "journal.sqlite3").write_text("no journal at all\n" * 100)
    command = [sys.executable, "-m", "bridge", "run", str(config)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = [process.stderr.readline(), process.stderr.readline()]
        assert any("there is no such port" in line for line in lines)
        process.send_signal(signal.SIGINT)
        *_, last = process.stderr.read().splitlines()
        assert process.wait(timeout=20) == DONE
    assert "could not be used: file is not a database" in last
    assert ".damaged-" in last


def test_the_live_table_on_a_terminal(config: Path) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "bridge", "run", "--live", str(config)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(command, stdout=slave, stderr=slave, env=environment) as process:
        os.close(slave)
        shown = _read(master, until="there is no such port; plug the board in")
        process.send_signal(signal.SIGINT)
        shown += _read(master, until=None)
        assert process.wait(timeout=20) == DONE
    os.close(master)
    for text in ("Last move", "lost", "1: lost: /dev/absent: there is no such port"):
        assert text in shown
    assert "Traceback" not in shown
    assert "\x1b[?25h" in shown, "the cursor is back"


def _read(master: int, *, until: str | None) -> str:
    """Read from a terminal until it shows a text, or has ended."""
    shown = b""
    deadline = time.monotonic() + 30
    while until is None or until.encode() not in shown:
        assert time.monotonic() < deadline, shown
        if not select.select([master], [], [], 1.0)[0]:
            continue
        try:
            shown += os.read(master, 65536)
        except OSError:
            break
    return shown.decode()


# --- the live table -------------------------------------------------------------------------------


def fact(kind: type[Any], table: str, **fields: object) -> Fact:
    made: Fact = kind(table=table, game=1, at=1.0, wall=2.0, evidence=(1, 2), **fields)
    return made


def hall() -> Overview:
    """Two tables in play and one where nothing is known, with long names and much going on."""
    overview = Overview(map(TableView, ("1", "Table of honour", "3")))
    setups = {
        "1": TableSetup(white="Kramer, Anna", black="Duke of Brunswick:Count Isouard"),
        "Table of honour": TableSetup(white="[bold]Okafor, Ben", black="Li, Xi"),
    }
    for table, setup in setups.items():
        overview.apply(fact(GameStarted, table, setup=setup, fen="", rotated=False))
        for ply, san in enumerate(["e4", "e5", "Nf3", "Nc6"], start=1):
            fen = f"8/8/8/8/8/8/8/8 {'b' if ply % 2 else 'w'} - - 0 {ply // 2 + 1}"
            move = {"ply": ply, "uci": "", "san": san, "fen": fen, "basis": "press"}
            overview.apply(fact(MoveSettled, table, colour="white", **move))
    for one in (
        fact(LinkChanged, "1", state="live"),
        fact(ClockUpdated, "1", white_ms=5_405_000, black_ms=59_000, running=True, turn="white"),
        fact(MoveProvisional, "1", ply=5, uci="f1b5", san="Bb5"),
        fact(
            AlertRaised,
            "1",
            code="KING_LEFT_IN_CHECK",
            severity="critical",
            text="Black left the king in check",
            remedy="restore the position",
        ),
        fact(LinkChanged, "Table of honour", state="lost", detail="there is no such port"),
        fact(
            AlertRaised,
            "Table of honour",
            code="BOARD_DISCONNECTED",
            severity="warning",
            text="the link to the board is lost: an older reason",
        ),
        fact(GameEnded, "Table of honour", result="1/2-1/2", by="kings"),
    ):
        overview.apply(one)
    return overview


def drawn(overview: Overview, width: int) -> list[str]:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(live_table(overview, title="hall.yaml"))
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_eighty_columns_are_enough() -> None:
    title, head, _, first, second, third = drawn(hall(), 80)
    assert title == "hall.yaml"
    assert head.split() == ["Board", "White", "Clock", "Black", "Clock", "Last", "move", "Link"]
    assert first.split() == [
        *("1", "Kramer,", "A…", ">1:30:05", "Duke", "of", "B…", "0:59", "2...", "Nc6", "(Bb5)"),
        "live",
    ]
    assert second.startswith("Table of ho…  [bold]Oka…         -  Li, Xi")
    assert second.endswith("2... Nc6  1/2-1/2   lost")
    assert third.split() == ["3", "?", "-", "?", "-", "-", "-"]
    assert max(map(len, drawn(hall(), 80))) <= 80


def test_a_wider_terminal_shows_the_names_whole() -> None:
    *_, first, second, _ = drawn(hall(), 120)
    assert "Kramer, Anna" in first
    assert "Duke of Brunswick:Count" in first
    assert "[bold]Okafor, Ben" in second


def test_each_trouble_is_told_once_with_its_remedy() -> None:
    assert [text.plain for text in troubles(hall())] == [
        "1: Black left the king in check; restore the position",
        "Table of honour: lost: there is no such port",
    ]


@pytest.mark.parametrize(
    ("ms", "shown"),
    [(0, "0:00"), (999, "0:00"), (61_000, "1:01"), (3_600_000, "1:00:00"), (3_599_999, "59:59")],
)
def test_times_are_written_as_on_a_clock(ms: int, shown: str) -> None:
    assert clock_text(ms) == shown


def test_the_display_shows_what_is_wrong_with_the_hall() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=30)
    with Display(
        hall(), "hall.yaml", others=lambda: ["the disk is full: free some space"], console=console
    ) as display:
        display.show()
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "the disk is full: free some space" in shown
    assert "restore the position" in shown


def test_where_there_is_no_terminal_a_line_comes_now_and_then() -> None:
    console = Console(file=io.StringIO(), width=80)
    with Display(hall(), "hall.yaml", console=console) as display:
        display.show()
        display.show()
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == "1: 2... Nc6; Table of honour: 1/2-1/2; 3: waiting\n"


def test_what_a_table_waits_for_is_shown_until_its_game_begins() -> None:
    view = TableView("6")
    text = "waiting for the start position: e2 needs P"
    view.apply(StateExplained(table="6", game=0, at=3.0, wall=3.0, evidence=(1, 1), text=text))
    assert [line.plain for line in troubles(Overview([view]))] == [f"6: {text}"]
    setup = TableSetup()
    view.apply(
        GameStarted(
            table="6", game=1, at=4.0, wall=4.0, evidence=(1, 1), setup=setup, fen="", rotated=False
        )
    )
    assert troubles(Overview([view])) == []
