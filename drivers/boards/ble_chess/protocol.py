"""Words and positions of the Chess Peripheral Protocol, for both sides of the wire.

A message is one write or one notification of words in ASCII, without any end. Facts: the
published specification (June 2026) and the reference library ArduinoBleChess, which agree.
"""

import re

import chess

from drivers.cells import moved, promotes, ranks_from_eighth
from drivers.events import EMPTY, PIECES, UNNAMED, UNNAMED_BLACK, UNNAMED_WHITE

SERVICE = "f5351050-b2c9-11ec-a0c0-b3bc53b08d33"
TO_BOARD = "f53513ca-b2c9-11ec-a0c1-639b8957db99"
FROM_BOARD = "f535147e-b2c9-11ec-a0c2-8bbd706ec4e6"

LONGEST = 512
"""What a characteristic can hold; the reference library stops at 100."""

STREAM_FEATURES = ("submove_state", "state_stream")
"""Names under which every change is told, the newer one first (from 0.7.0; 0.3 to 0.6)."""

MOVE = re.compile("[a-h][1-8][a-h][1-8][qrbn]?")

_CELL_OF = {**{letter: letter for letter in PIECES}, "U": UNNAMED_WHITE, "u": UNNAMED_BLACK}
_CELL_OF |= {"?": UNNAMED, **{str(n): EMPTY * n for n in range(1, 9)}}
_LETTER_OF = {UNNAMED_WHITE: "U", UNNAMED_BLACK: "u"}


def cells_of(position: str) -> str | None:
    """Return the 64 cells of a position, or ``None`` where it is none.

    What follows the placement (side to move, rights) is left aside; mostly it is absent.
    """
    ranks = position.partition(" ")[0].split("/")
    rows = ["".join(_CELL_OF.get(letter, "") for letter in rank) for rank in reversed(ranks)]
    if len(rows) != 8 or any(len(row) != 8 for row in rows):
        return None
    if any(letter not in _CELL_OF for rank in ranks for letter in rank):
        return None
    return "".join(rows)


def placement_of(cells: str) -> str:
    """Return the placement that tells *cells*, of which none is unreadable."""
    rows = ranks_from_eighth(cells)
    text = "/".join("".join(_LETTER_OF.get(letter, letter) for letter in row) for row in rows)
    return re.sub(r"\.+", lambda empty: str(len(empty[0])), text)


def after_move(cells: str, uci: str) -> str:
    """Return what stands after a move, legal or not, with what belongs to it.

    A pawn that reached its last rank without a letter has become a man of unknown kind.
    """
    origin, target = chess.parse_square(uci[:2]), chess.parse_square(uci[2:4])
    if promotes(cells, origin, target):
        return moved(cells, origin, target, becomes=_promoted(cells[origin], uci))
    return moved(cells, origin, target, becomes=UNNAMED if cells[origin] == EMPTY else None)


def _promoted(pawn: str, uci: str) -> str:
    if len(uci) < 5:
        return UNNAMED_WHITE if pawn.isupper() else UNNAMED_BLACK
    return uci[4].upper() if pawn.isupper() else uci[4]
