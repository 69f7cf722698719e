"""``pairings check`` through the command line."""

from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO

CSV = (
    "round,board,white,white elo,white id,black,points\n5,1,Kramer,2301,77,Okafor,3\n5,9,C,,,D,1\n"
)
CONFIG = """\
event: {{pairings: {pairings}, round: {round}}}
tables: [{{table: 1, board: {{port: /dev/a}}}}, {{table: x, board: {{port: /dev/b}}}}]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text(CSV)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


@pytest.mark.usefixtures("folder")
def test_games_and_notes_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pairings", "check", "r.csv", "--round", "5"]) == DONE
    assert said(capsys) == [
        "round  board  white              black   position",
        "5      1      Kramer 2301 id 77  Okafor",
        "5      9      C                  D",
        "note: r.csv:1:7: column 'points' is passed over; docs/pairings.md has all columns",
        "r.csv: no problems",
    ]


def test_players_are_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "p.csv").write_text("name,title\nKramer,WIM\n")
    assert main(["pairings", "check", "p.csv"]) == DONE
    assert said(capsys) == ["player", "WIM Kramer", "p.csv: no problems"]


def test_problems_are_the_answer_no(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.csv").write_text("white,blck\nA,B\n")
    assert main(["pairings", "check", "bad.csv"]) == NO
    assert said(capsys) == [
        "bad.csv:1: there is no column 'black'; is 'blck' meant?",
        "bad.csv:1:2: unknown column 'blck'; did you mean 'black'?",
    ]


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pairings", "check", "absent.csv"]) == CANNOT
    assert main(["pairings", "check", "r.csv", "--config", "absent.yaml"]) == CANNOT
    assert main(["pairings", "check", "r.csv", "--round", "6"]) == CANNOT
    error = capsys.readouterr().err
    assert "r.csv has no games of round 6; it has: 5" in error


def test_what_changes_at_the_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old.csv").write_text(
        "round,white,black,position,time control\n4,Kramer,Muster,0,5400+30\n"
    )
    (folder / "hall.yaml").write_text(CONFIG.format(pairings="old.csv", round=4))
    command = ["pairings", "check", "r.csv", "--config", "hall.yaml"]
    assert main([*command, "--round", "5"]) == DONE
    table = said(capsys)
    assert table[1].split("  ")[-1] == (
        "White: elo, fide_id; Black was Muster; the start position; the time control"
    )
    assert table[2].split() == ["x", "?", "?"]
    assert table[3:5] == ["round 5, instead of 4", "boards without a table: 9"]
    assert main(command) == NO
    assert "there are no games of round 4, only of 5" in said(capsys)[0]


def test_pairings_that_do_not_fit_can_be_replaced(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "old.csv").write_text("round,white,black\n4,A,B\n")
    (folder / "hall.yaml").write_text(CONFIG.format(pairings="old.csv", round=5))
    (folder / "new.csv").write_text("round,white,black\n5,A,B\n")
    assert main(["pairings", "check", "new.csv", "--config", "hall.yaml"]) == DONE
    lines = said(capsys)
    assert lines[1].endswith("White was ?; Black was ?")
    assert lines[3:] == ["new.csv: no problems"]


def test_pairings_of_one_group(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "hall.yaml").write_text(
        "event: {round: 5}\ngroups: [{group: A, round: 4}, {group: B}]\ntables:\n"
        '  - {table: "1", group: A, board: {port: /dev/a}}\n'
        '  - {table: "2", number: 1, group: B, board: {port: /dev/b}}\n'
    )
    command = ["pairings", "check", "r.csv", "--config", "hall.yaml", "--group"]
    assert main([*command, "A", "--round", "5"]) == DONE
    lines = said(capsys)
    assert [line.split()[0] for line in lines[1:2]] == ["1"]
    assert lines[2:4] == ["round 5, instead of 4", "boards without a table: 9"]
    assert main([*command, "B", "--round", "5"]) == DONE
    assert said(capsys)[2] == "boards without a table: 9"
    assert main([*command, "C"]) == CANNOT
    assert "there is no group C" in capsys.readouterr().err
