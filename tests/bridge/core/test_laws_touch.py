"""Touch-move: what a player who touched men is left with, against the catalogue and beyond it."""

from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.laws.touch import Obligation, breach, obligation
from tests.bridge.core.cases import CASES, position, walked

BOTH_WAYS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
SHORT_BARRED = "5r2/6k1/8/8/8/8/8/R3K2R w KQ - 0 1"


def cases() -> list[dict[str, Any]]:
    return [case for case in CASES if case["group"] == "touch_move"]


def squares(names: str) -> list[chess.Square]:
    return [chess.parse_square(name) for name in names.split()]


def allowed(duty: Obligation) -> str:
    return "any" if duty.free else " ".join(sorted(move.uci() for move in duty.moves))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_the_catalogue(case: dict[str, Any]) -> None:
    board = position(case)
    expected = case["expect"]["decision"]["allowed"]
    duty = obligation(board, squares(" ".join(case["touched"])))
    assert allowed(duty) == ("any" if expected == "any_legal" else " ".join(expected))
    assert duty.free == (expected == "any_legal")
    assert duty.article_under("fide")
    assert duty.article_under("classic").startswith("touching a piece")


@pytest.mark.parametrize(
    ("fen", "touched", "bound", "moves", "article"),
    [
        (chess.STARTING_FEN, "", "none", "any", ""),
        (chess.STARTING_FEN, "e5", "none", "any", ""),
        (chess.STARTING_FEN, "a1 f1", "none", "any", "4.5"),
        (chess.STARTING_FEN, "e7", "none", "any", "4.5"),
        (chess.STARTING_FEN, "e7 b1", "knight", "b1a3 b1c3", "4.3.3"),
        (BOTH_WAYS, "e1", "king", "e1c1 e1d1 e1d2 e1e2 e1f1 e1f2 e1g1", "4.3.1"),
        (BOTH_WAYS, "e1 a1", "castling", "e1c1", "4.4.1"),
        (BOTH_WAYS, "e1 h1 a1", "castling", "e1g1", "4.4.1"),
        (BOTH_WAYS, "h8", "capture", "h1h8", "4.3.2"),
        (BOTH_WAYS, "e1 h8", "king", "e1c1 e1d1 e1d2 e1e2 e1f1 e1f2 e1g1", "4.3.3"),
        (BOTH_WAYS, "a1 h8", "rook", "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 a1b1 a1c1 a1d1", "4.3.3"),
        # the rook cannot move: the king must, but not by castling there
        (
            "4k3/8/8/8/8/8/p7/R3K3 w Q - 0 1",
            "a1 e1",
            "rook",
            "a1a2 a1b1 a1c1 a1d1",
            "4.4.2, 4.3.1",
        ),
        (
            "4k3/8/8/8/8/7P/6PR/4K2R w K - 0 1",
            "h2 h1 e1",
            "rook",
            "h1f1 h1g1",
            "4.4.2, 4.3.1",
        ),
        # a rook that stands elsewhere is not touched to castle: it must move if the king cannot
        ("k7/8/8/8/8/1r6/r7/2K4R w - - 0 1", "c1 h1", "king", "c1d1", "4.3.1"),
        ("1k6/8/8/7R/8/8/1q6/K7 w - - 0 1", "a1 h5", "king", "a1b2", "4.3.1"),
        ("1k6/8/8/8/8/1q3p1p/5p1R/K7 w - - 0 1", "a1 h2", "rook", "h2f2 h2g2 h2h1 h2h3", "4.3.1"),
        # the right to castle is lost, the intention is plain
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1 h1", "king", "e1d1 e1d2 e1e2 e1f1 e1f2", "4.4.3"),
        # on any square but the first rank nobody castles
        ("4k3/8/8/8/8/7P/4K2R/8 w - - 0 1", "h2 e2", "rook", "h2f2 h2g2 h2h1", "4.3.1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8 a8", "castling", "e8c8", "4.4.1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8 h8", "castling", "e8g8", "4.4.1"),
        # promoting is one move with four choices
        ("1n2k3/P7/8/8/8/8/8/6K1 w - - 0 1", "b8", "capture", "a7b8b a7b8n a7b8q a7b8r", "4.3.2"),
    ],
)  # fmt: skip
def test_what_is_bound(fen: str, touched: str, bound: str, moves: str, article: str) -> None:
    duty = obligation(chess.Board(fen), squares(touched))
    assert (duty.bound, allowed(duty)) == (bound, moves)
    assert duty.article_under("fide") == article


