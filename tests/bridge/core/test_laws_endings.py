"""What ends a game, draws that may be claimed, and results, by the cases and others like them."""

from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.laws.draws import (
    judge_claim,
    limit,
    moves_by,
    moves_now,
    threefold_by,
    threefold_now,
)
from bridge.core.laws.endings import status, winner
from bridge.core.laws.forfeits import flag_fall, resignation
from bridge.core.laws.points import Outcome, points
from bridge.core.laws.repetition import Positions, identity
from bridge.core.laws.winnability import is_dead
from tests.bridge.core.cases import CASES

COLOURS = {"white": chess.WHITE, "black": chess.BLACK}
TOUR = ["g1f3", "g8f6", "f3g1", "f6g8"]


def played(fen: str, moves: list[str]) -> tuple[chess.Board, Positions]:
    board = chess.Board(fen)
    positions = Positions(board)
    for uci in moves:
        board.push_uci(uci)
        positions.played(board)
    return board, positions


def expecting(key: str) -> list[Any]:
    cases = [case for case in CASES if key in case["expect"]]
    assert cases
    return [
        pytest.param(*played(case["fen"], case.get("moves") or []), case["expect"], id=case["id"])
        for case in cases
        if "fen" in case and not case.get("chess960") and "events" not in case
    ]


@pytest.mark.parametrize(("board", "positions", "expect"), expecting("status"))
def test_status_of_the_cases(
    board: chess.Board, positions: Positions, expect: dict[str, Any]
) -> None:
    found = status(board, occurrences=positions.occurrences)
    assert found == expect["status"]
    won = winner(board, found)
    assert (None if won is None else chess.COLOR_NAMES[won]) == expect.get("winner")


@pytest.mark.parametrize(("board", "positions", "expect"), expecting("occurrences"))
def test_repetition_of_the_cases(
    board: chess.Board, positions: Positions, expect: dict[str, Any]
) -> None:
    assert positions.occurrences == expect["occurrences"]
    if "threefold_now" in expect:
        assert threefold_now(board, positions) == expect["threefold_now"]
        assert [move.uci() for move in threefold_by(board, positions)] == expect["threefold_by"]


@pytest.mark.parametrize(("board", "positions", "expect"), expecting("halfmove_clock"))
def test_fifty_moves_of_the_cases(
    board: chess.Board, positions: Positions, expect: dict[str, Any]
) -> None:
    assert board.halfmove_clock == expect["halfmove_clock"]
    assert moves_now(board) == expect.get("fifty_now", moves_now(board))
    quiet = [move for move in board.legal_moves if not board.is_zeroing(move)]
    if expect.get("fifty_by") == "any_non_zeroing":
        assert moves_by(board) == quiet
    elif "fifty_by" in expect:
        assert [move.uci() for move in moves_by(board)] == expect["fifty_by"]


@pytest.mark.parametrize(("board", "positions", "expect"), expecting("classic_limit"))
def test_balances_of_the_cases(
    board: chess.Board, positions: Positions, expect: dict[str, Any]
) -> None:
    classic = limit(board, 50, 75)
    assert classic == expect["classic_limit"]
    assert moves_now(board, classic) == expect["classic"]["claim"]
    assert limit(board) == 50
    automatic = status(board) == "seventy_five"
    claim = moves_now(board) and not automatic
    assert {"claim": claim, "automatic_draw": automatic} == expect["fide"]


def test_the_list_of_balances_may_be_another() -> None:
    historical = chess.Board("8/8/4k3/3n4/8/3K4/8/2B2B2 w - - 100 150")
    assert limit(historical, 50, 75, ["KBB:KN"]) == 75
    assert limit(historical, 50, 75) == 50


@pytest.mark.parametrize(("board", "positions", "expect"), expecting("flag"))
def test_flags_of_the_cases(
    board: chess.Board, positions: Positions, expect: dict[str, Any]
) -> None:
    fallen = COLOURS[expect["flag"]["fallen"]]
    ended = status(board, occurrences=positions.occurrences)
    assert flag_fall(board, fallen, ended, "any_series").kind == expect["flag"]["fide"]
    claims_only = status(board, automatic_repetitions=None, automatic_moves=None)
    assert flag_fall(board, fallen, claims_only, "bare_king").kind == expect["flag"]["classic"]


