"""An event names its rules and changes single ones, for all tables or for one."""

import asyncio
import re
from pathlib import Path

import msgspec
import pytest

from bridge.config import ConfigError, parse
from bridge.config.rulesets import rule_set
from bridge.core.laws.rulesets import EVENT_REGULATIONS, RuleSet
from bridge.core.model import Reading, TableSetup
from bridge.store.journal import Journal

FILE = Path("/event/hall.yaml")
DOCS = Path(__file__).parents[2] / "docs"


def rules_of(event: str = "{}", table: str = "") -> RuleSet:
    config = parse(f"event: {event}\ntables:\n  - {{table: 1{table}}}\n", FILE)
    return config.rules(config.tables[0])


@pytest.mark.parametrize(
    ("control", "supervised", "name"),
    [
        ("5400+30", "false", "fide_std"),
        ("5400+30", "true", "fide_std"),
        ("3600", "false", "fide_std"),
        ("900+10", "false", "rapid_a5"),
        ("900+10", "true", "rapid_a4"),
        ("180+2", "false", "blitz_b3"),
        ("180+2", "true", "blitz_b2"),
        ("'-'", "true", "fide_std"),
        ("'?'", "true", "fide_std"),
    ],
)
def test_without_a_name_the_time_control_decides(control: str, supervised: str, name: str) -> None:
    event = f"{{time_control: {control}, supervised: {supervised}}}"
    assert rules_of(event) == rule_set(name)


def test_the_time_control_of_a_table_decides_for_that_table() -> None:
    assert rules_of("{time_control: 5400+30}", ", time_control: 180+2") == rule_set("blitz_b3")


def test_a_name_wins_over_the_time_control_and_a_tables_over_the_events() -> None:
    event = "{time_control: 180+2, rule_set: classic}"
    assert rules_of(event) == rule_set("classic")
    assert rules_of(event, ", rule_set: rapid_a4") == rule_set("rapid_a4")


def test_a_table_changes_what_the_event_has_changed() -> None:
    event = "{rules: {default_minutes: 30, illegal_moves_that_lose: none}}"
    found = rules_of(event, ", rules: {illegal_moves_that_lose: 3}")
    assert (found.default_minutes, found.illegal_moves_that_lose) == (30, 3)
    assert sorted(found.changed) == ["default_minutes", "illegal_moves_that_lose"]
    assert found.articles["default_minutes"] == EVENT_REGULATIONS


GROUPS = """\
event: {time_control: 5400+30, rules: {default_minutes: 30, claim_moves: 60}}
groups:
  - {group: Juniors, time_control: 900+10, rules: {default_minutes: 15}}
  - {group: Old masters, rule_set: classic}
tables:
  - {table: 1, board: {serial: 1}, group: Juniors}
  - {table: 2, board: {serial: 2}, group: Juniors, rule_set: rapid_a4, time_control: 180+2}
  - {table: 3, board: {serial: 3}, group: Old masters, rules: {claim_moves: 70}}
  - {table: 4, board: {serial: 4}}
"""


def test_a_group_stands_between_event_and_table() -> None:
    config = parse(GROUPS, FILE)
    found = [config.rules(table) for table in config.tables]
    assert [each.name for each in found] == ["rapid_a5", "rapid_a4", "classic", "fide_std"]
    assert [each.default_minutes for each in found] == [15, 15, 30, 30]
    assert [each.claim_moves for each in found] == [60, 60, 70, 60]
    assert [config.setup(table).time_control for table in config.tables] == [
        "900+10",
        "180+2",
        "5400+30",
        "5400+30",
    ]


def test_a_group_that_is_not_there_is_told_with_the_nearest() -> None:
    text = GROUPS.replace("2}, group: Juniors", "2}, group: Junior").replace(
        "4}}", "4}, group: Blitz}"
    )
    with pytest.raises(ConfigError) as caught:
        parse(text, FILE)
    assert [str(problem) for problem in caught.value.problems] == [
        f"{FILE}:7:43: there is no group 'Junior'; did you mean 'Juniors'?",
        f"{FILE}:9:43: there is no group 'Blitz'; add '- group: Blitz' to 'groups'",
    ]


