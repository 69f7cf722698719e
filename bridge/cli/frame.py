"""What all subcommands share: exit codes, help in one form, output for people and for pipes."""

import argparse
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence

DONE = 0
NO = 1
CANNOT = 2
INTERRUPTED = 130
UNREAD = 141

EXIT_CODES = """\
exit codes:
  0    done; where something was asked, the answer is yes
  1    the answer is no: problems were found, moves differ
  2    cannot be done as asked: bad input, missing file or port
  130  interrupted
  141  whoever read the output went away"""

AUDIENCES = ("public", "players", "operator", "arbiter")
"""Those of ``bridge.core.audience``, which takes its time to be imported."""

_MOST_COLUMNS = 100
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Control characters, ends of lines elsewhere, and what turns the direction of text."""


class CannotError(Exception):
    """What was asked cannot be done; the message says why and what to do, in one line."""


class Commands:
    """The subcommands of the command line; each module adds its own."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._subparsers = parser.add_subparsers(
            title="commands", metavar="COMMAND", dest="command"
        )

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
