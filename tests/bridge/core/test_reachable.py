"""Positions that several readings share: what they are must be what python-chess makes of them."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.inference.placement import difference
from bridge.core.inference.position import Position
from bridge.core.inference.reachable import Reachable, Reached, Step
from bridge.core.model import Sensing
from drivers.cells import cells_of

PLENTY = 100_000
POSITIONS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
]
"""Castling, en passant and promotion."""
SENSINGS: list[Sensing] = ["identity", "occupancy", "colour"]


def reachable(
    fen: str, sensing: Sensing = "identity", *, chess960: bool = False, left: int = PLENTY
) -> Reachable:
    return Reachable(Position(chess.Board(fen, chess960=chess960), sensing), left)


def moves(found: Reachable, reached: Reached) -> dict[str, Step]:
    origins = chess.scan_forward(reached.own)
    steps = [step for at in origins for step in found.steps(reached, at, chess.BB_ALL)]
    return {step.move.uci(): step for step in steps}


def after(found: Reachable, line: str) -> Reached:
    reached = found.start
    for uci in line.split():
        reached = found.after(moves(found, reached)[uci])
    return reached


@settings(max_examples=40)
@given(
    st.sampled_from([(fen, False) for fen in POSITIONS] + [(POSITIONS[1], True)]),
    st.sampled_from(SENSINGS),
    st.lists(st.integers(0, 99), max_size=8),
)
def test_they_are_what_the_rules_make_of_them(
    start: tuple[str, bool], sensing: Sensing, choices: list[int]
) -> None:
    fen, chess960 = start
    found, board = reachable(fen, sensing, chess960=chess960), chess.Board(fen, chess960=chess960)
    reached = found.start
    for choice in choices:
        legal = moves(found, reached)
        assert sorted(legal) == sorted(move.uci() for move in board.legal_moves)
        if not legal:
            break
        uci = sorted(legal)[choice % len(legal)]
        before = board.copy()
        board.push_uci(uci)
        assert legal[uci].mask == difference(cells_of(before), cells_of(board))
        reached = found.after(legal[uci])
        assert reached.position.board.epd() == board.epd()
        assert (reached.turn, reached.castling) == (board.turn, board.clean_castling_rights())
        assert (reached.cells, reached.shown) == (cells_of(board), reached.position.shown)
        sides = board.occupied_co[board.turn], board.occupied_co[not board.turn]
        assert (reached.own, reached.theirs) == sides


@pytest.mark.parametrize(
    ("fen", "line", "other", "same"),
    [
        (POSITIONS[0], "g1f3 g8f6 b1c3", "b1c3 g8f6 g1f3", True),
        (POSITIONS[0], "g1f3 g8f6 f3g1 f6g8", "", True),
        (POSITIONS[1], "e1f1 a6b7 f1e1 b7a6", "", False),  # no castling any more
        (POSITIONS[1], "h1g1 a6b7 g1h1 b7a6", "", False),
        (POSITIONS[2], "e8f8 e1f1 f8e8 f1e1", "", False),  # the pawn cannot be taken any more
        ("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1", "b2b4 e8f8", "b2b3 e8f8", False),
        (
            "4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1",
            "b2b4 e8f8 e1f1 f8e8 f1e1",
            "e1f1 e8f8 b2b4 f8e8 f1e1",
            True,
        ),
        ("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1", "e1f1 e8f8 f1e1 f8e8 b2b4", "b2b4", True),
    ],
)
def test_a_position_is_made_once(fen: str, line: str, other: str, *, same: bool) -> None:
    found = reachable(fen)
    assert (after(found, line) is after(found, other)) == same


def test_a_pawn_that_can_be_taken_in_passing_makes_another_position() -> None:
    found = reachable("4k3/8/8/8/2p5/8/1P2P3/4K3 w - - 0 1")
    fresh = after(found, "e2e3 e8f8 b2b4")
    stale = after(found, "b2b4 e8f8 e2e3")
    assert fresh.cells == stale.cells
    assert "c4b3" in moves(found, fresh)
    assert "c4b3" not in moves(found, stale)


def test_only_captures_that_occupancy_does_not_see_are_hidden() -> None:
    board = "r3k2r/8/8/3p4/1Pp1P3/8/8/R3K2R {} KQkq {} 0 1"
    captures = reachable(board.format("w", "-"), "occupancy")
    hidden = [uci for uci, step in moves(captures, captures.start).items() if step.hidden]
    assert sorted(hidden) == ["a1a8", "e4d5", "h1h8"]
    in_passing = reachable(board.format("b", "b3"), "occupancy")
    hidden = [uci for uci, step in moves(in_passing, in_passing.start).items() if step.hidden]
    assert sorted(hidden) == ["a8a1", "d5e4", "h8h1"]
    for sensing in ("identity", "colour"):
        seen = reachable(board.format("w", "-"), sensing)
        assert not any(step.hidden for step in moves(seen, seen.start).values())


def test_moves_are_looked_up_by_target_and_once() -> None:
    found = reachable(POSITIONS[0])
    knight = found.steps(found.start, chess.G1, chess.BB_F3)
    assert [step.move.uci() for step in knight] == ["g1f3"]
    assert found.left == PLENTY - 2  # a look, a move
    assert found.steps(found.start, chess.G1, chess.BB_F3) == knight
    assert not found.steps(found.start, chess.G1, chess.BB_G8)  # no knight gets there
    assert found.left == PLENTY - 2
    assert not found.steps(found.start, chess.D1, chess.BB_D4)  # its own pawn is in the way
    assert found.left == PLENTY - 2
    assert not found.steps(found.start, chess.E2, chess.BB_E8)  # on its file, but far away
    assert found.left == PLENTY - 3  # a look


def test_both_castlings_are_found_whichever_is_looked_up_first() -> None:
    found = reachable(POSITIONS[1])
    for square, uci in ((chess.G1, "e1g1"), (chess.C1, "e1c1")):
        steps = found.steps(found.start, chess.E1, 1 << square)
        assert [step.move.uci() for step in steps] == [uci]


def test_nothing_is_looked_up_when_nothing_is_left() -> None:
    found = reachable(POSITIONS[0], left=3)
    assert len(found.steps(found.start, chess.E2, chess.BB_ALL)) == 2
    assert not found.steps(found.start, chess.D2, chess.BB_ALL)
    assert len(found.steps(found.start, chess.E2, chess.BB_E4)) == 1  # it is known
