"""Kill the daemon with SIGKILL at random moments of running games; nothing may be missing.

``python -m benchmarks.endurance --kills 200``: simulated boards play on real pseudo-terminals
in a process of their own and never wait for anybody. The daemon is killed and started again, in
as many rounds of games as it takes. After each round: the games must be exact (moves, results,
and every clock time that is not marked as estimated), every reading that a daemon wrote down as
durable must be in the journal, and the journal must open clean.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bridge.cli.demo import PLAYERS, compared, write_config

AFTERTIME = 12.0


def main() -> int:
    """Run rounds until the daemon was killed often enough; 0 only if every round was exact."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", default=list(PLAYERS), choices=sorted(PLAYERS))
    parser.add_argument("--least", type=float, default=1.0, help="shortest life of a daemon (s)")
    parser.add_argument("--most", type=float, default=6.0, help="longest life of a daemon (s)")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    killed, exact, number = 0, True, 0
    while killed < arguments.kills:
        number += 1
        folder = Path(tempfile.mkdtemp(prefix="endurance-"))
        kills, verdicts = _round(folder, arguments, rng, arguments.kills - killed, number)
        killed += kills
        for verdict in verdicts:
            print(f"round {number}: {verdict}", flush=True)
        good = all(verdict.endswith(": exact") for verdict in verdicts)
        exact &= good
        print(f"round {number}: {kills} kills, {'good' if good else 'NOT GOOD'}", flush=True)
        if good:
            shutil.rmtree(folder)
        else:
            print(f"round {number}: everything is kept in {folder}", flush=True)
    print(f"{killed} kills in {number} rounds: {'all exact' if exact else 'NOT exact'}")
    return 0 if exact else 1


def _round(
    folder: Path, arguments: argparse.Namespace, rng: random.Random, most: int, number: int
) -> tuple[int, list[str]]:
    """Play one round of games; return how often the daemon was killed, and what came out."""
    command = [sys.executable, "-m", "drivers.simulated", "--folder", str(folder)]
    command += ["--games", *arguments.games, "--seed", str(arguments.seed * 100 + number)]
    boards = subprocess.Popen(command)
    truth_file = folder / "truth.json"
    while not truth_file.exists():
        if boards.poll() is not None:
            sys.exit("the simulated boards did not start")
        time.sleep(0.05)
    config = write_config(folder, json.loads(truth_file.read_text("utf-8")))
    kills = 0
    acknowledged: dict[str, int] = {}
    while boards.poll() is None and kills < most:
        with _daemon(config) as daemon:
            with contextlib.suppress(subprocess.TimeoutExpired):
                boards.wait(rng.uniform(arguments.least, arguments.most))
            if boards.poll() is None:
                acknowledged = _acknowledged(folder, acknowledged)
                daemon.send_signal(signal.SIGKILL)
                kills += 1
    with _daemon(config):
        boards.wait()
        time.sleep(AFTERTIME)
    return kills, [*_journal_verdicts(folder, acknowledged), *_game_verdicts(folder)]


@contextlib.contextmanager
def _daemon(config: Path) -> Iterator["subprocess.Popen[bytes]"]:
    log = (config.parent / "daemon.log").open("ab")
    command = [sys.executable, "-m", "bridge", "run", str(config)]
    daemon = subprocess.Popen(command, stderr=log, cwd=Path.cwd(), env={**os.environ})
    try:
        yield daemon
    finally:
        daemon.terminate()
        daemon.wait()
        log.close()


def _acknowledged(folder: Path, before: dict[str, int]) -> dict[str, int]:
    """Return the last durable number of each link, as another process sees it right now."""
    path = folder / "data" / "journal.sqlite3"
    if not path.exists():
        return before
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        try:
            return dict(database.execute("SELECT link, seq FROM links"))
        except sqlite3.OperationalError:
            return before


def _journal_verdicts(folder: Path, acknowledged: dict[str, int]) -> Iterator[str]:
    """Say whether the journal is whole: no gap in any link's numbers, nothing durable lost."""
    path = folder / "data" / "journal.sqlite3"
    if list(path.parent.glob("*damaged*")):
        yield "journal: was found damaged"
    with contextlib.closing(sqlite3.connect(path)) as database:
        check = database.execute("PRAGMA integrity_check").fetchone()[0]
        if check != "ok":
            yield f"journal: {check}"
        rows = database.execute("SELECT link, count(*), max(seq) FROM readings GROUP BY link")
        missing = [link for link, count, last in rows if count != last]
        last = dict(database.execute("SELECT link, max(seq) FROM readings GROUP BY link"))
    missing += [link for link, seq in acknowledged.items() if last.get(link, 0) < seq]
    yield f"journal: readings are missing on {missing}" if missing else "journal: exact"


def _game_verdicts(folder: Path) -> Iterator[str]:
    for name, _, comparison in compared(folder, folder / "games"):
        marked = f"{comparison.plies} plies, {comparison.estimated} times estimated"
        yield f"{name}, {marked}: {'; '.join(comparison.differences) or 'exact'}"


if __name__ == "__main__":
    sys.exit(main())
