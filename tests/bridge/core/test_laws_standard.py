"""The rules that hold where none were named are those of the shipped standard set."""

import msgspec
import pytest

from bridge.config.rulesets import names, rule_set
from bridge.core.laws.rulesets import PARAMETERS
from bridge.core.laws.standard import STANDARD, rules_of
from bridge.core.model import TableSetup


def test_the_standard_values_are_the_shipped_ones() -> None:
    shipped = rule_set("fide_std")
    assert msgspec.structs.replace(STANDARD, articles=shipped.articles) == shipped


def test_a_setup_without_rules_is_standard_play() -> None:
    assert rules_of(TableSetup()) == STANDARD


@pytest.mark.parametrize("name", names())
def test_a_setup_with_all_values_has_none_but_its_own(name: str) -> None:
    carried = rule_set(name)
    assert rules_of(TableSetup(rules=msgspec.to_builtins(carried))) == carried


@pytest.mark.parametrize("name", [parameter.name for parameter in PARAMETERS])
def test_a_journal_older_than_a_parameter_is_read_with_the_standard_value(name: str) -> None:
    carried = rule_set("classic")
    values = msgspec.to_builtins(carried)
    del values[name]
    expected = msgspec.structs.replace(carried, **{name: getattr(STANDARD, name)})
    assert rules_of(TableSetup(rules=values)) == expected


def test_values_that_no_rule_can_have_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        rules_of(TableSetup(rules={"remedy_window": "never"}))
