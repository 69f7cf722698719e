"""``record``: what goes over one line, as a capture file."""

import argparse
from pathlib import Path

from bridge.cli.frame import DONE, NO, Commands, complain, say, seconds
from bridge.cli.options import add_option_argument, options_of


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "record",
        run,
        summary="record what goes over one line as a capture file",
        description="Talks to one board and records every byte, until it is interrupted with "
        "Ctrl-C. A board that is pulled out is waited for. Ends with 1 if nothing that the "
        "driver understands was recorded.",
        examples=[
            "record /dev/ttyACM0 --played 'e4 e5 Nf3'",
            "record --folder captures --board 'DGT USB, firmware 3.1' --seconds 60",
            "record usb:2d80:8001 --driver chessnut --ask 'stored game'",
        ],
    )
    parser.add_argument(
        "port",
        nargs="?",
        default="auto",
        metavar="PORT",
        help="/dev/…, serial:/dev/…, tcp:HOST:PORT; without it, any board of the driver",
    )
    parser.add_argument("--driver", default="dgt", help="driver of the board (default: dgt)")
    add_option_argument(parser, driver_known=True)
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="where the file goes (default: here)",
    )
    parser.add_argument(
        "--ask",
        action="append",
        default=[],
        metavar="COMMAND",
        help="ask the board for something while no game is on, as 'battery', and show what it "
        "answers; docs/boards.md has what boards know",
    )
    parser.add_argument("--seconds", type=seconds, metavar="N", help="end after N seconds")
    header = parser.add_argument_group("what the file shall say of itself")
    header.add_argument("--played", metavar="MOVES", help="the moves, in SAN without numbers")
    header.add_argument("--board", metavar="TEXT", help="make, model and firmware of the board")
    header.add_argument("--contributor", metavar="NAME", help="who recorded it")
    header.add_argument("--notes", metavar="TEXT", help="what happened that the moves do not say")


def run(args: argparse.Namespace) -> int:
    """Record until interrupted, and say what was recorded."""
    import asyncio

    from bridge.cli.recording import record
    from drivers.catalogue import driver

    found = driver(args.driver)
    options = options_of(args.option, args.driver).get(args.driver, {})
    files_before = _files(args.folder)
    count = asyncio.run(record(args, found, options))
    for file in sorted(_files(args.folder) - files_before):
        say(str(file))
    complain(count.text)
    return DONE if count.messages else NO


def _files(folder: Path) -> set[Path]:
    return set(folder.glob("*.capture"))
