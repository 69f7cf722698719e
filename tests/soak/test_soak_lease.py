"""How long nobody holds the lease when the broker fails that keeps it, again and again."""

import asyncio
import os
import signal
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from nats.js.api import ClusterInfo

from bridge.config import ScaleSettings
from bridge.scale.connection import FAILURES, Connection, Grumbler, insist
from bridge.scale.lease import Lease
from bridge.scale.streams import make_streams
from tests.brokers import NAMES, Broker, doing
from tests.livechess import free_port
from tests.soak.conftest import Tell

FAULTS = int(os.environ.get("EBOARD_BRIDGE_LEASE_FAULTS", "40"))
"""How often each fault comes."""
STOPPED = (3.0, 12.0)
"""Seconds for which a broker stands still, as one does that is cut off."""
AFTERWARDS = 12.0
"""Seconds in which the brokers choose who keeps the lease, mostly."""
PATIENCE = 60.0
LOOK = 0.02

Fail = Callable[[Broker, Random], Awaitable[None]]


def cluster(folder: Path) -> list[Broker]:
    ports = [free_port() for _ in range(3)]
    routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in ports)
    return [
        Broker(
            folder / f"broker-{number}",
            f"server_name: b{number}",
            f'cluster {{ name: c, listen: "127.0.0.1:{port}", routes: [{routes}] }}',
            'ping_interval: "2s"',
            "ping_max: 2",
        )
        for number, port in enumerate(ports)
    ]


async def killed(broker: Broker, _rng: Random) -> None:
    await broker.end()
    await asyncio.sleep(AFTERWARDS)
    await broker.start()


async def stopped(broker: Broker, rng: Random) -> None:
    broker.tell(signal.SIGSTOP)
    await asyncio.sleep(rng.uniform(*STOPPED))
    broker.tell(signal.SIGCONT)
    await asyncio.sleep(AFTERWARDS)


async def hold(lease: Lease, connection: Connection) -> None:
    """Hold it whenever nobody else does."""
    while True:
        await lease.acquire(connection.stream)
        await lease.keep(connection.stream, lost=lambda: None)


class Watched:
    """Two hubs' leases, and for how long nobody has held one of them."""

    def __init__(self, leases: Sequence[Lease]) -> None:
        self.gap = self.longest = 0.0
        self._leases = leases

    async def run(self) -> None:
        since = time.monotonic()
        while True:
            now = time.monotonic()
            if any(lease.is_held for lease in self._leases):
                since = now
            self.gap = now - since
            self.longest = max(self.longest, self.gap)
            await asyncio.sleep(LOOK)

    async def over(self) -> float:
        """Return the longest time since the last call, when somebody holds one."""
        async with asyncio.timeout(PATIENCE):
            while self.gap:  # noqa: ASYNC110 - the brokers end it
                await asyncio.sleep(LOOK)
        longest, self.longest = self.longest, 0.0
        return longest


async def keeper(connection: Connection) -> int:
    """The number of the broker that keeps the lease, when the others have all copies of it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                info = await connection.stream.stream_info(f"KV_{NAMES.lease}")
            except FAILURES:
                info = None
            if info is not None and is_whole(info.cluster):
                assert info.cluster is not None
                return int(str(info.cluster.leader)[1:])
            await asyncio.sleep(0.2)


def is_whole(found: ClusterInfo | None) -> bool:
    if found is None or not found.leader:
        return False
    return all(each.current for each in found.replicas or ())


async def fail_again_and_again(folder: Path) -> dict[str, list[float]]:
    brokers = cluster(folder)
    settings = ScaleSettings(event="open", servers=tuple(b.url for b in brokers), replicas=3)
    gaps: defaultdict[str, list[float]] = defaultdict(list)
    async with AsyncExitStack() as stack:
        for broker in brokers:
            await stack.enter_async_context(broker)
        one, other, third = [
            await stack.enter_async_context(Connection(settings, name))
            for name in ("hub-a", "hub-b", "observer")
        ]
        for connection in (one, other, third):
            await connection.until_tried()
        await insist(lambda: make_streams(third.stream, settings), Grumbler("observer"))
        leases = [Lease(name, NAMES.lease, replicas=3, home=name) for name in ("a", "b")]
        watched, rng = Watched(leases), Random(1)
        async with (
            doing(hold(leases[0], one)),
            doing(hold(leases[1], other)),
            doing(watched.run()),
        ):
            faults: dict[str, Fail] = {"killed": killed, "stopped": stopped}
            for _ in range(FAULTS):
                for name, fail in faults.items():
                    broker = brokers[await keeper(third)]
                    await watched.over()
                    await fail(broker, rng)
                    gaps[name].append(await watched.over())
    return gaps


def test_somebody_holds_the_lease_again_soon(tmp_path: Path, figure: Tell) -> None:
    for name, gaps in asyncio.run(fail_again_and_again(tmp_path)).items():
        gaps.sort()
        p95 = gaps[round(0.95 * (len(gaps) - 1))]
        figure(
            f"the broker that kept the lease was {name} {len(gaps)} times: nobody held it for"
            f" {gaps[len(gaps) // 2]:.1f} s (median), p95 {p95:.1f} s, longest {gaps[-1]:.1f} s"
        )
        assert p95 <= 5.0
