"""The server, real clients, and facts that are published beside it."""

import asyncio
import contextlib
import json
import logging
import socket
from collections.abc import Callable, Coroutine

import aiohttp
import msgspec
import pytest
from aiohttp import WSMsgType

from benchmarks.differ import Differ
from bridge.core.model import AlertRaised, Fact, MoveProvisional, Reading, RulingMade
from bridge.outputs import listening
from bridge.outputs.livechess import connection, server
from drivers.events import Battery, Identity
from tests.halls import eventually
from tests.livechess import (
    PATIENCE,
    PLACED,
    START,
    Client,
    Frame,
    Play,
    Stage,
    client,
    listed,
    played,
)

SITES = ("https://lichess.org", "https://www.chess.com")
WHOLE = {"serialnr": "1", "flipped": False, "board": PLACED, "clock": None}
BEGUN = {"start": START, "san": [], "match": True}

WHERE = {"table", "game", "at", "wall", "evidence"}

Act = Callable[[Stage], Coroutine[None, None, None]]


def staged(act: Act, stage: Stage | None = None) -> None:
    """Run the server, and *act* beside it."""

    async def run(stage: Stage) -> None:
        async with stage.server, asyncio.timeout(PATIENCE):
            await act(stage)

    asyncio.run(run(stage or Stage()))


def set_going(stage: Stage, table: str = "1") -> Play:
    """Publish a board that answers and shows the start of a game."""
    play = Play(table)
    stage.publish(play.link("live"), *play.start())
    return play


# --- the acceptance tests of the layout that need no board ----------------------------------------


def test_2_the_list_is_the_same_however_it_is_asked_for() -> None:
    async def act(stage: Stage) -> None:
        set_going(stage, "2")
        mirrored = await listed(stage.port)
        async with client(stage.port) as one:
            more: Frame
            for more in ({}, {"param": None}, {"param": {}}):
                await one.send({"id": 5, "call": "eboards", **more})
                answer = await one.next()
                assert (answer["response"], answer["id"], answer["param"]) == ("call", 5, mirrored)
        assert mirrored == [
            {"source": "ttyACM2", "state": "ACTIVE", "battery": None, "comment": None}
            | WHOLE
            | {"serialnr": "2"},
            {"source": None, "state": None, "battery": None, "comment": None}
            | WHOLE
            | {"board": None},
        ]

    staged(act, Stage(("1", "2")))


@pytest.mark.parametrize("raw", ["1", "0", "9007199254740991", '"1"', '"a b"', "1.5"])
def test_3_an_id_goes_back_as_it_came(raw: str) -> None:
    async def act(stage: Stage) -> None:
        set_going(stage)
        async with client(stage.port) as one:
            await one.send(f'{{"call":"eboards","id": {raw} }}')
            assert (await one.next())["id"] == json.loads(raw)
            await one.send(f'{{"call":"nonsense","id":{raw}}}')
            assert (await one.next())["id"] == json.loads(raw)
            param = f'{{"feed":"eboardevent","id":{raw},"param":{{"serialnr":"1"}}}}'
            await one.send(f'{{"call":"subscribe","id":{raw},"param":{param}}}')
            assert [(await one.next())["id"] for _ in range(2)] == [json.loads(raw)] * 2

    staged(act)


def test_4_connections_and_feeds_are_apart() -> None:
    async def act(stage: Stage) -> None:
        plays = {name: set_going(stage, name) for name in ("1", "2")}
        async with client(stage.port) as one, client(stage.port) as other:
            assert (await one.subscribe("1", feed=7))["param"]["serialnr"] == "1"
            assert (await other.subscribe("2", feed=7))["param"]["serialnr"] == "2"
            assert (await other.subscribe("1", feed=8))["param"]["serialnr"] == "1"
            stage.publish(*plays["2"].plays("d4"), *plays["1"].plays("e4"))
            assert (await one.until(played("e4")))[-1]["serialnr"] == "1"
            frames = [await other.next() for _ in range(2)]
            assert {(frame["id"], frame["param"]["serialnr"]) for frame in frames} == {
                (7, "2"),
                (8, "1"),
            }

    staged(act, Stage(("1", "2")))


