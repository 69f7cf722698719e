"""Men read as other ones, found by counting: none of that kind has left a square to come there."""

import chess

from bridge.core.inference.placement import BIT, EMPTY, difference, reach, with_changes
from drivers.events import PIECES

_OWN = {kind: "KQRBNP" if kind.isupper() else "kqrbnp" for kind in PIECES}
_PAWN = {kind: "P" if kind.isupper() else "p" for kind in PIECES}
_LAST = {kind: chess.BB_RANK_8 if kind.isupper() else chess.BB_RANK_1 for kind in PIECES}


def misread_at_home(cells: str, shown: str) -> int:
    """Return the squares where men of *cells* are *shown* as other ones of their colour.

    More of that kind came to squares than have left some, and nobody takes his own man. Who stands
    where pawns are promoted may have been exchanged.
    """
    wrong = difference(_standing_named(cells, shown, takers=False), shown)
    black = _squares_of("kqrbnp", cells)
    return wrong & ~(black & chess.BB_RANK_1) & ~(~black & chess.BB_RANK_8)


def by_census(cells: str, shown: str) -> str:
    """Return what is *shown* after *cells*, with men read as other ones by their own names.

    More men of a kind came to squares than have left some, and no pawn was promoted. Who is shown
    so where a man of his colour stood is that man; who came elsewhere is of a kind of which more
    have left, and only if there is none may he be whom he would have taken. What stays unclear is
    left as it is.
    """
    standing = _standing_named(cells, shown, takers=False)
    named = _newcomers_named(cells, standing)
    if named != standing:
        return named
    return _newcomers_named(cells, _standing_named(cells, standing, takers=True))


def _standing_named(cells: str, shown: str, *, takers: bool) -> str:
    """Return *shown* with those men by their names who stand where they stood.

    *takers*: also those who are shown as men of the other colour, as if these had taken them.
    """
    named = ""
    while named != shown:  # who is known to have stayed has not left for another square
        named, shown = shown, _of_one_kind_named(cells, shown, takers=takers)
    return shown


def _of_one_kind_named(cells: str, shown: str, *, takers: bool) -> str:
    """Return *shown* with those of the first kind of men by their names of whom there are more."""
    for kind in PIECES:
        came = _came(kind, cells, shown)
        more = _more(kind, came, cells, shown)
        if not more:
            continue
        own = [square for square in came if cells[square] in _OWN[kind]]
        others = [square for square in came if cells[square] != EMPTY]
        for stood in (own, others) if takers else (own,):
            if len(stood) == more:
                return with_changes(shown, [(square, cells[square]) for square in stood])
    return shown


def _newcomers_named(cells: str, shown: str) -> str:
    """Return *shown* with those who came to another square by the only name that they may have.

    It is that of a kind of which one is missing, and who might have come from where he stood.
    """
    for kinds in (_OWN["K"], _OWN["k"]):
        came = {kind: _came(kind, cells, shown) for kind in kinds}
        strange = [kind for kind in kinds if _more(kind, came[kind], cells, shown)]
        if len(strange) != 1 or len(came[strange[0]]) != 1:
            continue
        (square,) = came[strange[0]]
        left = {kind: _left(kind, cells, shown) for kind in kinds}
        fewer = [kind for kind in kinds if len(left[kind]) > len(came[kind])]
        if len(fewer) > 1:  # others were taken, who might not have come here
            near = {kind: any(reach(kind, at) & BIT[square] for at in left[kind]) for kind in fewer}
            fewer = [kind for kind in fewer if near[kind]]
        if len(fewer) == 1:
            shown = with_changes(shown, [(square, fewer[0])])
    return shown


def _squares_of(kinds: str, cells: str) -> int:
    """Return the mask of the squares of *cells* on which men of *kinds* stand."""
    return sum(BIT[square] for square, man in enumerate(cells) if man in kinds)


def _came(kind: str, cells: str, shown: str) -> list[chess.Square]:
    """Return the squares to which men of *kind* came."""
    return [square for square, man in enumerate(shown) if man == kind != cells[square]]


def _left(kind: str, cells: str, shown: str) -> list[chess.Square]:
    """Return the squares that men of *kind* have left."""
    return [square for square, man in enumerate(cells) if man == kind != shown[square]]


def _more(kind: str, came: list[chess.Square], cells: str, shown: str) -> int:
    """Return how many of those of *kind* who *came* must be others; none if one was promoted."""
    more = len(came) - len(_left(kind, cells, shown))
    if more <= 0:
        return 0
    last = any(BIT[square] & _LAST[kind] for square in came)
    return 0 if last and _left(_PAWN[kind], cells, shown) else more
