"""The web server of a real daemon: a board on a pty, a spectator, and an arbiter who rules."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from bridge.config import load
from bridge.web import accounts, passwords
from bridge.web.accounts import Account
from tests.court import PASSWORD, Person
from tests.halls import PATIENCE, Daemon, Seat, at, seated, write_config, written_moves
from tests.livechess import free_port
from tests.web import Visitor

PACE = 0.1


@asynccontextmanager
async def person(port: int) -> AsyncIterator[Person]:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", cookie_jar=jar) as session:
        yield Person(session)


async def listening(visitor: Visitor) -> None:
    """Wait until the daemon answers."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await visitor.get("/api/v1/event")
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(0.05)
            else:
                return


def test_an_order_outlives_a_killed_daemon(tmp_path: Path) -> None:
    asyncio.run(_outlives(tmp_path))


async def _outlives(folder: Path) -> None:
    seat, port = Seat(folder / "board", pace=PACE), free_port()
    path = write_config(folder, [at(seat.port.path)], f"web: {{port: {port}}}")
    kept = passwords.hashed(PASSWORD)
    accounts.add(load(path).accounts, Account(name="Anna", role="arbiter", password=kept))
    async with seated([seat]):
        async with Daemon(path) as daemon, person(port) as looker, person(port) as anna:
            await listening(looker)
            async with asyncio.timeout(PATIENCE), looker.stream() as stream:
                assert (await stream.next())["type"] == "hello"
                await daemon.live()
                await seat.plays(4)
                plies = await stream.until(lambda each: each.get("ply") == 3)
                assert [each["uci"] for each in plies if each["type"] == "ply"][:1] == ["e2e4"]
                await anna.log_in("Anna")
                ended = await anna.orders(_result("1-0"), table="1")
                messages = await stream.until(lambda each: each["type"] == "end")
                assert messages[-1]["result"] == "1-0"
            await daemon.end(signal.SIGKILL)
        async with Daemon(path) as daemon, person(port) as anna:
            await listening(anna)
            game = await anna.json("/api/v1/games/1")
            assert (game["result"], game["state"]) == ("1-0", "ended")
            assert [ply["uci"] for ply in game["plies"]] == seat.moves[: game["ply"]]
            assert '[Result "1-0"]' in await (await anna.get("/pgn/round-1.pgn")).text()
            await anna.log_in("Anna")
            (entry,) = (await anna.json("/api/v1/audit"))["entries"]
            assert (entry["number"], entry["ruling"]["by"]) == (ended["number"], "Anna")
            undo = {"order": {"kind": "Undo", "ruling": ended["number"]}, "reason": "mistaken"}
            await anna.orders(undo, table="1")
            assert (await anna.json("/api/v1/games/1"))["result"] == "*"
            assert await daemon.end() == 0
    assert written_moves(folder)[:3] == seat.moves[:3]


def _result(result: str) -> dict[str, object]:
    order = {"kind": "SetResult", "result": result, "because": "resignation"}
    return {"order": order, "reason": "Black resigned, the kings were not set"}
