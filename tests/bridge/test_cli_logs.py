"""The log as lines of JSON."""

import asyncio
import contextlib
import fcntl
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bridge.cli.logs import MOST_WAITING, Beside, JsonLines, Lines
from bridge.config import load
from tests.halls import (
    Seat,
    at,
    eventually,
    moves_differ,
    seated,
    verdict,
    write_config,
    written_moves,
)


def line_of(message: str, *args: object, error: Exception | None = None) -> dict[str, Any]:
    raised = None if error is None else (type(error), error, None)
    record = logging.LogRecord("bridge.here", logging.WARNING, "a.py", 1, message, args, raised)
    record.created = 1_000_000_000.25
    text = JsonLines().format(record)
    assert "\n" not in text
    said: dict[str, Any] = json.loads(text)
    return said


def test_a_line_is_one_object() -> None:
    assert line_of("the %s\nis full", "disk") == {
        "time": "2001-09-09T01:46:40.250+00:00",
        "level": "warning",
        "logger": "bridge.here",
        "message": "the disk\nis full",
    }


def test_what_is_about_a_table_says_so() -> None:
    assert line_of("table %s: game %d begins", "B 7", 2)["table"] == "B 7"
    assert "table" not in line_of("no table 7: none")


def test_a_mistake_brings_its_traceback() -> None:
    assert line_of("oh", error=ValueError("no"))["traceback"].endswith("ValueError: no")


def test_what_others_say_cannot_look_like_a_line_of_ours() -> None:
    said = "no\r\x1b[2J\n2026-11-22 10:00:00,000 INFO table 7: \u202eall is well\u2028\x85."
    record = logging.LogRecord("a", logging.WARNING, "a.py", 1, "the clock: %s", (said,), None)
    first, second = Lines().format(record).split("\n")
    assert first.endswith(r"WARNING the clock: no\r\x1b[2J")
    assert second == r"    2026-11-22 10:00:00,000 INFO table 7: \u202eall is well\u2028\x85."


@contextlib.contextmanager
def log_into_a_pipe() -> Iterator[tuple[logging.Logger, Beside, int]]:
    """A log, its handler, and the end of the pipe that nobody reads yet."""
    out, into = os.pipe()
    handler = Beside(into)
    handler.setFormatter(JsonLines())
    log = logging.getLogger("bridge.here")
    log.addHandler(handler)
    log.propagate = False
    yield log, handler, out
    log.propagate = True
    log.removeHandler(handler)
    handler.close()
    os.close(into)
    os.close(out)


def test_a_log_that_nobody_reads_stops_nobody_and_says_what_it_lacks() -> None:
    with log_into_a_pipe() as (log, _, out):
        for number in range(2 * MOST_WAITING):
            log.warning("line %d", number)
        with os.fdopen(os.dup(out), encoding="utf-8") as lines:
            said = [json.loads(lines.readline())["message"] for _ in range(MOST_WAITING // 2)]
            log.warning("the last one")
            while said[-1] != "the last one":
                said.append(json.loads(lines.readline())["message"])
    *taken, note, _ = said
    assert taken == [f"line {number}" for number in range(len(taken))]
    assert len(taken) >= MOST_WAITING
    assert note == f"{2 * MOST_WAITING - len(taken)} lines are left out here: nobody took them"


def test_what_waits_at_the_end_is_written() -> None:
    with log_into_a_pipe() as (log, handler, out):
        for number in range(100):
            log.warning("line %d", number)
        handler.close()
        assert os.read(out, 1 << 20).count(b"\n") == 100


def test_a_message_that_cannot_be_made_stops_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    with log_into_a_pipe() as (log, handler, out):
        log.warning("%d", "no number")
        log.warning("the next one")
        handler.close()
        assert b"the next one" in os.read(out, 1 << 20)
    assert "no number" in capsys.readouterr().err


def test_a_daemon_goes_on_whose_log_nobody_reads(tmp_path: Path) -> None:
    async def play() -> Seat:
        seat = Seat(tmp_path / "usb-board", pace=0.1)
        config = write_config(tmp_path, [at(seat.port.path)], "log: {level: debug}")
        command = [sys.executable, "-m", "bridge", "run", str(config)]
        async with seated([seat]):
            daemon = await asyncio.create_subprocess_exec(*command, stderr=into)
            try:
                await eventually(lambda: captured(tmp_path), "the board")
                await asyncio.sleep(1.0)
                await seat.plays()
                whole = len(seat.moves)
                await eventually(lambda: len(written_moves(tmp_path)) == whole, "the whole game")
            except BaseException:
                daemon.kill()
                raise
            daemon.terminate()
            assert await daemon.wait() == 0
        return seat

    out, into = os.pipe()
    fcntl.fcntl(into, fcntl.F_SETPIPE_SZ, 4096)
    assert moves_differ(verdict(tmp_path, asyncio.run(play()))) == []
    os.close(into)
    os.close(out)


def captured(folder: Path) -> bool:
    """Whether the board has told what stands on it."""
    return any(b"< " in path.read_bytes() for path in folder.glob("data/captures/*"))


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_daemon_writes_it_where_it_is_wanted(tmp_path: Path, by_hand: bool) -> None:
    config = tmp_path / "hall.yaml"
    text = "tables: [{table: 1, board: {port: /dev/absent}}]\n"
    config.write_text(text if by_hand else f"{text}log: {{format: json}}\n")
    command = [sys.executable, "-m", "bridge", "run", str(config)]
    command += ["--log-format", "json"] if by_hand else []
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as daemon:
        assert daemon.stderr is not None
        said = json.loads(daemon.stderr.readline())
        daemon.terminate()
        assert all(map(json.loads, daemon.stderr))
    assert (said["level"], said["table"]) == ("warning", "1")
    assert "there is no such port" in said["message"]
    assert datetime.fromisoformat(said["time"]).tzinfo is not None
    assert load(config).log.format == ("text" if by_hand else "json")
