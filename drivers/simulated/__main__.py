"""Simulated boards in a process of their own: ``python -m drivers.simulated --folder DIR``."""

import argparse
import asyncio
import signal
from pathlib import Path

from drivers.simulated.club_evening import hold
from drivers.simulated.scenario import PROGRAMMES, demo_boards, perform


def main() -> None:
    """Run the boards until their games have ended or somebody stops the process."""
    parser = argparse.ArgumentParser(
        prog="python -m drivers.simulated",
        description="Simulated DGT boards on pseudo terminals. Each begins its game when a host "
        "has opened it and asked for updates; what was really played is kept in truth.json.",
    )
    parser.add_argument("--folder", type=Path, required=True, help="for dev/<board> and truth.json")
    parser.add_argument(
        "--games",
        nargs="+",
        choices=sorted(PROGRAMMES),
        default=list(PROGRAMMES),
        help="one a board",
    )
    parser.add_argument("--seed", type=int, default=1, help="another seed, other hands")
    parser.add_argument(
        "--keep",
        action="store_true",
        help="play for ever as in a club, with mishaps; boards.json says what, nothing the truth",
    )
    parser.add_argument("--linger", action="store_true", help="keep the ports after the last game")
    arguments = parser.parse_args()
    asyncio.run(_run(arguments))


async def _run(arguments: argparse.Namespace) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    folder, seed = arguments.folder, arguments.seed
    if arguments.keep:
        await hold(arguments.games, folder, seed=seed, stop=stop)
    else:
        boards = demo_boards(seed, arguments.games)
        await perform(boards, folder, stop=stop, linger=arguments.linger)


if __name__ == "__main__":
    main()
