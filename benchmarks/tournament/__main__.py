"""``python -m benchmarks.tournament``: play, let things go wrong, and see what was promised."""

import argparse
import asyncio
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks.processes import free_port, leave, running, unwind_on_sigterm, wait_for
from benchmarks.tournament import plan
from benchmarks.tournament.daemon import MEASURED, Measured, follow
from benchmarks.tournament.faster import SharedTime, run
from benchmarks.tournament.hall import (
    BUS,
    BUS_ADDRESS,
    CONFIG,
    PLAYED,
    READY,
    Hall,
    HallPlayed,
    exchangeable,
    write_config,
)
from benchmarks.tournament.promises import judged
from benchmarks.tournament.reports import reports
from benchmarks.tournament.seats import Manner
from bridge.cli.frame import complain, say
from bridge.config import load
from bridge.daemon.service import Service
from drivers.simulated.hands import BLITZ, Style

SEEN = (0.24, 0.6)
"""The clock is pressed after a whole scan: what a board has not seen before, nobody can follow."""

PACES = {
    "tournament": Style(think=(2.0, 120.0), dwell=SEEN),  # forty moves each in eighty minutes
    "blitz": Style(think=(0.2, 5.0), dwell=SEEN),  # forty moves each in less than three minutes
    "bullet": replace(BLITZ, dwell=SEEN),  # a ply a second
}
TIME = "time"
HALL, DAEMON = 0, 1
"""Their places in shared time."""

PATIENCE = 120.0
LOOK_EVERY = 0.05


