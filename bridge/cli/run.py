"""``run``: the daemon."""

import argparse
import logging
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, CannotError, Commands, add_json_arguments, complain

if TYPE_CHECKING:
    import asyncio

    from bridge.config import Config
    from bridge.daemon.service import Service

REFRESH_SECONDS = 0.25
_STANDARD_INPUT = 0

logger = logging.getLogger(__name__)


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "run",
        run,
        summary="follow the boards of a configuration until stopped",
        description="Reads the boards, keeps the journal and writes the games. Stops cleanly on "
        "Ctrl-C or SIGTERM, with exit code 0; started again, it goes on in the middle of the "
        "games. On SIGHUP it reads the configuration and its pairing files again and takes "
        "players, rounds and rules. With --json, standard output is facts alone, the games that "
        "are on first; everything else goes to standard error.",
        examples=["run hall.yaml", "run hall.yaml --live", "run hall.yaml --json | jq .san"],
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the configuration")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--live", action="store_true", help="show all tables and alerts on the terminal"
    )
    add_json_arguments(parser, shown)
    parser.add_argument(
        "--log-format",
        choices=("text", "json"),
        help="how the log is written, if not as in the configuration",
    )


def run(args: argparse.Namespace) -> int:
    """Run until a signal comes."""
    import asyncio

    from bridge.cli.live import Display
    from bridge.cli.logs import set_up_log
    from bridge.config import load
    from bridge.daemon.service import Service
    from bridge.store.errors import JournalError

    # Who asks for the configuration while it is read for the first time waits.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
    config = load(args.config)
    set_up_log(config.log.level, quiet=args.live, form=args.log_format or config.log.format)
    _note(config)
    service = Service(config, json_for=args.audience if args.json else None, file=args.config)
    try:
        if args.live:
            title, others = str(args.config), service.troubles
            with Display(service.overview, title, others=others) as display:
                asyncio.run(serve(service, show=display.show, file=args.config))
        else:
            asyncio.run(serve(service, file=args.config))
    except JournalError as error:
        raise CannotError(str(error)) from error
    if service.journal_note:
        complain(service.journal_note)
    return DONE


async def until_signal(serving: Callable[["asyncio.Event"], Awaitable[None]]) -> None:
    """Run *serving* with an event that is set when a signal to stop comes."""
    import asyncio

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await serving(stop)


async def serve(
    service: "Service",
    *,
    show: Callable[[], None] = lambda: None,
    done: Callable[[], bool] = lambda: False,
    file: Path | None = None,
) -> bool:
    """Run *service* until a signal comes or *done* says so; return whether it was *done*.

    *show* is called a few times a second. *file* is the configuration that SIGHUP has read again.
    """
    import asyncio

    stop, changed = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if file is not None:
        loop.add_signal_handler(signal.SIGHUP, _hang_up, changed.set, _has_terminal())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGHUP])
    task = asyncio.create_task(service.run(stop))
    while not stop.is_set() and not task.done() and not done():
        await asyncio.wait([task], timeout=REFRESH_SECONDS)
        show()
        if file is not None and changed.is_set() and service.is_ready:
            changed.clear()
            await _take_anew(service, file)
    interrupted = stop.is_set()
    stop.set()
    await task
    show()
    return not interrupted


def _has_terminal() -> bool:
    return os.isatty(_STANDARD_INPUT)


def _hang_up(take: Callable[[], None], had_terminal: bool) -> None:
    """Take the configuration anew; end as ever when the terminal was closed.

    One signal says both. A terminal that is gone is none any more.
    """
    if had_terminal and not _has_terminal():
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGHUP)
    else:
        take()


async def _take_anew(service: "Service", file: Path) -> None:
    """Let *service* take what has changed in *file*; a mistake in it changes nothing."""
    import asyncio

    with service.reloading():
        config = await asyncio.to_thread(_read, file)
        if isinstance(config, str):
            logger.error("nothing is changed: %s", config)
        else:
            _note(config)
            service.take(config)


def _note(config: "Config") -> None:
    """Log what was put right in the pairing files."""
    for note in config.notes:
        logger.warning("%s", note)


def _read(file: Path) -> "Config | str":
    """Return a configuration, or all that is wrong with it."""
    from bridge.config import ConfigError, load

    try:
        return load(file)
    except ConfigError as error:
        return str(error)
