"""The alert catalogue: complete, silent where the Laws demand it, with deadlines by rule set."""

import re
from typing import get_args

import msgspec
import pytest

from bridge.config.rulesets import names, rule_set
from bridge.core.laws.articles import Book
from bridge.core.laws.catalogue import CATALOGUE, PARTS
from bridge.core.laws.catalogue.kinds import Until
from bridge.core.model import Severity, Visibility
from tests.shared import shared


def test_no_code_comes_twice() -> None:
    assert len(CATALOGUE) == sum(map(len, PARTS.values()))


def test_it_has_every_code_of_the_index_with_its_grade_and_class() -> None:
    text = shared("laws/alerts.md").read_text(encoding="utf-8")
    index = text[text.index("## 8. Index") :]
    listed = {}
    for codes, severity, visibility in re.findall(
        r"^\| ([A-Z].*?) \| (.*?) \| (.*?) \|", index, re.MULTILINE
    ):
        for code in codes.split(", "):
            listed[code] = (severity, visibility)
    assert listed.keys() == CATALOGUE.keys()
    for code, (severity, visibility) in listed.items():
        kind = CATALOGUE[code]
        assert kind.severity in severity or severity == "on request", code
        assert (kind.before_start or kind.visibility) == visibility[0], code


@pytest.mark.parametrize("code", CATALOGUE)
def test_a_kind_is_told_in_words(code: str) -> None:
    kind = CATALOGUE[code]
    assert kind.severity in get_args(Severity)
    assert kind.visibility in get_args(Visibility)
    assert kind.until in get_args(Until)
    assert set(kind.books) <= set(get_args(Book))
    assert kind.title
    assert kind.detect.endswith(".")
    assert kind.suggest.endswith(".")


@pytest.mark.parametrize("code", CATALOGUE)
def test_nothing_of_it_is_for_players_or_spectators(code: str) -> None:
    assert all(CATALOGUE[code].seen_by(started=started) in ("A", "O") for started in (True, False))


@pytest.mark.parametrize(
    "code",
    [
        "CLOCK_NOT_PRESSED",
        "TOUCH_MOVE_SUSPECTED",
        "RELEASED_PIECE_MOVED_AGAIN",
        "ADJUST_OUT_OF_TURN",
        "TWO_HANDS_SUSPECTED",
        "THREEFOLD_CLAIMABLE",
        "FIFTY_CLAIMABLE",
        "CLASSIC75_CLAIMABLE",
        "QUICKPLAY_CLAIM_POSSIBLE",
    ],
)
def test_what_the_laws_keep_silent_is_silent_for_the_arbiter_alone(code: str) -> None:
    kind = CATALOGUE[code]
    assert {kind.grade(book) for book in kind.books} == {"silent"}
    assert kind.otherwise is None
    assert kind.seen_by(started=False) == "A"


def test_a_severity_depends_on_the_book() -> None:
    stopped = CATALOGUE["CLOCK_STOPPED_BY_PLAYER"]
    assert [stopped.grade(book) for book in ("fide", "a5", "classic")] == [
        "warning",
        "warning",
        "critical",
    ]


def test_a_wrong_set_up_is_for_the_staff_until_the_game_begins() -> None:
    assert CATALOGUE["WRONG_SETUP"].seen_by(started=False) == "O"
    assert CATALOGUE["WRONG_SETUP"].seen_by(started=True) == "A"


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("code", CATALOGUE)
def test_every_kind_lapses_some_time(code: str, name: str) -> None:
    assert CATALOGUE[code].lapses(rule_set(name))


@pytest.mark.parametrize(
    ("code", "name", "until"),
    [
        ("ILLEGAL_MOVE", "fide_std", "the game ends"),
        ("ILLEGAL_MOVE", "rapid_a5", "the opponent moves"),
        ("WRONG_SETUP", "fide_std", "the game ends"),
        ("WRONG_SETUP", "blitz_b3", "each player has made 10 moves"),
        ("COLOURS_REVERSED", "fide_std", "both players have made 10 moves"),
        ("COLOURS_REVERSED", "classic", "25 % of the period have passed"),
        ("FLAG_FALL", "classic", "the arbiter rules"),
    ],
)
def test_a_deadline_is_that_of_the_rule_set(code: str, name: str, until: str) -> None:
    assert CATALOGUE[code].lapses(rule_set(name)) == until


def test_reversed_colours_without_a_limit_stand_to_the_end() -> None:
    rules = msgspec.structs.replace(rule_set("fide_std"), colours_reversed_moves=None)
    assert CATALOGUE["COLOURS_REVERSED"].lapses(rules) == "the game ends"
