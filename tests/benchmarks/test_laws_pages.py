"""The pages of the rule sets and alerts say what the program judges by."""

import re
from pathlib import Path

import pytest

from benchmarks import laws_pages
from benchmarks.laws_pages import FOLDER, PAGES, main
from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.laws.rulesets import PARAMETERS


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_the_program_judges_by(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name](), (
        "write the pages again: python -m benchmarks.laws_pages"
    )


def test_the_command_writes_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws_pages, "FOLDER", tmp_path)
    assert main() == 0
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == {
        name: page() for name, page in PAGES.items()
    }


def test_every_parameter_has_its_row_in_both_tables() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGES["rule-sets.md"](), re.MULTILINE)
    assert all(rows.count(parameter.name) == 2 for parameter in PARAMETERS)


def test_every_alert_has_its_row_in_three_tables() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGES["alerts.md"](), re.MULTILINE)
    assert {code: rows.count(code) for code in CATALOGUE} == dict.fromkeys(CATALOGUE, 3)
