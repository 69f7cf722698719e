"""Mishaps leave the board as they found it, whatever hands do in between."""

from random import Random

import chess
import pytest

from drivers.simulated.hands import Handling, Lift, Put, Style
from drivers.simulated.hands.handling import castling_squares
from drivers.simulated.hands.mishaps import (
    knock_over,
    lift_and_return,
    make_and_take_back,
    rest_on,
    wobble,
)
from drivers.simulated.hands.style import CastlingOrder

CARRIED = Style(slide=0, carry_off=0, exchange_promoted=0)
MIDDLE = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 1 5"


def hands_over(fen: str, seed: int = 0, style: Style = CARRIED) -> Handling:
    return Handling(chess.Board(fen).piece_map(), style, Random(seed), at=10.0)


def steps(hands: Handling) -> str:
    words = []
    for action in hands.actions:
        match action:
            case Lift(square=square):
                words.append(chess.square_name(square) + ".")
            case Put(square=square, piece=piece):
                words.append(chess.square_name(square) + piece.symbol())
    return " ".join(words)


def test_an_adjusted_piece_is_back_on_its_square() -> None:
    hands = hands_over(MIDDLE)
    lift_and_return(hands, chess.F3, (0.3, 0.3))
    assert steps(hands) == "f3. f3N"
    assert hands.actions[1].at == pytest.approx(10.3)


def test_a_hesitating_piece_stays_where_it_rests() -> None:
    hands = hands_over(MIDDLE)
    rest_on(hands, chess.F3, chess.H4, (1.0, 1.0))
    assert steps(hands) == "f3. h4N"
    assert hands.at == pytest.approx(hands.rested + 1.0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("uci", ["c4f7", "e1g1", "f3e5", "d3d4"])
def test_a_move_is_taken_back_to_the_last_piece(uci: str, seed: int) -> None:
    hands = hands_over(MIDDLE, seed, Style(slide=1))
    make_and_take_back(hands, chess.Board(MIDDLE), chess.Move.from_uci(uci))
    assert hands.standing == chess.Board(MIDDLE).piece_map()
    assert [a.at for a in hands.actions] == sorted(a.at for a in hands.actions)


@pytest.mark.parametrize("seed", range(20))
def test_after_a_wobble_and_a_knock_every_piece_stands_again(seed: int) -> None:
    rng = Random(seed)
    hands = hands_over(MIDDLE, seed)
    wobble(hands, chess.F3, rng)
    knock_over(hands, chess.F3, rng)
    assert hands.standing == chess.Board(MIDDLE).piece_map()
    assert len(hands.actions) >= 4


def test_a_walled_in_piece_does_not_wobble() -> None:
    hands = hands_over("8/8/8/8/8/2kPK3/2PPP3/2PNP3 w - - 0 1")
    wobble(hands, chess.D2, Random(0))
    assert not hands.actions


def test_an_opponents_piece_is_in_the_hand_before_the_board_is_free() -> None:
    hands = hands_over(MIDDLE)
    hands.snatch(chess.F6, chess.E4, free_at=12.0)
    assert steps(hands) == "f6. e4. e4n"
    assert hands.actions[0].at == 10.0
    assert hands.actions[1].at > 12.0
    assert hands.how == ["swap capture"]
    hands.snatch(chess.C5, chess.B4, free_at=0.0)
    assert steps(hands).endswith("c5. b4b")


def test_restoring_moves_pieces_straight_to_where_their_like_is_missed() -> None:
    hands = hands_over("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1")
    goal = chess.Board("4k3/8/8/8/8/5N2/8/4K2R w - - 0 1").piece_map()
    hands.restore(goal, pace=(0.1, 0.1))
    assert steps(hands) == "d4. f3N h1R"
    assert hands.standing == goal


def test_the_victim_can_be_put_aside_with_the_attacker_in_the_hand() -> None:
    style = Style(captures={"attacker first": 1}, slide=0, carry_off=0)
    hands = hands_over(MIDDLE, 0, style)
    hands.bring(chess.F3, chess.E5)
    assert steps(hands) == "f3. e5. e5N"
    assert hands.how == ["attacker first"]


def test_a_dawdling_player_castles_in_two_goes() -> None:
    style = Style(castlings={"king first": 1}, slide=0, dawdle=1, dawdling=(2.0, 2.0))
    hands = hands_over(MIDDLE, 0, style)
    hands.move(chess.Board(MIDDLE), chess.Move.from_uci("e1g1"))
    king, rook = hands.actions[1], hands.actions[2]
    assert rook.at - king.at == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("fen", "uci", "ends"),
    [
        ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", {"g1K", "f1R"}),  # the rook stands in the way
        ("4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1h1", {"f1R"}),  # the king stays
        ("4k3/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1", {"c1K", "d1R"}),
    ],
)
@pytest.mark.parametrize("order", ["king first", "rook first", "both"])
def test_castling_in_chess960(fen: str, uci: str, ends: set[str], order: CastlingOrder) -> None:
    board = chess.Board(fen, chess960=True)
    move = chess.Move.from_uci(uci)
    assert move in board.legal_moves
    style = Style(castlings={order: 1}, slide=0)
    hands = Handling(board.piece_map(), style, Random(0), at=0.0)
    hands.move(board, move)
    board.push(move)
    assert hands.standing == board.piece_map()
    assert ends <= set(steps(hands).split())


def test_where_king_and_rook_go() -> None:
    board = chess.Board(MIDDLE)
    king, rook = castling_squares(board, chess.Move.from_uci("e1g1"))
    assert (king, rook) == ((chess.E1, chess.G1), (chess.H1, chess.F1))
