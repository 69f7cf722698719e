"""Shipped rule sets are complete, and an event's overrides are checked like all configuration."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bridge.config import ConfigError
from bridge.config.rulesets import UnknownRuleSetError, names, rule_set, with_overrides
from bridge.core.laws.rulesets import EVENT_REGULATIONS, PARAMETERS, Parameter

FILE = Path("event.yaml")


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        with_overrides(rule_set("fide_std"), text, FILE)
    return [str(problem) for problem in caught.value.problems]


def test_these_rule_sets_are_shipped() -> None:
    assert names() == (
        "blitz_b2",
        "blitz_b3",
        "classic",
        "fide_2005",
        "fide_std",
        "home",
        "rapid_a4",
        "rapid_a5",
    )


def test_one_of_them_is_for_games_at_home() -> None:
    assert [name for name in names() if rule_set(name).home] == ["home"]
    with pytest.raises(ConfigError, match="unknown key 'home'"):
        with_overrides(rule_set("fide_std"), "home: yes", FILE)


@pytest.mark.parametrize("name", names())
def test_every_parameter_has_a_value_and_an_article(name: str) -> None:
    shipped = rule_set(name)
    assert shipped.name == name
    assert shipped.title
    assert set(shipped.articles) == {parameter.name for parameter in PARAMETERS}
    assert all(shipped.articles.values())


# The table of parameters of the alert catalogue, line by line: classic, standard, A.4, A.5.
@pytest.mark.parametrize(
    ("parameter", "values"),
    [
        ("illegal_move_completed_by", ("press", "press", "press", "press")),
        ("remedy_window", ("end_of_game", "end_of_game", "end_of_game", "opponents_next_move")),
        ("unknown_position", ("replay", *["last_identifiable"] * 3)),
        ("illegal_move_minutes", (0, 2, 1, 1)),
        ("illegal_moves_that_lose", (None, 2, 2, 2)),
        ("promotion_not_replaced", ("cancel", *["queen_and_illegal"] * 3)),
        ("press_without_move", ("by_analogy", *["illegal_move"] * 3)),
        ("long_balance_moves", (75, None, None, None)),
        ("automatic_repetitions", (None, 5, 5, 5)),
        ("automatic_moves", (None, 75, 75, 75)),
        ("dead_position", ("draw",) * 4),
        ("flag_draw", ("bare_king", *["any_series"] * 3)),
        ("wrong_claim_minutes", (5, 2, 1, 1)),
        ("wrong_claim_clock", ("claimant", *["opponent"] * 3)),
        ("wrong_array", ("replay", *["new_game"] * 3)),
        ("wrong_array_moves", (None, None, None, 10)),
        ("colours_reversed_moves", (None, 10, 10, 10)),
        ("colours_reversed_percent", (25, None, None, None)),
        ("default_minutes", (60, 0, 0, 0)),
        ("record_exempt_increment_below", (None, 30, 30, 30)),
        ("players_record", ("must", "must", "must", "need_not")),
        ("both_kings_in_check", (*["illegal_move"] * 3, "wait_then_draw")),
        (
            "player_stops_clock",
            ("resignation", "arbiter_only", "arbiter_only", "arbiter_or_flag"),
        ),
    ],
)
def test_the_table_of_parameters(parameter: str, values: tuple[object, ...]) -> None:
    sets = ("classic", "fide_std", "rapid_a4", "rapid_a5")
    assert tuple(getattr(rule_set(name), parameter) for name in sets) == values


def test_blitz_is_rapid_but_for_the_minutes_its_text_does_not_change() -> None:
    assert rule_set("blitz_b2").illegal_move_minutes == 2
    assert rule_set("blitz_b3").illegal_move_minutes == 1
    assert rule_set("blitz_b3").remedy_window == "opponents_next_move"
    assert {rule_set(name).rate for name in ("blitz_b2", "blitz_b3")} == {"blitz"}


def test_an_unknown_rule_set_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownRuleSetError, match=r"no rule set 'fide'; there are .*fide_std"):
        rule_set("fide")


def written(parameter: Parameter) -> st.SearchStrategy[object]:
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    numbers = st.integers(parameter.low, parameter.high)
    return numbers | st.none() if parameter.optional else numbers


@given(
    name=st.sampled_from(names()),
    values=st.fixed_dictionaries({}, optional={p.name: written(p) for p in PARAMETERS}),
)
def test_an_event_may_override_every_parameter(name: str, values: dict[str, object]) -> None:
    text = yaml.safe_dump({k: "none" if v is None else v for k, v in values.items()})
    base = rule_set(name)
    changed = with_overrides(base, text, FILE)
    for parameter in PARAMETERS:
        key = parameter.name
        given_here = key in values
        assert getattr(changed, key) == (values[key] if given_here else getattr(base, key))
        assert changed.articles[key] == (EVENT_REGULATIONS if given_here else base.articles[key])
    assert base == rule_set(name)


def test_all_mistakes_are_reported_at_once_each_with_a_remedy() -> None:
    text = "wrong_claim_minute: 3\nflag_draw: bare-king\nclaim_moves: none\ndefault_minutes: 601\n"
    words = "bare_king or any_series"
    assert problems(text) == [
        "event.yaml:1:1: unknown key 'wrong_claim_minute'; did you mean 'wrong_claim_minutes'?",
        f"event.yaml:2:12: 'flag_draw' is 'bare-king': did you mean 'bare_king'?; write {words}",
        "event.yaml:3:14: 'claim_moves' is 'none'; write a whole number from 1 to 200",
        "event.yaml:4:18: 'default_minutes' is '601'; write a whole number from 0 to 600",
    ]


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("illegal_moves_that_lose: never", "write a whole number from 1 to 9 or none"),
        ("wrong_array: maybe", "write replay or new_game"),
        ("", "write parameters of the rule set, as in 'default_minutes: 30'"),
        ("- press", "write parameters of the rule set, as in 'default_minutes: 30'"),
    ],
)
def test_what_to_write_is_said(text: str, remedy: str) -> None:
    (problem,) = problems(text)
    assert problem.endswith(remedy)
