"""Whole games on simulated Certabo and Tabutronic boards, followed without waiting."""

from collections.abc import Callable

import chess
import pytest

from bridge.core.model import Sensing, StateExplained, TableSetup
from drivers.boards.certabo import Certabo, Sentio
from drivers.codec import Codec
from drivers.simulated.certabo import CertaboBoard, Reading, SentioBoard, men_of
from drivers.simulated.line import Faults
from tests.simulations import Follower, Talk, actions_of, follow, moves_in

BEGIN = 6.0
"""By then the men have stood long enough to be learned (s)."""


@pytest.mark.parametrize("rotated", [False, True])
def test_every_special_move_is_followed_where_men_are_felt(*, rotated: bool) -> None:
    board = SentioBoard(rotated=rotated, seed=1)
    board.set_up(chess.Board().piece_map(), at=0.0)
    follower = Follower(TableSetup(has_clock=False, sensing="occupancy"))
    moves = moves_in("special")
    follow(Talk(Sentio(), board), follower, actions_of(moves, begin=BEGIN, seed=2))
    assert follower.moves == moves
    assert follower.table.rotated is rotated


@pytest.mark.parametrize("rotated", [False, True])
def test_every_special_move_is_followed_with_tags_that_are_calibrated(*, rotated: bool) -> None:
    """A knight is made that nobody has captured: only a calibration can name it."""
    spare = "QQqqn"
    board = CertaboBoard(rotated=rotated, spare=spare, seed=1)
    board.set_up(chess.Board().piece_map(), at=0.0)
    letters = {tag.hex(): letter for letter, tags in men_of(0, spare).items() for tag in tags}
    follower = Follower(TableSetup(has_clock=False, tag_letters=letters))
    moves = moves_in("special")
    follow(Talk(Certabo(), board), follower, actions_of(moves, begin=1.0, seed=2))
    assert follower.moves == moves
    assert follower.table.rotated is rotated


@pytest.mark.parametrize("rotated", [False, True])
def test_a_spare_queen_that_nobody_calibrated_is_a_queen_all_the_same(*, rotated: bool) -> None:
    line = "h4 g5 hxg5 h6 gxh6 a5 h7 a4 hxg8=Q a3 Qxh8 axb2 Qh5 bxa1=Q Qxf7#"
    position = chess.Board()
    moves = [position.push_san(san) for san in line.split()]
    board = CertaboBoard(rotated=rotated, seed=6)
    board.set_up(chess.Board().piece_map(), at=0.0)
    follower = Follower(TableSetup(has_clock=False))
    follow(Talk(Certabo(), board), follower, actions_of(moves, begin=BEGIN, seed=7))
    assert follower.moves == moves
    told = [fact.text for fact in follower.facts if isinstance(fact, StateExplained)]
    assert "the man on g8 is not known and is taken for a promoted queen" in told
    assert "the man on a1 is not known and is taken for a promoted queen" in told


def test_a_noisy_line_and_men_that_are_missed_do_not_matter() -> None:
    faults = Faults(lose=0.02, insert=0.02, split=0.1)
    board = CertaboBoard(reading=Reading(noise=0.4, missed=0.01), faults=faults, seed=3)
    board.set_up(chess.Board().piece_map(), at=0.0)
    follower = Follower(TableSetup(has_clock=False))
    moves = moves_in("opera")
    actions = actions_of(moves, begin=BEGIN, seed=4)
    follow(Talk(Certabo(), board), follower, actions)
    assert follower.moves == moves


@pytest.mark.parametrize(
    ("codec", "kind", "sensing"),
    [(Certabo, CertaboBoard, "identity"), (Sentio, SentioBoard, "occupancy")],
)
def test_moves_made_while_the_link_was_lost_are_found(
    codec: type[Codec], kind: Callable[..., CertaboBoard | SentioBoard], sensing: Sensing
) -> None:
    board = kind()
    board.set_up(chess.Board().piece_map(), at=0.0)
    follower = Follower(TableSetup(has_clock=False, sensing=sensing))
    moves = moves_in("opera")
    actions = actions_of(moves, begin=BEGIN, seed=5)
    middle = actions[len(actions) // 2].at
    follow(Talk(codec(), board), follower, actions, lost=(middle, middle + 4.0))
    assert follower.moves == moves


def test_what_stands_still_hardly_fills_the_journal() -> None:
    board = CertaboBoard()
    board.set_up(chess.Board().piece_map(), at=0.0)
    follower = Follower(TableSetup(has_clock=False))
    follow(Talk(Certabo(), board), follower, [])
    short = len(follower.readings)
    talk = Talk(Certabo(), board)
    talk.at = 20.0
    for event in talk.until(620.0):
        follower.take(event.at, event)
    assert len(follower.readings) - short < 80  # of 2400 scans