def main(arguments: list[str] | None = None) -> int:
    """Be a tournament, or one of its two processes; 0 if all was as promised."""
    options = _options(arguments)
    match options.role:
        case "hall":
            return _be_the_hall(options)
        case "daemon":
            return _be_the_daemon(options)
        case _:
            return _tournament(options)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.tournament", description=(__doc__ or "").partition(": ")[2]
    )
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--radio", type=int, default=0, help="so many more, on the radio")
    parser.add_argument("--minutes", type=float, default=10.0, help="as they pass in the hall")
    parser.add_argument("--rate", type=float, default=1.0, help="how much faster time goes")
    parser.add_argument("--pace", choices=PACES, default="tournament")
    parser.add_argument("--plies", type=int, default=80, help="of a game; then another begins")
    parser.add_argument("--seed", type=int, default=1)
    wrong = parser.add_mutually_exclusive_group()
    wrong.add_argument("--every", type=float, help="seconds between two faults of a table")
    wrong.add_argument("--plan", type=Path, help="a file that says what goes wrong")
    parser.add_argument("--kills", type=int, default=0, help="how often the daemon is killed")
    parser.add_argument("--keep", action="store_true", help="keep everything also if all is well")
    parser.add_argument("--role", choices=["hall", "daemon"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--since", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--receiver", type=int, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


# --- the processes --------------------------------------------------------------------------------


def _be_the_hall(options: argparse.Namespace) -> int:
    seconds = options.minutes * 60

    manner = Manner(plies=options.plies, style=PACES[options.pace], seed=options.seed)

    async def spend() -> HallPlayed:
        hall = Hall(options.folder, options.boards, manner, _time(options, DAEMON))
        try:
            return await hall.spend(
                seconds, _plan(options), radio=options.radio, receiver=options.receiver
            )
        finally:
            hall.close()

    played = run(spend(), _time(options, HALL))
    played.cpu_seconds = time.process_time()
    leave(options.folder / PLAYED, msgspec.json.encode(played))
    return 0


def _plan(options: argparse.Namespace) -> list[plan.Fault]:
    tables = plan.Tables(
        cabled=options.boards, radio=options.radio, exchangeable=exchangeable(options.boards)
    )
    if options.plan is not None:
        return plan.read(options.plan, tables)
    seconds, seed = options.minutes * 60, options.seed
    faults: list[plan.Fault] = []
    if options.every is not None:
        faults = plan.drawn(tables, seconds=seconds, every=options.every, seed=seed)
    return plan.with_kills(faults, options.kills, seconds=seconds, seed=seed)


def _be_the_daemon(options: argparse.Namespace) -> int:
    service = Service(load(options.folder / CONFIG))

    async def serve() -> Measured:
        stopped = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
        return await follow(service, options.folder, options.rate, stopped)

    bus = options.folder / BUS
    if bus.exists():
        os.environ[BUS_ADDRESS] = bus.read_text("ascii")
    shared = _time(options, DAEMON)
    measured = run(serve(), shared)
    measured.stood_still = shared.lost
    leave(options.folder / MEASURED, msgspec.json.encode(measured))
    return 0


def _time(options: argparse.Namespace, place: int) -> SharedTime:
    return SharedTime(options.folder / TIME, place, rate=options.rate, since=options.since)


# --- both -----------------------------------------------------------------------------------------


def _tournament(options: argparse.Namespace) -> int:
    try:
        _plan(options)
    except (OSError, plan.PlanError) as error:
        complain(f"{error}")
        return 2
    folder = options.folder = Path(tempfile.mkdtemp(prefix="tournament-"))
    options.receiver, options.since = free_port(), time.monotonic()
    receiver = options.receiver if _plan(options) else None
    write_config(folder, options.boards, options.radio, receiver)
    SharedTime.begin(folder / TIME)
    lasts = options.minutes * 60 / options.rate
    boards = options.boards + options.radio
    complain(f"{boards} boards play, this takes {lasts / 60:.1f} minutes or more ...")
    with _role("hall", folder, options) as hall:
        wait_for(folder / READY, hall, PATIENCE)
        while not (folder / PLAYED).exists():
            with _role("daemon", folder, options) as daemon:
                try:
                    _wait_for_end(options, hall, daemon)
                except BaseException:  # or time would stand still for the daemon's end
                    _time(options, HALL).leave()
                    raise
    played = msgspec.json.decode((folder / PLAYED).read_bytes(), type=HallPlayed)
    measured = msgspec.json.decode((folder / MEASURED).read_bytes(), type=Measured)
    broken = judged(folder, played)
    say(
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
        f"Python {platform.python_version()}"
    )
    for report in reports(played, measured, broken, options.rate):
        report.show()
    for words in broken.words:
        say(words)
    if broken.words or options.keep:
        say(f"Everything is kept in {folder}")
    else:
        shutil.rmtree(folder)
    return 1 if broken.words else 0


def _wait_for_end(
    options: argparse.Namespace,
    hall: "subprocess.Popen[bytes]",
    daemon: "subprocess.Popen[bytes]",
) -> None:
    """Wait until all is played, and let the daemon end; or until it was killed.

    Raises:
        RuntimeError: the hall has ended early, or the daemon by itself.
    """
    folder = options.folder
    while daemon.poll() is None:
        if (folder / PLAYED).exists():
            daemon.send_signal(signal.SIGTERM)
            wait_for(folder / MEASURED, daemon, PATIENCE)
            return
        if hall.poll() is not None and not (folder / PLAYED).exists():
            raise RuntimeError(f"the hall has ended; see the logs in {folder}")
        time.sleep(LOOK_EVERY)
    if daemon.returncode != -signal.SIGKILL:
        raise RuntimeError(f"the daemon has ended by itself; see the logs in {folder}")


def _role(
    role: str, folder: Path, options: argparse.Namespace
) -> "AbstractContextManager[subprocess.Popen[bytes]]":
    """Run one of the two processes with the options of both until left."""
    given = {**vars(options), "role": role, "folder": folder}
    arguments = []
    for name, value in given.items():
        if value is not None and name != "keep":
            arguments += [f"--{name}", str(value)]
    return running("benchmarks.tournament", arguments, folder / f"{role}.log")


if __name__ == "__main__":
    unwind_on_sigterm()
    sys.exit(main())
