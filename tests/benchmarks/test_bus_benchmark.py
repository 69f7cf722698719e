"""The benchmark of rows runs, and measures what it says it measures."""

import re

import pytest

from benchmarks.bus import main, measure, percentile


def test_a_percentile_is_a_sample() -> None:
    samples = [float(number) for number in range(1, 101)]
    assert [percentile(samples, part) for part in (1, 50, 95, 100)] == [1.0, 50.0, 95.0, 100.0]
    assert percentile([7.0], 50) == 7.0
    with pytest.raises(ValueError, match="measured nothing"):
        percentile([], 50)


@pytest.mark.usefixtures("unmeasured")
def test_rounds_take_as_long_as_the_bytes_on_the_wire() -> None:
    """A request and an empty answer are 10.4 ms at 9600 baud; a board thinks for 1 to 5 ms."""
    report = measure(boards=20, seconds=10.0)
    idle, blitz, dead, damaged = ([float(cell[:-2]) for cell in row[2:5]] for row in report.rows)
    assert 20 * 0.0114 < idle[0] < 20 * 0.0165
    assert idle[0] < blitz[0] < damaged[1]
    assert max(idle[2], blitz[2], damaged[2]) < 3.0
    assert dead[0] < 1.0
    fast = measure(boards=20, seconds=5.0, baud=115200)
    assert float(fast.rows[0][2][:-2]) < idle[0]


def test_it_runs_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--boards", "2", "--seconds", "3"]) == 0
    assert re.search(r"^all play blitz +\d+ +0\.\d\d s", capsys.readouterr().out, re.MULTILINE)
