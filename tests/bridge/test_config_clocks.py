"""The clock of a table: the board's, none, or one that has a link of its own."""

from pathlib import Path

import pytest

from bridge.config import ANY_PORT, ClockSettings, Config, ConfigError, load

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
    "clock: {driver: dgt3000_gateway, port: anywhere}": "'port' is 'anywhere'; write auto, /dev/",
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


def test_a_clock_may_be_looked_for(tmp_path: Path) -> None:
    found = config(tmp_path, "clock: {driver: dgt3000_gateway, port: auto}")
    clock = found.tables[0].own_clock
    assert clock is not None
    assert clock.port == ANY_PORT


def test_two_tables_may_not_take_each_others_clock(tmp_path: Path) -> None:
    keys = "board: {{driver: squareoff, port: 'ble:{}'}}, clock: {{driver: {}, port: auto}}"
    both = [keys.format(name, "dgt3000_gateway") for name in "AB"]
    assert "tables 1 and 2 would both take any clock" in problems(tmp_path, *both)
    assert "give each its clock's port" in problems(tmp_path, *both)
    config(tmp_path, both[0], keys.format("B", "dgt"))


def test_a_board_that_is_looked_for_may_not_be_taken_for_its_clock(tmp_path: Path) -> None:
    clock = "board: {driver: squareoff, port: 'ble:A'}, clock: {driver: dgt, port: auto}"
    assert "tables 1 and 2 would both take any" in problems(tmp_path, clock, "board: {driver: dgt}")
