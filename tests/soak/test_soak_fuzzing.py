"""Made-up bytes for everything that reads any, for a minute each."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzzing.all import targets
from tests.soak.conftest import Tell

SECONDS = 60
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", targets())
def test_fuzzing_finds_no_exception(name: str, tmp_path: Path, figure: Tell) -> None:
    pytest.importorskip("atheris", reason="there is no atheris for this machine")
    limits = (f"-max_total_time={SECONDS}", f"-artifact_prefix={tmp_path}/")
    ended = subprocess.run(
        [sys.executable, "-m", "tests.fuzzing", name, *limits],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-4000:]
    (count,) = re.findall(r"stat::number_of_executed_units: (\d+)", ended.stderr)
    figure(f"{name}: {int(count):,} inputs in {SECONDS} s")
