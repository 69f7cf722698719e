"""``demo``: simulated boards on real pseudo-terminals, the daemon that follows them, a web page."""

import argparse
import contextlib
import json
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.cli.frame import (
    DONE,
    INTERRUPTED,
    NO,
    CannotError,
    Commands,
    complain,
    say,
    say_table,
    whole_number,
)

if TYPE_CHECKING:
    from bridge.cli.compare import Comparison
    from bridge.outputs.overview import Overview

BOARDS_PATIENCE = 15.0
"""Longest time the simulated boards may take to appear (s)."""
AFTERTIME = 10.0
"""How long the last move may take to be written after the boards have ended (s)."""

PAGE_PORT = 8080
ARBITER = "arbiter"

PLAYERS = {
    "immortal": ("Anderssen, Adolf", "Kieseritzky, Lionel"),
    "evergreen": ("Anderssen, Adolf", "Dufresne, Jean"),
    "opera": ("Morphy, Paul", "Duke of Brunswick:Count Isouard"),
    "special": ("Left, Hand", "Right, Hand"),
}


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "demo",
        run,
        summary="watch simulated boards being followed, about two minutes",
        description="Plays famous games on simulated DGT boards on real pseudo-terminals, "
        "follows them, and compares the games that were written with those that were played. "
        "Exit code 0 only if all are exact. The web page with all boards is there meanwhile; its "
        "address is printed.",
        examples=["demo", "demo --keep", "demo --games special --folder /tmp/demo"],
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="where everything goes (default: demo-output/…)"
    )
    parser.add_argument(
        "--games",
        nargs="+",
        choices=sorted(PLAYERS),
        metavar="GAME",
        help=f"which games, one for each board: {', '.join(PLAYERS)} (default: all)",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="play on until stopped, with everything that happens at boards: men knocked over, "
        "cables pulled, illegal moves",
    )
    parser.add_argument(
        "--port",
        type=whole_number(1, 65535),
        metavar="N",
        help=f"TCP port of the web page (default: {PAGE_PORT}, or another one if that is taken)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="with another number, hands move otherwise (default: 1)",
    )


def run(args: argparse.Namespace) -> int:
    """Play, follow, compare."""
    import asyncio

    from bridge.cli.live import Display
    from bridge.cli.logs import set_up_log
    from bridge.cli.run import serve
    from bridge.config import load
    from bridge.daemon.service import Service

    stamp = time.strftime("%Y-%m-%dT%H-%M-%S")
    folder: Path = args.folder or Path("demo-output") / stamp
    if folder.exists() and any(folder.iterdir()):
        raise CannotError(f"{folder} is not empty: name a new folder with --folder")
    folder.mkdir(parents=True, exist_ok=True)
    games: list[str] = args.games or list(PLAYERS)
    set_up_log("info", quiet=True)
    with _boards(folder, games, args.seed, keep=args.keep) as boards:
        known = folder / ("boards.json" if args.keep else "truth.json")
        config = load(write_config(folder, _wait_for_boards(known, boards), _port(args.port)))
        service = Service(config)
        done = (lambda: False) if args.keep else _Done(service.overview, boards)
        title = f"eboard-bridge demo, files in {folder}"
        if config.web is not None:  # pragma: no branch - the demo's configuration has it
            title += f", page at {config.web.address}"
            say(f"the boards on a web page: {config.web.address}")
            say(f"arbiters log in there as {ARBITER} with the password {_let_in(config.accounts)}")
        with Display(service.overview, title, others=service.troubles) as display:
            finished = asyncio.run(serve(service, show=display.show, done=done))
    if args.keep:
        say(f"stopped; what was recorded is in {folder}")
        return DONE
    if not finished:
        complain(f"interrupted; what was recorded is in {folder}")
        return INTERRUPTED
    return _compare(folder, config.pgn.folder)


@contextlib.contextmanager
def _boards(
    folder: Path, games: list[str], seed: int, *, keep: bool
) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "drivers.simulated", "--folder", str(folder), "--games"]
    command += [*games, "--seed", str(seed), *(["--keep"] if keep else [])]
    boards = subprocess.Popen(command)  # noqa: S603 - our own module
    try:
        yield boards
    finally:
        boards.terminate()
        boards.wait()


