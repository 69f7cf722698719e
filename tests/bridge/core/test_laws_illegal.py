"""Verdicts on completed illegal moves, against the catalogue's cases and others like them."""

from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.laws.illegal import judge
from bridge.core.laws.naming import named
from drivers.cells import cells_of
from tests.bridge.core.cases import CASES, position

GROUPS = {"moves", "check", "castling", "en_passant", "promotion"}


ILLEGAL_SEQUENCES = {
    "SEQ-011": "PROMOTION_NOT_REPLACED",
    "SEQ-014": "ILLEGAL_MOVE",
    "SEQ-030": "WRONG_SIDE_MOVED",
}


def attempts() -> list[dict[str, Any]]:
    return [case for case in CASES if case["group"] in GROUPS and case.get("attempt")]


def test_every_attempt_of_the_catalogue_gets_its_code_and_reason() -> None:
    assert len(attempts()) == 19
    for case in attempts():
        board = position(case)
        cells = cells_of(chess.BaseBoard(case["attempt"]["placement"]))
        verdict = judge(board, cells)
        assert verdict is not None, case["id"]
        expected = (case["expect"]["alerts"], case["expect"]["reason"])
        assert ([verdict.code], verdict.reason) == expected, case["id"]
        assert verdict.remedy, case["id"]
        assert verdict.attempt is not None, case["id"]
        if "uci" in case["attempt"]:
            assert verdict.attempt.uci() == case["attempt"]["uci"], case["id"]


def test_sequences_of_the_catalogue_that_end_in_an_illegal_move() -> None:
    """The move is made as in the sequence; what the press then completes is judged."""
    judged = {
        case["id"]: judge(position(case), cells_of(chess.BaseBoard(case["expect"]["placement"])))
        for case in CASES
        if case["id"] in ILLEGAL_SEQUENCES
    }
    assert {name: verdict and verdict.code for name, verdict in judged.items()} == ILLEGAL_SEQUENCES


def test_a_position_without_a_king_is_judged_all_the_same() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R7 w - - 0 1")
    verdict = judge(board, cells_of(chess.BaseBoard("4k3/8/8/8/8/1R6/8/8")))
    assert verdict is not None
    assert verdict.reason == "GEOMETRY"
    assert judge(chess.Board(), "." * 64) is None


