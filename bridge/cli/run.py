"""``run``: the daemon."""

import argparse
import logging
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, CannotError, Commands, complain

if TYPE_CHECKING:
    from bridge.daemon.service import Service

REFRESH_SECONDS = 0.25


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "run",
        run,
        summary="follow the boards of a configuration until stopped",
        description="Reads the boards, keeps the journal and writes the games. Stops cleanly on "
        "Ctrl-C or SIGTERM, with exit code 0; started again, it goes on in the middle of the "
        "games.",
        examples=["run hall.yaml", "run hall.yaml --live"],
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the configuration")
    parser.add_argument(
        "--live", action="store_true", help="show all tables and alerts on the terminal"
    )


def run(args: argparse.Namespace) -> int:
    """Run until a signal comes."""
    import asyncio

    from bridge.cli.live import Display
    from bridge.config import load
    from bridge.daemon.service import Service
    from bridge.store.errors import JournalError

    config = load(args.config)
    set_up_log(config.log.level, quiet=args.live)
    service = Service(config)
    try:
        if args.live:
            title, trouble = str(args.config), service.trouble
            with Display(service.overview, title, trouble=trouble) as display:
                asyncio.run(serve(service, show=display.show))
        else:
            asyncio.run(serve(service))
    except JournalError as error:
        raise CannotError(str(error)) from error
    if service.journal_note:
        complain(service.journal_note)
    return DONE


def set_up_log(level: str, *, quiet: bool) -> None:
    """Write the log to standard error; under a live table only what is serious."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.ERROR if quiet else level.upper(),
        format="%(asctime)s %(levelname)s %(message)s",
    )


async def serve(
    service: "Service",
    *,
    show: Callable[[], None] = lambda: None,
    done: Callable[[], bool] = lambda: False,
) -> bool:
    """Run *service* until a signal comes or *done* says so; return whether it was *done*.

    *show* is called a few times a second.
    """
    import asyncio

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    task = asyncio.create_task(service.run(stop))
    while not stop.is_set() and not task.done() and not done():
        await asyncio.wait([task], timeout=REFRESH_SECONDS)
        show()
    interrupted = stop.is_set()
    stop.set()
    await task
    show()
    return not interrupted
