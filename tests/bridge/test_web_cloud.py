"""Cloud files over HTTP: viewers made for LiveChess Cloud find what they ask for."""

import json
from pathlib import Path
from uuid import UUID

import aiohttp
import msgspec
import pytest

from bridge.config import Config, Delay, parse
from bridge.core.model import TableSetup
from bridge.outputs.cloud.files import CloudFolder, Seat, folder_of
from tests.bridge.cloud_reader import Game, Index, Tournament
from tests.bridge.scoresheets import book, line
from tests.livechess import free_port
from tests.web import Stage, Visitor, staged

ID = "0d2f4c6a-8b1e-4f3a-9c5d-7e6f8a9b0c1d"
CLUB = "https://club.example.org"


def hall(folder: Path, cloud: str = f"id: {ID}", web: str = "", more: str = "") -> Config:
    text = (
        "event: {name: Test Open, round: 1}\n"
        f"cloud: {{folder: cloud, {cloud}}}\nweb: {{port: {free_port()}, {web}}}\n{more}"
    )
    tables = "".join(f'{{table: "{name}", board: {{port: /dev/x{name}}}}},' for name in "12")
    return parse(
        f"{text}tables: [{tables}]\n" if "tables:" not in more else text, folder / "h.yaml"
    )


def written(root: Path, sans: str, section: str = "") -> None:
    setup = TableSetup(event="Test Open", round="1", white="Example, Anna", section=section)
    folder = CloudFolder(folder_of(root / "cloud", section), [Seat("1", setup, "45011")])
    folder.update(book(*line(sans, "1", setup=setup)).records())


async def viewed(visitor: Visitor, number: str) -> list[Game]:
    """Return the games as a downloader finds them: lookup, tournament, rounds, games."""
    where = await visitor.json(f"/meta/{number}")
    assert where["format"] == "1"
    games = []
    async with aiohttp.ClientSession(f"http://{where['host']}") as session:

        async def get(name: str) -> bytes:
            async with session.get(f"/get/{number}/{name}") as answer:
                assert (answer.status, answer.content_type) == (200, "application/json")
                return await answer.read()

        tournament = msgspec.json.decode(await get("tournament.json"), type=Tournament)
        for round_ in range(1, len(tournament.rounds) + 1):
            index = msgspec.json.decode(await get(f"round-{round_}/index.json"), type=Index)
            assert len(index.pairings) == tournament.rounds[round_ - 1].count
            for place in range(1, len(index.pairings) + 1):
                name = f"round-{round_}/game-{place}.json?poll"
                games.append(msgspec.json.decode(await get(name), type=Game))
    return games


def test_a_downloader_finds_every_game(tmp_path: Path) -> None:
    written(tmp_path, "e4 e5 Nf3")

    async def act(_: Stage, visitor: Visitor) -> None:
        assert [game.sans for game in await viewed(visitor, ID)] == [["e4", "e5", "Nf3"]]
        plain = await visitor.get(f"/get/{ID}/round-1/game-1.json")
        for query in ("?poll=", "?noCache=1789999200332"):
            same = await visitor.get(f"/get/{ID}/round-1/game-1.json{query}")
            assert await same.read() == await plain.read()

    staged(act, Stage(hall(tmp_path)))


def test_who_has_a_file_is_not_sent_it_again(tmp_path: Path) -> None:
    written(tmp_path, "e4")
    path = f"/get/{ID}/round-1/game-1.json"

    async def act(_: Stage, visitor: Visitor) -> None:
        answer = await visitor.get(path)
        etag = answer.headers["ETag"]
        assert answer.headers["Cache-Control"] == "no-cache"
        await visitor.get(path, 304, If_None_Match=etag)
        written(tmp_path, "e4 e5")
        assert (await visitor.get(path, If_None_Match=etag)).headers["ETag"] != etag
        part = await visitor.get(path, 206, Range="bytes=0-4")
        assert await part.read() == (await (await visitor.get(path)).read())[:5]

    staged(act, Stage(hall(tmp_path)))


def test_what_is_not_there_or_not_for_everybody_is_not_found(tmp_path: Path) -> None:
    written(tmp_path, "e4")
    (tmp_path / "cloud/secret.json").write_text("{}")

    async def act(_: Stage, visitor: Visitor) -> None:
        for path in (
            *(f"/get/{ID}/round-1/game-2.json", f"/get/{ID}/round-2/index.json"),
            *(f"/get/{ID}/round-1/boards.json", f"/get/{ID}/round-1/game-1.pgn"),
            *(f"/get/{ID}/secret.json", f"/get/{ID}/round-1/../secret.json"),
            *(f"/get/{ID}/round-0/index.json", f"/get/{ID}/round-1/game-%2e%2e.json"),
            *("/get/other/tournament.json", "/meta/other", f"/get/{ID}/"),
        ):
            await visitor.get(path, 404)

    staged(act, Stage(hall(tmp_path)))


