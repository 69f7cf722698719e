"""What a set-up is called: the catalogue's cases, both seats, and castling that is lost by it."""

from typing import Any

import chess
import pytest

from bridge.core.laws.drawn import drawn_positions
from bridge.core.laws.setups import classify
from drivers.cells import cells_of
from tests.bridge.core.cases import CASES, placed

STANDARD = chess.Board()


def kind(placement: str) -> str:
    wrong = classify(placed(placement), STANDARD).wrong
    assert wrong is not None
    assert wrong.kinds[0].split()[0] == wrong.reason
    return ", ".join(wrong.kinds)


def cases() -> list[dict[str, Any]]:
    return [case for case in CASES if case["group"] == "setup"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_the_catalogue(case: dict[str, Any]) -> None:
    expected, cells = case["expect"], placed(case["placement"])
    array = None if expected["setup"] == "CHESS960_OK" else STANDARD
    found = classify(cells, array, claimable=expected["setup"] != "CASTLING_LOST_BY_SETUP")
    assert found.setup == expected["setup"]
    if "kind" in expected:
        assert kind(case["placement"]) == expected["kind"]
    if "decision" in expected:
        assert f"{found.castling} only" == expected["decision"]["castling_rights"]


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        ("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "KING_QUEEN_SWAPPED black"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR", "BISHOP_KNIGHT_SWAPPED white"),
        ("rnbqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR", "BISHOP_KNIGHT_SWAPPED both"),
        (
            "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPP1/RBNQKBNR",
            "KING_QUEEN_SWAPPED black, BISHOP_KNIGHT_SWAPPED white, MISSING h2",
        ),
        ("rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR", "MISSING h2, EXTRA h3"),
        ("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPP1/RNBQKBNR", "MISSING h2 h7"),
        ("nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "WRONG_PIECE a8 b8"),
        ("rnbqkbnr/pppppppp/8/q7/Q7/8/PPPPPPPP/RNBQKBNR", "EXTRA a4 a5"),
    ],
)
def test_every_kind_comes_with_its_side_or_its_squares(placement: str, expected: str) -> None:
    assert kind(placement) == expected


def test_the_other_seat() -> None:
    array = cells_of(STANDARD)
    assert classify(array[::-1], STANDARD).setup == "BOARD_ORIENTATION_AUTO"
    wrong = classify(placed("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR")[::-1], STANDARD).wrong
    assert wrong is not None
    assert (wrong.kinds, wrong.rotated) == (("MISSING h2",), True)


@pytest.mark.parametrize("placement", ["8/8/8/8/8/8/8/8", "rnbqkbnr/pppp4/8/8/8/8/4PPPP/RNBQKBNR"])
def test_men_that_are_still_put_up_are_not_wrong(placement: str) -> None:
    assert classify(placed(placement), STANDARD).setup == "NOT_READY_AT_START"


@pytest.mark.parametrize(
    ("placement", "castling"),
    [
        ("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR", "-"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR", "Kkq"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBRN", "Qkq"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR", "KQkq"),
    ],
)
def test_who_stood_wrong_may_not_castle_once_the_set_up_stands(
    placement: str, castling: str
) -> None:
    found = classify(placed(placement), STANDARD, claimable=False)
    assert (found.setup, found.castling) == ("CASTLING_LOST_BY_SETUP", castling)


def test_what_is_no_position_is_wrong_for_good() -> None:
    two_kings = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR"
    assert classify(placed(two_kings), STANDARD, claimable=False).setup == "WRONG_SETUP"


def test_a_drawn_position_must_be_one_of_the_960_or_the_one_that_was_drawn() -> None:
    number = chess.Board.from_chess960_pos(356)
    number.chess960 = True
    cells = cells_of(number)
    assert drawn_positions()[cells] == 356
    assert classify(cells, None).setup == classify(cells, number).setup == "CHESS960_OK"
    assert classify(cells, STANDARD).setup == "WRONG_SETUP"
    other = cells_of(STANDARD)
    assert classify(other, None).setup == "CHESS960_OK"
    assert classify(other, number).setup == "CHESS960_SETUP_MISMATCH"
    none = placed("rnbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    found = classify(none, None)
    assert found.setup == "CHESS960_SETUP_MISMATCH"
    assert found.wrong is not None
    assert found.wrong.kinds == ("WRONG_PIECE g1 h1 g8 h8",)
    assert found.wrong.article == "II.2"


def test_articles_of_a_wrong_set_up() -> None:
    wrong = classify(placed("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR"), STANDARD).wrong
    assert wrong is not None
    assert wrong.article_under("a5") == "2.3, 7.2.1, A.5.1.2"
    assert wrong.article_under("classic") == "board and men; impossible positions"