def test_resignation_of_the_cases() -> None:
    cases = [case for case in CASES if case["group"] == "resignation"]
    assert len(cases) == 2
    for case in cases:
        board, decision = chess.Board(case["fen"]), case["expect"]["decision"]
        resigner = COLOURS[decision["resigns"]]
        assert resignation(board, resigner, "any_series").result == decision["fide"]
        classic = resignation(board, resigner, "never")
        assert classic.result == decision["classic"].split()[0]
        assert ("material" in classic.reason) == ("material" in decision["classic"])


def test_resigning_loses_when_the_opponent_can_mate() -> None:
    board = chess.Board("8/8/4k3/8/8/3K4/8/7q w - - 0 1")
    found = resignation(board, chess.WHITE, "any_series")
    assert (found.kind, found.result) == ("win_for_opponent", "0-1")
    assert found.winnability is not None
    assert found.winnability.line


@pytest.mark.parametrize(
    ("fen", "kind"),
    [
        ("8/8/4k3/8/8/3K4/8/7q b - - 0 1", "draw"),  # a bare king
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 b - - 0 1", "draw"),  # dead
        ("8/8/4k3/5n2/8/3K4/8/7q b - - 0 1", "draw"),
        ("8/8/4k3/8/8/3K4/7N/7q b - - 0 1", "win_for_opponent"),
    ],
)
def test_flags_of_the_classic_code(fen: str, kind: str) -> None:
    assert flag_fall(chess.Board(fen), chess.BLACK, "ongoing", "bare_king").kind == kind


def test_a_dead_position_draws_before_the_counts_and_after_mate() -> None:
    bare = chess.Board("8/8/4k3/8/8/3K4/8/8 w - - 150 100")
    assert status(bare, dead=True) == "dead"
    assert status(bare) == "seventy_five"
    assert winner(bare, "dead") is None


def test_claims_only_never_end_a_game_by_counts() -> None:
    board, positions = played(chess.STARTING_FEN, TOUR * 4)
    assert positions.occurrences == 5
    assert status(board, occurrences=5) == "fivefold"
    assert status(board, occurrences=5, automatic_repetitions=None) == "ongoing"


# --- claims -------------------------------------------------------------------------------------


def test_a_right_claim_lists_when_the_position_stood() -> None:
    board, positions = played(chess.STARTING_FEN, TOUR * 2)
    claim = judge_claim(board, positions, "threefold")
    assert claim.verdict == "right"
    assert [(moment.ply, moment.number) for moment in claim.moments] == [(0, 1), (4, 3), (8, 5)]
    assert {moment.castling for moment in claim.moments} == {"KQkq"}
    assert claim.halfmoves == 8
    assert claim.last_irreversible is not None
    assert claim.last_irreversible.ply == 0


def test_a_claim_on_an_announced_move() -> None:
    board, positions = played(chess.STARTING_FEN, (TOUR * 2)[:-1])
    right = judge_claim(board, positions, "threefold", chess.Move.from_uci("f6g8"))
    assert (right.verdict, [moment.ply for moment in right.moments]) == ("right", [0, 4])
    wrong = judge_claim(board, positions, "threefold", chess.Move.from_uci("f6g4"))
    assert (wrong.verdict, wrong.reason) == ("wrong", "the position would have stood once")
    assert judge_claim(board, positions, "threefold").reason == "the position stood 2 times"


@pytest.mark.parametrize("kind", ["threefold", "moves"])
def test_an_announced_pawn_move_never_supports_a_claim(kind: Any) -> None:
    board, positions = played("4k3/8/8/8/8/8/4P3/4K3 w - - 100 120", [])
    claim = judge_claim(board, positions, kind, chess.Move.from_uci("e2e4"))
    assert (claim.verdict, claim.halfmoves) == ("wrong", 0)


