"""The process of the boards: players, the plan of what goes wrong, and a receiver of webhooks."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from benchmarks.tournament.plan import Fault
from benchmarks.tournament.seats import CONTROL, Played, Seat
from bridge.daemon.limits import raise_file_limit
from drivers.simulated.dgt import Mode
from drivers.simulated.hands import Style

RETURN = 12.0
"""Seconds in which the daemon has to have a board again; players wait as long."""

UPDATING = (Mode.UPDATE, Mode.UPDATE_BOARD, Mode.UPDATE_NICE)
CONFIG, READY, PLAYED, STARTED = "hall.yaml", "ready", "played.json", "started"
LOOK_EVERY = 0.5
EXCHANGEABLE = 4
"""So many tables at the end know their boards by serial number, and look for them everywhere."""


class HallPlayed(msgspec.Struct):
    """What really happened: games by table, the plan, when it began and ended (hastened seconds).

    ``received``: the names of all messages that the receiver of webhooks took, in order.
    """

    begun: float
    ended: float
    games: dict[str, list[Played]]
    plan: list[Fault]
    received: list[str]
    cpu_seconds: float = 0.0


def exchangeable(boards: int) -> range:
    """Return the tables whose boards may be exchanged."""
    return range(max(1, boards - EXCHANGEABLE + 1), boards + 1)


def write_config(folder: Path, boards: int, receiver: int | None) -> None:
    """Write what the daemon is to follow; *receiver* is the port of a receiver of webhooks."""
    (folder / "secret").write_text("of the tournament that is played only\n", "ascii")
    lines = [
        "event: {name: tournament, round: 1}",
        "data: {folder: data}",
        "pgn: {folder: games}",
        f"ports: [{json.dumps(str(folder.resolve() / 'dev' / '*'))}]",
    ]
    if receiver is not None:
        url = f"http://127.0.0.1:{receiver}/"
        lines.append(
            f"webhooks: [{{name: all, url: '{url}', audience: arbiter, secret_file: secret}}]"
        )
    lines.append("tables:")
    for number in range(1, boards + 1):
        port = json.dumps(str((folder / "dev" / f"{number}").resolve()))
        if number in exchangeable(boards):
            port = f'auto, serial: "{10_000 + number}"'
        lines += [
            f'  - table: "{number}"',
            f"    number: {number}",
            f"    board: {{driver: dgt, port: {port}}}",
            f'    time_control: "{CONTROL}"',
        ]
    (folder / CONFIG).write_text("\n".join(lines) + "\n", encoding="utf-8")


class Hall:
    """All seats in *folder*, and everything that can go wrong with them."""

    def __init__(self, folder: Path, boards: int, *, plies: int, style: Style, seed: int) -> None:
        self._folder = folder
        self._seats = [
            Seat(number, folder / "dev" / f"{number}", plies=plies, style=style, seed=seed)
            for number in range(1, boards + 1)
        ]
        self._receiver_is_down = False
        self._received: list[str] = []

    async def spend(self, seconds: float, plan: Sequence[Fault], receiver: int) -> HallPlayed:
        """Wait until all boards are followed, play for *seconds*, and carry *plan* out."""
        raise_file_limit(len(self._seats))
        async with self._receiving(receiver):
            for seat in self._seats:
                seat.port.plug()
            (self._folder / READY).touch()
            while not all(seat.board.mode in UPDATING for seat in self._seats):  # noqa: ASYNC110 - boards call nobody
                await asyncio.sleep(LOOK_EVERY)
            begun = _now()
            (self._folder / STARTED).touch()
            going_wrong = [asyncio.create_task(self._carry_out(fault, begun)) for fault in plan]
            await asyncio.gather(*(seat.sit(begun + seconds) for seat in self._seats), *going_wrong)
            await asyncio.sleep(RETURN)
            ended = _now()
            games = {f"{seat.number}": seat.games for seat in self._seats}
            return HallPlayed(begun, ended, games, list(plan), self._received)

    def close(self) -> None:
        """Take all boards away."""
        for seat in self._seats:
            seat.port.close()

    async def _carry_out(self, fault: Fault, begun: float) -> None:
        await asyncio.sleep(max(0.0, begun + fault.at - _now()))
        seats = [self._seats[table - 1] for table in fault.tables]
        match fault.what:
            case "unplug" | "hub":
                await _unplug(seats, fault.seconds)
            case "hang":
                await _hang(seats, fault.seconds)
            case "noise":
                await _disturb(seats, fault.seconds)
            case "no clock":
                await _without_clock(seats, fault.seconds)
            case "other clock":
                seats[0].replace_clock()
            case "exchange":
                await _exchange(*seats, seconds=fault.seconds)
            case "receiver":
                self._receiver_is_down = True
                await asyncio.sleep(fault.seconds)
                self._receiver_is_down = False
            case "files":  # pragma: no branch - all kinds are named
                await self._keep_files_from_being_written(fault.seconds)

    async def _keep_files_from_being_written(self, seconds: float) -> None:
        games, away = self._folder / "games", self._folder / "games.away"
        games.rename(away)
        games.write_bytes(b"")
        await asyncio.sleep(seconds)
        games.unlink()
        away.rename(games)

    @asynccontextmanager
    async def _receiving(self, port: int) -> AsyncIterator[None]:
        application = web.Application()
        application.router.add_post("/", self._take)
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        try:
            yield
        finally:
            await runner.cleanup()

    async def _take(self, request: web.Request) -> web.Response:
        body: dict[str, Any] = await request.json()
        if self._receiver_is_down:
            return web.Response(status=503)
        self._received.append(f"{request.headers['webhook-id']} {body['type']}")
        return web.Response()


async def _unplug(seats: Sequence[Seat], seconds: float) -> None:
    with _hidden(seats):
        for seat in seats:
            seat.port.unplug()
        await asyncio.sleep(seconds)
        for seat in seats:
            seat.port.plug()
        await asyncio.sleep(RETURN)


async def _hang(seats: Sequence[Seat], seconds: float) -> None:
    """Let nothing through in either way, while the ports stay."""
    with _hidden(seats):
        for seat in seats:
            seat.faults.disconnected = True
        await asyncio.sleep(seconds)
        for seat in seats:
            seat.faults.disconnected = False
        await asyncio.sleep(RETURN)


async def _disturb(seats: Sequence[Seat], seconds: float) -> None:
    for seat in seats:
        seat.faults.split = seat.faults.merge = 0.1
        seat.faults.lose = seat.faults.insert = seat.faults.wrong_length = 0.01
        seat.faults.null_clock = seat.faults.invalid_clock = 0.05
    await asyncio.sleep(seconds)
    for seat in seats:
        seat.faults.split = seat.faults.merge = 0.0
        seat.faults.lose = seat.faults.insert = seat.faults.wrong_length = 0.0
        seat.faults.null_clock = seat.faults.invalid_clock = 0.0


async def _without_clock(seats: Sequence[Seat], seconds: float) -> None:
    for seat in seats:
        seat.faults.clock_unplugged = True
    await asyncio.sleep(seconds)
    for seat in seats:
        seat.faults.clock_unplugged = False


async def _exchange(one: Seat, other: Seat, *, seconds: float) -> None:
    """Plug each board in where the other one was, after *seconds*."""
    with _hidden((one, other)):
        one.port.unplug()
        other.port.unplug()
        await asyncio.sleep(seconds)
        one.port.path, other.port.path = other.port.path, one.port.path
        one.port.plug()
        other.port.plug()
        await asyncio.sleep(RETURN)


@contextmanager
def _hidden(seats: Sequence[Seat]) -> Iterator[None]:
    with ExitStack() as stack:
        for seat in seats:
            stack.enter_context(seat.hidden())
        yield


def _now() -> float:
    return asyncio.get_running_loop().time()
