"""A scoresheet on A4 paper, two columns of moves to a page.

Everything is placed from where reading begins: in a language that is read from right to left the
whole sheet is mirrored, and only squares, times and numbers keep their own direction.
"""

from collections.abc import Iterable
from typing import Literal

from fpdf import FPDF

from bridge.core.scoresheet.sheet import Gap, Player, Row, Sheet
from bridge.outputs.sheets.fonts import FAMILIES, LEFTWARD, Family, families_for
from bridge.outputs.sheets.layout import cells, gap_cell, reads_rightward

# Millimetres on A4.
PAGE_WIDTH = 210.0
MARGIN = 12.0
WIDTH = PAGE_WIDTH - 2 * MARGIN
COLUMN_GAP = 4.0
FIELD_GAP = 3.0
COLUMNS = (9.0, 26.0, 15.0, 26.0, 15.0)
"""Number, White's move and time, Black's move and time."""
ROW_HEIGHT = 5.2
ROWS = 37
"""Rows in one of the two columns of a page."""
MOVES_TOP = 62.0
FOOT_TOP = MOVES_TOP + (ROWS + 1) * ROW_HEIGHT + 2

GREY = 150
DARK_GREY = 90
PALE = 238

Align = Literal["begin", "middle", "end"]


def to_pdf(sheets: Iterable[Sheet]) -> bytes:
    """Return a PDF with the sheets one after another, each from a new page on."""
    paper = FPDF(format="A4")
    paper.set_auto_page_break(auto=False)
    for family in FAMILIES:
        paper.add_font(family.name, "", family.regular)
        paper.add_font(family.name, "B", family.bold)
    for sheet in sheets:
        _Writer(paper, sheet).write()
    return bytes(paper.output())


