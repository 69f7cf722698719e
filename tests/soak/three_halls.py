"""Three halls, three brokers and two hubs, of which something is always failing."""

import asyncio
import contextlib
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from benchmarks.wire import wandering_game
from bridge.scale.names import HUB
from drivers.simulated.clock import TimeControl
from drivers.simulated.dgt import Mode, Passport
from drivers.simulated.hands import Style
from drivers.simulated.performance import Performance, stage
from drivers.simulated.pty import PtyPort
from testbed.fake_lichess import TOKEN
from tests.brokers import NAMES, Broker
from tests.halls import eventually
from tests.receiver import SECRET
from tests.soak.machines import HERE, Kept, Machine, leading, lines_of

BOARDS = int(os.environ.get("EBOARD_BRIDGE_SCALE_BOARDS", "100"))
"""Boards of each node."""
SEED = int(os.environ.get("EBOARD_BRIDGE_SCALE_SEED", "1"))
STYLE = Style(think=(4.0, 12.0))
SECONDS_A_PLY = 9.5
NODES = ("north", "south", "east")
ROUNDS = {"north": "Nnnn1234", "south": "Ssss1234", "east": "Eeee1234"}
"""Each hall is a group with a round of its own: Lichess shows 100 games of one."""
UPDATING = (Mode.UPDATE, Mode.UPDATE_BOARD, Mode.UPDATE_NICE)
PATIENCE = 180.0
COPYING = 30.0
"""Seconds after which brokers that have not all copies are not waited for."""
FAULTS = (
    "kill broker",
    "cut off broker",
    "kill leader",
    "kill leader",
    "kill hub",
    "cut off leader",
    "kill node",
    "cut off node",
    "slow node",
)
STREAMS = ("EBOARD_OPEN_READINGS", "KV_EBOARD_OPEN_LEASE", "KV_EBOARD_OPEN_SENT")
LEADERS_FAULTS = ("kill leader", "cut off leader", "kill broker", "cut off broker")


def node_of(table: int) -> str:
    """The node of a table, which also is its group."""
    return NODES[(table - 1) // BOARDS]


class Halls:
    """Boards on ports, and the machines that follow them."""

    def __init__(
        self, folder: Path, made: list[Machine], ports: tuple[int, int], *, plies: int
    ) -> None:
        self.folder = folder
        self.rng = Random(SEED)
        self.places = made
        self.brokers = [self._broker(number) for number in range(3)]
        self._ports = ports
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
        self.back = list[float]()
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
        rounds = ", ".join(f'"{node} 1": {round_}' for node, round_ in ROUNDS.items())
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
                f"rounds: {{{rounds}}}}}"
            ),
            "groups:",
            *(f"  - {{group: {node}, name: {node}, round: 1}}" for node in NODES),
            "tables:",
        ]
        for number in range(1, 3 * BOARDS + 1):
            node = node_of(number)
            lines.append(
                f'  - {{table: "{number}", number: {number}, node: {node}, '
                f"group: {node}, "
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

    async def fail(self, faults: Sequence[str]) -> None:
        """Let one thing of *faults* fail, and be mended, when all is of use again.

        What that takes beyond the rest between faults is in ``back``.
        """
        began = time.monotonic()
        await eventually(self._all_of_use, "two hubs that can lead", PATIENCE)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(COPYING):
                while not await self._has_copies():  # noqa: ASYNC110 - brokers make it true
                    await asyncio.sleep(0.2)
        self.back.append(time.monotonic() - began)
        self.latest = self.rng.choice(faults)
        self.faults[self.latest] += 1
        await getattr(self, f"_{self.latest.replace(' ', '_')}")()

    def _all_of_use(self) -> bool:
        return all(lines_of(hub.log, " stands by") == hub.starts for hub in self.hubs)

    async def _has_copies(self) -> bool:
        """Whether all brokers have all that they keep, so that each of them may fail."""
        client = Client()
        with contextlib.suppress(nats.errors.Error, TimeoutError, OSError):
            servers = [broker.url for broker in self.brokers]
            await client.connect(servers, error_cb=_quiet, max_reconnect_attempts=1)
            try:
                stream = client.jetstream(timeout=1.0)
                found = [(await stream.stream_info(name)).cluster for name in STREAMS]
                return all(
                    each is not None and each.leader and all(c.current for c in each.replicas or ())
                    for each in found
                )
            finally:
                await client.close()
        return False

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
    """Hears at all brokers the hub that leads; ``gaps`` are the seconds in which it said nothing.

    It speaks ten times a second while it leads for certain.
    """

    def __init__(self, halls: Halls) -> None:
        self.gaps: list[float] = []
        self.during: list[str] = []
        self._clients = [Client() for _ in halls.brokers]
        self._halls = halls
        self._heard: float | None = None

    async def run(self) -> None:
        try:
            await asyncio.gather(*(self._listen(n) for n in range(len(self._clients))))
            await asyncio.Event().wait()
        finally:
            for client in self._clients:
                await client.close()

    async def _listen(self, number: int) -> None:
        client = self._clients[number]
        await client.connect(
            self._halls.brokers[number].url,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ping_interval=1,
            max_outstanding_pings=2,
            error_cb=_quiet,
        )
        await client.subscribe(NAMES.mark(HUB), cb=self._hear)

    async def _hear(self, _message: Msg) -> None:
        now = time.monotonic()
        if self._heard is not None and now - self._heard > 1.0:
            self.gaps.append(now - self._heard)
            self.during.append(self._halls.latest)
        self._heard = now


async def _quiet(_error: Exception) -> None:
    pass
