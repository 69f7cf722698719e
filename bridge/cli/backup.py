"""``backup``: a copy of what was recorded, also while the daemon runs."""

import argparse
from pathlib import Path

from bridge.cli.frame import DONE, Commands, complain, counted, say


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "backup",
        run,
        summary="copy what was recorded, also while eboard-bridge runs",
        description="Makes a folder below TARGET with a copy of the journal, of what waits to be "
        "sent, of the accounts and of the configuration, as they are at this moment, and prints "
        "its name. Raw bytes of the boards and the files of games are not in it: games are written "
        "from the journal again.",
        examples=["backup hall.yaml /media/stick", "backup hall.yaml backups"],
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the configuration")
    parser.add_argument("target", type=Path, metavar="TARGET", help="a folder, also a new one")


def run(args: argparse.Namespace) -> int:
    """Make the copy."""
    from bridge.config import load
    from bridge.store.backup import back_up, check

    config = load(args.config)
    databases = config.data.journal, config.data.outbox
    folder = back_up(databases, (config.accounts, args.config), args.target)
    listed, _ = check(folder)
    say(str(folder))
    complain(f"{counted(len(listed.files), 'file')}, checked")
    return DONE
