"""Whole games on simulated Chessnut boards, followed without waiting."""

import chess
import pytest

from bridge.core.model import TableSetup
from drivers.boards.chessnut import Chessnut, ChessnutMove
from drivers.codec import Codec
from drivers.simulated.chessnut import ChessnutBoard, Model, Wire
from drivers.simulated.line import Faults
from tests.conversations import Conversation, actions_of, moves_in
from tests.following import Follower, play_through


def board_with_men(model: Model = "air", **settings: object) -> ChessnutBoard:
    board = ChessnutBoard(model, **settings)  # type: ignore[arg-type]  # as the tests give them
    board.set_up(chess.Board().piece_map(), at=0.0)
    return board


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize(
    ("codec", "model", "wire"),
    [(Chessnut, "air", "usb"), (Chessnut, "air", "ble"), (ChessnutMove, "move", "ble")],
)
def test_every_special_move_is_followed(
    codec: type[Codec], model: Model, wire: Wire, *, rotated: bool
) -> None:
    talk = Conversation(codec(), board_with_men(model, wire=wire, rotated=rotated, seed=1))
    follower = Follower(TableSetup(has_clock=False))
    moves = moves_in("special")
    play_through(talk, follower, actions_of(moves, begin=5.0, seed=2))
    assert follower.moves == moves
    assert follower.table.rotated is rotated


@pytest.mark.parametrize(
    ("codec", "model", "faults"),
    [
        (Chessnut(), "air", Faults(split=0.3, merge=0.2)),
        (Chessnut(), "air", Faults(lose=0.01, insert=0.01)),
        (ChessnutMove(), "move", Faults()),
    ],
)
def test_a_game_by_radio(codec: Codec, model: Model, faults: Faults) -> None:
    talk = Conversation(codec, board_with_men(model, wire="ble", faults=faults))
    follower = Follower(TableSetup(has_clock=False))
    moves = moves_in("opera")
    play_through(talk, follower, actions_of(moves, begin=5.0, seed=4))
    assert follower.moves == moves


def test_moves_made_while_the_link_was_lost_are_found() -> None:
    talk = Conversation(Chessnut(), board_with_men())
    follower = Follower(TableSetup(has_clock=False))
    moves = moves_in("opera")
    actions = actions_of(moves, begin=5.0, seed=5)
    middle = actions[len(actions) // 2].at
    play_through(talk, follower, actions, lost=(middle, middle + 6.0))
    assert follower.moves == moves
