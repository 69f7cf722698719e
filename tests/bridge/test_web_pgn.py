"""PGN over HTTP, as programs that follow a game ask for it."""

import asyncio
import re
import time
from pathlib import Path

import pytest

from bridge.core.model import SetupCorrected, TableSetup
from bridge.core.scoresheet.record import Scorebook
from bridge.web import pgn, texts
from tests.bridge.scoresheets import started
from tests.livechess import Play
from tests.web import Stage, Visitor, config_of, staged

GAME = "/pgn/1.pgn"


def setup_of(table: str, round_: str = "1", section: str = "") -> TableSetup:
    return TableSetup(round=round_, board=int(table), white=f"White {table}, Anna", section=section)


def playing(
    stage: Stage, *sans: str, table: str = "1", round_: str = "1", section: str = ""
) -> Play:
    play = Play(table)
    setup = setup_of(table, round_, section)
    stage.tell(*play.start(), play.fact(SetupCorrected, setup=setup))
    stage.tell(*play.plays(*sans))
    return play


def test_a_game_a_round_and_all(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        assert (await visitor.get("/pgn/games.pgn")).status == 200
        playing(stage, "d4", table="2", round_="2")
        play = playing(stage, "e4")
        stage.tell(*play.start(), play.fact(SetupCorrected, setup=setup_of("1")))
        one = await visitor.get(GAME)
        assert one.headers["Content-Type"] == "application/x-chess-pgn; charset=utf-8"
        assert "1. e4 *" in await one.text()
        assert "1. e4 *" not in await (await visitor.get("/pgn/1/2.pgn")).text()
        second = await (await visitor.get("/pgn/round-2.pgn")).text()
        assert second.count("[Event ") == 1
        everything = await (await visitor.get("/pgn/games.pgn")).text()
        assert everything.count("[Event ") == 2
        for path in ("/pgn/9.pgn", "/pgn/1/9.pgn", "/pgn/round-9.pgn", "/pgn/1", "/pgn/"):
            await visitor.get(path, 404)

    staged(act, Stage(config_of(tmp_path, tables=("1", "2"))))


def test_groups_that_are_kept_apart_can_be_had_apart(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        playing(stage, "e4", table="1", section="Open")
        playing(stage, "d4", table="2", section="Juniors")
        both = await (await visitor.get("/pgn/round-1.pgn")).text()
        assert both.index("1. d4") < both.index("1. e4")
        named = re.findall(r'\[Section "(\w+)"\]|1\. (\w+)', both)
        assert named == [("Juniors", ""), ("", "d4"), ("Open", ""), ("", "e4")]
        for query, sans in (("Open", {"e4"}), ("Juniors", {"d4"}), ("", set())):
            status = 200 if sans else 404
            one = await (await visitor.get(f"/pgn/round-1.pgn?section={query}", status)).text()
            assert {san for san in ("e4", "d4") if f"1. {san}" in one} == sans
        assert (await visitor.json("/api/v1/games/2"))["section"] == "Juniors"

    staged(act, Stage(config_of(tmp_path, tables=("1", "2"))))


def test_rounds_come_in_their_order_and_boards_in_theirs() -> None:
    book = Scorebook()
    for table, round_, board in (("b", "1", 2), ("a", "1", 1), ("a", "2", 1), ("b", "2", 2)):
        for game in (1, 2):
            setup = TableSetup(round=round_, board=board)
            book.apply(started(table, game + 2 * int(round_), setup=setup))
    listed = [(record.setup.round, record.table) for record in pgn.listed(book.records())]
    assert listed == [("1", "a"), ("1", "b"), ("2", "a"), ("2", "b")]


def test_who_has_the_text_is_not_sent_it_again(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        play = playing(stage, "e4")
        etag = (await visitor.get(GAME)).headers["ETag"]
        known = await visitor.get(GAME, 304, If_None_Match=etag)
        assert (known.headers["ETag"], await known.read()) == (etag, b"")
        await visitor.get(GAME, 304, If_None_Match=f'"x", W/{etag}')
        stage.tell(play.clock(9, 9, None))
        await visitor.get(GAME, 304, If_None_Match=etag)
        stage.tell(*play.plays("e5"))
        assert (await visitor.get(GAME, If_None_Match=etag)).headers["ETag"] != etag

    staged(act, Stage(config_of(tmp_path)))


def test_a_time_is_told_once_nothing_can_come_in_the_same_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        play = playing(stage, "e4")
        fresh = await visitor.get(GAME)
        assert "Last-Modified" not in fresh.headers
        monkeypatch.setattr(texts, "STEADY_AFTER", 0.0)
        at = (await visitor.get(GAME)).headers["Last-Modified"]
        await visitor.get(GAME, 304, If_Modified_Since=at)
        await visitor.get(GAME, If_Modified_Since="Thu, 01 Jan 1970 00:00:00 GMT")
        monkeypatch.setattr(time, "time", lambda: 4e9)
        stage.tell(*play.plays("e5"))
        await visitor.get(GAME, If_Modified_Since=at)

    staged(act, Stage(config_of(tmp_path)))


@pytest.mark.parametrize(
    ("asked", "start", "stop"),
    [("bytes=0-9", 0, 10), ("bytes=10-", 10, None), ("bytes=-5", -5, None)],
)
def test_parts_are_sent(tmp_path: Path, asked: str, start: int, stop: int | None) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        playing(stage, "e4")
        whole = await visitor.get(GAME)
        body = await whole.read()
        part = await visitor.get(GAME, 206, Range=asked, If_Range=whole.headers["ETag"])
        assert await part.read() == body[start:stop]
        first, _, rest = part.headers["Content-Range"].removeprefix("bytes ").partition("-")
        last, _, size = rest.partition("/")
        assert body[int(first) : int(last) + 1] == body[start:stop]
        assert int(size) == len(body)

    staged(act, Stage(config_of(tmp_path)))


def test_parts_that_are_not_there(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        playing(stage, "e4")
        size = len(await (await visitor.get(GAME)).read())
        beyond = await visitor.get(GAME, 416, Range=f"bytes={size}-")
        assert beyond.headers["Content-Range"] == f"bytes */{size}"
        await visitor.get(GAME, Range="bytes=5-1")
        await visitor.get(GAME, Range="lines=1-2")
        await visitor.get(GAME, Range="bytes=0-9", If_Range='"old"')

    staged(act, Stage(config_of(tmp_path)))


def test_who_waits_is_answered_when_something_is_new(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        play = playing(stage, "e4")
        etag = (await visitor.get(GAME)).headers["ETag"]
        waiting = asyncio.create_task(visitor.get(f"{GAME}?wait=50", If_None_Match=etag))
        await visitor.get(f"{GAME}?wait=0", 304, If_None_Match=etag)
        for wrong in ("x", "1234567x", "-1", "²"):
            await visitor.get(f"{GAME}?wait={wrong}", 304, If_None_Match=etag)
        await visitor.get(f"{GAME}?wait=1", 304, If_None_Match=etag)
        assert not waiting.done()
        stage.tell(*play.plays("e5"))
        assert "1. e4 e5 *" in await (await waiting).text()

    staged(act, Stage(config_of(tmp_path)))


def test_texts_that_nobody_asks_for_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pgn, "MOST_TEXTS", 1)

    async def act(stage: Stage, visitor: Visitor) -> None:
        playing(stage, "e4")
        for path in (GAME, "/pgn/games.pgn", GAME):
            assert "1. e4 *" in await (await visitor.get(path)).text()

    staged(act, Stage(config_of(tmp_path)))
