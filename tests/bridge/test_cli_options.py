"""Options of boards on the command line."""

from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, CannotError
from bridge.cli.options import options_of
from bridge.config import parse
from bridge.daemon.lines import options_by_driver
from drivers.capture import parse as parse_capture
from drivers.errors import UnknownDriverError

KEY = "01 02 03 04 05 06"
SENT = bytes.fromhex("63 07 01 02 03 04 05 06 00")


def test_an_option_names_its_driver_where_the_command_does_not() -> None:
    assert options_of([]) == {}
    assert options_of([f"pegasus.key={KEY}"]) == {"pegasus": {"key": KEY}}
    assert options_of([f"key={KEY}"], "pegasus") == {"pegasus": {"key": KEY}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("key=1", "--option key: write it as DRIVER.NAME=VALUE"),
        ("pegasus.key", "--option pegasus.key: write it as DRIVER.NAME=VALUE"),
        ("pegasus.speed=1", "driver pegasus has no option 'speed'; it has only key"),
        ("dgt.speed=1", "driver dgt has no option 'speed'; it has none"),
        ("pegasus.key=secret", "pegasus: the key must be six bytes in hexadecimal"),
    ],
)
def test_what_is_wrong_is_told_and_no_value_shown(text: str, said: str) -> None:
    with pytest.raises(CannotError) as caught:
        options_of([text])
    assert str(caught.value) == said


def test_an_unknown_driver_is_told() -> None:
    with pytest.raises(UnknownDriverError, match="pegasus"):
        options_of(["pegasos.key=1"])


def test_a_recording_with_a_key_does_not_show_it(tmp_path: Path) -> None:
    wanted = ["--driver", "pegasus", "--option", f"key={KEY}", "--seconds", "2"]
    assert main(["record", "simulated:pegasus", "--folder", str(tmp_path), *wanted]) == DONE
    (file,) = tmp_path.glob("*.capture")
    capture = parse_capture(file.read_text(encoding="utf-8"), name=file.name)
    sent = [record.data for record in capture.records if record.direction == ">"]
    assert SENT[:2] + bytes(7) in sent
    assert SENT not in sent


def test_boards_are_discovered_with_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["discover", "simulated:pegasus", "--option", f"pegasus.key={KEY}"]) == DONE
    assert "pegasus" in capsys.readouterr().out
    assert main(["discover", "simulated:pegasus", "--option", "pegasus.key=1"]) == CANNOT


def test_tables_are_looked_for_with_the_options_of_the_first_that_has_any() -> None:
    text = (
        "tables:\n"
        "  - {table: 1, board: {driver: pegasus, port: 'ble:A'}}\n"
        f"  - {{table: 2, board: {{driver: pegasus, port: 'ble:B', options: {{key: {KEY}}}}}}}\n"
        "  - table: 3\n"
        "    board: {driver: pegasus, port: 'ble:C', options: {key: 09 09 09 09 09 09}}\n"
    )
    assert options_by_driver(parse(text, Path("/hall.yaml"))) == {"pegasus": {"key": KEY}}
