"""The sources of the pages: texts in every language, and no address of any other host."""

import json
import re
from pathlib import Path

import pytest

from bridge.core.laws.catalogue import CATALOGUE

PAGE = Path(__file__).resolve().parents[2] / "bridge" / "web" / "page"
TEXTS = sorted((PAGE / "texts").glob("*.json"))
SOURCES = sorted(path for path in (PAGE / "src").rglob("*.ts"))
PLACE = re.compile(r"\{(\w+)\}")
# Put together from what a value is called, where the compiler cannot see it.
MADE = re.compile(r"t\(`([\w.]+)\.\$\{|of\(\"(\w+)\"\)")


def texts(path: Path) -> dict[str, str]:
    read: dict[str, str] = json.loads(path.read_text("utf-8"))
    return read


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