@given(plies=st.lists(st.integers(0, 200), max_size=60), chess960=st.booleans(), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_no_legal_move_is_judged(plies: list[int], chess960: bool, seed: int) -> None:
    start = seed % 960 if chess960 else 518
    board = chess.Board.from_chess960_pos(start)
    board.chess960 = chess960
    for choice in plies:
        moves = list(board.legal_moves)
        if not moves:
            return
        after = board.copy(stack=False)
        after.push(moves[choice % len(moves)])
        verdict = judge(board, cells_of(after), board.move_stack)
        assert verdict is None, (board.fen(), moves[choice % len(moves)], verdict)
        board.push(moves[choice % len(moves)])


@given(cells=st.text(alphabet=".PNBRQKpnbrqk?Ww*", min_size=64, max_size=64))
@settings(max_examples=200, deadline=None)
def test_no_placement_is_too_strange(cells: str) -> None:
    assert judge(chess.Board(), cells) is None


@given(
    changes=st.lists(
        st.tuples(st.integers(0, 63), st.sampled_from(".PNBRQKpnbrqk?Ww*")), min_size=1, max_size=4
    ),
    chess960=st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_what_is_judged_comes_with_its_words(
    changes: list[tuple[int, str]], chess960: bool
) -> None:
    board = chess.Board("r3k2r/pP1p1ppp/8/2pP4/4b3/8/PPP1QpPP/R3K2R w KQkq c6 0 9")
    board.chess960 = chess960
    cells = list(cells_of(board))
    for square, letter in changes:
        cells[square] = letter
    verdict = judge(board, "".join(cells))
    assert verdict is None or all((verdict.code, verdict.reason, verdict.text, verdict.remedy))


def test_nothing_legal_is_judged() -> None:
    """Sequences that may not raise an alert of the catalogue's moves, as they end."""
    for case in CASES:
        if "ILLEGAL_MOVE" in case["expect"].get("never", []) and not case["expect"].get("result"):
            cells = cells_of(chess.BaseBoard(case["expect"]["placement"]))
            verdict = judge(position(case), cells)
            assert verdict is None, (case["id"], verdict)


def test_the_attempt_carries_the_letter_of_a_piece_that_a_pawn_became() -> None:
    board = chess.Board("4r1k1/P7/8/8/8/8/8/4K3 w - - 0 1")
    verdict = judge(board, cells_of(chess.BaseBoard("R3r1k1/8/8/8/8/8/8/4K3")))
    assert verdict is not None
    assert verdict.attempt == chess.Move.from_uci("a7a8r")


def test_two_men_that_both_may_have_moved_leave_the_attempt_open() -> None:
    board = chess.Board("4k3/8/8/8/8/8/P7/6NK w - - 0 1")
    verdict = judge(board, cells_of(chess.BaseBoard("4k3/8/8/8/8/P4N2/8/7K")))
    assert verdict is not None
    assert verdict.attempt is None


@pytest.mark.parametrize(
    ("fen", "placement", "reason", "tried"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "4k3/8/8/8/8/8/8/R4RK1", "CASTLING_ROOK_MOVED", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "4k3/8/8/8/8/8/8/R4RK1", "CASTLING_RIGHT_LOST", "O-O"),
        (
            "4r1k1/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "4r1k1/8/8/8/8/8/8/2KR4",
            "CASTLING_IN_CHECK",
            "O-O-O",
        ),
        (
            "2r3k1/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "2r3k1/8/8/8/8/8/8/2KR4",
            "CASTLING_INTO_ATTACK",
            "O-O-O",
        ),
        ("4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "6kr/8/8/8/8/8/8/4K3", "CASTLING_INCOMPLETE", "O-O"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/5KR1", "CASTLING_WRONG_SQUARES", "O-O"),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "4k3/8/8/8/8/8/8/4R1K1",
            "CASTLING_WRONG_SQUARES",
            "O-O",
        ),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/6K1", "CASTLING_INCOMPLETE", "O-O"),
        (
            "4k3/8/8/8/8/8/4K2R/8 w - - 0 1",
            "4k3/8/8/8/8/8/5RK1/8",
            "CASTLING_NOT_ON_FIRST_RANK",
            "O-O",
        ),
        ("4k3/8/8/8/8/8/8/3K3R w - - 0 1", "4k3/8/8/8/8/8/8/5K1R", "CASTLING_KING_MOVED", "O-O"),
    ],
)
def test_why_castling_is_barred(fen: str, placement: str, reason: str, tried: str) -> None:
    verdict = judge(chess.Board(fen), cells_of(chess.BaseBoard(placement)))
    assert verdict is not None
    assert (verdict.code, verdict.reason) == ("CASTLING_ILLEGAL", reason)
    assert verdict.san_tried == tried
    assert verdict.attempt is not None
    assert verdict.attempt.from_square == chess.Board(fen).king(chess.Board(fen).turn)


@pytest.mark.parametrize(
    ("moves", "placement", "reason", "text"),
    [
        (
            "e1e2 e8e7 e2e1 e7e8",
            "r3k2r/8/8/8/8/8/8/R4RK1",
            "CASTLING_KING_MOVED",
            "the king had moved: it came to e1 with move 2",
        ),
        (
            "a1b1 h8g8 b1a1 g8h8",
            "r3k2r/8/8/8/8/8/8/2KR3R",
            "CASTLING_ROOK_MOVED",
            "the rook had moved: it came to a1 with move 2",
        ),
        ("e1e2 e8e7 e2e1 e7e8", "r3k2r/8/8/8/8/8/8/R5KR", "CASTLING_KING_MOVED", None),
        ("h1h8", "2kr3R/8/8/8/8/8/8/R3K3", "CASTLING_IN_CHECK", None),
        ("e1g1 e8e7 f1e1", "7r/8/8/8/8/8/8/r3R1K1", "ILLEGAL_MOVE", None),
    ],
)
def test_a_lost_right_is_told_with_the_move_that_lost_it(
    moves: str, placement: str, reason: str, text: str | None
) -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    history = [board.push_uci(uci) for uci in moves.split()]
    verdict = judge(board, cells_of(chess.BaseBoard(placement)), history)
    if reason == "ILLEGAL_MOVE":
        assert verdict is None
        return
    assert verdict is not None
    assert (verdict.code, verdict.reason) == ("CASTLING_ILLEGAL", reason)
    assert text in (None, verdict.text)


