"""How soon, and at what cost, the subscribers of a hall see a move: ``python -m benchmarks.live``.

Facts of games at many boards are told to the feed of a server as the hall would tell them; the
subscribers are in a process of their own (``benchmarks.watchers``), on loopback.
"""

import argparse
import asyncio
import contextlib
import json
import math
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import msgspec

from benchmarks.live_play import PLY_EVERY, Hall
from benchmarks.report import Report, Use, spread, use
from benchmarks.watchers import Plan, Watched, Watching
from bridge.config import LiveChessSettings, WebSettings, parse
from bridge.config.delays import NO_DELAY
from bridge.core.table import Table
from bridge.daemon.interpreter import suit_interpreter
from bridge.daemon.limits import raise_file_limit
from bridge.outputs.feed import Feed
from bridge.outputs.health import Health, Watch
from bridge.outputs.livechess.server import LiveChess
from bridge.web.server import Web

BOARDS = 200
SUBSCRIBERS = 2000
SECONDS = 30.0
COLUMNS = (
    "who looks",
    "moves",
    "p50",
    "p99",
    "worst",
    "frames/s",
    "CPU",
    "a frame",
    "no core",
    "memory",
    "missing",
)
ON_THE_WAY = 0.5
"""Seconds that the last frames may take, beside those of play."""


@dataclass(frozen=True)
class Server:
    """What is measured: how it is started, and what a subscriber of a board says and sees.

    ``watching`` is a subscriber of a table, ``moves`` as in :class:`benchmarks.watchers.Plan`.
    ``all_at_once``: a subscriber of ``""`` is told of all tables.
    """

    serve: Callable[[Hall], contextlib.AbstractAsyncContextManager[object]]
    watching: Callable[[str], Watching]
    moves: str
    all_at_once: bool = False


def _livechess(hall: Hall) -> LiveChess:
    tables = {each.table: Table(each.table) for each in hall.config.tables}
    settings = LiveChessSettings(host="127.0.0.1", port=hall.port)
    return LiveChess(settings, hall.config.tables, hall.feed, table=tables.__getitem__)


def _eboardevent(table: str) -> Watching:
    feed = {"feed": "eboardevent", "id": 1, "param": {"serialnr": table}}
    call = json.dumps({"call": "subscribe", "id": 2, "param": feed})
    return Watching(table, "/api/v1.0", [call])


async def _no_metrics() -> tuple[bytes, str]:
    return b"", "text/plain"


async def _healthy() -> Health:
    return Health("ok")


async def _no_equipment() -> dict[str, object]:
    return {}


@contextlib.asynccontextmanager
async def _web(hall: Hall) -> AsyncIterator[None]:
    settings = WebSettings(port=hall.port)
    watch = Watch(metrics=_no_metrics, health=_healthy, equipment=_no_equipment)
    server = Web(
        hall.config, settings, time.monotonic, lambda *_: None, today="2026.01.01", watch=watch
    )
    hall.hears.append(server.tell)
    async with server:
        yield


def _stream(table: str) -> Watching:
    return Watching(table, f"/api/v1/stream?table={table}" if table else "/api/v1/stream", [])


SERVERS = {
    "livechess": Server(
        serve=_livechess,
        watching=_eboardevent,
        moves=r'"san":\[(?P<sans>"[^\]]*)\]',
    ),
    "web": Server(
        serve=_web,
        watching=_stream,
        moves=r'"type":"ply","seq":\d+,"table":"(?P<table>\d+)".*?"ply":(?P<ply>\d+)',
        all_at_once=True,
    ),
}


@dataclass(frozen=True)
class Situation:
    """``subscribers`` look at the first ``looked_at`` boards, as many at each; 0: each at all."""

    name: str
    boards: int
    subscribers: int
    looked_at: int

    @property
    def tables(self) -> list[str]:
        """The names of all tables."""
        return [str(number) for number in range(1, self.boards + 1)]


@dataclass(frozen=True)
class Outcome:
    """What was measured; ``delays`` are in seconds, from settled to the last subscriber.

    ``missing``: subscribers that did not see a move, summed up. ``idle``, ``begun`` and ``ended``:
    before there were subscribers, when all had subscribed, and after play.
    """

    delays: list[float]
    missing: int
    watched: Watched
    idle: Use
    begun: Use
    ended: Use


async def run(
    server: Server, situation: Situation, *, seconds: float, ply_every: float, port: int
) -> Outcome:
    """Let games be played and watched for *seconds*."""
    raise_file_limit(situation.boards, clients=situation.subscribers)
    tables = situation.tables
    lines = [f'- {{table: "{name}", board: {{port: /dev/absent{name}}}}}' for name in tables]
    feed = Feed(NO_DELAY, time.monotonic, audience="operator", tables=tables)
    hall = Hall(parse("\n".join(["tables:", *lines]), Path("hall.yaml")), port, feed, ply_every)
    watchers = [server.watching(table) for table in _looked_at(situation)]
    plan = Plan(port, server.moves, watchers)
    async with feed, server.serve(hall):
        for table in tables:
            hall.begin(table)
        await asyncio.sleep(0)
        idle = use()
        async with _watched(plan) as watched:
            begun = use()
            games = [asyncio.create_task(hall.play(name, seed)) for seed, name in enumerate(tables)]
            await asyncio.sleep(seconds)
            for game in games:
                game.cancel()
            ended = use()
            await asyncio.sleep(ON_THE_WAY)
            seen = await watched()
    delays, missing = _compared(situation, hall, seen)
    return Outcome(delays, missing, seen, idle, begun, ended)


