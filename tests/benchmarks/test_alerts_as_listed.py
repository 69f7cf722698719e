"""What tables raise in the sequences of the Laws is graded and shown as the catalogue lists it."""

from pathlib import Path

import pytest

from benchmarks.verdicts.cases import Case, load
from benchmarks.verdicts.rules import EVERY_CASE, rules
from benchmarks.verdicts.sequences import play
from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.model import AlertRaised

POSITIONS = Path(__file__).parents[1] / "bridge" / "core" / "positions.yaml"
SEQUENCES = [case for case in load(POSITIONS) if case.group == "sequence"]


def raised(case: Case) -> list[tuple[str, AlertRaised]]:
    return [(name, each) for name in EVERY_CASE for each in play(case, rules(name)).raised]


@pytest.mark.parametrize("case", SEQUENCES, ids=lambda case: case.id)
def test_alerts_are_those_of_the_catalogue(case: Case) -> None:
    for name, alert in raised(case):
        kind, book = CATALOGUE[alert.code], rules(name).values.book
        graver = () if kind.otherwise is None else (kind.otherwise[0],)
        assert book in kind.books, (name, alert.code)
        assert alert.severity in (kind.grade(book), *graver), (name, alert.code)
        assert alert.visibility in (kind.visibility, kind.before_start), (name, alert.code)


def test_the_sequences_raise_enough_to_tell() -> None:
    assert len({alert.code for case in SEQUENCES for _, alert in raised(case)}) > 12
