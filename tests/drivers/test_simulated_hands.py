"""Hands must play the game they were given, whatever habits they have."""

import io
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import chess
import chess.pgn
import pytest

from drivers.simulated import games
from drivers.simulated.hands import (
    BLITZ,
    RESULT_SQUARES,
    Action,
    Lift,
    Press,
    Put,
    Style,
    play,
    show_result,
)
from tests.shared import shared

CARRIED = Style(slide=0, carry_off=0, exchange_promoted=0)
SLID = replace(CARRIED, slide=1)


class Wood:
    """A board that only knows where pieces stand."""

    def __init__(self, board: chess.Board) -> None:
        self.pieces = board.piece_map()

    def do(self, actions: Iterable[Action]) -> None:
        for action in actions:
            match action:
                case Lift(square=square):
                    del self.pieces[square]
                case Put(square=square, piece=piece):
                    self.pieces[square] = piece


def steps(fen: str, uci: str, style: Style = CARRIED, seed: int = 0) -> str:
    """Play one move; return the lifts and puts as ``e2. e4P``."""
    actions = play(chess.Board(fen), [chess.Move.from_uci(uci)], style, Random(seed))
    words = []
    for action in actions:
        match action:
            case Lift(square=square):
                words.append(chess.square_name(square) + ".")
            case Put(square=square, piece=piece):
                words.append(chess.square_name(square) + piece.symbol())
    return " ".join(words)


def assert_every_ply_stands(game: chess.pgn.Game, style: Style, seed: int) -> None:
    board, moves = game.board(), list(game.mainline_moves())
    wood = Wood(board)
    plies = iter(moves)
    for action in play(board, moves, style, Random(seed)):
        wood.do([action])
        if isinstance(action, Press):
            assert action.colour == board.turn
            board.push(next(plies))
            assert wood.pieces == board.piece_map()
    assert next(plies, None) is None


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("style", [Style(), BLITZ, SLID, Style(carry_off=1, slide=1)])
def test_after_each_press_the_board_shows_the_game(name: str, style: Style) -> None:
    for seed in range(5):
        assert_every_ply_stands(games.load(name), style, seed)


def test_real_games_end_in_the_right_placement() -> None:
    text = io.StringIO(shared("data/games-sample.pgn").read_text(encoding="utf-8"))
    played = 0
    while (game := chess.pgn.read_game(text)) is not None and played < 60:
        if game.headers.get("Variant", "Standard") == "Standard" and not game.board().chess960:
            assert_every_ply_stands(game, Style(), played)
            played += 1
    assert played == 60


