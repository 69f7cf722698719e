"""``export``: what a journal holds, as PGN or as readings."""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, NO, CannotError, Commands, complain, counted, whole_number

if TYPE_CHECKING:
    from bridge.core.scoresheet.record import GameRecord

STANDARD_OUTPUT = Path("-")
_DATABASE_BEGINS = b"SQLite format 3\0"
"""As SQLite documents its file format."""


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "export",
        run,
        summary="write the games or the readings of a journal",
        description="Reads a journal, also while eboard-bridge is running on it, and writes its "
        "games as PGN or its readings as JSON Lines. Games in which nothing was played are left "
        "out. Ends with 1 if there is nothing to write.",
        examples=[
            "export data/journal.sqlite3 --pgn round.pgn",
            "export data/journal.sqlite3 --pgn - --table 7 --game 2",
            "export data/journal.sqlite3 --readings --table 7 > table7.jsonl",
        ],
    )
    parser.add_argument("journal", type=Path, metavar="JOURNAL", help="the journal's file")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--pgn", type=Path, metavar="OUT", help="write games; - is standard output")
    what.add_argument("--readings", action="store_true", help="write readings to standard output")
    parser.add_argument("--table", metavar="NAME", help="only this table")
    parser.add_argument(
        "--game", type=whole_number(1), metavar="N", help="only the N-th game of each table"
    )


def run(args: argparse.Namespace) -> int:
    """Write what was asked for."""
    tables = tables_of(args.journal, args.table)
    if args.readings:
        if args.game is not None:
            raise CannotError("--game chooses among games; it cannot be used with --readings")
        return _export_readings(args.journal, args.table)
    records = [
        record
        for table in tables
        for record in games_of(args.journal, table)
        if args.game in {None, record.game}
    ]
    played = [record for record in records if record.plies or record.result != "*"]
    if len(played) < len(records):
        left_out = counted(len(records) - len(played), "game")
        complain(f"left out: {left_out} in which nothing was played")
    if not played:
        complain(f"{args.journal}: no such game")
        return NO
    _write_games(sorted(played, key=_order), args.pgn)
    return DONE


def tables_of(journal: Path, chosen: str | None) -> list[str]:
    """Return the names of a journal's tables, or the one that was chosen if it is there."""
    from bridge.store.rows import table_names

    if not journal.is_file():
        raise CannotError(f"{journal}: no such file; name the journal, as data/journal.sqlite3")
    if not is_journal(journal):
        raise CannotError(f"{journal} is no journal; name one, as data/journal.sqlite3")
    tables = table_names(journal)
    if chosen is None:
        return tables
    if chosen not in tables:
        known = ", ".join(tables) or "none"
        raise CannotError(f"{journal}: there is no table {chosen}; tables: {known}")
    return [chosen]


def is_journal(file: Path) -> bool:
    """Whether a file is a database, not text."""
    with file.open("rb") as opened:
        return opened.read(len(_DATABASE_BEGINS)) == _DATABASE_BEGINS


def _export_readings(journal: Path, table: str | None) -> int:
    import msgspec

    from bridge.store.rows import read_journal

    written = NO
    for _, reading in read_journal(journal, table):
        sys.stdout.write(f"{msgspec.json.encode(reading).decode()}\n")
        written = DONE
    return written


def games_of(journal: Path, name: str) -> "Iterator[GameRecord]":
    """Fold a table's readings as the daemon does, up to the present moment."""
    from bridge.core.scoresheet.record import Scorebook
    from bridge.core.table import Table
    from bridge.store.rows import read_journal

    table, book = Table(name), Scorebook()
    now = 0.0
    for _, reading in read_journal(journal, name):
        for fact in table.apply(reading):
            book.apply(fact)
        now = reading.at + max(0.0, time.time() - reading.wall)
    for fact in table.tick(now):
        book.apply(fact)
    yield from book.records()


def _order(record: "GameRecord") -> tuple[str, int, float, str]:
    """Board order within a round, as the PGN standard wants it (section 12)."""
    board = float("inf") if record.setup.board is None else record.setup.board
    return (record.setup.date, record.game, board, record.table)


def _write_games(records: "list[GameRecord]", out: Path) -> None:
    from bridge.core.scoresheet.pgn import to_pgn

    text = "".join(map(to_pgn, records))
    if out == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8", newline="\n")
        complain(f"{counted(len(records), 'game')} in {out}")
