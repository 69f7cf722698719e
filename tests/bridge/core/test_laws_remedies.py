"""What follows an illegal move: the position, the bound moves, and the penalty, per rule set."""

from typing import Any

import chess
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.config.rulesets import rule_set
from bridge.core.laws.articles import ARTICLES
from bridge.core.laws.attempts import judge_move, pressed_without_move, tried_cells
from bridge.core.laws.illegal import judge
from bridge.core.laws.remedies import Remedy, obligation_after, offender, remedy
from bridge.core.laws.rulesets import RuleSet
from bridge.core.laws.standard import STANDARD
from bridge.core.laws.verdict import Verdict
from bridge.core.laws.winnability import CanMate
from drivers.cells import cells_of
from tests.bridge.core.cases import CASES, placed, position, walked

A5, CLASSIC = rule_set("rapid_a5"), rule_set("classic")
LAST_RANK = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"


def attempts() -> list[dict[str, Any]]:
    return [case for case in CASES if case.get("attempt")]


def judged(board: chess.Board, cells: str) -> Verdict:
    verdict = judge(board, cells, board.move_stack)
    assert verdict is not None
    return verdict


def after(fen: str, placement: str, terms: RuleSet = STANDARD, earlier: int = 0) -> Remedy:
    board, cells = chess.Board(fen), placed(placement)
    return remedy(board, cells, judged(board, cells), terms, earlier=earlier)


def moves_of(found: Remedy) -> str:
    assert found.obligation is not None
    if found.obligation.free:
        return "any"
    return " ".join(sorted(move.uci() for move in found.obligation.moves))


@pytest.mark.parametrize("case", attempts(), ids=lambda case: case["id"])
def test_every_attempt_of_the_catalogue_can_be_made_good(case: dict[str, Any]) -> None:
    board, cells = position(case), placed(case["attempt"]["placement"])
    found = remedy(board, cells, judged(board, cells), CLASSIC)
    decision = case["expect"].get("decision", {})
    assert (found.action, found.fen, found.penalty) == ("restore", board.fen(), "none")
    assert found.obligation is not None
    if "obligation" in decision:
        assert found.obligation.bound == decision["obligation"]
        allowed = decision["allowed"]
        assert moves_of(found) == ("any" if allowed == "any_legal" else " ".join(allowed))


@pytest.mark.parametrize(
    ("fen", "placement", "moves"),
    [
        # a blocked pawn took what stood before it: neither can be moved or taken
        ("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/4P3/8/8/8/4K3", "any"),
        # the same, but another man can take it
        ("4k3/8/8/4p3/4P3/8/8/4K2B w - - 0 1", "4k3/8/8/4P3/8/8/8/4K2B", "any"),
        ("4k3/8/8/R3p3/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/R3P3/8/8/8/4K3", "a5e5"),
        # the pawn let go in front of a pawn that it could take en passant
        ("4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1", "4k3/8/8/8/1P6/1p6/8/4K3", "c4b3"),
        # castling was begun, and was legal: the king is let go
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/6KR", "e1g1"),
        # with the move of the rook another man went along
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "4k3/8/8/8/P7/R7/8/4K3", "a2a4"),
        # either of two men may have been the move
        ("4k3/8/8/8/8/8/P7/6NK w - - 0 1", "4k3/8/8/8/8/P4N2/8/7K", "a2a3 g1f3"),
        # the other side moved: who is to move has touched nothing
        ("4k3/8/8/8/8/8/P7/4K3 b - - 0 1", "4k3/8/8/8/8/P7/8/4K3", "any"),
    ],
)
def test_what_must_be_played_instead(fen: str, placement: str, moves: str) -> None:
    assert moves_of(after(fen, placement)) == moves


def test_castling_on_the_spot_of_the_rook_is_completed_in_chess960() -> None:
    board = chess.Board("1k6/8/8/8/8/8/8/5KR1 w G - 0 1", chess960=True)
    cells = placed("1k6/8/8/8/8/8/8/6K1")
    duty = obligation_after(board, cells, judged(board, cells))
    assert [move.uci() for move in duty.moves] == ["f1g1"]


