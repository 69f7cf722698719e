"""``python -m benchmarks.laws_pages``: write the pages of rule sets, alerts and rules.

They are derived from what the program judges by, and tests compare them with it.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from benchmarks.rules_covered import rules_page
from bridge.config.rulesets import NO_RULE, names, rule_set
from bridge.core.laws.articles import ARTICLES, Book
from bridge.core.laws.catalogue import CATALOGUE, PARTS, AlertKind
from bridge.core.laws.rulesets import PARAMETERS, Parameter, RuleSet

FOLDER = Path(__file__).resolve().parents[1] / "docs"

_RULE_SETS = """\
# Rule sets

What the arbiter's assistant judges by. This page is written by `python -m benchmarks.laws_pages`
from `bridge/config/laws`, and a test compares it with what is shipped.

## Choosing one

The configuration names the rule set of the event, of groups of tables and of single tables; without
a name it is that of the time control: base time and sixty increments of an hour or more are
standard play, of ten minutes or less blitz, and what lies between is rapid. `supervised: true` says
that an arbiter watches as A.4 and B.2 ask for; that cannot be seen. `rules` overrides single
parameters; a table's win over its group's, and those over the event's. `eboard-bridge check-config`
lists every mistake at once.

```yaml
event:
  rule_set: rapid_a4
  rules: {default_minutes: 15, illegal_moves_that_lose: 3}
groups:
  - group: Juniors
    rules: {default_minutes: 30}
tables:
  - table: "1"
    board: {serial: "12345"}
    rule_set: blitz_b2
    rules: {illegal_move_minutes: 1}
  - table: "2"
    board: {serial: "12346"}
    group: Juniors
```

What a table is played under is kept in the journal, so that a replay judges by the same rules.
"""

_ALERTS = """\
# Alerts