@pytest.mark.parametrize(
    ("fen", "placement", "text"),
    [
        (
            "5r2/6k1/8/8/8/8/8/R3K2R w KQ - 0 1",
            "5r2/6k1/8/8/8/8/8/R4RK1",
            "f1 is attacked by the rook on f8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K1NR w K - 0 1",
            "4k3/8/8/8/8/8/8/5RK1",
            "a man stood between king and rook, on g1",
        ),
    ],
)
def test_a_bar_to_castling_names_its_man(fen: str, placement: str, text: str) -> None:
    verdict = judge(chess.Board(fen), cells_of(chess.BaseBoard(placement)))
    assert verdict is not None
    assert verdict.text == text


@pytest.mark.parametrize(
    ("fen", "placement", "reason", "attempt"),
    [
        ("1k3r2/8/8/8/8/8/8/1K4R1 w G - 0 1", "1k3r2/8/8/8/8/8/8/5RK1", "THROUGH_ATTACK", "b1g1"),
        ("1k4r1/8/8/8/8/8/8/1K3R2 w F - 0 1", "1k4r1/8/8/8/8/8/8/5RK1", "INTO_ATTACK", "b1f1"),
        ("k7/8/8/8/8/8/8/1KN3R1 w G - 0 1", "k7/8/8/8/8/8/8/2N2RK1", "BLOCKED", "b1g1"),
        # the rook alone would have to move, over the king
        ("1k4r1/8/8/8/8/8/8/6KR w H - 0 1", "1k4r1/8/8/8/8/8/8/5RK1", "IN_CHECK", "g1h1"),
        # the rook stands where it would go; the king alone moved
        ("2r3k1/8/8/8/8/8/8/3RK3 w D - 0 1", "2r3k1/8/8/8/8/8/8/2KR4", "INTO_ATTACK", "e1d1"),
        # the king took the rook's square, and the rook is still in the hand
        ("1k6/8/8/8/8/8/8/5KR1 w G - 0 1", "1k6/8/8/8/8/8/8/6K1", "INCOMPLETE", "f1g1"),
        ("1k6/8/8/8/8/8/8/1K4R1 w - - 0 1", "1k6/8/8/8/8/8/8/5RK1", "RIGHT_LOST", "b1g1"),
        ("1k6/8/8/8/8/8/8/1K4R1 w G - 0 1", "1k6/8/8/8/8/8/8/4R1K1", "WRONG_SQUARES", "b1g1"),
    ],
)
def test_why_castling_is_barred_in_chess960(
    fen: str, placement: str, reason: str, attempt: str
) -> None:
    board = chess.Board(fen, chess960=True)
    verdict = judge(board, cells_of(chess.BaseBoard(placement)))
    assert verdict is not None
    assert (verdict.code, verdict.reason) == ("CASTLING_ILLEGAL", f"CASTLING_{reason}")
    assert verdict.attempt == chess.Move.from_uci(attempt)


@pytest.mark.parametrize(
    ("fen", "placement", "reason", "tried"),
    [
        # no rook in that direction
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/R5K1", "GEOMETRY", "Kg1"),
        # not on the first rank
        ("4k3/8/8/8/8/8/4K2R/8 w - - 0 1", "4k3/8/8/8/8/8/6KR/8", "GEOMETRY", "Kg2"),
        # further than castling goes
        ("4k3/8/8/8/8/8/8/2K4R w - - 0 1", "4k3/8/8/8/8/8/8/5K1R", "GEOMETRY", "Kf1"),
        # a rook that went over its king
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/3RK3", "PATH_BLOCKED", "Rd1"),
    ],
)
def test_what_is_no_castling(fen: str, placement: str, reason: str, tried: str) -> None:
    verdict = judge(chess.Board(fen), cells_of(chess.BaseBoard(placement)))
    assert verdict is not None
    assert (verdict.code, verdict.reason) == ("ILLEGAL_MOVE", reason)
    assert verdict.san_tried == tried


