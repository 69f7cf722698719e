"""Tables get their boards in a configuration's text, and nothing else of it changes."""

from pathlib import Path

import pytest

from bridge.config import ConfigError, parse
from bridge.config.boards import BoardSettings
from bridge.config.editing import stanza, with_boards, with_nodes, with_round

FILE = Path("/event/hall.yaml")
NEW = {"driver": "dgt", "serial": "30123"}
BLOCK = """\
# The hall.
event: {name: Open}  # of this year
tables:
  - table: "1"  # the stage
    number: 1
    board:
      driver: dgt
      port: /dev/ttyACM0  # to be replaced
      sensing: occupancy
    white: "Kramer, Anna"
  # The second one.
  - table: 2
    white: "No"
pgn: {folder: games}
"""


def boards(text: str) -> dict[str, BoardSettings]:
    return {table.table: table.board for table in parse(text, FILE).tables}


def test_a_new_configuration() -> None:
    text = stanza({"1": NEW, "7": {"driver": "dgt", "port": "tcp:AA:5000"}})
    assert text == (
        "tables:\n"
        '  - table: "1"\n'
        '    board: {driver: "dgt", serial: "30123"}\n'
        '  - table: "7"\n'
        '    board: {driver: "dgt", port: "tcp:AA:5000"}\n'
    )
    assert with_boards("", {"1": NEW}, FILE) == stanza({"1": NEW})
    assert boards(text)["1"] == BoardSettings(driver="dgt", serial="30123")


def test_a_board_is_replaced_and_the_rest_stays() -> None:
    after = with_boards(BLOCK, {"1": NEW}, FILE)
    old = BLOCK[BLOCK.index("\n      driver") : BLOCK.index("\n    white")]
    new = '\n      {driver: "dgt", serial: "30123", sensing: "occupancy"}'
    assert after == BLOCK.replace("board:" + old, "board:" + new)


def test_a_board_is_added_where_there_was_none() -> None:
    after = with_boards(BLOCK, {"2": NEW}, FILE)
    line = '\n    board: {driver: "dgt", serial: "30123"}'
    assert after == BLOCK.replace("table: 2", "table: 2" + line)


def test_tables_are_added_behind_the_last() -> None:
    after = with_boards(BLOCK, {"2": NEW, "3": {**NEW, "serial": "30124"}}, FILE)
    assert list(boards(after)) == ["1", "2", "3"]
    assert boards(after)["3"].serial == "30124"
    assert after.endswith("pgn: {folder: games}\n")


@pytest.mark.parametrize(
    "text",
    [
        'tables: [{table: "1", white: A}]',
        'tables: [{table: "1", board: {driver: dgt, port: auto}, white: A}]',
        "tables:\n- {table: 1, white: A}\n",
        "tables:\n- table: 1\n  white: A",
        "tables:\n- white: A\n  table: 1",
        "tables:\n- table: 1\n  board: {}\n  white: A\n",
        "tables:\n- white: A\n  table: 1\n  board: {port: auto}",
        "tables:\n- white: A\n  board: {options: {}, serial: '1'}\n  table: 1\n",
        "event:\n  name: Open\ntables:\n  -\n    table: 1\n    white: A\n\n# end\n",
    ],
)
def test_any_way_of_writing_it(text: str) -> None:
    after = with_boards(text, {"1": NEW, "9": {**NEW, "serial": "30129"}}, FILE)
    assert {name: board.serial for name, board in boards(after).items()} == {
        "1": "30123",
        "9": "30129",
    }
    assert parse(after, FILE).tables[0].white.name == "A"
    assert after.count("#") == text.count("#")


def test_what_is_a_board_no_more_is_replaced() -> None:
    for wrong in ("board: dgt", "board:"):
        after = with_boards(f"tables:\n- table: 1\n  {wrong}\n", {"1": NEW}, FILE)
        assert boards(after)["1"].serial == "30123"


def test_options_are_kept() -> None:
    text = "tables: [{table: 1, board: {driver: pegasus, options: {key: 01:02:03:04:05:06}}}]"
    after = with_boards(text, {"1": {"driver": "pegasus", "port": "ble:AA:BB"}}, FILE)
    assert boards(after)["1"].options == {"key": "01:02:03:04:05:06"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tables: [", "not YAML"),
        ("tables: 7", "'tables' is '7'"),
        ("tables: []", "'tables' is an empty list"),
        ("tables: [{table: 2, board: {serial: '30123'}}]", "serial number 30123 is used"),
        ("tables: [[7]]", "is a list"),
    ],
)
def test_what_would_not_be_right_is_refused(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        with_boards(text, {"1": NEW}, FILE)


# --- the round --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("event: {name: Open, round: 3}  # this\n", 'event: {name: Open, round: "4"}  # this\n'),
        ("event:\n  name: Open\n  round: 3 # now\n", 'event:\n  name: Open\n  round: "4" # now\n'),
        ("event: {name: Open}\n", 'event: {round: "4", name: Open}\n'),
        ("event:\n  name: Open # x\n", 'event:\n  round: "4"\n  name: Open # x\n'),
        ("", 'event: {round: "4"}\n'),
    ],
)
def test_the_event_has_another_round(before: str, after: str) -> None:
    tables = 'tables:\n  - {table: "1", board: {port: /dev/a}}\n'
    assert with_round(before + tables, FILE, group="", round_="4") == after + tables


def test_a_group_has_another_round() -> None:
    text = 'groups:\n  - group: A\n  - {group: B, round: 2}\ntables: [{table: "1", group: B}]\n'
    assert with_round(text, FILE, group="B", round_="3") == text.replace("round: 2", 'round: "3"')
    added = with_round(text, FILE, group="A", round_="3")
    assert added == text.replace("- group: A", '- round: "3"\n    group: A')


def test_a_round_without_pairings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "round.pgn").write_text('[Round "1.1"]\n[White "A"]\n[Black "B"]\n\n*\n')
    text = 'event: {pairings: round.pgn, round: 1}\ntables: [{table: "1", number: 1}]\n'
    with pytest.raises(ConfigError, match="round 2"):
        with_round(text, tmp_path / "hall.yaml", group="", round_="2")


def test_a_table_comes_to_another_node_and_nothing_else_changes() -> None:
    after = with_nodes(BLOCK, {"1": "north", "9": "north"}, FILE)
    assert after == BLOCK.replace('- table: "1"', '- node: "north"\n    table: "1"')
    again = with_nodes(after, {"1": "south"}, FILE)
    assert again == after.replace('"north"', '"south"')
    with pytest.raises(ConfigError, match="node"):
        with_nodes(BLOCK, {"1": "No Node!"}, FILE)
