"""``python -m benchmarks.verdicts FILE.yaml``: judge cases of the Laws."""

import argparse
import sys
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.verdicts.cases import Case, CaseFileError, load
from benchmarks.verdicts.groups import judge, says_something
from benchmarks.verdicts.rules import Rules, known_names
from benchmarks.verdicts.sense import Difference
from bridge.cli.frame import complain, say

UNUSABLE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the cases that were asked for, print the failing ones and the sum."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.verdicts",
        description="Run cases in the format of tests/bridge/core/positions.yaml through the "
        "public functions and print each that comes out differently. A case passes if it does "
        "under every rule set it names, or under all where it names none.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.yaml")
    parser.add_argument("--rule-set", choices=sorted(known_names()), help="only under this one")
    parser.add_argument("--group", help="only cases of this group")
    options = parser.parse_args(arguments)
    try:
        cases = load(options.file)
    except CaseFileError as error:
        complain(str(error))
        return UNUSABLE
    if options.group:
        groups = sorted({case.group for case in cases})
        cases = [case for case in cases if case.group == options.group]
        if not cases:
            complain(f"no case of group {options.group!r}; there are {', '.join(groups)}")
            return UNUSABLE
    cases = [case for case in cases if says_something(case, options.rule_set)]
    failed = sum(not _passes(case, options.rule_set) for case in cases)
    say(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


def _passes(case: Case, rule_set: str | None) -> bool:
    try:
        found = list(judge(case, rule_set))
    except Exception:  # noqa: BLE001 - top of one case: the others are judged all the same
        say(f"{case.id} ({case.group})")
        say(traceback.format_exc())
        return False
    if found:
        say(f"{case.id} ({case.group})")
        _show(found)
    return not found


def _show(found: Iterable[tuple[Rules, Difference]]) -> None:
    """Print each difference once, with all rule sets under which it is the same."""
    under: dict[str, list[str]] = {}
    for rules, (what, expected, got) in found:
        text = f"{what}\n    expected {expected!r}\n    got      {got!r}"
        under.setdefault(text, []).append(rules.name)
    for text, names in under.items():
        say(f"  under {', '.join(names)}: {text}")


if __name__ == "__main__":
    sys.exit(main())