@pytest.mark.parametrize(
    ("fen", "placement", "code", "reason", "tried"),
    [
        (
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            "4k3/8/8/8/8/1R6/8/4K3",
            "ILLEGAL_MOVE",
            "GEOMETRY",
            "Rb3",
        ),
        (
            "4k3/8/8/8/8/p7/8/R3K3 w - - 0 1",
            "4k3/8/R7/8/8/p7/8/4K3",
            "ILLEGAL_MOVE",
            "PATH_BLOCKED",
            "Ra6",
        ),
        (
            "4k3/8/8/8/8/p7/8/R3K3 w - - 0 1",
            "4k3/8/8/8/8/p7/8/R6K",
            "ILLEGAL_MOVE",
            "GEOMETRY",
            "Kh1",
        ),
        (
            "8/8/8/3k4/8/3K4/8/8 w - - 0 1",
            "8/8/8/3k4/3K4/8/8/8",
            "KING_LEFT_IN_CHECK",
            "KINGS_ADJACENT",
            "Kd4",
        ),
        (
            "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1",
            "4r1k1/8/8/8/P7/8/8/4K3",
            "KING_LEFT_IN_CHECK",
            "KING_LEFT_IN_CHECK",
            "a4",
        ),
        (
            "4r1k1/P7/8/8/8/8/8/4K3 w - - 0 1",
            "Q3r1k1/8/8/8/8/8/8/4K3",
            "KING_LEFT_IN_CHECK",
            "KING_LEFT_IN_CHECK",
            "a8",
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
            "4k3/8/8/8/8/4p3/8/4K3",
            "EN_PASSANT_ILLEGAL",
            "EP_NOT_AVAILABLE",
            "dxe3",
        ),
        (
            "n3k3/1P6/8/8/8/8/8/4K3 w - - 0 1",
            "P3k3/8/8/8/8/8/8/4K3",
            "PROMOTION_NOT_REPLACED",
            "PROMOTION_NOT_REPLACED",
            "bxa8",
        ),
        (
            "8/P3k3/8/8/8/8/8/4K3 w - - 0 1",
            "8/4k3/8/8/8/8/P7/4K3",
            "ILLEGAL_MOVE",
            "PAWN_GEOMETRY",
            "a2",
        ),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "1Q2k3/8/8/8/8/8/8/4K3",
            "ILLEGAL_MOVE",
            "PAWN_GEOMETRY",
            "axb8",
        ),
        (
            "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
            "4R3/8/8/8/8/8/8/6K1",
            "KING_CAPTURED",
            "KING_CAPTURED",
            "Rxe8",
        ),
        (
            "3k4/2P5/8/8/8/8/8/6K1 w - - 0 1",
            "3Q4/8/8/8/8/8/8/6K1",
            "KING_CAPTURED",
            "KING_CAPTURED",
            "cxd8",
        ),
        (
            "4k3/8/8/8/8/8/8/3RK3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4R3",
            "ILLEGAL_MOVE",
            "OWN_PIECE_ON_TARGET",
            "Rxe1",
        ),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "p3k3/8/8/8/8/8/8/4K3",
            "PROMOTION_INVALID",
            "PROMOTION_BAD_PIECE",
            "a8",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1",
            "4k3/8/8/8/8/8/8/R4RK1",
            "WRONG_SIDE_MOVED",
            "WRONG_SIDE",
            "O-O",
        ),
        (
            "4r1k1/8/8/8/8/8/4N3/4K3 b - - 0 1",  # pinned besides
            "4r1k1/8/8/8/8/2N5/8/4K3",
            "WRONG_SIDE_MOVED",
            "WRONG_SIDE",
            "Nc3",
        ),
        (
            "4k3/P7/8/8/8/8/8/4K3 b - - 0 1",
            "N3k3/8/8/8/8/8/8/4K3",
            "WRONG_SIDE_MOVED",
            "WRONG_SIDE",
            "a8=N",
        ),
        (
            "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1",
            "4k3/8/8/8/P7/R7/8/4K3",
            "ILLEGAL_MOVE",
            "EXTRA_CHANGE",
            "a4",
        ),
        (
            "4k3/8/8/8/8/8/P7/6NK w - - 0 1",
            "4k3/8/8/8/8/P4N2/8/7K",
            "ILLEGAL_MOVE",
            "EXTRA_CHANGE",
            "Nf3 and a3",
        ),
        (
            "4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1",
            "4k3/8/8/8/8/8/8/P1KR4",
            "ILLEGAL_MOVE",
            "EXTRA_CHANGE",
            "O-O-O",
        ),
    ],
)
def test_codes_and_reasons(fen: str, placement: str, code: str, reason: str, tried: str) -> None:
    verdict = judge(chess.Board(fen), cells_of(chess.BaseBoard(placement)))
    assert verdict is not None
    assert (verdict.code, verdict.reason, verdict.san_tried) == (code, reason, tried)


