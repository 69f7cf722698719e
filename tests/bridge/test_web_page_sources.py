"""The sources of the pages: texts in every language, and no address of any other host."""

import json
import re
from functools import cache
from pathlib import Path

import chess
import pytest

from bridge.core.laws.catalogue import CATALOGUE
from tests.measuring import not_measured
from tests.said import Sayings, letters, templates

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "bridge" / "web" / "page"
TEXTS = sorted((PAGE / "texts").glob("*.json"))
SOURCES = sorted(path for path in (PAGE / "src").rglob("*.ts"))
LEAST = 5
"""Letters of a sentence that are always the same: any sentence would be like one with fewer."""
NOT_SEEN = ("both players are", "{side} is")
MORE = ("more", "less", "fewer")
FAULTS = (
    *("king and queen are exchanged", "bishop and knight are exchanged"),
    *("a wrong man stands in the array", "a man stands where none belongs"),
)
PUT_TOGETHER = {
    *(f"a {colour} {man}" for colour in chess.COLOR_NAMES for man in chess.PIECE_NAMES[1:]),
    *(f"{result}: {{why}}" for result in ("1-0", "0-1", "1/2-1/2", "the arbiter judges")),
    *("{made} of {needed}", "{one} or {other}", "{one} and {other}"),
    *(
        "both players are absent",
        "{port}: the other end is gone",
        "{side} offers a draw with {move}",
    ),
    *(f"{who} not known to be there: no move since the turn began" for who in NOT_SEEN),
    *(f"{{left}} for {colour}" for colour in chess.COLOR_NAMES),
    *("{left} for white and {right} for black", "{left} for black and {right} for white"),
    *(f"{fault}: {{what}}" for fault in FAULTS),
    "the time ran out ({moves})",
    *("both players have {left} left", "{said}, if the record is right", "the move to come"),
    *(f"{more} {what}" for more in MORE for what in ("time", "points")),
}
"""What the program makes of parts that nobody would know again."""
SAYING = (
    *(
        "bridge/core/inference",
        "bridge/core/laws",
        "bridge/core/table",
        "bridge/cli",
        "bridge/daemon",
        "bridge/links",
    ),
    *("bridge/outputs", "bridge/store", "bridge/web", "drivers/transports"),
)
"""Folders that say what people read on the pages, in the log too."""
PLACE = re.compile(r"\{(\w+)\}")
# Put together from what a value is called, where the compiler cannot see it.
MADE = re.compile(r"t\(`([\w.]+)\.\$\{|of\(\"(\w+)\"\)")


def texts(path: Path) -> dict[str, str]:
    read: dict[str, str] = json.loads(path.read_text("utf-8"))
    return read


SAID: dict[str, dict[str, str]] = {
    path.stem: json.loads((PAGE / "texts" / "alerts" / path.name).read_text("utf-8"))["said"]
    for path in TEXTS
}
ENGLISH = texts(PAGE / "texts" / "en.json")


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_language_says_everything(path: Path) -> None:
    assert list(texts(path)) == list(ENGLISH), "the same keys in the same order"
    for key, text in texts(path).items():
        assert text, key
        assert sorted(PLACE.findall(text)) == sorted(PLACE.findall(ENGLISH[key])), key


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_language_names_every_alert(path: Path) -> None:
    named = json.loads((PAGE / "texts" / "alerts" / path.name).read_text("utf-8"))
    reasons = {reason for kind in CATALOGUE.values() for reason in kind.reasons}
    assert list(named["title"]) == list(CATALOGUE), "the same alerts in the same order"
    assert set(named["reason"]) == reasons
    assert all([*named["title"].values(), *named["reason"].values()])


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_language_has_every_sentence(path: Path) -> None:
    said = SAID[path.stem]
    assert list(said) == list(SAID["en"]), "the same sentences in the same order"
    for english, text in said.items():
        assert text, english
        assert set(PLACE.findall(text)) <= set(PLACE.findall(english)), english
    if path.stem == "en":
        assert list(said.values()) == list(said)


def test_sentences_are_those_of_the_program() -> None:
    known = [english for english in SAID["en"] if " " in english and english not in PUT_TOGETHER]
    assert [each for each in known if not is_said(PLACE.sub("~", each))] == []


@cache
def sentences() -> Sayings:
    """What the program says of a case, whole or in parts."""
    said = templates(file for folder in SAYING for file in (ROOT / folder).rglob("*.py"))
    parts = {part for whole in said for part in (whole, *whole.split("; "))}
    return Sayings(part for part in parts if letters(part) >= LEAST)


@not_measured()
def is_said(text: str) -> bool:
    """Whether the program says *text*, as it is or put together from two."""
    rests = {text[found.end() :] for found in sentences().beginnings(text)}
    return bool(rests & {"", "~"}) or any(map(sentences().have, rests))


def test_alerts_are_called_in_english_as_the_catalogue_calls_them() -> None:
    named = json.loads((PAGE / "texts" / "alerts" / "en.json").read_text("utf-8"))
    assert named["title"] == {code: kind.title for code, kind in CATALOGUE.items()}


def test_the_languages_that_are_promised_are_there() -> None:
    assert {"de", "en", "es"} <= {path.stem for path in TEXTS}


def test_every_text_is_used() -> None:
    code = "\n".join(path.read_text("utf-8") for path in SOURCES)
    made = ("hall.", *(f"{one or other}." for one, other in MADE.findall(code)))
    unused = [key for key in ENGLISH if f'"{key}"' not in code and not key.startswith(made)]
    assert unused == []


def test_the_pages_name_no_other_host() -> None:
    for path in [*SOURCES, *PAGE.glob("src/*.css"), *PAGE.glob("*.html")]:
        found = re.findall(r"(?:https?:|wss?:)?//[\w.-]+\.\w+", path.read_text("utf-8"))
        assert [each for each in found if "www.w3.org" not in each] == [], path


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((PAGE / "package-lock.json").read_text("utf-8"))
    for name, package in lock["packages"].items():
        assert "resolved" not in package, name
        assert not name or package["integrity"], name


def test_versions_are_exact() -> None:
    package = json.loads((PAGE / "package.json").read_text("utf-8"))
    for name, version in (package["dependencies"] | package["devDependencies"]).items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
