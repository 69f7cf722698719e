"""``bless``: somebody lifts a king, and the program learns which table that board is."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import (
    DONE,
    INTERRUPTED,
    NO,
    CannotError,
    Commands,
    check_folder,
    complain,
    say,
)
from bridge.cli.options import add_option_argument, options_of

if TYPE_CHECKING:
    from bridge.config.editing import Boards


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "bless",
        run,
        summary="learn which board is which table, by hand",
        description="Asks for one table after the other. With all boards in the start position, "
        "lift the white king on the board that is meant, and put it back when it was seen. Prints "
        "the tables with their boards, as they stand in a configuration. Ctrl-C ends at any time; "
        "what was found until then is printed, and no file is changed.",
        examples=["bless 1 2 3", "bless 7 --into hall.yaml", "bless 1 2 3 > hall.yaml"],
    )
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="names of the tables")
    parser.add_argument(
        "--into",
        type=Path,
        metavar="FILE",
        help="write it into this configuration; asks before a file that is there is changed",
    )
    parser.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="look for boards only here: /dev/…, usb:…, ble:…",
    )
    add_option_argument(parser, driver_known=False)


def run(args: argparse.Namespace) -> int:
    """Ask for the tables, and print or write what was found."""
    import asyncio

    from bridge.cli.blessing import bless
    from bridge.config import parse
    from bridge.config.editing import stanza

    if args.into is not None:
        check_folder(args.into.resolve().parent)
    before = _read(args.into)
    if before:  # what is wrong with the file shall be said before anybody walks
        parse(before, args.into)
    _check(args.tables)
    options = options_of(args.option)
    boards = asyncio.run(bless(list(dict.fromkeys(args.tables)), args.at, options))
    if boards:
        say(stanza(boards).rstrip())
    for table, board in boards.items():
        if board["driver"] in options:
            complain(f"table {table}: write the board's options beside its driver")
    if len(boards) < len(set(args.tables)):
        return INTERRUPTED
    return DONE if args.into is None else _write(args.into, before, boards)


def _check(tables: list[str]) -> None:
    """Refuse what no table may be called, before anybody walks."""
    from bridge.config.tables import TABLE_NAME, table_name

    for table in tables:
        try:
            table_name(table)
        except ValueError:
            raise CannotError(f"'{table}' is no table; write {TABLE_NAME}") from None


def _read(file: Path | None) -> str | None:
    """Return what is in the file, ``None`` where there is none."""
    try:
        return None if file is None else file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise CannotError(f"{file}: not UTF-8; save it as UTF-8") from None


def _write(file: Path, before: str | None, boards: "Boards") -> int:
    """Write the boards into the file, if that is wanted."""
    from bridge.config.editing import with_boards
    from bridge.store.files import replace_file

    after = with_boards(before or "", boards, file)
    if before is not None:
        if not sys.stdin.isatty():
            complain(f"{file}: not changed, since nobody can be asked; the tables are above")
            return NO
        complain(f"change the boards of {', '.join(boards)} in {file}? [y/N] ")
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            complain(f"{file}: not changed")
            return NO
        if _read(file) != before:
            complain(f"{file}: not changed, since somebody else has changed it meanwhile")
            return NO
    replace_file(file.resolve(), after.encode())
    complain(f"{file}: written")
    return DONE
