"""The unit of systemd: nothing to complain of, and little that it leaves open."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNIT = Path(__file__).resolve().parents[1] / "config" / "eboard-bridge.service"
PROGRAM = "/opt/eboard-bridge/bin/eboard-bridge"
EXPOSED_AT_MOST = 2.0
"""Of 10, as systemd 252 counts: without network and devices there would be no bridge."""


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program that exists."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed (Debian: apt-get install systemd)")
    text = UNIT.read_text("utf-8")
    assert PROGRAM in text
    copy = tmp_path / UNIT.name
    copy.write_text(text.replace(PROGRAM, sys.executable), "utf-8")
    return copy


def analyze(unit: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *command, f"./{unit.name}"],
        check=False,
        capture_output=True,
        text=True,
        cwd=unit.parent,
    )


def test_systemd_finds_nothing_wrong(unit: Path) -> None:
    verified = analyze(unit, "verify")
    # An unknown key is only told, and ends with 0.
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")


def test_a_mistake_would_be_found(unit: Path) -> None:
    unit.write_text(unit.read_text("utf-8").replace("[Service]", "[Service]\nRestrat=always"))
    assert "Restrat" in analyze(unit, "verify").stderr


def test_little_is_left_open(unit: Path) -> None:
    told = analyze(unit, "security", "--offline=true", "--no-pager").stdout
    found = re.search(r"Overall exposure level for eboard-bridge\.service: ([\d.]+)", told)
    assert found is not None, told
    assert float(found[1]) <= EXPOSED_AT_MOST
