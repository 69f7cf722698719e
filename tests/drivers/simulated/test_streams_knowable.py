"""A stream that cannot tell the moves must be called so, and no other."""

import chess
import pytest

from drivers.simulated.streams.knowable import Glimpse, why_unknowable
from drivers.simulated.streams.sensor import BoardKind


def glimpses(
    moves: str, *, start: str = chess.STARTING_FEN, unseen: str = "", blind: str = ""
) -> tuple[chess.Board, list[Glimpse]]:
    """Return what is seen when all captures are swaps; *unseen* names plies from 1."""
    board = chess.Board(start)
    blind_squares = sum(chess.BB_SQUARES[chess.parse_square(name)] for name in blind.split())
    found = []
    for ply, san in enumerate(moves.split(), 1):
        board.push_san(san)
        seen = str(ply) not in unseen.split()
        found.append(Glimpse(board=board.copy(), seen=seen, blind=blind_squares, emptied=0))
    return chess.Board(start), found


def why(
    moves: str, kind: BoardKind = "identity", *, start: str = chess.STARTING_FEN, unseen: str = ""
) -> str:
    return why_unknowable(*glimpses(moves, start=start, unseen=unseen), kind)


@pytest.mark.parametrize("kind", ["identity", "occupancy"])
def test_a_game_seen_ply_by_ply_is_known(kind: BoardKind) -> None:
    assert why("e4 e5 Nf3 Nc6 Bb5 a6", kind) == ""


def test_a_line_that_only_one_order_explains_is_known() -> None:
    assert why("e4 d5 exd5 Qxd5 Nc3", unseen="2 3") == ""


def test_moves_that_can_be_exchanged_are_not_known() -> None:
    assert why("e4 e5 Nf3 Nc6 Bb5", unseen="1 2") == "lines that lead to the same position fit"


def test_a_blind_square_hides_nothing_that_the_rest_tells() -> None:
    start, seen = glimpses("e4 e5 Nf3 Nc6", blind="e4")
    assert why_unknowable(start, seen, "identity") == ""


def test_a_capture_that_was_not_seen_is_decided_by_later_play_or_never() -> None:
    start = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
    assert why("exd5 Kf7", "occupancy", start=start) == "2 lines fit to the end"
    assert why("exd5 f4", "occupancy", start=start) == ""
    board, seen = glimpses("exd5 Kf7", start=start)
    shown = Glimpse(board=seen[0].board, seen=True, blind=0, emptied=chess.BB_D5)
    assert why_unknowable(board, [shown, seen[1]], "occupancy") == ""


def test_what_an_occupancy_board_promotes_to_is_open() -> None:
    start = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
    assert why("a8=Q+ Kg7", "occupancy", start=start) == "4 lines fit to the end"
    assert why("a8=Q+ Kg7", "identity", start=start) == ""


def test_too_much_unseen_is_not_searched() -> None:
    assert why("e4 e5 Nf3 Nc6 Bb5", unseen="1 2 3 4") == "5 plies were not seen"
    assert why("e4 e5 Nf3", unseen="3") == "the last moves were not seen"


def test_a_board_that_no_line_explains_is_not_known() -> None:
    start, seen = glimpses("e4 e5")
    assert why_unknowable(start, seen[1:], "identity") == "no legal line explains what was seen"
