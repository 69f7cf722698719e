"""A configuration gets its players from pairing files."""

from pathlib import Path

import pytest

from bridge.config import Config, ConfigError, Player, load

CSV = "board,white,white_elo,black,position\n1,Kramer,2301,Okafor,\n2,Sample,,Muster,518\n"
TABLES = """\
tables:
  - {table: "1", board: {port: /dev/a}}
  - {table: stage, number: 2, board: {port: /dev/b}}
  - {table: "3", board: {port: /dev/c}}
  - {table: spare, board: {port: /dev/d}}
"""


def configured(folder: Path, event: str, tables: str = TABLES, **files: str) -> Config:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / "hall.yaml"
    path.write_text(f"event: {{{event}}}\n{tables}", encoding="utf-8")
    return load(path)


def refused(folder: Path, event: str, tables: str = TABLES, **files: str) -> list[str]:
    with pytest.raises(ConfigError) as error:
        configured(folder, event, tables, **files)
    return [str(problem).replace(f"{folder}/", "") for problem in error.value.problems]


def test_tables_get_players_by_their_board_numbers(tmp_path: Path) -> None:
    config = configured(tmp_path, "pairings: r1", r1=CSV)
    first, stage, third, spare = config.tables
    assert (first.white, first.black) == (Player(name="Kramer", elo=2301), Player(name="Okafor"))
    assert (first.number, first.chess960, first.start_fen) == (1, False, None)
    assert (stage.white.name, stage.number, stage.chess960) == ("Sample", 2, True)
    setup = config.setup(stage)
    assert (setup.board, setup.white, setup.chess960) == (2, "Sample", True)
    assert [table.white.name for table in (third, spare)] == ["?", "?"]
    assert config.event.round == "?"


def test_what_the_pairings_do_not_tell_comes_from_the_players(tmp_path: Path) -> None:
    players = "name,title,elo,fide id,land\nKramer,WIM,2290,77,NED\nOkafor,FM,2200,78,\n"
    config = configured(tmp_path, "pairings: r1, players: p", r1=CSV, p=players)
    table = config.tables[0]
    kramer = Player(name="Kramer", title="WIM", elo=2301, fide_id=77, federation="NED")
    assert table.white == kramer
    assert config.setup(table).tags["WhiteFed"] == "NED"
    assert table.black == Player(name="Okafor", title="FM", elo=2200, fide_id=78)


ROUNDS = "round,board,white,black\n1,1,A,B\n2,1,B,A\n"


def test_the_round_is_chosen_or_the_only_one(tmp_path: Path) -> None:
    config = configured(tmp_path, "pairings: r, round: 2", r=ROUNDS)
    assert (config.event.round, config.tables[0].white.name) == ("2", "B")
    config = configured(tmp_path, "pairings: r", r=ROUNDS.rpartition("2,1")[0])
    assert (config.event.round, config.tables[0].white.name) == ("1", "A")
    config = configured(tmp_path, "pairings: r, round: 7", r=CSV)
    assert (config.event.round, config.tables[0].white.name) == ("7", "Kramer")


def test_rounds_that_are_not_there(tmp_path: Path) -> None:
    assert refused(tmp_path, "pairings: r", r=ROUNDS) == [
        "hall.yaml: r has the rounds 1, 2; write which is played under 'event: round'"
    ]
    assert refused(tmp_path, "pairings: r, round: 3", r=ROUNDS) == [
        (
            "r: there are no games of round 3, only of 1, 2; "
            "export the round, or correct 'event: round' in hall.yaml"
        )
    ]
    assert refused(tmp_path, "pairings: r", r="name\nKramer\n") == [
        ("r: there are no games at all; export the round, or correct 'event: round' in hall.yaml")
    ]


def test_the_time_control_of_the_file_counts_where_none_is_configured(tmp_path: Path) -> None:
    timed = "white,black,time control\nA,B,5400+30\nC,D,5400+30\n"
    tables = TABLES.replace("stage,", "stage, time_control: 300+3,")
    config = configured(tmp_path, "pairings: r", tables, r=timed)
    assert [config.time_control(table) for table in config.tables] == ["5400+30", "300+3", "?", "?"]
    config = configured(tmp_path, "pairings: r, time_control: 60", r=timed)
    assert {config.time_control(table) for table in config.tables} == {"60"}


def test_a_board_cannot_be_that_of_two_tables_or_have_other_players(tmp_path: Path) -> None:
    tables = TABLES.replace("spare,", "spare, number: 1, black: Nobody,")
    assert refused(tmp_path, "pairings: r", tables, r=CSV) == [
        "r:2: board 1 is that of tables 1 and spare; give one of them another number",
        (
            "r:2: board 1 has players here, and table spare in the configuration; "
            "delete 'white' and 'black' of the table"
        ),
    ]