class _Writer:
    """Writes one sheet; ``x`` counts from where reading begins, inside the margin."""

    def __init__(self, paper: FPDF, sheet: Sheet) -> None:
        self._paper = paper
        self._sheet = sheet
        self._rightward = sheet.tongue.rightward

    def write(self) -> None:
        rows = self._sheet.rows
        parts = [rows[n : n + 2 * ROWS] for n in range(0, len(rows), 2 * ROWS)] or [()]
        for number, part in enumerate(parts, 1):
            self._paper.add_page()
            self._head(f"{number}/{len(parts)}" if len(parts) > 1 else "")
            for column in (0, 1):
                x = column * (sum(COLUMNS) + COLUMN_GAP)
                self._moves(x, part[column * ROWS : (column + 1) * ROWS])
            self._foot()

    # --- the head -------------------------------------------------------------------------------

    def _head(self, page: str) -> None:
        words = self._sheet.words
        self._text(0, 10, WIDTH - 40, 9, self._sheet.title, size=16, bold=True)
        if page:
            self._text(WIDTH - 40, 10, 40, 9, f"{words.page} {page}", size=9, align="end")
        (event, site, date, round_, board, rate, *start) = self._sheet.header
        self._fields(21, ((event, 113.0), (site, 70.0)))
        self._fields(31, ((date, 31.0), (round_, 23.0), (board, 23.0), (rate, 100.0)))
        for index, player in enumerate(self._sheet.players):
            self._player(index * (WIDTH + FIELD_GAP) / 2, 41, player)
        for label, fen in start:
            self._text(0, 52, WIDTH, 5, f"{label}: {fen}", size=8)

    def _fields(self, y: float, fields: Iterable[tuple[tuple[str, str], float]]) -> None:
        x = 0.0
        for (label, value), width in fields:
            self._field(x, y, width, label)
            self._value(x, y, width, value)
            x += width + FIELD_GAP

    def _field(self, x: float, y: float, width: float, label: str) -> None:
        self._text(x, y, width, 3.5, label, size=7, grey=True)
        self._line(x, y + 8.7, width)

    def _value(self, x: float, y: float, width: float, value: str) -> None:
        """Write what may be in another language than the sheet."""
        self._text(x, y + 3.5, width, 5, value, size=10, rightward=reads_rightward(value))

    def _player(self, x: float, y: float, player: Player) -> None:
        width = (WIDTH - FIELD_GAP) / 2
        self._field(x, y, width, player.side)
        self._text(x + width / 3, y, width * 2 / 3, 3.5, player.more, size=7, align="end")
        self._value(x, y, width, player.name)

    # --- the moves ------------------------------------------------------------------------------

    def _moves(self, x: float, rows: tuple[Row | Gap, ...]) -> None:
        words = self._sheet.words
        heads = ("", words.white, words.time, words.black, words.time)
        self._row(x, MOVES_TOP, heads, bold=True)
        for index in range(ROWS):
            y = MOVES_TOP + (index + 1) * ROW_HEIGHT
            row = rows[index] if index < len(rows) else None
            if isinstance(row, Gap):
                self._box(x, y, sum(COLUMNS), shaded=True)
                text = gap_cell(row, self._sheet)
                self._text(x, y, sum(COLUMNS), ROW_HEIGHT, text, size=8, align="middle")
            else:
                written = cells(row, rightward=self._rightward) if row else ("",) * 5
                self._row(x, y, written)

    def _row(self, x: float, y: float, written: tuple[str, ...], *, bold: bool = False) -> None:
        for index, (text, width) in enumerate(zip(written, COLUMNS, strict=True)):
            is_move = index in {1, 3}
            self._box(x, y, width, shaded=bold)
            self._text(
                x, y, width, ROW_HEIGHT, text,
                size=10 if is_move and not bold else 8,
                bold=bold,
                align="begin" if is_move else "end",
            )  # fmt: skip
            x += width

    # --- the foot -------------------------------------------------------------------------------

    def _foot(self) -> None:
        legend = "   ".join(f"{sign} {meaning}" for sign, meaning in self._sheet.legend)
        self._text(0, FOOT_TOP, WIDTH, 5, legend, size=8)
        label, result = self._sheet.result
        self._text(0, FOOT_TOP + 7, 30, 3.5, label, size=7, grey=True)
        self._text(0, FOOT_TOP + 10.5, 30, 8, result, size=16, bold=True)
        self._line(0, FOOT_TOP + 19, 30)
        step = (WIDTH - 30) / len(self._sheet.signatures)
        for index, who in enumerate(self._sheet.signatures):
            x = 34 + index * step
            self._text(x, FOOT_TOP + 7, step - 4, 3.5, who, size=7, grey=True)
            self._line(x, FOOT_TOP + 19, step - 4)

    # --- the pen --------------------------------------------------------------------------------

    def _text(
        self, x: float, y: float, width: float, height: float, text: str, *,
        size: float, bold: bool = False, grey: bool = False, align: Align = "begin",
        rightward: bool | None = None,
    ) -> None:  # fmt: skip
        """Write one line, smaller where it would not fit.

        Its direction is that of the sheet, unless it is known better: it decides in which order
        the parts of a mixed line stand.
        """
        paper = self._paper
        rightward = self._rightward if rightward is None else rightward
        face = self._choose_font(rightward=rightward)
        # Bold and regular letters in one word look worse than no bold letters.
        paper.set_font(face.name, "B" if bold and face.bold != face.regular else "", size)
        paper.set_text_color(DARK_GREY if grey else 0)
        needed = paper.get_string_width(text) + 2 * paper.c_margin
        if needed > width:
            paper.set_font_size(size * width / needed)
        paper.set_xy(self._left(x, width), y)
        paper.cell(width, height, text, align=self._side(align))

    def _choose_font(self, *, rightward: bool) -> Family:
        """Return the font for a line; what it lacks is taken from the others."""
        first, *others = families_for(self._sheet.language if rightward else LEFTWARD)
        self._paper.set_fallback_fonts([family.name for family in others], exact_match=False)
        self._paper.set_text_shaping(direction="ltr" if rightward else "rtl")
        return first

    def _box(self, x: float, y: float, width: float, *, shaded: bool) -> None:
        self._paper.set_draw_color(GREY)
        self._paper.set_fill_color(PALE)
        style = "DF" if shaded else "D"
        self._paper.rect(self._left(x, width), y, width, ROW_HEIGHT, style=style)

    def _line(self, x: float, y: float, width: float) -> None:
        left = self._left(x, width)
        self._paper.set_draw_color(GREY)
        self._paper.line(left, y, left + width, y)

    def _left(self, x: float, width: float) -> float:
        """Return the left end, on paper, of what begins at *x*."""
        return MARGIN + x if self._rightward else PAGE_WIDTH - MARGIN - x - width

    def _side(self, align: Align) -> Literal["L", "C", "R"]:
        if align == "middle":
            return "C"
        return "L" if (align == "begin") == self._rightward else "R"
