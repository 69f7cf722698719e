"""The rules that hold where none were named are those of the shipped standard set."""

import msgspec

from bridge.config.rulesets import rule_set
from bridge.core.laws.standard import STANDARD


def test_the_standard_values_are_the_shipped_ones() -> None:
    shipped = rule_set("fide_std")
    assert msgspec.structs.replace(STANDARD, articles=shipped.articles) == shipped
