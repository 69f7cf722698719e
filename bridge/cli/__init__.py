"""The command line: ``eboard-bridge COMMAND``.

A command is a module with ``add_parser(commands)``, named in ``COMMANDS``. It imports what is
slow where it runs, so that help and mistyped commands answer at once.
"""

import argparse
import os
import shlex
import sys
import traceback
from collections.abc import Sequence

from bridge import __version__
from bridge.cli import (
    account,
    backup,
    bless,
    calibrate,
    check_config,
    check_driver,
    demo,
    discover,
    doctor,
    evidence,
    export,
    forget,
    hub,
    infer,
    lichess,
    node,
    pairings,
    record,
    replay,
    restore,
    run,
    sheet,
    uci,
)
from bridge.cli.frame import (
    BROKEN,
    CANNOT,
    EXIT_CODES,
    INTERRUPTED,
    UNREAD,
    CannotError,
    Commands,
    Parser,
    complain,
)

COMMANDS = (
    demo,
    run,
    node,
    hub,
    discover,
    bless,
    doctor,
    check_config,
    pairings,
    account,
    calibrate,
    record,
    replay,
    check_driver,
    infer,
    export,
    evidence,
    sheet,
    backup,
    restore,
    forget,
    lichess,
    uci,
)

_EXAMPLES = """\
examples:
  eboard-bridge doctor
  eboard-bridge check-config hall.yaml
  eboard-bridge COMMAND --help

"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    A user's mistake ends in one line on standard error that names the remedy; only a mistake of
    ours shows a traceback.
    """
    try:
        return _run_or_complain(argv)
    except Exception:  # noqa: BLE001 - the top of the program
        traceback.print_exc()
        return BROKEN


def _run_or_complain(argv: Sequence[str] | None) -> int:
    try:
        return _run(argv)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # What is still buffered would fail again when the interpreter flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except _users_mistakes() as error:
        complain(str(error))
    except OSError as error:
        if error.filename is None:
            raise
        complain(f"{os.fsdecode(error.filename)}: {error.strerror}; check the path and its rights")
    return CANNOT


def _users_mistakes() -> tuple[type[Exception], ...]:
    """Return what ends in a line without a traceback; imported only when something is raised."""
    from bridge.config.problems import ConfigError
    from bridge.store.errors import BackupError, JournalError
    from drivers.errors import DriverError

    return (BackupError, CannotError, ConfigError, DriverError, JournalError)


def _run(argv: Sequence[str] | None) -> int:
    words = sys.argv[1:] if argv is None else list(argv)
    commands = _commands()
    if words and not words[0].startswith("-"):
        commands.check(words[0])
    try:
        args, unknown = commands.parser.parse_known_args(words)
    except SystemExit as exit_:  # help, version or what is wrong has been written
        return int(exit_.code or 0)
    if unknown:
        called = " ".join(filter(None, (commands.parser.prog, args.command)))
        help_ = f"'{called} --help' lists what it takes"
        raise CannotError(f"{called} does not know {shlex.join(unknown)}; {help_}")
    if args.command is None:
        commands.parser.print_help(sys.stderr)
        return CANNOT
    code: int = args.run(args)
    sys.stdout.flush()
    return code


def _commands() -> Commands:
    parser = Parser(
        prog="eboard-bridge",
        description="The open bridge between electronic chess boards and the world.",
        epilog=_EXAMPLES + EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = Commands(parser)
    for command in COMMANDS:
        command.add_parser(commands)
    return commands
