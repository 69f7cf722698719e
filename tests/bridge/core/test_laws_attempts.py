"""Verdicts on moves that are known by what was tried, alone and with what a board shows."""

from typing import Any

import chess
import pytest

from bridge.core.laws.attempts import judge_move, tried_cells, written
from bridge.core.laws.naming import named
from tests.bridge.core.cases import CASES, placed, position

SLIP = "CAS-018"
"""King and rook on wrong squares: the move of the king alone does not tell what was meant."""


def attempts() -> list[dict[str, Any]]:
    return [case for case in CASES if "uci" in case.get("attempt", {})]


def unnamed(cells: str) -> str:
    return "".join("." if letter == "." else "?" for letter in cells)


def reason(board: chess.Board, uci: str, cells: str | None = None) -> str | None:
    verdict = judge_move(board, chess.Move.from_uci(uci), cells, board.move_stack)
    return None if verdict is None else verdict.reason


@pytest.mark.parametrize("case", attempts(), ids=lambda case: case["id"])
@pytest.mark.parametrize("shown", ["nothing", "identity", "occupancy"])
def test_the_catalogue(case: dict[str, Any], shown: str) -> None:
    board, uci = position(case), case["attempt"]["uci"]
    if shown == "nothing":
        expected = "GEOMETRY" if case["id"] == SLIP else case["expect"]["reason"]
        assert reason(board, uci) == expected
        return
    cells = placed(case["attempt"]["placement"])
    assert (
        reason(board, uci, cells if shown == "identity" else unnamed(cells))
        == (case["expect"]["reason"])
    )


@pytest.mark.parametrize(
    ("fen", "uci", "expected"),
    [
        (chess.STARTING_FEN, "e2e4", None),
        (chess.STARTING_FEN, "0000", "CLOCK_PRESSED_WITHOUT_MOVE"),
        (chess.STARTING_FEN, "a1a3", "PATH_BLOCKED"),
        (chess.STARTING_FEN, "b1b3", "GEOMETRY"),
        (chess.STARTING_FEN, "a2b2", "OWN_PIECE_ON_TARGET"),  # a board only shows a2 empty
        (chess.STARTING_FEN, "e7e5", "WRONG_SIDE"),
        (chess.STARTING_FEN, "e7e3", "WRONG_SIDE"),
        (chess.STARTING_FEN, "a8a3", "WRONG_SIDE"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "PROMOTION_NOT_REPLACED"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "PROMOTION_BAD_PIECE"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8p", "PROMOTION_NOT_REPLACED"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", None),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", "EP_NOT_AVAILABLE"),
        ("4k3/8/8/3rP3/8/8/8/4K3 w - - 0 1", "e5d6", "PAWN_GEOMETRY"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "e1e8", "KING_CAPTURED"),
        ("4r1k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "CASTLING_IN_CHECK"),
        ("2r3k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "CASTLING_INTO_ATTACK"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "CASTLING_RIGHT_LOST"),
    ],
)
def test_a_move_alone(fen: str, uci: str, expected: str | None) -> None:
    assert reason(chess.Board(fen), uci) == expected


@pytest.mark.parametrize(
    ("fen", "uci", "expected"),
    [
        ("1k3r2/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1g1", "CASTLING_THROUGH_ATTACK"),
        ("k7/8/8/8/8/8/8/1KN3R1 w G - 0 1", "b1g1", "CASTLING_BLOCKED"),
        ("1k6/8/8/8/8/8/8/R2K4 w - - 0 1", "d1a1", "CASTLING_RIGHT_LOST"),
        ("5k2/8/8/8/8/8/8/1R3KR1 w BG - 0 1", "f1g1", None),
        ("5k2/8/8/8/8/8/8/1N3KR1 w G - 0 1", "f1b1", "OWN_PIECE_ON_TARGET"),
    ],
)
def test_castling_in_chess960_alone(fen: str, uci: str, expected: str | None) -> None:
    assert reason(chess.Board(fen, chess960=True), uci) == expected


def test_a_legal_move_with_more_than_itself_is_judged_by_the_board() -> None:
    board = chess.Board()
    assert reason(board, "e2e4", placed("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")) is None
    with_a_knight = placed("rnbqkbnr/pppppppp/8/8/4P3/5N2/PPPP1PPP/RNBQKB1R")
    assert reason(board, "e2e4", with_a_knight) == "EXTRA_CHANGE"
    without_a_pawn = placed("rnbqkbnr/ppppppp1/8/8/4P3/8/PPPP1PPP/RNBQKBNR")
    verdict = judge_move(board, chess.Move.from_uci("e2e4"), without_a_pawn)
    assert verdict is not None
    assert (verdict.reason, verdict.text) == ("EXTRA_CHANGE", "with the move more was changed: h7")


def test_a_legal_move_that_the_board_shows_otherwise_is_judged_by_the_board() -> None:
    shown = placed("rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR")
    assert reason(chess.Board(), "e2e4", shown) == "PAWN_GEOMETRY"


def test_an_occupancy_board_is_named_by_the_move() -> None:
    board = chess.Board("4k3/8/8/3p4/8/8/8/R3K3 w Q - 0 1")
    assert reason(board, "a1d5", "..?.." + "." * 59) == "GEOMETRY"
    taken = unnamed(placed("4k3/8/8/3R4/8/8/8/4K3"))
    assert reason(board, "a1d5", taken) == "GEOMETRY"
    assert reason(board, "a1a5", unnamed(placed("4k3/8/8/R2p4/8/8/8/4K3"))) is None


def test_castling_over_a_man_is_named_where_one_square_is_new() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K1NR w K - 0 1")
    left = placed("4k3/8/8/8/8/8/8/5RK1")
    assert named(board, unnamed(left)) == left
    long = chess.Board("r1b1k3/8/8/8/8/8/8/4K3 b q - 0 1")
    left = placed("2kr4/8/8/8/8/8/8/4K3")
    assert named(long, unnamed(left)) == left


@pytest.mark.parametrize("shown", ["4k3/8/8/8/8/8/8/2K2R2", "4k3/8/8/8/8/8/8/8"])
def test_king_and_rook_that_are_not_beside_each_other_stay_unnamed(shown: str) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K1NR w K - 0 1")
    assert "?" in named(board, unnamed(placed("4k3/8/8/8/8/8/8/5R2")))
    assert named(board, unnamed(placed(shown))).count("R") == 0


def test_what_cannot_be_tried() -> None:
    with pytest.raises(ValueError, match="no man stands on e5"):
        tried_cells(chess.Board(), chess.Move.from_uci("e5e6"))
    with pytest.raises(ValueError, match="nothing promotes by b1c3q"):
        judge_move(chess.Board(), chess.Move.from_uci("b1c3q"))


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", "Nc3"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "g1g3", "Ng3"),
        ("4k3/8/8/8/8/2p5/8/1R2K3 w - - 0 1", "b1c3", "Rxc3"),
    ],
)
def test_an_illegal_move_is_written_as_any_other(fen: str, uci: str, san: str) -> None:
    board, move = chess.Board(fen), chess.Move.from_uci(uci)
    assert written(board, move, tried_cells(board, move)) == san