def test_5_the_confirmation_comes_before_the_first_frame() -> None:
    """While facts come all the time, and the client follows the board already."""

    async def act(stage: Stage) -> None:
        play = set_going(stage)

        async def chatter() -> None:
            for number in range(10_000):
                play.at = number / 10
                stage.publish(play.clock(9000 - number, 9000, "white"))
                await asyncio.sleep(0)

        async with client(stage.port) as one:
            await one.subscribe("1", feed=1)
            talk = asyncio.create_task(chatter())
            for feed in range(2, 22):
                await one.send(
                    {
                        "call": "subscribe",
                        "id": feed,
                        "param": {
                            "feed": "eboardevent",
                            "id": feed,
                            "param": {"serialnr": "1"},
                        },
                    }
                )
            seen: dict[int, list[str]] = {}
            while len(seen) < 20 or any(len(kinds) < 2 for kinds in seen.values()):
                frame = await one.next()
                if frame["id"] > 1:
                    seen.setdefault(frame["id"], []).append(frame["response"])
            talk.cancel()
            assert all(kinds[:2] == ["call", "feed"] for kinds in seen.values())

    staged(act)


@pytest.mark.parametrize("path", ["", "/eboards"])
def test_9_pages_of_other_sites_are_refused(path: str) -> None:
    async def act(stage: Stage) -> None:
        async with aiohttp.ClientSession() as session:
            url = f"http://127.0.0.1:{stage.port}/api/v1.0{path}"
            upgrade = {
                "Connection": "Upgrade",
                "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            }

            async def status(**headers: str) -> int:
                async with session.get(
                    url, headers={**(upgrade if not path else {}), **headers}
                ) as got:
                    return got.status

            good = 101 if not path else 200
            assert [await status(Origin=site) for site in SITES] == [good, good]
            assert await status() == good
            for site in ("https://evil.example", "null", "http://lichess.org"):
                assert await status(Origin=site) == 403
            for host in ("evil.example", f"evil.example:{stage.port}", "lichess.org", ""):
                assert await status(Host=host) == 403
            for host in (
                "localhost",
                f"localhost:{stage.port}",
                "192.168.1.2:80",
                "[::1]",
                "[::1]:1982",
            ):
                assert await status(Host=host) == good

    staged(act)


# --- who may ask ----------------------------------------------------------------------------------


def test_more_sites_can_be_listed() -> None:
    async def act(stage: Stage) -> None:
        for origin in ("https://own.example", "null"):
            async with client(stage.port, origin=origin):
                pass
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            async with client(stage.port, origin=SITES[0]):
                pass

    staged(act, Stage(origins=("https://own.example", "null")))


@pytest.mark.parametrize(
    ("site", "wanted", "status"),
    [
        ("cross-site", "image", 403),
        ("cross-site", "script", 403),
        ("cross-site", "iframe", 403),
        ("cross-site", "document", 200),
        ("same-origin", "empty", 200),
        ("none", "document", 200),
    ],
)
def test_pages_of_other_sites_cannot_show_it_as_an_image_or_a_script(
    site: str, wanted: str, status: int
) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": wanted}

    async def act(stage: Stage) -> None:
        url = f"http://localhost:{stage.port}/api/v1.0/eboards"
        async with (
            aiohttp.ClientSession() as session,
            session.get(url, headers=headers) as got,
        ):
            assert got.status == status
            if status == 200:
                assert got.headers["X-Content-Type-Options"] == "nosniff"

    staged(act)


def test_all_sites_can_be_let_in_and_may_read_the_list() -> None:
    async def act(stage: Stage) -> None:
        url = f"http://localhost:{stage.port}/api/v1.0/eboards"
        origin = "https://any.example"
        async with aiohttp.ClientSession() as session:
            async with session.get(url, headers={"Origin": origin}) as got:
                assert got.headers["Access-Control-Allow-Origin"] == origin
            async with session.get(url) as got:
                assert "Access-Control-Allow-Origin" not in got.headers

    staged(act, Stage(origins=("*",)))


def test_the_page_that_users_open_to_see_whether_it_runs() -> None:
    async def act(stage: Stage) -> None:
        set_going(stage, "<1>")
        async with aiohttp.ClientSession() as session:
            for path in ("/", "/doc/index.html"):
                async with session.get(f"http://localhost:{stage.port}{path}") as got:
                    assert (got.status, got.content_type) == (200, "text/html")
                    assert "<td>&lt;1&gt;<td>ACTIVE<td>" in await got.text()

    staged(act, Stage(("<1>",)))


def test_programs_find_it_at_both_loopback_addresses() -> None:
    async def act(stage: Stage) -> None:
        set_going(stage)
        for host in ("127.0.0.1", "localhost", "[::1]"):
            async with client(stage.port, host=host) as one:
                assert (await one.ask("eboards"))["param"][0]["serialnr"] == "1"

    staged(act)


def test_a_taken_port_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listening, "RETRY", 0.05)
    stage = Stage(host="127.0.0.1")
    other = socket.create_server(("127.0.0.1", stage.port))

    async def act(stage: Stage) -> None:
        await asyncio.sleep(0.2)
        other.close()
        while True:
            with contextlib.suppress(aiohttp.ClientError):
                await listed(stage.port)
                break
            await asyncio.sleep(0.02)

    with caplog.at_level(logging.INFO):
        staged(act, stage)
    said = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(said) == 1
    assert "cannot listen" in said[0]


