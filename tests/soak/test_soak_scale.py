"""Three halls, three brokers and two hubs, of which something is always failing."""

import asyncio
import contextlib
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import nats.errors
import pytest
from aiohttp import web
from nats.aio.client import Client

from benchmarks.wire import wandering_game
from bridge.cli.compare import Played, compare
from bridge.core.table import Table
from bridge.outputs.webhook.messages import is_wanted, message_id
from bridge.outputs.webhook.progress import Progress
from bridge.outputs.webhook.sender import AT_ONCE
from drivers.simulated.clock import TimeControl
from drivers.simulated.dgt import Mode, Passport
from drivers.simulated.hands import Style
from drivers.simulated.performance import Performance, stage
from drivers.simulated.pty import PtyPort
from testbed.fake_lichess import TOKEN, FakeLichess
from testbed.lichess_rounds import split
from tests.brokers import Broker
from tests.halls import eventually, game_file, moves_differ, readings, written_moves
from tests.receiver import SECRET, Receiver
from tests.soak.conftest import Tell
from tests.soak.machines import (
    HERE,
    Kept,
    Machine,
    last_epoch,
    leading,
    machines,
    may_make_machines,
)

BOARDS = int(os.environ.get("EBOARD_BRIDGE_SCALE_BOARDS", "100"))
"""Boards of each node."""
MINUTES = float(os.environ.get("EBOARD_BRIDGE_SCALE_MINUTES", "60"))
REST = (15.0, 25.0)
"""Seconds between two faults: as long as a machine takes to be started again and to be of use."""
SEED = int(os.environ.get("EBOARD_BRIDGE_SCALE_SEED", "1"))
STYLE = Style(think=(4.0, 12.0))
SECONDS_A_PLY = 9.5
ROUND = "AbCd1234"
NODES = ("north", "south", "east")
UPDATING = (Mode.UPDATE, Mode.UPDATE_BOARD, Mode.UPDATE_NICE)
PATIENCE = 180.0
QUIET = 10.0
HUB_FAULTS = ("kill leader", "kill hub", "cut off leader")
LONGEST_ELECTION = 10.0
"""Seconds: brokers take 4 to 9 to choose one who keeps the lease, when he is gone who did."""
AFTERWARDS = 60.0
"""Seconds for which a table is followed beyond its last reading: deadlines fall then, too."""


