"""Who answers what: for each group of cases, the function behind each key of ``expect``."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.verdicts.cases import Answer, Case
from benchmarks.verdicts.clock import clock
from benchmarks.verdicts.counts import COUNTS
from benchmarks.verdicts.ends import DEAD, ENDS, RESIGNATION
from benchmarks.verdicts.moves import GAP, MOVES, TOUCH
from benchmarks.verdicts.rules import EVERY_CASE, NOTHING, Rules, by_rules, named_in, rules
from benchmarks.verdicts.sense import Difference, differences
from benchmarks.verdicts.sequences import SEQUENCE
from benchmarks.verdicts.setups import SETUP
from benchmarks.verdicts.written import written

GROUPS: dict[str, Mapping[str, Answer]] = {
    **dict.fromkeys(("moves", "check", "castling", "en_passant", "promotion", "chess960"), MOVES),
    "setup": SETUP,
    "touch_move": TOUCH,
    "gap": GAP,
    **dict.fromkeys(("repetition", "fifty_moves", "classic_75"), COUNTS),
    **dict.fromkeys(("mate", "stalemate", "flag_fall"), ENDS),
    "dead_position": DEAD,
    "resignation": RESIGNATION,
    "sequence": SEQUENCE,
    "clock": {"clock": clock},
    "notation": {"notation": written},
}


def judge(case: Case, only: str | None = None) -> Iterator[tuple[Rules, Difference]]:
    """Yield where a case does not come out, under every rule set it holds for.

    ``only``: one rule set instead of all. A group or a key that nobody answers is a difference.
    """
    for under in _rule_sets(case, only):
        for difference in _under(case, under):
            yield under, difference


def says_something(case: Case, only: str | None) -> bool:
    """Whether a case expects anything under the rule sets it is to be judged by."""
    return any(_held(case, under) for under in _rule_sets(case, only))


def _rule_sets(case: Case, only: str | None) -> list[Rules]:
    named = [only] if only else dict.fromkeys((*EVERY_CASE, *named_in(case.expect)))
    return [rules(name) for name in named]


def _held(case: Case, under: Rules) -> dict[str, Any]:
    held = {key: by_rules(expected, under.name) for key, expected in case.expect.items()}
    return {key: expected for key, expected in held.items() if expected is not NOTHING}


def _under(case: Case, under: Rules) -> Iterator[Difference]:
    answers = GROUPS.get(case.group)
    if answers is None:
        yield Difference(case.group, "an answer", "nobody answers this group")
        return
    for key, expected in _held(case, under).items():
        if key in answers:
            yield from differences(key, expected, answers[key](case, under))
        else:
            yield Difference(key, expected, "nobody answers this key")
