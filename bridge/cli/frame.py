"""What all subcommands share: exit codes, help in one form, output for people and for pipes."""

import argparse
import difflib
import math
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

DONE = 0
NO = 1
CANNOT = 2
BROKEN = 70
INTERRUPTED = 130
UNREAD = 141

EXIT_CODES = """\
exit codes:
  0    done; where something was asked, the answer is yes
  1    the answer is no: problems were found, moves differ
  2    cannot be done as asked: bad input, missing file or port
  70   a mistake of the program; the traceback says where
  75   another hub has taken over; started again, this one stands by
  130  interrupted
  141  whoever read the output went away"""

AUDIENCES = ("public", "players", "operator", "arbiter")
"""Those of ``bridge.core.audience``, which takes its time to be imported."""

_MOST_COLUMNS = 100
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Control characters, ends of lines elsewhere, and what turns the direction of text."""


class CannotError(Exception):
    """What was asked cannot be done; the message says why and what to do, in one line."""


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with a command line, and where to read on."""

    def error(self, message: str) -> NoReturn:
        """End the program as one that cannot be done."""
        complain(f"{message}; '{self.prog} --help' says more")
        self.exit(CANNOT)


class Commands:
    """The subcommands of the command line *parser*; each module adds its own."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser
        self._subparsers = parser.add_subparsers(
            title="commands", metavar="COMMAND", dest="command"
        )

    def check(self, name: str) -> None:
        """Make sure that *name* is a command.

        Raises:
            CannotError: it is none.
        """
        known = self._subparsers.choices
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else "'eboard-bridge --help' lists them"
            raise CannotError(f"there is no command '{name}'; {hint}")

    def add(
        self,
        name: str,
        run: Callable[[argparse.Namespace], int],
        *,
        summary: str,
        description: str,
        examples: Sequence[str],
    ) -> argparse.ArgumentParser:
        """Add a subcommand and return its parser, for its arguments.

        *examples* are whole command lines without the program's name.
        """
        shown = "\n".join(f"  eboard-bridge {example}" for example in examples)
        parser = self._subparsers.add_parser(
            name,
            help=summary,
            description=textwrap.fill(description, _MOST_COLUMNS),
            epilog=f"examples:\n{shown}\n\n{EXIT_CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.set_defaults(run=run)
        return parser


def add_json_arguments(
    parser: argparse.ArgumentParser, output: "argparse._MutuallyExclusiveGroup"
) -> None:
    """Add ``--json`` to what may be chosen as *output*, and ``--audience``."""
    output.add_argument(
        "--json", action="store_true", help="write every fact as a line of JSON (docs/programs.md)"
    )
    parser.add_argument(
        "--audience",
        choices=AUDIENCES,
        default="public",
        help="with --json, who reads it: players and public see what the PGN files show and as "
        "late (default: public)",
    )


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return what reads an argument that is a whole number, so large at least and at most."""
    wanted = f"from {least} to {most}" if most else f"of {least} or more"

    def number(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= (most or math.inf):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {wanted}")
        return int(text)

    return number


def seconds(text: str) -> float:
    """Read an argument that is a time (s)."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


def counted(number: int, thing: str) -> str:
    """Return how many there are of a thing, in words."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def check_folder(folder: Path) -> None:
    """Make sure that files can be written to *folder*, before somebody works for them.

    Raises:
        CannotError: they cannot.
    """
    if not folder.is_dir():
        raise CannotError(f"{folder}: there is no such folder; make it, or name another one")
    if not os.access(folder, os.W_OK):
        raise CannotError(f"{folder}: this user may not write there; name another folder")


def shown(text: str) -> str:
    """Return *text* so that it cannot command a terminal: boards and files give names, too."""
    return _COMMANDS.sub(lambda found: ascii(found[0])[1:-1], text)


def say(text: str = "") -> None:
    """Write a line of the answer to standard output."""
    sys.stdout.write(f"{shown(text)}\n")


def complain(text: str) -> None:
    """Write a line that is not the answer to standard error."""
    sys.stderr.write(f"{shown(text)}\n")


def say_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table: ruled on a terminal, aligned plain text anywhere else."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(*columns)
        for row in rows:
            table.add_row(*map(Text, row))
        Console().print(table)
        return
    lines = [columns, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        say("  ".join(cells).rstrip())


def say_marked(mark: str, style: str, text: str) -> None:
    """Write a line that begins with a mark, which has a colour on a terminal."""
    if not sys.stdout.isatty():
        say(f"{mark}{text}")
        return
    from rich.console import Console
    from rich.text import Text

    Console(soft_wrap=True).print(Text.assemble((mark, style), text))
