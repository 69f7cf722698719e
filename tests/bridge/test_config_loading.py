"""Every mistake in a configuration is found, at its place, with a remedy, and all at once."""

import contextlib
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.config import (
    BoardSettings,
    CaptureLimits,
    ConfigError,
    Player,
    UnreadableError,
    load,
    parse,
)
from bridge.config.rulesets import rule_set
from bridge.core.model import TableSetup

FILE = Path("/event/hall.yaml")
FIXTURE = Path(__file__).parent / "fixtures" / "config-1.yaml"
ONE_TABLE = "tables:\n  - table: 1\n"


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse(text, FILE)
    assert str(caught.value) == "\n".join(map(str, caught.value.problems))
    return [str(problem).removeprefix(str(FILE)) for problem in caught.value.problems]


def table_with(line: str) -> str:
    return f"{ONE_TABLE}    {line}\n"


def test_the_shortest_configuration_is_one_table() -> None:
    config = parse(ONE_TABLE, FILE)
    (table,) = config.tables
    assert (table.table, table.board) == ("1", BoardSettings(driver="dgt", port="auto"))
    assert config.data.journal == Path("/event/data/journal.sqlite3")
    assert config.data.capture_folder == Path("/event/data/captures")
    assert config.pgn.folder == Path("/event/games")
    assert config.ports == ()
    rules = msgspec.to_builtins(rule_set("fide_std"))
    assert config.setup(table) == TableSetup(undated=True, rules=rules)


def test_a_configuration_of_the_first_version_is_still_read() -> None:
    config = load(FIXTURE)
    stage, second, third = config.tables
    assert config.event.round == "1.10"
    assert config.data.folder == Path("/var/lib/eboard-bridge")
    assert config.data.captures == CaptureLimits(max_mb=900, max_days=7)
    assert config.pgn.folder == FIXTURE.parent / "out"
    assert config.ports == ("/dev/rfcomm*",)
    assert config.log.level == "debug"
    assert stage.board == BoardSettings(
        driver="dgt", port="serial:/dev/serial/by-id/usb-DGT_board-if00", serial="00123"
    )
    assert second.board.port == "tcp:hall.local:5000"
    assert second.white == Player(name="No")
    assert third.table == "3"
    assert config.setup(stage) == TableSetup(
        event="Hoogeveen Open",
        site="Hoogeveen NED",
        round="1.10",
        date="2026.10.??",
        board=1,
        white="Kramer, Anna",
        black="No, Yes",
        time_control="5400+30",
        tags={
            "Section": "Stage",
            "EventType": "swiss",
            "WhiteTitle": "WIM",
            "WhiteElo": "2301",
            "WhiteFideId": "1234567",
            "WhiteTeam": "Delft I",
        },
        start_fen="bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1",
        chess960=True,
        orientation="rotated",
        white_clock="left",
        has_clock=False,
        rules=msgspec.to_builtins(rule_set("fide_std")),
    )
    assert config.setup(second).time_control == "40/5400+30:1800+30"


@pytest.mark.parametrize("sensing", ["identity", "colour", "occupancy"])
def test_a_module_may_know_less_than_the_driver_it_speaks_like(sensing: str) -> None:
    config = parse(table_with(f"board: {{sensing: {sensing}}}"), FILE)
    assert config.setup(config.tables[0]).sensing == sensing


OCCUPANCY_BOARD = """\
from dataclasses import replace

from drivers.boards.dgt import Dgt


class Board(Dgt):
    info = replace(Dgt.info, name="lifts", sensing="events")
"""


def test_otherwise_the_driver_says_what_the_board_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "board_of_lifts.py").write_text(OCCUPANCY_BOARD)
    installed = tmp_path / "board_of_lifts-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: lifts\nVersion: 1.0\n")
    entry = "[eboard_bridge.drivers]\nlifts = board_of_lifts:Board\n"
    (installed / "entry_points.txt").write_text(entry)
    monkeypatch.delitem(sys.modules, "board_of_lifts", raising=False)
    config = parse(table_with("board: {driver: lifts}"), FILE)
    assert config.setup(config.tables[0]).sensing == "occupancy"


def test_today_is_the_date_only_where_none_is_configured() -> None:
    config = parse(ONE_TABLE, FILE)
    assert config.setup(config.tables[0], today="2026.11.20").date == "2026.11.20"
    config = parse(f"event: {{date: 2024.02.29}}\n{ONE_TABLE}", FILE)
    assert config.setup(config.tables[0], today="2026.11.20").date == "2024.02.29"


def test_home_is_understood_in_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/arbiter")
    config = parse(f"data: {{folder: ~/chess}}\n{ONE_TABLE}", FILE)
    assert config.data.folder == Path("/home/arbiter/chess")


