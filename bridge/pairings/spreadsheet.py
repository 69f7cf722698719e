"""CSV as spreadsheets write it: a header, then a line for each game or for each player."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bridge.pairings.columns import fields_of, recognised, refuse_missing
from bridge.pairings.drafts import Draft, content
from bridge.pairings.fields import Cell
from bridge.pairings.model import Findings, Pairings, Person
from bridge.pairings.texts import lines, tidy

_DELIMITERS = ";,\t|"
_SIDES = ("white", "black")


class _Row(NamedTuple):
    """A line of the table with the number of the line on which it begins."""

    line: int
    cells: Sequence[str]


class _Sheet:
    """The rows below a header, whose cells have names."""

    def __init__(self, columns: Mapping[str, int], header: _Row, findings: Findings) -> None:
        self.columns, self._header, self._findings = columns, header, findings

    def cell(self, row: _Row, field: str) -> Cell:
        """Return a field of a row, empty where it has none."""
        index = self.columns.get(field, len(row.cells))
        there = index < len(row.cells)
        return Cell(
            row.cells[index] if there else "",
            line=row.line,
            column=index + 1,
            label=f"column '{tidy(self._header.cells[index])}'" if there else field,
            findings=self._findings,
        )

    def person(self, row: _Row, side: str = "") -> Person:
        """Return the player of a side, or the only one of the row."""
        return Person(
            name=self.cell(row, f"{side}name").name(),
            title=self.cell(row, f"{side}title").title(),
            elo=self.cell(row, f"{side}elo").rating(),
            fide_id=self.cell(row, f"{side}fide_id").fide_id(),
            team=self.cell(row, f"{side}team").name(),
            federation=self.cell(row, f"{side}federation").federation(),
        )

    def draft(self, row: _Row) -> Draft:
        """Return the game of a row."""
        match, board = self.cell(row, "board").board()
        start_fen, chess960 = self.cell(row, "position").start(chess960=True)
        return Draft(
            round=self.cell(row, "round").text,
            match=match,
            board=board,
            white=self.person(row, "white_"),
            black=self.person(row, "black_"),
            line=row.line,
            start_fen=start_fen,
            chess960=chess960 and start_fen is not None,
            time_control=self.cell(row, "time_control").time_control(),
        )


def read_csv(text: str, findings: Findings) -> Pairings:
    """Return the pairings of a table, or the players of one that has a column of names.

    Raises:
        PairingError: with everything that is wrong with it.
    """
    rows = _rows(text, findings)
    if not rows:
        if not findings.refused:
            findings.refuse(None, None, "the file is empty", "export the pairings of a round")
        return content((), findings)
    header, *below = rows
    columns = fields_of(header.cells, header.line, findings)
    sheet = _Sheet(columns, header, findings)
    for row in below:
        _check_length(row, header, findings)
    if "name" in columns and not any(f"{side}_name" in columns for side in _SIDES):
        players = [sheet.person(row) for row in below]
        return content((), findings, [person for person in players if person.name])
    for side in _SIDES:
        if f"{side}_name" not in columns:
            refuse_missing(header.cells, header.line, side, findings)
    for field in {"elo", "title", "fide_id", "team", "federation"} & columns.keys():
        what = f"column '{tidy(header.cells[columns[field]])}' is there for one side alone"
        remedy = f"name it white_{field} or black_{field}"
        findings.refuse(header.line, columns[field] + 1, what, remedy)
    return content([sheet.draft(row) for row in below], findings)


def _rows(text: str, findings: Findings) -> list[_Row]:
    """Return all lines in which something stands; cells at the end that are empty are cut off."""
    before = 0
    first, _, rest = text.partition("\n")
    delimiter = ""
    if first.strip().lower().startswith("sep=") and len(first.strip()) == len("sep=;"):
        delimiter, text, before = first.strip()[-1], rest, 1
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter or _delimiter(text), strict=True
    )
    rows: list[_Row] = []
    line = before + 1
    try:
        for cells in reader:
            while cells and not tidy(cells[-1]):
                cells.pop()
            if cells:
                rows.append(_Row(line, cells))
            line = before + reader.line_num + 1
    except csv.Error as error:
        remedy = "put the cell in quotes and write a quote in it twice"
        findings.refuse(
            line, None, f"a quote that does not close, or stands alone: {error}", remedy
        )
        return []
    return rows


def _delimiter(text: str) -> str:
    """Return what separates most known columns of the header, else most columns."""
    header = next((line for line in lines(text) if line.strip()), "")

    def known(delimiter: str) -> tuple[int, int]:
        cells = [cell.strip(' "') for cell in header.split(delimiter)]
        return recognised(cells), len(cells)

    return max(_DELIMITERS, key=known)


def _check_length(row: _Row, header: _Row, findings: Findings) -> None:
    if len(row.cells) > len(header.cells):
        findings.refuse(
            row.line,
            len(header.cells) + 1,
            f"the line has {len(row.cells)} cells and the header {len(header.cells)}",
            "put a name that holds the separator in quotes",
        )