def _looked_at(situation: Situation) -> Iterator[str]:
    """Yield the table of each subscriber, ``""`` for all."""
    for number in range(situation.subscribers):
        of = situation.looked_at
        yield situation.tables[number % of] if of else ""


def _compared(situation: Situation, hall: Hall, watched: Watched) -> tuple[list[float], int]:
    seen = {(each.table, each.ply): each for each in watched.seen}
    looked_at = situation.tables[: situation.looked_at or None]
    wanted = situation.subscribers // (situation.looked_at or 1)
    delays, missing = [], 0
    for (table, ply), at in hall.settled.items():
        if table not in looked_at:
            continue
        found = seen.get((table, ply))
        missing += wanted
        if found is not None:
            missing -= found.count
            delays.append(found.last - at)
    return delays, missing


@contextlib.asynccontextmanager
async def _watched(plan: Plan) -> AsyncIterator[Callable[[], Awaitable[Watched]]]:
    """Let all subscribers follow; what is yielded ends that and returns what they saw."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(msgspec.json.encode(plan))
        file.flush()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.watchers", file.name),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )

        async def end() -> Watched:
            output, _ = await process.communicate(b"")
            return msgspec.json.decode(output, type=Watched)

        try:
            if process.stdout is None or await process.stdout.readline() != b"ready\n":
                raise RuntimeError("the subscribers ended before they had begun")
            yield end
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


def measure(
    server: str,
    *,
    boards: int = BOARDS,
    subscribers: int = SUBSCRIBERS,
    seconds: float = SECONDS,
    ply_every: float = PLY_EVERY,
    port: int,
) -> Report:
    """Return the table of one server."""
    situations = (
        Situation("as many at each board", boards, subscribers, boards),
        Situation("all at one board", boards, subscribers, 1),
        *([Situation("each at all boards", boards, subscribers, 0)] * SERVERS[server].all_at_once),
    )
    outcomes = [
        outcome_of(server, situation, seconds=seconds, ply_every=ply_every, port=port)
        for situation in situations
    ]
    return Report(
        f"{server}: {boards} boards, {subscribers} subscribers, {seconds:g} s",
        COLUMNS,
        [_row(*both) for both in zip(situations, outcomes, strict=True)],
        (
            "From a settled move to the last subscriber; CPU of the server's process, of one core.",
            "No core: how long it was ready to run and had none. Memory: of a subscriber.",
        ),
    )


def outcome_of(
    server: str, situation: Situation, *, seconds: float, ply_every: float, port: int
) -> Outcome:
    """Measure in a process of its own: memory that was used before would be used again."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_measured, server, situation, seconds, ply_every, port).result()


def _measured(
    server: str, situation: Situation, seconds: float, ply_every: float, port: int
) -> Outcome:
    suit_interpreter()
    found = run(SERVERS[server], situation, seconds=seconds, ply_every=ply_every, port=port)
    return asyncio.run(found)


def _row(situation: Situation, outcome: Outcome) -> tuple[str, ...]:
    delay = spread(1e3 * each for each in outcome.delays or [math.nan])
    begun, ended = outcome.begun, outcome.ended
    lasted, frames = ended.at - begun.at, outcome.watched.frames
    used = ended.cpu_seconds - begun.cpu_seconds
    memory = (ended.resident - outcome.idle.resident) / situation.subscribers
    return (
        situation.name,
        str(delay.count),
        *(f"{each:.1f} ms" for each in (delay.median, delay.p99, delay.worst)),
        f"{frames / lasted:.0f}",
        f"{used / lasted:.0%}",
        f"{1e6 * used / max(1, frames):.0f} us",
        f"{(ended.waited_seconds - begun.waited_seconds) / lasted:.0%}",
        f"{memory / 1024:.1f} KiB",
        str(outcome.missing),
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("servers", nargs="*", metavar="SERVER", help=", ".join(SERVERS))
    parser.add_argument("--boards", type=int, default=BOARDS)
    parser.add_argument("--subscribers", type=int, default=SUBSCRIBERS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of play")
    parser.add_argument("--ply-every", type=float, default=PLY_EVERY, help="seconds, at each board")
    parser.add_argument("--port", type=int, default=21982, help="to serve at, on loopback")
    options = parser.parse_args(arguments)
    if unknown := set(options.servers) - SERVERS.keys():
        parser.error(f"no server {min(unknown)!r}; there are {', '.join(SERVERS)}")
    for name in options.servers or SERVERS:
        measure(
            name,
            boards=options.boards,
            subscribers=options.subscribers,
            seconds=options.seconds,
            ply_every=options.ply_every,
            port=options.port,
        ).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