def test_everything_is_reported_at_once_and_in_order() -> None:
    text = (
        "event:\n"
        "  nmae: Open\n"
        "  date: 2026-02-30\n"
        "tables:\n"
        "  - table: 1\n"
        "    number: first\n"
        "    white: {elo: 9000, name: A}\n"
        "  - board: {driver: dtg}\n"
        "  - table: 1\n"
        "    board: {serial: 7}\n"
        "loging: {}\n"
    )
    assert problems(text) == [
        ":2:3: unknown key 'nmae' in 'event'; did you mean 'name'?",
        (
            ":3:9: 'date' is '2026-02-30': the calendar has no such day; "
            "write a date like 2026-11-20, unknown parts as ??"
        ),
        ":6:13: 'number' is 'first'; write a whole number from 1 to 9999",
        ":7:18: 'elo' is '9000'; write a whole number from 1 to 4000",
        ":8:5: 'table' is missing; write a name of up to 40 characters without / \\ or :",
        (":8:21: 'driver' is 'dtg': did you mean 'dgt'?; write the name of an installed driver"),
        ":9:12: table 1 is used on line 5 too; change one of them",
        ":11:1: unknown key 'loging'; did you mean 'log'?",
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("zzz: 1", "5: unknown key 'zzz' in 'tables'; known keys: table, board, group, node,"),
        ("Number: 1", "5: unknown key 'Number' in 'tables'; did you mean 'number'?"),
        (
            "white-clock: left",
            "5: unknown key 'white-clock' in 'tables'; did you mean 'white_clock",
        ),
        ("number:", "12: 'number' is empty; write a whole number from 1 to 9999, or delete it"),
        ("number: ~", "13: 'number' is empty; write a whole"),
        ("number: 0", "13: 'number' is '0'; write a whole number from 1 to 9999"),
        ("number: [1]", "13: 'number' is a list; write a whole number"),
        ("number: {a: 1}", "13: 'number' is a mapping; write a whole number"),
        ("number: !python/object 1", "13: 'number' has the YAML type !python/object; delete"),
        ('white: "a\\nb"', "12: 'white' has a line break or control character; write one line"),
        ("white: [a]", "12: 'white' is a list; write a name"),
        ("white: {elo: 1}", "12: 'name' is missing; write a text"),
        ("clock: maybe", "12: 'clock' is 'maybe'; write true or false"),
        ("orientation: Rotate", "18: 'orientation' is 'Rotate': did you mean 'rotated'?; write au"),
        ("orientation: 7", "18: 'orientation' is '7'; write auto, normal or rotated"),
        (
            "board: dgt",
            "12: 'board' is 'dgt'; write the keys of a board, as in {driver: dgt, port: auto}",
        ),
        (
            "board:",
            "11: 'board' is empty; write the keys of a board, as in {driver: dgt, port: auto}",
        ),
        ("board: {port: ttyUSB0}", "19: 'port' is 'ttyUSB0'; write auto, /dev/…, or what"),
        ("board: {port: 'tcp:host'}", "19: 'port' is 'tcp:host'; write auto"),
        (
            "board: {sensing: Occupancy}",
            "22: 'sensing' is 'Occupancy': did you mean 'occupancy'?; write auto, identity, colour",
        ),
        ("board: {driver: xyzzy}", "21: 'driver' is 'xyzzy': there are: "),
        (
            "time_control: 90 min",
            """19: 'time_control' is '90 min': "90 min" is not understood; write seconds+""",
        ),
        ("time_control: 40/x", """19: 'time_control' is '40/x': "40/x" is not understood; wri"""),
        ("start_fen: hello", "16: 'start_fen' is 'hello': expected"),
        ("start_fen: 8/8/8/8/8/8/8/K7 w - - 0 1", "16: 'start_fen' is '8/8/8/8/8/8/8/K7 w - - 0"),
        (
            "start_fen: 1k6/8/8/8/8/8/8/1K5R w K - 0 1",
            "16: 'start_fen' fits only Chess960: bad castling rights; correct it or add 'chess960:",
        ),
        ("tags: [A]", "11: 'tags' is a list; write tag names with their texts"),
        ("tags: {eco: B33}", "12: 'eco' in 'tags'; a tag name is a capital letter, then letters,"),
        ("tags: {White: A}", "12: 'White' in 'tags'; delete it here and use the key 'white'"),
        ("tags: {Result: 1-0}", "12: 'Result' in 'tags'; delete it: the game decides it"),
        ("tags: {Section: [1]}", "21: 'Section' is a list; write a text"),
        ("tags: {Section: A, Section: B}", "24: 'Section' is given twice, first on line 3; delete"),
        ("? [a]\n    : 1", "7: a key is a list or a mapping; write a single word before ':'"),
        ("table: 2", "5: 'table' is given twice, first on line 2; delete one of them"),
    ],
)
def test_a_wrong_line_of_a_table(line: str, problem: str) -> None:
    (found,) = problems(table_with(line))
    assert found.startswith(f":3:{problem}")


