"""Every rule is judged by something that is there and shown by something that runs, or says why."""

import re
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from benchmarks.rules_covered import SUBJECTS, Rule, rules

TESTS = Path(__file__).resolve().parents[1]
CASES = ("positions.yaml", "further_positions.yaml")
JUDGED = [rule for rule in rules() if not rule.unseen]


def names_of_tests() -> set[str]:
    texts = (file.read_text(encoding="utf-8") for file in TESTS.glob("bridge/**/test_*.py"))
    return {name for text in texts for name in re.findall(r"def (test_\w+)\(", text)}


def names_of_cases() -> set[str]:
    texts = ((TESTS / "bridge/core" / name).read_text(encoding="utf-8") for name in CASES)
    return {case["id"] for text in texts for case in yaml.safe_load(text)["cases"]}


def found(name: str) -> bool:
    """Whether *name* below ``bridge.core`` leads to something."""
    module, _, attribute = f"bridge.core.{name}".rpartition(".")
    return hasattr(import_module(module), attribute)


def test_there_is_one_row_for_each_rule_of_the_catalogue() -> None:
    assert [rule.rule for rule in rules()] == list(range(1, 147))
    assert max(SUBJECTS) == 147


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: f"R-{rule.rule}")
def test_a_rule_is_judged_or_says_why_not(rule: Rule) -> None:
    assert rule.says
    assert bool(rule.judged_by) == bool(rule.shown_by) != bool(rule.unseen)


@pytest.mark.parametrize("name", sorted({rule.judged_by for rule in JUDGED}))
def test_what_judges_is_there(name: str) -> None:
    assert found(name)


def test_what_shows_it_is_a_case_or_a_test() -> None:
    assert {rule.shown_by for rule in JUDGED} <= names_of_tests() | names_of_cases()
