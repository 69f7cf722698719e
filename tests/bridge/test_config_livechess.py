"""The keys of the LiveChess-compatible server."""

from pathlib import Path

import pytest

from bridge.config import ConfigError, LiveChessSettings, parse
from bridge.config.delays import Delay

TABLES = "tables:\n  - {table: one, board: {port: /dev/ttyACM0}}\n"


def settings(text: str) -> LiveChessSettings | None:
    return parse(f"livechess: {text}\n{TABLES}", Path("hall.yaml")).livechess


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as error:
        settings(text)
    return [f"{problem.what}; {problem.remedy}" for problem in error.value.problems]


def test_it_is_off_unless_somebody_wants_it() -> None:
    assert parse(TABLES, Path("hall.yaml")).livechess is None
    assert settings("false") is None
    assert settings("off") is None


@pytest.mark.parametrize("text", ["true", "yes", "{}"])
def test_it_is_for_this_machine_and_two_sites(text: str) -> None:
    wanted = settings(text)
    assert wanted == LiveChessSettings(
        host="localhost",
        port=1982,
        origins=("https://lichess.org", "https://www.chess.com"),
        delay=Delay(),
        first=None,
    )


def test_all_of_it_can_be_set() -> None:
    text = "{host: 10.0.0.1, port: 80, origins: ['*', 'null'], delay: {minutes: 15}, first: one}"
    assert settings(text) == LiveChessSettings(
        host="10.0.0.1",
        port=80,
        origins=("*", "null"),
        delay=Delay(minutes=15),
        first="one",
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("maybe", "'livechess' is 'maybe'; write true or false"),
        ("{port: 0}", "'port' is '0'; write a whole number"),
        ("{origins: [lichess.org]}", "'origins' is 'lichess.org'; write an origin"),
        ("{first: two}", "there is no table 'two'; name one of the tables"),
    ],
)
def test_what_will_not_do(text: str, problem: str) -> None:
    (found,) = problems(text)
    assert found.startswith(problem)
