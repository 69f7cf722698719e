"""``discover``: which boards are there, at which port, and what is wrong with the other ports."""

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, NO, Commands, complain, say, say_table
from bridge.cli.options import add_option_argument, options_of

if TYPE_CHECKING:
    from bridge.links.discovery import Finder
    from bridge.links.probing import Found, NotABoard
    from bridge.links.watching import Change

_NONE = "-"
_REFRESH_SECONDS = 0.2
_CHANGE_WIDTH = 9
_WATCHING = "watching; Ctrl-C ends"


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "discover",
        run,
        summary="ask at every port which board is there",
        description="Asks at every serial port, USB board and Bluetooth board in reach, or at the "
        "given addresses, which board answers, and says for each other port why it is none. "
        "Boards that a running eboard-bridge serves are reported as busy. Ends with 1 if no board "
        "was found. With --watch it says what comes and goes until Ctrl-C.",
        examples=[
            "discover",
            "discover --watch",
            "discover --config hall.yaml",
            "discover /dev/ttyACM0 tcp:10.0.0.7:5000",
        ],
    )
    parser.add_argument(
        "addresses",
        nargs="*",
        metavar="ADDRESS",
        help="ask only here: /dev/…, serial:/dev/…, usb:…, ble:…, tcp:HOST:PORT",
    )
    parser.add_argument(
        "--watch", action="store_true", help="go on, and say which boards come and go"
    )
    parser.add_argument(
        "--ports",
        action="append",
        default=[],
        metavar="PATTERN",
        help="ask at these ports too, for example '/dev/rfcomm*'",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="ask at the 'ports' of this configuration too, and with the options of its boards",
    )
    add_option_argument(parser, driver_known=False)


def run(args: argparse.Namespace) -> int:
    """Ask, and print a line for each port."""
    import asyncio

    from bridge.links.claims import Claims
    from bridge.links.discovery import Finder
    from drivers.catalogue import all_drivers

    patterns = list(args.ports)
    options: dict[str, Mapping[str, str]] = {**options_of(args.option)}
    if args.config is not None:
        from bridge.config import load
        from bridge.daemon.lines import options_by_driver

        config = load(args.config)
        patterns += config.ports
        options = options_by_driver(config) | options
    drivers = list(all_drivers().values())
    finder = Finder(
        drivers, now=time.monotonic, claims=Claims(), patterns=patterns, options=options
    )
    if args.watch:
        asyncio.run(_watch(finder))
        return DONE
    return _report(asyncio.run(_ask(finder, args.addresses)), finder.trouble)


async def _ask(finder: "Finder", addresses: list[str]) -> "list[Found | NotABoard]":
    """Ask, and show on a terminal where."""
    import asyncio

    from bridge.cli.progress import spinner

    with spinner("looking for boards") as show:
        asking = asyncio.ensure_future(finder.discover(addresses))
        while not asking.done():
            await asyncio.wait({asking}, timeout=_REFRESH_SECONDS)
            if finder.asking:
                show(f"asking at {', '.join(finder.asking)}")
    return asking.result()


def _report(answers: "list[Found | NotABoard]", trouble: tuple[str, ...]) -> int:
    from bridge.links.probing import Found

    for text in trouble:
        complain(text)
    if not answers:
        complain("no board is there, and no serial port; plug a board in and switch it on")
        return NO
    say_table(("port", "driver", "serial", "firmware", "remark"), map(_row, answers))
    return DONE if any(isinstance(answer, Found) for answer in answers) else NO


def _row(answer: "Found | NotABoard") -> tuple[str, ...]:
    from bridge.links.probing import Found

    if not isinstance(answer, Found):
        return (answer.address, _NONE, _NONE, _NONE, answer.reason)
    serials = " / ".join(answer.serials) or _NONE
    row = f"boards on this line: {', '.join(answer.units)}" if answer.units else ""
    remark = "; ".join(filter(None, (row, answer.remarks)))
    return (answer.address, answer.driver, serials, answer.version or _NONE, remark)


async def _watch(finder: "Finder") -> None:
    """Say what comes and goes, until interrupted."""
    import asyncio
    import contextlib

    from bridge.cli.progress import spinner, until_stopped
    from bridge.links.watching import Watch

    told: set[str] = set()
    watch = asyncio.create_task(Watch(finder, now=time.monotonic, tell=_say_change).run())
    with spinner(_WATCHING) as show:

        def refresh() -> None:
            for text in sorted(set(finder.trouble) - told):
                told.add(text)
                complain(text)
            show(f"asking at {', '.join(finder.asking)}" if finder.asking else _WATCHING)

        await until_stopped(refresh, task=watch)
    watch.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await watch


def _say_change(change: "Change") -> None:
    port, driver, serial, _, remark = _row(change.answer)
    words = [port, *(word for word in (driver, serial) if word != _NONE)]
    if change.what != "went" and remark:
        words.append(remark)
    say(f"{time.strftime('%H:%M:%S')}  {change.what:{_CHANGE_WIDTH}}{'  '.join(words)}")
    sys.stdout.flush()
