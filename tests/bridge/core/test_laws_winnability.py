"""Whether a side can mate: the cases, walls against every position there is, and lines replayed."""

from typing import Any

import chess
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bridge.core.laws.forfeits import flag_fall
from bridge.core.laws.winnability import is_dead, is_proved_dead, winnability
from bridge.core.laws.winnability.budget import Budget
from bridge.core.laws.winnability.exhaustion import is_exhausted
from bridge.core.laws.winnability.helpmate import helpmate
from bridge.core.laws.winnability.walls import is_walled_off
from tests.bridge.core.cases import CASES
from tests.measuring import not_measured

DEAD = [
    pytest.param(case["fen"], case["expect"], id=case["id"])
    for case in CASES
    if "dead" in case["expect"]
]
WALL = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"


def is_helpmate(board: chess.Board, side: chess.Color, line: tuple[chess.Move, ...]) -> bool:
    board = board.copy()
    for move in line:
        assert move in board.legal_moves, f"{move} in {board.fen()}"
        board.push(move)
    return board.is_checkmate() and board.turn != side


@pytest.mark.parametrize(("fen", "expect"), DEAD)
def test_dead_positions_of_the_cases(fen: str, expect: dict[str, Any]) -> None:
    board = chess.Board(fen)
    assert is_dead(board) is expect["dead"]
    assert is_proved_dead(board) is expect["dead"]
    for colour in expect.get("helpmate", {}):
        side = colour == "white"
        found = winnability(board, side)
        assert found.verdict == "can"
        assert is_helpmate(board, side, found.line)


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", "bare king", "bare king"),
        ("8/8/4k3/5n2/8/3K4/8/7Q w - - 0 1", None, "single knight"),
        ("8/8/4k3/4b3/8/3K4/8/7R w - - 0 1", None, "one colour"),
        (WALL, "never move", "never move"),
        ("7k/8/8/8/8/8/1q6/K7 w - - 0 1", "bare king", "every line"),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "stalemate", "stalemate"),
        ("R6k/8/7K/8/8/8/8/8 b - - 0 1", None, "mated itself"),
    ],
)
def test_why_a_side_cannot_mate(fen: str, white: str | None, black: str | None) -> None:
    board = chess.Board(fen)
    for side, reason in ((chess.WHITE, white), (chess.BLACK, black)):
        found = winnability(board, side)
        if reason is None:
            assert found.verdict == "can"
            assert is_helpmate(board, side, found.line)
        else:
            assert (found.verdict, found.line) == ("cannot", ())
            assert reason in found.reason


def test_forced_capture_into_a_wall_is_dead() -> None:
    board = chess.Board("4k3/8/8/p1p1p1p1/P1P1P1P1/8/1q6/K7 w - - 0 1")
    assert list(board.legal_moves) == [chess.Move.from_uci("a1b2")]
    assert is_exhausted(board, chess.BLACK)
    assert is_dead(board)


@pytest.mark.parametrize(
    "fen",
    [
        "r3k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w q - 0 1",  # may castle
        "4k3/8/8/p1pPp1p1/P1P1P1P1/8/8/4K3 w - c6 0 1",  # may take in passing
        "4k3/8/8/p1p1p1p1/P1P1P1P1/7P/8/4K3 w - - 0 1",  # has a move to spare
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/2B1K3 w - - 0 1",  # has a bishop that takes
        "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1",  # pawns that may promote
    ],
)
def test_what_opens_a_wall(fen: str) -> None:
    assert not is_walled_off(chess.Board(fen), chess.WHITE)


def test_a_double_step_that_may_be_taken_opens_a_wall() -> None:
    """The pawn on b2 is free to pass c4, where it is taken; nothing else is open to Black."""
    board = chess.Board("4k3/8/8/p1p1p1p1/PpP1P1P1/8/2P5/4K3 w - - 0 1")
    assert not is_walled_off(board, chess.BLACK)


@pytest.mark.parametrize(
    "fen",
    [
        "8/5pk1/6p1/7p/7P/6P1/5PK1/8 w - - 0 1",
        "2r3k1/5ppp/8/8/8/8/5PPP/2R3K1 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/1BN5 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/1NN5 w - - 0 1",
        "8/p7/4k3/8/8/3K4/8/1N6 w - - 0 1",
        "8/1p2K3/8/3k4/8/7N/8/8 w - - 0 1",  # only a man that the pawn becomes is in the way
        "8/5k2/7B/5K2/8/2p5/8/8 w - - 0 1",
        "8/5k2/7N/5K2/5p2/2p5/8/8 b - - 0 1",
        "r7/8/4k3/8/8/3K4/8/1N6 w - - 0 1",
        "8/8/4k3/3n4/8/3K4/8/1B6 b - - 0 1",
        "1r1r2k1/4qp2/p1n2bp1/1p3b2/2p5/P3PN2/QP1NBPP1/2R1R1K1 w - - 0 21",
        "1rbq1rk1/4bppp/2pp1n2/p3p3/P1P1P3/2NBB2P/1P3PP1/1R1Q1RK1 b - - 0 13",
        "2kr2r1/pppn1p1p/4pp2/8/3P3N/2P3P1/P1PK1P1P/1R3R2 w - - 1 18",
    ],
)
def test_a_mate_is_found_with_what_there_is(fen: str) -> None:
    board = chess.Board(fen)
    found = winnability(board, chess.WHITE)
    assert found.verdict == "can"
    assert is_helpmate(board, chess.WHITE, found.line)
    assert is_dead(board) is False


