"""The log as lines of JSON."""

import json
import logging
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bridge.cli.logs import JsonLines, Lines
from bridge.config import load


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