def test_a_rook_that_went_wrong_in_chess960_is_judged_by_where_it_went() -> None:
    board = chess.Board("1k6/8/8/8/8/8/8/R3K3 w A - 0 1", chess960=True)
    cells = placed("1k6/8/8/8/8/1R6/8/4K3")
    assert obligation_after(board, cells, judged(board, cells)).bound == "rook"


@pytest.mark.parametrize(
    ("terms", "earlier", "opponent", "penalty", "minutes"),
    [
        (STANDARD, 0, "can", "time", 2),
        (STANDARD, 1, "can", "loss", 0),
        (STANDARD, 1, "cannot", "draw", 0),
        (STANDARD, 1, "undetermined", "loss_or_draw", 0),
        (STANDARD, 2, "can", "loss", 0),
        (msgspec.structs.replace(STANDARD, unwinnable_illegal_loss="loss"), 1, "cannot", "loss", 0),
        (A5, 0, "can", "time", 1),
        (CLASSIC, 7, "can", "none", 0),
    ],
)
def test_the_penalty(
    terms: RuleSet, earlier: int, opponent: CanMate, penalty: str, minutes: int
) -> None:
    board, cells = chess.Board(), placed("rnbqkbnr/pppppppp/8/8/8/8/RPPPPPPP/1NBQKBNR")
    found = remedy(board, cells, judged(board, cells), terms, earlier=earlier, opponent=opponent)
    assert (found.penalty, found.minutes, found.number) == (penalty, minutes, earlier + 1)


def test_the_words_hold_every_number() -> None:
    board = chess.Board("5r2/6k1/8/8/8/8/8/R3K2R w KQ - 0 1")
    cells = placed("5r2/6k1/8/8/8/8/8/R4RK1")
    found = remedy(board, cells, judged(board, cells), STANDARD, increment_s=30)
    assert found.text == (
        "restore the position before the move: 5r2/6k1/8/8/8/8/8/R3K2R w KQ - 0 1; "
        "to be made: Kd1 or Kd2 or Ke2 or O-O-O; +2:00 for Black; take back 30 s from White; "
        "illegal move number 1 of White"
    )
    assert found.taken_back_s == 30
    kept = msgspec.structs.replace(CLASSIC, increment_after_illegal_move="kept")
    assert remedy(board, cells, judged(board, cells), kept, increment_s=30).taken_back_s == 0


def test_many_bound_moves_are_counted() -> None:
    found = after("4k3/8/8/8/4Q3/8/8/K7 w - - 0 1", "4k3/8/8/8/8/8/3Q4/K7")
    assert found.obligation is not None
    assert f"one of {len(found.obligation.moves)} moves must be made: queen" in found.text


def test_an_unreplaced_pawn_becomes_a_queen_or_is_put_back() -> None:
    queen = after(LAST_RANK, "P3k3/8/8/8/8/8/8/4K3")
    assert (queen.action, queen.obligation, queen.ends) == ("queen", None, "")
    assert queen.fen == "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1"
    assert "put a queen on a8" in queen.text
    back = after(LAST_RANK, "P3k3/8/8/8/8/8/8/4K3", CLASSIC)
    assert (back.action, back.fen) == ("restore", LAST_RANK)
    assert moves_of(back) == "a7a8b a7a8n a7a8q a7a8r"


@pytest.mark.parametrize(
    ("fen", "placement", "ends"),
    [
        ("8/1P6/k7/8/K7/8/8/8 w - - 0 1", "1P6/8/k7/8/K7/8/8/8", "stalemate"),
        ("7k/P7/7K/8/8/8/8/8 w - - 0 1", "P6k/8/7K/8/8/8/8/8", "checkmate"),
        ("1n1k4/P7/8/8/8/8/8/4K3 w - - 0 1", "Pn1k4/8/8/8/8/8/8/4K3", ""),
    ],
)
def test_a_queen_that_would_end_the_game_is_told(fen: str, placement: str, ends: str) -> None:
    found = after(fen, placement)
    assert found.ends == ends
    assert ("the arbiter decides" in found.text) == bool(ends)