def test_groups_that_cannot_be_read_are_not_missed_as_well() -> None:
    text = GROUPS.replace("900+10", "quick").replace("Old masters, rule_set", "Juniors, rule_set")
    with pytest.raises(ConfigError) as caught:
        parse(text, FILE)
    first, second = map(str, caught.value.problems)
    assert "'time_control' is 'quick'" in first
    assert second == f"{FILE}:4:13: group Juniors is used on line 3 too; change one of them"


def test_tables_may_share_what_they_change() -> None:
    text = (
        "tables:\n"
        "  - {table: 1, board: {serial: 1}, rules: &juniors {default_minutes: 15}}\n"
        "  - {table: 2, board: {serial: 2}, rules: *juniors}\n"
    )
    config = parse(text, FILE)
    assert [config.rules(table).default_minutes for table in config.tables] == [15, 15]


def test_every_mistake_is_told_at_once_with_the_nearest_key() -> None:
    text = (
        "event:\n"
        "  rule_set: fide-std\n"
        "  rules: {default_minute: 30, claim_moves: none}\n"
        "tables:\n"
        "  - {table: 1, ruleset: classic, rules: {flag_draw: bare}}\n"
    )
    with pytest.raises(ConfigError) as caught:
        parse(text, FILE)
    sets = "blitz_b2, blitz_b3, classic, fide_2005, fide_std, home, rapid_a4 or rapid_a5"
    draws = "bare_king or any_series"
    assert [str(problem) for problem in caught.value.problems] == [
        f"{FILE}:2:13: 'rule_set' is 'fide-std': did you mean 'fide_std'?; write {sets}",
        f"{FILE}:3:11: unknown key 'default_minute' in 'rules'; did you mean 'default_minutes'?",
        f"{FILE}:3:44: 'claim_moves' is 'none'; write a whole number from 1 to 200",
        f"{FILE}:5:16: unknown key 'ruleset' in 'tables'; did you mean 'rule_set'?",
        f"{FILE}:5:53: 'flag_draw' is 'bare': did you mean 'bare_king'?; write {draws}",
    ]


def test_the_journal_keeps_the_rules(tmp_path: Path) -> None:
    config = parse("event: {rules: {claim_moves: 60}}\ntables: [{table: 1}]\n", FILE)
    (table,) = config.tables
    path = tmp_path / "journal.sqlite3"
    reading = Reading(table="1", link="l", seq=1, at=0.0, wall=0.0, payload=config.setup(table))
    with Journal.open(path) as journal:
        asyncio.run(journal.append([reading]))
    with Journal.open(path) as journal:
        ((_, read),) = journal.read("1")
    kept = read.payload
    assert isinstance(kept, TableSetup)
    assert kept == config.setup(table)
    assert msgspec.convert(kept.rules, RuleSet) == config.rules(table)


def test_the_sample_on_the_page_has_no_problems() -> None:
    page = (DOCS / "rule-sets.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    config = parse(sample, FILE)
    first, second = (config.rules(table) for table in config.tables)
    assert (first.name, first.illegal_move_minutes, first.default_minutes) == ("blitz_b2", 1, 15)
    assert (second.name, second.illegal_move_minutes, second.default_minutes) == ("rapid_a4", 1, 30)


@pytest.mark.parametrize("wanted", ["true", "false"])
def test_two_hands_are_looked_for_only_if_the_event_asks(wanted: str) -> None:
    config = parse(f"event: {{two_hands: {wanted}}}\ntables: [{{table: 1}}]\n", FILE)
    assert config.setup(config.tables[0]).two_hands is (wanted == "true")