class Halls:
    """Boards on ports, and the machines that follow them."""

    def __init__(self, folder: Path, made: list[Machine], ports: tuple[int, int]) -> None:
        self.folder = folder
        self.rng = Random(SEED)
        self.places = made
        self.brokers = [self._broker(number) for number in range(3)]
        self._ports = ports
        plies = max(10, round(60 * MINUTES / SECONDS_A_PLY))
        self.performances: dict[str, Performance] = {}
        for number in range(1, 3 * BOARDS + 1):
            self.performances[str(number)] = stage(
                wandering_game(plies, self.rng),
                passport=Passport(serial=f"{10_000 + number}"),
                control=TimeControl(base=36000, increment=2),
                style=STYLE,
                seed=number,
            )
        self.hubs = [self._program(3 + n, f"hub-{n}", "hub") for n in range(2)]
        self.nodes = [self._program(5 + n, name, "node") for n, name in enumerate(NODES)]
        self.lines = [self._line(5 + n) for n in range(3)] + [self._line(3 + n) for n in range(2)]
        self.faults = Counter[str]()
        self.latest = ""

    def _broker(self, number: int) -> Broker:
        routes = ", ".join(f'"nats://{each.host}:6222"' for each in self.places[:3])
        return Broker(
            self.folder / f"broker-{number}",
            f"server_name: b{number}",
            (
                f'cluster {{ name: c, listen: "{self.places[number].host}:6222", '
                f"routes: [{routes}], no_advertise: true }}"
            ),
            'ping_interval: "2s"',
            "ping_max: 2",
            host=self.places[number].host,
            port=4222,
            wrapper=self.places[number].wrapper,
        )

    def _program(self, place: int, name: str, command: str) -> Kept:
        folder = self.folder / name
        folder.mkdir()
        (folder / "secret").write_text(SECRET, "utf-8")
        (folder / "token").write_text(TOKEN, "utf-8")
        (folder / "event.yaml").write_text(self._config(), "utf-8")
        file = str(folder / "event.yaml")
        return Kept(self.places[place], folder, "bridge", command, file, "--name", name)

    def _line(self, place: int) -> Kept:
        folder = self.folder / f"line-{place}"
        folder.mkdir()
        (folder / "delay").write_text("0", "utf-8")
        ends = [f"{4221 + n}={each.host}:4222" for n, each in enumerate(self.places[:3])]
        ends += [f"{port}={HERE}:{port}" for port in self._ports]
        return Kept(
            self.places[place], folder, "tests.soak.slow_line", str(folder / "delay"), *ends
        )

    def _config(self) -> str:
        hooks, lichess = self._ports
        servers = ", ".join(f"'nats://127.0.0.1:{4221 + n}'" for n in range(3))
        lines = [
            "event: {name: Test, round: 1, date: 2026-11-20}",
            f"scale: {{event: open, servers: [{servers}], replicas: 3}}",
            (
                f'webhooks: [{{name: all, url: "http://127.0.0.1:{hooks}/", audience: arbiter, '
                "secret_file: secret}]"
            ),
            (
                f'lichess: {{server: "http://127.0.0.1:{lichess}", token_file: token, '
                f"rounds: {{1: {ROUND}}}}}"
            ),
            "tables:",
        ]
        for number in range(1, 3 * BOARDS + 1):
            node = NODES[(number - 1) // BOARDS]
            lines.append(
                f'  - {{table: "{number}", number: {number}, node: {node}, '
                f'white: "W{number}", black: "B{number}", '
                f"board: {{port: {self.folder}/dev/{number}}}}}"
            )
        return "\n".join(lines) + "\n"

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        ports = [
            PtyPort(self.folder / "dev" / table, performance)
            for table, performance in self.performances.items()
        ]
        async with contextlib.AsyncExitStack() as stack:
            for port in ports:
                port.plug()
                stack.callback(port.close)
            for broker in self.brokers:
                await stack.enter_async_context(broker)
            for kept in (*self.lines, *self.hubs, *self.nodes):
                await stack.enter_async_context(kept)
            boards = [each.board for each in self.performances.values()]
            await eventually(
                lambda: all(board.mode in UPDATING for board in boards), "every board", PATIENCE
            )
            await asyncio.sleep(5.0)
            loop = asyncio.get_running_loop()
            for performance, port in zip(self.performances.values(), ports, strict=True):
                loop.call_later(self.rng.uniform(0, 5), begin, performance, port)
            yield

    # --- what fails -----------------------------------------------------------------------------

    async def fail(self) -> None:
        """Let one thing fail, and be mended."""
        faults = [
            self._kill_broker,
            self._cut_off_broker,
            self._kill_leader,
            self._kill_leader,
            self._kill_hub,
            self._cut_off_leader,
            self._kill_node,
            self._cut_off_node,
            self._slow_node,
        ]
        fault = self.rng.choice(faults)
        self.latest = fault.__name__.strip("_").replace("_", " ")
        self.faults[self.latest] += 1
        await fault()

    async def _kill_broker(self) -> None:
        broker = self.rng.choice(self.brokers)
        await broker.end()
        await asyncio.sleep(self.rng.uniform(1, 8))
        await broker.start()

    async def _cut_off_broker(self) -> None:
        await self._cut_off(self.rng.randrange(3), self.rng.uniform(3, 12))

    async def _kill_leader(self) -> None:
        leading(self.hubs).kill(pause=self.rng.uniform(0.5, 4))

    async def _kill_hub(self) -> None:
        self.rng.choice(self.hubs).kill(pause=self.rng.uniform(0.5, 4))

    async def _cut_off_leader(self) -> None:
        await self._cut_off(3 + self.hubs.index(leading(self.hubs)), self.rng.uniform(5, 15))

    async def _kill_node(self) -> None:
        self.rng.choice(self.nodes).kill(pause=self.rng.uniform(0.2, 1.0))

    async def _cut_off_node(self) -> None:
        await self._cut_off(5 + self.rng.randrange(3), self.rng.uniform(3, 20))

    async def _slow_node(self) -> None:
        delay = self.rng.choice(self.lines[:3]).folder / "delay"
        delay.write_text(f"{self.rng.uniform(0.05, 0.4):.2f}", "utf-8")
        await asyncio.sleep(self.rng.uniform(5, 15))
        delay.write_text("0", "utf-8")

    async def _cut_off(self, place: int, seconds: float) -> None:
        self.places[place].pull_out()
        await asyncio.sleep(seconds)
        self.places[place].plug_in()


def begin(performance: Performance, port: PtyPort) -> None:
    performance.begin(at=asyncio.get_running_loop().time())
    port.wake()


class Observer:
    """Asks all brokers for the hub that leads; ``gaps`` are the seconds in which none did."""

    def __init__(self, halls: Halls) -> None:
        self.gaps: list[float] = []
        self.during: list[str] = []
        self._clients = [Client() for _ in halls.brokers]
        self._halls = halls
        self._answered: float | None = None

    async def run(self) -> None:
        try:
            await asyncio.gather(*(self._ask(n) for n in range(len(self._clients))))
        finally:
            for client in self._clients:
                await client.close()

    async def _ask(self, number: int) -> None:
        client = self._clients[number]
        await client.connect(
            self._halls.brokers[number].url,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ping_interval=1,
            max_outstanding_pings=2,
            pending_size=0,
            error_cb=_quiet,
        )
        while True:
            with contextlib.suppress(nats.errors.Error, OSError):
                await client.request("eboard.open.time", b"", timeout=0.5)
                now = time.monotonic()
                if self._answered is not None and now - self._answered > 1.0:
                    self.gaps.append(now - self._answered)
                    self.during.append(self._halls.latest)
                self._answered = now
            await asyncio.sleep(0.1)


async def _quiet(_error: Exception) -> None:
    pass


@contextlib.asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver that other machines reach."""
    application = web.Application(client_max_size=2**24)
    runner = web.AppRunner(application)
    receiver = Receiver(0)
    application.router.add_post("/{tail:.*}", receiver.take)
    await runner.setup()
    await web.TCPSite(runner, HERE, 0).start()
    receiver.port = runner.addresses[0][1]
    try:
        yield receiver
    finally:
        await runner.cleanup()


class Run(NamedTuple):
    """What a run leaves behind; ``folder`` is that of the hub that led last."""

    halls: Halls
    receiver: Receiver
    observer: Observer
    lichess: FakeLichess
    folder: Path


async def play(folder: Path, made: list[Machine]) -> Run:
    lichess = FakeLichess()
    lichess.add_round(ROUND)
    async with receiving() as receiver, lichess.serving(host=HERE) as url:
        halls = Halls(folder, made, (receiver.port, int(url.rpartition(":")[2])))
        observer = Observer(halls)
        async with halls.running():
            observing = asyncio.create_task(observer.run())
            while not all(each.finished for each in halls.performances.values()):
                await halls.fail()
                await asyncio.sleep(halls.rng.uniform(*REST))
            with contextlib.suppress(TimeoutError):  # which is wrong is told below
                await until_written(halls)
            await until_quiet(receiver)
            observing.cancel()
            await asyncio.gather(observing, return_exceptions=True)
            led = leading(halls.hubs).folder
    return Run(halls, receiver, observer, lichess, led)


async def until_written(halls: Halls) -> None:
    """Return when all games are in the files of the hub that leads."""
    wanted = {int(table): len(each.truth().moves) for table, each in halls.performances.items()}
    async with asyncio.timeout(PATIENCE * 2):
        while wanted:
            await asyncio.sleep(3.0)
            folder = leading(halls.hubs).folder
            for table, plies in list(wanted.items()):
                if len(written_moves(folder, table)) >= plies:
                    del wanted[table]


def p95_of(gaps: Sequence[float]) -> float:
    """The gap that 95 of 100 are not longer than, of sorted ones."""
    return gaps[min(len(gaps) - 1, round(0.95 * len(gaps)))] if gaps else 0.0


def lines_of(log: Path, words: str) -> list[str]:
    return [line for line in log.read_text("utf-8").splitlines() if words in line]


async def until_quiet(receiver: Receiver) -> None:
    """Return when nothing has come for a while."""
    count = -1
    while count != len(receiver.came):
        count = len(receiver.came)
        await asyncio.sleep(QUIET)


def concluded(folder: Path, table: str) -> Iterator[tuple[str, bool]]:
    """The ids under which it is told what the journal of a hub comes to.

    Of what comes of deadlines after its end, nobody is sure to have heard.
    """
    fold, progress = Table(table), Progress({})
    journal = readings(folder, int(table))
    facts = [(fact, True) for reading in journal for fact in fold.apply(reading)]
    facts += [(fact, False) for fact in fold.tick(journal[-1].at + AFTERWARDS)]
    for fact, is_sure in facts:
        place = progress.take(fact) if is_wanted(fact, "json") else None
        if place is not None:
            yield message_id(fact, place.number), is_sure


@pytest.mark.skipif(not may_make_machines(), reason="needs root and network namespaces")
def test_three_halls_go_on_whatever_fails(tmp_path: Path, figure: Tell) -> None:
    with machines(8) as made:
        halls, receiver, observer, lichess, folder = asyncio.run(play(tmp_path, made))
    wrong = {}
    for table, performance in halls.performances.items():
        truth = performance.truth()
        played = Played(truth.moves, truth.clock_ms, "*")
        found = compare(game_file(folder, int(table)).read_text("utf-8"), played)
        if moves_differ(found):
            wrong[table] = moves_differ(found)
    came = Counter(name for name, _ in receiver.came)
    due = {name: sure for table in halls.performances for name, sure in concluded(folder, table)}
    gaps_in_order = observer.gaps
    gaps = sorted(gaps_in_order)
    p95 = p95_of(gaps)
    plies = sum(len(each.truth().moves) for each in halls.performances.values())
    figure(
        f"{3 * BOARDS} boards, {plies} plies, {sum(halls.faults.values())} faults: {halls.faults}"
    )
    figure(f"games not exact: {len(wrong)}: {wrong}")
    figure(
        f"epochs: {max(last_epoch(hub.log) for hub in halls.hubs)}; time without a leader: "
        f"{len(gaps)} times, median {gaps[len(gaps) // 2] if gaps else 0:.1f} s, p95 {p95:.1f} s, "
        f"longest {max(gaps, default=0):.1f} s"
    )
    each = zip(observer.during, observer.gaps, strict=True)
    figure("after " + ", ".join(f"{fault} {gap:.1f} s" for fault, gap in each))
    figure(f"webhooks: {len(came)} of {len(due)} arrived, {sum(came.values()) - len(came)} twice")
    strange = [str(body["data"]) for name, body in receiver.came if name not in due]
    missing = [name for name, is_sure in due.items() if is_sure and name not in came]
    pushed = Counter(game.strip() for body in lichess.bodies for game in split(body))
    again = sum(pushed.values()) - len(pushed)
    figure(f"lichess: {len(lichess.bodies)} pushes, {len(pushed)} games, {again} of them again")
    lacking = [line for hub in halls.hubs for line in lines_of(hub.log, " are missing; ")]
    never = [line for hub in halls.hubs for line in lines_of(hub.log, " never came")]
    figure(f"readings that a broker lacked: {len(lacking)} times; that none had: {len(never)}")
    assert not wrong
    assert strange == []
    assert missing == []
    assert sum(came.values()) - len(came) <= AT_ONCE * sum(halls.faults.values())
    of_hubs = sorted(
        gap
        for fault, gap in zip(observer.during, gaps_in_order, strict=True)
        if fault in HUB_FAULTS
    )
    assert p95_of(of_hubs) <= 5.0
    assert max(gaps, default=0.0) <= LONGEST_ELECTION
