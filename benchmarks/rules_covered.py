"""Every rule of the rules catalogue: what judges it, what shows that, or why no board can see it.

``rules_covered.yaml`` says it by the numbers of the catalogue, in the words of this project;
``docs/rules-covered.md`` is written from it.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import yaml

DATA = Path(__file__).with_name("rules_covered.yaml")
SUBJECTS = {
    1: "Board and men",
    12: "Moving",
    37: "When a move is made, and when completed",
    46: "Touching",
    56: "The end of the game",
    70: "What cannot be",
    82: "Draws, claims and late arrival",
    98: "Clocks",
    118: "Recording and notation",
    134: "Conduct and arbiter",
    147: "",
}
"""The first rule of each subject; the last number is no rule any more."""

_HEAD = """\
# Rules and where they are judged

The rules of the classic code, of the condensed code of 2005 to 2009 and of FIDE's Laws of 2023 that
alerts and rulings rest on, each with what judges it and one case or test that shows it. This page
is written by `python -m benchmarks.laws_pages` from `benchmarks/rules_covered.yaml`; a test
compares the two and looks every name up.

Names of cases, such as `MOV-106`, stand in `tests/bridge/core/positions.yaml` and
`further_positions.yaml`, and `python -m benchmarks.verdicts` runs them; the others are tests. What
judges is named below `bridge.core`. Whether a rule holds, and how far, is said by the
[rule set](rule-sets.md); what the arbiter is told of it is in [alerts.md](alerts.md).
"""


class Rule(NamedTuple):
    """One rule: ``says`` it in short.

    ``judged_by``: the function or class below ``bridge.core``, ``shown_by``: a case or a test;
    or ``unseen``: why it is left to people.
    """

    rule: int
    says: str
    judged_by: str = ""
    shown_by: str = ""
    unseen: str = ""


@cache
def rules() -> tuple[Rule, ...]:
    """Return all rules in their order."""
    rows = yaml.safe_load(DATA.read_text(encoding="utf-8"))
    return tuple(Rule(**row) for row in rows)


def rules_page() -> str:
    """Return the text of ``docs/rules-covered.md``."""
    left = sum(bool(rule.unseen) for rule in rules())
    counted = f"Of {len(rules())} rules {len(rules()) - left} are judged, {left} are for people."
    return "\n".join((_HEAD, counted, *_sections())) + "\n"


def _sections() -> Iterator[str]:
    for first, after in pairwise(SUBJECTS):
        yield f"\n## {SUBJECTS[first]}\n"
        yield "| rule | what it says | judged by | shown by |"
        yield "|---|---|---|---|"
        for rule in rules()[first - 1 : after - 1]:
            if rule.unseen:
                yield f"| R-{rule.rule} | {rule.says} | not judged: {rule.unseen} | |"
            else:
                yield (f"| R-{rule.rule} | {rule.says} | `{rule.judged_by}` | `{rule.shown_by}` |")