def test_the_same_seed_plays_the_same_and_another_seed_differently() -> None:
    game = games.load("opera")
    moves = list(game.mainline_moves())
    first, again, other = (play(game.board(), moves, Style(), Random(s)) for s in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_reply_begins_after_the_press() -> None:
    game = games.load("special")
    pressed = 0.0
    for action in play(game.board(), list(game.mainline_moves()), BLITZ, Random(0)):
        assert action.at >= pressed
        if isinstance(action, Press):
            pressed = action.at


def test_an_early_reply_begins_before_the_press_and_still_ends_after_it() -> None:
    game = games.load("special")
    style = replace(BLITZ, early_reply=1, slide=0)
    actions = play(game.board(), list(game.mainline_moves()), style, Random(0))
    assert [a.at for a in actions] == sorted(a.at for a in actions)
    presses = [a.colour for a in actions if isinstance(a, Press)]
    assert presses == [ply % 2 == 0 for ply in range(len(presses))]
    first_press = next(n for n, a in enumerate(actions) if isinstance(a, Press))
    e4, replied = actions[first_press - 2 : first_press]
    assert isinstance(e4, Put)
    assert isinstance(replied, Lift)
    assert replied.square == chess.C7
    wood = Wood(game.board())
    wood.do(actions)
    assert wood.pieces == game.end().board().piece_map()


START = chess.STARTING_FEN
CAPTURE = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
PROMOTION = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("fen", "uci", "style", "expected"),
    [
        (START, "e2e4", CARRIED, "e2. e4P"),
        (START, "e2e4", SLID, "e3P e2. e4P e3."),
        (START, "e2e3", SLID, "e3P e2."),
        (START, "g1f3", SLID, "g1. f3N"),
        (CAPTURE, "e4d5", replace(CARRIED, captures={"victim first": 1}), "d5. e4. d5P"),
        (CAPTURE, "e4d5", replace(CARRIED, captures={"swap": 1}), "e4. d5. d5P"),
        (CAPTURE, "e4d5", replace(SLID, captures={"swap": 1}), "d5. d5P e4."),
        (EN_PASSANT, "e5d6", replace(CARRIED, en_passant_late=1), "e5. d6P d5."),
        (EN_PASSANT, "e5d6", replace(CARRIED, en_passant_late=0), "d5. e5. d6P"),
        (PROMOTION, "a7a8q", CARRIED, "a7. a8Q"),
        (PROMOTION, "a7a8r", replace(SLID, exchange_promoted=1), "a8P a7. a8. a8R"),
        (PROMOTION, "a7b8n", replace(CARRIED, captures={"swap": 1}), "a7. b8. b8N"),
        (CASTLING, "e1g1", replace(CARRIED, castlings={"king first": 1}), "e1. g1K h1. f1R"),
        (CASTLING, "e1c1", replace(CARRIED, castlings={"rook first": 1}), "a1. d1R e1. c1K"),
        (CASTLING, "e1g1", replace(CARRIED, castlings={"both": 1}), "e1. h1. g1K f1R"),
        # A slid rook cannot pass through the king that stands in its way.
        (
            CASTLING,
            "e1g1",
            replace(SLID, castlings={"king first": 1}),
            "f1K e1. g1K f1. h1. f1R",
        ),
    ],
)
def test_moves_are_carried_out_as_people_do(
    fen: str, uci: str, style: Style, expected: str
) -> None:
    assert steps(fen, uci, style) == expected


def test_the_taken_piece_may_touch_a_neighbour_square_on_its_way_off() -> None:
    seen = steps(CAPTURE, "e4d5", replace(CARRIED, carry_off=1, captures={"swap": 1})).split()
    assert seen[:3] == ["e4.", "d5.", "d5P"]
    touched, left = seen[3:]
    assert touched[2] == "p"
    assert left == touched[:2] + "."
    assert chess.square_distance(chess.parse_square(touched[:2]), chess.D5) == 1


def test_a_taken_piece_with_no_free_neighbour_square_goes_straight_off() -> None:
    style = replace(CARRIED, carry_off=1, captures={"swap": 1})
    cornered = "4k3/8/8/8/8/2N5/PP6/bR2K3 w - - 0 1"
    assert steps(cornered, "b1a1", style) == "b1. a1. a1R b1b b1."
    walled_in = "4k3/8/8/8/8/8/PPN5/bR2K3 w - - 0 1"
    assert steps(walled_in, "c2a1", style) == "c2. a1. a1N"


@pytest.mark.parametrize("result", list(RESULT_SQUARES))
@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/3K4/8/8/8/7k w - - 0 1",
        "8/8/8/4K3/8/8/8/7k w - - 0 1",
        "8/8/8/K7/4k3/8/8/8 w - - 0 1",
        "k7/8/8/3pp3/3PP3/8/8/7K w - - 0 1",
    ],
)
def test_kings_tell_the_result(result: str, fen: str) -> None:
    board = chess.Board(fen)
    wood = Wood(board)
    wood.do(show_result(board, result, CARRIED, Random(0), at=10.0))
    kings = {square for square, piece in wood.pieces.items() if piece.piece_type == chess.KING}
    assert kings == set(RESULT_SQUARES[result])
    assert {wood.pieces[square].color for square in kings} == {True, False}


def test_kings_cannot_tell_an_unknown_result() -> None:
    with pytest.raises(KeyError):
        show_result(chess.Board(), "*", CARRIED, Random(0), at=0.0)