def test_problems_of_both_files_are_told_at_once(tmp_path: Path) -> None:
    broken = "event: {pairings: r, players: absent, nam: x}\ntables: 7\n"
    (tmp_path / "r").write_text("board,white,black,white elo\n1,A,B,x\n1,C,D,y\n")
    path = tmp_path / "hall.yaml"
    path.write_text(broken)
    with pytest.raises(ConfigError) as error:
        load(path)
    told = [
        str(problem).replace(f"{tmp_path}/", "").split(";")[0] for problem in error.value.problems
    ]
    assert told == [
        "hall.yaml:1:31: 'players' is 'absent': No such file or directory",
        "hall.yaml:1:39: unknown key 'nam' in 'event'",
        "hall.yaml:2:9: 'tables' is '7'",
        "r:2:4: column 'white elo' is 'x'",
        "r:3: board 1 is used on line 2 too",
        "r:3:4: column 'white elo' is 'y'",
    ]


@pytest.mark.parametrize("name", ['""', "[]", "~"])
def test_what_names_no_file(tmp_path: Path, name: str) -> None:
    assert refused(tmp_path, f"pairings: {name}")[0].startswith("hall.yaml:1:19: 'pairings' is ")


# -- several groups --------------------------------------------------------------------------------

GROUPS = """\
groups:
  - {group: A, pairings: a, round: 3, name: Open A}
  - {group: B, pairings: b, players: p}
  - {group: C, time_control: 900+10}
tables:
  - {table: "A1", group: A, number: 1, board: {port: /dev/a}}
  - {table: "B1", group: B, number: 1, board: {port: /dev/b}}
  - {table: "1", group: C, board: {port: /dev/c}}
  - {table: "2", board: {port: /dev/d}}
"""
OPEN_A = "round,board,white,black\n2,1,Old,Older\n3,1,Kramer,Okafor\n"
OPEN_B = "round,board,white,black,position\n7,1,Sample,Muster,0\n"
FILES = {"a": OPEN_A, "b": OPEN_B, "p": "name,elo\nSample,2100\n"}


def test_each_group_has_its_own_pairings_and_round(tmp_path: Path) -> None:
    rest = "round,board,white,black\n1,1,Third,Fourth\n1,2,Fifth,Sixth\n"
    config = configured(tmp_path, "name: Open, pairings: r", GROUPS, r=rest, **FILES)
    setups = [config.setup(table) for table in config.tables]
    assert [(each.section, each.round, each.board, each.white) for each in setups] == [
        ("A", "3", 1, "Kramer"),
        ("B", "7", 1, "Sample"),
        ("", "1", 1, "Third"),
        ("", "1", 2, "Fifth"),
    ]
    assert [each.event for each in setups] == ["Open A", "Open", "Open", "Open"]
    assert setups[1].tags["WhiteElo"] == "2100"
    assert setups[1].chess960
    assert setups[1].start_fen == "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
    assert [setup.time_control for setup in setups] == ["?", "?", "900+10", "?"]
    assert config.event.round == "1"


def test_a_group_may_play_another_round_of_the_same_file(tmp_path: Path) -> None:
    tables = """\
groups: [{group: A, round: 2}]
tables:
  - {table: "1", group: A, board: {port: /dev/a}}
  - {table: "2", number: 1, board: {port: /dev/b}}
"""
    config = configured(tmp_path, "pairings: r, round: 3", tables, r=OPEN_A)
    assert [table.white.name for table in config.tables] == ["Old", "Kramer"]


def test_what_is_wrong_in_every_group_is_told_at_once(tmp_path: Path) -> None:
    wrong = GROUPS.replace("round: 3, ", "").replace(
        "number: 1, board: {port: /dev/b}", "number: 1"
    )
    wrong += '  - {table: "B2", group: B, number: 1, board: {port: /dev/e}}\n'
    assert refused(tmp_path, "name: Open", wrong, **FILES) == [
        "hall.yaml: a has the rounds 2, 3; write which is played under 'group A: round'",
        "b:2: board 1 is that of tables B1 and B2; give one of them another number",
    ]


def test_notes_of_all_files_are_told(tmp_path: Path) -> None:
    files = FILES | {"a": OPEN_A.replace("black\n", "black,points\n", 1)}
    (note,) = configured(tmp_path, "name: Open", GROUPS, **files).notes
    assert "column 'points' is passed over" in str(note)
