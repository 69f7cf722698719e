"""Clients of the LiveChess-compatible server, and facts for it without a board."""

import asyncio
import contextlib
import json
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import chess

from bridge.config import Config, LiveChessSettings, parse
from bridge.config.delays import NO_DELAY
from bridge.core.model import (
    BoardChanged,
    ClockUpdated,
    Fact,
    GameStarted,
    LinkChanged,
    LinkState,
    MovesCorrected,
    MoveSettled,
    TableSetup,
)
from bridge.core.table import Table
from bridge.outputs.feed import Feed
from bridge.outputs.livechess.server import LiveChess
from drivers.cells import cells_of

PATIENCE = 60.0
START = chess.STARTING_FEN
PLACED = chess.STARTING_BOARD_FEN

Frame = dict[str, Any]


def _ports_of_this_worker() -> Iterator[int]:
    """Give each port once; of workers that run beside each other none gives what another gives."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    while True:
        ports = list(range(10_000 + worker, 32_000, workers))
        while ports:
            yield ports.pop(secrets.randbelow(len(ports)))


_PORTS = _ports_of_this_worker()


def free_port() -> int:
    """Return a port that nobody listens at, and that no client is given for its own end."""
    return next(filter(_is_free, _PORTS))


def _is_free(port: int) -> bool:
    with socket.socket() as one, contextlib.suppress(OSError):
        one.bind(("127.0.0.1", port))
        return True
    return False


# --- facts ----------------------------------------------------------------------------------------


class Play:
    """The facts of games at one table, in their order."""

    def __init__(self, table: str = "1") -> None:
        self.table = table
        self.game = 0
        self.at = 0.0
        self.board = chess.Board()

    def fact(self, kind: Callable[..., Fact], **fields: object) -> Fact:
        return kind(
            table=self.table,
            game=self.game,
            at=self.at,
            wall=1_790_000_000 + self.at,
            evidence=(1, 1),
            **fields,
        )

    def link(self, state: LinkState) -> Fact:
        return self.fact(LinkChanged, state=state)

    def start(self, fen: str = START) -> list[Fact]:
        self.game += 1
        self.board = chess.Board(fen)
        begun = self.fact(GameStarted, setup=TableSetup(), fen=fen, rotated=False)
        return [begun, self.shows()]

    def shows(self, cells: str | None = None) -> Fact:
        return self.fact(BoardChanged, cells=cells or cells_of(self.board))

    def clock(self, white: float, black: float, turn: str | None, *, running: bool = True) -> Fact:
        times = {"white_ms": round(white * 1000), "black_ms": round(black * 1000)}
        return self.fact(ClockUpdated, **times, running=running, turn=turn)

    def plays(self, *sans: str) -> list[Fact]:
        facts: list[Fact] = []
        for san in sans:
            self.board.push_san(san)
            facts += [self.shows(), self.settled(san)]
        return facts

    def settled(self, san: str, basis: str = "press") -> Fact:
        return self.fact(
            MoveSettled,
            ply=len(self.board.move_stack),
            uci="",
            san=san,
            colour="black" if self.board.turn else "white",
            fen=self.board.fen(),
            basis=basis,
        )

    def takes_back(self, count: int) -> Fact:
        for _ in range(count):
            self.board.pop()
        ply = len(self.board.move_stack) + 1
        return self.fact(MovesCorrected, ply=ply, count=count, reason="test")


# --- a server without a daemon --------------------------------------------------------------------


class Stage:
    """The server with facts that are published here, as the daemon would."""

    def __init__(self, tables: Iterable[str] = ("1",), **settings: Any) -> None:
        self.port = free_port()
        lines = [f'- {{table: "{name}", board: {{port: /dev/ttyACM{name}}}}}' for name in tables]
        self.config: Config = parse("tables:\n" + "\n".join(lines) + "\n", Path("hall.yaml"))
        self.tables = {each.table: Table(each.table) for each in self.config.tables}
        self.feed = Feed(NO_DELAY, lambda: 0.0, audience="operator", tables=self.tables)
        self.server = LiveChess(
            LiveChessSettings(port=self.port, **settings),
            self.config.tables,
            self.feed,
            table=self.tables.__getitem__,
        )

    def publish(self, *facts: Fact) -> None:
        for fact in facts:
            self.feed.tell(fact)


# --- clients --------------------------------------------------------------------------------------


class Client:
    """One WebSocket; ``frames`` are those of feeds, in their order, that nobody took yet."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.frames: list[Frame] = []

    async def send(self, frame: object) -> None:
        await self.socket.send_str(frame if isinstance(frame, str) else json.dumps(frame))

    async def next(self) -> Frame:
        """Return the next frame, whatever it is."""
        if self.frames:
            return self.frames.pop(0)
        return await self._receive()

    async def _receive(self) -> Frame:
        async with asyncio.timeout(PATIENCE):
            frame: Frame = json.loads(await self.socket.receive_str())
        assert frame.keys() == {"response", "id", "param", "time"}
        assert isinstance(frame["time"], int)
        assert len(str(frame["time"])) == 13
        return frame

    async def ask(self, call: str, number: int = 1, **param: Any) -> Frame:
        """Call and return the answer; frames of feeds that come before it are kept."""
        await self.send({"call": call, "id": number, "param": param or None})
        while (answer := await self._receive())["response"] == "feed":
            self.frames.append(answer)
        assert answer["id"] == number
        return answer

    async def subscribe(self, serialnr: str, feed: int = 1, number: int = 2) -> Frame:
        """Follow a board and return the first frame of the feed."""
        answer = await self.ask(
            "subscribe", number, feed="eboardevent", id=feed, param={"serialnr": serialnr}
        )
        assert (answer["response"], answer["param"]) == ("call", None)
        return await self.next()

    async def set_up(self, fen: str = START, feed: int = 1) -> Frame:
        """Set a feed up and return the frame that follows."""
        answer = await self.ask("call", 3, id=feed, method="setup", param={"fen": fen})
        assert (answer["response"], answer["param"]) == ("call", None)
        return await self.next()

    async def until(self, true: Callable[[Frame], object]) -> list[Frame]:
        """Return the parameters of all frames up to the first for which *true* holds."""
        params = [(await self.next())["param"]]
        while not true(params[-1]):
            params.append((await self.next())["param"])
        return params


def played(*sans: str) -> Callable[[Frame], bool]:
    """What :meth:`Client.until` waits for: these moves and no others."""
    return lambda param: param.get("san") == list(sans)


@contextlib.asynccontextmanager
async def client(
    port: int, host: str = "127.0.0.1", origin: str | None = None
) -> AsyncIterator[Client]:
    url = f"ws://{host}:{port}/api/v1.0"
    async with aiohttp.ClientSession() as session, session.ws_connect(url, origin=origin) as socket:
        yield Client(socket)


async def listed(port: int) -> list[Frame]:
    """The boards, as the HTTP mirror lists them."""
    url = f"http://127.0.0.1:{port}/api/v1.0/eboards"
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        assert (response.status, response.content_type) == (200, "application/json")
        boards: list[Frame] = await response.json()
        return boards
