"""``check-config`` through the command line."""

from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.config.example import example


def test_problems_are_the_answer_no(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hall.yaml"
    file.write_text("tabels: []\nlog: {level: loud}\n", encoding="utf-8")
    assert main(["check-config", str(file)]) == NO
    assert capsys.readouterr().out.splitlines() == [
        f"{file}:1:1: unknown key 'tabels'; did you mean 'tables'?",
        (
            f"{file}:1:1: 'tables' is missing; write a list of tables, each beginning with "
            "'- table: NAME'"
        ),
        f"{file}:2:14: 'level' is 'loud'; write debug, info, warning or error",
    ]


def test_a_good_file_is_shown_as_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hall.yaml"
    file.write_text(
        """\
tables:
  - {table: 01, board: {port: /dev/x, serial: 007}}
  - {table: 02, board: {port: /dev/y}, clock: false}
  - {table: 03, board: {port: /dev/z}, clock: {driver: dgt3000_gateway, port: ble:C}}
""",
        encoding="utf-8",
    )
    assert main(["check-config", str(file)]) == DONE
    assert capsys.readouterr().out.splitlines() == [
        "table  board  port           serial  clock  white  black  rules",
        "01     dgt    serial:/dev/x  007     board  ?      ?      fide_std",
        "02     dgt    serial:/dev/y  any     none   ?      ?      fide_std",
        "03     dgt    serial:/dev/z  any     ble:C  ?      ?      fide_std",
        f"{file}: no problems",
    ]


def test_what_was_put_right_in_pairings_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, pairings = tmp_path / "hall.yaml", tmp_path / "round.csv"
    pairings.write_bytes("white,black\nMüller,B\n".encode("cp1252"))
    file.write_text("event: {pairings: round.csv}\ntables: [{table: 1}]", encoding="utf-8")
    assert main(["check-config", str(file)]) == DONE
    assert capsys.readouterr().out.splitlines()[2] == (
        f"note: {pairings}:2: not UTF-8, read as Windows-1252; "
        "look at the names, or save it as UTF-8"
    )


def test_rules_that_the_event_changes_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hall.yaml"
    file.write_text(
        "event: {time_control: 180+2, rules: {default_minutes: 5}}\ntables: [{table: 1}]",
        encoding="utf-8",
    )
    assert main(["check-config", str(file)]) == DONE
    assert capsys.readouterr().out.splitlines()[1].endswith("blitz_b3, 1 changed")


def test_a_missing_file_cannot_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-config", str(tmp_path / "absent.yaml")]) == CANNOT
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"{tmp_path}/absent.yaml: No such file or directory; name a ")


def test_a_file_or_the_example_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-config"]) == CANNOT
    assert capsys.readouterr().err == "check-config needs the name of a file, or --example\n"


def test_the_example_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-config", "--example"]) == DONE
    assert capsys.readouterr().out.rstrip() == example().rstrip()
