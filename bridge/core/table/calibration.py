"""Which men carry which tags, as far as the start position tells.

Spare queens may stand on d3 (White's) and d6. White's men are on the first two ranks as they
are printed on the board: what no tag is known of looks the same from both sides.
"""

from collections.abc import Mapping, Sequence

import chess

from bridge.core.inference.placement import EMPTY
from bridge.core.table.senses import with_spare_queens
from drivers.cells import cells_of

_ARRAY = cells_of(chess.Board())
_WANTED = with_spare_queens(_ARRAY)


def letters_of(standing: Sequence[str | None]) -> dict[str, str]:
    """Return the men by their tags where the start position stands (:func:`faults` is empty)."""
    return {tag: letter for tag, letter in zip(standing, _WANTED, strict=True) if tag is not None}


def faults(standing: Sequence[str | None], known: Mapping[str, str]) -> list[str]:
    """Say in words why *standing* is no start position, with the squares; empty if it is one.

    Args:
        standing: the tag on each square, a1 first.
        known: men whose tags were calibrated before; none may be another man now.
    """
    squares = chess.SQUARES
    missing = [s for s in squares if _ARRAY[s] != EMPTY and standing[s] is None]
    strange = [s for s in squares if _WANTED[s] == EMPTY and standing[s] is not None]
    places: dict[str, list[chess.Square]] = {}
    for square, tag in enumerate(standing):
        if tag is not None:
            places.setdefault(tag, []).append(square)
    said = []
    if missing:
        said.append(f"no tag is read on {_named(missing)}")
    if strange:
        said.append(f"a tag is read on {_named(strange)}, where no man belongs")
    said += [
        f"the same tag is read on {_named(where)}" for where in places.values() if len(where) > 1
    ]
    others = [s for tag, where in places.items() for s in where if _is_other(tag, s, known)]
    if others:
        said.append(f"tags on {_named(others)} are known as those of other men")
    return said


def _is_other(tag: str, square: chess.Square, known: Mapping[str, str]) -> bool:
    return _WANTED[square] != EMPTY and known.get(tag, _WANTED[square]) != _WANTED[square]


def _named(squares: Sequence[chess.Square]) -> str:
    return ", ".join(map(chess.square_name, squares))
