"""What a configuration asks to be written, each with its own delay."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.config import Config, parse
from bridge.core.model import TableSetup
from bridge.core.table import Table
from bridge.daemon.outputs import Outputs
from bridge.daemon.service import Service
from testbed.fake_lichess import TOKEN, FakeLichess
from tests.bridge.cloud_reader import read_game, read_index, read_tournament
from tests.bridge.scoresheets import line
from tests.livechess import Play, client, free_port
from tests.sftp_server import USER, SftpHost, serving

PATIENCE = 20
TABLES = """\
tables:
  - {{table: "1", board: {{port: /dev/absent-1, serial: "45011"}}, white: "{white}, Anna"}}
  - {{table: "2", board: {{driver: dgt_bus, port: /dev/absent-2, unit: "1025"}}}}
  - {{table: "3", board: {{port: /dev/absent-3}}}}
"""


def config(folder: Path, *sections: str, white: str = "Kramer", round_: int = 1) -> Config:
    event = f"event: {{name: Test, round: {round_}}}\n"
    text = event + "".join(f"{section}\n" for section in sections) + TABLES.format(white=white)
    return parse(text, folder / "hall.yaml")


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - what is waited for is on the disk
            await asyncio.sleep(0.01)


def tell(outputs: Outputs, sans: str) -> None:
    for fact in line(sans, setup=TableSetup(round="1")):
        outputs.tell(fact)


def test_without_a_section_there_are_no_cloud_files(tmp_path: Path) -> None:
    async def main() -> None:
        outputs = Outputs(config(tmp_path), lambda: 0.0, today="2026.11.20")
        async with outputs.running(Table):
            tell(outputs, "e4")

    asyncio.run(main())
    assert {path.name for path in tmp_path.iterdir()} == {"games"}


def test_each_folder_has_its_own_delay(tmp_path: Path) -> None:
    async def main() -> None:
        sections = "pgn: {delay: {moves: 1}}", "cloud: {folder: web}"
        outputs = Outputs(config(tmp_path, *sections), lambda: 0.0, today="2026.11.20")
        async with outputs.running(Table):
            tell(outputs, "e4 e5 Nf3")

    asyncio.run(main())
    game = read_game(tmp_path / "web")
    assert game is not None
    assert game.sans == ["e4", "e5", "Nf3"]
    assert (tmp_path / "games/1/1-1.pgn").read_text().endswith("\n1. e4 *\n\n")
    assert read_index(tmp_path / "web").date is None, "as the game that has begun says"
    assert read_tournament(tmp_path / "web").eboards == ["45011", "1025", "3"]


def test_programs_made_for_livechess_have_a_delay_of_their_own(tmp_path: Path) -> None:
    async def main() -> None:
        port, play = free_port(), Play()
        section = f"livechess: {{port: {port}, delay: {{moves: 1}}}}"
        outputs = Outputs(config(tmp_path, section), lambda: 0.0, today="2026.11.20")
        async with outputs.running(Table), client(port) as one:
            for fact in (play.link("live"), *play.start(), *play.plays("e4", "e5", "Nf3")):
                outputs.tell(fact)
            assert (await one.subscribe("1"))["param"]["san"] == ["e4"]

    asyncio.run(main())
    assert "1. e4 e5 2. Nf3 *" in (tmp_path / "games/unknown/1-1.pgn").read_text()


def test_other_players_and_another_round_are_taken_while_it_runs(tmp_path: Path) -> None:
    cloud = "cloud: {folder: web}"

    def white(round_: int) -> str | None:
        try:
            player = read_index(tmp_path / "web", round_).pairings[0].white
        except FileNotFoundError:
            return None
        return player.name if player else None

    async def main() -> None:
        outputs = Outputs(config(tmp_path, cloud), lambda: 0.0, today="2026.11.20")
        async with outputs.running(Table):
            await until(lambda: white(1) == "Anna Kramer")
            outputs.take(config(tmp_path, cloud, white="Sample", round_=2))
            await until(lambda: white(2) == "Anna Sample")

    asyncio.run(main())
    assert read_index(tmp_path / "web", 2).date == "2026-11-20"


def test_each_group_is_a_tournament_of_its_own(tmp_path: Path) -> None:
    def hall(round_: int) -> Config:
        text = f"""\
event: {{name: Open, round: 5}}
cloud: {{folder: web}}
groups: [{{group: A, round: {round_}, name: Open A}}]
tables:
  - {{table: A1, group: A, number: 1, white: "Kramer, Anna", board: {{port: /dev/a}}}}
  - {{table: "1", white: "Sample, Boris", board: {{port: /dev/b}}}}
