"""A hall of boards on real pseudo-terminals, followed by the daemon as it is.

Two processes: ``python -m benchmarks.hall boards FOLDER`` plays on simulated boards and notes
when it writes each field update; ``python -m benchmarks.hall daemon FOLDER`` runs the service and
notes when the fact that follows from it is published. Both use the monotonic clock of the
system, so the n-th update of a board and its n-th fact can be compared.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sqlite3
import time
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random

import msgspec

from benchmarks.processes import leave, running, wait_for
from benchmarks.report import Report, Use, cpu_seconds, spread, times, use
from benchmarks.wire import wandering_game, whole_messages
from bridge.cli.compare import Played, compare
from bridge.config import load
from bridge.core.model import BoardChanged, Fact
from bridge.daemon.limits import raise_file_limit
from bridge.daemon.service import Service
from bridge.outputs.overview import Overview, TableView
from drivers.boards.dgt.protocol import Message
from drivers.codec import Outgoing
from drivers.simulated.clock import TimeControl
from drivers.simulated.dgt import Mode, Passport
from drivers.simulated.hands import Style
from drivers.simulated.performance import SETTLING, Performance, stage
from drivers.simulated.pty import PtyPort

STYLE = Style(
    think=(0.05, 0.22),
    travel=(0.1, 0.2),
    regrip=(0.08, 0.16),
    dwell=(0.24, 0.3),
    ghost=(0.05, 0.2),
    slide=0.9,
)
"""Hands that make five changes a second, most of them slides. The clock is pressed only after a
whole scan: what a board has not seen before the press, nobody can follow."""
SECONDS_A_PLY = 0.53
CONTROL = TimeControl(base=5400, increment=2)

QUIET = 5.0
SPREAD = 1.0
"""Seconds within which all boards begin: halls do not move in step."""
SAMPLE_EVERY = 0.5
PATIENCE = 90.0

CONFIG, READY, PLAYED, MEASURED = "hall.yaml", "ready", "played.json", "measured.json"
JOURNAL = Path("data") / "journal.sqlite3"
MODULE = "benchmarks.hall"
UPDATING = (Mode.UPDATE, Mode.UPDATE_BOARD, Mode.UPDATE_NICE)


class BoardPlayed(msgspec.Struct):
    """What one board did: when it wrote each field update, and the game of it."""

    written: list[float]
    moves: tuple[str, ...]
    clock_ms: tuple[int, ...]


class HallPlayed(msgspec.Struct):
    """What the boards' process did; times are monotonic seconds."""

    begun: float
    ended: float
    cpu_seconds: float
    lost_bytes: int
    boards: list[BoardPlayed]


class DaemonMeasured(msgspec.Struct):
    """What the daemon noted: samples, and when each table's position was published."""

    samples: list[Use]
    published: dict[str, list[float]]


class Loss(msgspec.Struct):
    """What did not arrive; all of it zero where nothing was lost."""

    bytes: int
    updates: int
    readings: int
    games: int


# --- the boards' process --------------------------------------------------------------------------


class NotedPerformance:
    """A performance as a device; ``written`` is when each of its field updates left."""

    def __init__(self, performance: Performance) -> None:
        self.performance = performance
        self.written = array("d")

    def receive(self, data: bytes, *, at: float) -> None:
        """Take what a host sent."""
        self.performance.receive(data, at=at)

    def poll(self, *, at: float) -> Outgoing:
        """Play on; what is returned is written at once."""
        outgoing = self.performance.poll(at=at)
        if outgoing.data:
            now = time.monotonic()
            for message in whole_messages(outgoing.data):
                if message[0] == Message.FIELD_UPDATE:
                    self.written.append(now)
        return outgoing


def run_boards(
    folder: Path, boards: int, seconds: float, quiet: float, *, think: float = 0.0
) -> None:
    """Play on *boards* boards until somebody stops the process; tell when the games are over.

    Players think for *think* seconds more than it takes them to move.
    """
    raise_file_limit(boards)
    rng = Random(boards)
    plies = max(2, round(seconds / (SECONDS_A_PLY + think)))
    least, most = STYLE.think
    style = replace(STYLE, think=(least + think, most + think))
    devices = [
        NotedPerformance(
            stage(
                wandering_game(plies, rng),
                passport=Passport(serial=f"{10_000 + number}"),
                control=CONTROL,
                style=style,
                seed=number,
            )
        )
        for number in range(1, boards + 1)
    ]
    asyncio.run(_play(folder, devices, rng, quiet))


