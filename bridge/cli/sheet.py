"""``sheet``: printed scoresheets of games in PGN or in a journal."""

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.export import games_of, is_journal, tables_of
from bridge.cli.frame import DONE, NO, CannotError, Commands, complain, counted
from bridge.core.scoresheet.notation.languages import LANGUAGES

if TYPE_CHECKING:
    from bridge.core.scoresheet.record import GameRecord
    from bridge.core.scoresheet.sheet import Sheet

_TAG = re.compile(r"^\s*\[\w", re.MULTILINE)
"""A text with neither tags nor moves is no game."""


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "sheet",
        run,
        summary="print scoresheets, as PDF or HTML",
        description="Writes the scoresheet of every game of a PGN file or a journal, ready to be "
        "printed and signed. Illegal moves that stand, missing moves, estimated times and draw "
        "offers are marked; a journal also tells which entries were corrected. Ends with 1 if "
        "there is no game.",
        examples=[
            "sheet game.pgn --out sheet.pdf",
            "sheet game.pgn --language de --form long --out sheet.html",
            "sheet data/journal.sqlite3 --table 7 --out table7.pdf",
        ],
    )
    parser.add_argument("source", type=Path, metavar="GAMES", help="a PGN file or a journal")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="a name that ends in .pdf or .html"
    )
    parser.add_argument(
        "--language",
        default="en",
        metavar="CODE",
        help=f"of words and pieces: {', '.join(LANGUAGES)}; default en",
    )
    parser.add_argument(
        "--form",
        default="fide",
        metavar="NAME",
        help="of moves: fide, long, short, older_short (pawn captures as two files), figurine or "
        "pgn; default fide",
    )
    parser.add_argument("--table", metavar="NAME", help="only this table of a journal")


def run(args: argparse.Namespace) -> int:
    """Write the sheets."""
    from bridge.core.scoresheet.notation.writing import STYLES, NotationError
    from bridge.core.scoresheet.sheet import sheet

    kind = args.out.suffix.lower()
    if kind not in {".pdf", ".html"}:
        raise CannotError(f"{args.out}: the name has to end in .pdf or .html")
    if args.form not in STYLES:
        raise CannotError(f"no form {args.form!r}; forms: {', '.join(STYLES)}")
    try:
        sheets = [
            sheet(record, language=args.language, style=args.form)
            for record in _records(args.source, args.table)
        ]
    except NotationError as error:
        raise CannotError(str(error)) from error
    if not sheets:
        complain(f"{args.source}: no game in which something was played")
        return NO
    _complain_of_missing_letters(sheets)
    _write(sheets, args.out, kind)
    complain(f"{counted(len(sheets), 'sheet')} in {args.out}")
    return DONE


def _records(source: Path, table: str | None) -> "Iterator[GameRecord]":
    if is_journal(source):
        for name in tables_of(source, table):
            yield from (record for record in games_of(source, name) if record.plies)
    elif table is not None:
        raise CannotError("--table chooses among the tables of a journal; this is not one")
    else:
        yield from _read(source)


def _read(source: Path) -> "Iterator[GameRecord]":
    from bridge.core.scoresheet.reading import PgnError, read_games

    data = source.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # the character set of the PGN standard (4.1)
    has_tags = _TAG.search(text) is not None
    try:
        yield from (record for record in read_games(text) if record.plies or has_tags)
    except PgnError as error:
        raise CannotError(f"{source}: {error}") from error


def _complain_of_missing_letters(sheets: "Iterable[Sheet]") -> None:
    from bridge.outputs.sheets.fonts import unprintable
    from bridge.outputs.sheets.layout import texts

    if missing := unprintable(text for sheet in sheets for text in texts(sheet)):
        complain(f"no font here has these letters, boxes stand for them: {' '.join(missing)}")


def _write(sheets: "list[Sheet]", out: Path, kind: str) -> None:
    if kind == ".pdf":
        from bridge.outputs.sheets.pdf import to_pdf

        out.write_bytes(to_pdf(sheets))
    else:
        from bridge.outputs.sheets.html import to_html

        out.write_text(to_html(sheets), encoding="utf-8", newline="\n")