"""
        return parse(text, tmp_path / "hall.yaml")

    def name(folder: str, round_: int) -> str | None:
        try:
            (pairing,) = read_index(tmp_path / "web" / folder, round_).pairings
        except FileNotFoundError:
            return None
        return pairing.white.name if pairing.white else None

    async def main() -> None:
        first = hall(2)
        outputs = Outputs(first, lambda: 0.0, today="2026.11.20")
        async with outputs.running(Table):
            for table, sans in (("A1", "e4"), ("1", "d4")):
                settings = next(each for each in first.tables if each.table == table)
                for fact in line(sans, table, setup=first.setup(settings)):
                    outputs.tell(fact)
            await until(lambda: (name("A", 2), name("", 5)) == ("Anna Kramer", "Boris Sample"))
            outputs.take(hall(3))
            await until(lambda: name("A", 3) == "Anna Kramer")

    asyncio.run(main())
    games = {
        folder: read_game(tmp_path / "web" / folder, 1, n) for folder, n in (("A", 2), ("", 5))
    }
    assert {folder: game and game.sans for folder, game in games.items()} == {
        "A": ["e4"],
        "": ["d4"],
    }
    assert read_tournament(tmp_path / "web/A").name == "Open A"
    assert (tmp_path / "games/A/2/games.pgn").exists()
    assert (tmp_path / "games/5/games.pgn").exists()


def test_files_are_copied_to_their_last_move_before_it_ends(tmp_path: Path) -> None:
    async def main() -> None:
        host = SftpHost(tmp_path)
        keys = f"host: 127.0.0.1, port: {host.port}, user: {USER}, known_hosts: known_hosts"
        key = "key_file: upload.key"
        section = f"uploads: [{{{keys}, {key}}}, {{{keys}, {key}, files: cloud, folder: get}}]"
        settings = config(tmp_path, "cloud: {folder: web}", section)
        outputs = Outputs(settings, lambda: 0.0, today="2026.11.20")
        async with serving(host), outputs.running(Table):
            tell(outputs, "e4 e5 Nf3")
            await until((tmp_path / "games/1/1-1.pgn").exists)
        copies = host.files()
        assert copies["1/1-1.pgn"].endswith("\n1. e4 e5 2. Nf3 *\n\n")
        assert {"get/tournament.json", "get/round-1/game-1.json"} < copies.keys()

    asyncio.run(main())


def test_without_asyncssh_files_are_written_and_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in [name for name in sys.modules if name.startswith("bridge.outputs.sftp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "asyncssh", None)

    async def main() -> None:
        section = "uploads: [{host: 127.0.0.1, user: chess, key_file: upload.key}]"
        outputs = Outputs(config(tmp_path, section), lambda: 0.0, today="2026.11.20")
        async with outputs.running(Table):
            tell(outputs, "e4")

    asyncio.run(main())
    assert "uploads need asyncssh: pip install 'eboard-bridge[sftp]'" in caplog.text
    assert (tmp_path / "games/1/1-1.pgn").exists()


def test_what_was_taken_without_cloud_files_is_no_matter(tmp_path: Path) -> None:
    outputs = Outputs(config(tmp_path), lambda: 0.0, today="2026.11.20")
    outputs.take(config(tmp_path, round_=2))


def test_games_of_a_journal_that_is_lost_are_kept_in_all_forms(tmp_path: Path) -> None:
    for name in ("data", "games", "web"):
        (tmp_path / name).mkdir()
    (tmp_path / "data/journal.sqlite3").write_text("no journal at all\n" * 100)
    (tmp_path / "games/1-1.pgn").write_text("1. e4 *")
    (tmp_path / "web/tournament.json").write_text("{}")
    service = Service(config(tmp_path, "cloud: {folder: web}"))

    async def main() -> None:
        stop = asyncio.Event()
        stop.set()
        await service.run(stop)

    asyncio.run(main())
    (games,) = tmp_path.glob("games.before-*")
    (web,) = tmp_path.glob("web.before-*")
    assert service.journal_note is not None
    assert service.journal_note.endswith(f"are kept in {games} and {web}")
    assert (web / "tournament.json").read_text() == "{}"


def test_games_go_to_lichess_and_another_round_is_taken(tmp_path: Path) -> None:
    async def main() -> None:
        lichess = FakeLichess()
        first, second = lichess.add_round("Round001"), lichess.add_round("Round002")
        (tmp_path / "token").write_text(TOKEN)
        async with lichess.serving() as url:
            place = f"server: '{url}', token_file: token, interval: 1"

            def seated(round_: int, rounds: str) -> Config:
                text = f"event: {{round: {round_}}}\nlichess: {{{place}, rounds: {{{rounds}}}}}\n"
                table = '{table: "1", white: "Kramer, Anna", black: "Okafor, Ben"}'
                return parse(f"{text}tables: [{table}]", tmp_path / "hall.yaml")

            outputs = Outputs(seated(1, "1: Round001"), lambda: 0.0, today="2026.11.20")
            async with outputs.running(Table):
                known = TableSetup(round="1", white="Kramer, Anna", black="Okafor, Ben")
                for fact in line("e4", setup=known):
                    outputs.tell(fact)
                await until(lambda: first.chapters[0].moves == ["e2e4"])
                assert outputs.troubles() == []
                outputs.take(seated(2, "1: Round001, 2: Round002"))
                await until(lambda: second.chapters[0].tags.get("White") == "Kramer, Anna")

    asyncio.run(main())


def test_without_an_outbox_all_else_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        (tmp_path / "data").write_text("no folder")
        section = "lichess: {rounds: {1: Round001}}"
        outputs = Outputs(config(tmp_path, section), lambda: 0.0, today="2026.11.20")
        async with outputs.running(Table):
            tell(outputs, "e4")
        (trouble,) = outputs.troubles()
        assert trouble.startswith("lichess: nothing is pushed: outbox")

    asyncio.run(main())
    assert "lichess: nothing is pushed: outbox" in caplog.text
    assert (tmp_path / "games/1/1-1.pgn").read_text().endswith("\n1. e4 *\n\n")
