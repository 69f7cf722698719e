"""The process of the boards: players, the plan of what goes wrong, and a receiver of webhooks."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from benchmarks.processes import leave
from benchmarks.tournament import troubles
from benchmarks.tournament.faster import SharedTime
from benchmarks.tournament.plan import OF_ALL, OF_THE_RADIO, Fault
from benchmarks.tournament.radio import Air, RadioSeat, address_of, family_of, on_the_air
from benchmarks.tournament.seats import CONTROL, DgtSeat, Manner, Played, Seat
from bridge.daemon.limits import raise_file_limit

CONFIG, READY, PLAYED = "hall.yaml", "ready", "played.json"
BUS, BUS_ADDRESS = "bus", "DBUS_SYSTEM_BUS_ADDRESS"
"""The file with the address of the D-Bus on which the radio is, and where programs look for it."""

PID, FOLLOWING = "daemon.pid", "following"
"""Who the daemon is, and a file that is there as soon as it follows all boards."""

GAMES, CLOUD, ROUND = "games", "cloud", "1"
LOOK_EVERY = 0.5
EXCHANGEABLE = 4
"""So many tables at the end know their boards by serial number, and look for them everywhere."""


class HallPlayed(msgspec.Struct):
    """What really happened: games by table, the plan, when it began and ended (hastened seconds).

    ``received``: the names of all messages that the receiver of webhooks took, in order;
    ``wireless``: the tables on the radio.
    """

    begun: float
    ended: float
    games: dict[str, list[Played]]
    plan: list[Fault]
    received: list[str]
    wireless: list[int]
    cpu_seconds: float = 0.0


def exchangeable(boards: int) -> range:
    """Return the tables whose boards may be exchanged."""
    return range(max(1, boards - EXCHANGEABLE + 1), boards + 1)


def write_config(folder: Path, boards: int, radio: int, receiver: int | None) -> None:
    """Write what the daemon is to follow: so many boards with cables, then those on the radio.

    *receiver* is the port of a receiver of webhooks.
    """
    (folder / "secret").write_text("of the tournament that is played only\n", "ascii")
    lines = [
        f"event: {{name: tournament, round: {ROUND}}}",
        "data: {folder: data}",
        f"pgn: {{folder: {GAMES}}}",
        f"cloud: {{folder: {CLOUD}}}",
        f"ports: [{json.dumps(str(folder.resolve() / 'dev' / '*'))}]",
    ]
    if receiver is not None:
        url = f"http://127.0.0.1:{receiver}/"
        lines.append(
            f"webhooks: [{{name: all, url: '{url}', audience: arbiter, secret_file: secret}}]"
        )
    lines.append("tables:")
    for number in range(1, boards + radio + 1):
        lines += [
            f'  - table: "{number}"',
            f"    number: {number}",
            f"    board: {{{_board(folder, boards, number)}}}",
            f'    time_control: "{CONTROL}"',
        ]
    (folder / CONFIG).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _board(folder: Path, boards: int, number: int) -> str:
    """Return how a configuration names the board of a table."""
    if number > boards:
        driver = family_of(number - boards - 1).driver
        return f'driver: {driver}, port: "ble:{address_of(number)}"'
    if number in exchangeable(boards):
        return f'driver: dgt, port: auto, serial: "{10_000 + number}"'
    return f"driver: dgt, port: {json.dumps(str((folder / 'dev' / f'{number}').resolve()))}"


class Hall:
    """All seats in *folder*, and everything that can go wrong with them."""

    def __init__(self, folder: Path, boards: int, manner: Manner, daemons_time: SharedTime) -> None:
        self._folder = folder
        self._daemons_time = daemons_time
        self._manner = manner
        self._cabled = [
            DgtSeat(number, folder / "dev" / f"{number}", manner) for number in range(1, boards + 1)
        ]
        self._life = asyncio.Lock()
        self._air: Air | None = None
        self._wireless: list[RadioSeat] = []
        self._receiver_is_down = False
        self._received: list[str] = []

    @property
    def _seats(self) -> list[Seat]:
        return [*self._cabled, *self._wireless]

    async def spend(
        self, seconds: float, plan: Sequence[Fault], *, radio: int, receiver: int
    ) -> HallPlayed:
        """Wait until all boards are followed, play for *seconds*, and carry *plan* out.

        *radio*: how many more boards are on the radio.
        """
        raise_file_limit(len(self._seats))
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._receiving(receiver))
            if radio:
                self._air = await stack.enter_async_context(on_the_air(self._manner.seed))
                self._seat_at_the_radio(self._air, radio)
            for seat in self._seats:
                seat.port.plug()
            (self._folder / READY).touch()
            while not (self._folder / FOLLOWING).exists():  # noqa: ASYNC110 - files call nobody
                await asyncio.sleep(LOOK_EVERY)
            begun = _now()
            going_wrong = [asyncio.create_task(self._carry_out(fault, begun)) for fault in plan]
            await asyncio.gather(*(seat.sit(begun + seconds) for seat in self._seats), *going_wrong)
            await asyncio.sleep(troubles.RETURN)
            ended = _now()
            games = {f"{seat.number}": seat.games for seat in self._seats}
            wireless = [seat.number for seat in self._wireless]
            return HallPlayed(begun, ended, games, list(plan), self._received, wireless)

    def close(self) -> None:
        """Take all boards away."""
        for seat in self._seats:
            seat.port.close()

    def _seat_at_the_radio(self, air: Air, radio: int) -> None:
        leave(self._folder / BUS, os.environ[BUS_ADDRESS].encode("ascii"))
        first = len(self._cabled) + 1
        self._wireless = [
            RadioSeat(first + place, place, air.bluez, self._manner) for place in range(radio)
        ]

    async def _carry_out(self, fault: Fault, begun: float) -> None:
        await asyncio.sleep(max(0.0, begun + fault.at - _now()))
        if fault.what in OF_THE_RADIO:
            assert self._air is not None  # noqa: S101 - only such halls have such plans
            await troubles.on_the_radio(fault.what, self._air, self._wireless, fault.seconds)
        elif fault.what in OF_ALL:
            await self._kill(fault.seconds)
        elif fault.tables:
            await self._at_tables(fault)
        else:
            await self._to_outputs(fault)

    async def _at_tables(self, fault: Fault) -> None:
        seats = [self._seats[table - 1] for table in fault.tables]
        cabled = [seat for seat in seats if isinstance(seat, DgtSeat)]
        match fault.what:
            case "unplug" | "hub":
                await troubles.unplug(seats, fault.seconds)
            case "hang":
                await troubles.hang(cabled, fault.seconds)
            case "noise":
                await troubles.disturb(cabled, fault.seconds)
            case "no clock":
                await troubles.no_clock(cabled, fault.seconds)
            case "still clock":
                await troubles.dead_clock(cabled, fault.seconds, silent=False)
            case "silent clock":
                await troubles.dead_clock(cabled, fault.seconds, silent=True)
            case "other clock":
                cabled[0].replace_clock()
            case _:
                await troubles.exchange(*cabled, seconds=fault.seconds)

    async def _kill(self, seconds: float) -> None:
        """Kill the daemon; somebody starts another one, which is there after *seconds*.

        One that does not follow all boards yet is left alone until then.
        """
        following = self._folder / FOLLOWING
        async with self._life:
            with troubles.hidden(self._seats):
                following.unlink()
                os.kill(int((self._folder / PID).read_text("ascii")), signal.SIGKILL)
                self._daemons_time.allow(seconds)
                async with asyncio.timeout(troubles.PATIENCE):
                    while not following.exists():  # noqa: ASYNC110 - files call nobody
                        await asyncio.sleep(LOOK_EVERY)
                await asyncio.sleep(troubles.RETURN)

    async def _to_outputs(self, fault: Fault) -> None:
        with ExitStack() as down:
            if fault.what in ("receiver", "outputs"):
                down.enter_context(self._refusing())
            if fault.what in ("files", "outputs"):
                down.enter_context(_kept_from_being_written(self._folder / GAMES))
            if fault.what == "outputs":
                down.enter_context(_kept_from_being_written(self._folder / CLOUD))
            await asyncio.sleep(fault.seconds)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        self._receiver_is_down = True
        yield
        self._receiver_is_down = False

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


@contextmanager
def _kept_from_being_written(folder: Path) -> Iterator[None]:
    """Let a file stand in the place of a folder until left."""
    away = folder.with_name(f"{folder.name}.away")
    folder.rename(away)
    folder.write_bytes(b"")
    yield
    folder.unlink()
    away.rename(folder)


def _now() -> float:
    return asyncio.get_running_loop().time()
