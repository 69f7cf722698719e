"""``restore``: a backup is examined, and put back in its place."""

import argparse
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.export import games_of, tables_of
from bridge.cli.frame import (
    DONE,
    NO,
    CannotError,
    Commands,
    complain,
    counted,
    say,
    say_table,
)

if TYPE_CHECKING:
    from bridge.store.backup import Listed

JOURNAL = "journal.sqlite3"


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "restore",
        run,
        summary="examine a backup, and put it back",
        description="Examines every file of a backup and shows the games that are in it; with "
        "--check that is all. Otherwise its files are put where CONFIG wants them, while "
        "eboard-bridge does not run. What stands there is kept under other names. A configuration "
        "that is missing is taken from the backup, too. Ends with 1 if the backup is damaged.",
        examples=[
            "restore /media/stick/eboard-bridge-20261122-050000 --check",
            "restore /media/stick/eboard-bridge-20261122-050000 hall.yaml",
        ],
    )
    parser.add_argument("backup", type=Path, metavar="BACKUP", help="the folder of the backup")
    parser.add_argument(
        "config", nargs="?", type=Path, metavar="CONFIG", help="the configuration to restore for"
    )
    parser.add_argument("--check", action="store_true", help="only examine it")


def run(args: argparse.Namespace) -> int:
    """Examine the backup, and put it back if that is wanted."""
    from bridge.store.backup import check

    if args.config is None and not args.check:
        raise CannotError("restore needs the name of a configuration, or --check")
    listed, problems = check(args.backup)
    for problem in problems:
        complain(f"{args.backup}: {problem}")
    if problems:
        return NO
    _show(args.backup, listed)
    if not args.check:
        _restore(args.backup, args.config, listed)
    return DONE


def _show(backup: Path, listed: "Listed") -> None:
    """Follow all games from the readings anew; nothing proves more of a journal."""
    rows = [
        (table, str(record.game), record.setup.white, record.setup.black, str(len(record.plies)))
        for table in tables_of(backup / JOURNAL, None)
        for record in games_of(backup / JOURNAL, table)
    ]
    say_table(("table", "game", "white", "black", "plies"), rows)
    say(f"made {listed.made}, {counted(len(listed.files), 'file')}, all as they were written")


def _restore(backup: Path, file: Path, listed: "Listed") -> None:
    from bridge.config import load
    from bridge.store.backup import restore

    if not file.exists() and file.name in listed.files:
        shutil.copyfile(backup / file.name, file)
    config = load(file)
    places = [config.data.journal, config.data.outbox, config.accounts]
    for kept in restore(backup, {place.name: place for place in places}):
        complain(f"what stood there is kept as {kept}")
    say(f"restored to {config.data.folder}")
