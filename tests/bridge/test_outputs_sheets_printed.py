"""Scoresheets of HTML as a browser prints them: any page is read in the order of the moves."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bridge.core.scoresheet.sheet import Sheet, sheet
from bridge.outputs.sheets.html import to_html
from tests.bridge.scoresheets import ended, line, record_of
from tests.browser import print_page

XHTML = "{http://www.w3.org/1999/xhtml}"
NUMBER = re.compile(r"(\d+)\.|\.(\d+)")
"""The number of a move, as it stands in a line from left to right or from right to left."""
MOVES = 90


def long_game(language: str) -> Sheet:
    knights = " ".join(["Nf3", "Nf6", "Ng1", "Ng8"] * (MOVES // 2))
    clocks = tuple(9000 - 20 * ply for ply in range(2 * MOVES))
    record = record_of(*line(knights, clocks=clocks), ended("1/2-1/2", "arbiter"))
    return sheet(record, language=language)


def words_of(file: Path) -> Iterator[list[tuple[float, float, str]]]:
    """Yield the words of each page with their left and upper ends."""
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("pdftotext (poppler-utils) is not installed")
    run = subprocess.run([program, "-bbox", str(file), "-"], capture_output=True, check=True)
    for page in ET.fromstring(run.stdout).iter(f"{XHTML}page"):  # noqa: S314 - our own file
        yield [
            (float(word.attrib["xMin"]), float(word.attrib["yMin"]), word.text or "")
            for word in page.iter(f"{XHTML}word")
        ]


def numbers(words: list[tuple[float, float, str]], *, rightward: bool) -> list[int]:
    """Return the numbers of the moves as a reader comes by them, column by column."""
    found = [(x, y, match) for x, y, word in words if (match := NUMBER.fullmatch(word))]
    middle = 300.0  # points; both kinds of paper are twice as wide
    ordered = sorted(found, key=lambda each: ((each[0] > middle) == rightward, each[1]))
    return [int(match[1] or match[2]) for _, _, match in ordered]


@pytest.mark.parametrize("paper", ["A4", "letter"])
@pytest.mark.parametrize("language", ["en", "fa"])
def test_pages_are_read_in_order(language: str, paper: str, tmp_path: Path) -> None:
    page = tmp_path / "sheets.html"
    chosen = f"@page {{ size: {paper}; "
    html = to_html([long_game(language)]).replace("@page { ", chosen)
    assert chosen in html
    page.write_text(html, encoding="utf-8")
    pages = list(words_of(print_page(page, tmp_path)))
    found = [numbers(words, rightward=language == "en") for words in pages]
    assert [number for each in found for number in each] == list(range(1, MOVES + 1))
    assert len(pages) == 2
    assert min(map(len, found)) > 20


def test_each_game_begins_a_page_and_ends_with_its_signatures(tmp_path: Path) -> None:
    page = tmp_path / "sheets.html"
    made = [long_game("en"), sheet(record_of(*line("e4 e5")))]
    page.write_text(to_html(made), encoding="utf-8")
    first, second, third = ([word for _, _, word in words] for words in words_of(
        print_page(page, tmp_path)
    ))  # fmt: skip
    assert [words[0] for words in (first, third)] == ["Scoresheet"] * 2
    assert second[0] == "White"  # the head of the table is repeated
    assert ["Arbiter" in words for words in (first, second, third)] == [False, True, True]
