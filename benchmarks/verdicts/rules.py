"""The rule sets cases are judged under, by the names they use."""

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from bridge.config.rulesets import names, rule_set, with_overrides
from bridge.core.laws.rulesets import RuleSet

EVERY_CASE: Final = ("fide_std", "rapid_a5", "classic")
"""A case holds under all of these unless it names others."""

_SHIPPED_AS = {"rapid": "rapid_a4", "fide_2005_2009": "fide_2005"}
_GUIDELINES = "fide_guidelines_III"

# A mapping may be general: where it has no entry of its own, a rule set is asked for by these.
_ALSO = {
    "fide_std": ("fide", "all"),
    "rapid_a5": ("rapid", "all"),
}
_GENERAL = frozenset({"fide", "all"})

NOTHING: Final = object()
"""A mapping by rule sets says nothing of this one."""


class Rules(NamedTuple):
    """A rule set under the name that a case uses."""

    name: str
    values: RuleSet


@functools.cache
def known_names() -> frozenset[str]:
    """Return every name a case or the command line may use for a rule set."""
    return frozenset({*names(), *_SHIPPED_AS, _GUIDELINES})


@functools.cache
def rules(name: str) -> Rules:
    """Return the rule set of a name of :func:`known_names`."""
    if name == _GUIDELINES:
        text = "guidelines_iii: announced"
        return Rules(name, with_overrides(rule_set("fide_std"), text, Path(name)))
    return Rules(name, rule_set(_SHIPPED_AS.get(name, name)))


def named_in(expected: Any) -> Iterable[str]:
    """Return the rule sets that are keys anywhere in what a case expects."""
    if isinstance(expected, Mapping):
        for key, value in expected.items():
            if key in known_names():
                yield key
            yield from named_in(value)


def by_rules(expected: Any, name: str) -> Any:
    """Return the part of an expectation that holds under a rule set, or ``NOTHING``.

    A mapping tells rule sets apart if all its keys are names of them; anything else holds under
    all, and in a mixed one the names are keys like others.
    """
    if not isinstance(expected, Mapping) or not expected.keys() <= known_names() | _GENERAL:
        return expected
    for key in (name, *_ALSO.get(name, ("all",))):
        if key in expected:
            return expected[key]
    return NOTHING
