"""A whole game through the wire: what the codec hears must be what was played."""

import io
import math
from itertools import pairwise

import chess
import chess.pgn
import pytest

from drivers.boards.dgt import Dgt
from drivers.events import ClockReading, Event, Noise, Snapshot, SquareChange
from drivers.simulated import games
from drivers.simulated.clock import TimeControl
from drivers.simulated.dgt import Passport
from drivers.simulated.hands import BLITZ
from drivers.simulated.performance import Performance, stage


def staged(name: str = "special", *, seed: int = 1, rotated: bool = False) -> Performance:
    return stage(
        games.load(name),
        passport=Passport(),
        control=TimeControl(base=180, increment=2),
        style=BLITZ,
        seed=seed,
        rotated=rotated,
    )


def perform(performance: Performance) -> list[Event]:
    """Play from time 2 on in virtual time, with a host that listened before."""
    codec = Dgt()
    performance.receive(bytes.fromhex("4b 42 41"), at=1.0)
    performance.begin(at=2.0)
    events: list[Event] = []
    at = 2.0
    while True:
        data, wake_at = performance.poll(at=at)
        events += codec.receive(data, at=at)
        if wake_at == math.inf:
            return events
        assert wake_at > at
        at = wake_at


def cells(board: chess.Board, *, rotated: bool) -> str:
    text = "".join(
        piece.symbol() if (piece := board.piece_at(square)) else "." for square in chess.SQUARES
    )
    return text[::-1] if rotated else text


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("name", games.names())
def test_a_game_arrives_whole(name: str, rotated: bool) -> None:
    performance = staged(name, rotated=rotated)
    events = perform(performance)
    assert not any(isinstance(event, Noise) for event in events)
    dump = next(event for event in events if isinstance(event, Snapshot))
    last = [event for event in events if isinstance(event, SquareChange)][-1]
    assert dump.cells == cells(chess.Board(), rotated=rotated)
    assert last.cells == cells(games.load(name).end().board(), rotated=rotated)


@pytest.mark.parametrize("rotated", [False, True])
def test_the_truth_is_the_game_and_what_the_clock_showed_at_each_press(rotated: bool) -> None:
    performance = staged(rotated=rotated)
    readings = [event for event in perform(performance) if isinstance(event, ClockReading)]
    truth = performance.truth()
    game = games.load("special")
    assert truth.moves == tuple(move.uci() for move in game.mainline_moves())
    assert truth.result == "1-0"
    assert truth.finished
    heard = []
    for before, after in pairwise(readings):
        if before.turn != after.turn:
            heard.append(after.left_ms if before.turn == "left" else after.right_ms)
    assert tuple(heard) == truth.clock_ms
    assert readings[0].turn == ("right" if rotated else "left")
    assert not readings[-1].running


def test_the_truth_grows_with_the_game() -> None:
    performance = staged("opera")
    assert performance.truth().moves == ()
    performance.begin(at=5.0)
    performance.poll(at=15.0)
    truth = performance.truth()
    assert 3 < len(truth.moves) < 33
    assert len(truth.clock_ms) == len(truth.moves)
    assert truth.result == "*"
    assert not truth.finished


def test_a_performance_that_has_not_begun_waits_for_ever() -> None:
    performance = staged()
    performance.poll(at=1.0)
    performance.poll(at=2.0)
    assert performance.poll(at=1000.0).wake_at == math.inf
    assert performance.begun_at is None


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, again, other = (perform(staged("opera", seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_rare_polling_hears_the_same_in_the_same_order() -> None:
    expected = [_without_time(event) for event in perform(staged("opera"))]
    rarely = staged("opera")
    rarely.receive(bytes.fromhex("4b 42 41"), at=1.0)
    rarely.begin(at=2.0)
    stream = b"".join(rarely.poll(at=float(at)).data for at in range(2, 200, 7))
    assert [_without_time(event) for event in Dgt().receive(stream, at=0.0)] == expected


def _without_time(event: Event) -> str:
    return repr(event).replace(f"at={event.at}", "")


def test_the_kings_tell_the_result_after_the_game() -> None:
    game = chess.pgn.read_game(io.StringIO('[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1'))
    assert game is not None
    performance = stage(
        game,
        passport=Passport(),
        control=TimeControl(base=60),
        style=BLITZ,
        seed=1,
        gesture=True,
    )
    last = [event for event in perform(performance) if isinstance(event, SquareChange)][-1]
    assert {last.cells[chess.D4], last.cells[chess.E5]} == {"K", "k"}
    assert performance.finished


def test_black_may_be_to_move_at_the_start() -> None:
    text = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K3 b - - 0 1"]\n[Result "*"]\n\n1... Kd7 *'
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    performance = stage(
        game, passport=Passport(), control=TimeControl(base=60), style=BLITZ, seed=1
    )
    readings = [event for event in perform(performance) if isinstance(event, ClockReading)]
    assert [readings[0].turn, readings[-1].turn] == ["right", "left"]
    assert performance.truth().moves == ("e8d7",)
