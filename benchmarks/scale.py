"""What several halls cost beside one process: ``python -m benchmarks.scale``.

Nodes, broker and hub are processes of their own. A node whose journal has waited without a network
catches up; then readings come at a pace. The one process is the same service on its own journal.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from benchmarks.report import Report, spread
from benchmarks.wire import simulated_game
from bridge.cli.node import scale_of
from bridge.config import Config, load
from bridge.core.model import Payload, Reading
from bridge.daemon.clock import JournalClock
from bridge.daemon.hall import Hall, Stage
from bridge.daemon.service import Service
from bridge.daemon.source import Boards, Measured, OwnBoards, Publish
from bridge.links.news import News
from bridge.links.probing import Found, NotABoard
from bridge.links.pulse import Link, LinkHealth
from bridge.scale.clock import EventClock
from bridge.scale.hub import Hub
from bridge.scale.membership import Membership
from bridge.scale.names import Names
from bridge.scale.node import Desk
from bridge.scale.shared_hall import SharedHall
from bridge.scale.uplink import Uplink
from bridge.scale.wiring import Wiring
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox
from drivers.boards.dgt import Dgt
from drivers.events import ClockReading
from drivers.simulated import games

PATIENCE = 60.0
WARM_UP = 12.0
TICK = 1 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """Processor microseconds a reading, of each program, and readings a second."""

    node: float
    broker: float
    hub: float
    rate: float


def game(seed: int) -> list[tuple[float, Payload]]:
    """Return what one board says in a simulated game, with the times."""
    codec, news = Dgt(), News()
    return [
        (at, event)
        for at, message in simulated_game(games.names()[seed % len(games.names())], seed=seed)
        for event in codec.receive(message, at=at)
        if news.is_new(event)
    ]


def fill(folder: Path, tables: int) -> int:
    """Write a journal of a node, with a game of each of *tables*; return how many readings."""
    readings = []
    for table in range(1, tables + 1):
        link = f"table {table}"
        for seq, (at, payload) in enumerate(game(table), 1):
            readings.append((at, str(table), link, seq, payload))
    readings.sort(key=lambda each: each[0])
    wall = time.time() - readings[-1][0]
    with Journal.open(folder / "journal.sqlite3") as journal:
        journal.submit(
            [
                Reading(table=table, link=link, seq=seq, at=at, wall=wall + at, payload=payload)
                for at, table, link, seq, payload in readings
            ],
            lambda: None,
        )
    return len(readings)


# --- catching up ----------------------------------------------------------------------------------


def catch_up(folder: Path, tables: int) -> tuple[int, Cost]:
    """Let a node tell all it has to a hub; return how much that was and what it cost."""
    readings = fill(folder / "data" / "node-north", tables)
    config = write_config(folder, tables)
    with broker(folder) as serving, bridge(folder, "hub", config, "desk") as hub:
        wait_for(lambda: " leads" in (folder / "hub.log").read_text("utf-8"), "a hub that leads")
        time.sleep(1.0)
        before = [cpu_of(each.pid) for each in (serving, hub)]
        began = time.monotonic()
        with bridge(folder, "node", config, "north") as node:
            wait_for(lambda: "connected" in (folder / "node.log").read_text("utf-8"), "a node")
            start = cpu_of(node.pid)
            wait_for(lambda: journaled(folder) >= readings, "all readings")
            seconds = time.monotonic() - began
            used = [cpu_of(each.pid) for each in (node, serving, hub)]
    costs = [used[0] - start, used[1] - before[0], used[2] - before[1]]
    node_cost, broker_cost, hub_cost = (1e6 * each / readings for each in costs)
    return readings, Cost(node_cost, broker_cost, hub_cost, readings / seconds)


def journaled(folder: Path) -> int:
    """Return how many readings of nodes the hub's journal has."""
    path = folder / "data" / "journal.sqlite3"
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        query = "SELECT coalesce(sum(seq), 0) FROM links WHERE link LIKE '%@north-%'"
        (found,) = database.execute(query).fetchone()
    return int(found)


def write_config(folder: Path, tables: int) -> Path:
    """Write a configuration of one node and one hub, which write no files of games."""
    lines = [
        "log: {level: info}",
        f"scale: {{event: open, servers: ['nats://127.0.0.1:{port_of(folder)}']}}",
        "tables:",
    ]
    lines += [
        f'  - {{table: "{number}", node: north, board: {{port: /dev/absent{number}}}}}'
        for number in range(1, tables + 1)
    ]
    path = folder / "event.yaml"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def port_of(folder: Path) -> int:
    """Return a port for the broker of *folder*, the same every time."""
    file = folder / "port"
    if not file.exists():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            file.write_text(str(probe.getsockname()[1]), "ascii")
    return int(file.read_text("ascii"))