@pytest.mark.parametrize("name", ["''", "a/b", "a\\b", "tcp:1", "x" * 41])
def test_a_table_name_can_be_part_of_a_file_name(name: str) -> None:
    (found,) = problems(f"tables: [{{table: {name}}}]")
    assert "write a name of up to 40 characters" in found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ": the file is empty; begin with 'tables:'; check-config --example prints an example"),
        ("# nothing\n---\n", ": the file is empty; begin"),
        ("just words", ":1:1: the file is 'just words'; write the keys of a configuration"),
        ("- a\n- b\n", ":1:1: the file is a list; write the keys of a configuration"),
        ("event: {}\n", ":1:1: 'tables' is missing; write a list of tables, each beginning with"),
        ("tables: []\n", ":1:9: 'tables' is an empty list; write a list of tables"),
        ("tables: {}\n", ":1:9: 'tables' is a mapping; write a list of tables"),
        ("tables: [x]\n", ":1:10: 'tables' is 'x'; write the keys of a table"),
        ("ports: [COM1]\n" + ONE_TABLE, ":1:9: 'ports' is 'COM1'; write a pattern like /dev/rfc"),
        ("event: {date: 2026}\n" + ONE_TABLE, ":1:15: 'date' is '2026'; write a date like"),
        ("tables: [{table: 1}\nlog: 1\n", ":2:1: not YAML: while parsing a flow sequence expecte"),
        ("--- a\n--- b\n", ":2:1: not YAML: expected a single document"),
        ("a: *b\n", ":1:4: not YAML: found undefined alias 'b'; check indentation"),
        ("a: 1\nb: \x07\n", ":2:4: the character U+0007 cannot stand in YAML; delete it"),
        ("[\n" * 5000, ": nested too deeply; see config/example.yaml"),
        ("tables: &t [*t]\n", ":1:9: 'tables' is a list; write the keys of a table"),
    ],
)
def test_a_file_that_is_wrong_as_a_whole(text: str, problem: str) -> None:
    (found,) = problems(text)
    assert found.startswith(problem)


def test_every_tab_is_reported() -> None:
    assert problems("tables:\n\t- table: 1\n  \tclock: true\nlog: {}\n") == [
        ":2:1: a tab in the indentation; replace it by spaces",
        ":3:3: a tab in the indentation; replace it by spaces",
    ]


@pytest.mark.parametrize(
    ("first", "second", "label"),
    [
        ("port: /dev/ttyUSB0", "port: 'serial:/dev/ttyUSB0'", "port serial:/dev/ttyUSB0"),
        ("serial: 00123", 'serial: "00123"', "serial number 00123"),
    ],
)
def test_two_tables_cannot_share_a_board(first: str, second: str, label: str) -> None:
    text = f"tables:\n- {{table: 1, board: {{{first}}}}}\n- {{table: 2, board: {{{second}}}}}\n"
    (found,) = problems(text)
    assert f": {label} is used on line 2 too; change one of them" in found


def test_a_board_shared_by_an_alias_is_found() -> None:
    text = "tables:\n- {table: 1, board: &b {port: /dev/x}}\n- {table: 2, board: *b}\n"
    (found,) = problems(text)
    assert "port serial:/dev/x is used on line 2 too" in found


def test_only_one_table_may_take_any_board() -> None:
    text = "tables:\n- {table: 1, board: {serial: 5}}\n- table: 2\n- table: 3\n"
    (found,) = problems(text)
    assert found == (
        ":4:3: tables 2 and 3 would both take any board; "
        "give each its board's serial number or port"
    )


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError) as caught:
        load(tmp_path / "absent.yaml")
    assert str(caught.value) == (
        f"{tmp_path}/absent.yaml: No such file or directory; "
        "name a configuration file that you may read"
    )


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes("event:\n  name: Málaga\n".encode("latin-1"))
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert str(caught.value) == f"{path}:2:10: byte 0xe1 is not UTF-8; save the file as UTF-8"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "windows.yaml"
    path.write_bytes(b"\xef\xbb\xbftables:\r\n  - table: 1\r\n")
    assert [table.table for table in load(path).tables] == ["1"]


@given(st.text(st.sampled_from("atbles: -[]{}#'\"\n\t1,&*!|>?%@`~\x00é"), max_size=60))
def test_any_text_is_a_configuration_or_a_list_of_problems(text: str) -> None:
    with contextlib.suppress(ConfigError):
        assert parse(text, FILE).tables
