"""Both kings in check, or a pawn on its last rank, and one more move (A.5.4)."""

import chess
import pytest

from bridge.core.laws.unnoticed import is_drawn, unnoticed

BOTH = "4k3/8/8/8/8/8/4r3/R3K3"
BOTH_IN_CHECK = "R3k3/8/8/8/8/8/4r3/4K3"


def codes(placement: str) -> tuple[str, ...]:
    return unnoticed(chess.BaseBoard(placement)).codes


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        (BOTH, ()),  # White's king alone is in check
        (BOTH_IN_CHECK, ("BOTH_KINGS_IN_CHECK",)),
        ("8/8/8/8/4Kk2/8/8/8", ("BOTH_KINGS_IN_CHECK",)),
        ("P3k3/8/8/8/8/8/8/4K3", ("PAWN_ON_LAST_RANK",)),
        ("4k3/8/8/8/8/8/8/p3K3", ("PAWN_ON_LAST_RANK",)),
        ("p3k3/8/8/8/8/8/8/P3K3", ()),  # put up wrongly, not moved there
        ("R3k2P/8/8/8/8/8/4r3/4K3", ("BOTH_KINGS_IN_CHECK", "PAWN_ON_LAST_RANK")),
        ("4k3/8/8/8/8/8/4r3/8", ()),
    ],
)
def test_what_is_illegal_is_named(placement: str, expected: tuple[str, ...]) -> None:
    assert codes(placement) == expected


@pytest.mark.parametrize(
    ("first", "after_next", "drawn"),
    [
        (BOTH_IN_CHECK, "R3k3/8/8/8/8/4r3/8/4K3", True),
        (BOTH_IN_CHECK, "R3k3/8/8/8/8/8/4K3/8", False),
        ("P3k3/8/8/8/8/8/8/4K3", "P7/4k3/8/8/8/8/8/4K3", True),
        ("P3k3/8/8/8/8/8/8/4K3", "Q7/4k3/8/8/8/8/8/4K3", False),
        ("P3k3/8/8/8/8/8/8/4K3", "Q3k3/8/8/8/8/8/8/p3K3", False),
        (BOTH, BOTH, False),
    ],
)
def test_one_more_move_decides(first: str, after_next: str, drawn: bool) -> None:
    found = [unnoticed(chess.BaseBoard(placement)) for placement in (first, after_next)]
    assert is_drawn(*found) == drawn
