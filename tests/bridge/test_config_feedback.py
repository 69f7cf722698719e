"""Boards may light squares for their players in games at home, and nowhere else."""

from pathlib import Path

import pytest

from bridge.config import Config, ConfigError, parse
from bridge.config.rulesets import names, rule_set

FILE = Path("/event/hall.yaml")


def parsed(event: str = "{}", table: str = "", driver: str = "chessnut") -> Config:
    board = f"board: {{driver: {driver}, port: auto}}"
    text = f"event: {event}\ntables:\n  - {{table: 1, {board}, feedback: true{table}}}\n"
    return parse(text, FILE)


def refusal(event: str = "{}", table: str = "", driver: str = "chessnut") -> str:
    with pytest.raises(ConfigError) as caught:
        parsed(event, table, driver)
    (problem,) = caught.value.problems
    return str(problem)


def test_nobody_is_helped_who_does_not_ask() -> None:
    config = parse("event: {rule_set: home}\ntables: [{table: 1}]\n", FILE)
    assert not config.tables[0].feedback
    assert not config.setup(config.tables[0]).feedback


@pytest.mark.parametrize(("event", "table"), [("{rule_set: home}", ""), ("{}", ", rule_set: home")])
def test_games_at_home_may_have_it(event: str, table: str) -> None:
    config = parsed(event, table)
    setup = config.setup(config.tables[0])
    assert setup.feedback
    assert setup.rules["home"]


@pytest.mark.parametrize("name", [name for name in names() if not rule_set(name).home])
def test_no_rule_set_of_a_tournament_allows_it(name: str) -> None:
    text = refusal(f"{{rule_set: {name}}}")
    assert f"'feedback' shows players where men stand wrong, and rule set {name} is for " in text
    assert "write 'rule_set: home' for games at home, or delete 'feedback'" in text
    assert ":3:" in text


@pytest.mark.parametrize("control", ["5400+30", "180+2", "'?'"])
def test_nor_does_a_time_control(control: str) -> None:
    assert "'feedback'" in refusal(f"{{time_control: {control}}}")


def test_what_a_table_is_played_under_decides() -> None:
    assert "rule set blitz_b2" in refusal("{rule_set: home}", ", rule_set: blitz_b2")


def test_a_board_without_lamps_cannot_help() -> None:
    text = refusal("{rule_set: home}", driver="dgt")
    assert "driver dgt can light no squares; delete 'feedback'" in text


def test_other_mistakes_are_told_without_it() -> None:
    assert "unknown key 'rule_sets'" in refusal("{rule_sets: home}")
