"""Moves made unseen fit in several orders: which one people are likelier to have played."""

import chess
import pytest

from bridge.core.inference.lines import Line, lines_to
from bridge.core.inference.orders import MOST_ORDERS, unlikely
from bridge.core.inference.position import Position
from tests.bridge.core.playing import sample_games

PLIES = 3


def line(moves: str) -> Line:
    return tuple(map(chess.Move.from_uci, moves.split()))


@pytest.mark.parametrize(
    ("fen", "likelier", "other"),
    [
        # A pawn that hangs is taken at once.
        ("4k3/8/8/3p4/4P3/8/7P/4K3 w - - 0 1", "e4d5 e8d7 h2h3", "h2h3 e8d7 e4d5"),
        # So is the rook that took a man, before the king is moved.
        (
            "3rk3/8/3n4/4P3/8/8/8/1K1R4 w - - 0 1",
            "d1d6 d8d6 e5d6 e8d7 b1c2",
            "d1d6 d8d6 b1c2 e8d7 e5d6",
        ),
        # A queen that is attacked leaves at once, and not when it is too late.
        (
            "rn2k3/p7/8/3q4/8/8/P6P/RN2K3 w - - 0 1",
            "b1c3 d5d8 h2h3 a7a6",
            "b1c3 a7a6 h2h3 d5d8",
        ),
    ],
)
def test_what_pays_is_done_first(fen: str, likelier: str, other: str) -> None:
    board = chess.Board(fen)
    one, two = unlikely(board, [line(likelier), line(other)])
    assert one < two
    assert board.fen() == fen


def test_who_takes_the_attacker_does_not_flee() -> None:
    """A pawn took e3 or, in passing, e4: nothing speaks for either way."""
    board = chess.Board("4k3/8/8/8/5p2/3P4/4P3/4K3 w - - 0 1")
    one, two = unlikely(board, [line("e2e3 f4e3"), line("e2e4 f4e3")])
    assert one == two


def test_of_too_many_lines_none_is_likelier() -> None:
    board = chess.Board("4k3/8/8/3p4/4P3/8/7P/4K3 w - - 0 1")
    lines = [line("e4d5"), line("h2h3")] * MOST_ORDERS
    assert set(unlikely(board, lines)) == {0.0}


def test_in_games_it_is_most_often_what_was_played() -> None:
    """Of three plies that fit in several ways, the likeliest one was played seven times of ten."""
    right = several = 0
    for game in sample_games()[::4]:
        for ply in range(10, len(game.moves) - PLIES, 17):
            board = chess.Board(game.fen, chess960=game.chess960)
            for move in game.moves[:ply]:
                board.push(move)
            before, played = Position(board.copy(stack=False), "identity"), game.moves[ply:][:PLIES]
            for move in played:
                board.push(move)
            lines = lines_to(before, Position(board, "identity").shown, PLIES)
            if played in lines and len(lines) > 1:
                costs = unlikely(before.board, lines)
                right += lines[costs.index(min(costs))] == played
                several += 1
    assert several > 100
    assert right > 0.7 * several
