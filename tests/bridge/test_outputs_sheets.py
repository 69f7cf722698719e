"""Printed scoresheets: what comes out of the PDF and the HTML again."""

import re
import shutil
import subprocess
import unicodedata
import zlib
from pathlib import Path
from xml.etree import ElementTree as ET

import chess
import pytest
from fontTools.ttLib import TTFont

from bridge.core.model import TableSetup
from bridge.core.scoresheet.notation.languages import FIGURINES, LANGUAGES
from bridge.core.scoresheet.sheet import Row, Sheet, sheet
from bridge.core.scoresheet.words import WORDS
from bridge.outputs.sheets import pdf
from bridge.outputs.sheets.fonts import FAMILIES, FOLDER, families_for, unprintable
from bridge.outputs.sheets.html import to_html
from bridge.outputs.sheets.layout import cells, reads_rightward, texts
from bridge.outputs.sheets.pdf import to_pdf
from tests.bridge.scoresheets import adopted, ended, line, record_of, timed

SETUP = TableSetup(
    event="Open <&> 2026",
    white="Žižka, Jan",
    black="فیروزجا، علیرضا",
    time_control="5400+30",
    tags={"WhiteElo": "2301"},
)
MOVES = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6 Be3 Bg7 f3 O-O Qd2 Nc6 O-O-O"
PLACEMENT = "8/4P2k/8/8/8/8/6p1/K7"
PAWNS = f"{PLACEMENT} b - - 0 41"
XHTML = "{http://www.w3.org/1999/xhtml}"


def game(language: str, style: str = "long") -> Sheet:
    facts = [*line(MOVES, setup=SETUP, clocks=(5400, 5399)), timed(1, 5_400_000, estimated=True)]
    record = record_of(*facts, adopted(17, PAWNS), ended("1/2-1/2", "arbiter"))
    return sheet(record, language=language, style=style)