def test_what_no_search_settles_is_left_to_the_arbiter() -> None:
    board = chess.Board("rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1")
    found = winnability(board, chess.WHITE)
    assert (found.verdict, found.line) == ("undetermined", ())
    assert is_dead(board) is None
    assert not is_proved_dead(board)
    flag = flag_fall(board, chess.BLACK, "ongoing", "any_series")
    assert (flag.kind, flag.result) == ("undetermined", None)


@pytest.mark.parametrize(
    "placement", ["4k3/8/8/8/8/8/8/R7", "8/8/8/8/8/8/8/R3K3", "8/8/8/8/8/8/8/8"]
)
def test_nothing_is_known_where_a_king_was_taken(placement: str) -> None:
    board = chess.Board(f"{placement} w - - 0 1")
    assert (is_proved_dead(board), is_dead(board)) == (False, None)
    assert {winnability(board, side).verdict for side in chess.COLORS} == {"undetermined"}


def test_a_search_ends_when_its_budget_is_spent() -> None:
    board = chess.Board("Q7/3k4/1KR4p/6p1/3rp3/8/6PP/8 b - - 0 51")
    budget = Budget(100)
    assert helpmate(board, chess.BLACK, budget) is None
    assert budget.left <= 0


# --- against every position that can come about ------------------------------------------------


def mating_sides(board: chess.Board, most: int) -> set[chess.Color] | None:
    """Return who can mate, having visited every position; ``None`` where there are too many."""
    seen: set[str] = set()
    waiting, found = [board], set()
    while waiting:
        position = waiting.pop()
        for move in position.legal_moves:
            after = position.copy(stack=False)
            after.push(move)
            if after.epd() in seen:
                continue
            seen.add(after.epd())
            if len(seen) > most:
                return None
            if after.is_checkmate():
                found.add(not after.turn)
            waiting.append(after)
    return found


def put(board: chess.Board, square: int, kind: chess.PieceType, colour: chess.Color) -> None:
    assume(board.piece_at(square) is None)
    board.set_piece_at(square, chess.Piece(kind, colour))


@st.composite
def walls(draw: st.DrawFn) -> chess.Board:
    """Pawns that face each other, kings anywhere, sometimes a bishop."""
    board = chess.Board(None)
    files = draw(st.sampled_from([(0, 2, 4, 6), (1, 3, 5, 7), tuple(range(8)), (0, 2, 3, 5, 7)]))
    base = draw(st.integers(2, 4))
    for file in files:
        put(board, chess.square(file, base), chess.PAWN, chess.WHITE)
        put(board, chess.square(file, base + 1), chess.PAWN, chess.BLACK)
    put(board, draw(st.integers(0, 8 * base - 1)), chess.KING, chess.WHITE)
    put(board, draw(st.integers(8 * base + 16, 63)), chess.KING, chess.BLACK)
    bishop = draw(st.none() | st.integers(0, 63))
    if bishop is not None:
        put(board, bishop, chess.BISHOP, draw(st.booleans()))
    board.turn = draw(st.booleans())
    assume(board.is_valid())
    return board


@settings(deadline=None, max_examples=25)
@given(walls())
@not_measured()
def test_what_walls_rule_out_never_happens(board: chess.Board) -> None:
    visited = mating_sides(board, 3000)
    for side in chess.COLORS:
        found = winnability(board, side)
        if found.verdict == "can":
            assert is_helpmate(board, side, found.line)
        elif visited is not None and found.verdict == "cannot":
            assert side not in visited


@settings(deadline=None, max_examples=40)
@given(st.data())
@not_measured()
def test_any_endgame_with_material_to_mate_is_won_by_a_legal_line(data: st.DataObject) -> None:
    board = chess.Board(None)
    kinds = st.sampled_from([chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN])
    squares = st.integers(0, 63)
    put(board, data.draw(squares), chess.KING, chess.WHITE)
    put(board, data.draw(squares), chess.KING, chess.BLACK)
    for _ in range(data.draw(st.integers(1, 4))):
        put(board, data.draw(squares), data.draw(kinds), data.draw(st.booleans()))
    assume(board.is_valid())
    for side in chess.COLORS:
        found = winnability(board, side)
        if found.verdict == "can":
            assert is_helpmate(board, side, found.line)
        if board.has_insufficient_material(side):
            assert found.verdict == "cannot"
