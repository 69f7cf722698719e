"""Facts on standard output, from ``run`` and from ``replay``."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, UNREAD

SAMPLE = (Path(__file__).parents[2] / "docs" / "data-path.md").read_text(encoding="utf-8")
HALL = "{}tables: [{{table: '1', board: {{port: /dev/absent}}}}]\n"


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    found = re.search(r"^```capture\n(.*?)^```$", SAMPLE, re.MULTILINE | re.DOTALL)
    assert found is not None
    path = tmp_path / "e4.capture"
    path.write_text(found[1], encoding="utf-8")
    return path


def facts_in(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def kinds(facts: list[dict[str, Any]]) -> list[str]:
    return [fact["fact"] for fact in facts]


def test_replay_tells_the_public_of_play_alone(
    capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(capture), "--json"]) == DONE
    told = facts_in(capsys.readouterr().out)
    assert set(kinds(told)) == {"GameStarted", "ClockUpdated", "MoveSettled", "MoveTimed"}
    (move,) = (fact for fact in told if fact["fact"] == "MoveSettled")
    assert (move["san"], move["basis"]) == ("e4", "press")
    assert "because" not in move


def test_replay_tells_an_arbiter_everything(
    capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(capture), "--json", "--audience", "arbiter"]) == DONE
    told = facts_in(capsys.readouterr().out)
    assert {"BoardChanged", "LinkChanged", "MoveProvisional"} < set(kinds(told))
    (move,) = (fact for fact in told if fact["fact"] == "MoveSettled")
    assert move["because"]


def test_moves_and_facts_do_not_go_on_one_output(
    capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(capture), "--json", "--uci"]) == CANNOT
    assert "not allowed with" in capsys.readouterr().err


def test_a_reader_of_replay_that_goes_away(capture: Path) -> None:
    command = [sys.executable, "-m", "bridge", "replay", str(capture), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == UNREAD


def recorded(capture: Path, section: str = "") -> Path:
    """Return a configuration whose journal holds the capture."""
    (capture.parent / "data").mkdir()
    journal = capture.parent / "data" / "journal.sqlite3"
    assert main(["replay", str(capture), "--journal", str(journal)]) == DONE
    path = capture.with_name("hall.yaml")
    path.write_text(HALL.format(section), encoding="utf-8")
    return path


def test_run_begins_with_the_games_that_are_on_and_outlives_its_reader(capture: Path) -> None:
    command = [sys.executable, "-m", "bridge", "run", str(recorded(capture)), "--json"]
    with subprocess.Popen(
        [*command, "--audience", "operator"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        told: list[dict[str, Any]] = []
        while not told or told[-1]["fact"] != "MoveSettled":
            told.append(json.loads(process.stdout.readline()))
        assert kinds(told).count("GameStarted") == 1
        process.stdout.close()
        while "there is no such port" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
        assert process.wait(timeout=30) == DONE


def test_what_the_pgn_files_hold_back_is_held_back_here(capture: Path) -> None:
    config = recorded(capture, "pgn: {delay: {moves: 1}}\n")
    command = [sys.executable, "-m", "bridge", "run", str(config), "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        while "there is no such port" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == DONE
    assert kinds(facts_in(out)) == ["GameStarted"]