@contextlib.contextmanager
def broker(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a broker that keeps its streams in *folder*."""
    command = ["nats-server", "-a", "127.0.0.1", "-p", str(port_of(folder)), "-js"]
    with (
        (folder / "broker.log").open("wb") as log,
        subprocess.Popen([*command, "-sd", str(folder / "streams")], stderr=log) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()


@contextlib.contextmanager
def program(folder: Path, name: str, *command: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a program of ours, which logs to a file of that name."""
    with (
        (folder / f"{name}.log").open("wb") as log,
        subprocess.Popen([sys.executable, "-m", *command], stderr=log) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()


def bridge(
    folder: Path, command: str, config: Path, name: str
) -> contextlib.AbstractContextManager["subprocess.Popen[bytes]"]:
    """Run a node or a hub."""
    return program(folder, command, "bridge", command, str(config), "--name", name)


def cpu_of(pid: int) -> float:
    """Return the processor seconds of a process so far."""
    words = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) * TICK


def wait_for(true: Callable[[], bool], what: str) -> None:
    """Return as soon as *true* says so.

    Raises:
        RuntimeError: it never did.
    """
    until = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > until:
            raise RuntimeError(f"never came: {what}")
        time.sleep(0.05)


# --- one process ----------------------------------------------------------------------------------


class Feeder:
    """Boards that are not there: what they say comes from *work*."""

    def __init__(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        self.links: list[Link] = []
        self._work = work

    def runs(self) -> list[Coroutine[None, None, None]]:
        """Return what delivers."""
        return [self._work()]

    def health(self) -> list[LinkHealth]:
        """Return nothing."""
        return []

    async def discover(self) -> list[Found | NotABoard]:
        """Find nothing."""
        return []

    def light(self, table: str) -> None:
        """Light nothing."""


class Fed(OwnBoards):
    """A source of readings for one process: those of a journal, or some at a pace."""

    def __init__(
        self, config: Config, journal: Journal, folder: Path, pace: float, notes: list[float]
    ) -> None:
        super().__init__(config, journal)
        self._folder = folder
        self._pace = pace
        self._notes = notes
        self._own = journal

    def hall(self, publish: Publish, measured: Measured) -> tuple[Hall, Boards]:
        """Return a hall, and what feeds it."""
        noting = partial(_note, self._notes, measured)
        hall = Hall(self._own, now=self.now, publish=publish, measured=noting)
        return hall, Feeder(partial(self._flow, hall))

    async def _flow(self, hall: Hall) -> None:
        if self._pace:
            await deliver(hall.deliver, self.now, len(self._config.tables), self._pace)
            return
        began = cpu_of(os.getpid()), time.monotonic()
        count = 0
        with Journal.open(self._folder / "data" / "node-north" / "journal.sqlite3") as source:
            for _, reading in source.read():
                hall.take(msgspec.structs.replace(reading, link=f"{reading.link} @north"))
                count += 1
                if count % 500 == 0:
                    await self._own.append(())
        await self._own.append(())
        await asyncio.sleep(0.2)
        used, seconds = cpu_of(os.getpid()) - began[0], time.monotonic() - began[1] - 0.2
        (self._folder / "single").write_text(f"{1e6 * used / count} {count / seconds}", "ascii")


def _note(notes: list[float], measured: Measured, stage: Stage, seconds: float) -> None:
    measured(stage, seconds)
    if stage == "journal":
        notes.append(seconds)


async def deliver(
    take: Callable[[str, str, Payload], None], now: Callable[[], float], tables: int, pace: float
) -> None:
    """Let clocks of all tables tell their times, *pace* readings a second in all."""
    loop = asyncio.get_running_loop()
    began, count = loop.time(), 0
    while True:
        table = count % tables + 1
        left = 3_600_000 - count // tables * 1000
        reading = ClockReading(at=now(), left_ms=left, right_ms=left, running=True, turn="left")
        take(f"{table}", f"table {table}", reading)
        count += 1
        await asyncio.sleep(began + count / pace - loop.time())


class NotingHub(Hub):
    """A hub that notes how late readings are when they are durable there."""

    notes: list[float]

    def hall(self, publish: Publish, measured: Measured) -> tuple[SharedHall, Boards]:
        """Return the hall of a hub."""
        return super().hall(publish, partial(_note, self.notes, measured))


async def _until_stopped(run: Callable[[asyncio.Event], Coroutine[None, None, None]]) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await run(stop)


def run_single(folder: Path, pace: float) -> None:
    """Be the one process."""
    notes: list[float] = []
    config = load(folder / "event.yaml")
    service = Service(config, source=partial(Fed, folder=folder, pace=pace, notes=notes))
    asyncio.run(_until_stopped(service.run))
    (folder / "late").write_bytes(msgspec.json.encode(notes))


def run_hub(folder: Path) -> None:
    """Be a hub that notes."""
    notes: list[float] = []
    config = load(folder / "event.yaml")

    def source(config: Config, journal: Journal) -> NotingHub:
        hub = NotingHub(config, journal, scale_of(config), "desk")
        hub.notes = notes
        return hub

    asyncio.run(_until_stopped(Service(config, source=source).run))
    (folder / "late").write_bytes(msgspec.json.encode(notes))


def run_node(folder: Path, pace: float) -> None:
    """Be a node whose clocks tell their times at a pace."""
    config = load(folder / "event.yaml")
    scale = scale_of(config)

    async def run(stop: asyncio.Event) -> None:
        data = folder / "data" / "node-north"
        with Journal.open(data / "journal.sqlite3") as journal, Outbox(data / "notes") as notes:
            clock = JournalClock()
            event = EventClock(clock.now)
            uplink = Uplink("north", Names(scale.event), journal, notes, event)
            desk = Desk(journal, clock, uplink)
            membership = Membership(
                scale,
                "north",
                uplink=uplink,
                own=clock.now,
                clock=event,
                wiring=Wiring(config, None, lambda whole: whole, desk, clock),
                lamps=desk.lamps,
            )
            flow = deliver(desk.deliver, clock.now, len(config.tables), pace)
            tasks = [asyncio.create_task(each) for each in (membership.run(), flow)]
            await stop.wait()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(_until_stopped(run))


# --- the measurement ------------------------------------------------------------------------------


def measure(folder: Path, tables: int, pace: float, seconds: float) -> list[Report]:
    """Measure both, with as many *tables*, and at *pace* for *seconds*."""
    far = folder / "catching-up"
    far.mkdir()
    readings, cost = catch_up(far, tables)
    near = folder / "single"
    near.mkdir()
    fill(near / "data" / "node-north", tables)
    write_config(near, tables)
    with program(near, "single", "benchmarks.scale", "single", str(near)):
        wait_for((near / "single").exists, "one process")
    alone, alone_rate = map(float, (near / "single").read_text("ascii").split())
    whole = cost.node + cost.broker + cost.hub
    unit = Report(
        f"Catching up with {readings} readings of {tables} tables, processor microseconds each",
        ("what", "microseconds", "times one process"),
        [
            ("one process", f"{alone:.0f}", "1"),
            ("node, which has them in its journal", f"{cost.node:.0f}", f"{cost.node / alone:.2f}"),
            ("broker", f"{cost.broker:.0f}", f"{cost.broker / alone:.2f}"),
            ("hub", f"{cost.hub:.0f}", f"{cost.hub / alone:.2f}"),
            ("node, broker and hub", f"{whole:.0f}", f"{whole / alone:.2f}"),
            ("readings a second, one process", f"{alone_rate:.0f}", "1"),
            (
                "readings a second, all on one machine",
                f"{cost.rate:.0f}",
                f"{cost.rate / alone_rate:.2f}",
            ),
        ],
    )
    late = {"one process": paced_single(folder / "pace-1", tables, pace, seconds)}
    late["node, broker and hub"] = paced_hub(folder / "pace-2", tables, pace, seconds)
    return [
        unit,
        Report(
            f"From the board until durable where it is folded, {pace:.0f} readings a second, ms",
            ("what", "readings", "median", "p99", "worst"),
            [(what, f"{len(notes)}", *_in_ms(notes)) for what, notes in late.items()],
        ),
    ]


def _in_ms(notes: Sequence[float]) -> tuple[str, str, str]:
    found = spread(notes)
    return f"{1e3 * found.median:.1f}", f"{1e3 * found.p99:.1f}", f"{1e3 * found.worst:.1f}"


def paced_single(folder: Path, tables: int, pace: float, seconds: float) -> list[float]:
    """Return how late readings were in one process."""
    folder.mkdir()
    write_config(folder, tables)
    command = ("benchmarks.scale", "single", str(folder), "--pace", f"{pace}")
    with program(folder, "single", *command):
        time.sleep(WARM_UP + seconds)
    return _late(folder)[int(-pace * seconds) :]


def paced_hub(folder: Path, tables: int, pace: float, seconds: float) -> list[float]:
    """Return how late readings of a node were at a hub."""
    folder.mkdir()
    write_config(folder, tables)
    with broker(folder), program(folder, "hub", "benchmarks.scale", "hub", str(folder)):
        command = ("benchmarks.scale", "node", str(folder), "--pace", f"{pace}")
        with program(folder, "node", *command):
            time.sleep(WARM_UP + seconds)
    return _late(folder)[int(-pace * seconds) :]


def _late(folder: Path) -> list[float]:
    return msgspec.json.decode((folder / "late").read_bytes(), type=list[float])


def main() -> int:
    """Measure, or be one of the processes that are measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("role", nargs="?", choices=("all", "single", "hub", "node"), default="all")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    if options.role == "single":
        run_single(options.folder, options.pace)
    elif options.role == "hub":
        run_hub(options.folder)
    elif options.role == "node":
        run_node(options.folder, options.pace)
    else:
        with tempfile.TemporaryDirectory(prefix=".scale-", dir=Path()) as folder:
            pace = options.pace or 3.0 * options.tables
            for report in measure(Path(folder), options.tables, pace, options.seconds):
                report.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
