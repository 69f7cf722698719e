"""A board that turns its numbering itself, as a Revelation II does, is not turned once more."""

import chess
import pytest

from bridge.core.model import TableSetup
from drivers.boards.dgt import Dgt
from drivers.boards.dgt.protocol import Command
from drivers.events import Notice, Snapshot
from drivers.simulated.dgt import DgtBoard, Passport
from tests.conversations import Conversation, actions_of, moves_in
from tests.drivers.dgt_streams import START_CELLS
from tests.following import Follower, play_through

START = chess.Board().piece_map()
TURNED = "the board turned the numbers of its squares"


def revelation(*, rotated: bool) -> DgtBoard:
    """White sits in the other seat where it is *rotated*; scanned half as fast, by Bluetooth."""
    return DgtBoard(
        Passport(long_serial="3.250010001"), rotated=rotated, turns_itself=True, scan_period=0.44
    )


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("set_up_at", [0.0, 4.0])
def test_a_game_from_either_seat(*, rotated: bool, set_up_at: float) -> None:
    board = revelation(rotated=rotated)
    talk = Conversation(Dgt(), board)
    follower = Follower(TableSetup(has_clock=False))
    talk.go_on(set_up_at)
    board.set_up(START, at=set_up_at)
    moves = moves_in("special")
    play_through(talk, follower, actions_of(moves, begin=set_up_at + 5.0, seed=3))
    assert follower.moves == moves
    assert not follower.table.rotated
    assert not board.rotated
    assert bytes([Command.SET_LEDS]) not in {data[:1] for data in talk.sent}


def test_the_turn_is_told_and_is_no_miss() -> None:
    board = revelation(rotated=True)
    talk = Conversation(Dgt(), board)
    talk.go_on(3.0)
    turned = START_CELLS[::-1]
    board.set_up(START, at=3.0)
    events = talk.go_on(6.0)
    snapshots = [event.cells for event in events if isinstance(event, Snapshot)]
    assert snapshots[-1] == START_CELLS != turned
    notices = [event.text for event in events if isinstance(event, Notice)]
    assert notices == [TURNED]


def test_seats_may_be_changed_from_game_to_game() -> None:
    board = revelation(rotated=False)
    talk = Conversation(Dgt(), board)
    board.set_up(START, at=0.0)
    talk.go_on(3.0)
    board.rotated = True
    board.set_up(START, at=3.0)
    snapshots = [e.cells for e in talk.go_on(8.0) if isinstance(e, Snapshot)]
    assert snapshots[-1] == START_CELLS
    assert not board.rotated
