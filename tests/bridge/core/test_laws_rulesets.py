"""The parameters of rule sets, and what a rate of play is classified as."""

import pytest

from bridge.core.laws.rulesets import (
    PARAMETERS,
    Parameter,
    Rate,
    RuleSet,
    rate_of_play,
    rate_of_time_control,
    rule_set_name,
)
from bridge.core.timecontrol import parse_time_control


def test_every_field_but_those_that_say_what_the_set_is_is_a_parameter() -> None:
    fields = set(RuleSet.__struct_fields__) - {"name", "title", "rate", "book", "articles", "home"}
    assert {parameter.name for parameter in PARAMETERS} == fields


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda p: p.name)
def test_a_parameter_is_words_or_a_range_and_says_what_it_is(parameter: Parameter) -> None:
    assert parameter.sentence.endswith(".")
    if parameter.choices:
        assert len(parameter.choices) > 1
        assert not parameter.optional
    else:
        assert parameter.low < parameter.high


@pytest.mark.parametrize(
    ("minutes", "increment", "rate"),
    [
        (3, 2, "blitz"),
        (10, 0, "blitz"),
        (9, 1, "blitz"),
        (10, 1, "rapid"),
        (15, 10, "rapid"),
        (59, 0, "rapid"),
        (60, 0, "standard"),
        (50, 10, "standard"),
        (50, 9, "rapid"),
    ],
)
def test_base_time_and_sixty_increments(minutes: float, increment: float, rate: Rate) -> None:
    assert rate_of_play(minutes * 60, increment) == rate


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("-", None),
        ("40/5400+30:1800+30", "standard"),
        ("180+2", "blitz"),
        ("20/600", "rapid"),  # three times the same period in sixty moves
        ("40/1200:20/1200:900", "rapid"),  # the last period is not reached
        ("30/300:60+8", "blitz"),  # 300 + 60 + 30 increments of 8 s are ten minutes exactly
        ("W300-B240", "blitz"),
        ("W300-B900", "rapid"),
    ],
)
def test_a_time_control_is_classified_by_the_time_for_sixty_moves(
    text: str, rate: Rate | None
) -> None:
    control = parse_time_control(text)
    assert control is not None
    assert rate_of_time_control(control) == rate


@pytest.mark.parametrize(
    ("rate", "supervised", "name"),
    [
        ("standard", False, "fide_std"),
        ("rapid", True, "rapid_a4"),
        ("rapid", False, "rapid_a5"),
        ("blitz", True, "blitz_b2"),
        ("blitz", False, "blitz_b3"),
    ],
)
def test_the_rule_set_follows_from_rate_and_supervision(
    rate: Rate, supervised: bool, name: str
) -> None:
    assert rule_set_name(rate, supervised=supervised) == name
