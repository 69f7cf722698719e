"""The command line: ``eboard-bridge COMMAND``.

A command is a module with ``add_parser(commands)``, named in ``COMMANDS``. It imports what is
slow where it runs, so that help and mistyped commands answer at once.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from bridge import __version__
from bridge.cli import (
    account,
    backup,
    bless,
    calibrate,
    check_config,
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
    CANNOT,
    EXIT_CODES,
    INTERRUPTED,
    UNREAD,
    CannotError,
    Commands,
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
    parser = _parser()
    try:
        args = parser.parse_args(argv)
    except SystemExit as exit_:  # help, version or a usage message has been written
        return int(exit_.code or 0)
    if args.command is None:
        parser.print_help(sys.stderr)
        return CANNOT
    code: int = args.run(args)
    sys.stdout.flush()
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="eboard-bridge",
        description="The open bridge between electronic chess boards and the world.",
        epilog=_EXAMPLES + EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = Commands(parser)
    for command in COMMANDS:
        command.add_parser(commands)
    return parser