def test_there_is_an_end_to_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CLIENTS", 1)

    async def act(stage: Stage) -> None:
        async with client(stage.port):
            with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
                async with client(stage.port):
                    pass

    staged(act)


# --- calls ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "param", "why"),
    [
        ("tournaments", None, "no call tournaments"),
        ("subscribe", None, "Expected `object`"),
        ("subscribe", {"feed": "liveviewer", "id": 1, "param": {"serialnr": "1"}}, "no feed live"),
        ("subscribe", {"feed": "eboardevent", "id": 1, "param": {"serialnr": "9"}}, "no board 9"),
        ("subscribe", {"feed": "eboardevent", "id": [], "param": {"serialnr": "1"}}, "a number"),
        ("subscribe", {"feed": "eboardevent", "id": 1}, "missing required field `param`"),
        ("call", {"id": 1, "method": "setup", "param": {"fen": START}}, "no such feed"),
        ("call", {"id": 7, "method": "setup", "param": {"fen": "8/8"}}, "eight ranks"),
        ("call", {"id": 7, "method": "setup"}, "'fen' is missing"),
        ("call", {"id": 7, "method": "flip", "param": {}}, "'flip' is missing"),
        ("call", {"id": 7, "method": "dance", "param": {}}, "no method dance"),
        ("unsubscribe", {"id": 1}, "no such feed"),
    ],
)
def test_what_cannot_be_done_is_said(call: str, param: object, why: str) -> None:
    async def act(stage: Stage) -> None:
        set_going(stage)
        async with client(stage.port) as one:
            await one.subscribe("1", feed=7)
            await one.send({"call": call, "id": 4, "param": param})
            answer = await one.next()
            assert (answer["response"], answer["id"]) == ("error", 4)
            assert why in answer["param"]["message"]
            assert (await one.ask("eboards", 5))["response"] == "call"

    staged(act)


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        '"eboards"',
        '{"call":"eboards"}',
        '{"call":"eboards","id":null}',
        '{"call":"eboards","id":{"a":1}}',
        '{"call":1,"id":1}',
        "[" * 20_000,
        '{"id":' + "[" * 20_000,
    ],
)
def test_garbage_is_passed_over(frame: str) -> None:
    async def act(stage: Stage) -> None:
        async with client(stage.port) as one:
            await one.send(frame)
            await one.socket.send_bytes(b'{"call":"eboards","id":1}')
            assert (await one.ask("eboards", 2))["id"] == 2

    staged(act)


