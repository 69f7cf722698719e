"""The keys of the web server."""

from pathlib import Path

import pytest

from bridge.config import ConfigError, WebSettings, parse
from bridge.config.delays import Delay

TABLES = "tables:\n  - {table: one, board: {port: /dev/ttyACM0}}\n"
HALL = Path("/srv/hall.yaml")


def settings(text: str) -> WebSettings | None:
    return parse(f"web: {text}\n{TABLES}", HALL).web


def test_it_is_off_unless_somebody_wants_it() -> None:
    assert parse(TABLES, HALL).web is None
    assert settings("false") is None


@pytest.mark.parametrize("text", ["true", "on", "{}"])
def test_it_is_for_this_machine(text: str) -> None:
    wanted = settings(text)
    assert wanted == WebSettings()
    assert wanted.address == "http://127.0.0.1:8080/"


def test_all_of_it_can_be_set() -> None:
    text = (
        "{host: '::', port: 80, names: [Hall.example.org], origins: ['https://A.example'],"
        " proxies: [10.0.0.2, 'FE80::1'],"
        " public: false, delay: {minutes: 15}, accounts: people.json}"
    )
    wanted = settings(text)
    assert wanted == WebSettings(
        host="::",
        port=80,
        names=("hall.example.org",),
        origins=("https://a.example",),
        proxies=("10.0.0.2", "fe80::1"),
        public=False,
        delay=Delay(minutes=15),
        accounts=Path("/srv/people.json"),
    )
    assert wanted.address == "http://localhost:80/"


def test_accounts_lie_with_the_data_unless_somebody_says_otherwise() -> None:
    assert parse(TABLES, HALL).accounts == Path("/srv/data/accounts.json")
    other = parse(f"web: {{accounts: a.json}}\n{TABLES}", HALL)
    assert other.accounts == Path("/srv/a.json")


def test_an_address_of_version_6_stands_in_brackets() -> None:
    assert WebSettings(host="::1").address == "http://[::1]:8080/"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("maybe", "'web' is 'maybe'; write true or false"),
        ("{port: 0}", "'port' is '0'; write a whole number"),
        ("{names: ['https://x']}", "'names' is 'https://x'; write a host name"),
        ("{origins: ['*']}", "'origins' is '*'; write an origin"),
    ],
)
def test_what_will_not_do(text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as error:
        settings(text)
    (found,) = error.value.problems
    assert f"{found.what}; {found.remedy}".startswith(problem)
