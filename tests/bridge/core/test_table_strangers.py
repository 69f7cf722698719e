"""Men that no start position has taught."""

import chess
import pytest

from bridge.core.table.strangers import promoted
from drivers.cells import cells_of

BOARD = chess.Board("r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1")


def seen(**squares: str) -> str:
    cells = list(cells_of(BOARD))
    for name, letter in squares.items():
        cells[chess.parse_square(name)] = letter
    return "".join(cells)


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        pytest.param({"b7": ".", "b8": "?"}, (chess.B8, "Q"), id="straight on"),
        pytest.param({"g7": ".", "h8": "?"}, (chess.H8, "Q"), id="by a capture"),
        pytest.param({"b2": ".", "a1": "?"}, (chess.A1, "q"), id="Black's"),
        pytest.param({"b7": ".", "b8": "?", "e4": "?"}, (chess.B8, "Q"), id="two strangers"),
        pytest.param({"b8": "?"}, None, id="the pawn still stands"),
        pytest.param({"b7": ".", "e4": "?"}, None, id="in the middle"),
        pytest.param({"b7": ".", "d8": "?"}, None, id="out of the pawn's reach"),
        pytest.param({"b7": ".", "b1": "?"}, None, id="at the other side"),
        pytest.param({}, None, id="no stranger"),
    ],
)
def test_an_unknown_man_is_a_queen_where_a_pawn_became_it(
    shown: dict[str, str], found: tuple[int, str] | None
) -> None:
    assert promoted(BOARD, seen(**shown)) == found
