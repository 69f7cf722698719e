"""A day of play, with everything that goes wrong at a tournament."""

import pytest

from benchmarks.tournament.__main__ import main
from tests.soak.conftest import Tell

EIGHT_HOURS = [
    "--boards",
    "20",
    "--radio",
    "4",
    "--minutes",
    "480",
    "--rate",
    "8",
    "--every",
    "2400",
]
FULL_HALL = ["--boards", "500", "--minutes", "10"]


def play(options: list[str], figure: Tell, capfd: pytest.CaptureFixture[str]) -> None:
    result = main(options)
    said = capfd.readouterr().out
    for line in said.splitlines():
        figure(line)
    assert result == 0


def test_eight_hours_with_faults(figure: Tell, capfd: pytest.CaptureFixture[str]) -> None:
    play(EIGHT_HOURS, figure, capfd)


def test_a_full_hall_at_tournament_pace(figure: Tell, capfd: pytest.CaptureFixture[str]) -> None:
    play(FULL_HALL, figure, capfd)


def test_a_full_hall_at_blitz_pace(figure: Tell, capfd: pytest.CaptureFixture[str]) -> None:
    play([*FULL_HALL, "--pace", "blitz"], figure, capfd)
