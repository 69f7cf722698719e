"""Men who are cleared away and put up for the next game, one by one, make no moves of the last."""

import random

import chess
import pytest

from bridge.core.model import GameEnded, MoveSettled, Sensing, TableSetup
from drivers.events import EMPTY
from tests.bridge.core.dialogue import TableTalk

ROOKS, QUEENS = (
    "2r3k1/8/3p4/1p2n3/8/2B1R3/1P3PK1/8 w - - 0 1",
    "8/5k2/3q2p1/8/1r6/3N4/Q4PP1/6K1 w - - 0 1",
)
ARRAY = chess.BaseBoard()
AT_ONCE = 8
"""So many men are put up while others are still taken off."""


def steps(board: chess.BaseBoard, rng: random.Random) -> list[tuple[chess.Square, bool]]:
    """The squares of *board* as they are cleared (false), and filled as when a game begins."""
    wrong = [n for n in chess.SQUARES if board.piece_at(n) != ARRAY.piece_at(n)]
    off = [(n, False) for n in wrong if board.piece_at(n)]
    on = [(n, True) for n in wrong if ARRAY.piece_at(n)]
    rng.shuffle(off)
    rng.shuffle(on)
    first = rng.randrange(len(off))
    mixed = off[first:] + on[:AT_ONCE]
    rng.shuffle(mixed)
    return off[:first] + mixed + on[AT_ONCE:]


def puts_up(table: TableTalk, placement: str, at: float, seed: int, *, clock: bool) -> None:
    """The clock, if there is one, runs on for White, and nobody presses."""
    board, rng = chess.BaseBoard(placement), random.Random(seed)
    for square, filled in steps(board, rng):
        board.set_piece_at(square, ARRAY.piece_at(square) if filled else None)
        table.shows(at, board.board_fen())
        if clock:
            table.clock(at + 0.1, 320 - int(at), 300, "left")
        at += rng.choice((0.3, 0.4, 0.9, 1.3))
    table.ticks(at + 10.0)


@pytest.mark.parametrize(
    ("fen", "sensing", "clock", "seeds"),
    [
        (ROOKS, "identity", False, (56, 58)),
        (QUEENS, "identity", True, (26,)),
        (QUEENS, "identity", False, (26, 83)),
        (ROOKS, "occupancy", True, (1, 11, 13, 17, 23, 24, 28, 34, 36, 38, 42, 47, 48)),
        (ROOKS, "occupancy", False, (1, 11, 13, 17, 23, 24, 28, 34, 45, 46, 48, 51, 54, 59)),
        (QUEENS, "occupancy", True, (6, 11, 23, 24, 25, 27, 41, 45, 47, 48, 49, 51, 57, 60, 61)),
        (QUEENS, "occupancy", False, (23, 24, 25, 36, 41, 47, 49, 57, 61, 74, 83, 86)),
    ],
)
def test_nothing_of_it_is_a_move(
    fen: str, sensing: Sensing, clock: bool, seeds: tuple[int, ...]
) -> None:
    """Orders of the men in which something of it once was taken for a move."""
    start = TableSetup(start_fen=fen, sensing=sensing, has_clock=clock)
    for seed in seeds:
        table = TableTalk.ready(start, clock=clock)
        puts_up(table, fen.split(maxsplit=1)[0], 20.0, seed, clock=clock)
        assert table.told(MoveSettled) == [], seed


SHORT = ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxe5+", "Nxe5")


@pytest.mark.parametrize(
    ("sensing", "seeds"),
    [
        ("identity", (8, 9, 10, 11, 12, 21, 27, 29, 33)),
        ("occupancy", (1, 5, 6, 8, 9, 10, 11, 12, 17)),
    ],
)
def test_a_man_who_comes_home_first_has_not_moved_when_the_game_ends(
    sensing: Sensing, seeds: tuple[int, ...]
) -> None:
    """He goes there by a legal move, and stands until all others stand as when a game begins."""
    for seed in seeds:
        table = TableTalk.ready(TableSetup(sensing=sensing, has_clock=False), clock=False)
        at, board = 2.0, chess.Board()
        for san in SHORT:
            board.push_san(san)
            table.shows(at, board.board_fen()).ticks(at + 5.0)
            at += 5.5
        puts_up(table, board.board_fen(), at + 20.0, seed, clock=False)
        assert len(table.told(MoveSettled)) == len(SHORT), seed
        assert [fact.by for fact in table.facts if isinstance(fact, GameEnded)] == ["abandoned"]


