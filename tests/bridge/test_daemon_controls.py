"""What people do with a daemon from a page: its configuration file, its log, its captures."""

import asyncio
import io
import logging
import os
import time
import zipfile
from pathlib import Path

import pytest

from bridge.config import Config, load
from bridge.daemon.configured import ConfiguredFile
from bridge.daemon.controls import controls
from bridge.daemon.recent import FOR_ARBITERS, RecentLog
from bridge.links.probing import Found, NotABoard
from bridge.outputs.controls import Candidate, Controls, NotPossibleError

HALL = """\
event: {round: 1}  # of the club
groups: [{group: B}]
tables:
  - {table: "1", board: {port: /dev/a}}
  - {table: "2", board: {port: /dev/b, serial: "7"}, group: B}
"""


class Site:
    """A daemon's configuration and what is made of it."""

    def __init__(self, folder: Path, text: str = HALL, *, file: bool = True) -> None:
        self.path = folder / "hall.yaml"
        self.path.write_text(text, "utf-8")
        self.config = load(self.path)
        self.log = RecentLog()
        self._file = self.path if file else None

    def take(self, config: Config) -> None:
        self.config = config

    async def look(self) -> list[Found | NotABoard]:
        return [
            Found(address="serial:/dev/a", driver="dgt", serial="31234"),
            Found(address="serial:/dev/b", driver="dgt", serial="31234", twins=("serial:/dev/a",)),
            Found(address="serial:/dev/c", driver="dgt_bus", units=("1", "2")),
            NotABoard(address="serial:/dev/d", reason="is served by table 1"),
        ]

    def controls(self) -> Controls:
        file = ConfiguredFile(self._file, lambda: self.config, self.take)
        return controls(lambda: self.config, file, self.look, self.log)


def test_a_configuration_that_is_a_link_stays_one(tmp_path: Path) -> None:
    async def act() -> None:
        site = Site(tmp_path)
        kept = tmp_path / "kept" / "of-the-hall.yaml"
        kept.parent.mkdir()
        site.path.rename(kept)
        site.path.symlink_to(kept.relative_to(tmp_path))
        await site.controls().set_round("", "2", None)
        assert site.path.is_symlink()
        assert kept.read_text() == HALL.replace("round: 1}", 'round: "2"}')
        assert [path.name for path in kept.parent.iterdir()] == [kept.name]

    asyncio.run(act())


def test_another_round_is_written_and_taken(tmp_path: Path) -> None:
    async def act() -> None:
        site = Site(tmp_path)
        site.path.chmod(0o640)
        can = site.controls()
        assert can.rounds() == {"": "1", "B": "1"}
        assert (await can.set_round("", "2", None)).waits == ()
        assert site.path.read_text() == HALL.replace("round: 1}", 'round: "2"}')
        assert site.path.stat().st_mode & 0o777 == 0o640
        assert can.rounds() == {"": "2", "B": "2"}
        with pytest.raises(NotPossibleError, match="no group C"):
            await can.set_round("C", "2", None)

    asyncio.run(act())


def test_pairings_of_another_round_may_be_in_another_file(tmp_path: Path) -> None:
    async def act() -> None:
        for number, white in ((1, "Anna"), (2, "Carla")):
            game = f'[Round "{number}.1"]\n[White "{white}"]\n[Black "Ben"]\n\n*\n'
            (tmp_path / f"round-{number}.pgn").write_text(game)
        text = 'event: {round: 1, pairings: round-1.pgn}\ntables: [{table: "1", number: 1}]\n'
        site = Site(tmp_path, text)
        can = site.controls()
        assert can.pairing_files() == ["round-1.pgn", "round-2.pgn"]
        with pytest.raises(NotPossibleError, match="round 2"):
            await can.set_round("", "2", None)
        await can.set_round("", "2", "round-2.pgn")
        assert site.config.tables[0].white.name == "Carla"
        with pytest.raises(NotPossibleError, match="no file /etc/shadow beside"):
            await can.set_round("", "3", "/etc/shadow")

    asyncio.run(act())


def test_boards_change_their_tables_with_the_next_start(tmp_path: Path) -> None:
    async def act() -> None:
        site = Site(tmp_path)
        can = site.controls()
        one, two = can.boards()["1"], can.boards()["2"]
        changed = await can.set_boards({"1": two, "2": one})
        assert changed.waits == (
            "table 1 has another board or clock",
            "table 2 has another board or clock",
        )
        assert [table.board.serial for table in load(site.path).tables] == ["7", None]
        with pytest.raises(NotPossibleError, match="no table 9"):
            await can.set_boards({"9": one})
        with pytest.raises(NotPossibleError, match="'driver' is 'abacus'"):
            await can.set_boards({"1": {"driver": "abacus"}})

    asyncio.run(act())


def test_boards_that_answer_can_be_given_to_tables(tmp_path: Path) -> None:
    async def act() -> list[Candidate]:
        return await Site(tmp_path).controls().discover()

    found = asyncio.run(act())
    assert [each.board for each in found] == [
        {"driver": "dgt", "serial": "31234"},
        {"driver": "dgt", "port": "serial:/dev/b"},
        {},
        {},
    ]
    assert (found[3].driver, found[3].remark) == ("", "is served by table 1")


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    async def act() -> None:
        alone = Site(tmp_path, file=False)
        assert alone.controls().pairing_files() == []
        with pytest.raises(NotPossibleError, match="no configuration file"):
            await alone.controls().set_round("", "2", None)
        site = Site(tmp_path)
        can = site.controls()
        site.path.unlink()
        with pytest.raises(NotPossibleError, match="No such file"):
            await can.set_round("", "2", None)
        assert site.config.event.round == "1"

    asyncio.run(act())


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    async def act() -> None:
        site = Site(tmp_path)
        can = site.controls()
        (tmp_path / ".hall.yaml.tmp").mkdir()
        with pytest.raises(NotPossibleError, match=r"hall\.yaml cannot be written: "):
            await can.set_round("", "2", None)
        assert site.path.read_text() == HALL

    asyncio.run(act())


def test_the_log_keeps_from_operators_what_only_arbiters_may_know() -> None:
    log = RecentLog()
    logger = logging.getLogger("bridge.test")
    other = logging.getLogger("somebody.else")
    logger.setLevel(logging.INFO)
    for each in (logger, other):
        each.addHandler(log)
    try:
        logger.info("table %s: %s", "1", "begins")
        logger.warning("an illegal move", extra=FOR_ARBITERS)
        logger.error("a mistake")
        other.error("nothing of ours")
    finally:
        for each in (logger, other):
            each.removeHandler(log)
    assert [(line.level, line.text) for line in log.lines("arbiter")] == [
        ("info", "table 1: begins"),
        ("warning", "an illegal move"),
        ("error", "a mistake"),
    ]
    assert [line.text for line in log.lines("operator")] == ["table 1: begins", "a mistake"]


def test_captures_of_a_table_come_as_an_archive(tmp_path: Path) -> None:
    async def act() -> None:
        site = Site(tmp_path)
        folder = site.config.data.capture_folder
        folder.mkdir(parents=True)
        for name in ("1@20261120T093000Z", "1%20clock@20261120T093000Z", "10@20261120T093000Z"):
            path = folder / f"{name}.capture"
            path.write_text(name)
            os.utime(path, (time.time(), time.time()))
        async with site.controls().captures("1") as pieces:
            content = b"".join([piece async for piece in pieces])
        names = zipfile.ZipFile(io.BytesIO(content)).namelist()
        assert names == ["1%20clock@20261120T093000Z.capture", "1@20261120T093000Z.capture"]

    asyncio.run(act())
