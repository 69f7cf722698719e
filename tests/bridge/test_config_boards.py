"""Where boards are and what only their drivers know, as a configuration says it."""

import sys
from pathlib import Path

import pytest

from bridge.cli import main
from bridge.config import ConfigError, parse
from bridge.config.boards import BoardSettings

FILE = Path("/event/hall.yaml")
SECRET = "2f2e4b"  # noqa: S105 - invented
UNDER_OPTIONS = "write under 'options' the key of the board"
DRIVER = """\
from dataclasses import replace

from drivers.boards.dgt import Dgt
from drivers.codec import Option


class Locked(Dgt):
    def __init__(self, key, side=""):
        super().__init__()

    info = replace(
        Dgt.info,
        name="locked",
        options=(
            Option(name="key", about="the key of the board", required=True, secret=True),
            Option(name="side", about="the side of the cable"),
        ),
    )
"""


@pytest.fixture(autouse=True)
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver with options is installed."""
    from bridge.config import devices

    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "locked_board.py").write_text(DRIVER)
    installed = tmp_path / "locked_board-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: locked\nVersion: 1.0\n")
    entry = "[eboard_bridge.drivers]\nlocked = locked_board:Locked\n"
    (installed / "entry_points.txt").write_text(entry)
    monkeypatch.delitem(sys.modules, "locked_board", raising=False)
    devices._driver.cache_clear()
    devices.info_of.cache_clear()


def board(text: str) -> BoardSettings:
    return parse(f"tables: [{{table: 1, board: {{{text}}}}}]", FILE).tables[0].board


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        board(text)
    return [str(problem).removeprefix(str(FILE)) for problem in caught.value.problems]


def test_options_are_read_as_text() -> None:
    settings = board(f"driver: locked, options: {{key: {SECRET}, side: 010}}")
    assert settings.options == {"key": SECRET, "side": "010"}


def test_no_option_is_needed_where_the_driver_has_none() -> None:
    assert board("driver: dgt").options == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "driver: locked, options: {kye: a, key: b}",
            ":1:55: driver locked has no option 'kye'; did you mean 'key'?",
        ),
        (
            "driver: locked, options: {zzz: a, key: b}",
            ":1:55: driver locked has no option 'zzz'; known options: key, side",
        ),
        (
            "driver: dgt, options: {key: a}",
            ":1:52: driver dgt has no option 'key'; delete it: there are none",
        ),
        (
            "driver: locked",
            f":1:37: driver locked needs the option 'key'; {UNDER_OPTIONS}",
        ),
        (
            "driver: locked, options: {side: left}",
            f":1:54: driver locked needs the option 'key'; {UNDER_OPTIONS}",
        ),
        (
            "address: simulated:dgt",
            ":1:29: unknown key 'address' in 'board'; did you mean 'port'?",
        ),
        (
            "port: simulated:dtg",
            ":1:35: there is no simulated board 'dtg'; did you mean 'dgt'?",
        ),
        (
            "driver: locked, port: simulated:dgt, options: {key: a}",
            ":1:51: a simulated board 'dgt' does not speak like driver locked; write 'driver: dgt'",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_remedy(text: str, problem: str) -> None:
    assert problems(text) == [problem]


def test_far_from_any_simulated_board() -> None:
    (problem,) = problems("port: simulated:zzzz")
    assert "there is no simulated board 'zzzz'; there are: " in problem


@pytest.mark.parametrize(
    "text",
    [
        "driver: lokced, options: {key: a}",
        "driver: locked, options: [a]",
        "driver: locked, options: {key: [a]}",
    ],
)
def test_only_the_first_cause_is_told(text: str) -> None:
    assert len(problems(text)) == 1


@pytest.mark.parametrize(
    ("driver", "port"),
    [
        ("chessnut", "usb:2d80:8003/1-4"),
        ("squareoff", "ble:DGT_PEGASUS_1"),
        ("dgt", "simulated:dgt"),
        ("dgt", "simulated:dgt/12"),
        ("millennium", "tcp:hall:5000"),
    ],
)
def test_a_port_may_be_of_any_transport(driver: str, port: str) -> None:
    assert board(f'driver: {driver}, port: "{port}"').port == port


@pytest.mark.parametrize(
    ("driver", "port", "what"),
    [
        ("dgt", "ble:DGT_1", "driver dgt has no Bluetooth LE"),
        ("millennium", "usb:1-1.4", "driver millennium has no USB of its own"),
        ("squareoff", "/dev/ttyACM0", "driver squareoff has no serial line"),
    ],
)
def test_a_port_at_which_no_such_board_can_be_is_refused(driver: str, port: str, what: str) -> None:
    (problem,) = problems(f'driver: {driver}, port: "{port}"')
    assert problem.endswith(
        f": {what}; write another port, or another driver; 'eboard-bridge discover' shows both"
    )


def test_a_secret_is_never_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert SECRET not in repr(board(f"driver: locked, options: {{key: {SECRET}}}"))
    path = tmp_path / "hall.yaml"
    path.write_text(
        f"tables: [{{table: 1, board: {{driver: locked, options: {{key: {SECRET}}}}}}}]"
    )
    assert main(["check-config", str(path)]) == 0
    assert SECRET not in capsys.readouterr().out


def test_a_value_that_cannot_be_is_told_and_not_shown() -> None:
    (problem,) = problems("driver: pegasus, port: 'ble:x', options: {key: 0102}")
    assert problem.endswith(
        ": pegasus: the key must be six bytes in hexadecimal; write under 'key' the developer key "
        "that DGT gave you: six bytes in hexadecimal"
    )
    assert "0102" not in problem


def test_two_tables_may_each_take_any_board_of_their_own_driver() -> None:
    text = "tables: [{table: 1}, {table: 2, board: {driver: locked, options: {key: a}}}]"
    assert len(parse(text, FILE).tables) == 2
