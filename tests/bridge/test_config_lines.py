"""Tables whose boards share a line, in configurations."""

from pathlib import Path

import pytest

from bridge.config import ConfigError
from bridge.config.loading import parse

FILE = Path("hall.yaml")
BUS = "driver: dgt_bus, port: /dev/ttyUSB0"


def problems(*boards: str) -> list[str]:
    tables = "".join(
        f"- {{table: {number}, board: {{{board}}}}}\n" for number, board in enumerate(boards, 1)
    )
    try:
        parse(f"tables:\n{tables}", FILE)
    except ConfigError as error:
        return [str(problem).removeprefix(str(FILE)) for problem in error.problems]
    return []


def test_several_tables_may_name_one_line() -> None:
    boards = (f"{BUS}, unit: 1025", f"{BUS}, unit: 7")
    text = "\n".join(f"- {{table: {n}, board: {{{board}}}}}" for n, board in enumerate(boards))
    first, second = parse(f"tables:\n{text}\n", FILE).tables
    assert (first.board.unit, second.board.unit) == ("1025", "7")
    assert first.board.port == second.board.port
    assert first.board.shares_its_line


@pytest.mark.parametrize(
    ("board", "problem"),
    [
        (BUS, "boards of the driver dgt_bus share a line; write the board's 'unit'"),
        (
            "driver: dgt_bus, unit: 1025",
            "boards of the driver dgt_bus share a line; write its 'port'",
        ),
        (
            "driver: dgt_bus, port: auto, unit: 1025",
            "boards of the driver dgt_bus share a line; write its 'port'",
        ),
        (
            f"{BUS}, unit: 1025, serial: 01025",
            "boards of the driver dgt_bus share a line; write 'unit' instead of 'serial'",
        ),
        (
            f"{BUS}, unit: 01025",
            "'unit' is '01025'; a bus address is a number without zeros in front, such as 1025",
        ),
        (f"{BUS}, unit: 20000", "'unit' is '20000'; bus addresses go from 1 to 16383"),
        (
            "port: /dev/ttyACM0, unit: 1025",
            "a board of the driver dgt has a line of its own; delete 'unit'",
        ),
    ],
)
def test_what_does_not_fit_a_line(board: str, problem: str) -> None:
    (found,) = problems(board)
    assert found.partition(": ")[2] == problem


def test_one_board_has_one_table() -> None:
    (found,) = problems(f"{BUS}, unit: 1025", f"{BUS}, unit: 7", f"{BUS}, unit: 1025")
    assert found.startswith(":4:")
    assert "port serial:/dev/ttyUSB0 with unit 1025 is used on line 2 too" in found


@pytest.mark.parametrize("turned", [False, True])
def test_one_line_has_one_driver(*, turned: bool) -> None:
    boards = [f"{BUS}, unit: 1025", "driver: dgt, port: /dev/ttyUSB0"]
    (found,) = problems(*(reversed(boards) if turned else boards))
    assert "tables 1 and 2 have one port, and different drivers or options" in found


def test_a_wrong_driver_or_port_is_reported_alone() -> None:
    assert len(problems("driver: xyzzy, unit: 7")) == 1
    assert len(problems("driver: dgt_bus, port: COM1")) == 1