def _wait_for_boards(known: Path, boards: "subprocess.Popen[bytes]") -> dict[str, Any]:
    """Return what the boards write into the file *known* first: which boards there are."""
    deadline = time.monotonic() + BOARDS_PATIENCE
    while time.monotonic() < deadline and boards.poll() is None:
        with contextlib.suppress(FileNotFoundError):
            said: dict[str, Any] = json.loads(known.read_text("utf-8"))
            return said
        time.sleep(0.05)
    raise CannotError("the simulated boards did not start; see the messages above")


def _let_in(accounts: Path) -> str:
    """Give the demo's arbiter an account; return a password that nobody else knows."""
    from bridge.web.accounts import Account, add
    from bridge.web.passwords import hashed

    password = secrets.token_hex(6)
    accounts.parent.mkdir(parents=True, exist_ok=True)
    add(accounts, Account(name=ARBITER, role="arbiter", password=hashed(password)))
    return password


def _port(wanted: int | None) -> int:
    """Return the TCP port for the page: the one *wanted*, the usual one, or any that is free."""
    if wanted is not None:
        return wanted
    for port in (PAGE_PORT, 0):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)) as listener:
            found: int = listener.getsockname()[1]
            return found
    raise CannotError("no TCP port is free")


def write_config(folder: Path, truth: dict[str, Any], port: int | None = None) -> Path:
    """Write the configuration for the boards of *truth* and return its path.

    *port* is where the page is to be; without it, there is none.
    """
    lines = [
        "# The demo's configuration. `eboard-bridge run` takes this file too.",
        "event: {name: eboard-bridge demo, round: 1}",
        "data: {folder: data}",
        "pgn: {folder: games}",
        *([] if port is None else [f"web: {{port: {port}}}"]),
        "tables:",
    ]
    # Not resolved: after a cable was pulled, another port is behind the same link.
    ports = folder.resolve() / "dev"
    for number, board in enumerate(truth["boards"], start=1):
        white, black = PLAYERS[board["game"]]
        lines += [
            f'  - table: "{number}"',
            f"    number: {number}",
            f"    board: {{driver: dgt, port: '{ports / board['name']}'}}",
            f"    white: {json.dumps(white)}",
            f"    black: {json.dumps(black)}",
            f'    time_control: "{board["time_control"]}"',
        ]
    path = folder / "demo.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


class _Done:
    """Whether all games have ended, or have had time to since the boards did."""

    def __init__(self, overview: "Overview", boards: "subprocess.Popen[bytes]") -> None:
        self._overview = overview
        self._boards = boards
        self._give_up_at: float | None = None

    def __call__(self) -> bool:
        if self._boards.poll() is None:
            return False
        if self._give_up_at is None:
            self._give_up_at = time.monotonic() + AFTERTIME
        ended = all(view.result is not None for view in self._overview.tables.values())
        return ended or time.monotonic() >= self._give_up_at


def _compare(folder: Path, games: Path) -> int:
    """Say where the games are and how they compare; 0 only if all are exact."""
    exact = True
    rows = []
    for name, path, comparison in compared(folder, games):
        exact &= not comparison.differences
        verdict = "; ".join(comparison.differences[:3]) or "exact"
        rows.append((name, str(comparison.plies), str(comparison.estimated), verdict, str(path)))
    say_table(("game", "plies", "estimated times", "compared", "file"), rows)
    return DONE if exact else NO


def compared(folder: Path, games: Path) -> "Iterator[tuple[str, Path, Comparison]]":
    """Yield each game of the truth file with its PGN file and how they compare."""
    from bridge.cli.compare import Comparison, Played, compare

    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    for number, board in enumerate(truth["boards"], start=1):
        played = Played(tuple(board["moves"]), tuple(board["clock_ms"]), board["result"])
        path = games / "1" / f"{number}-1.pgn"
        if path.exists():
            comparison = compare(path.read_text("utf-8"), played)
        else:
            comparison = Comparison(0, 0, ("no file was written",))
        yield board["game"], path, comparison
