"""What the columns of a spreadsheet are called, in the languages that arbiters write."""

import difflib
import re
import unicodedata
from collections.abc import Sequence
from itertools import product

from bridge.pairings.model import Findings
from bridge.pairings.texts import shown

_PLACES = {
    "board": "board bo br brett table tisch mesa tablero tavolo echiquier доска стол",
    "round": "round rd runde ronde ronda turno тур",
    "position": "position startposition sp fen chess960 chess960position",
    "time_control": "timecontrol bedenkzeit",
}
_SIDES = {
    "white": "white weiß w blancas blancs bianco wit белые",
    "black": "black schwarz b negras noirs nero zwart чёрные",
}
_PARTS = {
    "name": "name player spieler nombre nom nome naam имя",
    "elo": "elo rtg rating eloi ratingfide fiderating",
    "title": "title titel ttl titulo titre titolo",
    "fide_id": "fideid id fideno fidenr",
    "federation": "federation fed land country pays pais paese föderation verband",
    "team": "team verein club mannschaft equipo equipe squadra",
}
_LIKE = 0.8
"""Similarity from which an unknown column is taken for a mistyped one."""
_LOOSE = 0.6
"""The same for naming the nearest one to a column that is missing (difflib's default)."""


def _normal(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return re.sub(r"[\W_]|[\u0300-\u036f]", "", plain)


def _known() -> dict[str, str]:
    """Return the fields by the normal form of every name of a column."""
    known = {
        _normal(word): field
        for fields in (_PLACES, _PARTS)
        for field, words in fields.items()
        for word in words.split()
    }
    for (side, names), (part, words) in product(_SIDES.items(), _PARTS.items()):
        field = f"{side}_{part}"
        for name, word in product(names.split(), words.split()):
            known |= {_normal(name + word): field, _normal(word + name): field}
    for side, names in _SIDES.items():
        known |= {_normal(name): f"{side}_name" for name in names.split() if len(name) > 1}
    return known


_KNOWN = _known()


def recognised(header: Sequence[str]) -> int:
    """Return how many columns of a header are known."""
    return sum(_normal(name) in _KNOWN for name in header)


def fields_of(header: Sequence[str], line: int, findings: Findings) -> dict[str, int]:
    """Return the cell in which each field stands, counted from 0.

    A column of one player that comes twice is White's, then Black's. A column that is nearly
    known, or stands there twice, is refused; one that is not known at all is passed over.
    """
    found: dict[str, int] = {}
    names = [_KNOWN.get(_normal(name), "") for name in header]
    pairs = {part for part in _PARTS if names.count(part) > 1}
    for cell, (name, written) in enumerate(zip(names, header, strict=True)):
        field = name
        if name in pairs:
            field = f"white_{name}" if f"white_{name}" not in found else f"black_{name}"
        if not field:
            _unknown(written, line, cell + 1, findings)
        elif field in found:
            what = f"column '{shown(written)}' says what column {found[field] + 1} says"
            findings.refuse(line, cell + 1, what, "delete one of them")
        else:
            found[field] = cell
    return found


def refuse_missing(header: Sequence[str], line: int, missing: str, findings: Findings) -> None:
    """Refuse a header for the column that it lacks, and name the one that may be meant."""
    near = [name for name in header if _nearest(name, _LOOSE) in (missing, f"{missing}_name")]
    remedy = f"is '{shown(near[0])}' meant?" if near else f"name a column '{missing}'"
    findings.refuse(line, None, f"there is no column '{missing}'", remedy)


def _unknown(written: str, line: int, column: int, findings: Findings) -> None:
    near = _nearest(written, _LIKE)
    if near:
        what = f"unknown column '{shown(written)}'"
        meant = near.removesuffix("_name") if near != "name" else near
        findings.refuse(line, column, what, f"did you mean '{meant}'?")
    elif written:
        what = f"column '{shown(written)}' is passed over"
        findings.note(line, column, what, "docs/pairings.md has all columns")


def _nearest(written: str, cutoff: float) -> str:
    near = difflib.get_close_matches(_normal(written), _KNOWN, n=1, cutoff=cutoff)
    return _KNOWN[near[0]] if near else ""