@pytest.mark.parametrize(
    ("header", "value"),
    [("Origin", b"https://\xff"), ("Sec-WebSocket-Key", "ключ".encode()), ("X-Any", b"\xff")],
)
def test_headers_that_are_no_text_are_refused(
    header: str, value: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"Host": "localhost", "Upgrade": "websocket", "Connection": "Upgrade"}
    headers |= {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    lines = [f"{name}: {text}".encode() for name, text in headers.items() if name != header]
    request = b"\r\n".join([b"GET /api/v1.0 HTTP/1.1", *lines, header.encode() + b": " + value])

    async def act(stage: Stage) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", stage.port)
        writer.write(request + b"\r\n\r\n")
        assert b" 400 " in await reader.readline()
        writer.close()
        await writer.wait_closed()

    staged(act)
    assert caplog.messages == []


def test_a_huge_frame_ends_the_connection_and_it_is_said_whose(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def act(stage: Stage) -> None:
        async with client(stage.port) as other, client(stage.port) as one:
            port = one.socket.get_extra_info("sockname")[1]
            await one.send("x" * (server.LONGEST_FRAME + 1))
            assert (await one.socket.receive()).type is WSMsgType.CLOSE
            assert one.socket.close_code == 1009
            who = f"livechess: the client at 127.0.0.1 port {port} is let go for what it sent: "
            await eventually(lambda: any(who in said for said in caplog.messages), who)
            assert (await other.ask("eboards"))["response"] == "call"

    with caplog.at_level(logging.INFO):
        staged(act)


def test_a_feed_of_the_same_id_is_replaced() -> None:
    async def act(stage: Stage) -> None:
        plays = {name: set_going(stage, name) for name in ("1", "2")}
        async with client(stage.port) as one:
            await one.subscribe("1", feed=1)
            await one.subscribe("2", feed=1)
            stage.publish(*plays["1"].plays("e4"), *plays["2"].plays("d4"))
            params = await one.until(played("d4"))
            assert {param["serialnr"] for param in params} == {"2"}

    staged(act, Stage(("1", "2")))


@pytest.mark.parametrize("form", ["call", "method"])
def test_a_feed_can_be_left(form: str) -> None:
    async def act(stage: Stage) -> None:
        play = set_going(stage)
        async with client(stage.port) as one:
            await one.subscribe("1", feed=1)
            await one.subscribe("1", feed=2)
            if form == "call":
                answer = await one.ask("unsubscribe", 9, id=1)
            else:
                answer = await one.ask("call", 9, id=1, method="unsubscribe")
            assert (answer["response"], answer["param"]) == ("call", None)
            stage.publish(*play.plays("e4"))
            assert (await one.next())["id"] == 2
            assert (await one.ask("eboards", 10))["id"] == 10, "and nothing more"
            assert one.frames == []

    staged(act)


def test_there_is_an_end_to_feeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_FEEDS", 1)

    async def act(stage: Stage) -> None:
        set_going(stage)
        async with client(stage.port) as one:
            await one.subscribe("1", feed=1)
            await one.subscribe("1", feed=1)
            param = {"serialnr": "1"}
            answer = await one.ask("subscribe", 3, feed="eboardevent", id=2, param=param)
            assert answer["response"] == "error"

    staged(act)


@pytest.mark.parametrize("method", ["flip", "setup"])
def test_a_flip_also_under_the_wrong_name(method: str) -> None:
    async def act(stage: Stage) -> None:
        set_going(stage)
        async with client(stage.port) as one:
            await one.subscribe("1")
            answer = await one.ask("call", 4, id=1, method=method, param={"flip": True})
            assert answer["param"] is None
            assert (await one.next())["param"] == {
                "serialnr": "1",
                "flipped": True,
                "board": "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr",
            }

    staged(act)


# --- what is told ---------------------------------------------------------------------------------


def test_the_first_frame_tells_all_and_others_what_changed() -> None:
    async def act(stage: Stage) -> None:
        play = set_going(stage)
        async with client(stage.port, origin=SITES[0]) as one:
            assert (await one.subscribe("1"))["param"] == WHOLE | BEGUN
            assert (await one.set_up())["param"] == {"serialnr": "1", "board": PLACED, **BEGUN}
            shows, settled = play.plays("e4")
            stage.publish(shows)
            shown = (await one.next())["param"]
            stage.publish(settled)
            moved = (await one.next())["param"]
            assert shown == {"serialnr": "1", "board": play.board.board_fen(), "match": False}
            assert moved == {"serialnr": "1", "start": START, "san": ["e4"], "match": True}

    staged(act)


def test_what_happened_at_once_is_one_frame() -> None:
    async def act(stage: Stage) -> None:
        play = set_going(stage)
        async with client(stage.port) as one:
            await one.subscribe("1")
            stage.publish(*play.plays("e4"), play.clock(5400, 5399, "black"))
            assert (await one.next())["param"] == {
                "serialnr": "1",
                "board": play.board.board_fen(),
                "clock": {"white": 5400, "black": 5399, "run": False, "time": 1790000000000},
                "start": START,
                "san": ["e4"],
                "match": True,
            }
            stage.publish(*play.plays("e5"), play.takes_back(1), *play.plays("c5", "Nf3"))
            told = await one.until(played("e4", "c5", "Nf3"))
            assert [param["san"] for param in told] == [["e4", "c5"], ["e4", "c5", "Nf3"]]

    staged(act)


def test_what_happened_one_after_the_other_is_several_frames_however_late_it_is_told() -> None:
    async def act(stage: Stage) -> None:
        play = set_going(stage)
        async with client(stage.port) as one:
            await one.subscribe("1")
            shows, settled = play.plays("e4")
            play.at += 0.5
            stage.publish(shows, play.fact(type(settled), **_without_time(settled)))
            told = await one.until(played("e4"))
            assert [sorted(param) for param in told] == [
                ["board", "match", "serialnr"],
                ["match", "san", "serialnr", "start"],
            ]

    staged(act)


def _without_time(fact: Fact) -> dict[str, object]:
    fields = msgspec.structs.asdict(fact)
    return {key: fields[key] for key in fields.keys() - WHERE}


def test_the_last_move_of_a_game_is_told_before_the_next_game_and_before_silence() -> None:
    async def act(stage: Stage) -> None:
        play = set_going(stage)
        async with client(stage.port) as one:
            await one.subscribe("1")
            stage.publish(*play.plays("e4"), *play.start(), *play.plays("d4"))
            told = await one.until(played("d4"))
            assert [param["san"] for param in told] == [["e4"], [], ["d4"]]
            stage.publish(*play.plays("d5"), play.link("lost"))
            await one.until(played("d4", "d5"))

    staged(act)


def test_two_programs_that_set_up_do_not_disturb_each_other() -> None:
    async def act(stage: Stage) -> None:
        play = set_going(stage)
        stage.publish(*play.plays("e4"))
        async with client(stage.port) as one, client(stage.port) as other:
            await one.subscribe("1")
            await other.subscribe("1")
            here = play.board.fen()
            assert (await one.set_up(here))["param"]["san"] == []
            stage.publish(*play.plays("e5"))
            assert (await one.until(played("e5")))[-1]["start"] == here
            assert (await other.until(played("e4", "e5")))[-1]["start"] == START

    staged(act)


def test_nothing_of_the_arbiters_leaves() -> None:
    async def act(stage: Stage) -> None:
        play = set_going(stage)
        async with client(stage.port) as one:
            await one.subscribe("1")
            secret = {"code": "ILLEGAL_MOVE", "severity": "critical", "text": "secret"}
            stage.publish(
                play.fact(AlertRaised, **secret),
                play.fact(MoveProvisional, ply=1, uci="a2a3", san="a3"),
                play.fact(RulingMade, number=1, ruling=None, text="secret"),
                *play.plays("e4"),
            )
            params = await one.until(played("e4"))
            assert len(params) == 1
            assert all(param.keys() <= {"board", "match", *BEGUN, "serialnr"} for param in params)

    staged(act)


def test_what_the_board_says_of_itself() -> None:
    async def act(stage: Stage) -> None:
        def hear(event: Battery | Identity) -> None:
            reading = Reading(table="1", link="1", seq=1, at=0.0, wall=0.0, payload=event)
            stage.tables["1"].apply(reading)

        hear(Battery(at=0.0, percent=87, charging=False))
        hear(Identity(at=0.0, field="version", value="1.2"))
        play = set_going(stage)
        assert (await listed(stage.port))[0]["serialnr"] == "1"
        hear(Identity(at=0.0, field="serial", value="31234"))
        (board,) = await listed(stage.port)
        assert (board["serialnr"], board["battery"]) == ("31234", "87%")
        async with client(stage.port) as one:
            for name in ("31234", "1"):
                assert (await one.subscribe(name))["param"]["serialnr"] == "31234"
            stage.publish(play.link("stale"))
            await eventually(
                lambda: stage.server._hub.boards()[0].state == "NOTRESPONDING", "stale"
            )
            assert (await listed(stage.port))[0]["battery"] is None

    staged(act)


def test_the_pinned_table_comes_first_and_then_those_that_answer() -> None:
    async def act(stage: Stage) -> None:
        set_going(stage, "2")
        assert [board["serialnr"] for board in await listed(stage.port)] == ["3", "2", "1"]

    staged(act, Stage(("1", "2", "3"), first="3"))


# --- many, slow, late -----------------------------------------------------------------------------


def test_a_client_that_takes_nothing_is_cut_off_and_the_others_are_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)

    async def act(stage: Stage) -> None:
        play = set_going(stage)
        async with client(stage.port) as good, client(stage.port) as bad:
            await good.subscribe("1")
            for feed in range(200):
                await bad.subscribe("1", feed=feed)
            transport = _stop_reading(bad)
            while len(stage.server._sockets) > 1:
                play.at += 1
                stage.publish(play.clock(9000, 9000 + play.at, "white"))
                await good.next()
            transport.abort()
            stage.publish(*play.plays("e4"))
            await good.until(played("e4"))

    staged(act)
    (said,) = (each for each in caplog.messages if "does not take its frames" in each)
    assert said.startswith("livechess: the client at 127.0.0.1 port ")


def test_calls_come_as_fast_as_a_client_likes_and_all_are_answered() -> None:
    async def act(stage: Stage) -> None:
        set_going(stage)
        async with client(stage.port) as one:
            for number in range(3000):
                await one.send({"call": "eboards", "id": number})
            assert [(await one.next())["id"] for _ in range(3000)] == [*range(3000)]

    staged(act)


def test_a_client_that_goes_while_its_calls_wait() -> None:
    async def act(stage: Stage) -> None:
        async with client(stage.port) as one:
            transport = _stop_reading(one)
            for number in range(3000):
                await one.send({"call": "eboards", "id": number})
            await asyncio.sleep(0.3)  # long enough for all buffers to be full
            transport.abort()
        await eventually(lambda: not stage.server._sockets, "nothing is left of it")

    staged(act, Stage(map(str, range(50))))


def _stop_reading(one: Client) -> asyncio.Transport:
    """Take nothing more from the line, so that the other end's buffers fill."""
    assert one.socket._conn is not None
    transport = one.socket._conn.transport
    assert isinstance(transport, asyncio.Transport)
    line = transport.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    transport.pause_reading()
    return transport


def test_many_clients_get_every_frame() -> None:
    async def act(stage: Stage) -> None:
        play = set_going(stage)
        async with contextlib.AsyncExitStack() as all_of_them:
            clients = [await all_of_them.enter_async_context(client(stage.port)) for _ in range(60)]
            await asyncio.gather(*(one.subscribe("1", feed=n) for n, one in enumerate(clients)))
            alike = [each for seat in stage.server._hub._views.values() for each in seat]
            assert len(alike) == 1, "what is told alike is encoded once"
            stage.publish(*play.plays("e4", "e5", "Nf3"))
            for params in await asyncio.gather(
                *(one.until(played("e4", "e5", "Nf3")) for one in clients)
            ):
                assert [len(param["san"]) for param in params] == [1, 2, 3]
        await eventually(
            lambda: not any(stage.server._hub._views.values()), "nobody follows any more"
        )

    staged(act)


def test_facts_that_were_lost_are_made_up_for() -> None:
    """More facts at once than the queue of an output holds."""

    async def act(stage: Stage) -> None:
        play, differ = set_going(stage), Differ()
        async with client(stage.port) as one:
            differ.take((await one.subscribe("1"))["param"])
            stage.publish(*play.plays("e4", "e5", "Nf3"))
            for number in range(2000):
                play.at = number
                stage.publish(play.clock(9000 - number, 9000, "white"))
            stage.publish(play.takes_back(1), *play.plays("Nc3", "Nc6"))
            for param in await one.until(played("e4", "e5", "Nc3", "Nc6")):
                differ.take(param)
        assert differ.board.fen() == play.board.fen()

    staged(act)


def test_a_client_is_told_that_the_end_has_come() -> None:
    async def run() -> None:
        stage = Stage()
        async with stage.server:
            opened = client(stage.port)
            one = await opened.__aenter__()
            reading = asyncio.create_task(one.socket.receive())
            await asyncio.sleep(0)
        assert (await reading).type is WSMsgType.CLOSE
        assert one.socket.close_code == 1001
        await opened.__aexit__(None, None, None)

    asyncio.run(run())


def test_a_fact_that_fits_nothing_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    async def act(stage: Stage) -> None:
        play = set_going(stage)
        async with client(stage.port) as one:
            await one.subscribe("1")
            play.board.push_san("e4")
            play.board.push_san("e5")
            stage.feed.bus.publish(play.settled("e5"))
            play.board.pop()
            stage.publish(play.shows(), play.settled("e4"))
            await one.until(played("e4"))

    staged(act)
    assert "a fact was passed over" in caplog.text
