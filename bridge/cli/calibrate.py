"""``calibrate``: learn once which men carry which tags, and keep it in a file."""

import argparse
from pathlib import Path

from bridge.cli.frame import DONE, NO, CannotError, Commands, check_folder, complain, say, seconds

_PATIENCE = 60.0


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "calibrate",
        run,
        summary="learn which men carry which tags, from the start position",
        description="Put all men up for a game, White on the ranks that are printed 1 and 2, and "
        "the spare queens on d3 (White's) and d6. When every man was read in the same place for "
        "some seconds, their tags are written to the file, which boards name under "
        "'calibration'. Ends with 1 if the men never stood so, and says on which squares.",
        examples=[
            "calibrate men.json",
            "calibrate men.json --port /dev/ttyUSB0 --add",
        ],
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="where the tags are kept")
    parser.add_argument(
        "--port",
        default="auto",
        metavar="PORT",
        help="/dev/… or what discover shows; without it, any board of the driver",
    )
    parser.add_argument(
        "--driver", default="certabo", help="driver of the board (default: certabo)"
    )
    parser.add_argument(
        "--add", action="store_true", help="add another set, or spare men, to the file"
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=_PATIENCE,
        metavar="N",
        help=f"give up after N seconds (default: {_PATIENCE:g})",
    )


def run(args: argparse.Namespace) -> int:
    """Learn and write, or say what was wrong."""
    import asyncio

    from bridge.cli.calibrating import calibrate
    from bridge.config.calibration import CalibrationError, calibration_text, read_calibration
    from bridge.store.files import replace_file
    from drivers.catalogue import driver

    found = driver(args.driver)
    if found.info.sensing != "raw tags":
        raise CannotError(f"driver {args.driver} reads no tags; nothing is to be calibrated")
    if args.file.exists() and not args.add:
        raise CannotError(f"{args.file} is there already; add to it with --add, or delete it")
    try:
        known = read_calibration(args.file) if args.file.exists() else {}
    except CalibrationError as error:
        raise CannotError(f"{error}; name another file") from None
    check_folder(args.file.parent)
    learned = asyncio.run(calibrate(args.port, found, known, seconds=args.seconds))
    if isinstance(learned, str):
        complain(learned)
        return NO
    replace_file(args.file, calibration_text(known | learned).encode("utf-8"))
    say(f"{args.file}: {len(learned)} men, {len(learned.keys() - known.keys())} of them new")
    return DONE
