"""Illegal moves that were answered before the board could be judged."""

import chess
import pytest

from bridge.core.laws.answered import judge_answered
from drivers.cells import cells_of


def shown(placement: str) -> str:
    return cells_of(chess.BaseBoard(placement))


@pytest.mark.parametrize(
    ("placement", "reason", "mine"),
    [
        (
            "rnbqkbnr/ppp1pppp/8/3p4/8/6N1/PPPPPPPP/RNBQKB1R",  # Ng3, d5
            "GEOMETRY",
            "rnbqkbnr/pppppppp/8/8/8/6N1/PPPPPPPP/RNBQKB1R",
        ),
        (
            "r1bqkbnr/pppppppp/2n5/8/2B5/8/PPPPPPPP/RNBQK1NR",  # Bc4, Nc6
            "PATH_BLOCKED",
            "rnbqkbnr/pppppppp/8/8/2B5/8/PPPPPPPP/RNBQK1NR",
        ),
    ],
)
def test_one_mans_attempt_and_a_legal_answer(placement: str, reason: str, mine: str) -> None:
    found = judge_answered(chess.Board(), shown(placement))
    assert found is not None
    assert (found.verdict.reason, found.cells) == (reason, shown(mine))


@pytest.mark.parametrize(
    "placement",
    [
        "rnbqkbnr/pppppppp/8/8/8/6N1/PPPPPPPP/RNBQKB1R",  # Ng3, and no answer
        "rnbqkbnr/ppp1pppp/3p4/8/8/5N2/PPPPPPPP/RNBQKB1R",  # Nf3, d6: both legal
        "rnbqkbnr/ppp1pppp/8/8/3p4/6N1/PPPPPPPP/RNBQKB1R",  # Ng3, and a pawn that went too far
        "rnbqkbnr/ppp1pppp/8/3p4/8/2N3N1/PPPPPPPP/R1BQKB1R",  # two men of White
        "4k3/8/8/8/8/8/8/4K3",
    ],
)
def test_anything_less_proves_nothing(placement: str) -> None:
    assert judge_answered(chess.Board(), shown(placement)) is None


def test_the_answer_may_take_a_man_that_the_mover_left_alone() -> None:
    board = chess.Board("4k3/8/4q3/8/8/1Q6/P7/4K3 w - - 0 1")
    found = judge_answered(board, shown("4k3/8/8/8/7Q/8/q7/4K3"))
    assert found is not None
    assert (found.verdict.reason, found.cells) == ("GEOMETRY", shown("4k3/8/4q3/8/7Q/8/P7/4K3"))


def test_the_answer_may_take_a_man_but_not_the_king() -> None:
    board = chess.Board("4k3/4r3/8/8/8/2p5/3N4/4K3 w - - 0 1")
    taken = judge_answered(board, shown("4k3/4r3/8/8/8/8/3p4/4K3"))
    assert taken is None, "where the man went that was taken is not seen"
    assert judge_answered(board, shown("4k3/8/8/8/8/1Np5/8/4r3")) is None
