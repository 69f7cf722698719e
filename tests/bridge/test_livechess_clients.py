"""What programs that are in use send, in their order and with their numbers, and what they read."""

import asyncio

import pytest

from tests.livechess import PATIENCE, PLACED, START, Frame, Play, Stage, client, listed, played

SUBSCRIBED = {"feed": "eboardevent", "param": {"serialnr": "1"}}


def calls(*, first: int, second: int, feed: int, param: object = ...) -> list[Frame]:
    """The two calls with which every program begins; ``...`` is a parameter that is left out."""
    ask: Frame = {"id": first, "call": "eboards"}
    if param is not ...:
        ask["param"] = param
    return [ask, {"id": second, "call": "subscribe", "param": SUBSCRIBED | {"id": feed}}]


def setup(number: int, feed: int) -> Frame:
    param = {"id": feed, "method": "setup", "param": {"fen": START}}
    return {"id": number, "call": "call", "param": param}


PROGRAMS = {
    "lichess.org": [*calls(first=1, second=2, feed=1), setup(3, 1)],
    "chess.com": calls(first=1, second=2, feed=1, param=None),
    "DgtAngel": calls(first=1, second=999, feed=1, param=None),
    "pages with Vue": [*calls(first=1, second=83, feed=7, param={}), setup(84, 7)],
    "pages with React": [*calls(first=48617, second=48618, feed=48618), setup(48619, 48618)],
    "relays": calls(first=10, second=11, feed=12),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_gets_its_answers_in_order(program: str) -> None:
    """Each answer is read before the next call; some take whatever comes next for the answer."""

    async def run() -> None:
        stage, play = Stage(), Play()
        stage.publish(play.link("live"), *play.start())
        async with stage.server, asyncio.timeout(PATIENCE), client(stage.port) as one:
            ask, subscribe, *more = PROGRAMS[program]
            await one.send(ask)
            answer = await one.next()
            assert (answer["response"], answer["id"]) == ("call", ask["id"])
            assert [board["serialnr"] for board in answer["param"]] == ["1"]
            for call, keys in ((subscribe, {"board", "flipped"}), *((c, {"board"}) for c in more)):
                await one.send(call)
                confirmed, told = await one.next(), await one.next()
                assert (confirmed["response"], confirmed["id"]) == ("call", call["id"])
                assert confirmed["param"] is None
                assert (told["response"], told["id"]) == ("feed", subscribe["param"]["id"])
                assert told["param"].keys() >= {"serialnr", *keys}
                assert told["param"]["board"] == PLACED
            stage.publish(*play.plays("e4"))
            frames = await one.until(played("e4"))
            assert frames[0]["board"] == play.board.board_fen()

    asyncio.run(run())


def test_livechess_go_looks_for_boards_by_http_and_calls_a_flip_setup() -> None:
    async def run() -> None:
        stage, play = Stage(("1", "2")), Play()
        stage.publish(play.link("live"), *play.start())
        async with stage.server, asyncio.timeout(PATIENCE):
            boards = [board for board in await listed(stage.port) if board["state"] == "ACTIVE"]
            assert [board["serialnr"] for board in boards] == ["1"]
            async with client(stage.port) as one:
                await one.subscribe("1", feed=2, number=1)
                answer = await one.ask("call", 3, id=2, method="setup", param={"flip": False})
                assert (answer["response"], answer["param"]) == ("call", None)
                assert (await one.next())["param"]["flipped"] is False
                answer = await one.ask("call", 4, id=2, method="start")
                assert answer["response"] == "error"
                assert isinstance(answer["param"]["message"], str)

    asyncio.run(run())


def test_a_page_that_only_asks_for_the_list_sees_the_game_too() -> None:
    async def run() -> None:
        stage, play = Stage(), Play()
        stage.publish(play.link("live"), *play.start(), play.clock(60, 60, "white"))
        async with stage.server, asyncio.timeout(PATIENCE), client(stage.port) as one:
            stage.publish(*play.plays("e4"), play.clock(59, 60, "black"))
            while True:
                (board,) = (await one.ask("eboards"))["param"]
                if board["board"] != PLACED and board["clock"]["run"] is False:
                    break
            assert board["clock"]["white"] == 59
            assert one.frames == [], "nothing comes that was not asked for"

    asyncio.run(run())
