"""Whole games on simulated ChessLink boards, followed without waiting."""

import chess
import pytest

from bridge.core.model import Sensing, TableSetup
from drivers.boards.millennium import Millennium
from drivers.simulated.line import Faults
from drivers.simulated.millennium import EONE, EXCLUSIVE, SUPREME, MillenniumBoard, Profile
from tests.conversations import Conversation, actions_of, moves_in
from tests.following import Follower, play_through


def board_with_men(profile: Profile, **settings: object) -> MillenniumBoard:
    board = MillenniumBoard(profile, **settings)  # type: ignore[arg-type]  # as the tests give them
    board.set_up(chess.Board().piece_map(), at=0.0)
    return board


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize(
    ("profile", "sensing"), [(EXCLUSIVE, "identity"), (SUPREME, "identity"), (EONE, "occupancy")]
)
def test_every_special_move_is_followed(
    profile: Profile, sensing: Sensing, *, rotated: bool
) -> None:
    talk = Conversation(Millennium(), board_with_men(profile, rotated=rotated, seed=1))
    follower = Follower(TableSetup(has_clock=False, sensing=sensing))
    moves = moves_in("special")
    actions = actions_of(moves, begin=5.0, seed=2)
    play_through(talk, follower, actions)
    assert follower.moves == moves
    assert follower.table.rotated is rotated


@pytest.mark.parametrize("reports", [1, 3])
def test_what_the_board_reports_does_not_matter(reports: int) -> None:
    board = board_with_men(EXCLUSIVE, faults=Faults(lose=0.02, insert=0.02), missed=0.02)
    board.registers["02"] = reports
    follower = Follower(TableSetup(has_clock=False))
    moves = moves_in("opera")
    actions = actions_of(moves, begin=5.0, seed=4)
    play_through(Conversation(Millennium(), board), follower, actions)
    assert follower.moves == moves


def test_moves_made_while_the_link_was_lost_are_found() -> None:
    talk = Conversation(Millennium(), board_with_men(EXCLUSIVE))
    follower = Follower(TableSetup(has_clock=False))
    moves = moves_in("opera")
    actions = actions_of(moves, begin=5.0, seed=5)
    middle = actions[len(actions) // 2].at
    play_through(talk, follower, actions, lost=(middle, middle + 6.0))
    assert follower.moves == moves
