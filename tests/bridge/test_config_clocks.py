"""The clock of a table: the board's, none, or one that has a link of its own."""

from pathlib import Path

import pytest

from bridge.config import ClockSettings, Config, ConfigError, load

GATEWAY = "{driver: dgt3000_gateway, port: 'ble:DGT3000-Gateway'}"


def config(tmp_path: Path, *tables: str) -> Config:
    path = tmp_path / "hall.yaml"
    rows = [f"  - {{table: '{n}', {keys}}}" for n, keys in enumerate(tables, start=1)]
    path.write_text("\n".join(["tables:", *rows]), encoding="utf-8")
    return load(path)


def problems(tmp_path: Path, *tables: str) -> str:
    with pytest.raises(ConfigError) as caught:
        config(tmp_path, *tables)
    return str(caught.value)


@pytest.mark.parametrize(
    ("keys", "has_clock"), [("clock: true", True), ("clock: false", False), ("number: 1", True)]
)
def test_the_clock_of_the_board_is_there_or_not(tmp_path: Path, keys: str, has_clock: bool) -> None:
    found = config(tmp_path, keys)
    assert found.tables[0].own_clock is None
    assert found.setup(found.tables[0]).has_clock is has_clock


def test_a_clock_may_have_a_link_of_its_own(tmp_path: Path) -> None:
    found = config(
        tmp_path, f"board: {{driver: squareoff, port: 'ble:Squareoff'}}, clock: {GATEWAY}"
    )
    assert found.tables[0].own_clock == ClockSettings(
        driver="dgt3000_gateway", port="ble:DGT3000-Gateway"
    )
    assert found.setup(found.tables[0]).has_clock


PROBLEMS = {
    "clock: sometimes": "'clock' is 'sometimes'; write true or false",
    "clock: {driver: dgt3000_gateway}": "port",
    "clock: {port: 'ble:A'}": "driver",
    "clock: {driver: dgt3000_gateway, port: auto}": "'port' is 'auto'",
    "clock: {driver: dgt3000, port: 'ble:A'}": "did you mean 'dgt3000_gateway'?",
    "clock: {driver: squareoff, port: 'ble:A'}": "driver squareoff reads no clock",
    "clock: {driver: dgt_bus, port: '/dev/row'}": "driver dgt_bus reads no clock",
    "clock: {driver: dgt3000_gateway, port: 'ble:A', options: {speed: '2'}}": "no option 'speed'",
    "clock: {driver: dgt3000_gateway, port: 'ble:A', options: [a]}": "'options' is a list",
    "board: {driver: dgt3000_gateway, port: 'ble:A'}": "reads a clock and no board",
}


@pytest.mark.parametrize(("keys", "said"), PROBLEMS.items())
def test_what_is_wrong_is_told(tmp_path: Path, keys: str, said: str) -> None:
    assert said in problems(tmp_path, keys)


def test_no_port_is_a_boards_and_a_clocks_or_two_clocks(tmp_path: Path) -> None:
    board = "board: {driver: squareoff, port: 'ble:DGT3000-Gateway'}"
    assert "ble:DGT3000-Gateway" in problems(tmp_path, f"{board}, clock: {GATEWAY}")
    one, two = (f"board: {{port: /dev/{n}}}, clock: {GATEWAY}" for n in (1, 2))
    assert "ble:DGT3000-Gateway" in problems(tmp_path, one, two)