What the program tells the arbiter, and who may see it. It suggests, the arbiter decides: no alert
ends a game, changes a clock or counts an offence. This page is written by
`python -m benchmarks.laws_pages` from `bridge/core/laws/catalogue`, and a test compares it with
that. [names.md](names.md) says which of these the program raises today. What no sensor tells is
entered by a person: the orders for it are named with the alerts, their fields in
[names.md](names.md#orders).

Severity: `critical` the game cannot go on as it should, or is over; `warning` the arbiter should
come and look; `notice` worth knowing; `silent` kept for the arbiter's own decisions, never shown of
itself; `tech` equipment. Who may see it: **A** the arbiter, **O** the operator too. Nothing of this
page is for players, spectators or the broadcast.

Rules: **F** FIDE's Laws, **5** these under A.5 or B.3, **C** the classic code. Where FIDE's
articles differ under A.5 or B.3, those are added to the others.
"""


def rule_sets_page() -> str:
    """Return the text of ``docs/rule-sets.md``."""
    sets = [rule_set(name) for name in names()]
    parts = [
        _RULE_SETS,
        "## The rule sets\n",
        _table(
            ("name", "title", "rate"), [(f"`{s.name}`", s.title, s.rate or "any") for s in sets]
        ),
        f"\n## The values\n\n`{NO_RULE}`: there is no such rule.\n",
        _table(
            ("parameter", *(s.name for s in sets)),
            [(f"`{p.name}`", *(f"`{_value(s, p)}`" for s in sets)) for p in PARAMETERS],
        ),
        "\n## What they mean and where they stand\n",
        _table(
            ("parameter", "what it says", "may be", "articles"),
            [(f"`{p.name}`", p.sentence, _may_be(p), _places(p, sets)) for p in PARAMETERS],
        ),
    ]
    return "\n".join(parts) + "\n"


def alerts_page() -> str:
    """Return the text of ``docs/alerts.md``."""
    sections = (text for title, kinds in PARTS.items() for text in _section(title, kinds))
    reasons = [
        (f"`{reason}`", cited.fide or "-", cited.a5 or "-", cited.classic or "-")
        for reason, cited in ARTICLES.items()
        if reason not in CATALOGUE
    ]
    head = ("reason", "FIDE", "A.5, B.3 add", "classic code")
    last = ("\n## Articles of single reasons\n", _table(head, reasons))
    return "\n".join((_ALERTS.rstrip(), *sections, *last)) + "\n"


PAGES = {
    "rule-sets.md": rule_sets_page,
    "alerts.md": alerts_page,
    "rules-covered.md": rules_page,
}
"""The pages by their names in ``docs/``."""


def _section(title: str, kinds: Sequence[AlertKind]) -> Iterator[str]:
    yield f"\n## {title}\n"
    yield _table(
        ("code", "what", "severity", "seen by", "rules", "reasons"),
        [
            (
                f"`{kind.code}`",
                kind.title,
                _severities(kind),
                _seen_by(kind),
                _rules(kind),
                ", ".join(f"`{reason}`" for reason in kind.reasons),
            )
            for kind in kinds
        ],
    )
    yield ""
    yield _table(
        ("code", "raised when", "suggests", "stands until"),
        [(f"`{k.code}`", _raised_when(k), k.suggest, _deadline(k)) for k in kinds],
    )
    yield ""
    yield _table(
        ("code", "FIDE", "A.5, B.3 add", "classic code"),
        [
            (f"`{k.code}`", k.cited.fide or "-", k.cited.a5 or "-", k.cited.classic or "-")
            for k in kinds
        ],
    )


def _raised_when(kind: AlertKind) -> str:
    if not kind.entries:
        return kind.detect
    return f"{kind.detect} Entered with {', '.join(f'`{entry}`' for entry in kind.entries)}."


def _severities(kind: AlertKind) -> str:
    said = f"`{kind.severity}`"
    if kind.severity_classic is not None:
        said += f"; classic code: `{kind.severity_classic}`"
    if kind.otherwise is not None:
        severity, when = kind.otherwise
        said += f"; `{severity}` if {when}"
    return said


def _seen_by(kind: AlertKind) -> str:
    if kind.before_start is None:
        return kind.visibility
    return f"{kind.before_start} before the start, then {kind.visibility}"


def _rules(kind: AlertKind) -> str:
    letters: dict[Book, str] = {"fide": "F", "a5": "5", "classic": "C"}
    return " ".join(letters[book] for book in kind.books)


def _deadline(kind: AlertKind) -> str:
    """Return until when it stands, with the rule sets where they differ."""
    sets = [rule_set(name) for name in names()]
    held = [rules for rules in sets if rules.book in kind.books]
    return _by_sets((rules.name, kind.lapses(rules)) for rules in held)


def _places(parameter: Parameter, sets: Sequence[RuleSet]) -> str:
    return _by_sets((rules.name, rules.articles[parameter.name]) for rules in sets)


def _by_sets(said: Iterable[tuple[str, str]]) -> str:
    """Return what is said of rule sets, each text once with the names it holds for."""
    ordered = sorted(said, key=lambda each: each[1])
    texts = {text: [name for name, _ in same] for text, same in groupby(ordered, lambda e: e[1])}
    if len(texts) == 1:
        return ordered[0][1]
    return "; ".join(f"{', '.join(names_)}: {text}" for text, names_ in texts.items())


def _value(rules: RuleSet, parameter: Parameter) -> str:
    value = getattr(rules, parameter.name)
    return NO_RULE if value is None else str(value)


def _may_be(parameter: Parameter) -> str:
    if parameter.choices:
        return " or ".join(f"`{choice}`" for choice in parameter.choices)
    none = f" or `{NO_RULE}`" if parameter.optional else ""
    return f"{parameter.low} to {parameter.high}{none}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    ruler = f"|{'---|' * len(head)}"
    return "\n".join((_row(head), ruler, *map(_row, rows)))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def main() -> int:
    """Write the pages."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