def long_game(moves: int) -> Sheet:
    knights = " ".join(["Nf3", "Nf6", "Ng1", "Ng8"] * (moves // 2))
    record = record_of(*line(knights))
    return sheet(record)


def cells_of(made: Sheet) -> list[str]:
    rows = (row for row in made.rows if isinstance(row, Row))
    return [cell for row in rows for cell in cells(row, rightward=made.tongue.rightward)]


def text_of(made: bytes, tmp_path: Path) -> list[str]:
    """Return the text of each page, as a reader of PDF finds it, without marks of direction."""
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("pdftotext (poppler-utils) is not installed")
    file = tmp_path / "sheet.pdf"
    file.write_bytes(made)
    run = subprocess.run(
        [program, "-raw", str(file), "-"], capture_output=True, text=True, check=True
    )
    plain = "".join(c for c in run.stdout if unicodedata.category(c) != "Cf")
    return plain.split("\f")[:-1]


# --- fonts --------------------------------------------------------------------------------------


def test_the_fonts_have_every_letter_of_every_language() -> None:
    for code, language in LANGUAGES.items():
        letters = "".join([*WORDS[code], *language.letters.values(), *language.signs])
        assert unprintable(letters) == "", code
    assert unprintable([*FIGURINES.values(), "½–†*~(=)…\u200e"]) == ""
    assert unprintable(["a日b", "本日"]) == "日本"


def test_the_fonts_are_small_and_come_with_their_licence() -> None:
    files = {file.name for file in FOLDER.iterdir()} - {"OFL.txt", "README.md"}
    assert files == {file.name for family in FAMILIES for file in (family.regular, family.bold)}
    assert sum((FOLDER / name).stat().st_size for name in files) < 1_000_000
    licence = (FOLDER / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE" in licence
    for name in files:
        with TTFont(FOLDER / name) as font:
            assert "Noto" in font["name"].getDebugName(1)
            assert name in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("language", "first"), [("en", "sans"), ("hi", "devanagari"), ("fa", "arabic")]
)
def test_a_line_is_set_in_the_font_of_its_language(language: str, first: str) -> None:
    found = families_for(language)
    assert found[0].name == first
    assert set(found) == set(FAMILIES)


@pytest.mark.parametrize(
    ("text", "rightward"),
    [("", True), ("2026 (5)", True), ("Ž 5", True), ("(5) سفید a", False), ("שחמט", False)],
)
def test_the_first_letter_gives_the_direction(text: str, *, rightward: bool) -> None:
    assert reads_rightward(text) == rightward


# --- PDF ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de", "fr", "ru", "pl", "cs", "hu", "tr", "sw"])
def test_the_text_of_the_pdf_is_that_of_the_sheet(language: str, tmp_path: Path) -> None:
    made = game(language)
    (page,) = text_of(to_pdf([made]), tmp_path)
    words = page.split()
    for cell in cells_of(made):
        assert set(cell.split()) <= set(words), cell
    for text in (made.title, "Open <&> 2026", "Žižka, Jan", "Elo 2301", PLACEMENT, "½-½"):
        assert set(text.split()) <= set(words), text
    for label in (*made.signatures, *(label for label, _ in made.header[:6])):
        assert set(label.split()) <= set(words), label


def test_persian_letters_and_words_are_whole(tmp_path: Path) -> None:
    (page,) = text_of(to_pdf([game("fa")]), tmp_path)
    for word in ("سفید", "سیاه", "زمان", "نتیجه", "مسابقه", "داور", "فیروزجا", "e2-e4"):
        assert word in page, word
    shaped = [c for c in page if 0xFB50 <= ord(c) <= 0xFEFF]
    assert shaped == []  # text is found as letters, not as the forms they were drawn with


@pytest.mark.parametrize(
    ("language", "words"), [("hi", ["सफ़ेद", "समय", "1:29:59"]), ("ml", ["സമയം", "1:29:59"])]
)
def test_indian_letters_are_found_again(language: str, words: list[str], tmp_path: Path) -> None:
    (page,) = text_of(to_pdf([game(language)]), tmp_path)
    found = "".join(page.split())  # the reader takes some vowel signs for words of their own
    for word in words:
        assert unicodedata.normalize("NFD", word) in unicodedata.normalize("NFD", found), word


def test_figurines_are_found_again(tmp_path: Path) -> None:
    (page,) = text_of(to_pdf([game("en", "figurine")]), tmp_path)
    assert {"♘f3", "♕d2", "0-0-0"} <= set(page.split())


def test_a_long_game_goes_on_on_the_next_page(tmp_path: Path) -> None:
    per_page = 2 * pdf.ROWS
    first, second = text_of(to_pdf([long_game(per_page + 2)]), tmp_path)
    assert ("Page 1/2" in first, "Page 2/2" in second) == (True, True)
    assert f"{per_page}." in first.split()
    assert f"{per_page + 1}." in second.split()
    (only,) = text_of(to_pdf([long_game(per_page)]), tmp_path)
    assert "Page" not in only


def test_each_game_has_a_page_also_without_moves(tmp_path: Path) -> None:
    record = record_of(*line("", fen=PAWNS))
    pages = text_of(to_pdf([sheet(record), game("ru")]), tmp_path)
    assert [page.split()[0] for page in pages] == ["Scoresheet", "Бланк"]
    assert f"Start position: {PAWNS}" in pages[0]


def test_words_that_are_too_long_are_made_smaller() -> None:
    setup = TableSetup(event="An event with a very long name " * 9)
    record = record_of(*line("e4", setup=setup))
    sizes = {float(size) for size in re.findall(rb"/F\d+ ([\d.]+) Tf", uncompressed(sheet(record)))}
    assert min(sizes) < 5 < max(sizes)


def uncompressed(made: Sheet) -> bytes:
    content = to_pdf([made])
    streams = re.findall(rb"stream\n(.*?)\nendstream", content, re.DOTALL)
    return b"".join(zlib.decompress(s) for s in streams if s[:1] == b"\x78")


# --- HTML ---------------------------------------------------------------------------------------


def parsed(text: str) -> ET.Element:
    assert text.startswith("<!DOCTYPE html>\n")
    return ET.fromstring(text.removeprefix("<!DOCTYPE html>\n"))  # noqa: S314 - our own text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_well_formed_and_holds_the_sheet(language: str) -> None:
    made = game(language)
    root = parsed(to_html([made]))
    found = set(filter(None, (text.strip() for text in root.itertext())))
    assert set(filter(None, cells_of(made))) <= found
    assert {made.title, "Open <&> 2026", "Žižka, Jan", "Elo 2301", *made.signatures} <= found
    (article,) = root.iter(f"{XHTML}article")
    assert article.get("dir") == ("rtl" if language == "fa" else "ltr")
    assert article.get("lang") == language


def test_the_page_loads_nothing_and_brings_its_fonts() -> None:
    text = to_html([game("hi", "figurine")])
    assert re.findall(r"url\((?!data:font/woff;base64,)", text) == []
    assert re.findall(r"(?:src|href)=", text) == []
    faces = re.findall(r"font-family: (\w+); font-weight: (\w+)", text)
    assert faces == [
        ("devanagari", "normal"),
        ("sans", "normal"),
        ("sans", "bold"),
        ("arabic", "normal"),  # Black's name
        ("symbols", "normal"),
    ]
    assert "font-family: devanagari, sans" in text


def test_signs_stay_behind_their_squares_from_right_to_left() -> None:
    record = record_of(*line("e4 f5 Qh5+"))
    text = to_html([sheet(record, language="fa")])
    assert ">وh5+\u200e<" in text
    assert "\u200e" not in to_html([sheet(record, language="ru")])


def test_games_stand_one_below_the_other() -> None:
    root = parsed(to_html([game("en"), long_game(82)]))
    tables = [len(list(a.iter(f"{XHTML}table"))) for a in root.iter(f"{XHTML}article")]
    assert tables == [1, 1]
    assert root.findtext(f"{XHTML}head/{XHTML}title") == "Scoresheet"
    one = parsed(to_html([game("en")]))
    assert one.findtext(f"{XHTML}head/{XHTML}title") == "Scoresheet: Žižka, Jan – فیروزجا، علیرضا"
    assert parsed(to_html([])).findtext(f"{XHTML}head/{XHTML}title") == ""


def test_all_that_is_written_is_known_beforehand() -> None:
    made = game("de")
    everything = set("".join(texts(made)))
    root = parsed(to_html([made]))
    body = root.find(f"{XHTML}body")
    assert body is not None
    assert {c for text in body.itertext() for c in text} - everything <= set("\n·")
    assert chess.STARTING_BOARD_FEN not in "".join(texts(made))
