"""``check-config``: all problems of a configuration at once, or how it was understood."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import CANNOT, DONE, NO, CannotError, Commands, complain, say, say_table

if TYPE_CHECKING:
    from bridge.config import TableSettings


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "check-config",
        run,
        summary="say what is wrong with a configuration, all at once",
        description="Reads a configuration and lists everything that is wrong, each line as "
        "FILE:LINE:COLUMN: what is wrong; what to do. Without problems it shows the tables.",
        examples=["check-config hall.yaml", "check-config --example > hall.yaml"],
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the configuration")
    parser.add_argument(
        "--example", action="store_true", help="print a configuration with every key explained"
    )


def run(args: argparse.Namespace) -> int:
    """Check the file, or print the example."""
    if args.example:
        from bridge.config.example import example

        say(example().rstrip())
        return DONE
    if args.file is None:
        raise CannotError("check-config needs the name of a file, or --example")
    return _check(args.file)


def _check(file: Path) -> int:
    from bridge.config import ConfigError, UnreadableError, load

    try:
        config = load(file)
    except UnreadableError as error:
        complain(str(error))
        return CANNOT
    except ConfigError as error:
        say(str(error))
        return NO
    say_table(
        ("table", "board", "port", "serial", "clock", "white", "black", "rules"),
        [
            (
                table.table,
                table.board.driver,
                table.board.port,
                table.board.serial or "any",
                _clock(table),
                table.white.name,
                table.black.name,
                f"{rules.name}, {len(rules.changed)} changed" if rules.changed else rules.name,
            )
            for table, rules in ((table, config.rules(table)) for table in config.tables)
        ],
    )
    for note in config.notes:
        say(f"note: {note}")
    say(f"{file}: no problems")
    return DONE


def _clock(table: "TableSettings") -> str:
    if table.own_clock:
        return table.own_clock.port
    return "board" if table.clock else "none"
