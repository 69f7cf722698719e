"""Calibrations are kept in files, and configurations name them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.config import ConfigError, load
from bridge.config.calibration import CalibrationError, calibration_text, read_calibration
from drivers.events import PIECES
from drivers.simulated.certabo import men_of

EXAMPLE = Path(__file__).parents[2] / "config" / "men.json"


@given(
    st.dictionaries(
        st.text("0123456789abcdef", min_size=10, max_size=10), st.sampled_from(PIECES), min_size=1
    )
)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, letters: dict[str, str]
) -> None:
    path = tmp_path_factory.mktemp("men") / "men.json"
    path.write_text(calibration_text(letters), "utf-8")
    assert read_calibration(path) == letters


def test_the_example_is_the_set_of_a_simulated_board() -> None:
    letters = read_calibration(EXAMPLE)
    men = {tag.hex(): letter for letter, carried in men_of(1, "").items() for tag in carried}
    assert letters == men


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "this is no calibration"),
        (b"\xff", "this is no calibration"),
        (b"[]", "this is no calibration"),
        (b'{"P": 7}', "this is no calibration"),
        (b'{"X": []}', "'X' is no man"),
        (b'{"PN": []}', "'PN' is no man"),
        (b'{"P": ["01"], "N": ["01"]}', "tag 01 is that of two men"),
        (b"{}", "no man in it has a tag"),
    ],
)
def test_what_is_no_calibration_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "men.json"
    path.write_bytes(content)
    with pytest.raises(CalibrationError, match=said):
        read_calibration(path)


def configured(folder: Path, name: str) -> Path:
    path = folder / "hall.yaml"
    path.write_text(f"tables:\n  - table: 1\n    board: {{driver: certabo, calibration: {name}}}\n")
    return path


def test_a_board_has_the_men_of_its_calibration(tmp_path: Path) -> None:
    (tmp_path / "men.json").write_text('{"K": ["01"], "q": ["02", "03"]}')
    config = load(configured(tmp_path, "men.json"))
    setup = config.setup(config.tables[0])
    assert setup.tag_letters == {"01": "K", "02": "q", "03": "q"}


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "No such file or directory"), ("no", "this is no calibration")],
)
def test_a_calibration_that_cannot_be_read_is_a_problem_with_a_place(
    content: str | None, said: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "men.json").write_text(content)
    with pytest.raises(ConfigError) as refused:
        load(configured(tmp_path, "men.json"))
    (problem,) = refused.value.problems
    assert problem.line == 3
    assert said in problem.what
    assert "eboard-bridge calibrate" in problem.remedy


def test_a_list_is_no_name_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="write a file, relative to this one"):
        load(configured(tmp_path, "[1]"))
