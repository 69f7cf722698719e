"""The benchmark of the hall's page runs from the command line, and sees every board."""

import shutil

import pytest

from benchmarks.page import main
from tests.pages import BUILT


def test_it_runs_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("chromium") is None or not (BUILT / "index.html").is_file():
        pytest.skip("no Chromium is installed, or the pages were not built")
    few = ["--boards", "2", "--plies", "6", "--seconds", "6", "--look", "1"]
    assert main(few) == 0
    said = capsys.readouterr().out
    assert "2 boards, 12 moves" in said
    assert "all in view" in said