def test_under_a5_the_illegal_move_stands_once_it_is_answered() -> None:
    board = chess.Board()
    cells = placed("rnbqkbnr/pppppppp/8/8/8/8/RPPPPPPP/1NBQKBNR")
    verdict = judged(board, cells)
    found = remedy(board, cells, verdict, A5, answered=True)
    assert (found.action, found.penalty, found.obligation) == ("stands", "none", None)
    assert found.fen.split()[:2] == ["rnbqkbnr/pppppppp/8/8/8/8/RPPPPPPP/1NBQKBNR", "b"]
    assert found.until == "opponents_next_move"
    assert remedy(board, cells, verdict, A5).action == "restore"
    assert remedy(board, cells, verdict, STANDARD, answered=True).action == "restore"


def test_a_press_without_a_move_is_pressed_back() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K3 b - - 0 1")
    verdict = pressed_without_move(board)
    assert (verdict.code, verdict.article) == ("CLOCK_PRESSED_WITHOUT_MOVE", "7.5.3")
    found = remedy(board, cells_of(board), verdict, STANDARD)
    assert (found.action, found.obligation, found.minutes) == ("press_back", None, 2)
    assert "+2:00 for White" in found.text


def test_a_king_that_was_taken_leads_back_to_the_move_before() -> None:
    board = chess.Board("4r2k/8/8/8/8/8/8/3NK3 w - - 0 1")
    board.push(chess.Move.from_uci("d1c3"))  # leaves the king in check
    cells = tried_cells(board, chess.Move.from_uci("e8e1"))
    verdict = judged(board, cells)
    assert offender(board, verdict) == chess.WHITE
    found = remedy(board, cells, verdict, STANDARD)
    assert found.fen == "4r2k/8/8/8/8/8/8/3NK3 w - - 0 1"
    assert "+2:00 for Black" in found.text
    assert moves_of(found) == "d1e3"
    board.clear_stack()
    assert remedy(board, cells, verdict, STANDARD).obligation is None


def test_a_man_that_left_the_king_in_check_by_taking_may_be_bound_to_take() -> None:
    board = chess.Board("4r2k/8/8/8/8/1p6/8/N3K3 w - - 0 1")
    board.push(chess.Move.from_uci("a1b3"))
    cells = tried_cells(board, chess.Move.from_uci("e8e1"))
    assert obligation_after(board, cells, judged(board, cells)).reason == "no move"


@given(
    plies=st.lists(st.integers(0, 200), max_size=30),
    origin=st.integers(0, 63),
    target=st.integers(0, 63),
    promotion=st.sampled_from([None, chess.PAWN, chess.QUEEN, chess.KING]),
    chess960=st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_whatever_is_tried_comes_with_articles_and_a_remedy(
    plies: list[int], origin: int, target: int, promotion: int | None, chess960: bool
) -> None:
    board = walked(plies, chess960=chess960)
    man = board.piece_at(origin)
    if man is None or origin == target:
        return
    if man.piece_type != chess.PAWN or chess.square_rank(target) != (7 if man.color else 0):
        promotion = None
    move = chess.Move(origin, target, promotion)
    verdict = judge_move(board, move, history=board.move_stack)
    assert (verdict is None) == board.is_legal(move)
    if verdict is None:
        return
    assert all(verdict.article_under(book) for book in ("fide", "a5", "classic"))
    found = remedy(board, tried_cells(board, move), verdict, STANDARD)
    assert found.obligation is None or found.obligation.moves or not any(board.legal_moves)
    assert found.text


def test_a_book_that_does_not_know_a_thing_is_silent() -> None:
    assert ARTICLES["CLOCK_PRESSED_WITHOUT_MOVE"].under("classic") == ""
    assert ARTICLES["KING_EXPOSED"].under("a5") == "3.9.2, 7.5.1, A.5.2"
