"""``evidence``: one file with what is known of a table, and with no secret."""

import json
import os
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.config import load
from bridge.core.model import TableSetup
from bridge.store.journal import Journal
from tests.bridge.test_cli_export import BEGAN, game, readings

SECRET = "a1b2c3d4e5f6"  # noqa: S105 - of nobody
CONFIG = """\
web: {public: false}
webhooks: [{name: club, url: "https://example.org/hidden-path", secret_file: hook.secret}]
tables:
  - {table: "7", board: {driver: pegasus, port: "ble:PEGASUS", options: {key: "KEY"}}}
  - {table: "8", board: {driver: dgt_bus, port: /dev/rows, unit: "1"}}
"""


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    """Tables 7 and 8 have played; there are captures of both, and of others."""
    path = tmp_path / "hall.yaml"
    path.write_text(CONFIG.replace("KEY", SECRET))
    (tmp_path / "hook.secret").write_text("hidden words")
    config = load(path)
    with Journal.open(config.data.journal) as journal:
        for table in ("7", "8"):
            told = readings(table, list(game(TableSetup(white="Anna"), "e4 e5 Nf3")))
            journal.submit(told, lambda: None)
    config.data.capture_folder.mkdir()
    for link in ("7", "7 clock", "77", "8", "row /dev/rows"):
        quoted = link.replace(" ", "%20").replace("/", "%2F")
        file = config.data.capture_folder / f"{quoted}@20260921T141320Z.capture"
        file.write_text(f"# Board: {link}")
    return path


def bundle(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_all_of_a_table(hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "t7.zip"
    assert main(["evidence", str(hall), "7", "--out", str(out)]) == DONE
    found = bundle(out)
    assert {each["table"] for each in lines(found["readings.jsonl"])} == {"7"}
    assert [each["seq"] for each in lines(found["readings.jsonl"])] == [1, 2, 3, 4, 5]
    kinds = [each["fact"] for each in lines(found["facts.jsonl"])]
    assert "GameStarted" in kinds
    captures = {name for name in found if name.startswith("captures/")}
    assert {found[name] for name in captures} == {"# Board: 7", "# Board: 7 clock"}
    about = json.loads(found["about.json"])
    assert about["settings"]["board"] == {
        "driver": "pegasus",
        "port": "ble:PEGASUS",
        "options": ["key"],
    }
    assert about["versions"]["chess"]
    assert out.stat().st_mode & 0o777 == 0o600
    assert "5 readings" in capsys.readouterr().out


def test_no_secret_is_in_it(hall: Path, tmp_path: Path) -> None:
    out = tmp_path / "t7.zip"
    main(["evidence", str(hall), "7", "--out", str(out)])
    everything = "".join(bundle(out).values())
    assert [word for word in (SECRET, "hidden") if word in everything] == []


def test_a_time_of_it(hall: Path, tmp_path: Path) -> None:
    out = tmp_path / "t8.zip"
    start, end = (datetime.fromtimestamp(BEGAN + at, UTC).isoformat() for at in (15, 20))
    chosen = ["--from", start, "--to", end, "--out", str(out)]
    assert main(["evidence", str(hall), "8", *chosen]) == DONE
    found = bundle(out)
    assert [each["seq"] for each in lines(found["readings.jsonl"])] == [3, 4]
    assert "GameStarted" not in found["facts.jsonl"]
    captures = {text for name, text in found.items() if name.startswith("captures/")}
    assert captures == {"# Board: 8", "# Board: row /dev/rows"}


def test_captures_of_before_are_left_out(hall: Path, tmp_path: Path) -> None:
    for file in load(hall).data.capture_folder.iterdir():
        os.utime(file, (BEGAN, BEGAN))
    out = tmp_path / "t7.zip"
    start = datetime.fromtimestamp(BEGAN + 10, UTC).isoformat()
    assert main(["evidence", str(hall), "7", "--from", start, "--out", str(out)]) == DONE
    assert not any(name.startswith("captures/") for name in bundle(out))


def test_a_time_of_nothing(hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "t7.zip"
    assert main(["evidence", str(hall), "7", "--to", "1999-01-01", "--out", str(out)]) == NO
    assert not out.exists()
    assert "no reading of that time" in capsys.readouterr().err


def test_what_cannot_be_done_is_said(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evidence", str(hall), "9", "--out", str(tmp_path / "x.zip")]) == CANNOT
    assert "there is no table 9; tables: 7, 8" in capsys.readouterr().err
    assert main(["evidence", str(hall), "7", "--out", str(hall)]) == CANNOT
    assert f"{hall} is there already; name another file" in capsys.readouterr().err
    assert SECRET in hall.read_text()
    assert main(["evidence", str(hall), "7", "--out", "/nowhere/x.zip"]) == CANNOT
    assert "/nowhere/x.zip cannot be written: No such file" in capsys.readouterr().err
    assert main(["evidence", str(hall), "7", "--from", "noon", "--out", "x.zip"]) == CANNOT
    assert "'noon' is no time like 2026-11-20T14:30" in capsys.readouterr().err
    hall.write_text("data: {folder: new}\ntables: [{table: '7', board: {port: /dev/x}}]")
    assert main(["evidence", str(hall), "7", "--out", str(tmp_path / "x.zip")]) == CANNOT
    assert "journal.sqlite3: there is none yet; nothing was recorded" in capsys.readouterr().err


def test_a_table_that_is_configured_no_longer(hall: Path, tmp_path: Path) -> None:
    hall.write_text("tables: [{table: other, board: {port: /dev/x}}]")
    out = tmp_path / "t7.zip"
    assert main(["evidence", str(hall), "7", "--out", str(out)]) == DONE
    assert json.loads(bundle(out)["about.json"])["settings"] is None
