"""Every game of the shared sample, played by simple hands, comes out exactly as it was played.

The whole sample runs each time with a clock. A quarter of the games run once more with late
reports, and half of them in one of the other settings in turn. Every fourth game runs with two
plies between snapshots (of those, every second one with a clock).
"""

from functools import cache

import chess
import pytest

from tests.bridge.core.playing import Game, Play, Score, Told, follow, readings_of, sample_games

pytestmark = pytest.mark.usefixtures("unmeasured")

CHUNKS = 4
SETTINGS = (
    Play(clock=False, think=5.0),
    Play(clock=False, think=5.0, rotated=True),
    Play(rotated=True, white_side="right"),
    Play(white_side="right"),
    Play(rotated=True, white_side="left"),
    Play(press_late=1.0, think=0.7),
    Play(quick_replies=True, think=0.3),
    Play(quick_replies=True, think=0.3, press_late=1.0, increment=0),
)


@cache
def games() -> list[Game]:
    return sample_games()


def play_exactly(game: Game, play: Play) -> None:
    readings, score = readings_of(game, play)
    told = follow(readings)
    assert told.moves == score.moves, f"{game.name}: {play}"
    if play.clock:
        expected = {ply: (ms, False) for ply, ms in enumerate(score.times, 1)}
        assert told.times == expected, f"{game.name}: {play}"
    else:
        assert told.times == {}
    assert_end(game, told)


def assert_end(game: Game, told: Told) -> None:
    board = chess.Board(game.fen, chess960=game.chess960)
    for move in game.moves:
        board.push(move)
    if board.is_checkmate():
        assert told.results == [f"{board.result()} checkmate"], game.name
    elif board.is_stalemate():
        assert told.results == ["1/2-1/2 stalemate"], game.name
    else:
        assert told.results == [], game.name


def test_the_sample_is_whole() -> None:
    assert len(games()) == 319
    assert sum(len(game.moves) for game in games()) == 27_488


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_with_a_clock_every_move_and_time_is_exact(chunk: int) -> None:
    for game in games()[chunk::CHUNKS]:
        play_exactly(game, Play())


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_clock_that_reports_a_second_late_changes_nothing(chunk: int) -> None:
    for game in games()[chunk :: 4 * CHUNKS]:
        play_exactly(game, Play(press_late=1.0))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_seats_sides_tempo_and_no_clock(chunk: int) -> None:
    for number, game in enumerate(games()[chunk + CHUNKS :: 2 * CHUNKS]):
        play_exactly(game, SETTINGS[number % len(SETTINGS)])


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("clock", [True, False])
def test_two_plies_between_snapshots(chunk: int, clock: bool) -> None:
    play = Play(snapshot_every=2, clock=clock, think=5.0)
    for game in games()[chunk + CHUNKS * clock :: 8 * CHUNKS]:
        readings, score = readings_of(game, play)
        assert_same_but_for_what_nothing_shows(game, follow(readings), score)


def assert_same_but_for_what_nothing_shows(game: Game, told: Told, score: Score) -> None:
    """A pawn's single or double step that was taken in the gap leaves the same position."""
    assert len(told.moves) == len(score.moves), game.name
    board, believed = (chess.Board(game.fen, chess960=game.chess960) for _ in range(2))
    different = 0
    for ply, (uci, told_uci) in enumerate(zip(score.moves, told.moves, strict=True), 1):
        board.push_uci(uci)
        assert believed.is_legal(chess.Move.from_uci(told_uci)), f"{game.name}: ply {ply}"
        believed.push_uci(told_uci)
        different += uci != told_uci
        if ply % 2 == 0:
            assert believed.epd() == board.epd(), f"{game.name}: ply {ply}"
    assert different <= 1, f"{game.name}: {different} plies differ"
