"""The cases of the Laws come out as expected, and one that does not is shown."""

from pathlib import Path

import pytest
import yaml

from benchmarks.verdicts.__main__ import main
from benchmarks.verdicts.cases import Case, load
from benchmarks.verdicts.groups import GROUPS, judge
from benchmarks.verdicts.rules import NOTHING, by_rules
from benchmarks.verdicts.sense import Words, decides, differences

FOLDER = Path(__file__).parents[1] / "bridge" / "core"
CASES = [*load(FOLDER / "positions.yaml"), *load(FOLDER / "further_positions.yaml")]

CLASSIFY: dict[str, object] = {
    "id": "X-1",
    "group": "clock",
    "clock": {"kind": "classify", "base_min": 3, "increment_s": 2},
    "expect": {"clock": {"rate": "blitz"}},
}


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.group in GROUPS], ids=lambda case: case.id
)
def test_the_case_comes_out_as_expected(case: Case) -> None:
    assert list(judge(case)) == []


def written(folder: Path, *cases: dict[str, object]) -> str:
    file = folder / "cases.yaml"
    file.write_text(yaml.safe_dump({"cases": list(cases)}), encoding="utf-8")
    return str(file)


def test_a_file_that_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([written(tmp_path, CLASSIFY)]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_what_fails_is_shown_with_expected_and_got(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = CLASSIFY | {"id": "X-2", "expect": {"clock": {"rate": "rapid"}}}
    assert main([written(tmp_path, CLASSIFY, wrong), "--rule-set", "classic"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "X-2 (clock)",
        "  under classic: clock.rate",
        "    expected 'rapid'",
        "    got      'blitz'",
        "1 passed, 1 failed",
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"group": "poker"}, "nobody answers this group"),
        ({"expect": {"colour": "red"}}, "nobody answers this key"),
        ({"expect": {"clock": {"phase": "moon"}}}, "no such answer"),
        ({"clock": {"kind": "hourly"}}, "no such answer"),
        ({"clock": {"kind": "classify"}}, "KeyError: 'base_min'"),
    ],
)
def test_what_nobody_can_answer_fails(
    change: dict[str, object],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([written(tmp_path, CLASSIFY | change, CLASSIFY)]) == 1
    out = capsys.readouterr().out
    assert says in out
    assert out.endswith("1 passed, 1 failed\n")


def test_a_case_that_says_nothing_under_the_rule_set_is_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    only_classic = CLASSIFY | {"expect": {"clock": {"classic": {"rate": "blitz"}}}}
    assert main([written(tmp_path, only_classic), "--rule-set", "fide_std"]) == 0
    assert capsys.readouterr().out == "0 passed, 0 failed\n"


def test_one_group(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, CLASSIFY, CLASSIFY | {"group": "poker"})
    assert main([file, "--group", "clock"]) == 0
    assert main([file, "--group", "bridge"]) == 2
    assert "no case of group 'bridge'; there are clock, poker" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"cases: [", "not YAML"),
        (b"\xff", "not YAML"),
        (b"- 1", "must list id, group and expect"),
        (b"cases: [{id: X}]", "must list id, group and expect"),
        (b"cases: []", "no cases"),
        (None, "No such file"),
    ],
)
def test_a_file_that_is_none(
    content: bytes | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.yaml"
    if content is not None:
        file.write_bytes(content)
    assert main([str(file)]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sentence", "decided"),
    [
        ("loss (draw if the opponent cannot mate)", {"loss", "draw"}),
        ("no loss, the requirement was met", {"no_loss"}),
        ("restore, touch-move", {"restore"}),
        ("two minutes again", {"2 min"}),
        ("+1 min to the opponent", {"1 min"}),
        ("+2:00 for Black, -5:00 for White", {"2 min", "5 min"}),
        ("1-0 read literally", {"1-0"}),
        ("1/2-1/2", {"1/2-1/2"}),
        ("exempt for the rest of the period", {"exempt", "for_the_period"}),
        ("something else", set()),
    ],
)
def test_what_a_sentence_decides(sentence: str, decided: set[str]) -> None:
    assert decides(sentence) == decided


@pytest.mark.parametrize(
    ("expected", "got", "agrees"),
    [
        ("draw (6.9)", "a draw", True),
        ("loss (draw if he cannot mate)", "loss", True),
        ("loss (draw if he cannot mate)", "draw: he cannot mate", False),
        ("two minutes, restore", "+2:00 to the opponent; restore; number 3 loses", True),
        ("two minutes again; the third one loses", "loss", False),
        ("loss", "+2:00 to the opponent; number 3 loses", False),
        ("no loss: the moves are made", "loss on time", False),
        ("something", "something", False),  # nobody knows what that decides
        ("draw", "something", False),
    ],
)
def test_sentences_agree_by_what_they_say_first(expected: str, got: str, agrees: bool) -> None:
    assert (not list(differences("x", expected, Words(got)))) is agrees


@pytest.mark.parametrize(
    ("expected", "got", "agrees"),
    [
        (8.56, 8.5556, True),
        (8.56, 8.57, False),
        (1, True, False),
        (False, 0, False),
        (["a"], ["a"], True),
        ({"a": 1}, {"a": 1, "b": 2}, True),
        (None, None, True),
        ("draw", "Draw", False),
    ],
)
def test_values_are_compared_by_kind(expected: object, got: object, agrees: bool) -> None:
    assert (not list(differences("x", expected, got))) is agrees


def test_an_expectation_by_rule_sets() -> None:
    fide = {"fide": 1, "classic": 2}
    assert [by_rules(fide, name) for name in ("fide_std", "classic")] == [1, 2]
    assert by_rules(fide, "rapid_a5") is NOTHING
    mixed = {"pgn": "O-O", "fide": "0-0"}
    assert by_rules(mixed, "classic") is mixed
    assert by_rules({"all": 3}, "blitz_b3") == 3
    assert by_rules({"rapid": 4}, "rapid_a5") == 4
    assert by_rules({"rate": 5}, "classic") == {"rate": 5}
    assert by_rules(6, "classic") == 6
