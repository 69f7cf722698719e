"""How much later than the hall files show the games, as it is configured."""

from pathlib import Path

import pytest

from bridge.config import NO_DELAY, CloudSettings, ConfigError, Delay, parse

FILE = Path("/event/hall.yaml")


def pgn_delay(text: str) -> Delay:
    return parse(f"pgn: {{delay: {text}}}\ntables: [{{table: 1}}]\n", FILE).pgn.delay


def test_nothing_is_delayed_unless_it_is_said() -> None:
    assert parse("tables: [{table: 1}]\n", FILE).pgn.delay == NO_DELAY
    assert pgn_delay("{}") == NO_DELAY


def test_a_delay_is_minutes_or_moves_or_both() -> None:
    delay = pgn_delay("{minutes: 7.5, moves: 3, all_at_end: yes}")
    assert delay == Delay(minutes=7.5, moves=3, all_at_end=True)
    assert (delay.seconds, delay.plies) == (450, 6)
    assert pgn_delay("{minutes: 1440}").seconds == 86400


@pytest.mark.parametrize("minutes", ["-1", "1441", "15:00", "1e2", "nan", "", "0.0001"])
def test_minutes_that_are_none(minutes: str) -> None:
    with pytest.raises(ConfigError, match=r"write a number from 0 to 1440"):
        pgn_delay(f"{{minutes: {minutes or '~'}}}")


def test_moves_that_are_none() -> None:
    with pytest.raises(ConfigError, match=r"write a whole number from 0 to 99"):
        pgn_delay("{moves: 1.5}")


def test_cloud_files_are_written_only_where_a_folder_is_named() -> None:
    assert parse("tables: [{table: 1}]\n", FILE).cloud is None
    config = parse("cloud: {folder: web, delay: {minutes: 15}}\ntables: [{table: 1}]\n", FILE)
    assert config.cloud == CloudSettings(folder=FILE.parent / "web", delay=Delay(minutes=15))
    with pytest.raises(ConfigError, match="'folder' is missing"):
        parse("cloud: {delay: {moves: 1}}\ntables: [{table: 1}]\n", FILE)