def test_both_kings_come_home_before_the_others() -> None:
    """A rook is taken off when the kings stand there: he has not gone where White's king stands."""
    start = TableSetup(start_fen="2q3k1/7r/8/8/8/8/3K4/R7 b - - 19 72", has_clock=False)
    table = TableTalk.ready(start, clock=False)
    table.sees(1.0, without="h7").sees(1.7, black_rook="e7")
    table.sees(9.9, without="a1").sees(10.9, white_rook="f1")
    table.sees(24.6, without="d2").sees(25.0, white_pawn="f2").sees(25.6, white_king="e1")
    table.sees(25.8, without="g8").sees(26.2, without="e7", black_king="e8").ticks(27.2)
    table.sees(27.2, black_bishop="f8").sees(27.4, black_knight="b8").sees(27.6, without="c8")
    table.sees(28.0, black_pawn="h7").sees(28.2, black_rook="h8").sees(28.8, black_knight="g8")
    assert table.ticks(60.0).moves == "Re7 Rf1"


UNCLOCKED = "2r3k1/8/3p4/1p2n3/8/R1B5/1P3PK1/8"


def stands(rook: str) -> TableTalk:
    """A table without a clock, on which White's rook went from a3 to another square."""
    table = TableTalk(TableSetup(start_fen=f"{UNCLOCKED} w - - 0 1", has_clock=False))
    return table.shows(0.0).sees(5.0, without="a3").sees(5.3, white_rook=rook)


def clears(table: TableTalk, at: float) -> None:
    """Take the men off the board, and leave it empty for a while."""
    for square, letter in enumerate(table.cells):
        if letter != EMPTY:
            table.sees(at, without=chess.square_name(square))
            at += 0.3
    table.ticks(at + 8.0)


@pytest.mark.parametrize(
    ("rook", "stood", "told"),
    [("a7", 3.0, "Ra7"), ("a7", 1.3, "Ra7"), ("a7", 1.0, ""), ("a1", 3.0, "")],
)
def test_a_move_that_stood_when_the_board_was_cleared_without_a_clock_was_made(
    rook: str, stood: float, told: str
) -> None:
    """On a1 he may stand for the next game."""
    table = stands(rook)
    clears(table, 5.3 + stood)
    assert table.moves == told


@pytest.mark.parametrize(("stood", "told"), [(5.0, "Ke4"), (3.0, "")])
def test_a_king_who_stood_alone_in_the_centre_until_the_board_was_cleared_had_moved(
    stood: float, told: str
) -> None:
    """Had he shown the result, the other one would have come there sooner."""
    fen = "2r3k1/8/3p4/1p2K3/8/R1B5/1P3P2/8 w - - 0 1"
    table = TableTalk(TableSetup(start_fen=fen, has_clock=False)).shows(0.0)
    table.sees(5.0, without="e5").sees(5.3, white_king="e4")
    clears(table, 5.3 + stood)
    assert table.moves == told


def test_a_move_that_stood_when_the_next_game_was_put_up_was_made() -> None:
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    at, board = 2.0, chess.Board()
    for san in (*SHORT, "d4"):
        board.push_san(san)
        table.shows(at, board.board_fen()).ticks(at + 3.0)
        at += 5.5
    puts_up(table, board.board_fen(), at - 2.0, 3, clock=False)
    assert [fact.san for fact in table.facts if isinstance(fact, MoveSettled)] == [*SHORT, "d4"]
    assert [fact.by for fact in table.facts if isinstance(fact, GameEnded)] == ["abandoned"]


def test_a_move_that_stood_while_a_clock_ran_and_was_not_pressed_was_none() -> None:
    table = stands("a7").clock(5.5, 300, 300, "left")
    clears(table, 8.3)
    assert table.moves == ""


def test_a_mate_that_stood_for_a_moment_before_the_men_were_put_up_was_made() -> None:
    """Nobody thinks about it any more."""
    table = TableTalk.ready(TableSetup(has_clock=False), clock=False)
    at, board = 2.0, chess.Board()
    for san in (*SHORT[:6], "Qxf7#"):
        board.push_san(san)
        table.shows(at, board.board_fen()).ticks(at + 0.7)
        at += 5.5
    puts_up(table, board.board_fen(), at - 4.8, 1, clock=False)
    assert table.moves.split()[-1] == "Qxf7#"


@pytest.mark.parametrize("seed", [0, 1, 14, 24])
def test_a_move_without_names_stood_until_men_were_put_up_that_looked_like_captures(
    seed: int,
) -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy", has_clock=False), clock=False)
    at, board = 2.0, chess.Board()
    for san in (*SHORT, "d4"):
        board.push_san(san)
        table.shows(at, board.board_fen()).ticks(at + 3.0)
        at += 5.5
    puts_up(table, board.board_fen(), at - 2.0, seed, clock=False)
    assert table.moves.split() == [*SHORT, "d4"]
