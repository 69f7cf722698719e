"""The keys of a broadcast on Lichess."""

from pathlib import Path

import pytest

from bridge.config import Config, ConfigError, LichessSettings, parse
from bridge.config.delays import Delay
from bridge.daemon.changes import left, taken

TABLES = "tables:\n  - {table: one, board: {port: /dev/ttyACM0}}\n"


def config(text: str) -> Config:
    return parse(f"lichess: {text}\n{TABLES}", Path("/halls/hall.yaml"))


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as error:
        config(text)
    return [f"{problem.what}; {problem.remedy}" for problem in error.value.problems]


def test_nothing_is_sent_unless_somebody_wants_it() -> None:
    assert parse(TABLES, Path("hall.yaml")).lichess is None


def test_a_tournament_is_enough() -> None:
    assert config("{tournament: AbCd1234}").lichess == LichessSettings(
        tournament="AbCd1234",
        rounds={},
        token_file=None,
        interval=2,
        delay=Delay(),
        server="https://lichess.org",
    )


def test_everything_can_be_said() -> None:
    text = (
        "{rounds: {1: EfGh5678, Final: https://lichess.org/broadcast/open/final/IjKl9012},"
        " token_file: secret/token, interval: 5, delay: {minutes: 15}, server: http://localhost:90}"
    )
    assert config(text).lichess == LichessSettings(
        rounds={"1": "EfGh5678", "Final": "IjKl9012"},
        token_file=Path("/halls/secret/token"),
        interval=5,
        delay=Delay(minutes=15),
        server="http://localhost:90",
    )


@pytest.mark.parametrize("text", ["{}", "{token_file: token}"])
def test_a_place_has_to_be_named(text: str) -> None:
    (found,) = problems(text)
    assert found.startswith("'lichess' names neither a tournament nor rounds; write one of them")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{tournament: AbCd}", "'tournament' is 'AbCd'; write a tournament's id of 8 letters"),
        ("{rounds: {1: https://x.org/}}", "'1' is 'https://x.org/'; write a round's id of 8"),
        ('{rounds: {"": AbCd1234}}', "'' in 'rounds'; write the round as in 'event: round'"),
        ("{tournament: AbCd1234, interval: 0}", "'interval' is '0'; write a whole number"),
        (
            "{tournament: AbCd1234, server: 'http://lichess.org'}",
            "'server' is 'http://lichess.org': a token is only sent over https; write an address",
        ),
        (
            "{tournament: AbCd1234, server: 'https://me:secret@lichess.org'}",
            "'server' is 'https://me:secret@lichess.org'; write an address with https",
        ),
        ("{tournament: AbCd1234, token: lip_x}", "unknown key 'token' in 'lichess'; did you mean"),
        ("AbCd1234", "'lichess' is 'AbCd1234'; write a mapping"),
    ],
)
def test_mistakes_are_named(text: str, problem: str) -> None:
    (found,) = problems(text)
    assert found.startswith(problem)


def test_rounds_can_be_named_while_games_are_on_and_nothing_else() -> None:
    served = config("{tournament: AbCd1234}")
    changed = config("{tournament: AbCd1234, rounds: {2: EfGh5678}}")
    assert list(left(served, changed)) == []
    assert taken(served, changed).lichess == changed.lichess
    other = config("{tournament: Other123, rounds: {2: EfGh5678}}")
    assert list(left(served, other)) == ["'lichess' is changed"]
    assert taken(served, other).lichess == changed.lichess
    none = parse(TABLES, Path("/halls/hall.yaml"))
    assert list(left(served, none)) == ["'lichess' is changed"]
    assert taken(served, none).lichess == served.lichess
    assert taken(none, served).lichess is None
