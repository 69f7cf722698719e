"""What spectators are told of games, by asking once and by following."""

import asyncio
import itertools
import json
import logging
import socket
from pathlib import Path

import aiohttp
import chess
import pytest
from aiohttp import WSMsgType

from bridge.config import parse
from bridge.core.model import (
    AlertRaised,
    GameEnded,
    MoveProvisional,
    SetupCorrected,
    TableSetup,
)
from bridge.web import channel, streams
from tests.halls import eventually
from tests.livechess import Play
from tests.web import Message, Stage, Stream, Visitor, config_of, staged, visiting


def stage_of(folder: Path, *tables: str, **keys: str) -> Stage:
    return Stage(config_of(folder, keys.get("web", ""), tables=tables or ("1",)))


def test_a_game_from_its_start_to_its_end(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        play = Play()
        async with visitor.stream() as stream:
            hello = await stream.next()
            assert [game["state"] for game in hello["games"]] == ["waiting"]
            stage.tell(*play.start())
            begun = await stream.next()
            assert (begun["type"], begun["table"], begun["game"]["game"]) == ("game", "1", 1)
            stage.tell(*play.plays("e4", "e5"), play.clock(100, 90, "white"))
            plies = [await stream.next() for _ in range(2)]
            assert [(each["type"], each["san"]) for each in plies] == [("ply", "e4"), ("ply", "e5")]
            assert plies[-1]["clocks"]["running"] == "white"
            assert plies[-1]["fen"] == play.board.fen()
            stage.tell(play.clock(70, 90, "white"))
            assert (await stream.next())["clocks"]["white_ms"] == 70_000
            stage.tell(play.fact(GameEnded, result="0-1", by="arbiter"))
            assert (await stream.next())["result"] == "0-1"
        (game,) = (await visitor.json("/api/v1/games"))["games"]
        assert [each["san"] for each in game["plies"]] == ["e4", "e5"]
        assert (game["start_fen"], game["state"]) == (chess.STARTING_FEN, "ended")

    staged(act, stage_of(tmp_path))


def test_the_event_and_its_games_are_told(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        assert await visitor.json("/api/v1/event") == {
            "name": "Test Open",
            "site": "Delft",
            "round": "1",
            "tables": ["süd", "2"],
            "rule_set": stage.config.rules(stage.config.tables[0]).name,
        }
        play = Play("süd")
        stage.tell(*play.start(), *play.plays("e4"), *play.start(), *play.plays("d4"))
        one = await visitor.json("/api/v1/games/s%C3%BCd")
        assert (one["game"], one["last_uci"], one["ply"]) == (2, "", 1)
        assert (await visitor.json("/api/v1/games/s%C3%BCd/1"))["plies"][0]["san"] == "e4"
        for path in ("3", "2/1", "s%C3%BCd/7"):
            told = await visitor.json(f"/api/v1/games/{path}", 404)
            assert told == {"error": "there is no such game"}
        brief = await visitor.json("/api/v1/games?plies=no")
        assert {(game["table"], "plies" in game) for game in brief["games"]} == {
            ("süd", False),
            ("2", False),
        }

    staged(act, stage_of(tmp_path, "süd", "2"))


def test_who_was_away_is_told_what_he_missed(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        play = Play()
        stage.tell(*play.start())
        seq = (await visitor.json("/api/v1/games"))["seq"]
        stage.tell(*play.plays("e4", "e5"))
        async with visitor.stream(f"?since={seq}") as stream:
            messages = await stream.until(lambda each: each.get("san") == "e5")
        assert [each["type"] for each in messages] == ["ply", "ply"]
        for unknown in ("1", "99999999999999", "", "x", "9" * 40):
            async with visitor.stream(f"?since={unknown}") as stream:
                assert (await stream.next())["type"] == "hello"

    staged(act, stage_of(tmp_path))


def test_one_table_can_be_followed_alone(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        one, other = Play("1"), Play("2")
        async with visitor.stream("?table=2&plies=no") as stream:
            hello = await stream.next()
            assert [game["table"] for game in hello["games"]] == ["2"]
            assert "plies" not in hello["games"][0]
            stage.tell(*one.start(), *one.plays("e4"), *other.start())
            assert (await stream.next())["table"] == "2"
        async with visitor.stream("?table=nobody") as stream:
            assert (await stream.next())["games"] == []

    staged(act, stage_of(tmp_path, "1", "2"))


async def read_events(response: aiohttp.ClientResponse, count: int) -> list[tuple[int, Message]]:
    events: list[tuple[int, Message]] = []
    number = 0
    async for line in response.content:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "id":
            number = int(value)
        elif name == "data":
            events.append((number, json.loads(value)))
        if len(events) == count:
            break
    return events


def test_simple_programs_get_server_sent_events(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        play = Play()
        async with visitor.session.get("/api/v1/events") as response:
            assert response.content_type == "text/event-stream"
            stage.tell(*play.start())
            events = await read_events(response, 2)
            assert [(number, each["seq"]) for number, each in events] == [
                (each["seq"], each["seq"]) for _, each in events
            ]
            assert [each["type"] for _, each in events][1] == "game"
        stage.tell(*play.plays("e4"))
        last = {"Last-Event-ID": str(events[-1][0])}
        async with visitor.session.get("/api/v1/events", headers=last) as response:
            ((_, ply),) = await read_events(response, 1)
            assert ply["san"] == "e4"

    staged(act, stage_of(tmp_path))


def test_nothing_happens_and_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PING_EVERY", 0.05)

    async def act(_: Stage, visitor: Visitor) -> None:
        async with visitor.stream() as stream:
            hello = await stream.next()
            assert await stream.next() == {"type": "ping", "seq": hello["seq"]}

    staged(act, stage_of(tmp_path))


def test_the_public_is_told_of_play_alone_and_late(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        play = Play()
        async with visitor.stream() as stream:
            await stream.next()
            stage.tell(
                play.link("live"),
                *play.start(),
                play.fact(AlertRaised, code="ILLEGAL_MOVE", severity="critical", text="x"),
                play.fact(MoveProvisional, ply=1, uci="e2e4", san="e4"),
                *play.plays("e4", "e5", "Nf3"),
            )
            message = await stream.next()
            assert (message["type"], message["game"]["ply"]) == ("game", 1)
            stage.tell(*play.plays("Nf6"))
            assert (await stream.next())["san"] == "e5"
        assert (await visitor.json("/api/v1/games/1"))["ply"] == 2
        assert (await (await visitor.get("/pgn/1.pgn")).text()).endswith("\n1. e4 e5 *\n\n")

    staged(act, stage_of(tmp_path, web="delay: {moves: 1}"))


def test_a_client_that_lags_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "QUEUE_SIZE", 3)

    async def act(stage: Stage, visitor: Visitor) -> None:
        play = Play()
        async with visitor.stream() as stream:
            await stream.next()
            sans = ["Nf3", "Nf6", "Ng1", "Ng8"] * 3
            stage.tell(*play.start(), *play.plays(*sans))
            await stream.until(lambda each: each["type"] == "game")
            stage.tell(*play.plays(*sans))
            hello = await stream.next()
            assert (hello["type"], hello["games"][0]["ply"]) == ("hello", 24)

    staged(act, stage_of(tmp_path))


def test_so_much_at_once_that_facts_are_lost_is_told_as_it_is_then(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        play = Play()
        stage.tell(*play.start(), *play.plays("e4"))
        etag = (await visitor.get("/pgn/1.pgn")).headers["ETag"]
        async with visitor.stream() as stream:
            await stream.next()
            stage.tell(*play.plays("e5", *["Nf3", "Nf6", "Ng1", "Ng8"] * 300))
            hello = await stream.next()
            assert (hello["type"], hello["games"][0]["ply"]) == ("hello", 1202)
        await visitor.get("/pgn/1.pgn", 200, If_None_Match=etag)
        assert (await visitor.json("/api/v1/games/1"))["ply"] == 1202

    staged(act, stage_of(tmp_path))


async def cut(reader: socket.socket) -> bool:
    """Whether the other end has closed the connection, whatever it sent before."""
    loop = asyncio.get_running_loop()
    try:
        while await loop.sock_recv(reader, 65536):
            pass
    except ConnectionError:
        return True
    return True


def test_a_client_that_never_reads_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(streams, "PATIENCE", 0.2)
    caplog.set_level(logging.INFO)
    names = itertools.cycle(("Kramer, Anna", "Okafor, Ben"))

    async def act(stage: Stage, _: Visitor) -> None:
        play = Play()
        stage.tell(*play.start(), *play.plays(*["Nf3", "Nf6", "Ng1", "Ng8"] * 400))
        host, port = stage.url.removeprefix("http://").split(":")
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect((host, int(port)))
            deaf.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            deaf.setblocking(False)

            def is_shed() -> bool:
                stage.tell(play.fact(SetupCorrected, setup=TableSetup(white=next(names))))
                return any("cut off" in message for message in caplog.messages)

            await eventually(is_shed, "the client is cut off")
            assert await cut(deaf)

    staged(act, stage_of(tmp_path))


def test_there_is_an_end_to_clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_CLIENTS", 1)

    async def act(_: Stage, visitor: Visitor) -> None:
        async with visitor.stream() as stream:
            await stream.next()
            assert await visitor.json("/api/v1/events", 503) == {"error": "too many clients"}

    staged(act, stage_of(tmp_path))


def test_what_a_client_says_is_passed_over_and_much_of_it_ends_the_stream(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        async with visitor.stream() as stream:
            await stream.next()
            await stream.socket.send_str("{}")
            stage.tell(*Play().start())
            assert (await stream.next())["type"] == "game"
            await stream.socket.send_str("x" * 5000)
            assert (await stream.socket.receive()).type is WSMsgType.CLOSE

    staged(act, stage_of(tmp_path))


def test_streams_end_with_the_server(tmp_path: Path) -> None:
    stage = stage_of(tmp_path)

    async def main() -> WSMsgType:
        async with visiting(stage.url) as visitor:
            async with stage.web:
                socket = await visitor.session.ws_connect("/api/v1/stream")
                await Stream(socket).next()
            async with asyncio.timeout(30):
                return (await socket.receive()).type

    assert asyncio.run(main()) in (WSMsgType.CLOSE, WSMsgType.CLOSED)


def test_other_players_are_told_while_it_runs(tmp_path: Path) -> None:
    async def act(stage: Stage, visitor: Visitor) -> None:
        async with visitor.stream() as stream:
            await stream.next()
            changed = 'tables: [{table: "1", white: "Kramer, Anna"}]\n'
            stage.web.take(parse(changed, tmp_path / "hall.yaml"))
            assert (await stream.next())["game"]["white"]["name"] == "Kramer, Anna"

    staged(act, stage_of(tmp_path))