@pytest.mark.parametrize(
    "placement",
    [
        "4k3/8/8/8/8/8/8/4K3",  # a man is in the air
        "4k3/8/8/8/8/1R6/P7/R3K3",  # more men than before
        "4k3/8/8/8/P7/3R4/8/5K2",  # three men moved
        "8/3k4/8/8/P7/8/8/R3K3",  # the reply has been made, or a man of the other side knocked
        "4k3/8/8/8/P7/R7/N7/5K2",  # far from it
        "8/3k4/8/8/8/8/P7/RK6",  # both sides moved
        "4k3/8/8/8/8/8/P7/RN2K3",  # a man came from nowhere
        "4k3/8/8/8/B7/8/P7/4K3",  # it is another man now
        "4k3/8/8/8/8/8/P7/R7",  # the king is in the air
    ],
)
def test_what_no_single_man_explains_is_no_illegal_move(placement: str) -> None:
    board = chess.Board("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1")
    assert judge(board, cells_of(chess.BaseBoard(placement))) is None


def test_a_chess960_king_is_not_judged_by_the_squares_of_castling() -> None:
    board = chess.Board("1k6/8/8/8/8/8/8/1K4R1 w G - 0 1", chess960=True)
    verdict = judge(board, cells_of(chess.BaseBoard("1k6/8/8/8/8/8/8/3K2R1")))
    assert verdict is not None
    assert (verdict.code, verdict.reason) == ("ILLEGAL_MOVE", "GEOMETRY")


# -- boards that cannot name men ---------------------------------------------------------------


def unnamed(placement: str, letters: str) -> str:
    """What a board shows that knows of men no more than *letters* (one, or white and black)."""
    return "".join(
        man if man == "." else letters[0] if man.isupper() else letters[-1]
        for man in cells_of(chess.BaseBoard(placement))
    )


@pytest.mark.parametrize("letters", ["?", "Ww"])
@pytest.mark.parametrize(
    ("fen", "placement", "reason"),
    [
        ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "4r1k1/8/8/8/8/2N5/8/4K3", "KING_EXPOSED"),
        (
            "5r2/6k1/8/8/8/8/8/R3K2R w KQ - 0 1",
            "5r2/6k1/8/8/8/8/8/R4RK1",
            "CASTLING_THROUGH_ATTACK",
        ),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/1KR5", "CASTLING_WRONG_SQUARES"),
        ("4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1", "4k3/8/8/8/1P6/1p6/8/4K3", "EP_PAWN_NOT_REMOVED"),
        ("4k3/8/8/8/1Pp5/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/1p6/8/4K3", "EP_NOT_AVAILABLE"),
        ("4k3/8/8/8/8/8/P7/4K3 b - - 0 1", "4k3/8/8/8/P7/8/8/4K3", "WRONG_SIDE"),
        ("4r1k1/P7/8/8/8/8/8/4K3 w - - 0 1", "Q3r1k1/8/8/8/8/8/8/4K3", "KING_LEFT_IN_CHECK"),
        ("4k3/8/8/8/8/8/p7/4KR2 b - - 0 1", "4k3/8/8/8/8/8/8/1q2KR2", "PAWN_GEOMETRY"),
    ],
)
def test_men_are_named_by_the_move_they_made(
    fen: str, placement: str, reason: str, letters: str
) -> None:
    verdict = judge(chess.Board(fen), unnamed(placement, letters))
    assert verdict is not None
    assert verdict.reason == reason


def test_a_capture_shows_where_the_board_tells_colours() -> None:
    board = chess.Board("4k3/8/8/8/8/p7/8/R1B1K3 w - - 0 1")
    verdict = judge(board, unnamed("4k3/8/8/8/8/R7/8/2B1K3", "Ww"))
    assert verdict is None  # a1xa3 is legal
    assert judge(board, unnamed("4k3/8/8/8/8/2B5/8/R3K3", "Ww")) is None  # a3 was taken by hand
    board = chess.Board("4k3/8/8/8/8/2p5/8/R3K3 w - - 0 1")
    verdict = judge(board, unnamed("4k3/8/8/8/8/2R5/8/4K3", "Ww"))
    assert verdict is not None
    assert (verdict.reason, verdict.san_tried) == ("GEOMETRY", "Rxc3")


def test_men_that_no_one_move_names_stay_unnamed() -> None:
    board = chess.Board("4k3/8/8/8/8/8/P7/RN2K3 w - - 0 1")
    shown = unnamed("4k3/8/8/8/P7/1N6/8/R3K3", "?")  # two men moved
    assert named(board, shown).count("?") == 2
    assert judge(board, shown) is None
    lifted = unnamed("4k3/8/8/8/8/8/8/RN2K3", "?")
    assert named(board, lifted) == cells_of(chess.BaseBoard("4k3/8/8/8/8/8/8/RN2K3"))
    beside = unnamed("4k3/8/8/8/8/8/P7/1N1K1R2", "?")  # king and rook, but not to c1 or g1
    assert judge(board, beside) is None