async def _play(folder: Path, devices: list[NotedPerformance], rng: Random, quiet: float) -> None:
    stop = _until_stopped()
    loop = asyncio.get_running_loop()
    ports = [
        PtyPort(folder / "dev" / f"{number}", device) for number, device in enumerate(devices, 1)
    ]
    for port in ports:
        port.plug()
    (folder / READY).touch()
    try:
        while not all(device.performance.board.mode in UPDATING for device in devices):
            if await _stopped(stop, 0.2):
                return
        await _stopped(stop, quiet)
        cpu = cpu_seconds()

        def begin(device: NotedPerformance, port: PtyPort) -> None:
            device.performance.begin(at=loop.time())
            port.wake()

        for device, port in zip(devices, ports, strict=True):
            loop.call_later(rng.uniform(0.0, SPREAD), begin, device, port)
        while not all(device.performance.finished for device in devices):
            if await _stopped(stop, 0.2):
                return
        played = _hall_played(devices, sum(port.lost_bytes for port in ports), cpu)
        leave(folder / PLAYED, msgspec.json.encode(played))
        await stop.wait()
    finally:
        for port in ports:
            port.close()


def _hall_played(devices: list[NotedPerformance], lost: int, cpu: float) -> HallPlayed:
    performances = [device.performance for device in devices]
    begun = [performance.begun_at or 0.0 for performance in performances]
    truths = [performance.truth() for performance in performances]
    return HallPlayed(
        begun=max(begun),
        ended=min(
            at + performance.lasts - SETTLING
            for at, performance in zip(begun, performances, strict=True)
        ),
        cpu_seconds=cpu_seconds() - cpu,
        lost_bytes=lost,
        boards=[
            BoardPlayed(device.written.tolist(), truth.moves, truth.clock_ms)
            for device, truth in zip(devices, truths, strict=True)
        ],
    )


# --- the daemon's process -------------------------------------------------------------------------


class NotingOverview(Overview):
    """An overview that notes when positions were published: the first thing that hears of them."""

    def __init__(self, tables: Iterable[TableView]) -> None:
        super().__init__(tables)
        self.published = {table: array("d") for table in self.tables}

    def apply(self, fact: Fact) -> None:
        """Take a fact of any table."""
        if isinstance(fact, BoardChanged):
            self.published[fact.table].append(time.monotonic())
        super().apply(fact)


def run_daemon(folder: Path) -> None:
    """Follow the boards of the folder's configuration until somebody stops the process."""
    service = Service(load(folder / CONFIG))
    overview = NotingOverview(service.overview.tables.values())
    service.overview = overview
    samples = [use()]
    asyncio.run(_follow(service, samples))
    published = {table: times.tolist() for table, times in overview.published.items()}
    measured = DaemonMeasured(samples=samples, published=published)
    leave(folder / MEASURED, msgspec.json.encode(measured))


async def _follow(service: Service, samples: list[Use]) -> None:
    stop = _until_stopped()
    serving = asyncio.create_task(service.run(stop))
    while not await _stopped(stop, SAMPLE_EVERY):
        samples.append(use())
    await serving


# --- the measurement ------------------------------------------------------------------------------


def measure(
    folder: Path,
    *,
    yard: float,
    boards: int = 300,
    seconds: float = 30.0,
    quiet: float = QUIET,
) -> Report:
    """Play for *seconds* on *boards* boards; everything is kept in *folder*.

    ``quiet``: seconds between the last link's greeting and the first move.

    Raises:
        RuntimeError: a process ended before its time, or the games did not end.
    """
    load_before = os.getloadavg()[0]
    write_config(folder, boards)
    command = ["boards", "--boards", f"{boards}", "--seconds", f"{seconds}"]
    command += ["--quiet", f"{quiet}"]
    with running(MODULE, [str(folder), *command], folder / "boards.log") as playing:
        wait_for(folder / READY, playing, PATIENCE)
        with running(MODULE, [str(folder), "daemon"], folder / "daemon.log") as daemon:
            wait_for(folder / PLAYED, playing, PATIENCE + 2 * seconds)
            daemon.terminate()
            wait_for(folder / MEASURED, daemon, PATIENCE)
    played = msgspec.json.decode((folder / PLAYED).read_bytes(), type=HallPlayed)
    measured = msgspec.json.decode((folder / MEASURED).read_bytes(), type=DaemonMeasured)
    return _report(played, measured, _loss(folder, played, measured), yard, load_before)