def test_a_claim_needs_a_legal_move_and_a_game_that_goes_on() -> None:
    board, positions = played(chess.STARTING_FEN, [])
    illegal = judge_claim(board, positions, "threefold", chess.Move.from_uci("e2e5"))
    assert illegal.reason == "the announced move is not legal"
    mated, positions = played("k7/8/1K6/8/8/8/8/7R w - - 99 90", ["h1h8"])
    assert judge_claim(mated, positions, "moves").reason == "the game was over before the claim"


def test_a_mating_move_may_be_announced_as_the_last_of_fifty() -> None:
    board, positions = played("6rk/6pp/7N/5n2/6b1/8/2q5/K7 w - - 99 80", [])
    claim = judge_claim(board, positions, "moves", chess.Move.from_uci("h6f7"))
    assert (claim.verdict, claim.halfmoves) == ("right", 100)
    assert judge_claim(board, positions, "moves").verdict == "wrong"
    assert judge_claim(board, positions, "moves", moves=75).verdict == "wrong"


def test_no_move_completes_a_count_that_lacks_two() -> None:
    assert not moves_by(chess.Board("8/8/8/4k3/8/8/4K3/7R w - - 98 80"))


def test_missing_moves_matter_only_since_the_last_irreversible_one() -> None:
    board, positions = played(chess.STARTING_FEN, TOUR)
    positions.missed(board)
    assert judge_claim(board, positions, "threefold").verdict == "right"
    positions.withdraw(1)
    positions.withdraw(1)
    positions.missed(board)
    claim = judge_claim(board, positions, "threefold")
    assert (claim.verdict, positions.complete) == ("incomplete", False)
    board.push_san("e4")
    positions.played(board)
    assert positions.complete
    assert judge_claim(board, positions, "threefold").verdict == "wrong"


def test_nobody_knows_the_last_irreversible_move_before_a_position_set_up() -> None:
    _, positions = played("8/8/8/4k3/8/8/4K3/7R w - - 40 80", ["h1h2"])
    assert positions.last_irreversible is None
    assert positions.complete


# --- repetition and points ----------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 3), max_size=60), st.integers(0, 10))
def test_repetition_agrees_with_the_rules_library_and_can_be_taken_back(
    choices: list[int], taken_back: int
) -> None:
    board = chess.Board("r3k3/8/8/2p5/1P6/8/8/4K2R b Kq - 0 1")
    positions = Positions(board)
    counts = [1]
    for choice in choices:
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        board.push(moves[choice % len(moves)])
        positions.played(board)
        counts.append(positions.occurrences)
        assert threefold_now(board, positions) == board.is_repetition(3)
        if not any(board.legal_moves):
            break
    back = min(taken_back, len(counts) - 1)
    positions.withdraw(back)
    assert positions.occurrences == counts[len(counts) - 1 - back]


def test_a_position_is_the_same_whichever_of_two_knights_is_where() -> None:
    one, _ = played(chess.STARTING_FEN, ["b1c3", "g8f6", "g1f3", "f6g8"])
    other, _ = played(chess.STARTING_FEN, ["g1f3", "g8f6", "b1c3", "f6g8"])
    assert identity(one) == identity(other)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("1-0", (1.0, 0.0)),
        ("0-1", (0.0, 1.0)),
        ("1/2-1/2", (0.5, 0.5)),
        ("0-0", (0.0, 0.0)),
        ("1/2-0", (0.5, 0.0)),
        ("0-1/2", (0.0, 0.5)),
    ],
)
def test_points(outcome: Outcome, expected: tuple[float, float]) -> None:
    assert points(outcome) == expected


def test_mate_is_not_dead_and_stalemate_is() -> None:
    mate, _ = played("k7/8/1K6/8/8/8/8/7R w - - 0 1", ["h1h8"])
    stalemate, _ = played("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", ["f1f7"])
    assert (is_dead(mate), is_dead(stalemate)) == (False, True)
