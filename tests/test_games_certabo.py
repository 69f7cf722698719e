"""Whole games on simulated Certabo and Tabutronic boards, followed without waiting."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import chess
import pytest

from bridge.core.model import LinkChange, Sensing, StateExplained, TableSetup
from drivers.boards.certabo import Certabo, Sentio
from drivers.codec import Codec
from drivers.simulated.certabo import CertaboBoard, Reading, SentioBoard, men_of
from drivers.simulated.hands import play
from drivers.simulated.line import Faults
from tests.conversations import CALM, Conversation, actions_of, moves_in
from tests.following import Follower, play_through

BEGIN = 6.0
"""By then the men have stood long enough to be learned (s)."""


@pytest.mark.parametrize("rotated", [False, True])
def test_every_special_move_is_followed_where_men_are_felt(*, rotated: bool) -> None:
    board = SentioBoard(rotated=rotated, seed=1)
    board.set_up(chess.Board().piece_map(), at=0.0)
    follower = Follower(TableSetup(has_clock=False, sensing="occupancy"))
    moves = moves_in("special")
    play_through(Conversation(Sentio(), board), follower, actions_of(moves, begin=BEGIN, seed=2))
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
    play_through(Conversation(Certabo(), board), follower, actions_of(moves, begin=1.0, seed=2))
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
    play_through(Conversation(Certabo(), board), follower, actions_of(moves, begin=BEGIN, seed=7))
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
    play_through(Conversation(Certabo(), board), follower, actions)
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
    play_through(Conversation(codec(), board), follower, actions, lost=(middle, middle + 4.0))
    assert follower.moves == moves


def test_what_stands_still_hardly_fills_the_journal() -> None:
    board = CertaboBoard()
    board.set_up(chess.Board().piece_map(), at=0.0)
    follower = Follower(TableSetup(has_clock=False))
    play_through(Conversation(Certabo(), board), follower, [])
    short = len(follower.readings)
    talk = Conversation(Certabo(), board, at=20.0)
    for event in talk.go_on(620.0):
        follower.take(event.at, event)
    assert len(follower.readings) - short < 80  # of 2400 scans


def test_what_was_learned_survives_a_restart() -> None:
    """The journal holds the scans that taught the tags."""
    board = CertaboBoard()
    board.set_up(chess.Board().piece_map(), at=0.0)
    moves = moves_in("opera")
    actions = actions_of(moves, begin=BEGIN, seed=8)
    middle = len(actions) // 2
    before = Follower(TableSetup(has_clock=False))
    talk = Conversation(Certabo(), board)
    play_through(talk, before, actions[:middle])
    after = Follower(TableSetup(has_clock=False))
    for reading in before.readings[1:]:
        after.rest(reading.at)
        after.take(reading.at, reading.payload)
    after.take(talk.at, LinkChange(state="lost", detail="the program was stopped"))
    later = talk.at - actions[middle - 1].at
    rest = [replace(action, at=action.at + later) for action in actions[middle:]]
    play_through(talk, after, rest)
    assert after.moves == moves


MIDDLE = chess.Board("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5")


@pytest.mark.parametrize(
    ("position", "start", "line"),
    [
        pytest.param(MIDDLE, MIDDLE.fen(), ("O-O", "d6", "d3", "O-O"), id="in a game"),
        pytest.param(
            chess.Board.from_chess960_pos(42), None, ("e4", "e5", "f4", "exf4"), id="one of the 960"
        ),
    ],
)
def test_a_calibrated_board_needs_no_usual_start_position(
    position: chess.Board, start: str | None, line: tuple[str, ...]
) -> None:
    """Another journal: what stands is known from the first scans on."""
    board = CertaboBoard(men=3)
    board.set_up(position.piece_map(), at=0.0)
    letters = {tag.hex(): letter for letter, tags in men_of(3).items() for tag in tags}
    follower = Follower(
        TableSetup(
            has_clock=False,
            tag_letters=letters,
            start_fen=start,
            chess960=position.chess960,
        )
    )
    later = position.copy()
    moves = [later.push_san(san) for san in line]
    actions = play(position, moves, CALM, Random(1), begin=2.0)
    play_through(Conversation(Certabo(), board), follower, actions)
    assert follower.moves == moves


@pytest.mark.parametrize(
    "calibrated",
    [pytest.param(None, id="no calibration"), pytest.param(7, id="that of another set")],
)
def test_men_of_an_unknown_set_are_explained(calibrated: int | None) -> None:
    position = chess.Board()
    for san in ("e4", "e5", "Nf3"):
        position.push_san(san)
    board = CertaboBoard(men=3)
    board.set_up(position.piece_map(), at=0.0)
    men = {} if calibrated is None else men_of(calibrated)
    letters = {tag.hex(): letter for letter, tags in men.items() for tag in tags}
    follower = Follower(TableSetup(has_clock=False, tag_letters=letters))
    play_through(Conversation(Certabo(), board), follower, [])
    told = [fact.text for fact in follower.facts if isinstance(fact, StateExplained)]
    unknown = "32 men are of a set that is not known: put all men up for some seconds, or calibrate"
    assert told == [f"waiting for the start position: {unknown} them"]
    board.set_up(chess.Board().piece_map(), at=20.0)
    moves = moves_in("opera")[:4]
    talk = Conversation(Certabo(), board, at=20.0)
    play_through(talk, follower, actions_of(moves, begin=26.0, seed=1))
    assert follower.moves == moves