def _report(
    played: HallPlayed, measured: DaemonMeasured, loss: Loss, yard: float, load_before: float
) -> Report:
    boards = len(played.boards)
    duration = played.ended - played.begun
    written = [sorted(board.written) for board in played.boards]
    changes = sum(bisect_left(w, played.ended) - bisect_left(w, played.begun) for w in written)
    first, last = _within(measured.samples, played)
    lasted = last.at - first.at
    share = (last.cpu_seconds - first.cpu_seconds) / lasted
    waited = (last.waited_seconds - first.waited_seconds) / lasted
    a_change = share * duration / changes
    delay = spread(_delays(played, measured))
    idle = measured.samples[0].resident
    linked = next(sample for sample in reversed(measured.samples) if sample.at < played.begun)
    lost = ", ".join(f"{number} {what}" for what, number in msgspec.structs.asdict(loss).items())
    rows = [
        ("changes a second", f"{changes / duration:.0f}", ""),
        ("daemon's share of one core", f"{100 * share:.0f} %", ""),
        ("daemon's loop ready, but without a core", f"{100 * waited:.0f} %", ""),
        ("daemon's processor time a change", f"{1e6 * a_change:.0f} us", times(a_change, yard)),
        ("from byte written to fact published, median", f"{1e3 * delay.median:.1f} ms", ""),
        ("from byte written to fact published, p99", f"{1e3 * delay.p99:.1f} ms", ""),
        ("from byte written to fact published, worst", f"{1e3 * delay.worst:.1f} ms", ""),
        ("memory a table, linked", _kib(linked.resident - idle, boards), ""),
        ("memory a table, at the end of play", _kib(last.resident - idle, boards), ""),
        ("lost", lost, ""),
    ]
    own = played.cpu_seconds / (duration + SPREAD + SETTLING)
    return Report(
        f"Hall: {boards} boards, {duration:.0f} s of play, one daemon",
        ("what", "measured", "in json.loads of 100 bytes"),
        rows,
        (
            f"The boards' process took {100 * own:.0f} % of the other core.",
            f"Load of the machine before: {load_before:.1f}.",
        ),
    )


def _delays(played: HallPlayed, measured: DaemonMeasured) -> Iterator[float]:
    """Yield how long each change of a board took; the first fact shows the start position."""
    for number, board in enumerate(played.boards, 1):
        published = measured.published[f"{number}"][1:]
        for written, told in zip(board.written, published, strict=False):
            yield told - written


def _within(samples: list[Use], played: HallPlayed) -> tuple[Use, Use]:
    inside = [sample for sample in samples if played.begun <= sample.at <= played.ended]
    return inside[0], inside[-1]


def _kib(size: int, boards: int) -> str:
    return f"{size / 1024 / boards:.0f} KiB"


def _loss(folder: Path, played: HallPlayed, measured: DaemonMeasured) -> Loss:
    updates = games = 0
    for number, board in enumerate(played.boards, 1):
        updates += abs(len(board.written) + 1 - len(measured.published[f"{number}"]))
        truth = Played(board.moves, board.clock_ms, "*")
        path = folder / "games" / "1" / f"{number}-1.pgn"
        games += not path.exists() or bool(compare(path.read_text("utf-8"), truth).differences)
    with contextlib.closing(sqlite3.connect(folder / JOURNAL)) as journal:
        rows = journal.execute("SELECT max(seq) - count(*) FROM readings GROUP BY link")
        readings = sum(chain.from_iterable(rows))
    return Loss(bytes=played.lost_bytes, updates=updates, readings=readings, games=games)


def write_config(folder: Path, boards: int) -> None:
    """Write the configuration of a hall with so many *boards*."""
    lines = [
        "event: {name: hall, round: 1}",
        "data: {folder: data}",
        "pgn: {folder: games}",
        "tables:",
    ]
    for number in range(1, boards + 1):
        port = json.dumps(str((folder / "dev" / f"{number}").resolve()))
        lines += [
            f'  - table: "{number}"',
            f"    number: {number}",
            f"    board: {{driver: dgt, port: {port}}}",
            f'    time_control: "{CONTROL}"',
        ]
    (folder / CONFIG).write_text("\n".join(lines) + "\n", encoding="utf-8")


# --- both processes -------------------------------------------------------------------------------


def _until_stopped() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop


async def _stopped(stop: asyncio.Event, patience: float) -> bool:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(patience):
            await stop.wait()
    return stop.is_set()


def main() -> None:
    """Be one of the two processes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    roles = parser.add_subparsers(dest="role", required=True)
    boards = roles.add_parser("boards")
    boards.add_argument("--boards", type=int, required=True)
    boards.add_argument("--seconds", type=float, required=True)
    boards.add_argument("--quiet", type=float, required=True)
    boards.add_argument("--think", type=float, default=0.0)
    roles.add_parser("daemon")
    arguments = parser.parse_args()
    if arguments.role == "boards":
        run_boards(
            arguments.folder,
            arguments.boards,
            arguments.seconds,
            arguments.quiet,
            think=arguments.think,
        )
    else:
        run_daemon(arguments.folder)


if __name__ == "__main__":
    main()