def test_pages_of_listed_sites_may_read_also_that_a_game_has_not_begun(tmp_path: Path) -> None:
    written(tmp_path, "e4")

    async def act(_: Stage, visitor: Visitor) -> None:
        for place, status in (("1", 200), ("2", 404)):
            path = f"/get/{ID}/round-1/game-{place}.json"
            answer = await visitor.get(path, status, Origin=CLUB)
            assert answer.headers["Access-Control-Allow-Origin"] == CLUB
            refused = await visitor.get(path, 403, Origin="https://evil.example")
            assert "Access-Control-Allow-Origin" not in refused.headers

    staged(act, Stage(hall(tmp_path, web=f"origins: ['{CLUB}']")))


def test_where_pages_are_not_for_everybody_these_are_not_either(tmp_path: Path) -> None:
    written(tmp_path, "e4")

    async def act(_: Stage, visitor: Visitor) -> None:
        await visitor.get(f"/meta/{ID}", 401)
        await visitor.get(f"/get/{ID}/round-1/game-1.json", 401)

    staged(act, Stage(hall(tmp_path, web="public: false")))


@pytest.mark.parametrize(
    ("cloud", "pages", "served"),
    [
        ("{minutes: 15}", "{minutes: 15}", True),
        ("{minutes: 15, moves: 2}", "{minutes: 15}", True),
        ("{minutes: 14}", "{minutes: 15}", False),
        ("{minutes: 15}", "{moves: 1}", False),
        ("{minutes: 15, all_at_end: true}", "{minutes: 15}", False),
        ("{minutes: 15, all_at_end: true}", "{minutes: 15, all_at_end: true}", True),
        ("{minutes: 15}", "{minutes: 15, all_at_end: true}", True),
        ("{minutes: 15, all_at_end: true}", "{}", True),
        ("{}", "{}", True),
    ],
)
def test_nothing_is_served_that_would_tell_more_than_the_pages(
    tmp_path: Path, cloud: str, pages: str, served: bool, caplog: pytest.LogCaptureFixture
) -> None:
    written(tmp_path, "e4")

    async def act(_: Stage, visitor: Visitor) -> None:
        await visitor.get(f"/get/{ID}/tournament.json", 200 if served else 404)

    config = hall(tmp_path, f"id: {ID}, delay: {cloud}", f"delay: {pages}")
    with caplog.at_level("INFO", logger="bridge.web.server"):
        staged(act, Stage(config))
    assert (f"/get/{ID}/tournament.json" in caplog.text) is served
    assert ("cloud files are not served" in caplog.text) is not served


def test_a_group_has_a_tournament_of_its_own(tmp_path: Path) -> None:
    written(tmp_path, "e4", "Juniors")
    written(tmp_path, "d4")
    tables = (
        "groups: [{group: Juniors, name: Juniors}]\n"
        'tables: [{table: "1", board: {port: /dev/a}},'
        ' {table: "2", group: Juniors, board: {port: /dev/b}}]\n'
    )
    config = hall(tmp_path, more=tables)
    assert config.cloud is not None
    juniors = config.cloud.served_as("Test Open", "Juniors")
    assert str(UUID(juniors)) == juniors != ID

    async def act(_: Stage, visitor: Visitor) -> None:
        assert [game.sans for game in await viewed(visitor, ID)] == [["d4"]]
        assert [game.sans for game in await viewed(visitor, juniors)] == [["e4"]]

    staged(act, Stage(config))


def test_without_a_number_the_name_of_the_event_gives_one(tmp_path: Path) -> None:
    numbers = set()
    for name in ("Test Open", "Test Open", "Other Open"):
        cloud = hall(tmp_path, "delay: {}").cloud
        assert cloud is not None
        numbers.add(cloud.served_as(name, ""))
    assert len(numbers) == 2
    assert all(str(UUID(number)) == number for number in numbers)


def test_without_cloud_files_there_are_none(tmp_path: Path) -> None:
    async def act(_: Stage, visitor: Visitor) -> None:
        await visitor.get(f"/meta/{ID}", 404)

    text = f'web: {{port: {free_port()}}}\ntables: [{{table: "1", board: {{port: /dev/a}}}}]\n'
    staged(act, Stage(parse(text, tmp_path / "h.yaml")))


def test_the_longest_delay_is_the_safest() -> None:
    later = Delay(minutes=15, moves=3)
    for sooner in (Delay(), Delay(minutes=15), Delay(moves=3), later):
        assert later.is_no_sooner_than(sooner)
        assert sooner.is_no_sooner_than(later) is (sooner == later)


def test_the_host_that_is_told_is_the_one_that_was_asked(tmp_path: Path) -> None:
    written(tmp_path, "e4")

    async def act(_: Stage, visitor: Visitor) -> None:
        answer = await visitor.get(f"/meta/{ID}", Host="hall.example.org")
        assert json.loads(await answer.text()) == {"host": "hall.example.org", "format": "1"}

    staged(act, Stage(hall(tmp_path, web="names: [hall.example.org]")))