def test_chess960_castling_is_bound_by_king_and_rook() -> None:
    board = chess.Board("5k2/8/8/8/8/8/8/1R3KR1 w BG - 0 1", chess960=True)
    assert allowed(obligation(board, squares("f1 g1"))) == "f1g1"
    assert allowed(obligation(board, squares("f1 b1"))) == "f1b1"
    rook_first = obligation(board, squares("g1 f1"))
    assert rook_first.bound == "rook"
    assert rook_first.reason == "rook, then king"


@pytest.mark.parametrize(
    ("fen", "touched", "released", "moves"),
    [
        (chess.STARTING_FEN, "e2", "e3", "e2e3"),
        (chess.STARTING_FEN, "e2", "e5", "e2e3 e2e4"),
        (BOTH_WAYS, "e1", "g1", "e1g1"),  # 4.7.2: the king is let go, the rook still stands
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", "a8", "a7a8b a7a8n a7a8q a7a8r"),
        (SHORT_BARRED, "e1 h1", "g1", "e1c1 e1d1 e1d2 e1e2"),
        (chess.STARTING_FEN, "e7", "e5", "any"),
    ],
)
def test_a_released_man_stays(fen: str, touched: str, released: str, moves: str) -> None:
    duty = obligation(chess.Board(fen), squares(touched), chess.parse_square(released))
    assert allowed(duty) == moves


def test_a_released_king_castles_in_chess960_too() -> None:
    board = chess.Board("5k2/8/8/8/8/8/8/1R3KR1 w BG - 0 1", chess960=True)
    duty = obligation(board, squares("f1"), chess.C1)
    assert (duty.bound, allowed(duty)) == ("released", "f1b1")


@pytest.mark.parametrize(
    ("fen", "touched", "move", "expected"),
    [
        (chess.STARTING_FEN, "g1", "g1f3", None),
        (chess.STARTING_FEN, "g1", "b1c3", "FIRST_MAN"),
        (chess.STARTING_FEN, "a1", "b1c3", None),
        (BOTH_WAYS, "h8", "a1a8", "OPPONENTS_MAN"),
        (BOTH_WAYS, "h1 e1", "e1g1", "ROOK_BEFORE_KING"),
        (BOTH_WAYS, "a1 e1", "e1c1", "ROOK_BEFORE_KING"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "a8 e8", "e8c8", "ROOK_BEFORE_KING"),
    ],
)
def test_what_is_outside(fen: str, touched: str, move: str, expected: str | None) -> None:
    board = chess.Board(fen)
    assert breach(board, squares(touched), chess.Move.from_uci(move)) == expected


def test_after_an_illegal_move_it_is_that_man_that_must_be_moved() -> None:
    move = chess.Move.from_uci("b1c3")
    assert breach(chess.Board(), squares("g1"), move, replaces=True) == "AFTER_ILLEGAL"
    assert breach(chess.Board(), squares("b1"), move, replaces=True) is None


@given(
    plies=st.lists(st.integers(0, 200), max_size=40),
    touched=st.lists(st.integers(0, 63), max_size=5),
    released=st.none() | st.integers(0, 63),
    chess960=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_what_is_bound_is_legal_and_never_nothing(
    plies: list[int], touched: list[int], released: int | None, chess960: bool
) -> None:
    board = walked(plies, chess960=chess960)
    duty = obligation(board, touched, released)
    legal = set(board.legal_moves)
    assert set(duty.moves) <= legal
    assert bool(duty.moves) == bool(legal)
    assert not duty.free or set(duty.moves) == legal
