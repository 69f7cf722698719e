"""What the PDF and the HTML sheet have in common: the texts of the cells."""

import unicodedata
from collections.abc import Iterator

from bridge.core.scoresheet.sheet import MARKS, Entry, Gap, Row, Sheet

CONTINUED = "…"
"""Stands for White's move where the play goes on with Black."""
LEFT_TO_RIGHT = "\u200e"
"""The mark that keeps signs such as ``+`` behind the square they belong to."""


def move_cell(entry: Entry, *, rightward: bool) -> str:
    """Return a move with the signs of its marks, as it reads in a line of that direction."""
    signs = (MARKS[mark] for mark in entry.marks if mark != "estimated")
    return " ".join((entry.text if rightward else f"{entry.text}{LEFT_TO_RIGHT}", *signs))


def time_cell(entry: Entry) -> str:
    """Return the time, with the sign of an estimate before it."""
    return f"{MARKS['estimated'] if 'estimated' in entry.marks else ''}{entry.time}"


def cells(row: Row, *, rightward: bool) -> tuple[str, str, str, str, str]:
    """Return number, White's move and time, Black's move and time."""
    white, black = row.white, row.black
    return (
        f"{row.number}.",
        move_cell(white, rightward=rightward) if white else CONTINUED,
        time_cell(white) if white else "",
        move_cell(black, rightward=rightward) if black else "",
        time_cell(black) if black else "",
    )


def texts(sheet: Sheet) -> Iterator[str]:
    """Yield everything that is written on the sheet."""
    yield from (sheet.title, *sheet.words, *sheet.result, *sheet.signatures)
    for pair in (*sheet.header, *sheet.legend):
        yield from pair
    for player in sheet.players:
        yield from (player.side, player.name, player.more)
    for row in sheet.rows:
        if isinstance(row, Gap):
            yield gap_cell(row, sheet)
        else:
            yield from cells(row, rightward=sheet.tongue.rightward)


def gap_cell(gap: Gap, sheet: Sheet) -> str:
    """Return what stands across the row where moves are missing, with the position after it."""
    mark = "" if sheet.tongue.rightward else LEFT_TO_RIGHT
    return f"{sheet.words.missing}: {mark}{gap.fen.split()[0]}{mark}"


def reads_rightward(text: str) -> bool:
    """Say whether a text is read from left to right, as its first letter tells."""
    directions = (unicodedata.bidirectional(letter) for letter in text)
    return next((d for d in directions if d in {"L", "R", "AL"}), "L") == "L"
